/*
 * fio's three latency tables: percent of all I/Os of a job, the label is the exclusive upper bound.
 * Shares below 0.01 % are printed as 0.01, so the sum may pass 100 %.
 */
#include <math.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "store/import/fio_read_internal.h"
#include "store/import/number.h"

struct table {
    const char *name;
    uint64_t unit;
    uint64_t from; /* lower bound of the first row, in units */
};

static const struct table tables[] = {
    {"latency_ns", 1, 0},
    {"latency_us", NS_PER_US, 1},
    {"latency_ms", NS_PER_MS, 1},
};
enum { N_TABLES = sizeof tables / sizeof *tables };

/* Bounds of a row from its label: of "250" the upper one, of ">=2000" the lower. */
static bool row_bounds(const struct json_doc *d, json_id id, uint64_t unit, struct lat_bucket *row)
{
    size_t n;
    const char *key = json_key(d, id, &n);
    bool open = n > 2 && key[0] == '>' && key[1] == '=';
    uint64_t v;
    if (!number_u64(key + 2 * open, n - 2 * open, &v) || __builtin_mul_overflow(v, unit, &v))
        return false;
    row->lo_ns = open ? v : 0;
    row->hi_ns = open ? UINT64_MAX : v;
    return true;
}

/* fio prints six decimals: the share is the double nearest to what is printed, not to a double / 100. */
static double share_of(double percent)
{
    double digits = round(percent * 1e6);
    return digits / 1e6 == percent ? digits / 1e8 : percent / 100;
}

static int by_bound(const void *a, const void *b)
{
    const struct lat_bucket *x = a, *y = b;
    return (x->hi_ns > y->hi_ns) - (x->hi_ns < y->hi_ns);
}

/* Reads the rows of one table in ascending order (files get re-sorted). */
static size_t read_table(struct fio_reader *r, json_id obj, const struct table *t,
                         struct lat_bucket *row, size_t room)
{
    const struct json_doc *d = r->d;
    size_t n = 0;
    for (json_id id = json_child(d, obj); id && n < room; id = json_next(d, id)) {
        double percent;
        if (!row_bounds(d, id, t->unit, &row[n]))
            continue;
        if (json_f64(d, id, &percent) && percent >= 0 && percent <= 100)
            row[n++].share = share_of(percent);
        else
            fio_say_bad(r, id);
    }
    if (n > 0)
        qsort(row, n, sizeof *row, by_bound);
    return n;
}

void fio_read_buckets(struct fio_reader *r, json_id entry, struct cell *cell)
{
    enum { ROWS_MAX = 64 };
    struct lat_bucket row[ROWS_MAX];
    size_t room = 0;
    /* fio 2 has no table of ns: its us table starts at 0 */
    bool from_zero = !json_find(r->d, entry, "latency_ns");
    for (int t = 0; t < N_TABLES; t++) {
        json_id obj = json_find(r->d, entry, tables[t].name);
        size_t n = read_table(r, obj, &tables[t], row, ROWS_MAX);
        uint64_t lo = from_zero ? 0 : tables[t].from * tables[t].unit;
        from_zero = from_zero && n == 0;
        for (size_t i = 0; i < n; i++) {
            if (row[i].hi_ns != UINT64_MAX)
                row[i].lo_ns = lo;
            if (row[i].hi_ns <= row[i].lo_ns)
                continue; /* no such range */
            lo = row[i].hi_ns;
            if (row[i].share == 0)
                continue;
            GROW(cell->bucket, cell->n_buckets + 1, room);
            cell->bucket[cell->n_buckets++] = row[i];
        }
    }
}
