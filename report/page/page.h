/*
 * A report as a model: what is said, in the order it is said, without a word about HTML. Formats
 * (report/format) write it. Texts are for people (numbers formatted, plain UTF-8, hostile names
 * untouched: each format escapes); values carry full precision.
 */
#ifndef REPORT_PAGE_PAGE_H
#define REPORT_PAGE_PAGE_H

#include "core/base/arena.h"
#include "report/chart/chart.h"
#include "report/diagnosis/diagnosis.h"

enum tag { TAG_NONE, TAG_DISK, TAG_VM, TAG_HOST, TAG_RATE };

struct page_cell {
    const char *text; /* never NULL; "–" is unknown */
    double value;     /* what it is sorted by; NaN: by its text */
    enum tag tag;
};

struct page_column {
    const char *title;
    bool number; /* set flush right */
};

struct page_table {
    const char *id;
    const char *caption;
    struct page_column *column;
    size_t n_columns;
    struct page_cell *cell; /* row after row */
    size_t n_rows, n_cells, room;
    bool sortable;    /* and filterable */
    bool is_wrapping; /* long texts: cells may wrap */
};

enum block_kind { BLOCK_TEXT, BLOCK_CHART, BLOCK_TABLE, BLOCK_COMMAND };

struct page_block {
    enum block_kind kind;
    const char *text;         /* TEXT: a paragraph; COMMAND: what to type */
    const char *id;           /* CHART: unique in the page */
    const char *title;        /* CHART: the finding, or what is shown */
    const char *subtitle;     /* CHART: metric, pattern, sizes; NULL */
    const char *source;       /* CHART: who measured what; NULL */
    struct chart *chart;      /* CHART: owned; see page_draw() */
    struct page_table *table; /* TABLE; CHART: its values, NULL when there are none */
};

struct section {
    const char *id;
    const char *name;  /* in the navigation and above the title */
    const char *title; /* the finding, or what is shown; NULL: the first chart has it */
    struct page_block *block;
    size_t n_blocks, room;
};

struct fact {
    const char *number; /* "71.2k", "Steady" */
    const char *word;   /* "IOPS, best" */
    const char *detail; /* the cell */
    const char *small;  /* one thing more; NULL */
};

#define PAGE_FACTS 4

struct page {
    struct arena *arena;
    struct dataset *dataset; /* not owned */
    size_t run_index;
    const struct run *run;
    struct analysis *analysis;
    struct diagnosis *diagnosis;
    const char *kind;        /* "Sweep" */
    const char *date;        /* "12 May 2026" of the run; NULL unknown */
    const char *headline;    /* h1 */
    const char *deck;        /* the diagnosis */
    const char *scope;       /* device, VM, cells, repeats */
    const char *shared_load; /* what all loads have, each part after ", "; "" */
    struct fact fact[PAGE_FACTS];
    const char **caveat;
    size_t n_caveats, caveat_room;
    struct section *section;
    size_t n_sections, section_room;
    struct page_table *data;    /* the cells with exact figures, for programs */
    const char *report_command; /* the command line that writes this report */
    const char *content_hash;   /* SHA-256 of the CSV of its cells */
};

/*
 * The report of one sweep (or run, or import): dataset run `run`. command is the command line to
 * print under "make it again". The dataset must outlive the page.
 */
struct page *page_create(struct dataset *d, size_t run, const char *command);
/* Accepts NULL. */
void page_destroy(struct page *p);

/* The picture of a CHART block; the caller's: scene_destroy(). */
struct scene *page_draw(const struct page_block *b, enum chart_place place, struct fonts *fonts);

/* A section of the page: a file beside this, a row in sections.c. */
struct page_section {
    const char *id;
    const char *name;
    /* Fills title and blocks; without blocks the section is left out. */
    void (*build)(struct page *p, struct section *s);
};
extern const struct page_section *const page_section_table[]; /* NULL-terminated, in page order */

#endif
