/* The page as a model: facts, caveats, and sections that are left out when they have nothing. */
#include "tests/report/page/paper.h"

Test(page, facts_of_a_sweep)
{
    struct paper w = begin();
    static const uint64_t depth[] = {1, 4, 16, 64};
    static const double small[] = {1000, 3900, 12000, 12010};
    for (int i = 0; i < 4; i++) {
        add(&w, (struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = depth[i], .iops = small[i]});
        add(&w, (struct made){.rw = RW_RANDREAD, .bs = 1048576, .depth = depth[i], .iops = 200});
    }
    make(&w);
    const struct fact *f = w.page->fact;
    cr_assert_str_eq(f[0].number, "12.0k");
    cr_assert_str_eq(f[0].detail, "random read, 4k, QD 16", "the shallowest queue on the plateau");
    cr_assert_str_eq(f[1].number, "200");
    cr_assert_str_eq(f[1].detail, "random read, 1M, QD 1");
    cr_assert_str_eq(f[2].word, "p99 latency");
    cr_assert_str_eq(f[2].detail, "random read, 4k, QD 1");
    cr_assert_str_eq(f[3].number, "Steady");
    cr_assert_str_eq(
        w.page->scope,
        "/dev/sdc (64\xC2\xA0GiB), host db7, 8 cells, one run of each, run \"nightly\"");
    cr_assert_str_eq(w.page->date, "12 May 2026");
    cr_assert_str_eq(w.page->kind, "Sweep");
    cr_assert_eq(w.page->n_caveats, 0, "%s", w.page->n_caveats ? w.page->caveat[0] : "");
    static const char *const order[] = {"caps", "load", "all", "method", "again"};
    cr_assert_eq(w.page->n_sections, 5);
    for (size_t i = 0; i < 5; i++)
        cr_assert_str_eq(w.page->section[i].id, order[i]);
    end(&w);
}

static void add_of_suite(struct paper *w, struct made m, const char *rounds, const char *stage)
{
    struct cell c = {0};
    made_cell(&c, &m);
    SET(&c, CELL, repeat, 1);
    if (rounds)
        field_set_text(&cell_fields, &c, CELL_round_values, rounds);
    if (stage)
        field_set_text(&cell_fields, &c, CELL_stage, stage);
    dataset_add_cell(w->dataset, 0, &c);
}

/* A suite has its tables and its steady state first, and the long run as charts of its own. */
Test(page, a_suite)
{
    struct paper w = begin();
    field_set_text(&run_fields, w.run, RUN_plan, "{\"suite\":\"snia-lat\"}");
    static const uint64_t bs[] = {8192, 4096, 512};
    for (size_t i = 0; i < 3; i++) {
        add_of_suite(&w, (struct made){.rw = RW_RANDREAD, .bs = bs[i], .iops = 5000}, NULL, NULL);
        add_of_suite(&w, (struct made){.rw = RW_RANDWRITE, .bs = bs[i], .iops = 4000},
                     bs[i] == 4096 ? "[250000,250000,250000,250000,250000,250000]" : NULL, NULL);
    }
    add_of_suite(&w, (struct made){.rw = RW_RANDWRITE, .bs = 4096, .iops = 1000}, NULL,
                 "histogram");
    make(&w);
    cr_assert_str_eq(w.page->section[0].id, "suite");
    const struct section *s = &w.page->section[0];
    cr_expect_str_eq(s->title, "Steady state was reached after 6 rounds");
    size_t tables = 0, charts = 0;
    for (size_t i = 0; i < s->n_blocks; i++) {
        const struct page_table *t = s->block[i].table;
        charts += s->block[i].kind == BLOCK_CHART;
        if (s->block[i].kind != BLOCK_TABLE)
            continue;
        tables++;
        if (strcmp(t->id, "suite-iops-0") == 0) {
            cr_assert_eq(t->n_rows, 3);
            cr_assert_eq(t->n_columns, 3);
            cr_expect_str_eq(t->column[1].title, "0/100");
            cr_expect_str_eq(t->column[2].title, "100/0");
            cr_expect_str_eq(t->cell[3].text, "4k");
            cr_expect_str_eq(t->cell[4].text, "4,000", "not the long run, nor a mean with it");
            cr_expect_str_eq(t->cell[5].text, "5,000");
        }
        if (strcmp(t->id, "suite-rounds-0") == 0) {
            cr_assert_eq(t->n_rows, 6);
            cr_expect_str_eq(t->cell[3].text, "no");
            cr_expect_str_eq(t->cell[7].text, "yes");
        }
    }
    cr_expect_eq(tables, 6, "four figures of the loads, rounds, conditions: %zu", tables);
    cr_expect_eq(charts, 2, "%zu", charts);
    end(&w);
}

