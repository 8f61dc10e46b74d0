#include "tests/support/made.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"

/* Shares of a latency distribution with a tail, in thousandths, at multiples of the median. */
static const struct {
    double at;
    unsigned weight;
} shape[] = {{0.6, 50},  {0.75, 150}, {0.9, 200}, {1.0, 250}, {1.1, 200},
             {1.3, 100}, {1.7, 38},   {2.4, 8},   {4.0, 3},   {9.0, 1}};

static void fill_hist(struct hist *h, uint64_t ios, double median)
{
    hist_init(h);
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        uint64_t n = ios * shape[i].weight / 1000;
        if (n > 0)
            hist_add_bin(h, (uint64_t)(median * shape[i].at), n);
    }
}

static void fill_lat(struct lat *l, const struct made *m, uint64_t ios, double median)
{
    l->hist = xmalloc(sizeof *l->hist);
    fill_hist(l->hist, ios, median);
    lat_from_hist(l);
    if (!m->no_hist)
        return;
    static const double p[] = {1, 50, 90, 99, 99.9};
    l->n_reported = sizeof p / sizeof *p;
    l->reported = xcalloc(l->n_reported, sizeof *l->reported);
    for (size_t i = 0; i < l->n_reported; i++)
        l->reported[i] = (struct lat_point){p[i], hist_percentile(l->hist, p[i])};
    free(l->hist);
    l->hist = NULL;
}

static void fill_series(struct direction *d, const struct made *m, uint64_t bs, double lat_ns)
{
    unsigned seconds = m->seconds ? m->seconds : 60;
    d->series = xcalloc(1, sizeof *d->series);
    d->series->interval_ns = NS_PER_S;
    for (unsigned i = 0; i < seconds; i++) {
        double rate = m->iops_after > 0 && i >= 30 ? m->iops_after : m->iops;
        double slow = m->iops / rate; /* the same depth at a lower rate takes longer */
        struct series_point *p = series_append(d->series);
        p->end_ns = (i + 1) * NS_PER_S;
        p->len_ns = NS_PER_S;
        /* a ripple of half a per cent: no real series is constant */
        p->ios = (uint64_t)(rate * (1 + 0.005 * sin(i * 1.7)));
        p->bytes = p->ios * bs;
        p->lat_sum_ns = (uint64_t)((double)p->ios * lat_ns * slow);
        p->lat_max_ns = (uint64_t)(lat_ns * slow * 4);
        p->lat_p50_ns = (uint64_t)(lat_ns * slow);
        p->lat_p99_ns = (uint64_t)(lat_ns * slow * 2);
    }
}

static void fill_direction(struct direction *d, const struct made *m, uint64_t bs)
{
    unsigned seconds = m->seconds ? m->seconds : 60;
    uint64_t depth = (m->depth ? m->depth : 1) * (m->jobs ? m->jobs : 1);
    double lat_ns = m->lat_ns > 0 ? m->lat_ns : (double)depth / m->iops * 1e9;
    uint64_t ios = (uint64_t)(m->iops * seconds);
    SET(d, DIRECTION, ios, ios);
    SET(d, DIRECTION, bytes, ios * bs);
    SET(d, DIRECTION, runtime_ns, seconds * NS_PER_S);
    SET(d, DIRECTION, iops, m->iops);
    SET(d, DIRECTION, bw, m->iops * (double)bs);
    fill_lat(&d->lat[LAT_CLAT], m, ios, lat_ns);
    if (!m->no_series)
        fill_series(d, m, bs, lat_ns);
}

static void add_volume(struct cell *c, const double exceeded[4])
{
    static const size_t field[] = {VOLUME_STAT_disk_iops_exceeded_ns,
                                   VOLUME_STAT_disk_bw_exceeded_ns, VOLUME_STAT_vm_iops_exceeded_ns,
                                   VOLUME_STAT_vm_bw_exceeded_ns};
    c->volume = xrealloc(c->volume, c->n_volumes + 1, sizeof *c->volume);
    struct volume_stat *s = &c->volume[c->n_volumes++];
    *s = (struct volume_stat){0};
    field_set_text(&volume_stat_fields, s, VOLUME_STAT_name, "nvme1n1");
    SET(s, VOLUME_STAT, span_ns, 60 * NS_PER_S);
    for (size_t i = 0; i < 4; i++) {
        if (!isnan(exceeded[i]))
            field_set_u64(&volume_stat_fields, s, field[i], (uint64_t)(exceeded[i] * 60e9));
    }
}

