/* `blkmatrix show RUN --as-fio`: cells as a job file. */
#include <inttypes.h>

#include "cli/show_internal.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "runner/plan/plan.h"
#include "runner/sweep/loads.h"

struct writer {
    struct strbuf out;
    const struct run *run;
    const struct cell_filter *filter;
    const struct plan *plan; /* of a sweep; else NULL */
    uint64_t group;          /* of the last cell */
    bool beside;             /* it had others beside it */
    size_t n;
};

/* Imported cells say no more of their group than its number. */
static uint64_t group_of(const struct cell *cell)
{
    cJSON *o = cell->extra ? cJSON_Parse(cell->extra) : NULL;
    const cJSON *group = cJSON_GetObjectItemCaseSensitive(o, "group");
    double v = cJSON_IsNumber(group) ? group->valuedouble : 0;
    cJSON_Delete(o);
    return v >= 0 && v < 0x1p53 ? (uint64_t)v : 0;
}

/* What was asked for: of a job, of a sweep, else as it came out. */
static struct jobfile_times times_of(const struct writer *w, const struct cell *cell,
                                     uint64_t *group)
{
    struct jobfile_times t = {.ramp_ns = IS_KNOWN(cell, CELL, ramp_ns) ? cell->ramp_ns : 0};
    *group = group_of(cell);
    if (loads_cell_times(&t, group, cell))
        return t;
    if (w->plan) {
        t.runtime_ns = w->plan->axes.runtime_ns;
        t.interval_ns = w->plan->axes.interval_ns;
        return t;
    }
    if (IS_KNOWN(cell, CELL, runtime_ns))
        t.runtime_ns = cell->runtime_ns;
    for (int d = 0; d < DIR_COUNT && !t.runtime_ns; d++) {
        if (IS_KNOWN(&cell->dir[d], DIRECTION, runtime_ns))
            t.runtime_ns = cell->dir[d].runtime_ns;
    }
    return t;
}

static int write_cell(struct cell *cell, void *arg)
{
    struct writer *w = arg;
    if (!cell_filter_matches(w->filter, cell, w->run))
        return 0;
    uint64_t group;
    const struct jobfile_times times = times_of(w, cell, &group);
    bool beside = cell_has_caveat(cell, "beside-others");
    bool together = beside && w->beside && group == w->group;
    if (w->n++)
        strbuf_addc(&w->out, '\n');
    jobfile_print(&w->out, w->run, cell, &times, w->n > 1 && !together);
    w->group = group;
    w->beside = beside;
    return 0;
}

int show_as_fio(struct store *store, const struct run *run, const struct cell_filter *filter,
                struct error *err)
{
    struct writer w = {.out = STRBUF_INIT, .run = run, .filter = filter};
    struct plan *plan = NULL;
    if (run->plan && plan_from_json(&plan, run->plan, NULL) == 0)
        w.plan = plan;
    strbuf_addf(&w.out, "; run %" PRId64 "%s", run->id, run->name ? ", " : "");
    utf8_clean(&w.out, run->name ? run->name : "");
    strbuf_addc(&w.out, '\n');
    int rc = store_each_cell(store, run->id, 0, write_cell, &w, err);
    if (rc == 0)
        fputs(w.out.text, stdout);
    strbuf_release(&w.out);
    plan_destroy(plan);
    return rc;
}
