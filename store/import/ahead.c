#include "store/import/ahead.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

#include "core/base/xalloc.h"

struct ahead {
    pthread_mutex_t lock;
    pthread_cond_t room, result; /* for the threads, and for the one that takes the results */
    size_t n, slots;
    size_t wanted;   /* piece whose result is waited for; n: none */
    size_t sleepers; /* threads without room */
    size_t next;     /* piece that nobody has begun */
    size_t used;     /* pieces below this are used up */
    bool *ready;     /* a slot's piece is done */
    bool stop;
    void (*work)(void *self, size_t i, size_t slot);
    void *self;
    pthread_t *thread;
    size_t n_threads;
};

/* The next piece, once its slot is free; n when there is none. */
static size_t take(struct ahead *a)
{
    pthread_mutex_lock(&a->lock);
    while (!a->stop && a->next < a->n && a->next >= a->used + a->slots) {
        a->sleepers++;
        pthread_cond_wait(&a->room, &a->lock);
        a->sleepers--;
    }
    size_t i = a->stop || a->next >= a->n ? a->n : a->next++;
    pthread_mutex_unlock(&a->lock);
    return i;
}

static void *run_thread(void *arg)
{
    struct ahead *a = arg;
    for (size_t i; (i = take(a)) < a->n;) {
        a->work(a->self, i, i % a->slots);
        pthread_mutex_lock(&a->lock);
        a->ready[i % a->slots] = true;
        if (a->wanted == i)
            pthread_cond_signal(&a->result);
        pthread_mutex_unlock(&a->lock);
    }
    return NULL;
}

struct ahead *ahead_start(size_t n, size_t slots, size_t threads,
                          void (*work)(void *self, size_t i, size_t slot), void *self)
{
    struct ahead *a = xcalloc(1, sizeof *a);
    *a = (struct ahead){.n = n, .slots = slots, .wanted = n, .work = work, .self = self};
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->room, NULL);
    pthread_cond_init(&a->result, NULL);
    a->ready = xcalloc(slots, sizeof *a->ready);
    a->thread = xcalloc(threads, sizeof *a->thread);
    while (a->n_threads < threads &&
           pthread_create(&a->thread[a->n_threads], NULL, run_thread, a) == 0)
        a->n_threads++;
    return a;
}

/* Without threads, or while they are at it, the one that waits does a piece of its own. */
static bool work_here(struct ahead *a)
{
    if (a->next >= a->n || a->next >= a->used + a->slots)
        return false;
    size_t i = a->next++;
    pthread_mutex_unlock(&a->lock);
    a->work(a->self, i, i % a->slots);
    pthread_mutex_lock(&a->lock);
    a->ready[i % a->slots] = true;
    return true;
}

void ahead_wait(struct ahead *a, size_t i)
{
    pthread_mutex_lock(&a->lock);
    while (!a->ready[i % a->slots]) {
        if (work_here(a))
            continue;
        a->wanted = i;
        pthread_cond_wait(&a->result, &a->lock);
    }
    a->wanted = a->n;
    pthread_mutex_unlock(&a->lock);
}

void ahead_done(struct ahead *a, size_t i)
{
    pthread_mutex_lock(&a->lock);
    a->ready[i % a->slots] = false;
    a->used = i + 1;
    /* to wake a thread takes longer than a small piece: it gets half of the room at once */
    if (a->sleepers > 0 && a->next - a->used <= a->slots / 2)
        pthread_cond_broadcast(&a->room);
    pthread_mutex_unlock(&a->lock);
}

void ahead_stop(struct ahead *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->stop = true;
    pthread_cond_broadcast(&a->room);
    pthread_mutex_unlock(&a->lock);
    for (size_t i = 0; i < a->n_threads; i++)
        pthread_join(a->thread[i], NULL);
    pthread_cond_destroy(&a->room);
    pthread_cond_destroy(&a->result);
    pthread_mutex_destroy(&a->lock);
    free(a->ready);
    free(a->thread);
    free(a);
}

size_t ahead_processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}
