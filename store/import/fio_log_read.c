#include "store/import/fio_log_read_internal.h"

#include "core/base/xalloc.h"

/* Times of day in ms, not since the start: after 1973. */
#define UNIX_EPOCH_MS UINT64_C(100000000000)

static int by_job(const void *a, const void *b)
{
    const struct fio_log_file *x = a, *y = b;
    if (x->section != y->section)
        return (x->section > y->section) - (x->section < y->section);
    if (x->job != y->job)
        return (x->job > y->job) - (x->job < y->job);
    return (x->kind > y->kind) - (x->kind < y->kind);
}

bool log_is_one_job(const struct fio_log_file *a, const struct fio_log_file *b)
{
    return a->section == b->section && a->job == b->job;
}

void fio_log_files_sort(struct fio_log_file *file, size_t n)
{
    if (n > 1)
        qsort(file, n, sizeof *file, by_job);
}

void log_note(struct log_reading *r, const char *fmt, ...)
{
    va_list ap;
    if (r->out->note.len > 0)
        strbuf_adds(&r->out->note, "; ");
    va_start(ap, fmt);
    strbuf_addv(&r->out->note, fmt, ap);
    va_end(ap);
}

bool log_is_latency(enum fio_log_kind kind)
{
    return kind == FIO_LOG_SLAT || kind == FIO_LOG_CLAT || kind == FIO_LOG_LAT;
}

enum lat_kind log_lat_kind(enum fio_log_kind kind)
{
    return kind == FIO_LOG_SLAT ? LAT_SLAT : kind == FIO_LOG_LAT ? LAT_LAT : LAT_CLAT;
}

bool log_ns(const struct log_reading *r, uint64_t value, uint64_t *ns)
{
    return !__builtin_mul_overflow(value, r->unit == FIO_LOG_UNIT_US ? 1000u : 1u, ns) &&
           *ns <= FIO_LOG_NUMBER_MAX;
}

static void tell(void *arg, size_t line, const char *why)
{
    struct log_reading *r = arg;
    r->in->problem(r->in->self, r->current, line, why);
}

bool log_open(struct log_reading *r, const struct fio_log_file *file, struct fio_log_reader *reader,
              bool tell_problems)
{
    const char *bytes;
    size_t n;
    if (!r->in->load(r->in->self, file, &bytes, &n))
        return false;
    r->current = file;
    fio_log_reader_init(reader, bytes, n, file->kind == FIO_LOG_HIST);
    if (tell_problems) {
        reader->problem = tell;
        reader->arg = r;
    }
    return true;
}

bool log_time(struct log_reading *r, const struct fio_log_reader *reader, uint64_t ms,
              uint32_t *since)
{
    ms = ms > r->out->origin_ms ? ms - r->out->origin_ms : 0;
    if (ms > UINT32_MAX) {
        tell(r, reader->line, "the time is more than 49 days after the start");
        return false;
    }
    *since = (uint32_t)ms;
    r->out->end_ms = r->out->end_ms > ms ? r->out->end_ms : ms;
    return true;
}

/* The length of the window that the first row of a log ends; 0 unknown. */
static uint64_t first_window(struct fio_log_reader *reader, const struct fio_log_row *row)
{
    uint64_t count[HIST_BUCKETS];
    struct fio_log_row next;
    for (int i = 0; i < 64 && fio_log_next(reader, &next, count); i++) {
        if (next.dir == row->dir && next.ms > row->ms)
            return next.ms - row->ms;
    }
    return 0;
}

/* Form of the lines, and with log_unix_epoch the start: a window before the first one's end. */
static void look_at_first(struct log_reading *r)
{
    bool found = false;
    for (size_t i = 0; i < r->n && !found; i++) {
        struct fio_log_reader reader;
        struct fio_log_row row;
        uint64_t count[HIST_BUCKETS];
        if (!log_open(r, &r->file[i], &reader, false) || !fio_log_next(&reader, &row, count))
            continue;
        found = !reader.hist;
        r->out->per_io = found && row.bs > 0;
        if (r->out->origin_ms == 0 && row.ms >= UNIX_EPOCH_MS)
            r->out->origin_ms = row.ms - (r->out->per_io ? 0 : first_window(&reader, &row));
    }
}

/* Kinds that every job has: sums over some jobs only would be wrong. */
static void find_kinds(struct log_reading *r)
{
    size_t with[FIO_LOG_KINDS] = {0};
    for (size_t i = 0; i < r->n; i++) {
        with[r->file[i].kind]++;
        if (i == 0 || !log_is_one_job(&r->file[i], &r->file[i - 1]))
            r->out->jobs++;
    }
    for (int kind = 0; kind < FIO_LOG_KINDS; kind++) {
        if (with[kind] == r->out->jobs)
            r->kinds |= 1u << kind;
        else if (with[kind] > 0)
            log_note(r, "%s logs of %zu of %zu jobs only: left out", fio_log_kind_names[kind],
                     with[kind], r->out->jobs);
    }
}

