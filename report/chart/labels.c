/*
 * Placing words. Every text that could meet another goes through here: a candidate position is
 * possible when it covers no mark and no other text and stays in the frame; among the possible ones
 * the one that crosses the fewest lines wins, then the earlier one.
 */
#include <math.h>

#include "core/base/xalloc.h"
#include "report/chart/chart_internal.h"

#define WORD_GAP 3.0 /* between two texts */
#define MARK_GAP 1.5 /* between a text and a mark */

static struct obstacle *add_obstacle(struct labeller *l)
{
    GROW(l->obstacle, l->n + 1, l->room);
    return &l->obstacle[l->n++];
}

void labels_avoid_dot(struct labeller *l, double x, double y, double r)
{
    *add_obstacle(l) = (struct obstacle){{x, y}, {x, y}, r, true};
}

void labels_avoid_bar(struct labeller *l, double x, double y0, double y1, double half)
{
    *add_obstacle(l) = (struct obstacle){{x, y0}, {x, y1}, half, true};
}

void labels_avoid_line(struct labeller *l, struct point a, struct point b)
{
    if (isnan(a.y) || isnan(b.y) || isnan(a.x) || isnan(b.x))
        return;
    *add_obstacle(l) = (struct obstacle){a, b, 0, false};
}

/* Part of the way from p to q (in one coordinate) that lies within -half..half. */
static bool clip(double p, double q, double half, double *from, double *to)
{
    double d = q - p;
    if (fabs(d) < 1e-12)
        return fabs(p) < half;
    double t1 = (-half - p) / d, t2 = (half - p) / d;
    *from = fmax(*from, fmin(t1, t2));
    *to = fmin(*to, fmax(t1, t2));
    return *from < *to;
}

static bool covers(const struct text_box *b, const struct obstacle *o)
{
    double grow = o->hard ? o->radius + MARK_GAP : 0;
    double reach = b->half_w + b->half_h + grow;
    if (fmin(o->a.x, o->b.x) > b->cx + reach || fmax(o->a.x, o->b.x) < b->cx - reach ||
        fmin(o->a.y, o->b.y) > b->cy + reach || fmax(o->a.y, o->b.y) < b->cy - reach)
        return false;
    double a = -b->angle * M_PI / 180, c = cos(a), s = sin(a);
    double px = (o->a.x - b->cx) * c - (o->a.y - b->cy) * s;
    double py = (o->a.x - b->cx) * s + (o->a.y - b->cy) * c;
    double qx = (o->b.x - b->cx) * c - (o->b.y - b->cy) * s;
    double qy = (o->b.x - b->cx) * s + (o->b.y - b->cy) * c;
    double from = 0, to = 1;
    return clip(px, qx, b->half_w + grow, &from, &to) && clip(py, qy, b->half_h + grow, &from, &to);
}

bool labels_line_meets_words(const struct labeller *l, struct point a, struct point b)
{
    const struct obstacle line = {a, b, 0, false};
    for (size_t i = 0; i < scene_n_text_boxes(l->s); i++)
        if (covers(scene_text_box_at(l->s, i), &line))
            return true;
    return false;
}

/* Lines crossed, or -1 when the text cannot stand there. */
static double cost_at(const struct labeller *l, const struct text *t)
{
    struct text_box box = scene_text_box(l->s, t);
    if (!text_box_inside(&box, l->x0, l->y0, l->x1 - l->x0, l->y1 - l->y0))
        return -1;
    for (size_t i = 0; i < scene_n_text_boxes(l->s); i++)
        if (text_boxes_overlap(&box, scene_text_box_at(l->s, i), WORD_GAP))
            return -1;
    double cost = 0;
    for (size_t i = 0; i < l->n; i++) {
        if (!covers(&box, &l->obstacle[i]))
            continue;
        if (l->obstacle[i].hard)
            return -1;
        cost++;
    }
    return cost;
}

static struct text moved(const struct text *t, const struct text *to)
{
    struct text m = *t;
    m.x = to->x;
    m.y = to->y;
    m.anchor = to->anchor;
    m.halo = to->halo;
    m.angle = to->angle;
    return m;
}

size_t labels_place_block(struct labeller *l, const struct text *line, size_t n_lines,
                          const struct text *place, size_t n)
{
    double best_cost = INFINITY;
    size_t best = n;
    for (size_t i = 0; i < n && best_cost > 0; i++) {
        double sum = 0;
        for (size_t k = 0; k < n_lines && sum >= 0; k++) {
            struct text t = moved(&line[k], &place[i * n_lines + k]);
            double cost = cost_at(l, &t);
            sum = cost < 0 ? -1 : sum + cost;
        }
        if (sum >= 0 && sum < best_cost) {
            best_cost = sum;
            best = i;
        }
    }
    for (size_t k = 0; k < n_lines && best < n; k++) {
        struct text t = moved(&line[k], &place[best * n_lines + k]);
        scene_text(l->s, &t);
    }
    return best;
}

size_t labels_place_lines(struct labeller *l, const struct text *line, size_t n_lines, double dy,
                          const struct text *candidate, size_t n)
{
    struct text *place = xcalloc(n * n_lines + 1, sizeof *place);
    for (size_t i = 0; i < n * n_lines; i++) {
        place[i] = candidate[i / n_lines];
        place[i].y += (double)(i % n_lines) * dy;
    }
    size_t best = labels_place_block(l, line, n_lines, place, n);
    free(place);
    return best;
}

bool labels_place(struct labeller *l, const struct text *t, const struct text *candidate, size_t n)
{
    return labels_place_lines(l, t, 1, 0, candidate, n) < n;
}

/* A run of labels that touch, and where its middle wants to be. */
struct cluster {
    double want; /* mean of the wished places */
    size_t first, n;
};

/* Of equal ones the later is above: series come in rising order, p50 before p99, QD 1 before QD 64. */
static int by_y(const void *a, const void *b)
{
    const double *p = *(double *const *)a, *q = *(double *const *)b;
    return *p > *q ? 1 : *p < *q ? -1 : (p < q) - (p > q);
}

static double clamp(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

static double middle_of(const struct cluster *c, double gap, double lo, double hi)
{
    double half = (double)(c->n - 1) * gap / 2;
    return clamp(c->want, lo + half, hi - half);
}

double labels_push_apart(double *y, size_t n, double gap, double lo, double hi)
{
    double **order = xcalloc(n ? n : 1, sizeof *order);
    struct cluster *c = xcalloc(n ? n : 1, sizeof *c);
    for (size_t i = 0; i < n; i++)
        order[i] = &y[i];
    qsort(order, n, sizeof *order, by_y);
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        c[m++] = (struct cluster){*order[i], i, 1};
        while (m > 1) {
            struct cluster *a = &c[m - 2], *b = &c[m - 1];
            double apart = middle_of(b, gap, lo, hi) - middle_of(a, gap, lo, hi);
            if (apart >= (double)(a->n + b->n) * gap / 2)
                break;
            a->want = (a->want * (double)a->n + b->want * (double)b->n) / (double)(a->n + b->n);
            a->n += b->n;
            m--;
        }
    }
    double sum = 0;
    for (size_t k = 0; k < m; k++) {
        double at = middle_of(&c[k], gap, lo, hi) - (double)(c[k].n - 1) * gap / 2;
        for (size_t i = 0; i < c[k].n; i++, at += gap) {
            sum += fabs(*order[c[k].first + i] - at);
            *order[c[k].first + i] = at;
        }
    }
    free(c);
    free(order);
    return sum;
}
