/* What the files of `sweep` share. */
#ifndef CLI_SWEEP_INTERNAL_H
#define CLI_SWEEP_INTERNAL_H

#include "cli/cmd.h"
#include "cli/interrupt.h"
#include "cli/limit_args.h"
#include "cli/progress.h"
#include "cli/sweep_load.h"
#include "runner/sweep/sweep.h"

struct sweep_config {
    const char *engine, *engine_options;
    const char *name;
    const char *resume;
    uint64_t runtime, ramp, interval;
    uint64_t repeat;
    uint64_t seed;
    struct opt_list dev, rw, label, destroy_data;
    struct limit_args limits;
    struct range rwmixread, bs, iodepth, numjobs;
    struct opt_size size, offset;
    struct load_options load;
    int order;
    int on_error;
    bool together;
    bool direct;
    bool time_based;
    bool no_detect;
    bool dry_run;
    bool allow_write;
    bool yes;
};
extern const struct opt sweep_opts[];

/* A sweep as the command builds it up: plan, targets, the run's record. */
struct session {
    struct cmd_ctx *ctx;
    const struct sweep_config *config;
    struct store *store; /* NULL for a dry run */
    const struct engine_ops *engine;
    struct plan *plan;
    struct run *run;
    struct sweep_target *target;
    size_t n_targets;
    struct strbuf warning; /* what works but deserves a remark, a line each */
    struct interrupt interrupt;
    struct progress *progress;
    bool told_filling; /* that a file is being filled was said */
};

/* sweep_setup.c */

/* The engine by name; for a name that is none, ERR_USAGE with the names there are. */
int sweep_find_engine(struct session *s, const char *name, struct error *err);
/* Makes the plan and the run's record from the options. */
int sweep_plan_new(struct session *s, struct error *err);
/* Makes them from a run in the store, and marks what is done. */
int sweep_plan_resume(struct session *s, struct error *err);
/* Opens the targets (looks at them for a dry run) and completes plan and run with what they are. */
int sweep_open_targets(struct session *s, struct error *err);

/* sweep_plan_print.c: what would be done */
void sweep_print_plan(const struct session *s, struct strbuf *out);
/* Duration and end of what is left: "36 cells of 63 s: 37 min 48 s". */
void sweep_forecast(const struct plan *plan, struct strbuf *out);

/* sweep_progress.c */
struct sweep_watch sweep_watch_progress(struct session *s);
/* Shows how far a scratch file is filled; false when the user wants to stop. */
bool sweep_fill_progress(void *session, uint64_t done, uint64_t total);

/* sweep_result.c: what came out */
int sweep_print_result(struct session *s, struct error *err);

#endif
