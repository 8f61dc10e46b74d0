/* Datasets to draw: realistic ones made by a device model, and small ones with chosen values. */
#ifndef TESTS_REPORT_CHART_FIGURES_H
#define TESTS_REPORT_CHART_FIGURES_H

#include "report/chart/kinds/kind.h"
#include "tests/support/device_model.h"

static const uint64_t fig_sizes[] = {4096,   8192,   16384,  32768,  65536,
                                     131072, 262144, 524288, 1048576};
static const uint64_t fig_depths[] = {1, 2, 4, 8, 16, 32, 64, 128};

/* A burstable disk behind a VM with a host cache: the disk caps small I/Os, the VM large ones. */
static inline struct device_model fig_cloud(const char *name)
{
    return (struct device_model){.name = name,
                                 .device = "/dev/sdc",
                                 .vm = "Standard_DS2_v2",
                                 .cache = "rw",
                                 .rw = RW_RANDWRITE,
                                 .latency_us = 1550,
                                 .transfer_mib = 120,
                                 .cap_iops = 3420,
                                 .cap_bytes = 67.1e6,
                                 .tail = 0.003,
                                 .noise = 0.004,
                                 .seconds = 60,
                                 .seed = 1};
}

static inline struct device_model fig_nvme(const char *name)
{
    return (struct device_model){.name = name,
                                 .device = "/dev/nvme0n1",
                                 .rw = RW_RANDREAD,
                                 .latency_us = 78,
                                 .transfer_mib = 3500,
                                 .channels = 40,
                                 .cap_bytes = 3.2e9,
                                 .tail = 0.002,
                                 .noise = 0.01,
                                 .repeats = 3,
                                 .seconds = 30,
                                 .seed = 2};
}

static inline void fig_cloud_limits(struct run *r)
{
    const double MiB = 1048576;
    model_limit(r, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 240, 0);
    model_limit(r, OWNER_DISK, CAP_IOPS, PHASE_BURST, PATH_ANY, 3500, 0);
    model_limit(r, OWNER_DISK, CAP_BW, PHASE_BASE, PATH_ANY, 50e6, 50 * MiB);
    model_limit(r, OWNER_DISK, CAP_BW, PHASE_BURST, PATH_ANY, 170e6, 170 * MiB);
    model_limit(r, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_CACHED, 8000, 0);
    model_limit(r, OWNER_VM, CAP_BW, PHASE_BASE, PATH_CACHED, 64e6, 64 * MiB);
    model_limit(r, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_UNCACHED, 6400, 0);
    model_limit(r, OWNER_VM, CAP_BW, PHASE_BASE, PATH_UNCACHED, 96e6, 96 * MiB);
}

static inline size_t fig_add(struct dataset *d, const struct device_model *m, bool limits,
                             size_t n_sizes, size_t n_depths)
{
    struct run *r = model_run(m);
    if (limits)
        fig_cloud_limits(r);
    size_t run = dataset_add_run(d, r);
    struct model_cells c = {0};
    model_sweep(&c, m, fig_sizes, n_sizes, fig_depths, n_depths);
    for (size_t i = 0; i < c.n; i++)
        dataset_add_cell(d, run, &c.cell[i]);
    model_cells_release(&c);
    return run;
}

/* A cell with this rate and nothing else. */
static inline void fig_add_cell(struct dataset *d, size_t run, uint64_t bs, uint64_t depth,
                                double iops)
{
    struct cell *c = cell_create();
    SET(c, CELL, status, STATUS_COMPLETE);
    SET(&c->key, CELL_KEY, rw, RW_RANDREAD);
    SET(&c->key, CELL_KEY, bs, bs);
    SET(&c->key, CELL_KEY, iodepth, depth);
    struct direction *r = &c->dir[DIR_READ];
    SET(r, DIRECTION, ios, 1000);
    SET(r, DIRECTION, iops, iops);
    SET(r, DIRECTION, bw, iops * (double)bs);
    dataset_add_cell(d, run, c);
    cell_destroy(c);
}

static inline size_t fig_add_run(struct dataset *d, const char *name)
{
    struct run *r = run_create();
    field_set_text(&run_fields, r, RUN_name, name);
    return dataset_add_run(d, r);
}

static inline struct scene *fig_draw(const char *kind, struct dataset *d,
                                     const struct kind_query *q, enum chart_place place,
                                     struct fonts *f)
{
    struct chart *c = kind_build(kind_find(kind), d, q);
    struct scene *s = chart_draw(c, place, f);
    chart_destroy(c);
    return s;
}

#endif
