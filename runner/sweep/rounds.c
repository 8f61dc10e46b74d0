/*
 * Cells measured in rounds until a value is steady. With a suite all cells of a device and repeat
 * are measured once a round and one of them is followed; else each cell is by itself. The long
 * measurement of a suite follows when the rounds of its device are over.
 */
#include <math.h>

#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "runner/sweep/outcome_internal.h"
#include "runner/sweep/sweep_internal.h"

struct member {
    struct plan_cell *cell;
    double value[STEADY_ROUNDS_MAX];
    size_t n;    /* rounds that are complete */
    bool failed; /* has no further rounds */
};

/* What goes through its rounds together. */
struct group {
    struct sweep *s;
    struct member *member;
    size_t n;
    size_t followed;
    struct plan_cell *histogram; /* to be measured after them; NULL: none */
    size_t before;               /* cells that were dealt with before it */
    size_t later;                /* cells that come after it */
};

static bool same_group(const struct plan *p, const struct plan_cell *a, const struct plan_cell *b)
{
    return a == b || (p->axes.suite && a->repeat == b->repeat && a->device == b->device);
}

static void group_create(struct group *g, struct sweep *s, const struct plan_cell *first)
{
    struct plan *p = s->spec->plan;
    *g = (struct group){.s = s, .member = xcalloc(p->n, sizeof *g->member)};
    const struct suite *suite = p->axes.suite;
    for (size_t i = 0; i < p->n; i++) {
        struct plan_cell *c = &p->cell[i];
        if (!same_group(p, first, c))
            continue;
        if (c->histogram) {
            g->histogram = c;
            continue;
        }
        if (suite && suite_follows(suite, c->rw, c->bs))
            g->followed = g->n;
        g->member[g->n++].cell = c;
    }
}

static void take_value(struct member *m, const struct suite *suite, const struct cell *cell)
{
    if (m->n < STEADY_ROUNDS_MAX)
        m->value[m->n++] = suite_value(suite, cell);
}

struct reading {
    struct member *member;
    const struct suite *suite;
};

static int read_value(struct cell *cell, void *arg)
{
    const struct reading *r = arg;
    /* in their order, from the first: what comes after a gap is measured again */
    if (cell->round == r->member->n + 1)
        take_value(r->member, r->suite, cell);
    return 0;
}

/* What an earlier part of the run has measured. */
static int read_values(struct group *g, struct error *err)
{
    const struct sweep_rounds *rounds = &g->s->spec->rounds;
    int rc = 0;
    for (size_t i = 0; i < g->n && rc == 0; i++) {
        struct reading r = {&g->member[i], g->s->spec->plan->axes.suite};
        rc = rounds->each(rounds->arg, g->member[i].cell->ordinal, 1, false, read_value, &r, err);
    }
    return rc;
}

/* Rounds that all members have, but those that failed and those whose result is there. */
static size_t whole_rounds(const struct group *g)
{
    size_t n = g->member[g->followed].n;
    for (size_t i = 0; i < g->n; i++) {
        const struct member *m = &g->member[i];
        if (!m->failed && !m->cell->done && m->n < n)
            n = m->n;
    }
    return n;
}

/* Measurements that are still to come at least, the running one of that round included. */
static void expect(struct group *g, size_t round)
{
    size_t rest = 0, each = 0;
    for (size_t i = 0; i < g->n; i++) {
        const struct member *m = &g->member[i];
        each += !m->failed && !m->cell->done;
        rest += !m->failed && !m->cell->done && m->n == round;
    }
    size_t more = round + 1 < STEADY_WINDOW ? STEADY_WINDOW - round - 1 : 0;
    g->s->runs_left = rest + more * each + g->later * STEADY_WINDOW;
    if (g->histogram && !g->histogram->done)
        g->s->runs_left += g->s->spec->plan->axes.histogram_rounds;
}

/* A round that is not complete is a result: it says what went wrong. */
static int measure(struct group *g, struct member *m, struct error *err)
{
    struct sweep *s = g->s;
    s->state.round = m->n + 1;
    expect(g, m->n);
    struct cell *cell = cell_create();
    sweep_measure(s, cell, m->cell);
    s->runs++;
    int rc;
    if (cell->status == STATUS_COMPLETE) {
        SET(cell, CELL, round, m->n + 1);
        rc = s->spec->sink->cell(s->spec->sink->self, cell, err);
        if (rc == 0)
            take_value(m, s->spec->plan->axes.suite, cell);
    } else {
        m->failed = true;
        rc = sweep_keep(s, cell, m->cell, err);
    }
    cell_destroy(cell);
    return rc;
}

/* The next round of all; *more is false when that cannot go on. */
static int measure_round(struct group *g, size_t round, bool *more, struct error *err)
{
    struct sweep *s = g->s;
    for (size_t i = 0; i < g->n; i++) {
        struct member *m = &g->member[i];
        if (m->failed || m->cell->done || m->n > round)
            continue;
        s->state.number = g->before + i + 1;
        int rc = measure(g, m, err);
        *more = rc == 0 && sweep_goes_on(s) && !g->member[g->followed].failed;
        if (!*more)
            return rc;
    }
    return 0;
}

