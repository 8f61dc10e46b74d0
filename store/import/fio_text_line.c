#include "store/import/fio_text_line.h"

#include <ctype.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "store/import/fio_text_number.h"

/* A copy of the text up to the first of the given bytes, without blanks around it. */
static char *copy_until(const char *p, const char *ends)
{
    p += strspn(p, " \t");
    size_t n = strcspn(p, ends);
    while (n > 0 && (p[n - 1] == ' ' || p[n - 1] == '\t'))
        n--;
    return xstrndup(p, n);
}

/* The text before a mark, without blanks and what quotes a line ("> "). */
static char *copy_before(const char *line, const char *mark)
{
    size_t skip = strspn(line, " \t>");
    size_t n = (size_t)(mark - line);
    char *name = skip < n ? xstrndup(line + skip, n - skip) : xstrdup("");
    return name;
}

void fio_text_setup_release(struct fio_text_setup *s)
{
    free(s->name);
    free(s->rw);
    free(s->engine);
    free(s->bs_text);
    *s = (struct fio_text_setup){0};
}

/* "4096B-4096B" or fio 2's "4K-4K": one size when both ends are the same. */
static uint64_t read_range(const char **p)
{
    double v[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        const char *at = *p;
        if (!text_bytes(&at, false, &v[i])) {
            at = *p; /* fio 2: "4K", which is 1024-based */
            if (!text_count(&at, &v[i]))
                return 0;
            const char *number = *p;
            double digits;
            text_decimal(&number, &digits);
            for (double k = v[i] / digits; digits > 0 && k >= 1000; k /= 1000)
                digits *= 1024;
            v[i] = digits;
        }
        *p = at + (*at == '-');
    }
    bool whole = v[0] == v[1] && v[0] >= 1 && v[0] < 0x1p53 && v[0] == (double)(uint64_t)v[0];
    return whole ? (uint64_t)v[0] : 0;
}

static void read_block_sizes(const char *p, struct fio_text_setup *s)
{
    static const char *const label[] = {"(R)", "(W)", "(T)"};
    s->bs_text = copy_until(p, "\0");
    char *end = strstr(s->bs_text, ", ioengine=");
    if (end)
        *end = '\0';
    bool labelled = strstr(s->bs_text, "(R)") != NULL;
    const char *at = s->bs_text;
    for (int i = 0; i < 3; i++) {
        if (labelled)
            at = text_after(s->bs_text, label[i]);
        if (!at)
            return;
        at += strspn(at, " ");
        s->bs[i] = read_range(&at);
        at += *at == '/';
    }
}

bool fio_text_read_setup(const char *line, struct fio_text_setup *s)
{
    const char *mark = strstr(line, ": (g=");
    const char *rw = mark ? text_after(mark, "rw=") : NULL;
    if (!mark || !rw)
        return false;
    const char *host = line + strspn(line, " \t>"), *name = strstr(host, "> ");
    bool of_server = *host == '<' && name && name < mark;
    *s = (struct fio_text_setup){.name = copy_before(of_server ? name : line, mark),
                                 .rw = copy_until(rw, ", "),
                                 .of_server = of_server};
    const char *group = mark + strlen(": (g=");
    if (!text_u64(&group, &s->group))
        s->group = 0;
    const char *bs = text_after(mark, "bs=");
    if (bs)
        read_block_sizes(bs, s);
    const char *engine = text_after(mark, "ioengine=");
    if (engine)
        s->engine = copy_until(engine, ", ");
    const char *depth = text_after(mark, "iodepth=");
    if (depth && !text_u64(&depth, &s->iodepth))
        s->iodepth = 0;
    return true;
}

bool fio_text_read_starting(const char *line, uint64_t *jobs)
{
    const char *at = text_after(line, "Starting ");
    uint64_t n, sum = 0;
    while (at && text_u64(&at, &n) && n < UINT32_MAX) {
        if (strncmp(at, " process", 8) != 0 && strncmp(at, " thread", 7) != 0)
            return false;
        sum += n;
        at = text_after(at, " and ");
    }
    *jobs = sum;
    return sum > 0;
}

void fio_text_head_release(struct fio_text_head *h)
{
    free(h->name);
    free(h->error_words);
    free(h->time);
    *h = (struct fio_text_head){0};
}

