/* What the files of `sweep` and `run` share. */
#ifndef CLI_SWEEP_INTERNAL_H
#define CLI_SWEEP_INTERNAL_H

#include "cli/cmd.h"
#include "cli/interrupt.h"
#include "cli/limit_args.h"
#include "cli/progress.h"
#include "cli/sweep_ends.h"
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
    struct end_options ends;
    int order;
    int on_error;
    bool hipri, sqthread_poll;
    bool together, alone;
    bool direct;
    bool time_based;
    bool no_detect;
    bool dry_run;
    bool allow_write;
    bool yes;
};
extern const struct opt sweep_opts[];

/* A sweep, or the run of a job file, as the command builds it up: targets, the run's record. */
struct session {
    struct cmd_ctx *ctx;
    const struct sweep_config *config; /* of a sweep; else NULL */
    struct store *store;               /* NULL for a dry run */
    struct limit_catalogue *limits;    /* NULL: not needed */
    const struct engine_ops *engine;
    struct plan *plan; /* of a sweep; else NULL */
    struct run *run;
    struct sweep_target *target;
    size_t n_targets;
    struct strbuf warning; /* what works but deserves a remark, a line each */
    struct error refused;  /* of a dry run: why the run would not begin */
    struct interrupt interrupt;
    struct progress *progress;
    bool told_filling; /* that a file is being filled was said */
};

/* session.c */

/* Takes the signals; session_end() whatever comes after it. */
int session_begin(struct session *s, struct cmd_ctx *ctx, struct error *err);
void session_end(struct session *s);

/* ERR_USAGE when a plan (--dry-run) is asked for in a format that it has not: it is text, or JSON. */
int session_check_plan_format(const struct cmd_ctx *ctx, struct error *err);

/* A seed nobody chose. */
uint64_t session_seed(void);

struct session_run {
    const char *name; /* or NULL */
    const struct opt_list *label;
    uint64_t seed;
    uint64_t planned_cells;
};

/* Makes the run's record. ERR_USAGE for a label that is none. */
int session_new_run(struct session *s, const struct session_run *r, struct error *err);
int session_set_name(struct run *run, const char *name, struct error *err); /* NULL: none */
int session_set_labels(struct run *run, const struct opt_list *labels, struct error *err);
/*
 * Adds to it the targets, as they are open, and unless it is a dry run the host with its limits and
 * what the cloud says, but for what the options say by hand.
 */
int session_describe(struct session *s, bool dry_run, bool no_detect,
                     const struct limit_args *limits, struct error *err);

/* Gives a run the limits that hold here, for its devices as they are described; what was found
 * becomes a line of the session's warning. */
int session_detect(struct session *s, struct run *run, const struct limit_args *limits,
                   struct error *err);

/* True for two names of one file or device. */
bool session_same_path(const char *a, const char *b);
/* ERR_USAGE when --destroy-data names what is no target: it is misspelt, or meant for another run. */
int session_check_permit(const struct session *s, const struct opt_list *destroy_data,
                         struct error *err);
int session_not_a_target(const char *destroy_data, struct error *err);

/* After a plan that is only shown: ERR_REFUSED, and why, when the run itself would be refused. */
int session_would_be_refused(const struct session *s, struct error *err);

/* Asks before a target is written to; not where nothing can be lost: it is ours, or simulated. */
int session_confirm(struct session *s, size_t target, struct error *err);

/* session_writes.c: bytes where rates say so, else the time and a measure for it */
void session_print_writes(const struct session *s, size_t device, const struct plan_writes *w,
                          struct strbuf *out);
/* Lines of a plan: what each says is filled into the terminal beside its heading; elsewhere it stays one. */
void session_fill_lines(const struct session *s, struct strbuf *out, const char *lines);
void session_writes_json(const struct session *s, size_t device, const struct plan_writes *w,
                         cJSON *list);

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
void sweep_print_devices(const struct session *s, struct strbuf *out);
void sweep_print_plan(const struct session *s, struct strbuf *out);
/* What each target is in for: bytes, or the time in which it is written to. */
void sweep_print_writes(const struct session *s, struct strbuf *out);
/* Duration and end of what is left: "36 cells of 63 s: 37 min 48 s". */
void sweep_forecast(const struct plan *plan, struct strbuf *out);

/* sweep_progress.c */
/* "3,500 IOPS, 13.7 MiB/s, p99 12 ms"; a p99 of 0 is not known. */
void sweep_add_rates(struct strbuf *out, double iops, double bw, uint64_t p99_ns);
/* The same of a finished cell, and what is wrong with it. */
void sweep_add_outcome(struct strbuf *out, const struct cell *cell);
/* The line of --progress json: the figures are added to *o, which is used up. */
void sweep_print_json(struct session *s, cJSON *o, double iops, double bw, uint64_t p99_ns);
/* The larger p99 of reads and writes; of clat, or lat under a rate. 0: not known. */
uint64_t sweep_cell_p99(const struct cell *cell);
struct sweep_watch sweep_watch_progress(struct session *s);
/* Shows how far a target is preconditioned; sweep_watch.precondition. */
void sweep_precondition_progress(void *session, const struct sweep_filling *f);
/* Remarks for the standard error, whole lines: as they are, or as an event of --progress json. */
void sweep_tell(struct session *s, const char *text);
/* Shows how far a scratch file is filled; false when the user wants to stop. */
bool sweep_fill_progress(void *session, uint64_t done, uint64_t total);

/* curve_result.c: a line for each response curve of the run */
int sweep_add_curves(struct strbuf *out, const struct session *s, struct error *err);
/* drain_result.c: a line for each cell and direction of the run */
int sweep_add_drained(struct strbuf *out, const struct session *s, struct error *err);

/* sweep_result.c: what came out */
int sweep_print_result(struct session *s, struct error *err);
/* Adds to an error what of the run is in the store, as far as that can be read. */
void sweep_say_kept(const struct session *s, struct error *err);

#endif
