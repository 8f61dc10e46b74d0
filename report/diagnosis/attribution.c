#include "report/diagnosis/attribution.h"

#include <math.h>

#include "core/base/xalloc.h"
#include "report/diagnosis/exceeded.h"

/* Shape of a hit: what is delivered of a cap (tuned; documented spread 0.90 to 1.06). */
#define HIT_BELOW     0.018
#define HIT_ABOVE     0.012
#define FAR_BELOW     0.045
#define FAR_ABOVE     0.032
#define FAR_SHARE     0.25
#define KNEE_WIDER    0.03
#define DECADES       6.907755278982137 /* ln 1000: where an unlisted ceiling may lie */
#define CPU_FULL      0.90
#define CPU_WIDTH     0.015
#define UNLISTED      0.08
#define UNLISTED_SIDE 0.25
#define FLOOR         1e-6
#define MAX_SE        0.2
#define MAX_LEVELS    3
#define NO_CAP_LOG    50.0
#define TIED          1.02 /* caps this near cannot be told apart by a rate */

/* Credits of one slot: none; of several devices some; all. Rows: from, columns: to. */
static const double turn2[2][2] = {{0.97, 0.03}, {0.02, 0.98}};
static const double turn3[3][3] = {{0.97, 0.018, 0.012}, {0.02, 0.95, 0.03}, {0.008, 0.012, 0.98}};
static const double start2[2] = {0.4, 0.6};
static const double start3[3] = {0.4, 0.06, 0.54};

struct chain {
    const struct observation *o;
    size_t n;
    double unlisted;
    size_t levels[CAP_SLOTS]; /* of credits: 1 where there is no burst figure */
    size_t n_states;
    struct world *world;
    double *prior; /* ln */
    size_t n_worlds;
    predict_fn *predict;
    void *arg;
};

/* Of one observation in one state of one world. */
struct emission {
    double hit, unlisted, cpu, latency;
    size_t label; /* of the cap that is lowest */
};

static double emission_sum(const struct emission *e)
{
    return e->hit + e->unlisted + e->cpu + e->latency;
}

/* Split normal density with its mode at 0. */
static double split_normal(double z, double below, double above)
{
    double s = z < 0 ? below : above;
    return 2 / (below + above) / sqrt(2 * M_PI) * exp(-z * z / (2 * s * s));
}

static double cpu_weight(double cpu)
{
    return isfinite(cpu) ? 1 / (1 + exp(-(cpu - CPU_FULL) / CPU_WIDTH)) : 0;
}

static double hit_density(const struct observation *o, double z)
{
    double se = fmin(o->se, MAX_SE), wider = o->knee ? KNEE_WIDER : 0;
    double near = split_normal(z, hypot(HIT_BELOW + wider, se), hypot(HIT_ABOVE, se));
    double far = split_normal(z, hypot(FAR_BELOW + wider, se), hypot(FAR_ABOVE, se));
    return (1 - FAR_SHARE) * near + FAR_SHARE * far;
}

/* Under the cap anything may be, log-uniform; above it hardly: that is what proves a burst. */
static double below_density(const struct observation *o, double z)
{
    double width = hypot(FAR_ABOVE, fmin(o->se, MAX_SE));
    return (z <= 0 ? 1 : exp(-z * z / (2 * width * width))) / DECADES;
}

/* The cap of a slot when its credits are at `level` of `levels`. */
static double cap_at(const double cap[PHASE_COUNT], size_t level, size_t levels, size_t devices,
                     enum limit_phase *phase)
{
    *phase = PHASE_BASE;
    if (!isfinite(cap[PHASE_BURST]) || level == 0)
        return cap[PHASE_BASE];
    if (level == levels - 1) {
        *phase = PHASE_BURST;
        return cap[PHASE_BURST];
    }
    double d = (double)devices; /* the first one is spent, the others are not */
    *phase = devices > 1 ? PHASE_BURST : PHASE_BASE;
    return (cap[PHASE_BASE] + (d - 1) * cap[PHASE_BURST]) / d;
}

/* The slot of the lowest cap, of those at the same place the one that was exceeded most. */
static size_t lowest_slot(const double cap[CAP_SLOTS], const double *exceeded)
{
    size_t best = CAP_SLOTS;
    for (size_t slot = CAP_SLOTS; slot-- > 0;) {
        if (isfinite(cap[slot]) && (best == CAP_SLOTS || cap[slot] <= cap[best]))
            best = slot;
    }
    double tied = best < CAP_SLOTS ? TIED * cap[best] : 0;
    for (size_t slot = 0; slot < CAP_SLOTS && best < CAP_SLOTS; slot++) {
        if (cap[slot] <= tied && exceeded_confirms(exceeded, slot) &&
            !(exceeded[best] >= exceeded[slot]))
            best = slot;
    }
    return best;
}

