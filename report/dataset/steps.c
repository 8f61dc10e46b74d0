/* Response curves: loads with rates of their own beside the same load in a closed loop. */
#include <stdlib.h>

#include "core/base/xalloc.h"
#include "report/dataset/dataset_internal.h"

/* Fewer rates than this make no curve. */
#define STEPS_MIN 2

/* A row without a rate, and what a step of its curve has in common with it. */
struct maximum {
    const char *identity;
    const struct row *row;
    size_t steps;
};

static const char *identity_of(struct arena *arena, const struct row *r)
{
    static const size_t rates[] = {CELL_KEY_rate_iops, CELL_KEY_rate_iops_write, CELL_KEY_rate_bw,
                                   CELL_KEY_rate_bw_write, CELL_KEY_arrival};
    struct strbuf sb = STRBUF_INIT;
    struct cell_key key = {0};
    fields_copy(&cell_key_fields, &key, &r->cell->key);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        field_forget(&cell_key_fields, &key, rates[i]);
    strbuf_addf(&sb, "%zu|%zu|%d|", r->run_index, r->part, (int)r->dir);
    for (size_t i = 0; i < r->cell->n_devices; i++)
        strbuf_addf(&sb, "%zu,", r->cell->device[i]);
    strbuf_addc(&sb, '|');
    cell_key_text(&sb, &key);
    fields_release(&cell_key_fields, &key);
    const char *text = arena_strndup(arena, sb.text, sb.len);
    strbuf_release(&sb);
    return text;
}

static int by_identity(const void *a, const void *b)
{
    const struct maximum *x = a, *y = b;
    return strcmp(x->identity, y->identity);
}

static struct maximum *find(struct arena *arena, struct maximum *m, size_t n, const struct row *r)
{
    const struct maximum wanted = {.identity = identity_of(arena, r)};
    return bsearch(&wanted, m, n, sizeof *m, by_identity);
}

static bool any_rate(const struct dataset *d)
{
    for (size_t i = 0; i < d->n_rows; i++) {
        if (cell_is_rate_limited(d->row[i].cell))
            return true;
    }
    return false;
}

void dataset_find_steps(struct dataset *d)
{
    if (!any_rate(d))
        return;
    struct maximum *m = xcalloc(d->n_rows, sizeof *m);
    struct maximum **of = xcalloc(d->n_rows, sizeof(struct maximum *));
    size_t n = 0;
    for (size_t i = 0; i < d->n_rows; i++) {
        if (!cell_is_rate_limited(d->row[i].cell) && d->row[i].n_repeats)
            m[n++] =
                (struct maximum){.identity = identity_of(d->arena, &d->row[i]), .row = &d->row[i]};
    }
    if (n > 0)
        qsort(m, n, sizeof *m, by_identity);
    for (size_t i = 0; n > 0 && i < d->n_rows; i++) {
        if (cell_is_rate_limited(d->row[i].cell))
            of[i] = find(d->arena, m, n, &d->row[i]);
        if (of[i])
            of[i]->steps++;
    }
    for (size_t i = 0; i < d->n_rows; i++) {
        if (!of[i] || of[i]->steps < STEPS_MIN)
            continue;
        d->row[i].maximum = of[i]->row;
        d->row[i].group = arena_printf(d->arena, "%s, response curve", of[i]->row->group);
    }
    free(of);
    free(m);
}
