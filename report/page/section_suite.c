/* A test after SNIA's specification: its steady state and its tables. */
#include <inttypes.h>
#include <math.h>

#include "core/model/suite_result.h"
#include "report/page/page_internal.h"

static const char *device_words(struct page *p, const struct suite_result *r)
{
    const char *words = "";
    for (size_t i = 0; i < r->n_devices; i++) {
        size_t d = r->device[i];
        const char *path = d < p->run->n_devices ? p->run->device[d].path : NULL;
        words = arena_printf(p->arena, "%s%s%s", words, i ? " + " : "", path ? path : "?");
    }
    return words;
}

static void pair(struct page *p, struct page_table *t, const char *name, const char *text)
{
    if (!text || !*text)
        return;
    page_table_text(p, t, name);
    page_table_text(p, t, text);
}

static const char *extent_words(struct page *p, const struct cell_key *k)
{
    char from[NUMFMT_MAX], size[NUMFMT_MAX];
    bool whole = !IS_KNOWN(k, CELL_KEY, size) && !(IS_KNOWN(k, CELL_KEY, offset) && k->offset);
    if (whole)
        return "all of the device";
    const char *bytes = IS_KNOWN(k, CELL_KEY, size) ? fmt_bytes(size, k->size) : "all";
    if (!IS_KNOWN(k, CELL_KEY, offset) || k->offset == 0)
        return arena_printf(p->arena, "the first %s", bytes);
    return arena_printf(p->arena, "%s from %s on", bytes, fmt_bytes(from, k->offset));
}

static const char *data_words(struct page *p, const struct cell_key *k)
{
    if (!IS_KNOWN(k, CELL_KEY, compress) && !IS_KNOWN(k, CELL_KEY, dedupe))
        return "random, fresh in every write";
    return arena_printf(p->arena, "%" PRIu64 " %% compressible, %" PRIu64 " %% repeated",
                        IS_KNOWN(k, CELL_KEY, compress) ? k->compress : 0,
                        IS_KNOWN(k, CELL_KEY, dedupe) ? k->dedupe : 0);
}

static void add_device(struct page *p, struct page_table *t, const struct device_info *d)
{
    char size[NUMFMT_MAX];
    const char *firmware = d->firmware ? arena_printf(p->arena, ", firmware %s", d->firmware) : "";
    const char *capacity =
        IS_KNOWN(d, DEVICE, size) ? arena_printf(p->arena, ", %s", fmt_bytes(size, d->size)) : "";
    pair(p, t, d->path ? d->path : "Device",
         arena_printf(p->arena, "%s%s%s%s%s",
                      d->model  ? d->model
                      : d->type ? d->type
                                : "unnamed",
                      firmware, capacity, d->transport ? ", " : "",
                      d->transport ? d->transport : ""));
    pair(p, t, "Purge", d->purge);
    pair(p, t, "Preconditioning", d->precondition);
    pair(p, t, "Write cache", d->write_cache);
}

/* What SNIA wants to be said with every figure. */
static void add_conditions(struct page *p, struct section *s, const struct suite *suite)
{
    char time[NUMFMT_MAX];
    const struct cell *c = dataset_cell(p->dataset, p->run_index, 0);
    struct page_table *t = page_table_create(p, "suite-conditions", "Conditions of the test");
    t->is_wrapping = true;
    page_table_column(p, t, "Condition", false);
    page_table_column(p, t, "Value", false);
    pair(p, t, "Test",
         arena_printf(p->arena, "%s: %s. PTS-style, not certified", suite->name, suite->summary));
    for (size_t i = 0; i < p->run->n_devices; i++)
        add_device(p, t, &p->run->device[i]);
    pair(p, t, "Active range", extent_words(p, &c->key));
    pair(p, t, "In flight",
         arena_printf(p->arena, "%" PRIu64 " thread%s (TC) x %" PRIu64 " (QD)", c->key.numjobs,
                      c->key.numjobs == 1 ? "" : "s", c->key.iodepth));
    pair(p, t, "Data", data_words(p, &c->key));
    if (IS_KNOWN(c, CELL, runtime_ns) && IS_KNOWN(c, CELL, rounds))
        pair(p, t, "A round",
             arena_printf(p->arena, "%s of each cell",
                          fmt_duration(time, (c->runtime_ns + STEADY_WINDOW / 2) / STEADY_WINDOW)));
    page_add_table(p, s, t);
}

static void add_rounds(struct page *p, struct section *s, const struct suite *suite,
                       const struct suite_result *r, const char *id)
{
    char buf[NUMFMT_MAX];
    size_t first, last;
    if (!suite_window(r, &first, &last))
        return;
    enum suite_measure m = suite->follows_latency ? SUITE_MEAN : SUITE_IOPS;
    struct strbuf followed = STRBUF_INIT;
    suite_followed_words(&followed, suite);
    struct page_table *t = page_table_create(
        p, id, arena_printf(p->arena, "Convergence: the %s in each round", followed.text));
    page_table_column(p, t, "Round", true);
    page_table_column(p, t, suite_measure_titles[m], true);
    page_table_column(p, t, "To the mean of the window", true);
    page_table_column(p, t, "In the window", false);
    strbuf_release(&followed);
    for (size_t i = 0; i < r->n_rounds; i++) {
        double v = r->round[i];
        page_table_value(p, t, arena_printf(p->arena, "%zu", i + 1), (double)i + 1);
        page_table_value(p, t, suite_format(buf, m, v), v);
        page_table_value(p, t, fmt_change(buf, v / r->steady.mean), v / r->steady.mean);
        page_table_text(p, t, i + 1 >= first ? "yes" : "no");
    }
    page_add_table(p, s, t);
}