void made_cell(struct cell *c, const struct made *m)
{
    struct cell_key *key = &c->key;
    SET(key, CELL_KEY, rw, m->rw);
    SET(key, CELL_KEY, bs, m->bs);
    SET(key, CELL_KEY, iodepth, m->depth ? m->depth : 1);
    SET(key, CELL_KEY, numjobs, m->jobs ? m->jobs : 1);
    SET(key, CELL_KEY, direct, true);
    field_set_text(&cell_key_fields, key, CELL_KEY_engine, "libaio");
    if (m->beside)
        cell_add_caveat(c, "beside-others");
    if (rw_is_mixed(m->rw))
        SET(key, CELL_KEY, rwmixread, 70);
    if (m->rate_bw > 0)
        SET(key, CELL_KEY, rate_bw, m->rate_bw);
    if (m->pause_ns > 0)
        SET(key, CELL_KEY, thinktime_ns, m->pause_ns);
    SET(c, CELL, repeat, m->repeat ? m->repeat : 1);
    SET(c, CELL, status, STATUS_COMPLETE);
    SET(c, CELL, runtime_ns,
        m->runtime_ns ? m->runtime_ns : (m->seconds ? m->seconds : 60) * NS_PER_S);
    SET(c, CELL, cpu_util_max, m->cpu > 0 ? m->cpu : 0.2);
    c->device = xcalloc(1, sizeof *c->device);
    c->n_devices = 1;
    if (rw_reads(m->rw))
        fill_direction(&c->dir[DIR_READ], m, m->bs);
    if (rw_writes(m->rw))
        fill_direction(&c->dir[DIR_WRITE], m, m->bs);
    if (m->exceeded)
        add_volume(c, m->exceeded);
}

void made_parts(struct cell *c, enum dir dir, const double iops[2])
{
    double bs = c->dir[dir].bw / c->dir[dir].iops;
    c->device = xrealloc(c->device, 2, sizeof *c->device);
    c->part = xcalloc(2, sizeof *c->part);
    c->n_devices = c->n_parts = 2;
    for (size_t i = 0; i < 2; i++) {
        struct direction *d = &c->part[i].dir[dir];
        c->device[i] = c->part[i].device = i;
        direction_copy(d, &c->dir[dir]);
        SET(d, DIRECTION, iops, iops[i]);
        SET(d, DIRECTION, bw, iops[i] * bs);
    }
}

struct run *made_run(void)
{
    struct run *r = run_create();
    r->id = 17;
    field_set_text(&run_fields, r, RUN_uuid, "3f2a8c1e-0d6b-5e1f-9a77-0123456789ab");
    field_set_text(&run_fields, r, RUN_name, "nightly");
    field_set_text(&run_fields, r, RUN_tool, "blkmatrix 0.1.0");
    field_set_text(&run_fields, r, RUN_command, "blkmatrix sweep --dev /dev/sdc --bs 4k..1M");
    SET(r, RUN, status, STATUS_COMPLETE);
    SET(r, RUN, started_ns, INT64_C(1778576400000000000));
    SET(r, RUN, finished_ns, INT64_C(1778580000000000000));
    field_set_text(&host_fields, &r->host, HOST_hostname, "db7");
    field_set_text(&host_fields, &r->host, HOST_kernel, "6.8.0");
    field_set_text(&host_fields, &r->host, HOST_cpu_model, "Xeon 8370C");
    SET(&r->host, HOST, cpus_online, 2);
    struct device_info *d = run_add_device(r);
    field_set_text(&device_fields, d, DEVICE_path, "/dev/sdc");
    field_set_text(&device_fields, d, DEVICE_model, "Virtual Disk");
    field_set_text(&device_fields, d, DEVICE_scheduler, "none");
    SET(d, DEVICE, size, UINT64_C(64) << 30);
    return r;
}

struct limit *made_limit(struct run *r, enum limit_owner owner, enum limit_kind kind,
                         enum limit_phase phase, enum limit_path path, double value,
                         const char *published)
{
    struct limit *l = run_add_limit(r);
    SET(l, LIMIT, owner, owner);
    SET(l, LIMIT, kind, kind);
    SET(l, LIMIT, side, SIDE_ANY);
    SET(l, LIMIT, phase, phase);
    SET(l, LIMIT, path, path);
    SET(l, LIMIT, value, value);
    field_set_text(&limit_fields, l, LIMIT_published, published);
    return l;
}
