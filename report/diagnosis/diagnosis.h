/*
 * What limits the storage: a finding for each row of a run (which cap, the job's own rate, the
 * generator's CPU, latency, or something unexplained), claims about ranges of block sizes, and the
 * sentences that say so. All texts use plain blanks, have no control characters and live as long as
 * the diagnosis; its dataset and analysis must outlive it.
 */
#ifndef REPORT_DIAGNOSIS_DIAGNOSIS_H
#define REPORT_DIAGNOSIS_DIAGNOSIS_H

#include <cjson/cJSON.h>

#include "report/analysis/analysis.h"

enum binds {
    BINDS_UNKNOWN, /* no rule could say: no rate, or nothing to compare with */
    BINDS_DISK_IOPS,
    BINDS_DISK_BW,
    BINDS_VM_IOPS,
    BINDS_VM_BW,
    BINDS_HOST_IOPS,
    BINDS_HOST_BW,
    BINDS_RATE,        /* the job's own rate limit */
    BINDS_PAUSE,       /* the job's own pauses between I/Os */
    BINDS_CPU,         /* the load generator */
    BINDS_LATENCY,     /* more depth would give more */
    BINDS_MIX,         /* the other direction of its mix, which is held itself */
    BINDS_UNEXPLAINED, /* it levels off, and no known cap is there */
    BINDS_COUNT,
};
extern const char
    *const binds_names[BINDS_COUNT + 1]; /* "disk-iops" ...; BINDS_UNKNOWN "unknown" */
/* For tables: "disk IOPS", "VM bandwidth", "own rate", "latency" ... */
extern const char *const binds_words[BINDS_COUNT + 1];

enum confidence {
    CONFIDENCE_UNKNOWN,
    CONFIDENCE_POSSIBLE,
    CONFIDENCE_LIKELY,
    CONFIDENCE_CERTAIN,
    CONFIDENCE_COUNT,
};
extern const char *const confidence_names[CONFIDENCE_COUNT + 1];

struct finding {
    const struct row_facts *facts;
    const struct row *row;
    enum binds binds;
    unsigned also;             /* bit i: enum binds i fits as well (a tie) */
    const struct limit *limit; /* the cap; NULL when it is none */
    double cap;                /* its value for all devices of the row; NaN */
    double share;              /* measured / cap; NaN */
    double sustained; /* IOPS of the row once burst credits are gone; NaN: no burst needed */
    const struct limit *base;   /* the cap that holds it then; NULL likewise */
    const struct limit *before; /* the cap that held it in the phase before; NULL: none is known */
    enum confidence confidence;
    /*
     * Share of the time in which its volumes counted that the load was above a kind of cap, by CAP_SLOT
     * (attribution.h), NaN unknown; NULL: not counted.
     */
    const double *exceeded;
};

/* A statement about one pattern and a range of block sizes, with what speaks for it. */
struct claim {
    const char *group;             /* dataset group */
    const char *range;             /* "4k to 16k" */
    const char *text;              /* "the disk's burst IOPS cap (3,500) binds" */
    const char *measured;          /* "3,498 IOPS"; of a budget of several "3,048 of 4,361 IOPS" */
    const char *cap;               /* "3,500 IOPS"; NULL when none */
    const char *share;             /* "99.9 %"; NULL */
    const char *disproof;          /* what would show that it is wrong */
    const struct finding *finding; /* at the first block size of the range */
    enum confidence confidence;    /* of the least sure block size of the range */
};

enum sharing {
    SHARING_UNKNOWN, /* slower together, but by no more than the results vary */
    SHARING_NO,
    SHARING_YES,
};

/*
 * Devices loaded together against the same loads on each alone: below 0.95 they share a cap. Needs no
 * list of limits. One joint load stands for the run: of those that show a cap, else of those that leave
 * it open, the one at which the ratio is smallest.
 */
struct shared_cap {
    const struct finding *together; /* NULL: no load was measured both ways */
    double ratio;                   /* together / sum of each alone */
    enum sharing sharing;
};

/*
 * Of the method: the rules, their thresholds, and what the document says. A stored document of another
 * version is not what would be said now.
 */
#define DIAGNOSIS_VERSION 17

struct diagnosis {
    const char *headline; /* short: a title */
    const char *verdict;  /* the diagnosis in one sentence a pattern */
    const char *second;   /* sustained figures, or another thing to know; NULL */
    const char *outlook;  /* how long the burst lasts by the listed bucket; NULL */
    const char *together; /* what several devices do together; NULL */
    const char *counted;  /* what volumes counted themselves; NULL */
    struct shared_cap shared;
    struct finding *finding; /* one for each of analysis->facts, in that order */
    size_t n_findings;
    struct claim *claim;
    size_t n_claims;
};

struct diagnosis *diagnosis_create(const struct analysis *a, const struct run *run);
/* Accepts NULL. */
void diagnosis_destroy(struct diagnosis *d);
/* The finding of a row; NULL when it is not of this run. */
const struct finding *diagnosis_of_row(const struct diagnosis *d, const struct row *r);
/*
 * Seconds after which the listed bucket is empty at the rate of the finding, if it was full; NaN when
 * it needs no credits or the bucket is not listed.
 */
double burst_seconds(const struct finding *f);
/* Adds the member that both documents have: {"ratio", "shared"}, null when it was not tested; shared is null when unknown. */
void shared_cap_to_json(cJSON *parent, const char *name, const struct shared_cap *s);
/* The document for programs (schemas/json/diagnose.schema.json); cJSON_Delete it. */
cJSON *diagnosis_to_json(const struct diagnosis *d, const struct run *run);

#endif
