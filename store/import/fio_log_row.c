#include "store/import/fio_log_row.h"

#include <ctype.h>
#include <string.h>

enum { COLUMNS_MIN = 4, COLUMNS_MAX = 9, HIST_COLUMNS = 3, COARSE_MAX = 6, PROBE_LINES = 500 };

/* A number of a line, decimal or (priorities) hexadecimal, and what parts it from the next. */
static bool next_number(const char **at, const char *end, uint64_t *v)
{
    const char *p = *at;
    *v = 0;
    bool hex = end - p > 2 && p[0] == '0' && p[1] == 'x';
    p += hex ? 2 : 0;
    const char *digits = p;
    for (; p < end && (hex ? isxdigit((unsigned char)*p) : isdigit((unsigned char)*p)); p++) {
        unsigned digit = isdigit((unsigned char)*p)
                             ? (unsigned)(*p - '0')
                             : (unsigned)(tolower((unsigned char)*p) - 'a') + 10;
        if (__builtin_mul_overflow(*v, hex ? 16u : 10u, v) || __builtin_add_overflow(*v, digit, v))
            return false;
    }
    if (p == digits)
        return false;
    while (p < end && *p == ' ')
        p++;
    if (p < end && *p != ',')
        return false;
    p += p < end;
    while (p < end && *p == ' ')
        p++;
    *at = p;
    return true;
}

/* All numbers of a line, at most `room`: 0 when there are more, or anything else. */
static size_t read_numbers(const char *p, const char *end, uint64_t *v, size_t room)
{
    size_t n = 0;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    while (p < end) {
        if (n == room || !next_number(&p, end, &v[n]))
            return 0;
        n++;
    }
    return n;
}

/* The next line without its end; false when none is left. *whole: it has an end. */
static bool next_line(struct fio_log_reader *r, const char **line, size_t *n, bool *whole)
{
    if (r->at >= r->end)
        return false;
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    *line = r->at;
    *whole = end != NULL;
    *n = (size_t)((end ? end : r->end) - r->at);
    r->at = end ? end + 1 : r->end;
    r->line++;
    while (*n > 0 && ((*line)[*n - 1] == '\r' || (*line)[*n - 1] == ' '))
        --*n;
    return true;
}

/* Whether the third column is a largest value: it is no direction somewhere, and the fourth always is one. */
static bool states_both(struct fio_log_reader probe)
{
    const char *line;
    size_t n;
    bool whole, beyond = false;
    for (unsigned i = 0; i < PROBE_LINES && next_line(&probe, &line, &n, &whole); i++) {
        uint64_t v[COLUMNS_MAX];
        size_t columns = read_numbers(line, line + n, v, COLUMNS_MAX);
        if (columns < COLUMNS_MIN + 2)
            continue;
        if (v[3] > 2 || v[4] != 0 || v[2] < v[1])
            return false;
        beyond = beyond || v[2] > 2;
    }
    return beyond;
}

void fio_log_reader_init(struct fio_log_reader *r, const char *bytes, size_t n, bool hist)
{
    *r = (struct fio_log_reader){.start = bytes, .at = bytes, .end = bytes + n, .hist = hist};
    if (!hist)
        r->both = states_both(*r);
}

/* The geometry of so many buckets; false when fio has none such. */
static bool find_geometry(struct fio_log_reader *r, size_t n)
{
    static const struct {
        size_t buckets;
        bool microseconds;
    } full[] = {{HIST_BUCKETS, false}, {1216, true}};
    for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
        for (unsigned coarse = 0; coarse <= COARSE_MAX; coarse++) {
            if (full[i].buckets >> coarse != n)
                continue;
            r->coarse = coarse;
            r->microseconds = full[i].microseconds;
            r->n_counts = n;
            return true;
        }
    }
    return false;
}

static const char *read_hist(struct fio_log_reader *r, const uint64_t *v, size_t n,
                             struct fio_log_row *row)
{
    if (n < HIST_COLUMNS + 1 || (r->columns == 0 && !find_geometry(r, n - HIST_COLUMNS)))
        return "not a line of fio's clat_hist log";
    if (r->columns != 0 && n != r->columns)
        return "another number of buckets than in the lines before";
    r->columns = n;
    uint64_t sum = 0;
    for (size_t i = HIST_COLUMNS; i < n; i++) {
        if (v[i] > UINT32_MAX || (sum += v[i]) > UINT32_MAX)
            return "a count is too large to be true";
    }
    if (v[1] > 2)
        return "the direction is none of 0, 1, 2";
    if (v[0] > FIO_LOG_NUMBER_MAX)
        return "the time is too large to be true";
    *row = (struct fio_log_row){.ms = v[0], .dir = (unsigned)v[1], .bs = v[2]};
    return NULL;
}

static const char *read_values(struct fio_log_reader *r, const uint64_t *v, size_t n,
                               struct fio_log_row *row)
{
    if (n < COLUMNS_MIN || n > COLUMNS_MAX)
        return "not a line of a log of fio";
    if (r->columns != 0 && n != r->columns)
        return "another number of columns than in the lines before";
    r->columns = n;
    const uint64_t *rest = v + (r->both ? 3 : 2);
    if (rest[0] > 2)
        return "the direction is none of 0, 1, 2";
    if (v[0] > FIO_LOG_NUMBER_MAX || v[1] > FIO_LOG_NUMBER_MAX || v[2] > FIO_LOG_NUMBER_MAX ||
        rest[1] > UINT32_MAX)
        return "a number is too large to be true";
    *row = (struct fio_log_row){.ms = v[0],
                                .value = v[1],
                                .max = r->both ? v[2] : 0,
                                .dir = (unsigned)rest[0],
                                .bs = rest[1]};
    return NULL;
}

/* NULL, or what is wrong with the line. */
static const char *read_line(struct fio_log_reader *r, const char *line, size_t n,
                             struct fio_log_row *row, uint64_t *count)
{
    uint64_t v[HIST_BUCKETS + HIST_COLUMNS];
    size_t columns =
        read_numbers(line, line + n, v, r->hist ? HIST_BUCKETS + HIST_COLUMNS : COLUMNS_MAX);
    if (!r->hist)
        return read_values(r, v, columns, row);
    const char *why = read_hist(r, v, columns, row);
    if (!why)
        memcpy(count, v + HIST_COLUMNS, (columns - HIST_COLUMNS) * sizeof *v);
    return why;
}

bool fio_log_next(struct fio_log_reader *r, struct fio_log_row *row, uint64_t *count)
{
    const char *line;
    size_t n;
    bool whole;
    while (next_line(r, &line, &n, &whole)) {
        const char *why = n == 0   ? "an empty line"
                          : !whole ? "cut off: the line has no end"
                                   : read_line(r, line, n, row, count);
        if (!why)
            return true;
        if (r->problem)
            r->problem(r->arg, r->line, why);
    }
    return false;
}

bool fio_log_looks_like(const char *bytes, size_t n)
{
    uint64_t count[HIST_BUCKETS];
    const char *line;
    size_t len;
    bool whole;
    for (int hist = 0; hist < 2; hist++) {
        struct fio_log_reader r = {.at = bytes, .end = bytes + n, .hist = hist};
        struct fio_log_row row;
        if (next_line(&r, &line, &len, &whole) && whole && !read_line(&r, line, len, &row, count))
            return true;
    }
    return false;
}
