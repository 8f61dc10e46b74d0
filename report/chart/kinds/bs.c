/*
 * IOPS and bandwidth by block size, one over the other: a constant number of I/Os is flat in the
 * upper panel, a constant number of bytes in the lower one.
 */
#include <math.h>

#include "report/chart/kinds/kind_internal.h"

#define MiB           1048576.0
#define HEIGHT_OF_ONE 190.0

struct by_size {
    struct chart *c;
    struct selection s;
    struct roof roof; /* of the only curve */
    struct plateau seen;
    uint64_t *bs;
    size_t n_bs;
};

static void add_point(struct by_size *f, struct cap *line, const struct roof_cap *cap, double bs)
{
    double bytes = roof_cap_bw(cap, bs);
    *CHART_ADD(f->c, line->point, line->n) =
        (struct point){bs, cap->kind == CAP_IOPS ? bytes / bs : bytes / MiB};
}

static struct cap *add_line(struct by_size *f, struct panel *p, const struct roof_cap *cap,
                            double from, double to, bool binding)
{
    struct cap *line = CHART_ADD(f->c, p->cap, p->n_caps);
    *line = (struct cap){.colour = owner_colour(cap->owner),
                         .text_colour = owner_text_colour(cap->owner),
                         .style = binding ? CAP_BINDING : CAP_BURST};
    add_point(f, line, cap, from);
    /* flat up to the size that counts as one I/O, then falling */
    if (cap->kind == CAP_IOPS && cap->io_size > from && cap->io_size < to)
        add_point(f, line, cap, cap->io_size);
    add_point(f, line, cap, to);
    return line;
}

/* The cap over the whole axis: a band where it is the roof, else dashed; words on the longest part. */
static void add_cap(struct by_size *f, struct panel *p, const struct roof_cap *cap, double top)
{
    double lo = f->c->x.lo, hi = f->c->x.hi;
    double value = cap->kind == CAP_IOPS ? cap->value_max : cap->value_max / MiB;
    if (!cap->effective || value > top)
        return;
    struct roof_piece *piece;
    size_t n = roof_pieces(f->c, &f->roof, lo, hi, false, &piece);
    double from = hi, to = hi; /* of the band */
    for (size_t i = 0; i < n; i++)
        if (piece[i].cap == cap) {
            from = fmin(from, piece[i].from);
            to = piece[i].to;
        }
    double best = 0;
    const double part[4] = {lo, from, to, hi};
    size_t first = p->n_caps, longest = 0;
    for (size_t i = 0; i < 3; i++) {
        if (part[i + 1] <= part[i] * (1 + 1e-9))
            continue;
        if (part[i + 1] / part[i] > best) {
            best = part[i + 1] / part[i];
            longest = p->n_caps;
        }
        add_line(f, p, cap, part[i], part[i + 1], i == 1);
    }
    if (p->n_caps == first)
        return;
    p->cap[longest].label = roof_cap_label(f->c, cap);
    p->cap[longest].strong = from < to;
}

/* Did credit run out on the way, so that this base figure holds some of the sizes? */
static bool holds_some(const struct roof *r, const struct roof_cap *cap)
{
    for (size_t i = 0; i < r->n_columns; i++)
        if (r->column[i].verdict.reached && r->column[i].verdict.cap == cap)
            return true;
    return false;
}

static void add_sustained(struct by_size *f, struct panel *p, const struct roof_cap *cap)
{
    if (cap->effective || !holds_some(&f->roof, cap))
        return;
    struct cap *line = add_line(f, p, cap, f->c->x.lo, f->c->x.hi, false);
    line->style = CAP_SUSTAINED;
    line->label = roof_cap_label(f->c, cap);
}

