#include "tests/support/device_model.h"

#include <math.h>

#include "core/base/xalloc.h"

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static double uniform(uint64_t *state)
{
    return ((double)(next(state) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
    double u = uniform(state), v = uniform(state);
    return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* The lowest of all bounds, rounded a little where two meet. */
static double rate(const struct device_model *m, double bs, double depth, double iops, double bytes)
{
    double service = m->latency_us * 1e-6 + bs / (m->transfer_mib * 1048576);
    double inverse = pow(service / depth, 12);
    if (m->channels > 0)
        inverse += pow(service / m->channels, 12);
    if (iops > 0)
        inverse += pow(1 / iops, 12);
    if (bytes > 0)
        inverse += pow(bs / bytes, 12);
    return pow(inverse, -1.0 / 12);
}

/* Waiting under a mean of depth / rate, with the tail the model asks for. */
static void fill_latency(struct direction *d, const struct device_model *m, double depth, double x,
                         uint64_t *state)
{
    struct lat *l = &d->lat[LAT_CLAT];
    l->hist = xmalloc(sizeof *l->hist);
    hist_init(l->hist);
    double mean = depth / x * 1e9, body = mean / (1 + 11 * m->tail), sigma = 0.22;
    uint64_t n = d->ios < 40000 ? d->ios : 40000;
    for (uint64_t i = 0; i < n; i++) {
        double v = body * exp(sigma * normal(state) - sigma * sigma / 2);
        if (uniform(state) < m->tail)
            v *= 12 * exp(0.4 * normal(state));
        uint64_t times = d->ios / n + (i < d->ios % n);
        hist_add_bin(l->hist, (uint64_t)v, times);
    }
    lat_from_hist(l);
}

static void fill_series(struct direction *d, const struct device_model *m, double bs, double depth,
                        double factor, uint64_t *state)
{
    d->series = xcalloc(1, sizeof *d->series);
    d->series->interval_ns = UINT64_C(1000000000);
    double drift = 0;
    for (uint64_t s = 0; s < m->seconds; s++) {
        bool spent = m->burst_s > 0 && (double)s >= m->burst_s;
        double x = factor * rate(m, bs, depth, spent ? m->sustained_iops : m->cap_iops,
                                 spent ? m->sustained_bytes : m->cap_bytes);
        drift = 0.6 * drift + 0.004 * normal(state);
        double dip = uniform(state) < 0.004 ? 0.4 + 0.4 * uniform(state) : 1;
        x *= exp(drift) * dip;
        struct series_point *p = series_append(d->series);
        *p = (struct series_point){.end_ns = (s + 1) * UINT64_C(1000000000),
                                   .len_ns = UINT64_C(1000000000),
                                   .ios = (uint64_t)llround(x),
                                   .bytes = (uint64_t)llround(x) * (uint64_t)bs};
        double mean = depth / x * 1e9;
        p->lat_sum_ns = (uint64_t)(mean * x);
        p->lat_p50_ns = (uint64_t)(mean * 0.96);
        p->lat_p99_ns = (uint64_t)(mean * (1.4 + 0.06 * fabs(normal(state))));
        p->lat_max_ns = p->lat_p99_ns * 3;
    }
}

static void fill_direction(struct direction *d, const struct device_model *m, uint64_t bs,
                           uint64_t depth, uint64_t *state)
{
    double factor = exp(m->noise * normal(state));
    fill_series(d, m, (double)bs, (double)depth, factor, state);
    uint64_t ios = 0;
    for (size_t i = 0; i < d->series->n; i++)
        ios += d->series->point[i].ios;
    SET(d, DIRECTION, ios, ios);
    SET(d, DIRECTION, bytes, ios * bs);
    SET(d, DIRECTION, runtime_ns, m->seconds * UINT64_C(1000000000));
    SET(d, DIRECTION, iops, (double)ios / (double)m->seconds);
    SET(d, DIRECTION, bw, (double)(ios * bs) / (double)m->seconds);
    fill_latency(d, m, (double)depth, d->iops, state);
}

static void add_cell(struct model_cells *out, const struct device_model *m, uint64_t bs,
                     uint64_t depth, size_t repeat)
{
    GROW(out->cell, out->n + 1, out->room);
    struct cell *c = &out->cell[out->n];
    *c = (struct cell){0};
    SET(c, CELL, ordinal, out->n);
    SET(c, CELL, repeat, repeat + 1);
    SET(c, CELL, status, STATUS_COMPLETE);
    SET(&c->key, CELL_KEY, rw, m->rw);
    SET(&c->key, CELL_KEY, bs, bs);
    SET(&c->key, CELL_KEY, iodepth, depth);
    SET(&c->key, CELL_KEY, numjobs, 1);
    SET(&c->key, CELL_KEY, direct, true);
    c->device = xcalloc(1, sizeof *c->device);
    c->n_devices = 1;
    uint64_t state = m->seed * 1000003 + bs * 31 + depth * 7 + repeat;
    fill_direction(&c->dir[rw_reads(m->rw) ? DIR_READ : DIR_WRITE], m, bs, depth, &state);
    out->n++;
}

void model_sweep(struct model_cells *out, const struct device_model *m, const uint64_t *bs,
                 size_t n_bs, const uint64_t *depth, size_t n_depth)
{
    size_t repeats = m->repeats ? m->repeats : 1;
    for (size_t r = 0; r < repeats; r++)
        for (size_t i = 0; i < n_bs; i++)
            for (size_t j = 0; j < n_depth; j++)
                add_cell(out, m, bs[i], depth[j], r);
}

void model_cells_release(struct model_cells *c)
{
    for (size_t i = 0; i < c->n; i++)
        cell_release(&c->cell[i]);
    free(c->cell);
    *c = (struct model_cells){0};
}

struct run *model_run(const struct device_model *m)
{
    struct run *r = run_create();
    field_set_text(&run_fields, r, RUN_name, m->name);
    field_set_text(&run_fields, r, RUN_tool, "blkmatrix 0.1.0");
    SET(r, RUN, started_ns, INT64_C(1777636800000000000)); /* 2026-05-01T12:00:00Z */
    SET(r, RUN, status, STATUS_COMPLETE);
    field_set_text(&host_fields, &r->host, HOST_hostname, "lab-3");
    if (m->vm)
        field_set_text(&host_fields, &r->host, HOST_instance_type, m->vm);
    struct device_info *d = run_add_device(r);
    field_set_text(&device_fields, d, DEVICE_path, m->device);
    if (m->cache)
        field_set_text(&device_fields, d, DEVICE_cache_mode, m->cache);
    return r;
}

void model_limit(struct run *r, enum limit_owner owner, enum limit_kind kind,
                 enum limit_phase phase, enum limit_path path, double value, double value_max)
{
    struct limit *l = run_add_limit(r);
    SET(l, LIMIT, owner, owner);
    SET(l, LIMIT, kind, kind);
    SET(l, LIMIT, side, SIDE_ANY);
    SET(l, LIMIT, phase, phase);
    SET(l, LIMIT, path, path);
    SET(l, LIMIT, value, value);
    if (value_max > value)
        SET(l, LIMIT, value_max, value_max);
}
