/*
 * A chart as data: what is shown, in the units of the data, before anything is placed. A kind
 * (kinds/kind.h) fills it from a dataset; chart_draw() lays it out after the rules in
 * docs/charts.md and draws it into a scene. Everything lives in the chart's arena and is freed
 * whole; texts given to it must live as long (chart->arena is there for them).
 *
 * Values are finite; a kind leaves unknown ones out. A NaN in y of a series is a gap in its line.
 */
#ifndef REPORT_CHART_CHART_H
#define REPORT_CHART_CHART_H

#include "core/base/arena.h"
#include "report/scene/scene.h"

enum scale_kind {
    SCALE_LINEAR,
    SCALE_LOG2,
    SCALE_LOG10,
};

struct tick {
    double at;
    const char *label;  /* NULL: a tick without words */
    const char *second; /* a second line under it, or NULL */
    bool strong;
};

struct axis {
    enum scale_kind kind;
    double lo, hi;     /* lo < hi; above 0 on log scales */
    const char *title; /* unit once: "MiB/s", "p99 latency, ms (log)" */
    struct tick *tick;
    size_t n_ticks;
};

enum marker {
    MARKER_NONE,
    MARKER_DOT,
    MARKER_HOLLOW,
    MARKER_SQUARE,
    MARKER_TRIANGLE,
    MARKER_DIAMOND
};

enum interval_kind {
    INTERVAL_NONE,
    INTERVAL_95,     /* end caps */
    INTERVAL_RANGE,  /* lowest and highest of 3 or 4 runs: no caps */
    INTERVAL_POINTS, /* 2 runs: both points */
};

struct datum {
    double x, y;
    double lo, hi; /* of the interval */
    enum interval_kind interval;
    const char *tip;   /* the mark's tooltip; NULL: no mark of its own */
    const char *label; /* beside the mark, or NULL */
    bool strong;       /* that label */
};

enum label_end {
    END_AUTO,  /* beside the plot, at the end where the names need least moving */
    END_RIGHT, /* in a column right of the plot */
    END_LEFT,  /* before the first datum */
    END_FREE,  /* close to the last datum, wherever that is */
};

struct band {
    double x, lo, hi;
};

/* A line with its marks. The order of the series is the order of drawing. */
struct trace {
    const char *name; /* label at an end of the line */
    const char *note; /* second line of that label, or NULL */
    const char *key;  /* of its marks in the page: key.0, key.1 ... */
    enum colour colour, text_colour;
    enum marker marker;
    double width, opacity; /* of the line; 0 stands for 2 and 1 */
    enum dash dash;
    bool no_line;        /* marks alone */
    struct datum *datum; /* ascending x, or in order of travel */
    size_t n;
    size_t dotted_from; /* datum from which the line is dotted; 0: never */
    struct band *band;
    size_t n_bands;
    enum label_end end;
    bool unlabelled; /* thinned out: no end label */
};

enum cap_style {
    CAP_BINDING,   /* broad translucent band under the data */
    CAP_BURST,     /* dashed: a burst figure, or one that does not bind */
    CAP_SUSTAINED, /* dotted: once credits are gone */
    CAP_OWN_RATE,  /* the job's own rate limit */
    CAP_IDEAL,     /* thin and dotted: what perfect scaling would give */
};

/* A line the data cannot or should not cross, with its words along it. */
struct cap {
    struct point *point; /* in data units */
    size_t n;
    enum colour colour, text_colour;
    enum cap_style style;
    const char *label; /* NULL: none */
    const char *brief; /* where that does not fit, or NULL */
    bool strong;       /* bold words, as those of a binding cap are */
};

struct area {
    struct point *point;
    size_t n;
};

/* A named stretch of the x axis (of time, say) over all panels. */
struct stretch {
    double from, to;
    const char *name;
    const char *text;
    enum colour colour; /* of the bar on top */
    bool shaded;
};

/* A ring around a place that matters: around a mark, or standing for itself. */
struct ring {
    double x, y;
    bool around_mark;
    const char *drop; /* words at a dotted line down to the axis; NULL: no line */
    const char *head; /* words of a note with a leader; NULL: no note */
    const char *text; /* its second line */
};

/* From one series to another at the same x: how much they differ. */
struct arrow {
    double x, from, to;
    const char *label;
    enum colour colour;
};

/* A vertical line with words beside it. */
struct marking {
    double x;
    const char *line[2];
    enum colour colour;
};

struct bar {
    double from, to, y; /* from the axis up to y */
    enum colour colour;
    double opacity;
    const char *tip;
    const char *label;
};

/* A panel: one y axis over the shared x axis. */
struct panel {
    double height;
    struct axis y;
    struct trace *trace;
    size_t n_traces;
    struct cap *cap;
    size_t n_caps;
    struct area *area; /* out of reach: surface colour */
    size_t n_areas;
    struct ring *ring;
    size_t n_rings;
    struct arrow *arrow;
    size_t n_arrows;
    struct marking *marking;
    size_t n_markings;
    struct bar *bar;
    size_t n_bars;
};

