/*
 * fio's job files, as far as this program runs them itself (docs/job-files.md has the list): text to
 * jobs, and cells back to text.
 *
 * The format is that of fio's HOWTO, "Job file format": [sections], name=value or a bare name, ';'
 * and '#' to the end of the line, ${VARIABLE}, include. Numbers and what is assumed where nothing is
 * typed are fio's too; settings become the same cell key that an imported result of fio has.
 *
 * No state, any thread.
 */
#ifndef RUNNER_JOBFILE_JOBFILE_H
#define RUNNER_JOBFILE_JOBFILE_H

#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/model/run.h"

/*
 * One section, or several of one load at one time. fio lets each of its threads work on all files in turn; here a thread works on one
 * file. So key.iodepth, key.numjobs, rates and key.size are those of ONE file, divided so that the
 * whole load is the one of the section.
 */
struct jobfile_job {
    char *name;
    char *description; /* NULL: none */
    char **file;       /* paths, n_files >= 1 */
    size_t n_files;
    bool makes_files; /* no filename was given: fio's names, one file a thread, made when missing */
    struct cell_key key;
    double size_percent, offset_percent; /* of the device; -1: the key has them in bytes */
    uint64_t delay_ns;                   /* after the start of its group */
    uint64_t ramp_ns;
    uint64_t runtime_ns;  /* 0: the section has none */
    uint64_t interval_ns; /* of the series; 0: not said */
    uint64_t seed;    /* 0: as for every run of the file (randrepeat); meaningless when random */
    bool random_seed; /* randrepeat=0: another one each time */
    size_t group;     /* jobs of a group run at the same time, group after group, from 0 */
    unsigned line;
};

struct jobfile {
    struct jobfile_job *job; /* n >= 1 */
    size_t n;
    size_t n_groups;
    char *text;         /* of the file itself, as it was read */
    struct strbuf note; /* what was passed over or is done differently, a line each */
};

/* Where text comes from. Both NULL: files and the environment of the process. */
struct jobfile_source {
    const char *engine; /* for all jobs, whatever ioengine says; NULL: as the file says */
    /* The text of a file; at most JOBFILE_MAX_BYTES. ERR_INPUT when it cannot be read. */
    int (*read)(void *arg, const char *path, struct strbuf *text, struct error *err);
    const char *(*variable)(void *arg, const char *name); /* NULL: not set */
    void *arg;
};

#define JOBFILE_MAX_BYTES   (UINT64_C(1) << 20)
#define JOBFILE_MAX_FILES   64 /* that are included, and 8 deep */
#define JOBFILE_MAX_OPTIONS 10000
#define JOBFILE_MAX_JOBS    1000
#define JOBFILE_MAX_THREADS 4096

/*
 * Reads a job file; source may be NULL. ERR_INPUT, with file and line: it is no job file, a variable
 * is not set, an include cannot be read. Options outside the subset and values that cannot be are
 * told in one error, all of them with their lines.
 */
int jobfile_read(struct jobfile **out, const char *path, const struct jobfile_source *source,
                 struct error *err);
void jobfile_destroy(struct jobfile *f);

/* A file or device that a job file names. */
struct jobfile_use {
    char *path;
    bool written; /* by a pattern that writes or trims, or by one that is not known here */
};

/*
 * What a job file works on, also one that jobfile_read() would not take: for those who let fio run
 * it. Files that fio would name itself are listed too. ERR_INPUT as above; ERR_REFUSED when it has
 * options that are not known to leave alone what it does not name (runner/jobfile/passed.c).
 * *out: n records, free with jobfile_uses_free(). Appended to *text: the file as it was understood,
 * for fio to run, which reads some lines in another way (long ones, includes) and would read the file
 * itself after it was looked at.
 */
int jobfile_uses(struct jobfile_use **out, size_t *n, struct strbuf *text, const char *path,
                 const struct jobfile_source *source, struct error *err);
void jobfile_uses_free(struct jobfile_use *use, size_t n);

/* What a cell does not tell of the section it came from. */
struct jobfile_times {
    uint64_t delay_ns, ramp_ns, runtime_ns;
    uint64_t interval_ns; /* 0: not said */
};

/*
 * Appends a cell as a section; read again it gives the same key. `wait` makes it wait for those
 * before it (stonewall). What fio has no option for stands in a comment, and so do options of an
 * imported cell that the key has no place for; such a cell ends as its source was asked to.
 */
void jobfile_print(struct strbuf *out, const struct run *run, const struct cell *cell,
                   const struct jobfile_times *times, bool wait);

#endif
