/* Several measurements of one load as one. */
#include <stdlib.h>
#include <string.h>

#include "runner/sweep/sweep_internal.h"

/* Weighted by their times, or by their counts. */
static double mean_of_two(double a, double weight_a, double b, double weight_b)
{
    double weight = weight_a + weight_b;
    return weight > 0 ? (a * weight_a + b * weight_b) / weight : a;
}

static void add_latency(struct lat *sum, struct lat *l)
{
    if (!l->hist)
        return;
    if (!sum->hist) {
        sum->hist = l->hist;
        l->hist = NULL;
    } else {
        hist_merge(sum->hist, l->hist);
    }
    lat_from_hist(sum);
}

static void add_samples(struct series *sum, const struct series *s)
{
    uint64_t end = sum->n ? sum->point[sum->n - 1].end_ns : 0;
    if (!s->hist) {
        free(sum->hist);
        sum->hist = NULL;
    }
    for (size_t i = 0; i < s->n; i++) {
        struct series_point *p = series_append(sum);
        *p = s->point[i];
        p->end_ns += end;
        if (sum->hist && s->hist)
            memcpy(sum->hist + (sum->n - 1) * SERIES_HIST_BUCKETS,
                   s->hist + i * SERIES_HIST_BUCKETS, SERIES_HIST_BUCKETS * sizeof *s->hist);
    }
}

static void add_series(struct direction *sum, struct direction *d)
{
    if (!d->series)
        return;
    if (sum->series) {
        add_samples(sum->series, d->series);
    } else {
        sum->series = d->series;
        d->series = NULL;
    }
    direction_set_samples(sum);
}

static void add_rates(struct direction *sum, const struct direction *d)
{
    double before = (double)sum->runtime_ns, time = (double)d->runtime_ns;
    if (IS_KNOWN(d, DIRECTION, offered_iops))
        SET(sum, DIRECTION, offered_iops,
            mean_of_two(sum->offered_iops, before, d->offered_iops, time));
    if (IS_KNOWN(d, DIRECTION, backlog_max) && d->backlog_max > sum->backlog_max)
        SET(sum, DIRECTION, backlog_max, d->backlog_max);
    if (IS_KNOWN(d, DIRECTION, late_share))
        SET(sum, DIRECTION, late_share,
            mean_of_two(sum->late_share, (double)sum->ios, d->late_share, (double)d->ios));
}

static void add_direction(struct direction *sum, struct direction *d)
{
    if (!d->known)
        return;
    add_rates(sum, d);
    SET(sum, DIRECTION, ios, sum->ios + d->ios);
    SET(sum, DIRECTION, bytes, sum->bytes + d->bytes);
    SET(sum, DIRECTION, runtime_ns, sum->runtime_ns + d->runtime_ns);
    SET(sum, DIRECTION, short_ios, sum->short_ios + d->short_ios);
    SET(sum, DIRECTION, failed_ios, sum->failed_ios + d->failed_ios);
    if (sum->runtime_ns) {
        SET(sum, DIRECTION, iops, (double)sum->ios * 1e9 / (double)sum->runtime_ns);
        SET(sum, DIRECTION, bw, (double)sum->bytes * 1e9 / (double)sum->runtime_ns);
    }
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        add_latency(&sum->lat[k], &d->lat[k]);
    add_series(sum, d);
}

static void add_directions(struct direction sum[DIR_COUNT], struct direction dir[DIR_COUNT])
{
    for (int d = 0; d < DIR_COUNT; d++)
        add_direction(&sum[d], &dir[d]);
}

/* Counts that both know. */
static void add_counts(const struct field_set *set, void *to, const void *from)
{
    for (size_t f = 0; f < set->n; f++) {
        if (set->field[f].type == FIELD_U64 && field_is_known(set, to, f) &&
            field_is_known(set, from, f))
            field_set_u64(set, to, f, field_get_u64(set, to, f) + field_get_u64(set, from, f));
    }
}

/*
 * A volume that did not answer in every round has its own, shorter time. Histograms of it are those of
 * one round, and are left out.
 */
