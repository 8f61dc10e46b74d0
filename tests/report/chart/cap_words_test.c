/* Words of caps that are near each other: none lost, none on a line, in the order of the lines. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "report/chart/chart_internal.h"

#define MOST 5

/* A plot of 600 x 300 with caps and nothing else. */
struct picture {
    struct fonts *fonts;
    struct chart *c;
    struct panel *p;
    struct canvas k;
    struct view v;
};

static void picture_init(struct picture *x, enum scale_kind kind)
{
    *x = (struct picture){.fonts = fonts_create(METRICS_PANGO), .c = chart_create("caps")};
    x->c->x = (struct axis){.kind = kind, .lo = 4, .hi = 1024};
    x->p = CHART_ADD(x->c, x->c->panel, x->c->n_panels);
    *x->p = (struct panel){.y = {.kind = kind, .lo = 4, .hi = 1024}};
    x->k = (struct canvas){.c = x->c, .s = scene_create(x->fonts), .right = 640};
    x->v = (struct view){.k = &x->k, .p = x->p, .x0 = 40, .x1 = 640, .y0 = 30, .y1 = 330};
    x->v.x = scale_of(&x->c->x, x->v.x0, x->v.x1);
    x->v.y = scale_of(&x->p->y, x->v.y1, x->v.y0);
    x->k.labels = (struct labeller){.s = x->k.s, .x0 = 40, .x1 = 640, .y0 = 24, .y1 = 328};
}

static void picture_release(struct picture *x)
{
    free(x->k.labels.obstacle);
    scene_destroy(x->k.s);
    chart_destroy(x->c);
    fonts_destroy(x->fonts);
}

/* The data at a place of the plot, so that lines can be so many units apart on any scale. */
static double data_at(const struct scale *s, double at)
{
    double t = (at - s->from) / (s->to - s->from);
    return s->kind == SCALE_LINEAR ? s->lo + t * (s->hi - s->lo) : s->lo * pow(s->hi / s->lo, t);
}

static void add_cap(struct picture *x, double y0, double y1, enum cap_style style)
{
    struct cap *cap = CHART_ADD(x->c, x->p->cap, x->p->n_caps);
    size_t n = x->p->n_caps;
    *cap = (struct cap){.colour = COLOUR_DISK, .text_colour = COLOUR_DISK_TEXT, .style = style};
    cap->label = arena_printf(x->c->arena, "%zu: burst %zu,000 IOPS", n, n);
    *CHART_ADD(x->c, cap->point, cap->n) =
        (struct point){data_at(&x->v.x, 40), data_at(&x->v.y, y0)};
    *CHART_ADD(x->c, cap->point, cap->n) =
        (struct point){data_at(&x->v.x, 640), data_at(&x->v.y, y1)};
}

/* Does the line of a cap run through the middle of the words? */
static bool is_crossed(const struct picture *x, const struct text_box *b, const struct cap *cap)
{
    struct point p = view_at(&x->v, cap->point[0].x, cap->point[0].y);
    struct point q = view_at(&x->v, cap->point[1].x, cap->point[1].y);
    double angle = atan2(q.y - p.y, q.x - p.x);
    double y = p.y + (b->cx - p.x) * tan(angle);
    return fabs(y - b->cy) * cos(angle) < 4;
}

static void check(const struct picture *x, size_t n, const char *what)
{
    cr_assert_eq(scene_n_text_boxes(x->k.s), n, "%s: %zu words of %zu caps", what,
                 scene_n_text_boxes(x->k.s), n);
    for (size_t i = 0; i < n; i++) {
        const struct text_box *a = scene_text_box_at(x->k.s, i);
        cr_assert(text_box_inside(a, 40, 24, 600, 304), "%s: \"%s\" is outside", what, a->text);
        for (size_t j = 0; j < i; j++)
            cr_assert_not(text_boxes_overlap(a, scene_text_box_at(x->k.s, j), 0),
                          "%s: \"%s\" over \"%s\"", what, a->text,
                          scene_text_box_at(x->k.s, j)->text);
        for (size_t j = 0; j < n; j++)
            cr_assert_not(is_crossed(x, a, &x->p->cap[j]), "%s: a line through \"%s\"", what,
                          a->text);
    }
}

