#include "core/model/caveat.h"

const struct caveat caveat_table[] = {
    /* how it was measured */
    {"buffered", "through the page cache, so memory was measured as much as the device"},
    {"depth-not-reached",
     "fewer I/Os in flight than asked for: IOPS and latency are not those of this queue depth"},
    {"submission-blocks",
     "I/O was done while it was submitted, so clat is only the time until that was seen: lat, with "
     "slat in it, is how long an I/O took"},
    {"rate-not-sustained", "the asked rate was not kept up, so latency grows as long as it runs"},
    {"generator-busy", "a job used more than 80 % of a CPU, so the load generator may be what "
                       "limits: more --numjobs, "
                       "or --engine io_uring"},
    {"zeros-read",
     "some of the data read was nothing but zeros: blocks that were never written, or "
     "were trimmed, may be answered without the medium; write them first "
     "(--precondition fill)"},
    {"ios-kept",
     "at the end, I/Os were in flight for longer than any that came back: the device stood "
     "still, and its worst latencies are not among those shown"},
    {"not-from-device",
     "the device did less than half of this I/O: the rest came from a cache or from holes in a "
     "file"},
    {"requests-split",
     "the kernel made several requests of an I/O: caps count more of them than are shown here"},
    {"requests-merged",
     "the kernel made one request of several I/Os: caps count fewer of them than are shown here"},
    {"io-uring-workers",
     "the kernel did the I/O with worker threads, as it could not do it without blocking"},
    {"beside-others",
     "other jobs ran at the same time: what was left to this one is not all the device can do"},
    {"not-steady",
     "the last 5 of its rounds, which figures are of, were not steady when these ended"},
    {"interval-wide",
     "the longest runtime was over before the interval of the mean was as narrow as asked for"},
    /* what an imported file leaves open */
    {"hosts-differ", "the hosts of this job had different options"},
    {"several-sections",
     "different job sections are reported as one, only what they share is known"},
    {"jobs-missing", "some of the jobs are not in the file"},
    {"jobs-apart", "one of several results of the same name: if these jobs ran together, the load "
                   "did more than each of them shows"},
    {"verify-reads", "what was written was read back to verify it: of writes those reads are not "
                     "shown, of a mix they are among its reads"},
    {"depth-capped", "the engine does one I/O at a time, whatever iodepth was asked for"},
    {"latency-in-whole-us", "latencies were recorded in whole microseconds"},
    {"percentiles-not-merged", "percentiles of several jobs cannot be put together: those shown, "
                               "if any, are of all their I/Os (a histogram)"},
    {"rounded", "figures are rounded to three digits or so, as fio prints them for people"},
    {"figures-disagree",
     "rate, I/Os, bytes, time and block size do not fit each other: some of them are wrong"},
    {"number-too-large", "a number did not fit and was left out"},
    {0},
};

const char *caveat_words(const char *name)
{
    for (const struct caveat *c = caveat_table; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c->words;
    return NULL;
}
