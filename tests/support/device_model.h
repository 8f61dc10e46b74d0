/*
 * Results of a device that does not exist, for looking at charts and reports: a latency, a transfer
 * rate, channels inside, caps from outside, noise. Not random: the same model gives the same cells.
 */
#ifndef TESTS_SUPPORT_DEVICE_MODEL_H
#define TESTS_SUPPORT_DEVICE_MODEL_H

#include "core/model/run.h"

struct device_model {
    const char *name;   /* of the run */
    const char *device; /* "/dev/sdc" */
    const char *vm;     /* instance type, or NULL */
    const char *cache;  /* cache mode of the device, or NULL */
    enum rw rw;
    double latency_us;   /* of an empty device, before the transfer */
    double transfer_mib; /* MiB/s of one I/O */
    double channels;     /* I/Os served at once; 0: no bound */
    double cap_iops;     /* 0: none */
    double cap_bytes;    /* bytes a second; 0: none */
    double tail;         /* share of I/Os that take 12 times as long */
    double noise;        /* of a repeat, relative */
    size_t repeats;
    uint64_t seconds; /* of a cell; samples once a second */
    double burst_s;   /* from then on the sustained caps hold; 0: never */
    double sustained_iops;
    double sustained_bytes;
    uint64_t seed;
};

struct model_cells {
    struct cell *cell;
    size_t n, room;
};

struct run *model_run(const struct device_model *m);
/* Appends a cell for every size, depth and repeat. */
void model_sweep(struct model_cells *out, const struct device_model *m, const uint64_t *bs,
                 size_t n_bs, const uint64_t *depth, size_t n_depth);
/* Frees the array (the cells have been given away, or are released too). */
void model_cells_release(struct model_cells *c);
void model_limit(struct run *r, enum limit_owner owner, enum limit_kind kind,
                 enum limit_phase phase, enum limit_path path, double value, double value_max);

#endif
