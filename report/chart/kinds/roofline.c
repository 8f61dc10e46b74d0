/*
 * Roofline: bandwidth over block size under the caps that are known, or under the ceiling that was
 * seen. An IOPS cap is a diagonal, a byte cap a flat line; where they meet the roof has its knee.
 */
#include <math.h>

#include "report/chart/kinds/kind_internal.h"

#define MiB         1048576.0
#define MOST_DEPTHS 6 /* lines, where there are more than eight depths */
#define PLOT_HEIGHT 364.0

struct roofline {
    struct chart *c;
    struct selection s;
    struct roof *roof;       /* one a curve */
    struct plateau *plateau; /* likewise, where no limit is known */
    uint64_t *bs;
    size_t n_bs;
    double lo, hi;     /* of the drawn bandwidths, MiB/s */
    double x_lo, x_hi; /* bytes: ends of the axis */
};

/* ---- the roof ---- */

/* No limit is known: what the measurements themselves level off at. */
static void draw_plateau(struct roofline *f, struct panel *p, size_t i)
{
    const struct plateau *seen = &f->plateau[i];
    const char *letter = f->s.curve[i].letter;
    const char *lead = letter ? arena_printf(f->c->arena, "%s: l", letter) : "L";
    double knee = seen->model == PLATEAU_BOTH ? seen->knee_bs
                  : seen->model == PLATEAU_BW ? f->x_lo
                                              : f->x_hi;
    if (seen->model == PLATEAU_NONE || seen->model == PLATEAU_SOFT)
        return;
    knee = fmin(fmax(knee, f->x_lo), f->x_hi);
    struct cap line = {.colour = COLOUR_SAME, .text_colour = COLOUR_INK2, .style = CAP_BINDING};
    if (knee > f->x_lo) {
        struct cap *iops = CHART_ADD(f->c, p->cap, p->n_caps);
        *iops = line;
        iops->label =
            arena_printf(f->c->arena, "%sevels off at %s IOPS", lead, say_iops(f->c, seen->iops));
        *CHART_ADD(f->c, iops->point, iops->n) =
            (struct point){f->x_lo, seen->iops * f->x_lo / MiB};
        *CHART_ADD(f->c, iops->point, iops->n) = (struct point){knee, seen->iops * knee / MiB};
    }
    if (knee < f->x_hi) {
        struct cap *bw = CHART_ADD(f->c, p->cap, p->n_caps);
        *bw = line;
        bw->label =
            arena_printf(f->c->arena, "%sevels off at %s MiB/s", lead, say_mib(f->c, seen->bw));
        *CHART_ADD(f->c, bw->point, bw->n) = (struct point){knee, seen->bw / MiB};
        *CHART_ADD(f->c, bw->point, bw->n) = (struct point){f->x_hi, seen->bw / MiB};
    }
}

/* The roof of the first curve brings shade and the caps around it; another one that is the same
 * is not drawn twice. */
static bool is_same_roof(const struct roof *a, const struct roof *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->cap[i].owner != b->cap[i].owner || a->cap[i].kind != b->cap[i].kind ||
            a->cap[i].phase != b->cap[i].phase || a->cap[i].path != b->cap[i].path ||
            a->cap[i].effective != b->cap[i].effective ||
            fabs(a->cap[i].value - b->cap[i].value) > 1e-9 * a->cap[i].value)
            return false;
    return true;
}

static bool is_drawn(const struct roofline *f, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (f->roof[j].n > 0 && is_same_roof(&f->roof[i], &f->roof[j]))
            return true;
    return false;
}

static void draw_roofs(struct roofline *f, struct panel *p)
{
    bool all_same = true;
    for (size_t i = 1; i < f->s.n; i++)
        all_same = all_same && is_same_roof(&f->roof[i], &f->roof[0]);
    for (size_t i = 0; i < f->s.n && f->s.n <= MOST_OVERLAID; i++) {
        if (f->roof[i].n == 0)
            draw_plateau(f, p, i);
        else if (!is_drawn(f, i))
            roof_draw(f->c, p, &f->roof[i], f->x_lo, f->x_hi, i == 0 ? p->y.hi : 0,
                      all_same ? NULL : f->s.curve[i].letter);
    }
}

/* The highest byte cap that is still worth room in the picture: up to four times the roof. */
static double other_caps_top(const struct roofline *f, double top)
{
    double other = 0;
    for (size_t i = 0; i < f->s.n; i++)
        for (size_t j = 0; j < f->roof[i].n; j++) {
            const struct roof_cap *cap = &f->roof[i].cap[j];
            double mib = cap->value_max / MiB;
            if (cap->kind == CAP_BW && !cap->refuted && mib <= 4 * top)
                other = fmax(other, mib);
        }
    return other;
}

