#include "tests/support/collect.h"

#include "core/base/xalloc.h"

static void copy_texts(struct run *to, const struct run *from)
{
    fields_copy(&run_fields, to, from);
    for (size_t i = 0; i < from->n_labels; i++)
        run_set_label(to, from->label[i].key, from->label[i].value);
}

static int begin(void *self, struct run *run, struct error *err)
{
    struct collected *c = self;
    (void)err;
    GROW(c->run, c->n_runs + 1, c->room_runs);
    struct run *copy = run_create();
    copy_texts(copy, run);
    c->run[c->n_runs++] = copy;
    run->id = copy->id = (int64_t)c->n_runs;
    for (size_t i = 0; i < run->n_devices; i++) {
        GROW(c->device, c->n_devices + 1, c->room_devices);
        c->device[c->n_devices++] = xasprintf("%zu:%s", c->n_runs, run->device[i].path);
    }
    return 0;
}

static int add_cell(void *self, struct cell *cell, struct error *err)
{
    struct collected *c = self;
    if (++c->calls == c->fail_at)
        return error_set(err, ERR_STORE, "the test wants a failure here");
    GROW(c->cell, c->n_cells + 1, c->room_cells);
    struct cell *kept = cell_create();
    *kept = *cell;
    *cell = (struct cell){0};
    kept->run_id = (int64_t)c->n_runs;
    c->cell[c->n_cells++] = kept;
    return 0;
}

static void skip(void *self, const char *place, const char *reason)
{
    struct collected *c = self;
    GROW(c->skipped, c->n_skipped + 1, c->room_skipped);
    c->skipped[c->n_skipped++] = xasprintf("%s: %s", place, reason);
}

static int end(void *self, struct run *run, struct error *err)
{
    struct collected *c = self;
    (void)err;
    c->ends++;
    if (c->n_runs > 0)
        SET(c->run[c->n_runs - 1], RUN, status, run->status);
    return 0;
}

struct sink collect_sink(struct collected *c)
{
    return (struct sink){.self = c, .begin = begin, .cell = add_cell, .skip = skip, .end = end};
}

size_t collect_cell_index(const struct collected *c, size_t run, size_t i)
{
    for (size_t k = 0; k < c->n_cells; k++) {
        if (c->cell[k]->run_id == (int64_t)run + 1 && i-- == 0)
            return k;
    }
    fprintf(stderr, "run %zu has no such cell\n", run);
    abort();
}

static void free_texts(char **text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(text[i]);
    free(text);
}

void collect_release(struct collected *c)
{
    for (size_t i = 0; i < c->n_runs; i++)
        run_destroy(c->run[i]);
    for (size_t i = 0; i < c->n_cells; i++)
        cell_destroy(c->cell[i]);
    free(c->run);
    free(c->cell);
    free_texts(c->device, c->n_devices);
    free_texts(c->skipped, c->n_skipped);
    *c = (struct collected){0};
}
