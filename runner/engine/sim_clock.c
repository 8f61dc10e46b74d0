#include "runner/engine/sim_internal.h"

void sim_clock_init(struct sim_clock *c)
{
    *c = (struct sim_clock){.now = 0};
    pthread_mutex_init(&c->lock, NULL);
}

void sim_clock_release(struct sim_clock *c)
{
    pthread_mutex_destroy(&c->lock);
}

/* Hands the turn to the one that waits for the earliest instant, once all of them wait. */
static void pass_turn(struct sim_clock *c)
{
    struct sim_turn *best = NULL;
    if (c->holder)
        return;
    for (struct sim_turn *t = c->turns; t; t = t->next) {
        if (!t->waiting)
            return;
        if (!best || t->wake < best->wake || (t->wake == best->wake && t->job < best->job))
            best = t;
    }
    if (!best)
        return;
    c->holder = best;
    best->waiting = false;
    best->holds = true;
    if (best->wake > c->now)
        c->now = best->wake;
    pthread_cond_signal(&best->cond);
}

static void await_turn(struct sim_clock *c, struct sim_turn *t)
{
    t->waiting = true;
    pass_turn(c);
    while (!t->holds)
        pthread_cond_wait(&t->cond, &c->lock);
}

void sim_clock_join(struct sim_clock *c, struct sim_turn *t, unsigned job)
{
    pthread_mutex_lock(&c->lock);
    *t = (struct sim_turn){.next = c->turns, .wake = c->now, .job = job};
    pthread_cond_init(&t->cond, NULL);
    c->turns = t;
    pthread_mutex_unlock(&c->lock);
}

void sim_clock_leave(struct sim_clock *c, struct sim_turn *t)
{
    pthread_mutex_lock(&c->lock);
    for (struct sim_turn **p = &c->turns; *p; p = &(*p)->next) {
        if (*p == t) {
            *p = t->next;
            break;
        }
    }
    if (c->holder == t)
        c->holder = NULL;
    pass_turn(c);
    pthread_mutex_unlock(&c->lock);
    pthread_cond_destroy(&t->cond);
}

uint64_t sim_clock_now(struct sim_clock *c, struct sim_turn *t)
{
    /* holds is changed by others only while t waits */
    if (!t->holds) {
        pthread_mutex_lock(&c->lock);
        await_turn(c, t);
        pthread_mutex_unlock(&c->lock);
    }
    return c->now;
}

void sim_clock_wait(struct sim_clock *c, struct sim_turn *t, uint64_t until)
{
    sim_clock_now(c, t);
    pthread_mutex_lock(&c->lock);
    t->wake = until;
    t->holds = false;
    c->holder = NULL;
    await_turn(c, t);
    pthread_mutex_unlock(&c->lock);
}
