/*
 * The words of cap lines, which stand on the line itself. Lines too close for words between them
 * have theirs as one block, in the order of the lines: the upper ones above all, the others below.
 */
#include <math.h>

#include "core/base/xalloc.h"
#include "report/chart/chart_internal.h"

/* From a line to the baseline of words on it: close, or clear of the marks on it. Under it likewise. */
static const double offset[] = {-6, 14.5, -10, 18.5};
#define OFFSETS (sizeof offset / sizeof *offset)

static const double along[] = {0.5, 0.35, 0.65, 0.2, 0.8};
#define ALONGS (sizeof along / sizeof *along)

#define UPRIGHT_LEAST 20.0 /* a shorter line cannot be told from a point */
#define FLAT          0.02 /* an angle */
#define CLOSE         20.0 /* lines with less between them have no room for words there */
#define LEADING       15.0 /* between the lines of a block */
#define LOWER         14.0 /* where marks are just under a line */
#define MOST_CLOSE    6    /* lines of a block */

#define MOST_PLACES 40

static bool is_strong(const struct cap *c)
{
    return c->strong || c->style == CAP_BINDING;
}

static struct text words_of(const struct view *v, const struct cap *c, const char *text)
{
    return (struct text){.text = scene_fit(v->k->s, text, 12, 600, v->x1 - v->x0),
                         .weight = is_strong(c) ? 600 : 400,
                         .colour = c->text_colour};
}

/* Along p..q: flat lines from the right end, slanted ones in the middle, upright ones at the top. */
static size_t places_on(const struct view *v, bool strong, struct point p, struct point q,
                        struct text *out)
{
    size_t n = 0;
    if (fabs(q.x - p.x) < 1) {
        double step = fmax(16, 2 * (v->y1 - v->y0) / MOST_PLACES);
        for (double y = v->y0 + 12; y < v->y1 && n + 2 <= MOST_PLACES; y += step) {
            out[n++] = place_at(v, p.x + 8, y, ANCHOR_START, 0);
            out[n++] = place_at(v, p.x - 8, y, ANCHOR_END, 0);
        }
        return n;
    }
    double angle = atan2(q.y - p.y, q.x - p.x), c = cos(angle), s = sin(angle);
    bool flat = fabs(angle) < FLAT;
    for (size_t i = strong ? 2 : 0; i < OFFSETS; i++) {
        if (flat) {
            out[n++] = place_at(v, q.x - 6, q.y + offset[i], ANCHOR_END, 0);
            out[n++] = place_at(v, p.x + 8, p.y + offset[i], ANCHOR_START, 0);
        }
        for (size_t k = 0; k < ALONGS; k++) {
            double x = p.x + along[k] * (q.x - p.x), y = p.y + along[k] * (q.y - p.y);
            out[n++] = place_at(v, x - offset[i] * s, y + offset[i] * c, ANCHOR_MIDDLE,
                                flat ? 0 : angle * 180 / M_PI);
        }
    }
    return n;
}

static double length_of(struct point p, struct point q)
{
    return hypot(q.x - p.x, q.y - p.y);
}

/* The longest visible segment that is shorter than `below` and has room for the words; its length. */
static double longest_segment(const struct view *v, const struct cap *c, double room, double below,
                              struct point *from, struct point *to)
{
    double longest = 0;
    for (size_t i = 1; i < c->n; i++) {
        struct point p = view_at(v, c->point[i - 1].x, c->point[i - 1].y);
        struct point q = view_at(v, c->point[i].x, c->point[i].y);
        if (!clip_to_plot(v, &p, &q))
            continue;
        double least = fabs(q.x - p.x) < 1 ? UPRIGHT_LEAST : room;
        if (length_of(p, q) < least || length_of(p, q) >= below || length_of(p, q) <= longest)
            continue;
        longest = length_of(p, q);
        *from = p;
        *to = q;
    }
    return longest;
}

