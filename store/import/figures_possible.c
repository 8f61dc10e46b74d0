/* What no storage and no program can have done, whatever the format said it. */
#include <stdarg.h>
#include <stdio.h>

#include "core/base/numfmt.h"
#include "store/import/figures.h"

/* Kernel and engines stop far below: 65,536 requests of libaio in a whole system, 4,096 jobs of fio. */
#define IN_FLIGHT_MAX 1000000
#define BS_MAX        (UINT64_C(1) << 40)
#define IOPS_MAX      1e11
#define BW_MAX        1e16
#define RAMP_MAX_NS   3600e9

/* Some formats have whole us; bins of fio are 1/64 wide, times that it prints for people are cut to whole units. */
#define SLACK_NS    1000
#define MEAN_SLACK  0.02
#define ABOVE_SLACK 0.1
#define BELOW_SLACK 0.5

struct teller {
    figures_say *say;
    void *self;
};

__attribute__((format(printf, 2, 3))) static void tell(const struct teller *t, const char *format,
                                                       ...)
{
    char words[256];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (t->say)
        t->say(t->self, words);
}

static void drop_count(struct cell_key *key, size_t field, uint64_t v, uint64_t most,
                       const struct teller *t)
{
    char count[NUMFMT_MAX];
    if (!field_is_known(&cell_key_fields, key, field) || (v > 0 && v <= most))
        return;
    tell(t, "%s of %s left unknown", cell_key_fields.field[field].name, fmt_count(count, v));
    field_forget(&cell_key_fields, key, field);
}

static void drop_settings(struct cell_key *key, const struct teller *t)
{
    drop_count(key, CELL_KEY_iodepth, key->iodepth, IN_FLIGHT_MAX, t);
    drop_count(key, CELL_KEY_numjobs, key->numjobs, IN_FLIGHT_MAX, t);
    drop_count(key, CELL_KEY_bs, key->bs, BS_MAX, t);
    drop_count(key, CELL_KEY_bs_write, key->bs_write, BS_MAX, t);
}

static void drop_rate(struct direction *d, size_t field, double v, double most, const char *dir,
                      const struct teller *t)
{
    if (!field_is_known(&direction_fields, d, field) || (v >= 0 && v <= most))
        return;
    tell(t, "%s: %s of %g left unknown", dir, direction_fields.field[field].name, v);
    field_forget(&direction_fields, d, field);
}

static void drop_range(struct direction *d, size_t min, size_t max, double lo, double hi,
                       const char *dir, const struct teller *t)
{
    if (!field_is_known(&direction_fields, d, min) || !field_is_known(&direction_fields, d, max) ||
        lo <= hi)
        return;
    tell(t, "%s: %s of %g above %s of %g: both left unknown", dir, direction_fields.field[min].name,
         lo, direction_fields.field[max].name, hi);
    field_forget(&direction_fields, d, min);
    field_forget(&direction_fields, d, max);
}

static void drop_rates(struct direction *d, const char *dir, const struct teller *t)
{
    char shorts[NUMFMT_MAX], ios[NUMFMT_MAX];
    drop_rate(d, DIRECTION_iops, d->iops, IOPS_MAX, dir, t);
    drop_rate(d, DIRECTION_bw, d->bw, BW_MAX, dir, t);
    if (IS_KNOWN(d, DIRECTION, runtime_ns) && d->runtime_ns == 0 && d->iops > 0 &&
        IS_KNOWN(d, DIRECTION, iops)) {
        tell(t, "%s: runtime of 0 with I/Os per second left unknown", dir);
        UNSET(d, DIRECTION, runtime_ns);
    }
    drop_range(d, DIRECTION_iops_min, DIRECTION_iops_max, d->iops_min, d->iops_max, dir, t);
    drop_range(d, DIRECTION_bw_min, DIRECTION_bw_max, d->bw_min, d->bw_max, dir, t);
    if (IS_KNOWN(d, DIRECTION, short_ios) && IS_KNOWN(d, DIRECTION, ios) && d->short_ios > d->ios) {
        tell(t, "%s: %s short I/Os of %s left unknown", dir, fmt_count(shorts, d->short_ios),
             fmt_count(ios, d->ios));
        UNSET(d, DIRECTION, short_ios);
    }
}

