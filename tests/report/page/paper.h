/* A page about a made-up run, for the tests of this folder. */
#ifndef TESTS_REPORT_PAGE_PAPER_H
#define TESTS_REPORT_PAGE_PAPER_H

#include <criterion/criterion.h>

#include "report/page/page.h"
#include "tests/support/made.h"

struct paper {
    struct dataset *dataset;
    struct run *run;
    struct page *page;
};

static inline struct paper begin(void)
{
    struct paper w = {.dataset = dataset_create(), .run = made_run()};
    dataset_add_run(w.dataset, w.run);
    return w;
}

static inline void add(struct paper *w, struct made m)
{
    struct cell c = {0};
    made_cell(&c, &m);
    dataset_add_cell(w->dataset, 0, &c);
}

static inline void make(struct paper *w)
{
    w->page = page_create(w->dataset, 0, "blkmatrix report 17");
}

static inline void end(struct paper *w)
{
    page_destroy(w->page);
    dataset_destroy(w->dataset);
}

static inline const struct section *section(const struct paper *w, const char *id)
{
    for (size_t i = 0; i < w->page->n_sections; i++) {
        if (strcmp(w->page->section[i].id, id) == 0)
            return &w->page->section[i];
    }
    return NULL;
}

static inline bool has_caveat(const struct paper *w, const char *text)
{
    for (size_t i = 0; i < w->page->n_caveats; i++) {
        if (strcmp(w->page->caveat[i], text) == 0)
            return true;
    }
    return false;
}

#endif