static bool label_with(const struct view *v, const struct cap *c, const char *text)
{
    const struct text words = words_of(v, c, text);
    double room = scene_text_width(v->k->s, &words) + 4, below = INFINITY;
    struct point from = {0, 0}, to = {0, 0};
    while ((below = longest_segment(v, c, room, below, &from, &to)) > 0) {
        struct text place[MOST_PLACES];
        size_t n = places_on(v, is_strong(c), from, to, place);
        if (labels_place(&v->k->labels, &words, place, n))
            return true;
    }
    return false;
}

/* A bent line has no room along it: its words stand where it leaves the plot. */
static void label_bent(const struct view *v, const struct cap *c)
{
    struct point end = {NAN, NAN};
    for (size_t i = 1; i < c->n; i++) {
        struct point p = view_at(v, c->point[i - 1].x, c->point[i - 1].y);
        struct point q = view_at(v, c->point[i].x, c->point[i].y);
        if (clip_to_plot(v, &p, &q))
            end = q;
    }
    if (!c->label || isnan(end.x))
        return;
    const struct text place[] = {
        place_at(v, end.x - 8, end.y + 12, ANCHOR_END, 0),
        place_at(v, end.x + 8, end.y + 12, ANCHOR_START, 0),
        place_at(v, end.x - 18, end.y + 28, ANCHOR_END, 0),
    };
    labels_place(&v->k->labels, &(struct text){.text = c->label, .colour = c->text_colour}, place,
                 sizeof place / sizeof *place);
}

static void label_cap(const struct view *v, const struct cap *c)
{
    if (c->style == CAP_IDEAL) {
        label_bent(v, c);
        return;
    }
    if (!c->label)
        return;
    bool is_cut = strcmp(words_of(v, c, c->label).text, c->label) != 0;
    bool done = !(is_cut && c->brief) && label_with(v, c, c->label);
    if (!done && c->brief)
        label_with(v, c, c->brief);
}

/* ---- lines close to each other ---- */

/* A line that wants words: its longest visible piece that has room for them. */
struct lane {
    const struct cap *c;
    struct point p, q;
    struct text words;
    double room;
    bool is_there; /* there is such a piece */
    bool done;     /* its words are placed */
};

static bool find_lane(const struct view *v, const struct cap *c, struct lane *out)
{
    if (!c->label || c->style == CAP_IDEAL)
        return false;
    *out = (struct lane){.c = c};
    const char *const text[] = {c->label, c->brief};
    for (int i = 0; i < 2 && text[i]; i++) {
        out->words = words_of(v, c, text[i]);
        out->room = scene_text_width(v->k->s, &out->words) + 4;
        if (longest_segment(v, c, out->room, INFINITY, &out->p, &out->q) > 0)
            return out->q.x - out->p.x >= 1;
    }
    return false;
}

static double angle_of(const struct lane *l)
{
    return atan2(l->q.y - l->p.y, l->q.x - l->p.x);
}

static double level_at(const struct lane *l, double x)
{
    return l->p.y + (x - l->p.x) * (l->q.y - l->p.y) / (l->q.x - l->p.x);
}

/* Beside each other for the length of their words, with no room for words between them. */
static bool are_close(const struct lane *a, const struct lane *b)
{
    double from = fmax(a->p.x, b->p.x), to = fmin(a->q.x, b->q.x), x = (from + to) / 2;
    double slope = cos(angle_of(a));
    return fabs(angle_of(a) - angle_of(b)) < FLAT &&
           (to - from) / slope >= fmax(a->room, b->room) &&
           fabs(level_at(a, x) - level_at(b, x)) * slope < CLOSE;
}

/* All that are close to lane i, or to one that is: the upper ones first. 0 when they are too many. */
static size_t find_bundle(struct lane *lane, size_t n, size_t i, struct lane **member)
{
    size_t m = 0;
    member[m++] = &lane[i];
    for (size_t k = 0; k < m; k++)
        for (size_t j = 0; j < n; j++) {
            bool known = lane[j].done || !lane[j].is_there;
            for (size_t o = 0; o < m; o++)
                known = known || member[o] == &lane[j];
            if (known || !are_close(member[k], &lane[j]))
                continue;
            if (m == MOST_CLOSE)
                return 0;
            size_t at = m++;
            member[at] = &lane[j];
        }
    double x = (lane[i].p.x + lane[i].q.x) / 2;
    for (size_t a = 1; a < m; a++)
        for (size_t b = a; b > 0 && level_at(member[b], x) < level_at(member[b - 1], x); b--) {
            struct lane *swap = member[b];
            member[b] = member[b - 1];
            member[b - 1] = swap;
        }
    return m;
}