static struct emission emit(const struct chain *c, const struct observation *o,
                            const struct predicted *p, size_t state)
{
    double cap[CAP_SLOTS];
    enum limit_phase phase[CAP_SLOTS];
    for (size_t slot = CAP_SLOTS; slot-- > 0;) {
        size_t level = state % c->levels[slot];
        state /= c->levels[slot];
        cap[slot] = cap_at(p->cap[slot], level, c->levels[slot], o->devices, &phase[slot]);
    }
    size_t lowest = lowest_slot(cap, o->exceeded);
    bool any = lowest < CAP_SLOTS;
    double z = log(o->iops) - (any ? log(cap[lowest]) : NO_CAP_LOG);
    double w = o->latency_weight, cpu = cpu_weight(o->cpu), below = below_density(o, z);
    double listed = (1 - c->unlisted) * (any ? exceeded_hit(o->exceeded, lowest) : 0);
    return (struct emission){
        .hit = (1 - w) * (1 - cpu) * listed * hit_density(o, z),
        .unlisted =
            (1 - w) * (1 - cpu) * c->unlisted * below * exceeded_unlisted(o->exceeded) + FLOOR,
        .cpu = (1 - w) * cpu * below,
        .latency = w * below,
        .label = any ? CAP_LABEL(lowest, phase[lowest]) : LABEL_UNEXPLAINED,
    };
}

static double turn(size_t levels, size_t from, size_t to)
{
    return levels == 2 ? turn2[from][to] : turn3[from][to];
}

/* v times the transition matrix (forward), or the matrix times v: one slot after the other. */
static void step(const struct chain *c, double *v, bool forward)
{
    size_t stride = 1;
    for (size_t slot = CAP_SLOTS; slot-- > 0; stride *= c->levels[slot]) {
        size_t levels = c->levels[slot];
        if (levels == 1)
            continue;
        for (size_t s = 0; s < c->n_states; s++) {
            if (s / stride % levels != 0)
                continue;
            double old[MAX_LEVELS];
            for (size_t i = 0; i < levels; i++)
                old[i] = v[s + i * stride];
            for (size_t i = 0; i < levels; i++) {
                double sum = 0;
                for (size_t k = 0; k < levels; k++)
                    sum += old[k] * (forward ? turn(levels, k, i) : turn(levels, i, k));
                v[s + i * stride] = sum;
            }
        }
    }
}

static double start_of(const struct chain *c, size_t state)
{
    double p = 1;
    for (size_t slot = CAP_SLOTS; slot-- > 0;) {
        size_t levels = c->levels[slot], level = state % levels;
        state /= levels;
        if (levels > 1)
            p *= levels == 2 ? start2[level] : start3[level];
    }
    return p;
}

static double scale(double *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    for (size_t i = 0; i < n; i++)
        v[i] /= sum;
    return sum;
}

/* Emissions of one observation in all states of a world; *v gets their sums. */
static void emit_all(const struct chain *c, const struct world *w, size_t at, struct emission *e)
{
    struct predicted p;
    c->predict(c->arg, at, w, &p);
    for (size_t s = 0; s < c->n_states; s++)
        e[s] = emit(c, &c->o[at], &p, s);
}

/* Fills alpha (n x states) for one world; returns the ln of the evidence. */
static double forward(const struct chain *c, const struct world *w, double *alpha,
                      struct emission *e)
{
    double evidence = 0;
    for (size_t i = 0; i < c->n; i++) {
        double *a = alpha + i * c->n_states;
        emit_all(c, w, i, e);
        if (i == 0) {
            for (size_t s = 0; s < c->n_states; s++)
                a[s] = start_of(c, s);
        } else {
            memcpy(a, a - c->n_states, c->n_states * sizeof *a);
            step(c, a, true);
        }
        for (size_t s = 0; s < c->n_states; s++)
            a[s] *= emission_sum(&e[s]);
        evidence += log(scale(a, c->n_states));
    }
    return evidence;
}

