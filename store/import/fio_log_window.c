/* Logs of windows of time (log_avg_msec) and the histograms of clat_hist: job by job onto one axis. */
#include <math.h>

#include "core/base/xalloc.h"
#include "store/import/fio_log_read_internal.h"

enum {
    SEGMENTS_MAX = 4096, /* jobs in one file */
    COARSE_MAX = 3,      /* 8 steps an octave, as the series has them */
};

/* With per_job_logs=0 the logs of all jobs follow each other in one file: a segment each. */
struct log_segment {
    struct log_stream dir[LOG_DIRECTIONS];
    uint32_t first, last;
};

struct log_rows {
    struct log_segment *seg;
    size_t n, room;
};

struct windows {
    struct log_reading *r;
    struct grid grid[LOG_DIRECTIONS];
    struct log_rows rows[FIO_LOG_KINDS]; /* of the current job */
    size_t jobs;
    bool mismatch, too_coarse, too_large;
    bool counted;   /* clat_hist has I/Os */
    int series_lat; /* kind of log, -1 none */
};

static void release_rows(struct log_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        for (unsigned d = 0; d < LOG_DIRECTIONS; d++)
            log_stream_release(&rows->seg[i].dir[d]);
    }
    free(rows->seg);
    *rows = (struct log_rows){0};
}

/* Time that falls back to the first half of what was covered: the log of the next job. */
static bool is_next_job(const struct log_segment *s, uint32_t ms)
{
    const uint32_t jitter_ms = 50;
    if (ms >= s->last || s->last - ms <= jitter_ms)
        return false;
    return ms <= s->first || ms - s->first <= (s->last - s->first) / 2;
}

static struct log_segment *segment_of(struct log_rows *rows, uint32_t ms)
{
    struct log_segment *s = rows->n ? &rows->seg[rows->n - 1] : NULL;
    if (!s || (is_next_job(s, ms) && rows->n < SEGMENTS_MAX)) {
        GROW(rows->seg, rows->n + 1, rows->room);
        s = &rows->seg[rows->n++];
        *s = (struct log_segment){.first = ms};
    }
    s->last = s->last > ms ? s->last : ms;
    return s;
}

static void add_exact(struct windows *w, const struct fio_log_row *row,
                      const struct fio_log_reader *reader, const uint64_t *count)
{
    struct hist **h = &w->r->out->dir[row->dir].hist[LAT_CLAT];
    if (!*h) {
        *h = xmalloc(sizeof **h);
        hist_init(*h);
    }
    for (unsigned i = 0; i < reader->n_counts; i++) {
        uint64_t ns = hist_mid(i) * (reader->microseconds ? 1000 : 1), sum;
        if (__builtin_mul_overflow(ns, count[i], &sum) ||
            __builtin_add_overflow((*h)->sum, sum, &sum))
            w->too_large = true;
        else if (count[i] > 0)
            hist_add_bin(*h, ns, count[i]);
    }
}

/* The lines of clat_hist a second time, now that there are windows to put them into. */
static void add_hist(struct windows *w, const struct fio_log_file *file)
{
    struct fio_log_reader reader;
    struct fio_log_row row;
    uint64_t count[HIST_BUCKETS];
    if (!log_open(w->r, file, &reader, false))
        return;
    while (fio_log_next(&reader, &row, count)) {
        uint64_t ms = row.ms > w->r->out->origin_ms ? row.ms - w->r->out->origin_ms : 0;
        if (ms > UINT32_MAX)
            continue;
        if (reader.coarse > COARSE_MAX) {
            w->too_coarse = true;
            return;
        }
        w->counted = true;
        grid_add_hist(&w->grid[row.dir], ms, &reader, count);
        if (reader.coarse == 0)
            add_exact(w, &row, &reader, count);
    }
}

