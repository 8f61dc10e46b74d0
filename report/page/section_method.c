/* Method and host: what must be the same before two results may be compared. */
#include <inttypes.h>
#include <math.h>

#include "core/base/clock.h"
#include "core/base/numfmt.h"
#include "report/page/page_internal.h"

/* A pair of name and text; unknown texts are left out. */
static void pair(struct page *p, struct page_table *t, const char *name, const char *text)
{
    if (!text || !*text)
        return;
    page_table_text(p, t, name);
    page_table_text(p, t, text);
}

/* Known texts of a record, one after the other: "Virtual Disk, 64 GiB, scheduler none". */
struct list {
    struct strbuf sb;
};

static void add(struct list *l, const char *before, const char *text, const char *after)
{
    if (text && *text)
        strbuf_addf(&l->sb, "%s%s%s%s", l->sb.len ? ", " : "", before, text, after);
}

static const char *list_end(struct page *p, struct list *l)
{
    const char *text = arena_strndup(p->arena, l->sb.text, l->sb.len);
    strbuf_release(&l->sb);
    return text;
}

static const char *size_text(struct page *p, uint64_t bytes)
{
    char buf[NUMFMT_MAX];
    return arena_strdup(p->arena, fmt_bytes(buf, bytes));
}

static const char *device_text(struct page *p, const struct device_info *d)
{
    struct list l = {STRBUF_INIT};
    add(&l, "", d->vendor, "");
    add(&l, "", d->model, "");
    if (IS_KNOWN(d, DEVICE, size))
        add(&l, "", size_text(p, d->size), "");
    add(&l, "", d->volume_type, "");
    add(&l, "host caching ", d->cache_mode, "");
    add(&l, "", d->transport, "");
    add(&l, "firmware ", d->firmware, "");
    add(&l, "scheduler ", d->scheduler, "");
    if (IS_KNOWN(d, DEVICE, rotational))
        add(&l, "", d->rotational ? "rotating" : "solid state", "");
    add(&l, "", d->write_cache, " cache");
    add(&l, "on ", d->fs_type, "");
    add(&l, "", d->precondition, "");
    add(&l, "purge before that: ", d->purge, "");
    return list_end(p, &l);
}

static const char *host_text(struct page *p, const struct host_info *h)
{
    struct list l = {STRBUF_INIT};
    add(&l, "", h->instance_type, "");
    add(&l, "", h->region, "");
    add(&l, "", h->cpu_model, "");
    if (IS_KNOWN(h, HOST, cpus_online))
        add(&l, "", arena_printf(p->arena, "%" PRIu64, h->cpus_online), " CPUs");
    if (IS_KNOWN(h, HOST, memory))
        add(&l, "", size_text(p, h->memory), "");
    add(&l, "", h->virt, "");
    return list_end(p, &l);
}

static const char *kernel_text(struct page *p, const struct host_info *h)
{
    struct list l = {STRBUF_INIT};
    add(&l, "", h->os, "");
    add(&l, "", h->kernel, "");
    add(&l, "", h->machine, "");
    add(&l, "clock ", h->clocksource, "");
    add(&l, "governor ", h->governor, "");
    return list_end(p, &l);
}

/* Of the cells that state it; none may. */
static const char *direct_words(bool direct, bool buffered, bool unstated)
{
    if (direct && buffered)
        return ", direct and buffered";
    if (direct)
        return unstated ? ", direct I/O where it is stated" : ", direct I/O";
    if (buffered)
        return unstated ? ", through the page cache where it is stated"
                        : ", through the page cache";
    return "";
}

/* What all cells have in common; "several" where they differ. */
static const char *engine_text(struct page *p)
{
    const char *engine = NULL;
    bool direct = false, buffered = false, unstated = false;
    for (size_t i = 0; i < dataset_n_cells(p->dataset, p->run_index); i++) {
        const struct cell_key *key = &dataset_cell(p->dataset, p->run_index, i)->key;
        const char *e = key->engine ? key->engine : "engine not stated";
        bool stated = IS_KNOWN(key, CELL_KEY, direct);
        direct = direct || (stated && key->direct);
        buffered = buffered || page_is_buffered(key);
        unstated = unstated || !stated;
        engine = !engine || strcmp(engine, e) == 0 ? e : "several engines";
    }
    return engine ? arena_printf(p->arena, "%s%s", engine, direct_words(direct, buffered, unstated))
                  : NULL;
}