static void add_volumes(struct cell *sum, const struct cell *round)
{
    for (size_t i = 0; i < sum->n_volumes; i++) {
        struct volume_stat *to = &sum->volume[i];
        field_forget(&volume_stat_fields, to, VOLUME_STAT_read_hist);
        field_forget(&volume_stat_fields, to, VOLUME_STAT_write_hist);
        for (size_t k = 0; k < round->n_volumes; k++) {
            const struct volume_stat *from = &round->volume[k];
            if (strcmp(to->name, from->name) != 0)
                continue;
            add_counts(&volume_stat_fields, to, from);
            SET(to, VOLUME_STAT, queue, from->queue);
        }
    }
}

/* The same devices in every round: what the kernel counted adds up. */
static void add_disks(struct cell *sum, const struct cell *round)
{
    for (size_t i = 0; i < sum->n_disks && i < round->n_disks; i++) {
        struct disk_stat *to = &sum->disk[i];
        const struct disk_stat *from = &round->disk[i];
        add_counts(&disk_stat_fields, to, from);
        if (IS_KNOWN(to, DISK_STAT, util) && IS_KNOWN(from, DISK_STAT, util))
            to->util = mean_of_two(to->util, (double)sum->runtime_ns, from->util,
                                   (double)round->runtime_ns);
    }
}

/* Means over the time, of what both know. */
static void add_means(struct cell *sum, const struct cell *round)
{
    static const size_t mean[] = {CELL_depth_reached, CELL_little_ratio, CELL_steal};
    for (size_t i = 0; i < sizeof mean / sizeof *mean; i++) {
        if (!field_is_known(&cell_fields, sum, mean[i]) ||
            !field_is_known(&cell_fields, round, mean[i]))
            continue;
        double v =
            mean_of_two(field_get_f64(&cell_fields, sum, mean[i]), (double)sum->runtime_ns,
                        field_get_f64(&cell_fields, round, mean[i]), (double)round->runtime_ns);
        field_set_f64(&cell_fields, sum, mean[i], v);
    }
}

static void add_cpu(struct cell *sum, const struct cell *round)
{
    static const size_t count[] = {CELL_user_ns, CELL_system_ns, CELL_nvcsw, CELL_nivcsw};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
        if (field_is_known(&cell_fields, sum, count[i]) &&
            field_is_known(&cell_fields, round, count[i]))
            field_set_u64(&cell_fields, sum, count[i],
                          field_get_u64(&cell_fields, sum, count[i]) +
                              field_get_u64(&cell_fields, round, count[i]));
    }
    if (IS_KNOWN(round, CELL, cpu_util_max) && round->cpu_util_max > sum->cpu_util_max)
        SET(sum, CELL, cpu_util_max, round->cpu_util_max);
    uint64_t ios = 0;
    for (int d = 0; d < DIR_SYNC; d++)
        ios += sum->dir[d].ios;
    if (IS_KNOWN(sum, CELL, user_ns) && IS_KNOWN(sum, CELL, system_ns) && ios)
        SET(sum, CELL, cpu_per_io_ns, (double)(sum->user_ns + sum->system_ns) / (double)ios);
}

static void add_caveats(struct cell *sum, const struct cell *round)
{
    cJSON *list = round->caveats ? cJSON_Parse(round->caveats) : NULL;
    const cJSON *e;
    cJSON_ArrayForEach(e, list)
    {
        if (cJSON_IsString(e))
            cell_add_caveat(sum, e->valuestring);
    }
    cJSON_Delete(list);
}

void window_add(struct cell *sum, struct cell *round)
{
    if (!IS_KNOWN(sum, CELL, status)) {
        *sum = *round;
        *round = (struct cell){0};
        sum->id = 0;
        UNSET(sum, CELL, round);
        return;
    }
    add_disks(sum, round);
    add_volumes(sum, round);
    add_means(sum, round);
    add_directions(sum->dir, round->dir);
    for (size_t i = 0; i < sum->n_parts && i < round->n_parts; i++)
        add_directions(sum->part[i].dir, round->part[i].dir);
    add_cpu(sum, round);
    add_caveats(sum, round);
    SET(sum, CELL, runtime_ns, sum->runtime_ns + round->runtime_ns);
}
