/* What the kinds share: picking rows, finding caps, saying it in words. */
#ifndef REPORT_CHART_KINDS_KIND_INTERNAL_H
#define REPORT_CHART_KINDS_KIND_INTERNAL_H

#include "report/analysis/analysis.h"
#include "report/chart/kinds/kind.h"

/* ---- select.c: rows to curves ---- */

/* Usable rows of one group of one run: they differ in block size and depth. */
struct curve {
    const struct row **row;
    size_t n;
    const struct run *run;
    size_t run_index;
    const char *group;
    const char *letter; /* "A", "B" ... when there are several curves, else NULL */
    const char *name;   /* what tells it from the others */
    struct look look;
};

/* More curves than this get a small panel each. */
#define MOST_OVERLAID 5

struct selection {
    struct curve *curve;
    size_t n;
    size_t failed;       /* rows that match but hold no result */
    size_t others;       /* groups of the first run that match and are not shown */
    const char *example; /* the name of one of them */
};

/*
 * Which curves a query means: one a run, of the asked or first group; several groups of a run only
 * when the query names several patterns. Sets the chart empty and returns false when there is none.
 */
bool select_curves(struct chart *c, struct dataset *d, const struct kind_query *q,
                   struct selection *out);
/* Names, letters and looks, again after curves were taken out. */
void name_curves(struct chart *c, struct selection *s);
/* The row of this size and depth; NULL when there is none. */
const struct row *curve_row(const struct curve *v, uint64_t bs, uint64_t depth);
/* At any size: another run's depth is no gap in a line. */
bool curve_has_depth(const struct curve *v, uint64_t depth);
/* The row of the greatest depth at this size; NULL when there is none. */
const struct row *curve_deepest(const struct curve *v, uint64_t bs);
/* Distinct block sizes (0 left out) or depths (0 left out) of n curves, ascending. */
size_t sizes_of(struct chart *c, const struct curve *curve, size_t n, uint64_t **out);
size_t depths_of(struct chart *c, const struct curve *curve, size_t n, uint64_t **out);
/* The smallest of the sizes that have the most depths: where a ladder of depths is best seen. */
uint64_t selection_size(struct chart *c, const struct selection *s);
/* The row that stands for a curve at one size: at the knee if there is one, else the deepest. */
const struct row *curve_typical(struct chart *c, const struct curve *v, uint64_t bs);
/* Rungs of one block size, ascending depth; rows without a rate left out. */
size_t curve_rungs(struct chart *c, const struct curve *v, uint64_t bs, struct rung **out);

/* ---- words.c ---- */

