#include "tests/support/sample.h"

#include "core/base/xalloc.h"

/* Text with everything that goes wrong somewhere: quotes, UTF-8, markup, a comma, a newline. */
#define ODD "it's \"\xc3\xa4\" <b>&,\n%%s"

void sample_fill(const struct field_set *set, void *rec, unsigned salt)
{
    for (size_t i = 0; i < set->n; i++) {
        const struct field *f = &set->field[i];
        char text[64];
        snprintf(text, sizeof text, f->type == FIELD_JSON ? "[\"%s%u\"]" : "%s%u " ODD, f->name,
                 salt);
        switch (f->type) {
        case FIELD_U64:
        case FIELD_I64:
            field_set_u64(set, rec, i, 1000 * (i + 1) + salt);
            break;
        case FIELD_F64:
            field_set_f64(set, rec, i, (double)(i + 1) / 7.0 + salt);
            break;
        case FIELD_BOOL:
            field_set_u64(set, rec, i, (i + salt) % 2);
            break;
        case FIELD_TEXT:
        case FIELD_JSON:
            field_set_text(set, rec, i, text);
            break;
        case FIELD_ENUM:
            field_set_u64(set, rec, i, salt % 2);
            break;
        }
    }
}

const char *sample_difference(const struct field_set *set, const void *a, const void *b)
{
    for (size_t i = 0; i < set->n; i++) {
        struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;
        field_format(&x, set, a, i);
        field_format(&y, set, b, i);
        bool same =
            field_is_known(set, a, i) == field_is_known(set, b, i) && strcmp(x.text, y.text) == 0;
        strbuf_release(&x);
        strbuf_release(&y);
        if (!same)
            return set->field[i].name;
    }
    return NULL;
}

struct run *sample_run(unsigned salt)
{
    struct run *run = run_create();
    char uuid[UUID_TEXT_MAX];
    sample_fill(&run_fields, run, salt);
    field_set_text(&run_fields, run, RUN_uuid, uuid_random(uuid));
    run_set_label(run, "release", "6.9");
    run_set_label(run, "odd key", ODD);
    sample_fill(&host_fields, &run->host, salt);
    for (unsigned i = 0; i < 2; i++) {
        sample_fill(&device_fields, run_add_device(run), salt + i);
        sample_fill(&limit_fields, run_add_limit(run), salt + i);
    }
    return run;
}

static struct hist *sample_hist(unsigned salt)
{
    struct hist *h = xmalloc(sizeof *h);
    hist_init(h);
    for (uint64_t i = 0; i < 5000; i++)
        hist_add(h, 90000 + salt * 977 + i * i);
    hist_add(h, 20 * UINT64_C(1000000000));
    return h;
}

static struct series *sample_series(unsigned salt)
{
    struct series *s = xcalloc(1, sizeof *s);
    s->interval_ns = 1000000000;
    for (uint64_t i = 0; i < 5; i++)
        *series_append(s) = (struct series_point){.end_ns = (i + 1) * 1000000000 + i * 3,
                                                  .len_ns = 1000000000 + i,
                                                  .ios = 100 * i + salt,
                                                  .bytes = 409600 * i,
                                                  .lat_sum_ns = 5000000 * i,
                                                  .lat_max_ns = 99999 + i,
                                                  .lat_p50_ns = 41000,
                                                  .lat_p99_ns = 83000 + i,
                                                  .inflight = 32};
    s->hist = xcalloc(s->n * SERIES_HIST_BUCKETS, sizeof *s->hist);
    for (size_t i = 0; i < s->n; i++)
        s->hist[i * SERIES_HIST_BUCKETS + 40 + i] = (uint32_t)(i + 1 + salt);
    return s;
}

static void sample_direction(struct direction *d, unsigned salt)
{
    sample_fill(&direction_fields, d, salt);
    d->series = sample_series(salt);
    for (unsigned k = 0; k < LAT_KIND_COUNT; k++) {
        d->lat[k].hist = sample_hist(salt + k);
        lat_from_hist(&d->lat[k]);
    }
    struct lat *l = &d->lat[LAT_SLAT]; /* as an import without bins leaves it */
    free(l->hist);
    l->hist = NULL;
    l->n_reported = 2;
    l->reported = xcalloc(2, sizeof *l->reported);
    l->reported[0] = (struct lat_point){50, 1234567 + salt};
    l->reported[1] = (struct lat_point){99.95, UINT64_C(9007199254740993)};
}

