/* A chart while it is being laid out and drawn. For the files of this folder only. */
#ifndef REPORT_CHART_CHART_INTERNAL_H
#define REPORT_CHART_CHART_INTERNAL_H

#include "report/chart/chart.h"

/* ---- scale.c: from data to units ---- */

struct scale {
    enum scale_kind kind;
    double lo, hi;   /* data */
    double from, to; /* units; from > to for a y axis */
};
struct scale scale_of(const struct axis *a, double from, double to);
/* Values outside of lo..hi land outside of from..to; below 0 on a log scale: at its end. */
double scale_at(const struct scale *s, double v);

/* ---- labels.c: words that keep clear of marks and of each other ---- */

struct obstacle {
    struct point a, b;
    double radius; /* of a dot, or half the width of a line */
    bool hard;     /* a mark: no word may cover it. Lines may run under a halo */
};

struct labeller {
    struct scene *s;
    struct obstacle *obstacle;
    size_t n, room;
    double x0, y0, x1, y1; /* where words may be */
};
void labels_avoid_dot(struct labeller *l, double x, double y, double r);
/* An upright bar around x. */
void labels_avoid_bar(struct labeller *l, double x, double y0, double y1, double half);
void labels_avoid_line(struct labeller *l, struct point a, struct point b);
/*
 * Draws the text at the best of n candidates (their x, y, anchor, angle and halo are used; earlier
 * ones win among equals). False, nothing drawn, when each would cover a mark or another word or
 * leave the frame.
 */
bool labels_place(struct labeller *l, const struct text *t, const struct text *candidate, size_t n);
/*
 * Several lines that stay together, dy apart; candidates are for the first. Returns the candidate,
 * n when none would do.
 */
size_t labels_place_lines(struct labeller *l, const struct text *line, size_t n_lines, double dy,
                          const struct text *candidate, size_t n);
/* Several texts that stay together; a candidate has a place for each, one candidate after another. */
size_t labels_place_block(struct labeller *l, const struct text *line, size_t n_lines,
                          const struct text *place, size_t n);
/* Would a line from a to b run through words that are placed already? */
bool labels_line_meets_words(const struct labeller *l, struct point a, struct point b);
/*
 * Moves y[] (any order) the least so that all are `gap` apart within lo..hi; returns the sum of
 * moves. n * gap must fit.
 */
double labels_push_apart(double *y, size_t n, double gap, double lo, double hi);

/* ---- one picture, one panel of it ---- */

#define LEFT_MARGIN 46.0 /* at least, for the labels of the y axes */

struct canvas {
    const struct chart *c;
    struct scene *s;
    bool in_page;
    bool narrow;
    double left, right; /* edges of the content */
    double plot_x0, plot_x1;
    struct labeller labels;
};

struct view {
    struct canvas *k;
    const struct panel *p;
    double x0, x1, y0, y1; /* plot rectangle; y0 is its top */
    struct scale x, y;
    bool ghost;         /* small multiples: every series but one in grey */
    size_t lead;        /* that one */
    enum label_end end; /* where this panel's series are named */
};

struct point view_at(const struct view *v, double x, double y);
/* A candidate place for words, with the halo that fits what lies under it. */
struct text place_at(const struct view *v, double x, double y, enum anchor anchor, double angle);
bool view_holds(const struct view *v, double x, double y);

/* heading.c: returns where the body starts (standalone), and draws the foot; the body's end. */
double heading_draw(struct canvas *k, double top);
double source_draw(struct canvas *k, double top);
double empty_draw(struct canvas *k, double top);
/* Words broken at blanks into at most max lines, the last one cut if need be. Returns the number. */
size_t wrap_words(struct scene *s, const char *text, double size, int weight, double width,
                  const char **line, size_t max);

/* axes.c */
double y_labels_width(struct scene *s, const struct panel *p);
void y_axis_draw(const struct view *v, bool labels);
void x_axis_draw(const struct view *v, bool labels);
/* Height of the labels under the axis, title apart. */
double x_labels_height(const struct axis *a);

/* areas.c: what lies under the data */
void areas_draw(const struct view *v);
/* The colour under a place: page or surface. */
enum colour ground_at(const struct view *v, double x, double y);
void stretches_draw(struct canvas *k, const struct view *first, double y0, double y1);
double stretches_height(const struct chart *c);

/* caps.c */
void caps_draw(const struct view *v);
/* The part of p..q within the plot; false when there is none. */
bool clip_to_plot(const struct view *v, struct point *p, struct point *q);
/* cap_words.c */
void caps_label(const struct view *v);

/* marks.c: lines, bands, dots, bars, arrows */
void bands_draw(const struct view *v);
void lines_draw(const struct view *v);
void dots_draw(const struct view *v);
void bars_draw(const struct view *v);
#define ARROW_LEAST 24.0 /* shorter ones would hide behind their marks */
void arrows_draw(const struct view *v);
void marks_avoid(const struct view *v);

/* intervals.c */
void interval_draw(const struct view *v, const struct trace *s, const struct datum *d);

/* ends.c: names of series at the ends of their lines */
/* Which side the names of a panel of this height go to; END_FREE when none needs room. */
enum label_end ends_choose(const struct canvas *k, const struct panel *p, double height);
/* Room they take there. */
double ends_width(const struct canvas *k, const struct panel *p);
void ends_draw(const struct view *v);

/* notes.c: values at marks, rings, markings */
void notes_draw(const struct view *v);

/* strip.c */
double strip_draw(const struct view *v, double top);
double legend_draw(struct canvas *k, double top);

/* grid.c, multiples.c: what stands in the place of panels. Return the end of the body. */
double grid_draw(struct canvas *k, double top);
double multiples_draw(struct canvas *k, double top);
/* panels.c */
double panels_draw(struct canvas *k, double top);

#endif
