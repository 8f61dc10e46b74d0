/* Several jobs with the same load as one: sums, merged latencies, bounds where nothing can be merged. */
#include <math.h>

#include "core/base/xalloc.h"
#include "store/import/fio_read_internal.h"

void fio_bounds_release(struct fio_bounds *b)
{
    free(b->bound);
    *b = (struct fio_bounds){0};
}

static void add_bound(struct fio_bounds *b, enum dir dir, enum lat_kind kind,
                      const struct lat_point *point)
{
    for (size_t i = 0; i < b->n; i++) {
        struct fio_bound *old = &b->bound[i];
        if (old->dir == dir && old->kind == kind && fabs(old->p - point->p) < 1e-6) {
            old->lo = point->ns < old->lo ? point->ns : old->lo;
            old->hi = point->ns > old->hi ? point->ns : old->hi;
            return;
        }
    }
    GROW(b->bound, b->n + 1, b->room);
    b->bound[b->n++] = (struct fio_bound){dir, kind, point->p, point->ns, point->ns};
}

/* Samples of a latency: as stated, else the I/Os of its direction. */
static double weight(struct fio_reader *r, const struct lat *l, const struct direction *d)
{
    if (IS_KNOWN(l, LAT_F, n))
        return (double)l->n;
    r->doubts.no_samples = true;
    return (double)d->ios;
}

/* Mean and sample variance of two groups together (parallel variance). */
static void merge_moments(struct lat *sum, double n1, const struct lat *member, double n2)
{
    bool stddev = IS_KNOWN(sum, LAT_F, stddev) && IS_KNOWN(member, LAT_F, stddev);
    if (!IS_KNOWN(sum, LAT_F, mean) || !IS_KNOWN(member, LAT_F, mean) || n1 + n2 < 1) {
        UNSET(sum, LAT_F, mean);
        UNSET(sum, LAT_F, stddev);
        return;
    }
    double n = n1 + n2;
    double delta = member->mean - sum->mean;
    double squares = sum->stddev * sum->stddev * fmax(n1 - 1, 0) +
                     member->stddev * member->stddev * fmax(n2 - 1, 0) +
                     delta * delta * n1 * n2 / n;
    sum->mean += delta * n2 / n;
    UNSET(sum, LAT_F, stddev);
    if (stddev && n > 1)
        SET(sum, LAT_F, stddev, sqrt(squares / (n - 1)));
}

static void merge_hist(struct lat *sum, const struct lat *member)
{
    if (sum->hist && member->hist) {
        hist_merge(sum->hist, member->hist);
    } else {
        free(sum->hist);
        sum->hist = NULL;
    }
}

static void merge_lat(struct fio_reader *r, struct direction *sum, const struct direction *member,
                      enum lat_kind kind)
{
    struct lat *to = &sum->lat[kind];
    const struct lat *from = &member->lat[kind];
    merge_moments(to, weight(r, to, sum), from, weight(r, from, member));
    merge_hist(to, from);
    to->known &= from->known | UINT64_C(1) << LAT_F_stddev | UINT64_C(1) << LAT_F_mean;
    to->n += from->n;
    to->min = from->min < to->min ? from->min : to->min;
    to->max = from->max > to->max ? from->max : to->max;
}

/* Percentiles of parts say nothing exact about the whole. */
static void take_bounds(struct fio_bounds *b, enum dir dir, struct direction *d)
{
    for (int k = 0; k < LAT_KIND_COUNT; k++) {
        struct lat *l = &d->lat[k];
        for (size_t i = 0; i < l->n_reported && !l->hist; i++)
            add_bound(b, dir, (enum lat_kind)k, &l->reported[i]);
        free(l->reported);
        l->reported = NULL;
        l->n_reported = 0;
    }
}

/* A sum is known only when all its parts are and it fits. */
static void add_field(const struct field_set *set, void *sum, const void *part, size_t field)
{
    uint64_t *known = (uint64_t *)(void *)((char *)sum + set->known);
    uint64_t total;
    if (field_is_known(set, sum, field) && field_is_known(set, part, field) &&
        !__builtin_add_overflow(field_get_u64(set, sum, field), field_get_u64(set, part, field),
                                &total))
        field_set_u64(set, sum, field, total);
    else
        *known &= ~(UINT64_C(1) << field);
}

