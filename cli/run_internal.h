/* What the files of `run` share. */
#ifndef CLI_RUN_INTERNAL_H
#define CLI_RUN_INTERNAL_H

#include "cli/sweep_internal.h"
#include "runner/sweep/loads.h"

struct run_config {
    const char *engine, *engine_options;
    const char *name;
    uint64_t runtime;
    struct opt_list label, destroy_data;
    struct limit_args limits;
    int on_error;
    bool no_detect;
    bool dry_run;
    bool allow_write;
    bool yes;
};

struct job_run {
    struct session s;
    const struct run_config *config;
    const char *path;
    struct jobfile *file;
    size_t **used; /* used[i][k]: the target that file k of job i is */
};

/* run_setup.c: the file, and what only the options say; then the targets. */
int run_read_file(struct job_run *r, struct error *err);
int run_open_targets(struct job_run *r, struct error *err);
/* Asks for each target that is written to, when there is somebody to ask. */
int run_confirm(struct job_run *r, struct error *err);
void run_release(struct job_run *r);
/* With the sink left empty. */
struct loads_spec run_spec(struct job_run *r);

/* run_fio.c: an installed fio runs the file as it is; only what it works on is looked at. */
int run_with_fio(struct job_run *r, struct error *err);

/* run_tell.c: what would be done, and how far it is. */
void run_print_plan(struct job_run *r, struct strbuf *out);
void run_forecast(const struct job_run *r, struct strbuf *out);
struct loads_watch run_watch(struct job_run *r);

#endif
