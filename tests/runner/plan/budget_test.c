/* Runtimes that are chosen for a time, and the times of plans with an open end. */
#include "runner/plan/budget.h"

#include <criterion/criterion.h>

#include "core/base/xalloc.h"
#include "core/stats/steady.h"
#include "tests/runner/plan/axes.h"

#define MS UINT64_C(1000000)

static struct plan_axes writes_at(const char *depths)
{
    struct plan_axes a = axes_of("4k", depths, "1");
    a.rw[0] = RW_RANDWRITE;
    return a;
}

/* From a second a cell to hours: the plan takes no longer than asked, and not much less. */
Test(budget, fits)
{
    static const uint64_t seconds[] = {6, 10, 30, 100, 600, 3600, 86400};
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        for (int steady = 0; steady < 2; steady++) {
            struct plan_axes a = writes_at("1,2,4,8");
            uint64_t budget = seconds[i] * S * (steady ? STEADY_ROUNDS_MAX : 1);
            a.steady = steady;
            cr_assert_eq(plan_fit_budget(&a, budget, false, NULL), 0);
            struct plan *p = plan_of(a);
            uint64_t runs = 4 * (steady ? STEADY_ROUNDS_MAX : 1);
            uint64_t all = plan_left_ns(p) + runs * 100 * MS;
            cr_expect(all <= budget, "%llu s", (unsigned long long)seconds[i]);
            cr_expect(all + runs * 200 * MS > budget, "%llu s", (unsigned long long)seconds[i]);
            cr_expect(p->axes.runtime_ns >= S);
            plan_destroy(p);
        }
    }
}

Test(budget, a_ramp_that_is_given_stays)
{
    struct plan_axes a = writes_at("1,2,4,8");
    a.ramp_ns = 5 * S;
    cr_assert_eq(plan_fit_budget(&a, 100 * S, true, NULL), 0);
    cr_expect_eq(a.ramp_ns, 5 * S);
    cr_expect_eq(a.runtime_ns, 19900 * MS);
    plan_axes_release(&a);
}

Test(budget, what_cannot_fit)
{
    struct error err = ERROR_INIT;
    struct plan_axes a = writes_at("1,2,4,8");
    cr_expect_eq(plan_fit_budget(&a, 5 * S, false, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "4 measurements do not fit"));
    /* what it says would do does */
    cr_expect(strstr(err.message, "they need 6"), "%s", err.message);
    cr_expect_eq(plan_fit_budget(&a, 6 * S, false, &err), 0);
    cr_expect_eq(a.runtime_ns / S, 1);
    plan_axes_release(&a);
}

Test(budget, what_it_gives_up)
{
    static const struct {
        uint64_t runtime, ramp;
        const char *said; /* NULL: nothing */
    } cell[] = {{10 * S, 1 * S, "too short for intervals"},
                {10 * S, 1 * S, "a ramp of"},
                {45 * S, 2 * S, "hold a little less"},
                {60 * S, 3 * S, NULL}};
    for (size_t i = 0; i < sizeof cell / sizeof *cell; i++) {
        struct plan_axes a = {.runtime_ns = cell[i].runtime, .ramp_ns = cell[i].ramp};
        struct strbuf out = STRBUF_INIT;
        plan_budget_gives_up(&out, &a);
        if (cell[i].said)
            cr_expect(strstr(out.text, cell[i].said), "%s", out.text);
        else
            cr_expect_eq(out.len, 0, "%s", out.text);
        strbuf_release(&out);
    }
}

Test(times, of_an_open_end)
{
    struct plan_axes a = writes_at("1,2");
    a.until = 0.02;
    a.min_runtime_ns = 30 * S;
    a.runtime_ns = 600 * S;
    struct plan *p = plan_of(a);
    cr_expect_eq(plan_left_least_ns(p), 2 * 33 * S);
    cr_expect_eq(plan_left_ns(p), 2 * 603 * S);
    cr_expect_not(plan_has_rounds(p));
    plan_destroy(p);
}

Test(times, of_rounds)
{
    struct plan_axes a = writes_at("1,2");
    a.steady = true;
    struct plan *p = plan_of(a);
    cr_expect(plan_has_rounds(p));
    cr_expect_eq(plan_left_least_ns(p), 2 * 5 * 63 * S);
    cr_expect_eq(plan_left_ns(p), 2 * 25 * 63 * S);
    struct plan_writes w;
    plan_writes(&w, p, 0);
    cr_expect_eq(w.ns, 2 * 25 * 63 * S);
    plan_destroy(p);
}

static struct plan *again(const struct plan *p)
{
    struct error err = ERROR_INIT;
    struct plan *copy = NULL;
    char *json = plan_to_json(p);
    cr_assert_eq(plan_from_json(&copy, json, &err), 0, "%s", err.message);
    free(json);
    return copy;
}