static void read_rows(struct windows *w, const struct fio_log_file *file)
{
    struct log_reading *r = w->r;
    struct fio_log_reader reader;
    struct fio_log_row row;
    uint64_t count[HIST_BUCKETS], ns = 0;
    uint32_t ms;
    struct log_rows *rows = &w->rows[file->kind];
    if (!log_open(r, file, &reader, true))
        return;
    while (fio_log_next(&reader, &row, count)) {
        const char *why = NULL;
        if (!reader.hist && row.bs > 0)
            why = "a single I/O among windows of time";
        else if (log_is_latency(file->kind) &&
                 (!log_ns(r, row.value, &ns) || !log_ns(r, row.max, &row.max)))
            why = "a latency is too large to be true";
        if (why)
            r->in->problem(r->in->self, file, reader.line, why);
        if (why || !log_time(r, &reader, row.ms, &ms))
            continue;
        uint64_t value = log_is_latency(file->kind) ? ns : row.value;
        log_stream_add(&segment_of(rows, ms)->dir[row.dir], ms, value, row.max);
    }
}

/* fio's own figures of sampled rates: plain means over the samples, of jobs added up. */
static void add_rate(struct fio_log_rate *rate, const struct log_stream *s, double unit,
                     size_t jobs)
{
    double sum = 0, sum_sq = 0, lo = INFINITY, hi = 0;
    if (s->n == 0)
        return;
    for (size_t i = 0; i < s->n; i++) {
        double v = (double)s->value[i] * unit;
        sum += v;
        lo = fmin(lo, v);
        hi = fmax(hi, v);
    }
    double mean = sum / (double)s->n;
    for (size_t i = 0; i < s->n; i++) {
        double off = (double)s->value[i] * unit - mean;
        sum_sq += off * off;
    }
    rate->mean += mean;
    rate->n += s->n;
    bool one = jobs == 0;
    rate->min = one ? lo : NAN;
    rate->max = one ? hi : NAN;
    rate->stddev = one && s->n > 1 ? sqrt(sum_sq / (double)(s->n - 1)) : NAN;
}

/* The axis comes from the log with the longest windows: clat_hist, then latencies, then rates. */
static void make_grids(struct windows *w, size_t seg)
{
    const int order[] = {FIO_LOG_HIST, w->series_lat, FIO_LOG_IOPS, FIO_LOG_BW};
    for (unsigned d = 0; d < LOG_DIRECTIONS; d++) {
        for (size_t i = 0; i < sizeof order / sizeof *order && w->grid[d].n == 0; i++) {
            const struct log_rows *rows = order[i] >= 0 ? &w->rows[order[i]] : NULL;
            if (!rows || seg >= rows->n)
                continue;
            grid_release(&w->grid[d]);
            grid_make(&w->grid[d], &rows->seg[seg].dir[d]);
        }
    }
}

static void add_segment(struct windows *w, size_t seg)
{
    static const struct {
        enum fio_log_kind kind;
        enum grid_value value;
    } values[] = {{FIO_LOG_IOPS, GRID_IOPS}, {FIO_LOG_BW, GRID_KIB_PER_S}};
    make_grids(w, seg);
    for (unsigned d = 0; d < LOG_DIRECTIONS; d++) {
        struct grid *g = &w->grid[d];
        struct fio_log_direction *out = &w->r->out->dir[d];
        if (g->n == 0)
            continue;
        out->used = true;
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            const struct log_rows *rows = &w->rows[values[i].kind];
            if (seg >= rows->n)
                continue;
            grid_add(g, &rows->seg[seg].dir[d], values[i].value);
            bool bw = values[i].kind == FIO_LOG_BW;
            add_rate(bw ? &out->bw : &out->iops, &rows->seg[seg].dir[d], bw ? 1024 : 1, w->jobs);
        }
        if (w->series_lat >= 0 && seg < w->rows[w->series_lat].n)
            grid_add(g, &w->rows[w->series_lat].seg[seg].dir[d], GRID_LATENCY);
        grid_end_job(g);
    }
}

/* All logs of one job (with per_job_logs=0 of all jobs). */
static void read_job(struct windows *w, size_t from, size_t to)
{
    const struct fio_log_file *hist = NULL;
    size_t n = 0;
    for (size_t i = from; i < to; i++) {
        const struct fio_log_file *f = &w->r->file[i];
        bool wanted = f->kind == FIO_LOG_HIST || f->kind == FIO_LOG_IOPS || f->kind == FIO_LOG_BW ||
                      (int)f->kind == w->series_lat;
        if (!wanted || !(w->r->kinds >> f->kind & 1))
            continue;
        read_rows(w, f);
        hist = f->kind == FIO_LOG_HIST ? f : hist;
        size_t had = w->rows[f->kind].n;
        w->mismatch = w->mismatch || (n > 0 && had > 0 && had != n);
        n = n > had ? n : had;
    }
    for (size_t seg = 0; seg < n && !w->mismatch; seg++, w->jobs++) {
        if (w->r->only == FIO_LOG_ALL_JOBS || w->r->only == w->jobs)
            add_segment(w, seg);
    }
    if (hist && !w->mismatch && w->r->only == FIO_LOG_ALL_JOBS)
        add_hist(w, hist);
    for (int kind = 0; kind < FIO_LOG_KINDS; kind++)
        release_rows(&w->rows[kind]);
}

