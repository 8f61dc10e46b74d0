/* The lines of a job file as sections with options, before anybody asks what they mean. */
#ifndef RUNNER_JOBFILE_SECTIONS_INTERNAL_H
#define RUNNER_JOBFILE_SECTIONS_INTERNAL_H

#include "runner/jobfile/jobfile.h"

struct job_option {
    char *name;
    char *value;      /* "" for a bare name */
    const char *file; /* where it stands; owned by the sections */
    unsigned line;
};

struct section {
    char *name;
    const char *file;
    unsigned line;
    size_t n_global; /* so many of the global options came before it and hold for it */
    struct job_option *option;
    size_t n, room;
};

struct sections {
    struct job_option *global; /* in the order of the file */
    size_t n_global, room_global;
    struct section *section;
    size_t n, room;
    char **file; /* names of all files read; the first is the job file */
    size_t n_files;
    size_t n_options;
    char *text; /* of the first file */
};

int sections_read(struct sections *out, const char *path, const struct jobfile_source *source,
                  struct error *err);
void sections_release(struct sections *s);

#endif