/* The words name their caps from 1; in a block they are as far up or down as their lines. */
static void check_order(const struct picture *x, size_t n, const char *what)
{
    double at[MOST] = {0};
    for (size_t i = 0; i < n; i++) {
        const struct text_box *b = scene_text_box_at(x->k.s, i);
        const struct cap *cap = &x->p->cap[0];
        struct point p = view_at(&x->v, cap->point[0].x, cap->point[0].y);
        struct point q = view_at(&x->v, cap->point[1].x, cap->point[1].y);
        at[b->text[0] - '1'] = b->cy - (b->cx - p.x) * (q.y - p.y) / (q.x - p.x);
    }
    for (size_t i = 1; i < n; i++)
        cr_assert_gt(at[i], at[i - 1], "%s: words of cap %zu above those of cap %zu", what, i + 1,
                     i);
}

static void check_caps(enum scale_kind kind, double rise, double apart, size_t n, size_t binding)
{
    struct picture x;
    picture_init(&x, kind);
    /* the uppermost is the first */
    for (size_t i = 0; i < n; i++) {
        double y = 180 + apart * (double)i;
        add_cap(&x, y + rise / 2, y - rise / 2, i == binding ? CAP_BINDING : CAP_BURST);
    }
    caps_draw(&x.v);
    caps_label(&x.v);
    char *what = xasprintf("%s scale, rise %.0f, %zu caps %.0f apart, %zu binds",
                           kind == SCALE_LINEAR ? "linear" : "log", rise, n, apart, binding);
    check(&x, n, what);
    if (apart < 16)
        check_order(&x, n, what);
    free(what);
    picture_release(&x);
}

Test(cap_words, two_to_five_near_each_other)
{
    static const double rise[] = {0, 60, 250}, apart[] = {0, 2, 5, 8, 12, 15, 22, 30};
    for (int log = 0; log < 2; log++)
        for (size_t r = 0; r < sizeof rise / sizeof *rise; r++)
            for (size_t a = 1; a < sizeof apart / sizeof *apart; a++)
                for (size_t n = 2; n <= MOST; n++)
                    for (size_t binding = 0; binding <= n; binding++)
                        check_caps(log ? SCALE_LOG2 : SCALE_LINEAR, rise[r], apart[a], n, binding);
}

/* At the same level no order is right or wrong, but nothing is lost. */
Test(cap_words, equal_caps)
{
    struct picture x;
    picture_init(&x, SCALE_LOG10);
    for (int i = 0; i < 3; i++)
        add_cap(&x, 250, 90, i == 0 ? CAP_BINDING : CAP_BURST);
    caps_draw(&x.v);
    caps_label(&x.v);
    check(&x, 3, "equal");
    picture_release(&x);
}

/* Cut words are worse than short ones that say the same. */
Test(cap_words, the_brief_ones_rather_than_a_part)
{
    struct picture x;
    picture_init(&x, SCALE_LOG2);
    add_cap(&x, 250, 90, CAP_SUSTAINED);
    x.p->cap[0].label = "Once the burst credit is gone, which is soon enough in all that was "
                        "measured here: 240 IOPS, then 50 MiB/s, and that for as long as it takes";
    x.p->cap[0].brief = "Sustained 240 IOPS";
    caps_draw(&x.v);
    caps_label(&x.v);
    cr_assert_eq(scene_n_text_boxes(x.k.s), 1);
    cr_assert_str_eq(scene_text_box_at(x.k.s, 0)->text, "Sustained 240 IOPS");
    picture_release(&x);
}