/* A block of the strip under the axis: what binds there, in words. */
struct block {
    double from, to; /* data units of x */
    enum colour colour;
    const char *name;
    const char *text;
    const char *brief; /* where the text does not fit, or NULL */
    size_t row;
};

struct strip_row {
    const char *name; /* NULL when there is one row only */
    enum colour colour;
};

struct legend {
    enum colour colour;
    double opacity;
    const char *text;
    bool outline; /* the swatch is a frame, not filled */
};

enum cell_state { CELL_VALUE, CELL_MISSING, CELL_BROKEN };

struct grid_cell {
    enum cell_state state;
    const char *text;
    enum colour colour; /* COLOUR_NONE: surface */
    double opacity;
    bool strong;
    const char *tip;
};

/* Columns and rows of cells in the place of panels; rows from the top. */
struct grid {
    const char **column, **row;
    size_t n_columns, n_rows;
    struct grid_cell *cell; /* row after row */
    const char *row_title, *column_title;
};

/* The same values as text: shown under the chart, read by those who cannot see it. */
struct chart_table {
    const char **head;
    bool *number; /* column is set flush right */
    size_t n_columns;
    const char **cell; /* row after row */
    size_t n_cells;
};

struct chart {
    struct arena *arena;
    const char *kind;
    const char *title;    /* the finding, or what is shown */
    const char *subtitle; /* metric, pattern, sizes, depth, device, scales */
    const char *source;   /* who measured what; what is drawn how */
    const char *empty;    /* set: no picture, this sentence instead */
    const char *command;  /* that would fill it */
    struct axis x;
    struct panel *panel;
    size_t n_panels;
    struct grid *grid;
    struct stretch *stretch;
    size_t n_stretches;
    struct strip_row *strip_row;
    size_t n_strip_rows;
    struct block *block;
    size_t n_blocks;
    struct legend *legend;
    size_t n_legends;
    bool small_multiples; /* one small panel a trace of the first panel, the first 24 */
    struct chart_table table;
};

#define MULTIPLES_MOST 24

struct chart *chart_create(const char *kind);
/* Accepts NULL. */
void chart_destroy(struct chart *c);

/* Appends a zeroed element to an array of the chart and returns it: CHART_ADD(c, p->cap, p->n_caps). */
#define CHART_ADD(chart, array, n)                                                                 \
    ((array) = chart_grow((chart)->arena, (array), (n), sizeof *(array)), (n)++, &(array)[(n)-1])
void *chart_grow(struct arena *a, void *array, size_t n, size_t size);

/* Makes the chart an empty figure. `why` is a sentence, `command` may be NULL. */
void chart_set_empty(struct chart *c, const char *why, const char *command);

/* Table of values: all columns first. */
void chart_table_column(struct chart *c, const char *head, bool number);
void chart_table_cell(struct chart *c, const char *text);

/*
 * Axes: range and ticks from the values to be shown. `lo` and `hi` are the smallest and largest
 * value (any finite ones; equal is fine); log axes take values above 0 only. Counts get k, M, G.
 */
enum numbers { NUMBERS_PLAIN, NUMBERS_COUNT };
/* From 0; steps of 1, 2, 2.5 or 5 x 10^n, 4 to 6 ticks. */
void axis_linear(struct chart *c, struct axis *a, double hi, enum numbers numbers);
/*
 * 1-2-5 steps up to two decades (four on a `wide` axis), labels at powers of ten only from three.
 * At least three labels.
 */
void axis_log10(struct chart *c, struct axis *a, double lo, double hi, enum numbers numbers,
                bool wide);
/* Powers of two, from one octave under lo to 1.8 x hi. */
void axis_log2(struct chart *c, struct axis *a, double lo, double hi);
/* Ticks at the given values (ascending, above 0) and nowhere else, log2 scale, every second label
 * over 11. */
void axis_at_values(struct chart *c, struct axis *a, const double *v, const char *const *label,
                    size_t n);
/* From 0 to hi seconds, in s under 2 minutes, then min, then h. */
void axis_time(struct chart *c, struct axis *a, double hi);

/* Look of the i-th of several runs (A, B, C, D, E), and of step i of n in an ordered series. */
struct look {
    enum colour colour, text_colour;
    enum marker marker;
};
struct look look_of_run(size_t i);
struct look look_of_step(size_t i, size_t n);

enum chart_place {
    CHART_STANDALONE, /* a picture of its own: heading and source line drawn, 800 units wide */
    CHART_IN_PAGE,    /* heading and caption are the page's, 860 units wide */
    CHART_ON_PHONE, /* as in the page, 360 units wide: letters keep their size on a narrow screen */
    CHART_PLACE_COUNT
};

/* Lays the chart out and draws it. The scene is the caller's: scene_destroy(). */
struct scene *chart_draw(const struct chart *c, enum chart_place place, struct fonts *fonts);

#endif
