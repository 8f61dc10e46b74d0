/* What a plan says about preconditioning, rounds and the end of cells. */
#include "cli/sweep_internal.h"
#include "core/base/json.h"
#include "core/base/numfmt.h"
#include "core/stats/steady.h"

/* Bytes of the extent that the cells use on a target. */
static uint64_t extent_of(const struct session *s, size_t target)
{
    const struct cell_key *base = &s->plan->axes.base;
    uint64_t size = s->target[target].size;
    uint64_t offset = IS_KNOWN(base, CELL_KEY, offset) ? base->offset : 0;
    uint64_t left = offset < size ? size - offset : 0;
    return IS_KNOWN(base, CELL_KEY, size) && base->size < left ? base->size : left;
}

static void add_precondition(const struct session *s, struct strbuf *out)
{
    char bytes[NUMFMT_MAX], times[NUMFMT_MAX];
    enum precondition how = ends_precondition(s);
    if (how == PRECONDITION_NONE)
        return;
    for (size_t i = 0; i < s->n_targets; i++) {
        uint64_t n = precondition_bytes(how, extent_of(s, i));
        double size = (double)s->target[i].size;
        strbuf_addf(out, "%-10s ", i ? "" : "before");
        utf8_clean(out, s->target[i].path);
        strbuf_addf(out, " is %s: %s (%s the device); its time comes on top\n",
                    precondition_words(how), fmt_bytes(bytes, n),
                    fmt_times(times, size > 0 ? (double)n / size : 0));
        if (ends_is_cloud_volume(s, i))
            strbuf_addf(out, "%-10s a cloud volume: it cannot be purged, and that is recorded\n",
                        "");
    }
}

static void add_rounds(const struct plan *p, struct strbuf *out)
{
    char size[NUMFMT_MAX], time[NUMFMT_MAX];
    const struct suite *suite = p->axes.suite;
    if (suite)
        strbuf_addf(out, "%-10s %s: %s. PTS-style, after SNIA's specification\n", "suite",
                    suite->name, suite->summary);
    if (!plan_has_rounds(p))
        return;
    strbuf_addf(out, "%-10s %d to %d of ", "rounds", STEADY_WINDOW, STEADY_ROUNDS_MAX);
    if (suite)
        strbuf_addf(out, "all cells, until the %s of %s %s is steady",
                    suite->follows_latency ? "mean latency" : "IOPS", rw_names[suite->followed_rw],
                    fmt_bs(size, suite->followed_bs));
    else if (p->axes.curve.n)
        strbuf_adds(out, "each cell, until its IOPS (of a step: its mean latency) are steady");
    else
        strbuf_adds(out, "each cell, until its IOPS (under a rate: its mean latency) are steady");
    strbuf_addf(out, ": in the last %d a range of at most %.0f %% and a slope of at most %.0f %%\n",
                STEADY_WINDOW, 100 * STEADY_RANGE_MAX, 100 * STEADY_SLOPE_MAX);
    if (suite && p->axes.histogram_rounds)
        strbuf_addf(out, "%-10s then %s %s once more for %s, for the histogram of its latencies\n",
                    "", rw_names[suite->followed_rw], fmt_bs(size, suite->followed_bs),
                    fmt_duration(time, p->axes.histogram_rounds * p->axes.runtime_ns));
}

static void add_ends(const struct session *s, struct strbuf *out)
{
    const struct plan_axes *a = &s->plan->axes;
    char least[NUMFMT_MAX], most[NUMFMT_MAX];
    add_precondition(s, out);
    add_rounds(s->plan, out);
    if (a->until > 0)
        strbuf_addf(
            out,
            "%-10s a cell ends when the interval of its mean is within %.3g %%, after %s to "
            "%s\n",
            "until", 100 * a->until, fmt_duration(least, a->min_runtime_ns),
            fmt_duration(most, a->runtime_ns));
    if (a->drain)
        strbuf_addf(out,
                    "%-10s a cell ends when a burst has run out and what lasts was seen, after %s "
                    "to %s\n",
                    "drain", fmt_duration(least, a->min_runtime_ns),
                    fmt_duration(most, a->runtime_ns));
    if (a->drain && s->plan->n > 1)
        strbuf_addf(out,
                    "%-10s a cell has the credits that those before it left: rest between them, "
                    "one a run\n",
                    "");
    if (a->budget_ns)
        strbuf_addf(out, "%-10s %s, for which the runtime was chosen\n", "budget",
                    fmt_duration(most, a->budget_ns));
}

void ends_print(const struct session *s, struct strbuf *out)
{
    struct strbuf lines = STRBUF_INIT;
    add_ends(s, &lines);
    session_fill_lines(s, out, lines.text);
    strbuf_release(&lines);
}

void ends_print_json(const struct session *s, cJSON *o)
{
    enum precondition how = ends_precondition(s);
    json_add_u64(o, "left_least_ns", plan_left_least_ns(s->plan));
    cJSON *list = json_add_array(o, "precondition");
    for (size_t i = 0; i < s->n_targets && how != PRECONDITION_NONE; i++) {
        cJSON *before = json_add_object(list, NULL);
        json_add_u64(before, "device", i);
        json_add_text(before, "how", precondition_names[how]);
        json_add_u64(before, "bytes", precondition_bytes(how, extent_of(s, i)));
        json_add_bool(before, "can_be_purged", !ends_is_cloud_volume(s, i));
    }
}
