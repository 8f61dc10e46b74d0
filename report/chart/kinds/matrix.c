/* Every cell of the matrix with its value, coloured by what limits it. */
#include <math.h>

#include "report/chart/kinds/kind_internal.h"

#define MiB 1048576.0

struct matrix {
    struct chart *c;
    struct selection s;
    struct roof roof;
    struct plateau seen; /* where no limit is known */
    uint64_t *bs, *depth;
    size_t n_bs, n_depths;
    bool *seen_cap; /* by index into roof.cap: it limits a cell */
    bool below, levels_off;
};

static double fill_of(const struct roof_cap *cap)
{
    return cap->owner == OWNER_VM ? 0.42 : 0.30;
}

/* What the measurements level off at: bytes a second at a block size; NaN when they do not. */
static double seen_at(const struct plateau *p, double bs)
{
    switch (p->model) {
    case PLATEAU_IOPS:
        return p->iops * bs;
    case PLATEAU_BW:
        return p->bw;
    case PLATEAU_BOTH:
        return fmin(p->iops * bs, p->bw);
    default:
        return NAN;
    }
}

/*
 * What remains once credit is gone holds a cell only where it holds the deepest one of that size,
 * too: a slow cell may meet it by chance.
 */
static struct roof_verdict judge(const struct matrix *m, const struct row *r)
{
    struct roof_verdict v = roof_judge(&m->roof, r, true), now = roof_judge(&m->roof, r, false);
    for (size_t i = 0; i < m->roof.n_columns && v.cap != now.cap; i++)
        if (m->roof.column[i].bs == r->bs && m->roof.column[i].verdict.cap != v.cap)
            return now;
    return v;
}

/* Reached caps are coloured; the rest is grey, darker the closer it comes. */
static void colour_by_cap(struct matrix *m, struct grid_cell *g, struct roof_verdict v,
                          const char **limiter)
{
    const char *label = roof_cap_label(m->c, v.cap);
    g->opacity = 0.06 + 0.14 * fmin(v.share, 1);
    if (!v.reached) {
        m->below = true;
        *limiter = arena_printf(m->c->arena, ", %s of the nearest cap (%s)",
                                say_share(m->c, v.share), label);
        return;
    }
    g->colour = owner_colour(v.cap->owner);
    g->opacity = fill_of(v.cap);
    g->strong = true;
    m->seen_cap[v.cap - m->roof.cap] = true;
    *limiter = arena_printf(m->c->arena, ", at the cap: %s", label);
}

/* What a block size reaches at its best depth. */
static double best_of_size(const struct matrix *m, uint64_t bs)
{
    double best = 0;
    for (size_t i = 0; i < m->n_depths; i++) {
        const struct row *r = curve_row(&m->s.curve[0], bs, m->depth[i]);
        if (r)
            best = fmax(best, measure_of(r, MEASURE_BW)); /* fmax passes over NaN */
    }
    return best;
}

/* Without caps: darker the closer it comes to what the size reaches, strong where it levels off. */
static void colour_by_best(struct matrix *m, struct grid_cell *g, const struct row *r,
                           const char **limiter)
{
    double bw = measure_of(r, MEASURE_BW), best = best_of_size(m, r->bs);
    g->opacity = 0.05 + (best > 0 ? 0.21 * bw / best : 0);
    if (bw * MiB >= ROOF_REACHED * seen_at(&m->seen, (double)r->bs)) {
        g->opacity = 0.34;
        g->strong = m->levels_off = true;
        *limiter = ", levels off here";
    }
}

static void colour_cell(struct matrix *m, struct grid_cell *g, const struct row *r,
                        const char **limiter)
{
    g->colour = COLOUR_SAME;
    g->opacity = 0.08;
    *limiter = "";
    struct roof_verdict v = judge(m, r);
    if (v.cap)
        colour_by_cap(m, g, v, limiter);
    else if (m->roof.n == 0)
        colour_by_best(m, g, r, limiter);
}

/* A cell of the plan that holds no result. */
static bool is_broken(struct dataset *d, const struct curve *v, uint64_t bs, uint64_t depth,
                      const char **why)
{
    size_t n;
    const struct row *row = dataset_rows(d, &n);
    for (size_t i = 0; i < n; i++) {
        const struct row *r = &row[i];
        if (r->run_index != v->run_index || r->bs != bs || r->depth != depth || r->n_repeats > 0 ||
            strcmp(r->group, v->group) != 0)
            continue;
        *why = r->cell->error ? r->cell->error : "failed";
        return true;
    }
    return false;
}

static void fill_cell(struct matrix *m, struct dataset *d, struct grid_cell *g, uint64_t bs,
                      uint64_t depth)
{
    struct chart *c = m->c;
    const struct curve *v = &m->s.curve[0];
    const struct row *r = curve_row(v, bs, depth);
    const char *where = arena_printf(c->arena, "%s, QD %s", say_bs(c, bs), say_depth(c, depth));
    if (r && measure_of(r, MEASURE_BW) >= 0) {
        const char *limiter;
        g->text = say_mib(c, measure_of(r, MEASURE_BW) * MiB);
        colour_cell(m, g, r, &limiter);
        g->tip = arena_printf(c->arena, "%s%s", say_row(c, v, r), limiter);
        return;
    }
    const char *why = NULL;
    g->state = is_broken(d, v, bs, depth, &why) ? CELL_BROKEN : CELL_MISSING;
    g->tip = arena_printf(c->arena, "%s: %s", where, why ? why : "not measured");
}

