/* Why a measurement is as long as it is: an interval that was narrow enough, a state that was steady. */
#include <inttypes.h>

#include "cli/show_internal.h"
#include "core/base/json.h"
#include "core/base/numfmt.h"
#include "core/model/suite.h"
#include "core/stats/steady.h"

void show_suite(struct view *v, const struct run *run)
{
    const struct suite *suite = suite_of_run(run);
    if (suite)
        view_linef(v, "suite", "%s: %s (PTS-style)", suite->name, suite->summary);
}

static const char *ended_words(const char *by)
{
    if (strcmp(by, "interval") == 0)
        return "the interval: it was narrow enough";
    return strcmp(by, "drained") == 0 ? "the burst: it had run out, and what lasts was seen"
                                      : "the longest runtime";
}

static void show_interval(struct view *v, const struct cell *cell)
{
    if (IS_KNOWN(cell, CELL, ci_half) && IS_KNOWN(cell, CELL, n_eff))
        view_linef(v, "interval",
                   "±%.2g %% of the mean IOPS (95 %%), from %.1f independent samples",
                   100 * cell->ci_half, cell->n_eff);
    if (cell->ended_by)
        view_line(v, "ended by", ended_words(cell->ended_by));
}

static void show_rounds(struct view *v, const struct cell *cell, bool latency)
{
    cJSON *values = cell->round_values ? cJSON_Parse(cell->round_values) : NULL;
    size_t n = (size_t)cJSON_GetArraySize(values), i = 0;
    struct text_table *t = text_table_create();
    text_table_column(t, "round", COL_RIGHT);
    text_table_column(t, latency ? "mean" : "IOPS", COL_RIGHT);
    text_table_column(t, "", 0);
    const cJSON *e;
    cJSON_ArrayForEach(e, values)
    {
        char buf[NUMFMT_MAX];
        text_table_row(t);
        text_table_cellf(t, "%zu", i + 1);
        text_table_cell(t,
                        latency ? fmt_latency(buf, e->valuedouble) : fmt_iops(buf, e->valuedouble));
        text_table_cell(t, i + STEADY_WINDOW >= n ? "counts" : "");
        i++;
    }
    view_table(v, t);
    cJSON_Delete(values);
}

void show_ends(struct view *v, const struct run *run, const struct cell *cell)
{
    show_interval(v, cell);
    if (!IS_KNOWN(cell, CELL, steady))
        return;
    char buf[NUMFMT_MAX], bs[NUMFMT_MAX];
    const struct suite *suite = suite_of_run(run);
    view_linef(v, "steady", "%s, after %" PRIu64 " rounds", cell->steady ? "yes" : "no",
               cell->rounds);
    view_linef(v, "range", "%s %% of the mean, at most %.0f %%",
               fmt_beside(buf, cell->steady_range, STEADY_RANGE_MAX), 100 * STEADY_RANGE_MAX);
    view_linef(v, "slope", "%s %% of the mean, at most %.0f %%",
               fmt_beside(buf, cell->steady_slope, STEADY_SLOPE_MAX), 100 * STEADY_SLOPE_MAX);
    if (suite)
        view_linef(v, "rounds ended by", "%s of %s %s",
                   suite->follows_latency ? "mean latency" : "IOPS", rw_names[suite->followed_rw],
                   fmt_bs(bs, suite->followed_bs));
    show_rounds(v, cell, suite_judges_latency(suite, &cell->key));
}
