#include "store/import/fio_log_cell.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "store/import/fio_read_internal.h"

void fio_log_take_series(struct fio_logs *l, unsigned dir, struct direction *to)
{
    struct series *from = &l->dir[dir].series;
    if (from->n == 0 || to->series)
        return;
    to->series = xmalloc(sizeof *to->series);
    *to->series = *from;
    *from = (struct series){0};
}

void fio_log_say_latency(const struct fio_logs *l, struct cell *cell)
{
    struct strbuf out = STRBUF_INIT;
    if (l->series_lat < 0)
        return;
    if (cell->extra && cell->extra[0] == '{') { /* one more member of what is there */
        strbuf_adds(&out, cell->extra);
        strbuf_truncate(&out, out.len - 1);
        strbuf_addc(&out, ',');
    } else {
        strbuf_addc(&out, '{');
    }
    strbuf_addf(&out, "\"series_latency\":\"%s\"}", lat_kind_names[l->series_lat]);
    field_set_text(&cell_fields, cell, CELL_extra, out.text);
    strbuf_release(&out);
}

/* Every I/O was logged: counts are exact, and the time is that of the last one. */
static void take_counts(const struct fio_logs *l, const struct fio_log_direction *from,
                        struct direction *to)
{
    SET(to, DIRECTION, ios, from->ios);
    SET(to, DIRECTION, bytes, from->bytes);
    if (l->end_ms == 0)
        return;
    SET(to, DIRECTION, runtime_ns, l->end_ms * NS_PER_MS);
    SET(to, DIRECTION, iops, (double)from->ios * 1000 / (double)l->end_ms);
    SET(to, DIRECTION, bw, (double)from->bytes * 1000 / (double)l->end_ms);
}

/* Rates over all full windows. */
static void take_rates(const struct fio_log_direction *from, struct direction *to)
{
    double ns = 0, ios = 0, bytes = 0;
    for (size_t i = 0; i < from->series.n; i++) {
        const struct series_point *p = &from->series.point[i];
        ns += (double)p->len_ns;
        ios += (double)p->ios;
        bytes += (double)p->bytes;
    }
    if (ns > 0 && !(from->series.missing & SERIES_NO_IOS))
        SET(to, DIRECTION, iops, ios * 1e9 / ns);
    if (ns > 0 && !(from->series.missing & SERIES_NO_BYTES))
        SET(to, DIRECTION, bw, bytes * 1e9 / ns);
    const struct fio_log_rate *iops = &from->iops, *bw = &from->bw;
    if (iops->n > 0)
        SET(to, DIRECTION, iops_mean, iops->mean);
    if (bw->n > 0)
        SET(to, DIRECTION, bw_mean, bw->mean);
    if (iops->n > 0 && !isnan(iops->min)) {
        SET(to, DIRECTION, iops_min, iops->min);
        SET(to, DIRECTION, iops_max, iops->max);
        SET(to, DIRECTION, rate_samples, iops->n);
    }
    if (bw->n > 0 && !isnan(bw->min)) {
        SET(to, DIRECTION, bw_min, bw->min);
        SET(to, DIRECTION, bw_max, bw->max);
    }
    if (iops->n > 1 && !isnan(iops->stddev))
        SET(to, DIRECTION, iops_stddev, iops->stddev);
    if (bw->n > 1 && !isnan(bw->stddev))
        SET(to, DIRECTION, bw_stddev, bw->stddev);
}

/* Of I/Os one by one all figures are exact; bins only have counts. */
static void take_hists(const struct fio_logs *l, struct fio_log_direction *from,
                       struct direction *to)
{
    for (int kind = 0; kind < LAT_KIND_COUNT; kind++) {
        struct lat *lat = &to->lat[kind];
        if (!from->hist[kind])
            continue;
        lat->hist = from->hist[kind];
        from->hist[kind] = NULL;
        if (l->per_io)
            lat_from_hist(lat);
        else
            SET(lat, LAT_F, n, hist_n(lat->hist));
    }
}

static void set_bs(const struct fio_logs *l, struct cell *cell)
{
    uint64_t bs[LOG_DIRECTIONS];
    uint64_t first = 0;
    for (unsigned dir = 0; dir < LOG_DIRECTIONS; dir++) {
        bs[dir] = l->dir[dir].used ? l->dir[dir].bs : 0;
        if (l->dir[dir].used && bs[dir] == 0)
            return;
        first = first ? first : bs[dir];
    }
    if (first == 0 || (bs[DIR_TRIM] && bs[DIR_TRIM] != first))
        return;
    SET(&cell->key, CELL_KEY, bs, first);
    if (bs[DIR_WRITE] && bs[DIR_WRITE] != first)
        SET(&cell->key, CELL_KEY, bs_write, bs[DIR_WRITE]);
}

bool fio_log_cell_read(struct fio_logs *l, const char *prefix, size_t job, struct cell *cell)
{
    const char *slash = strrchr(prefix, '/');
    bool any = false;
    const char *base = slash ? slash + 1 : prefix;
    char *name = job ? xasprintf("%s job %zu", base, job) : xstrdup(base);
    field_set_text(&cell_fields, cell, CELL_name, name);
    free(name);
    for (unsigned dir = 0; dir < LOG_DIRECTIONS; dir++) {
        struct direction *to = &cell->dir[dir];
        if (!l->dir[dir].used)
            continue;
        if (l->per_io)
            take_counts(l, &l->dir[dir], to);
        else
            take_rates(&l->dir[dir], to);
        take_hists(l, &l->dir[dir], to);
        fio_log_take_series(l, dir, to);
        any = any || to->known || to->series || to->lat[LAT_CLAT].hist;
    }
    if (!any)
        return false;
    SET(cell, CELL, status, STATUS_COMPLETE);
    if (l->origin_ms > 0 && l->origin_ms < INT64_MAX / NS_PER_MS)
        SET(cell, CELL, started_ns, (int64_t)(l->origin_ms * NS_PER_MS));
    if (l->end_ms > 0) {
        SET(cell, CELL, runtime_ns, l->end_ms * NS_PER_MS);
        cell_add_assumed(cell, "runtime_ns");
    }
    set_bs(l, cell);
    SET(&cell->key, CELL_KEY, numjobs, job ? 1 : l->jobs);
    cell_add_assumed(cell, "numjobs");
    fio_infer_names(cell, NULL);
    fio_key_by_name(cell);
    fio_log_say_latency(l, cell);
    return true;
}
