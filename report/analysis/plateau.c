#include "report/analysis/analysis.h"

#include <math.h>

#include "core/base/xalloc.h"
#include "core/stats/sample_stats.h"

#define HUBER  1.5
#define MIN_SE 0.01
/* A shape that misses a block size by more says nothing about it. */
#define MAX_MISS 0.25
#define KiB      1024.0

static const double counted_sizes[] = {0, 16 * KiB, 256 * KiB};
static const double alias_sizes[] = {16 * KiB, 64 * KiB, 128 * KiB, 256 * KiB};

struct fit {
    const struct plateau_column *c;
    size_t n;
    double *y; /* ln iops */
    double *work;
    struct plateau best;
    double bic[PLATEAU_SOFT + 1]; /* lowest of each model */
};

/* How many I/Os one of this size counts as. */
static double counted(double bs, double io_size)
{
    return io_size > 0 ? fmax(1, ceil(bs / io_size)) : 1;
}

static double huber(double error, double scale)
{
    double a = fabs(error) / scale;
    return a <= HUBER ? a * a / 2 : HUBER * a - HUBER * HUBER / 2;
}

static double predict(const struct plateau *p, double bs)
{
    double by_iops = p->iops / counted(bs, p->io_size);
    double by_bytes = p->bw / bs;
    switch (p->model) {
    case PLATEAU_IOPS:
        return by_iops;
    case PLATEAU_BW:
        return by_bytes;
    case PLATEAU_BOTH:
        return fmin(by_iops, by_bytes);
    default:
        return 1 / (1 / p->iops + bs / p->bw);
    }
}

/* Rates the candidate; parameters = number of free ones. */
static void consider(struct fit *f, struct plateau p, double parameters)
{
    double loss = 0;
    for (size_t i = 0; i < f->n; i++)
        loss += huber(f->y[i] - log(predict(&p, f->c[i].bs)), fmax(f->c[i].se, MIN_SE));
    p.bic = 2 * loss + parameters * log((double)f->n);
    f->bic[p.model] = fmin(f->bic[p.model], p.bic);
    if (f->best.model == PLATEAU_NONE || p.bic < f->best.bic)
        f->best = p;
}

/* Median over columns from..to-1 of the ceiling each of them would mean. */
static double ceiling(struct fit *f, size_t from, size_t to, bool bytes, double io_size)
{
    for (size_t i = from; i < to; i++) {
        double per_io = bytes ? f->c[i].bs : counted(f->c[i].bs, io_size);
        f->work[i - from] = f->y[i] + log(per_io);
    }
    return exp(stat_median(f->work, to - from));
}

/* Weighted least squares of 1/X = 1/C + bs/B, errors relative to 1/X. */
static bool soft_fit(const struct fit *f, struct plateau *p)
{
    double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0;
    for (size_t i = 0; i < f->n; i++) {
        double a = f->c[i].iops, b = f->c[i].bs * f->c[i].iops;
        aa += a * a;
        ab += a * b;
        bb += b * b;
        a1 += a;
        b1 += b;
    }
    double det = aa * bb - ab * ab;
    double per_io = (a1 * bb - b1 * ab) / det, per_byte = (b1 * aa - a1 * ab) / det;
    if (!(per_io > 0 && per_byte > 0) || !isfinite(per_io) || !isfinite(per_byte))
        return false;
    *p = (struct plateau){.model = PLATEAU_SOFT, .iops = 1 / per_io, .bw = 1 / per_byte};
    return true;
}

static void consider_all(struct fit *f)
{
    for (size_t a = 0; a < sizeof counted_sizes / sizeof *counted_sizes; a++) {
        double io_size = counted_sizes[a], extra = io_size > 0 ? 1 : 0;
        struct plateau p = {.model = PLATEAU_IOPS, .bw = NAN, .io_size = io_size};
        p.iops = ceiling(f, 0, f->n, false, io_size);
        consider(f, p, 1 + extra);
        p.model = PLATEAU_BOTH;
        for (size_t k = 1; k < f->n; k++) {
            p.iops = ceiling(f, 0, k, false, io_size);
            p.bw = ceiling(f, k, f->n, true, io_size);
            consider(f, p, 2 + extra);
        }
    }
    struct plateau bytes = {.model = PLATEAU_BW, .iops = NAN};
    bytes.bw = ceiling(f, 0, f->n, true, 0);
    consider(f, bytes, 1);
    struct plateau soft;
    if (soft_fit(f, &soft))
        consider(f, soft, 2);
}

/* The column that the model misses by most, |ln|. */
static double worst_miss(const struct fit *f)
{
    double worst = 0;
    for (size_t i = 0; i < f->n; i++)
        worst = fmax(worst, fabs(f->y[i] - log(predict(&f->best, f->c[i].bs))));
    return worst;
}

static double alias_of(const struct plateau *p)
{
    for (size_t i = 0; i < sizeof alias_sizes / sizeof *alias_sizes; i++) {
        if (p->model == PLATEAU_BOTH && fabs(p->knee_bs / alias_sizes[i] - 1) <= 0.02)
            return alias_sizes[i];
    }
    return 0;
}

void plateau_fit(const struct plateau_column *c, size_t n, struct plateau *out)
{
    *out = (struct plateau){.iops = NAN, .bw = NAN, .knee_bs = NAN, .bic = NAN, .margin = NAN};
    if (n < 3)
        return;
    struct fit f = {.c = c, .n = n};
    for (size_t i = 0; i <= PLATEAU_SOFT; i++)
        f.bic[i] = INFINITY;
    f.y = xmalloc(n * sizeof *f.y);
    f.work = xmalloc(n * sizeof *f.work);
    for (size_t i = 0; i < n; i++)
        f.y[i] = log(c[i].iops);
    consider_all(&f);
    if (worst_miss(&f) <= MAX_MISS) {
        *out = f.best;
        out->knee_bs = out->bw / out->iops;
        out->alias_io_size = alias_of(out);
        f.bic[out->model] = INFINITY;
        out->margin = INFINITY;
        for (size_t i = 0; i <= PLATEAU_SOFT; i++)
            out->margin = fmin(out->margin, f.bic[i] - out->bic);
    }
    free(f.work);
    free(f.y);
}
