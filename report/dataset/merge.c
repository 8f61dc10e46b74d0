/*
 * Several runs as one: a folder of imported files is one matrix to its reader. Cells of the same key
 * on the same device become repeats; facts of the runs are kept where all agree.
 */
#include "report/dataset/merge_internal.h"

#include "core/base/xalloc.h"

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_device(const struct device_info *a, const struct device_info *b)
{
    return same_text(a->path, b->path) && same_text(a->serial, b->serial) &&
           same_text(a->wwid, b->wwid) && a->size == b->size;
}

static size_t device_index(struct run *to, const struct device_info *d)
{
    for (size_t i = 0; i < to->n_devices; i++) {
        if (same_device(&to->device[i], d))
            return i;
    }
    fields_copy(&device_fields, run_add_device(to), d);
    return to->n_devices - 1;
}

static void keep_agreeing(const struct field_set *set, void *to, const void *from)
{
    for (size_t i = 0; i < set->n; i++) {
        if (!field_is_known(set, to, i))
            continue;
        struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
        field_format(&a, set, to, i);
        field_format(&b, set, from, i);
        if (!field_is_known(set, from, i) || strcmp(a.text, b.text) != 0)
            field_parse(set, to, i, "");
        strbuf_release(&a);
        strbuf_release(&b);
    }
}

static void move_cells(struct dataset *d, size_t to, size_t from, const size_t *device)
{
    struct dataset_run *source = &d->run[from];
    for (size_t i = 0; i < source->n; i++) {
        struct cell *c = source->cell[i];
        for (size_t k = 0; k < c->n_devices; k++)
            c->device[k] = c->device[k] < source->run->n_devices ? device[c->device[k]] : 0;
        for (size_t k = 0; k < c->n_parts; k++) {
            size_t at = c->part[k].device;
            c->part[k].device = at < source->run->n_devices ? device[at] : 0;
        }
        GROW(d->run[to].cell, d->run[to].n + 1, d->run[to].room);
        d->run[to].cell[d->run[to].n++] = c;
    }
    source->n = 0;
}

static void keep_agreeing_labels(struct run *to, const struct run *from)
{
    for (size_t i = to->n_labels; i-- > 0;) {
        const char *other = run_label(from, to->label[i].key);
        if (same_text(other, to->label[i].value))
            continue;
        free(to->label[i].key);
        free(to->label[i].value);
        to->label[i] = to->label[--to->n_labels];
    }
}

static void take_facts(struct run *all, const struct run *from, bool first)
{
    if (first) {
        fields_copy(&run_fields, all, from);
        fields_copy(&host_fields, &all->host, &from->host);
        for (size_t i = 0; i < from->n_labels; i++)
            run_set_label(all, from->label[i].key, from->label[i].value);
        return;
    }
    keep_agreeing(&run_fields, all, from);
    keep_agreeing(&host_fields, &all->host, &from->host);
    keep_agreeing_labels(all, from);
}

int dataset_merge_runs(size_t *at, struct dataset *d, struct error *err)
{
    size_t n = d->n_runs;
    struct run *all = run_create();
    size_t **device = xcalloc(n + 1, sizeof *device);
    for (size_t r = 0; r < n; r++) {
        const struct run *from = d->run[r].run;
        device[r] = xcalloc(from->n_devices + 1, sizeof *device[r]);
        for (size_t i = 0; i < from->n_devices; i++)
            device[r][i] = device_index(all, &from->device[i]);
    }
    int rc = merge_limits(all, d, n, device, err);
    *at = dataset_add_run(d, all);
    for (size_t r = 0; r < n; r++) {
        if (rc == 0) {
            move_cells(d, *at, r, device[r]);
            take_facts(all, d->run[r].run, r == 0);
        }
        free(device[r]);
    }
    free(device);
    return rc;
}
