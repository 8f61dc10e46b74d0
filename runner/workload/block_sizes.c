#include "runner/workload/block_sizes_internal.h"

#include "core/base/units.h"
#include "core/base/xalloc.h"

#define DRAWS (UINT64_C(1) << 32)

enum { SIZES_MAX = 4096 };

void block_sizes_release(struct block_sizes *s)
{
    free(s->size);
    *s = (struct block_sizes){0};
}

static void copy(struct block_sizes *to, const struct block_sizes *from)
{
    *to = *from;
    to->size = xmalloc(from->n * sizeof *to->size);
    memcpy(to->size, from->size, from->n * sizeof *to->size);
}

void block_sizes_fixed(struct block_sizes *out, uint32_t bytes)
{
    *out = (struct block_sizes){
        .size = xmalloc(sizeof *out->size), .n = 1, .min = bytes, .max = bytes};
    out->size[0] = (struct block_size){.bytes = bytes, .below = DRAWS};
}

static int parse_bytes(uint32_t *bytes, const char *text, struct error *err)
{
    uint64_t v = 0;
    int rc = parse_size(text, &v, err);
    if (rc)
        return rc;
    if (v == 0 || v > INT32_MAX)
        return error_set(err, ERR_USAGE, "a block size must be from 1 byte to 2 GiB, not \"%s\"",
                         text);
    *bytes = (uint32_t)v;
    return 0;
}

static int parse_range(struct block_sizes *out, char *text, struct error *err)
{
    char *dash = strchr(text, '-');
    uint32_t first = 0, last = 0;
    *dash = '\0';
    int rc = parse_bytes(&first, text, err);
    if (rc == 0)
        rc = parse_bytes(&last, dash + 1, err);
    if (rc)
        return rc;
    if (last < first || last / first > SIZES_MAX)
        return error_set(
            err, ERR_USAGE,
            "block sizes %s to %s: the second must be the larger, and at most %d times "
            "the first",
            text, dash + 1, SIZES_MAX);
    out->n = last / first;
    out->size = xcalloc(out->n, sizeof *out->size);
    for (size_t i = 0; i < out->n; i++)
        out->size[i] = (struct block_size){.bytes = first * (uint32_t)(i + 1),
                                           .below = DRAWS * (i + 1) / out->n};
    return 0;
}

/* "4k/60" into size and percent; percent -1 when there is none. */
static int parse_share(struct block_size *size, double *percent, char *text, struct error *err)
{
    char *slash = strchr(text, '/');
    *percent = -1;
    if (slash) {
        *slash++ = '\0';
        if (*slash) {
            int rc = parse_f64(slash, 0, 100, percent, err);
            if (rc)
                return rc;
        }
    }
    return parse_bytes(&size->bytes, text, err);
}

static int set_limits(struct block_sizes *out, double *percent, struct error *err)
{
    double sum = 0;
    size_t open = 0;
    for (size_t i = 0; i < out->n; i++) {
        sum += percent[i] < 0 ? 0 : percent[i];
        open += percent[i] < 0;
    }
    if (sum > 100.0001 || (open == 0 && sum < 99.9999))
        return error_set(err, ERR_USAGE, "the shares of the block sizes add up to %g %%, not 100",
                         sum);
    double upto = 0;
    for (size_t i = 0; i < out->n; i++) {
        upto += percent[i] < 0 ? (100 - sum) / (double)open : percent[i];
        out->size[i].below = i + 1 == out->n ? DRAWS : (uint64_t)((double)DRAWS * upto / 100);
    }
    return 0;
}

static int parse_split(struct block_sizes *out, char *text, struct error *err)
{
    double *percent = NULL;
    size_t room = 0, shares = 0;
    int rc = 0;
    char *part;
    while (rc == 0 && (part = strsep(&text, ":")) != NULL) {
        if (out->n == SIZES_MAX) {
            rc = error_set(err, ERR_USAGE, "more than %d block sizes", SIZES_MAX);
            break;
        }
        GROW(out->size, out->n + 1, room);
        GROW(percent, out->n + 1, shares);
        rc = parse_share(&out->size[out->n], &percent[out->n], part, err);
        out->n++;
    }
    if (rc == 0)
        rc = set_limits(out, percent, err);
    free(percent);
    return rc;
}

static int parse_one(struct block_sizes *out, char *text, struct error *err)
{
    struct block_sizes s = {0};
    int rc = strchr(text, '-') ? parse_range(&s, text, err) : parse_split(&s, text, err);
    if (rc) {
        block_sizes_release(&s);
        return rc;
    }
    s.min = UINT32_MAX;
    for (size_t i = 0; i < s.n; i++) {
        s.min = s.size[i].bytes < s.min ? s.size[i].bytes : s.min;
        s.max = s.size[i].bytes > s.max ? s.size[i].bytes : s.max;
    }
    *out = s;
    return 0;
}

int block_sizes_parse(struct block_sizes out[WORKLOAD_DIRS], const char *text, struct error *err)
{
    char *scratch = xstrdup(text), *rest = scratch, *part;
    struct block_sizes s[WORKLOAD_DIRS] = {{0}};
    size_t n = 0;
    int rc = 0;
    while (rc == 0 && (part = strsep(&rest, ",")) != NULL) {
        if (n == WORKLOAD_DIRS)
            rc =
                error_set(err, ERR_USAGE, "block sizes \"%s\": at most reads, writes, trims", text);
        else
            rc = parse_one(&s[n], part, err);
        n += rc == 0;
    }
    free(scratch);
    if (rc) {
        for (size_t i = 0; i < n; i++)
            block_sizes_release(&s[i]);
        return rc;
    }
    for (; n < WORKLOAD_DIRS; n++)
        copy(&s[n], &s[n - 1]);
    memcpy(out, s, sizeof s);
    return 0;
}