struct cell *sample_cell(unsigned salt)
{
    struct cell *c = cell_create();
    sample_fill(&cell_fields, c, salt);
    UNSET(c, CELL, round); /* a result */
    sample_fill(&cell_key_fields, &c->key, salt);
    c->n_devices = 2;
    c->device = xcalloc(2, sizeof *c->device);
    c->device[0] = 1;
    c->device[1] = 0;
    for (unsigned i = 0; i < DIR_COUNT; i++)
        sample_direction(&c->dir[i], salt + i);
    c->n_parts = 2;
    c->part = xcalloc(2, sizeof *c->part);
    for (unsigned i = 0; i < 2; i++) {
        c->part[i].device = i;
        sample_direction(&c->part[i].dir[DIR_WRITE], salt + 10 * i);
    }
    c->n_buckets = 2;
    c->bucket = xcalloc(2, sizeof *c->bucket);
    c->bucket[0] = (struct lat_bucket){2000, 4000, 0.0625};
    c->bucket[1] = (struct lat_bucket){2000000000, UINT64_MAX, 0.2636};
    c->n_disks = 2;
    c->disk = xcalloc(2, sizeof *c->disk);
    for (unsigned i = 0; i < 2; i++)
        sample_fill(&disk_stat_fields, &c->disk[i], salt + i);
    c->n_volumes = 1;
    c->volume = xcalloc(1, sizeof *c->volume);
    sample_fill(&volume_stat_fields, c->volume, salt + 2);
    return c;
}

static const char *lat_difference(const struct lat *a, const struct lat *b)
{
    const char *field = sample_difference(&lat_fields, a, b);
    if (field)
        return field;
    if (!a->hist != !b->hist || a->n_reported != b->n_reported)
        return "presence of hist or reported";
    if (a->hist && (memcmp(a->hist->count, b->hist->count, sizeof a->hist->count) != 0 ||
                    a->hist->min != b->hist->min || a->hist->max != b->hist->max ||
                    a->hist->sum != b->hist->sum))
        return "hist";
    for (size_t i = 0; i < a->n_reported; i++)
        if (a->reported[i].p != b->reported[i].p || a->reported[i].ns != b->reported[i].ns)
            return "reported";
    return NULL;
}

static const char *direction_difference(const struct direction *a, const struct direction *b)
{
    const char *field = sample_difference(&direction_fields, a, b);
    for (int k = 0; k < LAT_KIND_COUNT && !field; k++)
        field = lat_difference(&a->lat[k], &b->lat[k]);
    if (field || (!a->series && !b->series))
        return field;
    if (!a->series != !b->series || a->series->n != b->series->n ||
        memcmp(a->series->point, b->series->point, a->series->n * sizeof *a->series->point) != 0)
        return "series";
    if (!a->series->hist != !b->series->hist ||
        (a->series->hist && memcmp(a->series->hist, b->series->hist,
                                   a->series->n * SERIES_HIST_BUCKETS * sizeof(uint32_t)) != 0))
        return "series hist";
    return NULL;
}

static const char *parts_difference(const struct cell *a, const struct cell *b)
{
    if (a->n_parts != b->n_parts)
        return "parts";
    const char *field = NULL;
    for (size_t p = 0; p < a->n_parts && !field; p++)
        for (int i = 0; i < DIR_COUNT && !field; i++)
            field = a->part[p].device != b->part[p].device
                        ? "part device"
                        : direction_difference(&a->part[p].dir[i], &b->part[p].dir[i]);
    return field;
}

static const char *lists_difference(const struct cell *a, const struct cell *b)
{
    if (a->n_devices != b->n_devices || a->n_buckets != b->n_buckets || a->n_disks != b->n_disks ||
        a->n_volumes != b->n_volumes)
        return "number of devices, buckets, disks or volumes";
    for (size_t i = 0; i < a->n_devices; i++)
        if (a->device[i] != b->device[i])
            return "device";
    for (size_t i = 0; i < a->n_buckets; i++)
        if (a->bucket[i].lo_ns != b->bucket[i].lo_ns || a->bucket[i].hi_ns != b->bucket[i].hi_ns ||
            a->bucket[i].share != b->bucket[i].share)
            return "bucket";
    const char *field = NULL;
    for (size_t i = 0; i < a->n_disks && !field; i++)
        field = sample_difference(&disk_stat_fields, &a->disk[i], &b->disk[i]);
    for (size_t i = 0; i < a->n_volumes && !field; i++)
        field = sample_difference(&volume_stat_fields, &a->volume[i], &b->volume[i]);
    return field;
}

const char *sample_cell_difference(const struct cell *a, const struct cell *b)
{
    const char *field = sample_difference(&cell_fields, a, b);
    if (!field)
        field = sample_difference(&cell_key_fields, &a->key, &b->key);
    for (int i = 0; i < DIR_COUNT && !field; i++)
        field = direction_difference(&a->dir[i], &b->dir[i]);
    if (!field)
        field = parts_difference(a, b);
    if (!field)
        field = lists_difference(a, b);
    return field ? field : "";
}