Test(json, keeps_how_cells_end)
{
    struct plan_axes a = writes_at("1");
    a.until = 0.025;
    a.min_runtime_ns = 30 * S;
    a.budget_ns = 600 * S;
    struct plan *p = plan_of(a), *copy = again(p);
    cr_expect_eq(copy->axes.until, 0.025);
    cr_expect_eq(copy->axes.min_runtime_ns, 30 * S);
    cr_expect_eq(copy->axes.budget_ns, 600 * S);
    cr_expect_not(copy->axes.steady);
    plan_destroy(p);
    plan_destroy(copy);
    a = writes_at("1");
    a.suite = suite_find("snia-lat");
    a.histogram_rounds = 20;
    p = plan_of(a);
    copy = again(p);
    cr_expect_eq(copy->axes.suite, p->axes.suite);
    cr_expect_eq(copy->axes.histogram_rounds, 20);
    cr_expect_eq(copy->n, 2);
    cr_expect(copy->cell[1].histogram);
    plan_destroy(p);
    plan_destroy(copy);
    char *bad[] = {"{\"version\":1,\"suite\":\"snia-none\"}", "{\"version\":1,\"until\":-1}"};
    for (size_t i = 0; i < 2; i++)
        cr_expect_eq(plan_from_json(&copy, bad[i], NULL), -ERR_STORE);
}

/* Every suite is a plan, with the cell that it follows. */
Test(suite, all_can_be_planned)
{
    size_t n = 0;
    for (const struct suite *s = suites; s->name; s++, n++) {
        struct plan_axes a = writes_at(s->iodepth);
        cr_expect_str_eq(suite_names[n + 1], s->name);
        cr_expect_eq(suite_find(s->name), s);
        range_release(&a.bs);
        a.bs = range_of(s->bs, RANGE_SIZE);
        a.rwmixread = range_of(s->rwmixread, RANGE_COUNT);
        a.suite = s;
        plan_destroy(plan_of(a));
    }
    cr_expect_null(suite_names[n + 1]);
    cr_expect_null(suite_find("none"));
}

Test(suite, without_its_cell_is_refused)
{
    struct error err = ERROR_INIT;
    struct plan *p = NULL;
    struct plan_axes a = writes_at("1");
    a.suite = suite_find("snia-iops");
    a.rw[0] = RW_RANDREAD;
    cr_expect_eq(plan_create(&p, &a, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "randwrite 4k"));
    a = writes_at("1,2");
    a.suite = suite_find("snia-iops");
    cr_expect_eq(plan_create(&p, &a, &err), -ERR_USAGE);
    a = writes_at("1");
    a.suite = suite_find("snia-iops");
    a.curve = range_of("50", RANGE_COUNT);
    cr_expect_eq(plan_create(&p, &a, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "rates of a curve"), "%s", err.message);
}

/* Two devices and two repeats of five cells, each ended by its long one. */
static struct plan_axes with_histogram(void)
{
    struct plan_axes a = writes_at("1");
    range_release(&a.bs);
    a.bs = range_of("4k,8k", RANGE_SIZE);
    a.rw[a.n_rw++] = RW_RANDREAD;
    a.n_devices = a.repeats = 2;
    a.suite = suite_find("snia-lat");
    a.histogram_rounds = 20;
    return a;
}

/* The long measurement is the last of its device, shuffled or not, and has the load that is followed. */
Test(suite, ends_with_its_histogram)
{
    for (int order = PLAN_IN_ORDER; order <= PLAN_SHUFFLED; order++) {
        struct plan_axes a = with_histogram();
        a.order = (enum plan_order)order;
        struct plan *p = plan_of(a);
        cr_assert_eq(p->n, 20);
        size_t moved = 0;
        for (size_t i = 0; i < p->n; i++) {
            const struct plan_cell *c = &p->cell[i];
            cr_expect_eq(c->repeat, i / 10 + 1);
            cr_expect_eq(c->device, i / 5 % 2);
            cr_expect_eq(c->histogram, i % 5 == 4);
            moved += !c->histogram && (c->bs == 8192) != (i % 5 % 2 == 1);
            if (c->histogram)
                cr_expect(c->rw == RW_RANDWRITE && c->bs == 4096 && c->iodepth == 1);
        }
        cr_expect_eq(moved > 0, order == PLAN_SHUFFLED);
        plan_destroy(p);
    }
}

/* It is measured once, for twenty runtimes: in the forecast, in what is written, and in a budget. */
Test(suite, its_histogram_has_its_time)
{
    struct plan *p = plan_of(with_histogram());
    uint64_t histogram = 3 * S + 20 * 60 * S;
    cr_expect_eq(plan_left_ns(p), 4 * (4 * 25 * 63 * S + histogram));
    cr_expect_eq(plan_left_least_ns(p), 4 * (4 * 5 * 63 * S + histogram));
    struct plan_writes w;
    plan_writes(&w, p, 0);
    cr_expect_eq(w.ns, 2 * (2 * 25 * 63 * S + histogram));
    cr_expect_eq(w.open_ns, w.ns);
    for (size_t i = 0; i < 5; i++)
        p->cell[i].done = true;
    cr_expect_eq(plan_left_ns(p), 3 * (4 * 25 * 63 * S + histogram));
    plan_destroy(p);
    struct plan_axes a = with_histogram();
    cr_expect_eq(plan_measurements(&a), 4 * (4 * 25 + 20));
    cr_assert_eq(plan_fit_budget(&a, 3600 * S, false, NULL), 0);
    p = plan_of(a);
    cr_expect(plan_left_ns(p) <= 3600 * S);
    plan_destroy(p);
}