static int add_to_window(struct cell *round, void *sum)
{
    window_add(sum, round);
    return 0;
}

/* What ended the rounds of a suite is the value that is followed; of each cell its own one is said. */
static void note_verdict(struct cell *cell, const struct member *m, size_t rounds)
{
    struct steady steady;
    steady_check(m->value, rounds, &steady);
    SET(cell, CELL, rounds, rounds);
    SET(cell, CELL, steady, steady.steady);
    SET(cell, CELL, steady_range, steady.range);
    SET(cell, CELL, steady_slope, steady.excursion);
    if (!steady.steady)
        cell_add_caveat(cell, "not-steady");
    cJSON *values = cJSON_CreateArray();
    for (size_t i = 0; i < rounds; i++)
        json_add_f64(values, NULL, m->value[i]);
    char *text = json_print(values, false);
    field_set_text(&cell_fields, cell, CELL_round_values, text);
    free(text);
    cJSON_Delete(values);
}

/* The window of one member becomes its result. */
static int finish(struct group *g, struct member *m, size_t rounds, struct error *err)
{
    const struct sweep_rounds *source = &g->s->spec->rounds;
    struct cell *cell = cell_create();
    int rc = source->each(source->arg, m->cell->ordinal, rounds - STEADY_WINDOW + 1, true,
                          add_to_window, cell, err);
    if (rc == 0 && !IS_KNOWN(cell, CELL, status))
        rc = error_set(err, ERR_STORE, "the rounds of cell %zu of the plan are gone",
                       (size_t)m->cell->ordinal);
    if (rc == 0) {
        note_verdict(cell, m, rounds);
        g->s->state.cell = m->cell;
        rc = sweep_keep(g->s, cell, m->cell, err);
    }
    cell_destroy(cell);
    return rc;
}

static int finish_all(struct group *g, size_t rounds, struct error *err)
{
    int rc = 0;
    for (size_t i = 0; i < g->n && rc == 0; i++) {
        struct member *m = &g->member[i];
        if (m->failed || m->cell->done)
            continue;
        g->s->state.number = g->before + i + 1;
        rc = finish(g, m, rounds, err);
    }
    return rc;
}

static void tell(struct group *g, size_t rounds)
{
    struct sweep *s = g->s;
    s->state.cell = g->member[g->followed].cell;
    if (s->spec->watch.round_ends)
        s->spec->watch.round_ends(s->spec->watch.arg, &s->state, g->member[g->followed].value,
                                  rounds);
}

static int group_run(struct group *g, struct error *err)
{
    int rc = g->s->spec->run->id ? read_values(g, err) : 0;
    bool more = rc == 0;
    while (more) {
        size_t rounds = whole_rounds(g);
        struct steady steady;
        steady_check(g->member[g->followed].value, rounds, &steady);
        if (steady.steady || rounds == STEADY_ROUNDS_MAX)
            return finish_all(g, rounds, err);
        rc = measure_round(g, rounds, &more, err);
        if (more)
            tell(g, rounds + 1);
    }
    return rc;
}

static bool has_open_member(const struct group *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (!g->member[i].cell->done)
            return true;
    return false;
}

/* The load that was followed once more, for the histogram of its latencies. */
static int run_long(struct group *g, struct error *err)
{
    struct sweep *s = g->s;
    s->state.round = 0;
    s->state.number = s->state.planned - g->later;
    s->runs_left = s->spec->plan->axes.histogram_rounds + g->later * STEADY_WINDOW;
    struct cell *cell = cell_create();
    sweep_measure(s, cell, g->histogram);
    int rc = sweep_keep(s, cell, g->histogram, err);
    s->runs += s->weight;
    cell_destroy(cell);
    return rc;
}

/* Without the result that it belongs to, the long measurement would be of a device in any state. */
static bool is_long_one_next(const struct group *g)
{
    return g->histogram && !g->histogram->done && sweep_goes_on(g->s) &&
           g->member[g->followed].cell->done;
}

/* Cells of the plan that are neither done nor dealt with. */
static size_t open_cells(const struct plan *p, const bool *tried)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        n += !p->cell[i].done && !tried[i];
    return n;
}

int rounds_run(struct sweep *s, struct error *err)
{
    const struct plan *p = s->spec->plan;
    bool *tried = xcalloc(p->n, sizeof *tried);
    int rc = 0;
    for (size_t i = 0; i < p->n && rc == 0; i++) {
        if (p->cell[i].done || tried[i] || !sweep_goes_on(s))
            continue;
        struct group g;
        group_create(&g, s, &p->cell[i]);
        size_t open = open_cells(p, tried);
        for (size_t k = 0; k < g.n; k++)
            tried[g.member[k].cell - p->cell] = true;
        if (g.histogram)
            tried[g.histogram - p->cell] = true;
        g.later = open_cells(p, tried);
        g.before = s->state.planned - open;
        rc = has_open_member(&g) ? group_run(&g, err) : 0;
        if (rc == 0 && is_long_one_next(&g))
            rc = run_long(&g, err);
        free(g.member);
    }
    free(tried);
    return rc;
}
