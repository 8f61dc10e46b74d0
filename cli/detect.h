/*
 * Which cloud, VM size and volumes are measured here, and the limits that follow: what
 * runner/host/cloud finds put together with the catalogue of store/limits.
 *
 * Nothing that is missing is an error: a measurement goes on without, and what could not be known is
 * kept as a list of sentences.
 */
#ifndef CLI_DETECT_H
#define CLI_DETECT_H

#include "cli/limit_args.h"
#include "core/base/sysroot.h"
#include "core/model/run.h"
#include "runner/host/cloud/cloud.h"

/*
 * For tests: a folder in whose recorded tree DMI and devices are looked for instead of this machine;
 * the network is asked then only when BLKMATRIX_METADATA_URL names this machine too.
 */
#define DETECT_ROOT "BLKMATRIX_DETECT_ROOT"

struct detected {
    const struct cloud_ops *cloud; /* NULL: none */
    struct strbuf why;             /* what says so */
    struct cloud_facts facts;
    const char *facts_source; /* "imds", or "dmi" where only the firmware told the size */
    struct cloud_disk *disk; /* for each device of the run; kind unknown: not a disk of the cloud */
    size_t n_disks;
    bool survey;           /* the disks are all of the machine, not those of one measurement */
    struct strbuf unknown; /* a line each: what could not be known, and what to do */
};

/* Where to look. */
struct detect_from {
    struct sysroot sysroot;
    bool network;                    /* the metadata service may be asked */
    struct cloud_recording *replay;  /* what it said; NULL: none */
    struct cloud_recording **record; /* gets what it says; NULL: not wanted */
};
/* This machine, or what DETECT_ROOT names. */
struct detect_from detect_here(void);

/*
 * Looks, and writes what it found into host and devices of the run (which must be in it).
 */
void detect_run(struct detected *out, const struct detect_from *from, struct run *run);
void detect_release(struct detected *d);

/*
 * Adds to the run the limits of disks and VM that were found, but those that the options give by
 * hand. c may be NULL when detect_needs_catalogue() said no.
 */
bool detect_needs_catalogue(const struct detected *d);
void detect_limits(struct detected *d, const struct limit_args *a, const struct limit_catalogue *c,
                   struct run *run);
/* Adds a sentence to what could not be known. */
void detect_say(struct detected *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "Amazon EC2, t4g.medium; /dev/nvme1n1 is vol-...": one line; nothing when no cloud was found. */
void detect_summary(struct strbuf *out, const struct detected *d, const struct run *run);

#endif