static void drop_unknown_unit(struct log_reading *r)
{
    const unsigned latencies = 1u << FIO_LOG_SLAT | 1u << FIO_LOG_CLAT | 1u << FIO_LOG_LAT;
    if (r->unit == FIO_LOG_UNIT_UNKNOWN && r->kinds & latencies) {
        log_note(r, "latencies left out: ns or us? (no result of fio beside the logs says so)");
        r->kinds &= ~latencies;
    }
}

/* The log whose lines are the I/Os of a job; those of the other kinds are the same ones again. */
static int counted_kind(const struct log_reading *r)
{
    static const enum fio_log_kind order[] = {FIO_LOG_LAT, FIO_LOG_CLAT, FIO_LOG_IOPS, FIO_LOG_BW,
                                              FIO_LOG_SLAT};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (r->kinds >> order[i] & 1)
            return (int)order[i];
    }
    return -1;
}

static void read_ios(struct log_reading *r, const struct fio_log_file *file, int counted,
                     struct log_ios *ios)
{
    struct fio_log_reader reader;
    struct fio_log_row row;
    uint32_t ms;
    if (!log_open(r, file, &reader, true))
        return;
    while (fio_log_next(&reader, &row, NULL)) {
        uint64_t ns = 0;
        if (row.bs == 0) {
            tell(r, reader.line, "a window of time among lines of single I/Os");
            continue;
        }
        if (log_is_latency(file->kind) && !log_ns(r, row.value, &ns)) {
            tell(r, reader.line, "a latency is too large to be true");
            continue;
        }
        if (!log_time(r, &reader, row.ms, &ms))
            continue;
        bool series = (int)file->kind == counted;
        if (series)
            log_ios_count(ios, &row, ms,
                          file->kind == FIO_LOG_LAT || file->kind == FIO_LOG_CLAT ? ns : 0);
        if (log_is_latency(file->kind))
            log_ios_latency(ios, row.dir, log_lat_kind(file->kind), ns);
    }
}

static void take_ios(struct log_reading *r, struct log_ios *ios)
{
    log_ios_settle(ios);
    for (unsigned dir = 0; dir < LOG_DIRECTIONS; dir++) {
        struct fio_log_direction *d = &r->out->dir[dir];
        d->used = ios->dir[dir].ios > 0;
        d->ios = ios->dir[dir].ios;
        d->bytes = ios->dir[dir].bytes;
        d->bs = ios->dir[dir].bs;
        if (d->used)
            log_ios_series(ios, dir, &d->series);
        for (int k = 0; k < LAT_KIND_COUNT; k++) {
            d->hist[k] = ios->dir[dir].lat[k];
            ios->dir[dir].lat[k] = NULL;
        }
    }
}

static void read_per_io(struct log_reading *r)
{
    struct log_ios ios;
    int counted = counted_kind(r);
    log_ios_init(&ios);
    for (size_t i = 0; i < r->n; i++) {
        if (r->file[i].kind != FIO_LOG_HIST && r->kinds >> r->file[i].kind & 1)
            read_ios(r, &r->file[i], counted, &ios);
    }
    if (counted == FIO_LOG_LAT || counted == FIO_LOG_CLAT)
        r->out->series_lat = (int)log_lat_kind((enum fio_log_kind)counted);
    if (ios.too_large)
        log_note(r, "numbers too large to be true: left out");
    else
        take_ios(r, &ios);
    log_ios_release(&ios);
}

void fio_logs_read(struct fio_logs *out, const struct fio_log_file *file, size_t n, size_t only,
                   enum fio_log_unit unit, const struct fio_log_input *in)
{
    *out = (struct fio_logs){.series_lat = -1, .note = STRBUF_INIT};
    struct log_reading r = {.out = out, .file = file, .n = n, .in = in, .only = only, .unit = unit};
    find_kinds(&r);
    look_at_first(&r);
    if (unit == FIO_LOG_UNIT_UNKNOWN)
        log_find_unit(&r);
    drop_unknown_unit(&r);
    if (out->per_io)
        read_per_io(&r);
    else
        log_read_windows(&r);
}

void fio_logs_release(struct fio_logs *l)
{
    for (unsigned dir = 0; dir < LOG_DIRECTIONS; dir++) {
        series_release(&l->dir[dir].series);
        for (int k = 0; k < LAT_KIND_COUNT; k++)
            free(l->dir[dir].hist[k]);
    }
    strbuf_release(&l->note);
}