/* What the y axis must hold; it adds air of its own. */
static double roof_top(const struct roofline *f)
{
    double top = f->hi;
    for (size_t i = 0; i < f->s.n; i++)
        for (size_t j = 0; j < f->roof[i].n_columns; j++) {
            double bw;
            if (roof_at(&f->roof[i], (double)f->roof[i].column[j].bs, &bw))
                top = fmax(top, bw / MiB);
        }
    return fmax(top, 0.75 * other_caps_top(f, top));
}

static void plateau_strip(struct roofline *f, size_t i)
{
    const struct plateau *seen = &f->plateau[i];
    const struct curve *v = &f->s.curve[i];
    *CHART_ADD(f->c, f->c->strip_row, f->c->n_strip_rows) =
        (struct strip_row){v->letter ? v->letter : "", v->look.text_colour};
    size_t row = f->c->n_strip_rows - 1;
    double knee = seen->model == PLATEAU_BOTH ? fmin(fmax(seen->knee_bs, f->x_lo), f->x_hi)
                  : seen->model == PLATEAU_BW ? f->x_lo
                                              : f->x_hi;
    if (knee > f->x_lo)
        *CHART_ADD(f->c, f->c->block, f->c->n_blocks) = (struct block){
            .from = f->x_lo,
            .to = knee,
            .colour = COLOUR_SAME,
            .name = "IOPS",
            .text = arena_printf(f->c->arena, "level off at %s", say_iops(f->c, seen->iops)),
            .row = row};
    if (knee < f->x_hi)
        *CHART_ADD(f->c, f->c->block, f->c->n_blocks) = (struct block){
            .from = knee,
            .to = f->x_hi,
            .colour = COLOUR_SAME,
            .name = "Throughput",
            .text = arena_printf(f->c->arena, "levels off at %s MiB/s", say_mib(f->c, seen->bw)),
            .row = row};
}

static void add_strip(struct roofline *f)
{
    bool any = false;
    for (size_t i = 0; i < f->s.n; i++) {
        bool seen = f->plateau[i].model != PLATEAU_NONE && f->plateau[i].model != PLATEAU_SOFT;
        any = any || f->roof[i].n > 0 || seen;
    }
    for (size_t i = 0; any && i < f->s.n && f->s.n <= MOST_OVERLAID; i++) {
        if (f->roof[i].n > 0)
            roof_strip(f->c, &f->s.curve[i], &f->roof[i], f->x_lo, f->x_hi, i);
        else
            plateau_strip(f, i);
    }
}

/* ---- words ---- */

/* Which caps are reached, in order of block size, each run of sizes once; at most max. */
static size_t reached_caps(const struct roof *r, const struct roof_cap **out, size_t max)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_columns && n < max; i++) {
        const struct roof_verdict *v = &r->column[i].verdict;
        if (v->reached && (n == 0 || out[n - 1] != v->cap))
            out[n++] = v->cap;
    }
    return n;
}

/* "at every block size", "from 32k up", "up to 16k", "at 64k to 256k"; NULL: at no one stretch. */
static const char *reached_range(struct roofline *f, const struct roof *r)
{
    size_t first = r->n_columns, last = 0, count = 0;
    for (size_t i = 0; i < r->n_columns; i++) {
        if (!r->column[i].verdict.reached)
            continue;
        first = i < first ? i : first;
        last = i;
        count++;
    }
    if (count == 0 || last - first + 1 != count)
        return NULL;
    if (count == r->n_columns)
        return count > 1 ? "at every block size" : "";
    if (last + 1 == r->n_columns)
        return arena_printf(f->c->arena, "from %s up", say_bs(f->c, r->column[first].bs));
    if (first == 0)
        return arena_printf(f->c->arena, "up to %s", say_bs(f->c, r->column[last].bs));
    return arena_printf(f->c->arena, "at %s",
                        say_sizes(f->c, r->column[first].bs, r->column[last].bs));
}

static const char *whose(enum limit_owner o)
{
    static const char *const words[OWNER_COUNT] = {"the disk", "the VM", "the host"};
    return words[o];
}

static const char *capitalized(struct chart *c, const char *text)
{
    char *copy = arena_strdup(c->arena, text);
    if (*copy >= 'a' && *copy <= 'z')
        *copy = (char)(*copy - 'a' + 'A');
    return copy;
}

static const char *title_with_caps(struct roofline *f)
{
    const struct roof *r = &f->roof[0];
    const char *what = dir_plural(f->s.curve[0].row[0]->dir);
    const struct roof_cap *at[3];
    size_t n = reached_caps(r, at, 3);
    if (n == 0)
        return "No known cap is reached";
    if (n > 2)
        return "Different caps bind at different block sizes";
    const char *first = capitalized(f->c, whose(at[0]->owner));
    if (n == 2 && at[0]->owner != at[1]->owner)
        return arena_printf(f->c->arena, "%s caps small %s, %s caps large ones", first, what,
                            whose(at[1]->owner));
    if (n == 2)
        return arena_printf(f->c->arena, "%s caps small %s by %s, large ones by %s", first, what,
                            roof_cap_words(f->c, at[0]), roof_cap_words(f->c, at[1]));
    const char *range = reached_range(f, r);
    return arena_printf(f->c->arena, "%s's %s cap binds%s%s", first, roof_cap_words(f->c, at[0]),
                        range && *range ? " " : "", range ? range : " at some block sizes");
}

