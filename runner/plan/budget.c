#include "runner/plan/budget.h"

#include <inttypes.h>

#include "core/base/clock.h"
#include "core/base/numfmt.h"

/* Opening the engine and waiting for the last I/Os. */
#define AROUND_NS   (NS_PER_S / 10)
#define RUNTIME_MIN NS_PER_S
#define RAMP_USUAL  (2 * NS_PER_S)
#define STEP_NS     (NS_PER_S / 10)
/* Of a cell that is short the ramp is a sixth, of a long one a 21st: 5 % of the runtime. */
#define SHORT_CELL (6 * RAMP_USUAL)
#define LONG_CELL  (21 * RAMP_USUAL)

static uint64_t choose_ramp(uint64_t each)
{
    if (each < SHORT_CELL)
        return each / 6;
    return each > LONG_CELL ? each / 21 : RAMP_USUAL;
}

static int too_small(uint64_t n, uint64_t budget_ns, uint64_t need_ns, struct error *err)
{
    char count[NUMFMT_MAX], time[NUMFMT_MAX], least[NUMFMT_MAX];
    uint64_t seconds = (need_ns + NS_PER_S - 1) / NS_PER_S;
    int rc = error_set(err, ERR_USAGE, "%s measurements do not fit into %s", fmt_count(count, n),
                       fmt_duration(time, budget_ns));
    error_hint(err,
               "At a second each they need %s; else take fewer cells: wider steps, one pattern.",
               fmt_duration(least, seconds * NS_PER_S));
    return rc;
}

int plan_fit_budget(struct plan_axes *axes, uint64_t budget_ns, bool ramp_given, struct error *err)
{
    uint64_t n = plan_measurements(axes);
    if (n == 0)
        return 0; /* plan_create says what is missing */
    uint64_t each = budget_ns / n;
    uint64_t ramp = ramp_given ? axes->ramp_ns : choose_ramp(each);
    uint64_t around = ramp + AROUND_NS;
    if (each < around + RUNTIME_MIN) {
        uint64_t least = ramp_given ? around + RUNTIME_MIN : (RUNTIME_MIN + AROUND_NS) * 6 / 5;
        return too_small(n, budget_ns, n > UINT64_MAX / least ? UINT64_MAX : n * least, err);
    }
    axes->ramp_ns = ramp;
    axes->runtime_ns = (each - around) / STEP_NS * STEP_NS;
    return 0;
}

void plan_budget_gives_up(struct strbuf *out, const struct plan_axes *axes)
{
    char time[NUMFMT_MAX];
    fmt_duration(time, axes->runtime_ns);
    if (axes->runtime_ns < 30 * NS_PER_S)
        strbuf_addf(out,
                    "cells of %s are too short for intervals of confidence (30 s), and comparisons "
                    "with other runs will be unsure\n",
                    time);
    else if (axes->runtime_ns < 60 * NS_PER_S)
        strbuf_addf(out,
                    "cells of %s: intervals of 95 %% hold a little less than that where the rate "
                    "wanders (60 s is the usual time)\n",
                    time);
    if (axes->ramp_ns < RAMP_USUAL)
        strbuf_addf(out,
                    "a ramp of %s: what happens at the start of a load may be measured with it\n",
                    fmt_duration(time, axes->ramp_ns));
}
