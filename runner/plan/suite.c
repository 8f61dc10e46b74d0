#include "runner/plan/suite.h"

#include <math.h>

const struct plan_suite plan_suites[] = {
    {.name = "snia-iops",
     .summary = "random I/O of 8 block sizes in 7 mixes; IOPS",
     .rw = "randread,randrw,randwrite",
     .rwmixread = "95,65,50,35,5",
     .bs = "1M,128k,64k,32k,16k,8k,4k,512",
     .iodepth = "32",
     .followed_rw = RW_RANDWRITE,
     .followed_bs = 4096},
    {.name = "snia-lat",
     .summary = "one random I/O at a time, 3 block sizes in 3 mixes; latency",
     .rw = "randread,randrw,randwrite",
     .rwmixread = "65",
     .bs = "8k,4k,512",
     .iodepth = "1",
     .followed_rw = RW_RANDWRITE,
     .followed_bs = 4096,
     .follows_latency = true},
    {0},
};

const char *const plan_suite_names[] = {"none", "snia-iops", "snia-lat", NULL};

const struct plan_suite *plan_suite_find(const char *name)
{
    for (const struct plan_suite *s = plan_suites; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

double plan_suite_value(const struct plan_suite *suite, const struct cell *cell)
{
    if (!suite || !suite->follows_latency)
        return cell_iops(cell);
    double sum = 0;
    uint64_t n = 0;
    for (int d = 0; d < DIR_SYNC; d++) {
        const struct lat *l = &cell->dir[d].lat[LAT_CLAT];
        if (!IS_KNOWN(l, LAT_F, mean))
            continue;
        sum += l->mean * (double)l->n;
        n += l->n;
    }
    return n ? sum / (double)n : NAN;
}