bool fio_text_read_head(const char *line, struct fio_text_head *h)
{
    const char *mark = strstr(line, ": (groupid=");
    const char *jobs = mark ? text_after(mark, "jobs=") : NULL;
    if (!jobs)
        return false;
    *h = (struct fio_text_head){.name = copy_before(line, mark)};
    const char *group = mark + strlen(": (groupid=");
    const char *error = text_after(mark, " err="), *pid = text_after(mark, " pid=");
    const char *words = text_after(mark, ", error=");
    uint64_t code = 0;
    if (!text_u64(&group, &h->group)) {
        fio_text_head_release(h);
        return false;
    }
    if (!text_u64(&jobs, &h->jobs))
        h->jobs = 0;
    if (error && text_u64(&error, &code) && code <= INT32_MAX)
        h->error = (int64_t)code;
    if (words)
        h->error_words = copy_until(words, ")");
    if (pid && text_u64(&pid, &h->pid) && *pid == ':')
        h->time = copy_until(pid + 1, "");
    return true;
}

/* The word before a mark ("write" of "write: IOPS="), as a direction; -1 when it is none. */
static int direction_before(const char *line, const char *mark)
{
    const char *end = mark;
    while (end > line && (end[-1] == ' ' || end[-1] == ':'))
        end--;
    for (int dir = DIR_READ; dir <= DIR_MIXED; dir++) {
        size_t n = strlen(dir_names[dir]);
        const char *word = end - n;
        if ((size_t)(end - line) >= n && strncasecmp(word, dir_names[dir], n) == 0 &&
            (word == line || !isalnum((unsigned char)word[-1])))
            return dir;
    }
    return -1;
}

static void set_f64(struct direction *d, size_t field, double v)
{
    field_set_f64(&direction_fields, d, field, v);
}

static void set_runtime(struct direction *d, const char *p)
{
    uint64_t ms;
    if (p && text_u64(&p, &ms) && ms < UINT64_MAX / NS_PER_MS)
        SET(d, DIRECTION, runtime_ns, ms * NS_PER_MS);
}

static void set_bytes(struct direction *d, const char *p, bool old)
{
    double v;
    if (p && text_bytes(&p, old, &v) && v < 0x1p63)
        SET(d, DIRECTION, bytes, (uint64_t)v);
}

/* "IOPS=15.8k, BW=61.9MiB/s (64.9MB/s)(620MiB/10010msec)" */
static void read_new_rates(const char *p, struct direction *d)
{
    double v;
    const char *bw = text_after(p, "BW=");
    if (text_count(&p, &v))
        set_f64(d, DIRECTION_iops, v);
    const char *total = bw ? text_after(bw, ")(") : NULL;
    if (bw && text_bytes(&bw, false, &v))
        set_f64(d, DIRECTION_bw, v);
    set_bytes(d, total, false);
    set_runtime(d, total ? text_after(total, "/") : NULL);
}

/* "io=10240MB, bw=63317KB/s, iops=15829, runt=165607msec" */
static void read_old_rates(const char *line, struct direction *d)
{
    double v;
    const char *bw = text_after(line, "bw="), *iops = text_after(line, "iops=");
    set_bytes(d, text_after(line, "io="), true);
    if (bw && text_bytes(&bw, true, &v))
        set_f64(d, DIRECTION_bw, v);
    if (iops && text_count(&iops, &v))
        set_f64(d, DIRECTION_iops, v);
    set_runtime(d, text_after(line, "runt="));
}

bool fio_text_read_rates(const char *line, enum dir *dir, struct direction *d)
{
    const char *now = strstr(line, ": IOPS="), *old = strstr(line, ": io=");
    int found = now || old ? direction_before(line, now ? now : old) : -1;
    if (found < 0 || (!now && !strstr(line, "runt=")))
        return false;
    *dir = (enum dir)found;
    if (now)
        read_new_rates(now + strlen(": IOPS="), d);
    else
        read_old_rates(line, d);
    return true;
}

bool fio_text_is_sync(const char *line)
{
    return strstr(line, "fsync/fdatasync/sync_file_range:") != NULL;
}

/* "slat", "clat", "sync" (as lat) or "lat" before the mark; -1 for others. */
static int kind_before(const char *line, const char *mark)
{
    static const struct {
        const char *word;
        enum lat_kind kind;
    } kinds[] = {{"slat", LAT_SLAT}, {"clat", LAT_CLAT}, {"sync", LAT_LAT}, {"lat", LAT_LAT}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t n = strlen(kinds[i].word);
        if ((size_t)(mark - line) >= n && strncmp(mark - n, kinds[i].word, n) == 0)
            return (int)kinds[i].kind;
    }
    return -1;
}