Test(page, caveats)
{
    struct paper w = begin();
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDWRITE, .bs = 4096, .depth = 8, .iops = 700});
    SET(&c, CELL, status, STATUS_FAILED);
    field_set_text(&cell_fields, &c, CELL_error, "Input/output error");
    dataset_add_cell(w.dataset, 0, &c);
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = 8, .iops = 700});
    SET(&c.key, CELL_KEY, direct, false);
    cell_add_caveat(&c, "requests-split");
    cell_add_assumed(&c, "numjobs");
    dataset_add_cell(w.dataset, 0, &c);
    made_cell(&c,
              &(struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = 16, .iops = 700, .cpu = 0.99});
    SET(&c, CELL, steal, 0.2);
    SET(&c, CELL, little_ratio, 0.5);
    dataset_add_cell(w.dataset, 0, &c);
    SET(w.run, RUN, status, STATUS_PARTIAL);
    SET(w.run, RUN, planned_cells, 9);
    make(&w);
    static const char *const want[] = {
        "Failed: 1 of 3 cells. The first was random write, 4k, QD 8: Input/output error.",
        "The run is not finished: 3 of 9 planned cells are here.",
        "The load generator's CPU was full in 1 of 2 results: the device may do more.",
        ("The queue was not kept as deep as asked, so the rate is no property of the device: 1 of "
         "3 "
         "cells."),
        "Went through the page cache, not directly to the device: 1 of 3 cells.",
        "Lost more than 5 % of the CPU time to the hypervisor: 1 of 3 cells.",
        ("The kernel made several requests of an I/O: caps count more of them than are shown here: "
         "1 of "
         "3 cells."),
        "Settings that the source did not state were assumed: 1 of 3 cells.",
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        cr_assert(has_caveat(&w, want[i]), "missing: %s", want[i]);
    end(&w);
}

/* A run that failed before anything was known of its load. */
Test(page, a_failure_without_a_load)
{
    struct paper w = begin();
    struct cell c = {0};
    SET(&c, CELL, status, STATUS_FAILED);
    field_set_text(&cell_fields, &c, CELL_error, "no I/O was done");
    dataset_add_cell(w.dataset, 0, &c);
    cell_release(&c);
    make(&w);
    cr_expect(has_caveat(&w, "Failed: the only cell: no I/O was done."), "%s", w.page->caveat[0]);
    end(&w);
}

/* Files of different formats have no common source, and are imports all the same. */
Test(page, imports_taken_together_are_no_sweep)
{
    static const char *const format[] = {"fio-json", "fio-text"};
    struct dataset *d = dataset_create();
    for (size_t i = 0; i < 2; i++) {
        struct run *run = made_run();
        field_set_text(&run_fields, run, RUN_source_format, format[i]);
        dataset_add_run(d, run);
        struct cell c = {0};
        made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = 8, .iops = 700});
        field_set_text(&cell_key_fields, &c.key, CELL_KEY_engine, "null");
        SET(&c.key, CELL_KEY, direct, false);
        dataset_add_cell(d, i, &c);
        cell_release(&c);
    }
    struct paper w = {.dataset = d};
    size_t at;
    cr_assert_eq(dataset_merge_runs(&at, d, NULL), 0);
    w.page = page_create(d, at, "blkmatrix report 1 2");
    cr_expect_str_eq(w.page->kind, "Import");
    for (size_t i = 0; i < w.page->n_caveats; i++)
        cr_expect_null(strstr(w.page->caveat[i], "page cache"), "%s", w.page->caveat[i]);
    end(&w);
}

Test(page, repeats_apart)
{
    struct paper w = begin();
    for (uint64_t repeat = 1; repeat <= 2; repeat++)
        add(&w,
            (struct made){
                .rw = RW_RANDREAD, .bs = 4096, .repeat = repeat, .iops = 1000 * (double)repeat});
    make(&w);
    cr_assert(has_caveat(&w, "Repeats of 1 of 1 results lie more than a quarter apart: burst "
                             "credits, or another load."));
    end(&w);
}