static void add_panel(struct by_size *f, enum measure m)
{
    struct chart *c = f->c;
    struct panel *p = CHART_ADD(c, c->panel, c->n_panels);
    double lo, hi;
    p->height = HEIGHT_OF_ONE;
    traces_by_size(c, p, &f->s, m, &lo, &hi);
    if (!(hi > 0)) {
        c->n_panels = 0;
        return;
    }
    double top = hi;
    for (size_t i = 0; i < f->roof.n; i++) {
        const struct roof_cap *cap = &f->roof.cap[i];
        double value = cap->kind == CAP_IOPS ? cap->value_max : cap->value_max / MiB;
        bool here = (cap->kind == CAP_IOPS) == (m == MEASURE_IOPS);
        if (here && cap->effective && value <= 4 * hi)
            top = fmax(top, value);
    }
    if (m == MEASURE_IOPS)
        axis_log10(c, &p->y, lo, top * 1.15, NUMBERS_COUNT, false);
    else
        axis_log2(c, &p->y, lo, top);
    p->y.title = m == MEASURE_IOPS ? "IOPS (log)" : "MiB/s (log)";
    for (size_t i = 0; i < f->roof.n; i++)
        if ((f->roof.cap[i].kind == CAP_IOPS) == (m == MEASURE_IOPS)) {
            add_cap(f, p, &f->roof.cap[i], p->y.hi);
            add_sustained(f, p, &f->roof.cap[i]);
        }
}

static const char *title_of(struct by_size *f)
{
    struct chart *c = f->c;
    if (f->s.n > 1)
        return title_of_several(c, &f->s, "IOPS and bandwidth by block size");
    uint64_t below = 0, above = 0; /* the sizes left and right of the knee */
    for (size_t i = 0; i < f->n_bs; i++) {
        if ((double)f->bs[i] <= f->seen.knee_bs)
            below = f->bs[i];
        else if (above == 0)
            above = f->bs[i];
    }
    switch (f->seen.model) {
    case PLATEAU_IOPS:
        return arena_printf(c->arena, "IOPS hold at %s at every block size",
                            say_iops(c, f->seen.iops));
    case PLATEAU_BW:
        return arena_printf(c->arena, "Throughput holds at %s MiB/s at every block size",
                            say_mib(c, f->seen.bw));
    case PLATEAU_BOTH:
        if (below && above)
            return arena_printf(c->arena,
                                "IOPS hold at %s up to %s, throughput at %s MiB/s from %s",
                                say_iops(c, f->seen.iops), say_bs(c, below), say_mib(c, f->seen.bw),
                                say_bs(c, above));
        return "IOPS and bandwidth by block size";
    default:
        return "IOPS and bandwidth by block size";
    }
}

static void build(struct chart *c, struct dataset *d, const struct kind_query *q)
{
    struct by_size f = {.c = c};
    c->title = "IOPS and bandwidth by block size";
    if (!select_curves(c, d, q, &f.s))
        return;
    f.n_bs = sizes_of(c, f.s.curve, f.s.n, &f.bs);
    if (f.n_bs > 0)
        axis_of_sizes(c, f.bs, f.n_bs);
    if (f.s.n == 1) {
        roof_find(c, &f.s.curve[0], &f.roof);
        observed_plateau(c, &f.s.curve[0], &f.seen);
    }
    for (enum measure m = MEASURE_IOPS; m <= MEASURE_BW && f.n_bs > 0; m++)
        add_panel(&f, m);
    if (c->n_panels < 2) {
        chart_set_empty(c, "No cell has one block size and a rate above 0, so there is no curve.",
                        "blkmatrix sweep --dev PATH --bs 4k..1M");
        return;
    }
    c->small_multiples = f.s.n > MOST_OVERLAID;
    c->title = title_of(&f);
    c->subtitle =
        arena_printf(c->arena, "%s. Log scales.",
                     SAY_PARTS(c, "by block size", say_subject(c, &f.s),
                               f.s.n > 1 ? "greatest queue depth of each" : say_depths(c, &f.s)));
    say_source(c, &f.s, interval_words(&f.s));
    table_of_rows(c, &f.s);
}

const struct kind kind_bs = {
    .name = "bs",
    .title = "IOPS and bandwidth by block size",
    .help = "Two panels over the same block sizes, one line a queue depth. Needs two or more block "
            "sizes to say something.",
    .build = build,
};