static const char *span_text(struct page *p, uint64_t lo, uint64_t hi)
{
    char a[NUMFMT_MAX], b[NUMFMT_MAX];
    fmt_duration(a, lo);
    fmt_duration(b, hi);
    return strcmp(a, b) == 0 ? arena_strdup(p->arena, a) : arena_printf(p->arena, "%s to %s", a, b);
}

static const char *timing_text(struct page *p)
{
    uint64_t lo = UINT64_MAX, hi = 0, ramp = 0;
    for (size_t i = 0; i < dataset_n_cells(p->dataset, p->run_index); i++) {
        const struct cell *c = dataset_cell(p->dataset, p->run_index, i);
        if (IS_KNOWN(c, CELL, runtime_ns)) {
            lo = c->runtime_ns < lo ? c->runtime_ns : lo;
            hi = c->runtime_ns > hi ? c->runtime_ns : hi;
        }
        if (IS_KNOWN(c, CELL, ramp_ns))
            ramp = c->ramp_ns > ramp ? c->ramp_ns : ramp;
    }
    size_t fewest, most;
    page_repeats(p, &fewest, &most);
    struct list l = {STRBUF_INIT};
    if (hi > 0)
        add(&l, "", span_text(p, lo, hi), " a cell");
    if (ramp > 0)
        add(&l, "after ", span_text(p, ramp, ramp), " of the same load that is not counted");
    if (most == 1)
        add(&l, "", "once", "");
    else if (most > 1)
        add(&l, fewest < most ? "up to " : "", arena_printf(p->arena, "%zu times", most), "");
    if (IS_KNOWN(p->run, RUN, seed))
        add(&l, "seed ", arena_printf(p->arena, "%" PRIu64, p->run->seed), "");
    return list_end(p, &l);
}

static const char *labels_text(struct page *p)
{
    struct list l = {STRBUF_INIT};
    for (size_t i = 0; i < p->run->n_labels; i++)
        add(&l, arena_printf(p->arena, "%s=", p->run->label[i].key), p->run->label[i].value, "");
    return list_end(p, &l);
}

static const char *latency_text(const struct page *p)
{
    bool counted = false, reported = false;
    for (size_t i = 0; i < p->analysis->n_facts; i++) {
        counted = counted || p->analysis->facts[i].row->lat.hist;
        reported = reported || p->analysis->facts[i].row->lat.n_reported > 0;
    }
    if (counted && !reported)
        return "Percentiles come from one histogram a row (error under 0.8 %), all repeats merged; "
               "one is shown only when 10 or more I/Os were slower.";
    if (counted)
        return "Percentiles come from one histogram a row where there is one, else as the source "
               "states them.";
    return reported ? "Percentiles are as the source states them." : NULL;
}

static void build(struct page *p, struct section *s)
{
    struct page_table *t = page_table_create(p, "settings", NULL);
    t->is_wrapping = true;
    page_table_column(p, t, "Setting", false);
    page_table_column(p, t, "Value", false);
    for (size_t i = 0; i < p->run->n_devices; i++) {
        const struct device_info *d = &p->run->device[i];
        pair(p, t, d->path ? d->path : "Device", device_text(p, d));
    }
    pair(p, t, "Host", host_text(p, &p->run->host));
    pair(p, t, "System", kernel_text(p, &p->run->host));
    pair(p, t, "I/O", engine_text(p));
    pair(p, t, "Time", timing_text(p));
    pair(p, t, "Labels", labels_text(p));
    pair(p, t, "Measured by", p->run->tool);
    pair(p, t, "Rates",
         "I/Os and bytes over the measured time; a row is the median of its repeats. MiB/s = "
         "1,048,576 bytes a second, MB/s = 1,000,000.");
    pair(p, t, "Latency", latency_text(p));
    pair(
        p, t, "Ceilings",
        "A rate levels off where doubling the depth gains under 5 %; phases come from change-point "
        "detection in the samples of a cell.");
    s->title = "What was measured, and on what";
    page_add_table(p, s, t);
}

const struct page_section section_method = {"method", "Method and host", build};