/* At one depth nobody can know that it levels off. */
Test(page, one_depth_is_no_level)
{
    for (size_t depths = 1; depths <= 2; depths++) {
        struct paper w = begin();
        made_limit(w.run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 2000, "2000");
        for (uint64_t k = 0; k < depths; k++)
            add(&w,
                (struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = k ? 32 : 8, .iops = 1000});
        make(&w);
        cr_expect_eq(has_caveat(&w, "2 of 2 results level off where no listed cap is."),
                     depths == 2);
        cr_expect_not(has_caveat(&w, "1 of 1 results level off where no listed cap is."));
        end(&w);
    }
}

static bool says(const struct section *s, const char *text)
{
    for (size_t i = 0; s && i < s->n_blocks; i++) {
        const struct page_table *t = s->block[i].kind == BLOCK_TABLE ? s->block[i].table : NULL;
        for (size_t k = 0; t && k < t->n_rows * t->n_columns; k++) {
            if (t->cell[k].text && strstr(t->cell[k].text, text))
                return true;
        }
    }
    return false;
}

/* A source is a long text: the table of caps names what has the cap, and each source stands once below. */
Test(page, sources_of_caps_stand_once)
{
    struct paper w = begin();
    add(&w, (struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 3500});
    for (int i = 0; i < 3; i++) {
        struct limit *l = made_limit(w.run, i < 2 ? OWNER_DISK : OWNER_VM, i ? CAP_BW : CAP_IOPS,
                                     PHASE_BASE, PATH_ANY, i ? 170e6 : 3500, "as published");
        field_set_text(&limit_fields, l, LIMIT_name, i < 2 ? "P6" : "DS2");
        field_set_text(&limit_fields, l, LIMIT_source, "the vendor's page");
    }
    make(&w);
    const struct section *s = section(&w, "caps");
    cr_assert_not_null(s);
    cr_expect_not(says(s, "the vendor's page"), "not in the table");
    size_t disk = 0, vm = 0;
    for (size_t i = 0; i < s->n_blocks; i++) {
        const char *text = s->block[i].kind == BLOCK_TEXT ? s->block[i].text : "";
        disk += strcmp(text, "Source of P6: the vendor's page.") == 0;
        vm += strcmp(text, "Source of DS2: the vendor's page.") == 0;
    }
    cr_expect_eq(disk, 1);
    cr_expect_eq(vm, 1);
    end(&w);
}

/* A factor, as of any change beyond a hundred percent. */
Test(page, a_cap_that_is_far_passed)
{
    struct paper w = begin();
    add(&w, (struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 3500});
    made_limit(w.run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 5, "by hand");
    make(&w);
    cr_expect(says(section(&w, "caps"), "passed by 1 result, up to ×700"));
    end(&w);
}

/* Results that came together from several runs count as the scope line counts them. */
Test(page, how_it_was_measured_says_what_is_known)
{
    struct paper w = begin();
    add(&w, (struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 1000, .seconds = 10});
    add(&w, (struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 1000, .seconds = 10});
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 8192, .iops = 1000, .seconds = 10});
    c.key.known &= ~(UINT64_C(1) << CELL_KEY_direct); /* the source does not state it */
    dataset_add_cell(w.dataset, 0, &c);
    make(&w);
    cr_expect(strstr(w.page->scope, "up to 2 runs of each"), "%s", w.page->scope);
    const struct section *s = section(&w, "method");
    cr_assert_not_null(s);
    cr_expect(says(s, "10\u00a0s a cell, up to 2 times"));
    cr_expect(says(s, "direct I/O where it is stated"));
    cr_expect_not(says(s, "direct and buffered"));
    end(&w);
}

/* An import may know how many I/Os there were and not how fast, or how fast but not how large. */
Test(page, a_missing_rate_is_not_a_missing_measurement)
{
    struct paper w = begin();
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 1000, .no_series = true});
    c.dir[DIR_READ].known = UINT64_C(1) << DIRECTION_iops;
    dataset_add_cell(w.dataset, 0, &c);
    make(&w);
    cr_expect_str_eq(w.page->fact[1].number, "–");
    cr_expect_str_eq(w.page->fact[1].detail, "no bandwidth was recorded");
    end(&w);
    w = begin();
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 1000, .no_series = true});
    c.dir[DIR_READ].known = UINT64_C(1) << DIRECTION_ios;
    dataset_add_cell(w.dataset, 0, &c);
    make(&w);
    cr_expect_str_eq(w.page->headline, "No cell states a rate");
    cr_expect_str_eq(w.page->fact[0].detail, "no rate was recorded");
    end(&w);
}

