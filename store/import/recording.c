#include "store/import/recording.h"

#include "core/base/xalloc.h"
#include "core/model/cell.h"

struct recorded_run {
    struct run *run; /* NULL: it did not come to its end */
    struct cell *cell;
    size_t n, room;
};

static int on_begin(void *self, struct run *run, struct error *err)
{
    struct recording *r = self;
    (void)run;
    (void)err;
    GROW(r->run, r->n + 1, r->room);
    r->run[r->n++] = (struct recorded_run){0};
    return 0;
}

static int on_cell(void *self, struct cell *cell, struct error *err)
{
    struct recording *r = self;
    struct recorded_run *run = &r->run[r->n - 1];
    (void)err;
    GROW(run->cell, run->n + 1, run->room);
    run->cell[run->n++] = *cell;
    *cell = (struct cell){0};
    return 0;
}

static void on_skip(void *self, const char *place, const char *reason)
{
    struct recording *r = self;
    GROW(r->skipped, r->n_skipped + 2, r->room_skipped);
    r->skipped[r->n_skipped++] = xstrdup(place);
    r->skipped[r->n_skipped++] = xstrdup(reason);
}

static int on_end(void *self, struct run *run, struct error *err)
{
    struct recording *r = self;
    struct run *kept = run_create(), empty = *kept;
    (void)err;
    *kept = *run;
    *run = empty;
    r->run[r->n - 1].run = kept;
    return 0;
}

struct sink recording_sink(struct recording *r)
{
    return (struct sink){r, on_begin, on_cell, on_skip, on_end};
}

static int play_run(struct recorded_run *r, struct sink *to, struct error *err)
{
    int rc = to->begin(to->self, r->run, err);
    for (size_t i = 0; i < r->n && rc == 0; i++)
        rc = to->cell(to->self, &r->cell[i], err);
    if (rc < 0)
        SET(r->run, RUN, status, STATUS_FAILED);
    int end = to->end(to->self, r->run, rc < 0 ? NULL : err);
    return rc < 0 ? rc : end;
}

int recording_play(struct recording *r, struct sink *to, struct error *err)
{
    int rc = 0;
    for (size_t i = 0; i < r->n_skipped && to->skip; i += 2)
        to->skip(to->self, r->skipped[i], r->skipped[i + 1]);
    for (size_t i = 0; i < r->n && rc == 0; i++)
        rc = r->run[i].run ? play_run(&r->run[i], to, err) : 0;
    return rc;
}

void recording_release(struct recording *r)
{
    for (size_t i = 0; i < r->n; i++) {
        for (size_t k = 0; k < r->run[i].n; k++)
            cell_release(&r->run[i].cell[k]);
        free(r->run[i].cell);
        run_destroy(r->run[i].run);
    }
    for (size_t i = 0; i < r->n_skipped; i++)
        free(r->skipped[i]);
    free(r->run);
    free(r->skipped);
    *r = (struct recording){0};
}
