#include "runner/workload/pacer_internal.h"

#include <math.h>

static double gap(struct pacer *p, double bytes)
{
    double mean = p->ns_per_io + p->ns_per_byte * bytes;
    return p->poisson ? mean * -log(1 - rng_unit(&p->rng)) : mean;
}

void pacer_init(struct pacer *p, double iops, double bytes_per_s, bool poisson, uint64_t seed,
                double share, double bytes)
{
    *p = (struct pacer){.ns_per_io = iops > 0 ? 1e9 / iops : 0,
                        .ns_per_byte = bytes_per_s > 0 ? 1e9 / bytes_per_s : 0,
                        .poisson = poisson};
    rng_seed(&p->rng, seed);
    p->next = poisson ? gap(p, bytes) : share * gap(p, bytes);
}

void pacer_advance(struct pacer *p, uint32_t bytes)
{
    p->next += gap(p, bytes);
}