/* Whether it would rise at another depth is open then; a direction of a mix has what the other one leaves it. */
static bool levels_are_seen(const struct curve *v)
{
    bool several = false;
    for (size_t i = 1; i < v->n; i++)
        several = several || v->row[i]->depth != v->row[0]->depth;
    return several &&
           !(IS_KNOWN(&v->row[0]->cell->key, CELL_KEY, rw) && rw_is_mixed(v->row[0]->cell->key.rw));
}

static const char *title_of(struct roofline *f)
{
    const char *level = levels_are_seen(&f->s.curve[0]) ? "level off at" : "stay at";
    const struct plateau *seen = &f->plateau[0];
    if (f->s.n > 1)
        return title_of_several(f->c, &f->s, "Bandwidth by block size");
    if (f->s.curve[0].n == 1 && !(f->roof[0].n > 0 && f->roof[0].column[0].verdict.reached))
        return arena_printf(f->c->arena, "One %s cell: %s MiB/s", say_bs(f->c, f->bs[0]),
                            say_mib(f->c, f->hi * MiB));
    if (f->roof[0].n > 0)
        return title_with_caps(f);
    switch (seen->model) {
    case PLATEAU_IOPS:
        return arena_printf(f->c->arena, "IOPS %s %s at every block size", level,
                            say_iops(f->c, seen->iops));
    case PLATEAU_BW:
        return arena_printf(f->c->arena, "Throughput %s %s MiB/s at every block size",
                            *level == 'l' ? "levels off at" : "stays at", say_mib(f->c, seen->bw));
    case PLATEAU_BOTH:
        return arena_printf(f->c->arena, "Small %s %s %s IOPS, large ones at %s MiB/s",
                            dir_plural(f->s.curve[0].row[0]->dir), level,
                            say_iops(f->c, seen->iops), say_mib(f->c, seen->bw));
    default:
        return "Bandwidth by block size";
    }
}

static void say_what(struct roofline *f)
{
    struct chart *c = f->c;
    const char *depths = f->s.n > 1 ? "greatest queue depth of each" : say_depths(c, &f->s);
    c->title = title_of(f);
    c->subtitle =
        arena_printf(c->arena, "%s. Log scales.",
                     SAY_PARTS(c, "bandwidth by block size", say_subject(c, &f->s), depths));
    const char *more = interval_words(&f->s);
    if (f->roof[0].n == 0)
        more = arena_printf(c->arena, "%s: the roof is what was seen.%s%s",
                            no_roof_words(&f->s.curve[0]), more ? " " : "", more ? more : "");
    say_source(c, &f->s, more);
}

static void build(struct chart *c, struct dataset *d, const struct kind_query *q)
{
    struct roofline f = {.c = c, .lo = INFINITY};
    c->title = "Bandwidth by block size";
    if (!select_curves(c, d, q, &f.s))
        return;
    f.n_bs = sizes_of(c, f.s.curve, f.s.n, &f.bs);
    struct panel *p = CHART_ADD(c, c->panel, c->n_panels);
    p->height = PLOT_HEIGHT;
    traces_by_size(c, p, &f.s, MEASURE_BW, &f.lo, &f.hi);
    if (f.n_bs == 0 || !(f.hi > 0)) {
        chart_set_empty(c, "No cell has one block size and a rate above 0, so there is no curve.",
                        "blkmatrix sweep --dev PATH --bs 4k..1M");
        return;
    }
    axis_of_sizes(c, f.bs, f.n_bs);
    f.x_lo = c->x.lo;
    f.x_hi = c->x.hi;
    f.roof = arena_array(c->arena, f.s.n, sizeof *f.roof);
    f.plateau = arena_array(c->arena, f.s.n, sizeof *f.plateau);
    for (size_t i = 0; i < f.s.n; i++) {
        roof_find(c, &f.s.curve[i], &f.roof[i]);
        observed_plateau(c, &f.s.curve[i], &f.plateau[i]);
    }
    axis_log2(c, &p->y, f.lo, roof_top(&f));
    p->y.title = "MiB/s";
    c->small_multiples = f.s.n > MOST_OVERLAID;
    draw_roofs(&f, p);
    add_strip(&f);
    say_what(&f);
    table_of_rows(c, &f.s);
}

const struct kind kind_roofline = {
    .name = "roofline",
    .title = "bandwidth by block size under the caps",
    .help = "Which cap binds at which block size: disk or VM, IOPS or throughput, burst or base. "
            "Without known limits, the ceiling that was seen.",
    .build = build,
};
