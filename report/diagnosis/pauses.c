/* The job itself waits between I/Os: what that leaves is no more than it asked for. */
#include "report/diagnosis/rule.h"

/* Shares of the time in which its jobs paused. */
#define MOST 0.9
#define HALF 0.5

/* I/Os of a job per second, of all directions and devices; 0 when not known. */
static double rate_of_job(const struct cell *c)
{
    double all = 0;
    for (enum dir d = 0; d < DIR_SYNC; d++) {
        if (IS_KNOWN(&c->dir[d], DIRECTION, iops))
            all += c->dir[d].iops;
    }
    double jobs = IS_KNOWN(&c->key, CELL_KEY, numjobs) ? (double)c->key.numjobs : 1;
    if (c->together && c->n_devices > 1)
        jobs *= (double)c->n_devices;
    return jobs > 0 ? all / jobs : 0;
}

static bool evaluate(const struct rule_input *in, struct finding *finding)
{
    const struct cell *c = in->facts->row->cell;
    const struct cell_key *key = &c->key;
    /* fio's thinktime_blocks and the like: pauses that are not after each I/O */
    bool other = IS_KNOWN(key, CELL_KEY, options) && strstr(key->options, "\"thinktime_");
    if (!IS_KNOWN(key, CELL_KEY, thinktime_ns) || other)
        return false;
    double paused = rate_of_job(c) * (double)key->thinktime_ns / 1e9;
    if (paused < HALF)
        return false;
    finding->binds = BINDS_PAUSE;
    finding->confidence = paused >= MOST ? CONFIDENCE_CERTAIN : CONFIDENCE_LIKELY;
    return true;
}

const struct rule rule_pauses = {
    "pauses",
    "held by the job's own pauses, not by the device",
    evaluate,
};
