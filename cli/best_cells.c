#include "cli/best_cells.h"

#include <math.h>

#include "core/base/xalloc.h"

/* Less of a difference in bandwidth is none. */
#define AS_GOOD 0.99

/* A cell and what it stands for; those that differ in depth, jobs and repeat only are rivals. */
struct point {
    int64_t id;
    size_t order; /* as added */
    size_t device;
    uint64_t rw, mix, bs, iodepth, numjobs;
    double bw; /* bytes/s; NaN unknown */
};

struct best_cells {
    struct point *point;
    size_t n, room;
    size_t n_added;
    int64_t *id;
    bool curves;
};

struct best_cells *best_cells_create(bool curves)
{
    struct best_cells *b = xcalloc(1, sizeof *b);
    b->curves = curves;
    return b;
}

void best_cells_destroy(struct best_cells *b)
{
    if (!b)
        return;
    free(b->point);
    free(b->id);
    free(b);
}

void best_cells_add(struct best_cells *b, const struct cell *cell)
{
    size_t order = b->n_added++;
    if (b->curves && cell_is_rate_limited(cell))
        return;
    GROW(b->point, b->n + 1, b->room);
    b->point[b->n++] =
        (struct point){.id = cell->id,
                       .order = order,
                       .device = cell->n_devices > 1 ? SIZE_MAX
                                 : cell->n_devices   ? *cell->device
                                                     : 0,
                       .rw = cell->key.rw,
                       .mix = IS_KNOWN(&cell->key, CELL_KEY, rwmixread) ? cell->key.rwmixread : 0,
                       .bs = cell->key.bs,
                       .iodepth = cell->key.iodepth,
                       .numjobs = cell->key.numjobs,
                       .bw = cell_bw(cell)};
}

size_t best_cells_count(const struct best_cells *b)
{
    return b->n_added;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_rivals(const struct point *a, const struct point *b)
{
    int rc = compare(a->device, b->device);
    rc = rc ? rc : compare(a->rw, b->rw);
    rc = rc ? rc : compare(a->mix, b->mix);
    return rc ? rc : compare(a->bs, b->bs);
}

static int by_load(const struct point *a, const struct point *b)
{
    int rc = by_rivals(a, b);
    rc = rc ? rc : compare(a->iodepth, b->iodepth);
    return rc ? rc : compare(a->numjobs, b->numjobs);
}

/* Loads one after another, the shallow before the deep; repeats by bandwidth, unknown ones first. */
static int by_bandwidth(const void *left, const void *right)
{
    const struct point *a = left, *b = right;
    int rc = by_load(a, b);
    if (rc == 0 && isnan(a->bw) != isnan(b->bw))
        rc = isnan(a->bw) ? -1 : 1;
    if (rc == 0 && !isnan(a->bw))
        rc = (a->bw > b->bw) - (a->bw < b->bw);
    return rc ? rc : compare(a->order, b->order);
}

/* The median of n repeats in order of bandwidth; those without one count only when all are so. */
static struct point median(const struct point *repeat, size_t n)
{
    size_t unknown = 0;
    while (unknown < n && isnan(repeat[unknown].bw))
        unknown++;
    if (unknown == n)
        unknown = 0;
    return repeat[unknown + (n - unknown - 1) / 2];
}

/* Each load's repeats become their median. */
static void join_repeats(struct best_cells *b)
{
    size_t kept = 0;
    qsort(b->point, b->n, sizeof *b->point, by_bandwidth);
    for (size_t i = 0, end; i < b->n; i = end) {
        for (end = i + 1; end < b->n && by_load(&b->point[i], &b->point[end]) == 0;)
            end++;
        b->point[kept++] = median(&b->point[i], end - i);
    }
    b->n = kept;
}

/* Of n rivals, the shallow before the deep, the first that is as good as the best. */
static int64_t best(const struct point *rival, size_t n)
{
    double most = NAN;
    size_t chosen = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, rival[i].bw);
    while (!isnan(most) && !(rival[chosen].bw >= most * AS_GOOD))
        chosen++;
    return rival[chosen].id;
}

const int64_t *best_cells_choose(struct best_cells *b, size_t *n)
{
    *n = 0;
    if (b->n)
        join_repeats(b);
    b->id = xrealloc(b->id, b->n, sizeof *b->id);
    for (size_t i = 0, end; i < b->n; i = end) {
        for (end = i + 1; end < b->n && by_rivals(&b->point[i], &b->point[end]) == 0;)
            end++;
        b->id[(*n)++] = best(&b->point[i], end - i);
    }
    return b->id;
}