/* Adds this world's share to the posteriors, going back through time. */
static void backward(const struct chain *c, const struct world *w, double weight,
                     const double *alpha, struct emission *e, double (*posterior)[LABEL_COUNT])
{
    double *beta = xmalloc(c->n_states * sizeof *beta);
    double *gamma = xmalloc(c->n_states * sizeof *gamma);
    for (size_t s = 0; s < c->n_states; s++)
        beta[s] = 1;
    for (size_t i = c->n; i-- > 0;) {
        emit_all(c, w, i, e);
        for (size_t s = 0; s < c->n_states; s++)
            gamma[s] = alpha[i * c->n_states + s] * beta[s];
        scale(gamma, c->n_states);
        for (size_t s = 0; s < c->n_states; s++) {
            double share = weight * gamma[s] / emission_sum(&e[s]);
            posterior[i][e[s].label] += share * e[s].hit;
            posterior[i][LABEL_UNEXPLAINED] += share * e[s].unlisted;
            posterior[i][LABEL_CPU] += share * e[s].cpu;
            posterior[i][LABEL_LATENCY] += share * e[s].latency;
            beta[s] *= emission_sum(&e[s]);
        }
        step(c, beta, false);
        scale(beta, c->n_states);
    }
    free(gamma);
    free(beta);
}

/* All combinations of what is unknown about the list. */
static void make_worlds(struct chain *c, const struct worlds *w)
{
    size_t total = w->n_paths;
    for (size_t i = 0; i < OWNER_COUNT; i++)
        total *= (w->unsure_unit[i] ? 2 : 1) * w->n_countings[i];
    c->world = xcalloc(total, sizeof *c->world);
    c->prior = xcalloc(total, sizeof *c->prior);
    c->n_worlds = total;
    for (size_t g = 0; g < total; g++) {
        size_t rest = g;
        c->world[g].path = w->path[rest % w->n_paths];
        rest /= w->n_paths;
        c->prior[g] = -log((double)w->n_paths);
        for (size_t i = 0; i < OWNER_COUNT; i++) {
            size_t units = w->unsure_unit[i] ? 2 : 1;
            c->world[g].upper[i] = rest % units;
            rest /= units;
            const struct counting *counting = &w->counting[i][rest % w->n_countings[i]];
            c->world[g].counted[i] = counting->size;
            rest /= w->n_countings[i];
            c->prior[g] += log(counting->prior / (double)units);
        }
    }
}

/* A slot has credits when any world lists a burst figure for any observation. */
static void find_levels(struct chain *c)
{
    size_t devices = 1;
    for (size_t i = 0; i < c->n; i++)
        devices = c->o[i].devices > devices ? c->o[i].devices : devices;
    for (size_t slot = 0; slot < CAP_SLOTS; slot++)
        c->levels[slot] = 1;
    for (size_t g = 0; g < c->n_worlds; g++) {
        for (size_t i = 0; i < c->n; i++) {
            struct predicted p;
            c->predict(c->arg, i, &c->world[g], &p);
            for (size_t slot = 0; slot < CAP_SLOTS; slot++) {
                bool disk = slot / CAP_COUNT == OWNER_DISK;
                if (isfinite(p.cap[slot][PHASE_BURST]))
                    c->levels[slot] = disk && devices > 1 ? 3 : 2;
            }
        }
    }
    c->n_states = 1;
    for (size_t slot = 0; slot < CAP_SLOTS; slot++)
        c->n_states *= c->levels[slot];
}

/* Turns ln evidences into weights that add up to 1. */
static void weigh(double *v, size_t n)
{
    double most = -INFINITY;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, v[i]);
    for (size_t i = 0; i < n; i++)
        v[i] = exp(v[i] - most);
    scale(v, n);
}

void attribute(struct attribution *out, const struct observation *o, size_t n,
               const struct worlds *worlds, bool one_side_missing, predict_fn *predict, void *arg)
{
    *out = (struct attribution){.n = n, .posterior = xcalloc(n + 1, sizeof *out->posterior)};
    if (n == 0)
        return;
    struct chain c = {.o = o, .n = n, .predict = predict, .arg = arg};
    c.unlisted = one_side_missing ? UNLISTED_SIDE : UNLISTED;
    make_worlds(&c, worlds);
    find_levels(&c);
    double *alpha = xcalloc(n * c.n_states, sizeof *alpha);
    double *weight = xcalloc(c.n_worlds, sizeof *weight);
    struct emission *e = xcalloc(c.n_states, sizeof *e);
    for (size_t g = 0; g < c.n_worlds; g++)
        weight[g] = forward(&c, &c.world[g], alpha, e) + c.prior[g];
    weigh(weight, c.n_worlds);
    for (size_t g = 0; g < c.n_worlds; g++) {
        out->path_weight[c.world[g].path] += weight[g];
        if (weight[g] > out->best_weight) {
            out->best_weight = weight[g];
            out->best = c.world[g];
        }
        if (weight[g] < 1e-9)
            continue;
        forward(&c, &c.world[g], alpha, e);
        backward(&c, &c.world[g], weight[g], alpha, e, out->posterior);
    }
    free(e);
    free(weight);
    free(alpha);
    free(c.prior);
    free(c.world);
}

void attribution_release(struct attribution *a)
{
    free(a->posterior);
    *a = (struct attribution){0};
}