static unsigned missing_of(struct windows *w)
{
    unsigned missing = 0;
    bool iops = w->r->kinds >> FIO_LOG_IOPS & 1;
    for (unsigned d = 0; d < LOG_DIRECTIONS && !iops && w->counted; d++)
        grid_take_counts(&w->grid[d]);
    if (!iops && !w->counted)
        missing |= SERIES_NO_IOS;
    if (!(w->r->kinds >> FIO_LOG_BW & 1))
        missing |= SERIES_NO_BYTES;
    return missing;
}

/* Means of several jobs need weights. */
static void drop_unweighted(struct windows *w, unsigned missing)
{
    if (w->jobs < 2 || w->r->only != FIO_LOG_ALL_JOBS || w->series_lat < 0 ||
        (missing & (SERIES_NO_IOS | SERIES_NO_BYTES)) == 0 ||
        w->r->kinds & (1u << FIO_LOG_IOPS | 1u << FIO_LOG_BW))
        return;
    w->r->out->unweighted = true;
    for (unsigned d = 0; d < LOG_DIRECTIONS; d++) {
        for (size_t i = 0; i < w->grid[d].n; i++)
            w->grid[d].bin[i].lat = w->grid[d].bin[i].weight = 0;
    }
    w->series_lat = -1;
    if (!w->counted)
        w->r->out->series_lat = -1;
}

static void give_series(struct windows *w)
{
    unsigned missing = missing_of(w);
    drop_unweighted(w, missing);
    bool nothing = missing == (SERIES_NO_IOS | SERIES_NO_BYTES) && w->series_lat < 0;
    for (unsigned d = 0; d < LOG_DIRECTIONS; d++) {
        struct fio_log_direction *out = &w->r->out->dir[d];
        if (w->grid[d].n > 0 && !nothing && !grid_series(&w->grid[d], missing, &out->series))
            log_note(w->r, "numbers too large to be true: left out");
    }
}

/* A series has one latency. The one of clat_hist is clat; else lat, which has all of an I/O in it. */
static int choose_latency(const struct log_reading *r)
{
    bool hist = r->kinds >> FIO_LOG_HIST & 1;
    if (r->kinds >> FIO_LOG_LAT & 1 && !hist)
        return FIO_LOG_LAT;
    return r->kinds >> FIO_LOG_CLAT & 1 ? FIO_LOG_CLAT : -1;
}

void log_read_windows(struct log_reading *r)
{
    struct windows w = {.r = r, .series_lat = choose_latency(r)};
    if (w.series_lat >= 0)
        r->out->series_lat = (int)log_lat_kind((enum fio_log_kind)w.series_lat);
    for (size_t from = 0, to; from < r->n; from = to) {
        to = from + 1;
        while (to < r->n && log_is_one_job(&r->file[to], &r->file[from]))
            to++;
        read_job(&w, from, to);
    }
    r->out->jobs = w.jobs > r->out->jobs ? w.jobs : r->out->jobs;
    if (w.counted && w.series_lat < 0)
        r->out->series_lat = LAT_CLAT;
    if (w.too_coarse)
        log_note(r, "clat_hist left out: log_hist_coarseness is above %d", COARSE_MAX);
    for (unsigned d = 0; d < LOG_DIRECTIONS && w.too_large; d++) {
        free(r->out->dir[d].hist[LAT_CLAT]);
        r->out->dir[d].hist[LAT_CLAT] = NULL;
    }
    if (w.mismatch)
        log_note(r, "no series: the logs hold different numbers of jobs");
    else
        give_series(&w);
    for (unsigned d = 0; d < LOG_DIRECTIONS; d++)
        grid_release(&w.grid[d]);
}