static void fill_grid(struct matrix *m, struct dataset *d)
{
    struct chart *c = m->c;
    struct grid *g = c->grid = arena_alloc(c->arena, sizeof *g);
    g->row_title = "QD";
    g->column_title = "Block size (1k = 1 KiB)";
    for (size_t i = 0; i < m->n_bs; i++)
        *CHART_ADD(c, g->column, g->n_columns) = say_bs(c, m->bs[i]);
    for (size_t i = m->n_depths; i-- > 0;) /* deep on top, as in the other charts */
        *CHART_ADD(c, g->row, g->n_rows) = say_depth(c, m->depth[i]);
    g->cell = arena_array(c->arena, g->n_rows * g->n_columns, sizeof *g->cell);
    for (size_t r = 0; r < g->n_rows; r++)
        for (size_t k = 0; k < g->n_columns; k++)
            fill_cell(m, d, &g->cell[r * g->n_columns + k], m->bs[k],
                      m->depth[m->n_depths - 1 - r]);
}

/* "Disk burst IOPS cap"; an owner has one colour, so several caps of it share a line. */
static void add_owner(struct matrix *m, enum limit_owner o)
{
    struct chart *c = m->c;
    const struct roof_cap *any = NULL;
    const char *words = "";
    size_t n = 0;
    for (size_t i = 0; i < m->roof.n; i++) {
        if (!m->seen_cap[i] || m->roof.cap[i].owner != o)
            continue;
        any = &m->roof.cap[i];
        words = arena_printf(c->arena, "%s%s%s", words, n ? ", " : "", roof_cap_words(c, any));
        n++;
    }
    if (any)
        *CHART_ADD(c, c->legend, c->n_legends) =
            (struct legend){.colour = owner_colour(o),
                            .opacity = fill_of(any),
                            .text = arena_printf(c->arena, n > 1 ? "%s caps: %s" : "%s %s cap",
                                                 owner_word(o), words)};
}

/* Cells may lie above a cap that is out of the picture. */
static bool any_exceeded(const struct roof *roof)
{
    for (size_t i = 0; i < roof->n; i++) {
        if (roof->cap[i].refuted)
            return true;
    }
    return false;
}

static void add_legend(struct matrix *m)
{
    struct chart *c = m->c;
    for (enum limit_owner o = 0; o < OWNER_COUNT; o++)
        add_owner(m, o);
    if (m->below)
        *CHART_ADD(c, c->legend, c->n_legends) = (struct legend){
            .colour = COLOUR_SAME,
            .opacity = 0.16,
            .text = any_exceeded(&m->roof) ? "Under 90 % of any cap that was not exceeded"
                                           : "Under 90 % of any listed cap"};
}

/* The least depth at which every size is at a cap; 0 when there is none. */
static uint64_t depth_at_caps(const struct matrix *m)
{
    const struct grid *g = m->c->grid;
    uint64_t found = 0;
    for (size_t r = 0; r < g->n_rows; r++) {
        for (size_t k = 0; k < g->n_columns; k++)
            if (!g->cell[r * g->n_columns + k].strong)
                return found;
        found = m->depth[m->n_depths - 1 - r];
    }
    return found;
}

static const char *title_of(const struct matrix *m)
{
    uint64_t depth = depth_at_caps(m);
    if (depth == 0 || m->n_bs < 2)
        return "Bandwidth by block size and queue depth";
    return arena_printf(m->c->arena, "Queue depth %s meets %s at every block size",
                        say_depth(m->c, depth), m->roof.n ? "a cap" : "the ceiling");
}

static void build(struct chart *c, struct dataset *d, const struct kind_query *q)
{
    struct matrix m = {.c = c};
    c->title = "Bandwidth by block size and queue depth";
    if (!select_curves(c, d, q, &m.s))
        return;
    bool several = m.s.n > 1;
    m.s.n = 1; /* one grid holds one run */
    m.n_bs = sizes_of(c, m.s.curve, m.s.n, &m.bs);
    m.n_depths = depths_of(c, m.s.curve, m.s.n, &m.depth);
    if (m.n_bs == 0 || m.n_depths == 0) {
        chart_set_empty(c, "No cell has one block size and a queue depth, so there is no matrix.",
                        "blkmatrix sweep --dev PATH --bs 4k..1M --iodepth 1..64");
        return;
    }
    roof_find(c, &m.s.curve[0], &m.roof);
    observed_plateau(c, &m.s.curve[0], &m.seen);
    m.seen_cap = arena_array(c->arena, m.roof.n + 1, sizeof *m.seen_cap);
    fill_grid(&m, d);
    add_legend(&m);
    c->title = title_of(&m);
    c->subtitle =
        arena_printf(c->arena, "%s.%s", SAY_PARTS(c, "bandwidth in MiB/s", say_subject(c, &m.s)),
                     m.roof.n ? " Colour: what limits the cell."
                              : " Darker: closer to the most of its block size.");
    const char *more =
        m.roof.n ? NULL : arena_printf(c->arena, "%s.", no_roof_words(&m.s.curve[0]));
    if (several)
        more = arena_printf(c->arena, "%s%sOnly the first of the runs is shown.", more ? more : "",
                            more ? " " : "");
    say_source(c, &m.s, more);
    table_of_rows(c, &m.s);
}

const struct kind kind_matrix = {
    .name = "matrix",
    .title = "every cell, coloured by what limits it",
    .help = "Bandwidth of each block size and queue depth of one run, coloured by the cap that is "
            "reached.",
    .build = build,
};
