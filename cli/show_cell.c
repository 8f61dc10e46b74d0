/* One cell in detail. */
#include <inttypes.h>
#include <math.h>

#include "cli/show_internal.h"
#include "core/base/numfmt.h"
#include "core/model/run_json.h"

static const char *path_of(const struct run *run, size_t device)
{
    const char *path = device < run->n_devices ? run->device[device].path : NULL;
    return path ? path : "?";
}

static void show_settings(struct view *v, const struct run *run, const struct cell *cell)
{
    struct strbuf words = STRBUF_INIT, devices = STRBUF_INIT;
    cell_key_words(&words, &cell->key);
    view_heading(v, 1, "Cell %" PRId64 " of run %" PRId64 ": %s", cell->id, run->id, words.text);
    for (size_t i = 0; i < cell->n_devices; i++)
        strbuf_addf(&devices, "%s%s", i ? " + " : "", path_of(run, cell->device[i]));
    view_line(v, cell->n_devices > 1 ? "devices" : "device", devices.text);
    view_fields(v, &cell_key_fields, &cell->key, 0);
    view_heading(v, 2, "Measurement");
    view_fields(v, &cell_fields, cell, SHOWN_ENDS);
    show_ends(v, run, cell);
    strbuf_release(&words);
    strbuf_release(&devices);
}

static void add_latency(struct text_table *t, double ns)
{
    char buf[NUMFMT_MAX];
    text_table_cell(t, isnan(ns) ? NULL : fmt_latency(buf, ns));
}

static bool is_shown(const struct lat *l)
{
    return l->known || l->hist || l->n_reported;
}

/* Percentiles as columns would not fit: latencies are the columns, figures the rows. */
static void show_latencies(struct view *v, const struct direction *d)
{
    struct text_table *t = text_table_create();
    text_table_column(t, "", 0);
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        text_table_column(t, lat_kind_names[k], COL_RIGHT);
    static const size_t before[] = {LAT_F_min, LAT_F_mean, LAT_F_stddev};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        text_table_row(t);
        text_table_cell(t, lat_fields.field[before[i]].name);
        for (int k = 0; k < LAT_KIND_COUNT; k++)
            add_latency(t, field_get_f64(&lat_fields, &d->lat[k], before[i]));
    }
    for (size_t i = 0; i < SHOWN_PERCENTILES; i++) {
        double p = shown_percentiles[i], value[LAT_KIND_COUNT];
        bool any = false;
        for (int k = 0; k < LAT_KIND_COUNT; k++) {
            const struct lat *l = &d->lat[k];
            uint64_t ns;
            bool known = lat_percentile(l, p, &ns) && lat_supports(l, direction_samples(d), p);
            value[k] = known ? (double)ns : NAN;
            any = any || known;
        }
        if (!any)
            continue;
        char name[32];
        text_table_row(t);
        text_table_cellf(t, "p%s", percentile_name(name, p));
        for (int k = 0; k < LAT_KIND_COUNT; k++)
            add_latency(t, value[k]);
    }
    text_table_row(t);
    text_table_cell(t, "max");
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        add_latency(t, field_get_f64(&lat_fields, &d->lat[k], LAT_F_max));
    view_table(v, t);
}

static void show_series(struct view *v, const struct series *s)
{
    char buf[NUMFMT_MAX];
    double lo = NAN, hi = NAN;
    for (size_t i = 0; i < s->n; i++) {
        lo = fmin(lo, series_iops(s, i));
        hi = fmax(hi, series_iops(s, i));
    }
    char lo_text[NUMFMT_MAX], hi_text[NUMFMT_MAX];
    if (isnan(lo)) {
        view_linef(v, "samples", "%zu of %s", s->n, fmt_duration(buf, s->interval_ns));
        return;
    }
    view_linef(v, "samples", "%zu of %s, %s to %s IOPS", s->n, fmt_duration(buf, s->interval_ns),
               fmt_iops(lo_text, lo), fmt_iops(hi_text, hi));
}