Test(page, an_empty_run)
{
    struct paper w = begin();
    make(&w);
    cr_assert_str_eq(w.page->headline, "No cell gave a result");
    cr_assert_null(section(&w, "all"));
    cr_assert_null(section(&w, "caps"));
    cr_assert_not_null(section(&w, "again"));
    end(&w);
}

Test(page, the_hash_is_that_of_the_results)
{
    char first[80] = "";
    for (int i = 0; i < 3; i++) {
        struct paper w = begin();
        add(&w, (struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = i == 2 ? 1001 : 1000});
        field_set_text(&run_fields, w.run, RUN_name, i == 1 ? "other" : "one");
        make(&w);
        if (i == 0)
            snprintf(first, sizeof first, "%s", w.page->content_hash);
        cr_assert_eq(strcmp(w.page->content_hash, first) == 0, i < 2);
        end(&w);
    }
}

static const struct page_table *table(const struct paper *w, const char *id, const char *table_id)
{
    const struct section *s = section(w, id);
    for (size_t i = 0; s && i < s->n_blocks; i++)
        if (s->block[i].kind == BLOCK_TABLE && strcmp(s->block[i].table->id, table_id) == 0)
            return s->block[i].table;
    return NULL;
}

/* Rows say what differs between loads; what all have is said once. */
Test(page, what_all_loads_share_stands_in_the_caption)
{
    struct paper w = begin();
    static const enum rw rw[] = {RW_RANDREAD, RW_READ, RW_RANDREAD};
    static const char *const sync[] = {NULL, NULL, "dsync"};
    for (size_t i = 0; i < 3; i++) {
        struct cell c = {0};
        made_cell(&c, &(struct made){.rw = rw[i], .bs = 4096, .depth = 1, .iops = 1000});
        SET(&c.key, CELL_KEY, numjobs, 8);
        SET(&c.key, CELL_KEY, direct, false);
        if (sync[i])
            field_set_text(&cell_key_fields, &c.key, CELL_KEY_sync, sync[i]);
        dataset_add_cell(w.dataset, 0, &c);
    }
    make(&w);
    const struct page_table *t = table(&w, "all", "cells");
    cr_assert_not_null(t);
    cr_assert_str_eq(t->column[0].title, "Load");
    cr_assert_not_null(strstr(t->caption, "All loads: 8 jobs, buffered."), "%s", t->caption);
    bool found = false;
    for (size_t i = 0; i < t->n_rows; i++) {
        const char *load = t->cell[i * t->n_columns].text;
        cr_assert_null(strstr(load, "jobs"), "%s", load);
        cr_assert_null(strstr(load, "buffered"), "%s", load);
        found = found || strcmp(load, "random read, dsync") == 0;
    }
    cr_assert(found, "what differs stays");
    end(&w);
}

Test(page, latency_is_shown_where_the_depth_is_not_known)
{
    struct paper w = begin();
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 1000});
    UNSET(&c.key, CELL_KEY, iodepth);
    dataset_add_cell(w.dataset, 0, &c);
    make(&w);
    cr_assert_str_eq(w.page->fact[2].word, "p99 latency");
    cr_assert_str_eq(w.page->fact[2].detail, "random read, 4k");
    end(&w);
}

/* One part that is only in some is said in each of those. */
Test(page, loads_without_anything_in_common_stay_whole)
{
    struct paper w = begin();
    for (uint64_t jobs = 2; jobs < 5; jobs++) {
        struct cell c = {0};
        made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = jobs, .iops = 1000});
        SET(&c.key, CELL_KEY, numjobs, jobs);
        dataset_add_cell(w.dataset, 0, &c);
    }
    make(&w);
    const struct page_table *t = table(&w, "all", "cells");
    cr_assert_null(strstr(t->caption, "All loads"), "%s", t->caption);
    for (size_t i = 0; i < t->n_rows; i++)
        cr_assert_not_null(strstr(t->cell[i * t->n_columns].text, " jobs"));
    end(&w);
}
