#include "core/model/suite.h"

#include <cjson/cJSON.h>
#include <math.h>

#include "core/model/run.h"

const struct suite suites[] = {
    {.name = "snia-iops",
     .summary = "random I/O of 8 block sizes in 7 mixes; IOPS",
     .rw = "randread,randrw,randwrite",
     .rwmixread = "95,65,50,35,5",
     .bs = "1M,128k,64k,32k,16k,8k,4k,512",
     .iodepth = "32",
     .followed_rw = RW_RANDWRITE,
     .followed_bs = 4096},
    {.name = "snia-lat",
     .summary = "one random I/O at a time, 3 block sizes in 3 mixes, then 4k writes for a "
                "histogram; latency",
     .rw = "randread,randrw,randwrite",
     .rwmixread = "65",
     .bs = "8k,4k,512",
     .iodepth = "1",
     .followed_rw = RW_RANDWRITE,
     .followed_bs = 4096,
     .follows_latency = true,
     .histogram_rounds = 20},
    {0},
};

const char *const suite_names[] = {"none", "snia-iops", "snia-lat", NULL};

const struct suite *suite_find(const char *name)
{
    for (const struct suite *s = suites; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

const struct suite *suite_of_run(const struct run *run)
{
    cJSON *plan = run->plan ? cJSON_Parse(run->plan) : NULL;
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(plan, "suite");
    const struct suite *suite = cJSON_IsString(name) ? suite_find(name->valuestring) : NULL;
    cJSON_Delete(plan);
    return suite;
}

bool suite_follows(const struct suite *suite, enum rw rw, uint64_t bs)
{
    return rw == suite->followed_rw && bs == suite->followed_bs;
}

bool suite_judges_latency(const struct suite *suite, const struct cell_key *key)
{
    return suite ? suite->follows_latency : cell_key_is_open(key);
}

double suite_value(const struct suite *suite, const struct cell *cell)
{
    if (!suite_judges_latency(suite, &cell->key))
        return cell_iops(cell);
    enum lat_kind kind = cell_is_rate_limited(cell) ? LAT_LAT : LAT_CLAT;
    double sum = 0;
    uint64_t n = 0;
    for (int d = 0; d < DIR_SYNC; d++) {
        const struct lat *l = &cell->dir[d].lat[kind];
        if (!IS_KNOWN(l, LAT_F, mean))
            continue;
        sum += l->mean * (double)l->n;
        n += l->n;
    }
    return n ? sum / (double)n : NAN;
}