static void add_matrix(struct page *p, struct section *s, const struct suite_result *r,
                       enum suite_measure m, const char *id)
{
    char buf[NUMFMT_MAX];
    struct page_table *t = page_table_create(
        p, id,
        arena_printf(p->arena, "%s: reads/writes in percent over block size, mean of the window",
                     suite_measure_titles[m]));
    if (m != SUITE_IOPS)
        t->caption = arena_printf(p->arena,
                                  "%s: reads/writes in percent over block size, all I/Os of the "
                                  "window",
                                  suite_measure_titles[m]);
    page_table_column(p, t, "Block", true);
    for (size_t i = 0; i < r->n_reads; i++)
        page_table_column(p, t, arena_printf(p->arena, "%u/%u", r->reads[i], 100 - r->reads[i]),
                          true);
    for (size_t k = 0; k < r->n_bs; k++) {
        page_table_value(p, t, page_bs_words(p, r->bs[k]), (double)r->bs[k]);
        for (size_t i = 0; i < r->n_reads; i++) {
            double v = suite_result_at(r, m, r->reads[i], r->bs[k]);
            page_table_value(p, t, suite_format(buf, m, v), v);
        }
    }
    page_add_table(p, s, t);
}

/* The row of the dataset that the long measurement of a device is. */
static const struct row *long_row(const struct page *p, const struct suite_result *r)
{
    size_t n;
    const struct row *row = dataset_rows(p->dataset, &n);
    for (size_t i = 0; i < n; i++) {
        const struct cell *c = row[i].cell;
        if (row[i].run_index == p->run_index && row[i].part == 0 && c->stage &&
            c->n_devices == r->n_devices && (r->n_devices == 0 || c->device[0] == r->device[0]))
            return &row[i];
    }
    return NULL;
}

static void add_histogram(struct page *p, struct section *s, const struct suite_result *r,
                          size_t number)
{
    const struct suite_histogram *h = &r->histogram;
    const struct row *row = h->known ? long_row(p, r) : NULL;
    if (!row)
        return;
    struct strbuf words = STRBUF_INIT;
    suite_histogram_words(&words, h);
    page_add_text(p, s, words.text);
    strbuf_release(&words);
    const struct kind_query q = {.group = row->group};
    page_add_chart(p, s, "latency", arena_printf(p->arena, "suite-latency-%zu", number), &q);
    page_add_chart(p, s, "percentile", arena_printf(p->arena, "suite-percentile-%zu", number), &q);
}

static void add_result(struct page *p, struct section *s, const struct suite_results *all,
                       size_t number)
{
    enum suite_measure table[SUITE_MEASURES];
    const struct suite_result *r = &all->result[number];
    struct strbuf verdict = STRBUF_INIT;
    if (all->n > 1)
        strbuf_addf(&verdict, "%s, repeat %" PRIu64 ": ", device_words(p, r), r->repeat);
    suite_verdict(&verdict, all->suite, r);
    page_add_text(p, s, verdict.text);
    strbuf_release(&verdict);
    if (!r->steady.known)
        return;
    size_t n = suite_tables(all->suite, table);
    for (size_t i = 0; i < n; i++)
        if (suite_knows(r, table[i]))
            add_matrix(
                p, s, r, table[i],
                arena_printf(p->arena, "suite-%s-%zu", suite_measure_names[table[i]], number));
    struct strbuf missing = STRBUF_INIT;
    suite_left_out(&missing, all->suite, r);
    if (missing.len)
        page_add_text(p, s, missing.text);
    strbuf_release(&missing);
    add_rounds(p, s, all->suite, r, arena_printf(p->arena, "suite-rounds-%zu", number));
    /* repeats of the long run are one row of the dataset, and one chart */
    if (r->repeat == 1)
        add_histogram(p, s, r, number);
}

static const char *title_words(struct page *p, const struct suite_results *all)
{
    size_t steady = 0;
    for (size_t i = 0; i < all->n; i++)
        steady += all->result[i].steady.steady;
    if (all->n > 1)
        return arena_printf(p->arena, "Steady state was reached in %zu of %zu tests", steady,
                            all->n);
    const struct suite_result *r = &all->result[0];
    if (!r->steady.known)
        return "Nothing is said about a steady state";
    return arena_printf(p->arena, "Steady state was %s %zu rounds",
                        steady ? "reached after" : "not achieved within", r->n_rounds);
}

static void build(struct page *p, struct section *s)
{
    struct suite_results all;
    suite_results_begin(&all, p->run);
    for (size_t i = 0; i < dataset_n_cells(p->dataset, p->run_index); i++)
        suite_results_add(&all, dataset_cell(p->dataset, p->run_index, i));
    suite_results_end(&all);
    if (all.n > 0) {
        s->title = title_words(p, &all);
        for (size_t i = 0; i < all.n; i++)
            add_result(p, s, &all, i);
        add_conditions(p, s, all.suite);
    }
    suite_results_release(&all);
}

const struct page_section section_suite = {"suite", "PTS-style test", build};