/* fio waits at the end for what is in flight, and the time counts on; a ramp before it does not count. */
static void drop_too_long(struct lat *l, const struct direction *d, const char *what,
                          const struct teller *t)
{
    char max[NUMFMT_MAX], ran[NUMFMT_MAX];
    if (!IS_KNOWN(l, LAT_F, max) || !IS_KNOWN(d, DIRECTION, runtime_ns) ||
        (double)l->max <= 10 * (double)d->runtime_ns + RAMP_MAX_NS)
        return;
    tell(t, "%s: largest of %s in a run of %s left unknown", what, fmt_duration(max, l->max),
         fmt_duration(ran, d->runtime_ns));
    UNSET(l, LAT_F, max);
}

static void drop_extremes(struct lat *l, const char *what, const struct teller *t)
{
    char min[NUMFMT_MAX], max[NUMFMT_MAX];
    if (!IS_KNOWN(l, LAT_F, min) || !IS_KNOWN(l, LAT_F, max) || l->min <= l->max)
        return;
    tell(t, "%s: smallest of %s above largest of %s: both left unknown", what,
         fmt_latency(min, (double)l->min), fmt_latency(max, (double)l->max));
    UNSET(l, LAT_F, min);
    UNSET(l, LAT_F, max);
}

/* Outside of what was the smallest and the largest, as far as they are known. */
static bool is_outside(const struct lat *l, double ns, double below, double above)
{
    bool low = IS_KNOWN(l, LAT_F, min) && ns < (double)l->min * (1 - below) - SLACK_NS;
    bool high = IS_KNOWN(l, LAT_F, max) && ns > (double)l->max * (1 + above) + SLACK_NS;
    return low || high;
}

static void drop_mean(struct lat *l, const char *what, const struct teller *t)
{
    char mean[NUMFMT_MAX], dev[NUMFMT_MAX];
    if (IS_KNOWN(l, LAT_F, mean) && is_outside(l, l->mean, MEAN_SLACK, MEAN_SLACK)) {
        tell(t, "%s: mean of %s outside smallest and largest: left unknown", what,
             fmt_latency(mean, l->mean));
        UNSET(l, LAT_F, mean);
    }
    if (IS_KNOWN(l, LAT_F, stddev) && IS_KNOWN(l, LAT_F, max) &&
        l->stddev > (double)l->max * (1 + MEAN_SLACK) + SLACK_NS) {
        tell(t, "%s: deviation of %s above the largest: left unknown", what,
             fmt_latency(dev, l->stddev));
        UNSET(l, LAT_F, stddev);
    }
}

/* Which of a list is wrong nobody knows. */
static void drop_percentiles(struct lat *l, const char *what, const struct teller *t)
{
    char one[NUMFMT_MAX], other[NUMFMT_MAX];
    bool good = true;
    for (size_t i = 0; i < l->n_reported && good; i++) {
        const struct lat_point *p = &l->reported[i], *before = i > 0 ? p - 1 : p;
        if (p->ns < before->ns)
            tell(t, "%s: p%g of %s is below p%g of %s: its percentiles left unknown", what, p->p,
                 fmt_latency(one, (double)p->ns), before->p,
                 fmt_latency(other, (double)before->ns));
        else if (is_outside(l, (double)p->ns, BELOW_SLACK, ABOVE_SLACK))
            tell(t, "%s: p%g of %s outside smallest and largest: its percentiles left unknown",
                 what, p->p, fmt_latency(one, (double)p->ns));
        else
            continue;
        good = false;
    }
    if (good)
        return;
    free(l->reported);
    l->reported = NULL;
    l->n_reported = 0;
}

static void drop_of_directions(struct direction *dir, const struct teller *t)
{
    for (int i = 0; i < DIR_COUNT; i++) {
        drop_rates(&dir[i], dir_names[i], t);
        for (int k = 0; k < LAT_KIND_COUNT; k++) {
            struct lat *l = &dir[i].lat[k];
            char what[32];
            snprintf(what, sizeof what, "%s %s", dir_names[i], lat_kind_names[k]);
            drop_extremes(l, what, t);
            drop_too_long(l, &dir[i], what, t);
            drop_mean(l, what, t);
            drop_percentiles(l, what, t);
        }
    }
}

void figures_drop_impossible(struct cell *cell, figures_say *say, void *self)
{
    const struct teller t = {say, self};
    drop_settings(&cell->key, &t);
    drop_of_directions(cell->dir, &t);
    for (size_t i = 0; i < cell->n_parts; i++)
        drop_of_directions(cell->part[i].dir, &t);
}