bool fio_text_read_lat(const char *line, enum lat_kind *kind, struct lat *l)
{
    const char *mark = strstr(line, " (");
    while (mark && !text_time_unit(mark + 1))
        mark = strstr(mark + 1, " (");
    int found = mark ? kind_before(line, mark) : -1;
    const char *min = found >= 0 ? text_after(mark, "min=") : NULL;
    if (!min)
        return false;
    *kind = (enum lat_kind)found;
    double unit = (double)text_time_unit(mark + 1), v;
    const char *max = text_after(mark, "max="), *avg = text_after(mark, "avg=");
    const char *dev = text_after(mark, "stdev=");
    if (text_count(&min, &v) && v * unit < 0x1p63)
        SET(l, LAT_F, min, (uint64_t)(v * unit));
    if (max && text_count(&max, &v) && v * unit < 0x1p63)
        SET(l, LAT_F, max, (uint64_t)(v * unit));
    if (avg && text_count(&avg, &v))
        SET(l, LAT_F, mean, v * unit);
    if (dev && text_count(&dev, &v))
        SET(l, LAT_F, stddev, v * unit);
    return true;
}

bool fio_text_read_percentile_head(const char *line, enum lat_kind *kind, uint64_t *unit)
{
    const char *mark = strstr(line, " percentiles (");
    int found = mark ? kind_before(line, mark) : -1;
    if (found < 0)
        return false;
    *kind = (enum lat_kind)found;
    *unit = text_time_unit(mark + strlen(" percentiles "));
    return *unit > 0;
}

bool fio_text_read_percentiles(const char *line, uint64_t unit, struct lat *l)
{
    enum { POINTS_MAX = 64 };
    bool any = false;
    for (const char *p = strstr(line, "th=["); p; p = strstr(p + 1, "th=[")) {
        const char *start = p;
        while (start > line && (isdigit((unsigned char)start[-1]) || start[-1] == '.'))
            start--;
        const char *value = p + strlen("th=[");
        double percent, v;
        if (!text_decimal(&start, &percent) || !text_count(&value, &v) || percent <= 0 ||
            percent > 100 || v * (double)unit >= 0x1p63 || l->n_reported == POINTS_MAX)
            continue;
        any = true;
        if (l->n_reported > 0 && l->reported[l->n_reported - 1].p >= percent)
            continue; /* a second list: not of this latency */
        l->reported = xrealloc(l->reported, l->n_reported + 1, sizeof *l->reported);
        l->reported[l->n_reported++] = (struct lat_point){percent, (uint64_t)(v * (double)unit)};
    }
    return any;
}

/* Bounds of a row of a latency table; rows without I/O are not printed, so the scale is needed. */
static bool bucket_bounds(double label, bool open, uint64_t unit, bool with_ns,
                          struct lat_bucket *b)
{
    static const unsigned scale[] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000};
    for (size_t i = 0; i < sizeof scale / sizeof *scale; i++) {
        if ((double)scale[i] != label)
            continue;
        bool from_zero = unit == 1 || (unit == NS_PER_US && !with_ns);
        uint64_t lo = i > 0 ? scale[i - 1] : from_zero ? 0 : 1;
        b->lo_ns = (open ? scale[i] : lo) * unit;
        b->hi_ns = open ? UINT64_MAX : scale[i] * unit;
        return true;
    }
    return false;
}

bool fio_text_read_buckets(const char *line, bool with_ns, struct cell *cell)
{
    enum { BUCKETS_MAX = 64 };
    const char *mark = text_after(line, "lat (");
    uint64_t unit = mark ? text_time_unit(mark - 1) : 0;
    const char *p = unit ? text_after(mark, ":") : NULL;
    if (!p || strstr(p, "min=") || !strchr(p, '%'))
        return false;
    while (*p) {
        p += strspn(p, " ,\t");
        bool open = p[0] == '>' && p[1] == '=';
        p += open ? 2 : 0;
        struct lat_bucket b;
        double label, percent;
        if (!text_decimal(&p, &label) || *p++ != '=' || !text_decimal(&p, &percent) || *p++ != '%')
            break;
        if (percent <= 0 || percent > 100 || cell->n_buckets == BUCKETS_MAX ||
            !bucket_bounds(label, open, unit, with_ns, &b))
            continue;
        b.share = percent / 100;
        cell->bucket = xrealloc(cell->bucket, cell->n_buckets + 1, sizeof *cell->bucket);
        cell->bucket[cell->n_buckets++] = b;
    }
    return true;
}