static void merge_direction(struct fio_reader *r, struct direction *sum,
                            const struct direction *member)
{
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        merge_lat(r, sum, member, (enum lat_kind)k);
    add_field(&direction_fields, sum, member, DIRECTION_ios);
    add_field(&direction_fields, sum, member, DIRECTION_bytes);
    add_field(&direction_fields, sum, member, DIRECTION_short_ios);
    if (IS_KNOWN(member, DIRECTION, runtime_ns) && member->runtime_ns > sum->runtime_ns)
        sum->runtime_ns = member->runtime_ns;
    sum->iops_mean += member->iops_mean;
    sum->bw_mean += member->bw_mean;
    /* what else was sampled at different instants has no sum; the rates come from the sums */
    uint64_t kept = 0;
    static const size_t keep[] = {DIRECTION_ios,        DIRECTION_bytes,     DIRECTION_short_ios,
                                  DIRECTION_runtime_ns, DIRECTION_iops_mean, DIRECTION_bw_mean};
    for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
        kept |= UINT64_C(1) << keep[i];
    sum->known &= member->known & kept;
    if (IS_KNOWN(sum, DIRECTION, runtime_ns) && sum->runtime_ns > 0) {
        double seconds = (double)sum->runtime_ns / 1e9;
        if (IS_KNOWN(sum, DIRECTION, ios))
            SET(sum, DIRECTION, iops, (double)sum->ios / seconds);
        if (IS_KNOWN(sum, DIRECTION, bytes))
            SET(sum, DIRECTION, bw, (double)sum->bytes / seconds);
    }
}

static void merge_directions(struct fio_reader *r, struct cell *sum, struct cell *member,
                             struct fio_bounds *bounds)
{
    for (int i = 0; i < DIR_COUNT; i++) {
        struct direction *to = &sum->dir[i], *from = &member->dir[i];
        if (!direction_is_used(from)) {
            direction_release(from);
        } else if (!direction_is_used(to)) {
            direction_release(to);
            *to = *from;
            *from = (struct direction){0};
        } else {
            take_bounds(bounds, (enum dir)i, to);
            take_bounds(bounds, (enum dir)i, from);
            merge_direction(r, to, from);
            direction_release(from);
        }
    }
}

static double all_ios(const struct cell *c)
{
    double sum = (double)c->dir[DIR_MIXED].ios;
    for (int i = DIR_READ; i <= DIR_TRIM; i++)
        sum += (double)c->dir[i].ios;
    return sum;
}

/* The latency tables are shares of all I/Os: weighted by those. */
static void merge_buckets(struct cell *sum, double w1, const struct cell *member, double w2)
{
    if (w1 + w2 <= 0)
        return;
    for (size_t i = 0; i < sum->n_buckets; i++)
        sum->bucket[i].share *= w1 / (w1 + w2);
    for (size_t k = 0; k < member->n_buckets; k++) {
        const struct lat_bucket *b = &member->bucket[k];
        size_t i = 0;
        while (i < sum->n_buckets &&
               (sum->bucket[i].lo_ns != b->lo_ns || sum->bucket[i].hi_ns != b->hi_ns))
            i++;
        if (i == sum->n_buckets) {
            size_t room = 0;
            GROW(sum->bucket, sum->n_buckets + 1, room);
            sum->bucket[sum->n_buckets++] = (struct lat_bucket){b->lo_ns, b->hi_ns, 0};
        }
        sum->bucket[i].share += b->share * w2 / (w1 + w2);
    }
}

static int by_start(const void *a, const void *b)
{
    const struct lat_bucket *x = a, *y = b;
    return (x->lo_ns > y->lo_ns) - (x->lo_ns < y->lo_ns);
}

static void merge_errors(struct cell *sum, struct cell *member)
{
    if (!sum->error_code && member->error_code)
        SET(sum, CELL, error_code, member->error_code);
    if (!sum->error) {
        sum->error = member->error;
        member->error = NULL;
    }
}

static void merge_start(struct cell *sum, const struct cell *member)
{
    if (!IS_KNOWN(member, CELL, started_ns))
        UNSET(sum, CELL, started_ns);
    else if (member->started_ns < sum->started_ns)
        sum->started_ns = member->started_ns;
}

static void merge_busiest(struct cell *sum, const struct cell *member)
{
    if (!IS_KNOWN(member, CELL, cpu_util_max))
        UNSET(sum, CELL, cpu_util_max);
    else if (member->cpu_util_max > sum->cpu_util_max && IS_KNOWN(sum, CELL, cpu_util_max))
        SET(sum, CELL, cpu_util_max, member->cpu_util_max);
}

void fio_merge(struct fio_reader *r, struct cell *sum, struct cell *member,
               struct fio_bounds *bounds)
{
    double w1 = all_ios(sum), w2 = all_ios(member);
    merge_buckets(sum, w1, member, w2);
    if (sum->n_buckets > 0)
        qsort(sum->bucket, sum->n_buckets, sizeof *sum->bucket, by_start);
    merge_directions(r, sum, member, bounds);
    merge_errors(sum, member);
    merge_start(sum, member);
    merge_busiest(sum, member);
    add_field(&cell_fields, sum, member, CELL_user_ns);
    add_field(&cell_fields, sum, member, CELL_system_ns);
    if (member->runtime_ns > sum->runtime_ns)
        SET(sum, CELL, runtime_ns, member->runtime_ns);
}