/*
 * Words of m lanes at x, the first `above` of them over the topmost line, the others under the last
 * and `lower` by so much.
 */
static void block_at(const struct view *v, struct lane *const *member, size_t m, size_t above,
                     double lower, double x, enum anchor anchor, struct text *out)
{
    double angle = angle_of(member[0]), turn = fabs(angle) < FLAT ? 0 : angle * 180 / M_PI;
    size_t near = 0;
    for (size_t i = 0; i < m; i++)
        near = is_strong(member[i]->c) ? 2 : near;
    for (size_t i = 0; i < m; i++) {
        const struct lane *by = i < above ? member[0] : member[m - 1];
        double away = i < above ? offset[near] - LEADING * (double)(above - 1 - i)
                                : offset[near + 1] + lower + LEADING * (double)(i - above);
        out[i] =
            place_at(v, x - away * sin(angle), level_at(by, x) + away * cos(angle), anchor, turn);
    }
}

static bool label_bundle(const struct view *v, struct lane *const *member, size_t m)
{
    double from = -INFINITY, to = INFINITY;
    struct text words[MOST_CLOSE];
    for (size_t i = 0; i < m; i++) {
        from = fmax(from, member[i]->p.x);
        to = fmin(to, member[i]->q.x);
        words[i] = member[i]->words;
    }
    struct text place[2 * (MOST_CLOSE + 1) * (ALONGS + 2) * MOST_CLOSE], *next = place;
    bool flat = fabs(angle_of(member[0])) < FLAT;
    for (size_t k = 0; k < 2 * (m + 1); k++) {
        /* as many above as below, then more above, then more below; then under marks on the lines */
        size_t half = (m + 1) / 2, turn = k % (m + 1);
        size_t above = turn <= m - half ? half + turn : m - turn;
        double lower = k > m ? LOWER : 0;
        if (flat) {
            block_at(v, member, m, above, lower, to - 6, ANCHOR_END, next);
            block_at(v, member, m, above, lower, from + 8, ANCHOR_START, next + m);
            next += 2 * m;
        }
        for (size_t i = 0; i < ALONGS; i++, next += m)
            block_at(v, member, m, above, lower, from + along[i] * (to - from), ANCHOR_MIDDLE,
                     next);
    }
    size_t n = (size_t)(next - place) / m;
    return labels_place_block(&v->k->labels, words, m, place, n) < n;
}

/* Those of lane i and of what is close to it, when there is such a thing and room for them. */
static void label_close(const struct view *v, struct lane *lane, size_t n, size_t i)
{
    struct lane *member[MOST_CLOSE];
    size_t m = find_bundle(lane, n, i, member);
    if (m < 2 || !label_bundle(v, member, m))
        return;
    for (size_t k = 0; k < m; k++)
        member[k]->done = true;
}

/* Binding caps first: where room is short, theirs are the words that matter. */
void caps_label(const struct view *v)
{
    const struct panel *p = v->p;
    struct lane *lane = xcalloc(p->n_caps + 1, sizeof *lane);
    for (size_t i = 0; i < p->n_caps; i++)
        lane[i].is_there = find_lane(v, &p->cap[i], &lane[i]);
    for (int strong = 1; strong >= 0; strong--)
        for (size_t i = 0; i < p->n_caps; i++) {
            if (lane[i].done || is_strong(&p->cap[i]) != (strong == 1))
                continue;
            if (lane[i].is_there)
                label_close(v, lane, p->n_caps, i);
            if (!lane[i].done)
                label_cap(v, &p->cap[i]);
            lane[i].done = true;
        }
    free(lane);
}