static void show_directions(struct view *v, const struct direction dir[DIR_COUNT], const char *of)
{
    for (int i = 0; i < DIR_COUNT; i++) {
        const struct direction *d = &dir[i];
        if (!direction_is_used(d))
            continue;
        view_heading(v, 2, "%s%s%s", dir_names[i], of ? " on " : "", of ? of : "");
        view_fields(v, &direction_fields, d, 0);
        if (d->series)
            show_series(v, d->series);
        bool any = false;
        for (int k = 0; k < LAT_KIND_COUNT; k++)
            any = any || is_shown(&d->lat[k]);
        if (any)
            show_latencies(v, d);
    }
}

static void show_buckets(struct view *v, const struct cell *cell)
{
    if (cell->n_buckets == 0)
        return;
    view_heading(v, 2, "Shares of latency ranges, as the source gives them");
    for (size_t i = 0; i < cell->n_buckets; i++) {
        const struct lat_bucket *b = &cell->bucket[i];
        char lo[NUMFMT_MAX], hi[NUMFMT_MAX], share[NUMFMT_MAX], range[2 * NUMFMT_MAX];
        if (b->hi_ns == UINT64_MAX)
            snprintf(range, sizeof range, ">= %s", fmt_latency(lo, (double)b->lo_ns));
        else
            snprintf(range, sizeof range, "%s – %s", fmt_latency(lo, (double)b->lo_ns),
                     fmt_latency(hi, (double)b->hi_ns));
        view_line(v, range, fmt_share(share, b->share));
    }
}

/* Times above a cap say most as shares of the time between the two readings. */
static void show_volume(struct view *v, const struct volume_stat *s)
{
    static const struct {
        size_t field;
        const char *name;
    } cap[] = {{VOLUME_STAT_disk_iops_exceeded_ns, "above its IOPS"},
               {VOLUME_STAT_disk_bw_exceeded_ns, "above its bw"},
               {VOLUME_STAT_vm_iops_exceeded_ns, "above VM IOPS"},
               {VOLUME_STAT_vm_bw_exceeded_ns, "above VM bw"}};
    uint64_t skip = UINT64_C(1) << VOLUME_STAT_name | UINT64_C(1) << VOLUME_STAT_kind |
                    UINT64_C(1) << VOLUME_STAT_read_hist | UINT64_C(1) << VOLUME_STAT_write_hist;
    view_heading(v, 2, "What volume %s counted itself (%s)", s->name ? s->name : "?",
                 s->kind ? s->kind : "?");
    for (size_t i = 0; i < sizeof cap / sizeof *cap; i++) {
        char share[NUMFMT_MAX];
        skip |= UINT64_C(1) << cap[i].field;
        double ns = field_get_f64(&volume_stat_fields, s, cap[i].field);
        if (!isnan(ns) && IS_KNOWN(s, VOLUME_STAT, span_ns) && s->span_ns > 0)
            view_linef(v, cap[i].name, "%s of the time",
                       fmt_share(share, fmin(ns / (double)s->span_ns, 1)));
    }
    view_fields(v, &volume_stat_fields, s, skip);
}

void show_cell(struct view *v, const struct run *run, const struct cell *cell)
{
    show_settings(v, run, cell);
    show_directions(v, cell->dir, NULL);
    for (size_t i = 0; i < cell->n_parts; i++)
        show_directions(v, cell->part[i].dir, path_of(run, cell->part[i].device));
    show_buckets(v, cell);
    for (size_t i = 0; i < cell->n_disks; i++) {
        view_heading(v, 2, "Kernel counters%s%s%s", cell->disk[i].name ? " of " : "",
                     cell->disk[i].name ? cell->disk[i].name : "",
                     cell_has_caveat(cell, "beside-others") ? ", all jobs of the group" : "");
        view_fields(v, &disk_stat_fields, &cell->disk[i], UINT64_C(1) << DISK_STAT_name);
    }
    for (size_t i = 0; i < cell->n_volumes; i++)
        show_volume(v, &cell->volume[i]);
}
