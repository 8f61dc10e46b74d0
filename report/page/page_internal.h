/* How sections are filled. Everything is made in the arena of the page. */
#ifndef REPORT_PAGE_PAGE_INTERNAL_H
#define REPORT_PAGE_PAGE_INTERNAL_H

#include "report/chart/kinds/kind.h"
#include "report/page/page.h"

void page_add_caveat(struct page *p, const char *text);
void page_add_text(struct page *p, struct section *s, const char *text);
void page_add_command(struct page *p, struct section *s, const char *text);
void page_add_table(struct page *p, struct section *s, struct page_table *t);
/* Builds a chart; it is added unless it is empty. True when it was added. */
bool page_add_chart(struct page *p, struct section *s, const char *kind, const char *id,
                    const struct kind_query *q);

struct page_table *page_table_create(struct page *p, const char *id, const char *caption);
void page_table_column(struct page *p, struct page_table *t, const char *title, bool number);
/* The next cell, left to right, row after row. text NULL is unknown. */
void page_table_text(struct page *p, struct page_table *t, const char *text);
void page_table_value(struct page *p, struct page_table *t, const char *text, double value);
void page_table_tagged(struct page *p, struct page_table *t, const char *text, enum tag tag);

/* "random read, 4k, QD 32" */
const char *page_row_words(struct page *p, const struct row *r);
/* The same of a mix, not of one of its directions. */
const char *page_mix_words(struct page *p, const struct row *r);
/* The same without what page_load_caption() says. */
const char *page_short_words(struct page *p, const struct row *r);
const char *page_bs_words(struct page *p, uint64_t bs); /* "4k"; "–" for 0 */
enum tag page_tag(enum binds binds);

/* loads.c */
void page_find_shared_load(struct page *p);
/* The words of a load without what all of the page share. */
const char *page_load_words(struct page *p, const char *group);
/* The caption of a table with such words: the rest is said here, once. */
const char *page_load_caption(struct page *p, const char *caption);

void page_fill_facts(struct page *p);
void page_fill_caveats(struct page *p);
const char *page_scope(struct page *p);
/* Runs of a result: of the one with the fewest (SIZE_MAX without results) and of the one with the most. */
void page_repeats(const struct page *p, size_t *fewest, size_t *most);
/* Cells of the run with their exact figures: for CSV and JSON. */
struct page_table *page_data_table(struct page *p);

extern const struct page_section section_suite;
extern const struct page_section section_caps;
extern const struct page_section section_load;
extern const struct page_section section_time;
extern const struct page_section section_cells;
extern const struct page_section section_method;
extern const struct page_section section_again;

/* Stated to go through the page cache; the engine that does nothing goes through none. */
bool page_is_buffered(const struct cell_key *key);

#endif
