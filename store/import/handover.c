#include "store/import/handover.h"

#include <pthread.h>
#include <stdbool.h>

#include "core/base/xalloc.h"

/* What the reading thread waits for. */
enum call { CALL_NONE, CALL_BEGIN, CALL_SKIP, CALL_END };

struct handover {
    pthread_mutex_t lock;
    pthread_cond_t told, taken; /* for the thread that keeps, and for the one that reads */
    struct cell cell[HANDOVER_CELLS_MAX];
    size_t n;
    enum call call; /* after those cells */
    struct run *run;
    const char *place, *reason;
    int rc; /* of the first that could not be kept, and why */
    struct error why;
    bool finished; /* nothing more will be told */

    int (*work)(void *self, struct sink *sink, struct error *err);
    void *self;
    int answer;
    struct error err;

    struct sink *to; /* from here on for the thread that keeps only */
    struct cell keeping[HANDOVER_CELLS_MAX];
};

/* The lock is held. */
static int answer(const struct handover *h, struct error *err)
{
    return h->rc < 0 ? error_set(err, -h->rc, "%s", h->why.message) : 0;
}

static int call(struct handover *h, enum call call, struct error *err)
{
    pthread_mutex_lock(&h->lock);
    h->call = call;
    pthread_cond_signal(&h->told);
    while (h->call != CALL_NONE)
        pthread_cond_wait(&h->taken, &h->lock);
    int rc = answer(h, err);
    pthread_mutex_unlock(&h->lock);
    return rc;
}

static int tell_begin(void *self, struct run *run, struct error *err)
{
    struct handover *h = self;
    h->run = run;
    return call(h, CALL_BEGIN, err);
}

static int tell_cell(void *self, struct cell *cell, struct error *err)
{
    struct handover *h = self;
    pthread_mutex_lock(&h->lock);
    while (h->n == HANDOVER_CELLS_MAX)
        pthread_cond_wait(&h->taken, &h->lock);
    int rc = answer(h, err);
    if (rc == 0) {
        h->cell[h->n++] = *cell;
        *cell = (struct cell){0};
        if (h->n == 1)
            pthread_cond_signal(&h->told);
    }
    pthread_mutex_unlock(&h->lock);
    return rc;
}

static void tell_skip(void *self, const char *place, const char *reason)
{
    struct handover *h = self;
    h->place = place;
    h->reason = reason;
    call(h, CALL_SKIP, NULL);
}

static int tell_end(void *self, struct run *run, struct error *err)
{
    struct handover *h = self;
    h->run = run;
    return call(h, CALL_END, err);
}

static void *read_thread(void *arg)
{
    struct handover *h = arg;
    struct sink sink = {h, tell_begin, tell_cell, h->to->skip ? tell_skip : NULL, tell_end};
    h->answer = h->work(h->self, &sink, &h->err);
    pthread_mutex_lock(&h->lock);
    h->finished = true;
    pthread_cond_signal(&h->told);
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

/* The lock is not held while something is kept; `rc` is only written by this thread. */
static void keep_cells(struct handover *h)
{
    size_t n = h->n;
    int rc = h->rc;
    struct error why = ERROR_INIT;
    memcpy(h->keeping, h->cell, n * sizeof *h->cell);
    h->n = 0;
    pthread_cond_signal(&h->taken);
    pthread_mutex_unlock(&h->lock);
    for (size_t i = 0; i < n; i++) {
        if (rc == 0)
            rc = h->to->cell(h->to->self, &h->keeping[i], &why);
        cell_release(&h->keeping[i]);
    }
    pthread_mutex_lock(&h->lock);
    if (h->rc == 0 && rc < 0)
        h->why = why;
    h->rc = rc;
}

/* A run with a cell that could not be kept has failed, and its end says nothing new. */
static int keep_end(struct handover *h, struct error *why)
{
    if (h->rc < 0)
        SET(h->run, RUN, status, STATUS_FAILED);
    int rc = h->to->end(h->to->self, h->run, h->rc < 0 ? NULL : why);
    return h->rc < 0 ? h->rc : rc;
}

/* The thread that reads waits meanwhile: what it gave stands still. */
static void keep_call(struct handover *h)
{
    switch (h->call) {
    case CALL_BEGIN:
        if (h->rc == 0)
            h->rc = h->to->begin(h->to->self, h->run, &h->why);
        break;
    case CALL_SKIP:
        h->to->skip(h->to->self, h->place, h->reason);
        break;
    case CALL_END:
        h->rc = keep_end(h, &h->why);
        break;
    case CALL_NONE:
        break;
    }
    h->call = CALL_NONE;
    pthread_cond_signal(&h->taken);
}

static void keep_all(struct handover *h)
{
    pthread_mutex_lock(&h->lock);
    while (h->n > 0 || h->call != CALL_NONE || !h->finished) {
        if (h->n > 0)
            keep_cells(h);
        else if (h->call != CALL_NONE)
            keep_call(h);
        else
            pthread_cond_wait(&h->told, &h->lock);
    }
    pthread_mutex_unlock(&h->lock);
}

int handover_run(int (*work)(void *self, struct sink *sink, struct error *err), void *self,
                 struct sink *to, struct error *err)
{
    struct handover *h = xcalloc(1, sizeof *h);
    pthread_t thread;
    h->work = work;
    h->self = self;
    h->to = to;
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->told, NULL);
    pthread_cond_init(&h->taken, NULL);
    int rc;
    if (pthread_create(&thread, NULL, read_thread, h) == 0) {
        keep_all(h);
        pthread_join(thread, NULL);
        rc = h->answer < 0 ? error_set(err, -h->answer, "%s", h->err.message) : h->answer;
    } else {
        rc = work(self, to, err);
    }
    pthread_cond_destroy(&h->taken);
    pthread_cond_destroy(&h->told);
    pthread_mutex_destroy(&h->lock);
    free(h);
    return rc;
}