const char *say_iops(struct chart *c, double iops);     /* 3,498 */
const char *say_mib(struct chart *c, double bytes);     /* 63.9 */
const char *say_latency(struct chart *c, double ns);    /* 9.13 ms */
const char *say_bs(struct chart *c, uint64_t bs);       /* 4k */
const char *say_depth(struct chart *c, uint64_t depth); /* 32 */
const char *say_share(struct chart *c, double share);
/* "4k to 1M", "4k" */
const char *say_sizes(struct chart *c, uint64_t from, uint64_t to);
/* "reads", "writes", "trims", "I/Os"; and one of them. */
const char *dir_plural(enum dir dir);
const char *dir_singular(enum dir dir);
/* The texts that are not empty with commas between them, the first letter a capital. */
const char *say_parts(struct chart *c, const char *const *part, size_t n);
#define SAY_PARTS(c, ...)                                                                          \
    say_parts((c), (const char *const[]){__VA_ARGS__},                                             \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
/* "block size 4k", "QD 32"; "" for 0 */
const char *say_block(struct chart *c, uint64_t bs);
const char *say_qd(struct chart *c, uint64_t depth);
/* Pattern, device, VM size: "random read, /dev/sdc on Standard_DS2_v2". */
const char *say_subject(struct chart *c, const struct selection *s);
/*
 * The source line: tool, host, date, number of runs a cell, then the given sentence (may be NULL),
 * then what was left out.
 */
void say_source(struct chart *c, const struct selection *s, const char *more);
/* "4k, QD 32", led by the letter of the curve; "" when none is known. */
const char *say_cell(struct chart *c, const struct curve *v, const struct row *r);
/* "4k, QD 32: 3,498 IOPS, 13.7 MiB/s, p99 9.13 ms", led by the letter of the curve. */
const char *say_row(struct chart *c, const struct curve *v, const struct row *r);
/* "Bandwidth by block size: before and after", "IOPS over time: 4 runs" */
const char *title_of_several(struct chart *c, const struct selection *s, const char *what);
/* "QD 1 to 64", "QD 32"; "" when no depth is known. */
const char *say_depths(struct chart *c, const struct selection *s);
/* The name at the end of a curve's line: "A host cache on". */
const char *curve_label(struct chart *c, const struct curve *v);
/* "lat" or "clat" in words: "completion latency". */
const char *lat_words(const struct row *r);
/* The usual columns and one line a row of all curves. */
void table_of_rows(struct chart *c, const struct selection *s);

/* ---- points.c: series and their data ---- */

/* A datum for the rate of a row with its interval over repeats; scale turns I/Os into the unit of y. */
struct datum datum_of_rate(struct chart *c, const struct curve *v, const struct row *r, double x,
                           double scale);
/* What the intervals of these rows are, for the source line; NULL when there are none to draw. */
const char *interval_words(const struct selection *s);
enum measure { MEASURE_IOPS, MEASURE_BW };
/* IOPS or MiB/s of a row. */
double measure_of(const struct row *r, enum measure m);
/* A line for each depth of the one curve, or for the greatest depth of each of several; and what
 * they span (lo infinite, hi 0 when there is nothing). */
void traces_by_size(struct chart *c, struct panel *p, const struct selection *s, enum measure m,
                    double *lo, double *hi);
/* An empty trace with the look and name of a curve. */
struct trace *trace_of_curve(struct chart *c, struct panel *p, const struct selection *s, size_t i);
/* The x axis with a tick at each size or depth. */
void axis_of_sizes(struct chart *c, const uint64_t *bs, size_t n);
void axis_of_depths(struct chart *c, const uint64_t *depth, size_t n);
/* Which of n ordered series get a name: all up to 6, else first, last and `named` (n: none). */
void thin_names(struct trace *s, size_t n, size_t named);

/* ---- roof.c: known caps, or what was seen instead ---- */

/* Limits of one kind added up over the devices of a row. */
struct roof_cap {
    enum limit_owner owner;
    enum limit_kind kind;
    enum limit_phase phase;
    enum limit_path path;
    double value, value_max; /* I/Os or bytes a second */
    double io_size;          /* an I/O above counts as several; 0 never */
    size_t devices;          /* disks it is added up over; 1 for VM and host */
    bool refuted;            /* it was exceeded: what was measured lies above */
    bool effective;          /* lowest of its owner and kind that is not refuted */
    bool bursts;             /* its owner has a burst figure of this kind as well */
};

/* What holds a row: the roof, or the one that is left once credit is gone, whichever is closer. */
struct roof_verdict {
    const struct roof_cap *cap; /* NULL: none is known */
    double share;               /* measured / that cap */
    bool reached;               /* 90 % or more */
};

struct roof_column {
    uint64_t bs;
    const struct row *row; /* the deepest, or where that fell off a cap the one that was at it */
    struct roof_verdict verdict;
};

struct roof {
    struct roof_cap *cap;
    size_t n;
    struct roof_column *column; /* ascending block size */
    size_t n_columns;
};

#define ROOF_REACHED 0.90

/* Caps of one curve. n is 0 when the run has no limits that apply. */
void roof_find(struct chart *c, const struct curve *v, struct roof *out);
/* Why roof_find finds none, without a full stop. */
const char *no_roof_words(const struct curve *v);
/* Bytes a second that a cap allows at a block size. */
double roof_cap_bw(const struct roof_cap *cap, double bs);
/* The lowest effective cap at a block size and its bytes a second; NULL when there is none. */
const struct roof_cap *roof_at(const struct roof *r, double bs, double *bw);

/* A base figure under a burst counts only when the row is saturated: a slow row may meet it by chance. */
struct roof_verdict roof_judge(const struct roof *roof, const struct row *r, bool saturated);

/* A straight piece of the roof (in log-log): one cap from one block size to another. */
struct roof_piece {
    const struct roof_cap *cap;
    double from, to;
};
/*
 * The pieces between two block sizes, left to right; with `sustained` those of the roof that is left
 * once all burst credit is gone.
 */
size_t roof_pieces(struct chart *c, const struct roof *r, double from, double to, bool sustained,
                   struct roof_piece **out);
/* "Disk burst 3,500 IOPS", "VM cached 64 MB/s". */
const char *roof_cap_label(struct chart *c, const struct roof_cap *cap);
/* "burst IOPS", "cached throughput" */
const char *roof_cap_words(struct chart *c, const struct roof_cap *cap);
const char *owner_word(enum limit_owner o); /* "Disk", "VM", "Host" */
enum colour owner_colour(enum limit_owner o);
enum colour owner_text_colour(enum limit_owner o);
/* Draws roof, other caps, sustained roof and the area out of reach into a panel whose y is MiB/s. */
void roof_draw(struct chart *c, struct panel *p, const struct roof *r, double from, double to,
               double top, const char *letter);
/* The row of the strip that says what binds where. */
void roof_strip(struct chart *c, const struct curve *v, const struct roof *r, double from,
                double to, size_t row);
/* Where nothing is known about limits: the ceiling as measured over the saturated sizes. */
void observed_plateau(struct chart *c, const struct curve *v, struct plateau *out);

/* ---- ladder.c: one block size over growing depth ---- */

#define KNEE_WORDS "Knee: twice the depth brings under 5\u00a0%."

struct depth_ladder {
    uint64_t bs;
    struct rung *rung;
    size_t n, knee;             /* knee: n when there is none */
    const struct roof_cap *cap; /* lowest at this size; NULL none */
    double cap_iops;            /* what it allows there */
    bool reached;
};
void ladder_find(struct chart *c, const struct curve *v, uint64_t bs, struct depth_ladder *out);
/* "Disk burst 3,500 IOPS", "VM cached 64 MB/s = 64.0 IOPS" */
const char *ladder_cap_label(struct chart *c, const struct depth_ladder *l, const char *letter);
/* "97 % of the cap, p99 4.60 ms": the second line of a note at the knee. */
const char *ladder_knee_words(struct chart *c, const struct depth_ladder *l, double latency,
                              const char *which);

/* ---- hockey.c ---- */

/*
 * Axes of load (IOPS, up to `most`) against latency (lo..hi, in the unit of the panel's title, log), with
 * the caps of the panel as lines over its whole height.
 */
void hockey_axes(struct chart *c, struct panel *p, double lo, double hi, double most);

/* ---- response.c ---- */

/*
 * The response curve of the selected rows, in place of a chart over queue depths. False, and nothing
 * drawn, when they have no steps.
 */
bool response_build(struct chart *c, struct dataset *d, const struct selection *s);

/* ---- the registry's rows ---- */
extern const struct kind kind_bs, kind_roofline, kind_qd, kind_hockey, kind_percentile,
    kind_latency, kind_time, kind_matrix;

#endif
