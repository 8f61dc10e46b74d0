/*
 * Options of `sweep` about when a cell is measured well enough, and what comes before: --until,
 * --drain, --steady, --suite, --time-budget, --precondition.
 */
#ifndef CLI_SWEEP_ENDS_H
#define CLI_SWEEP_ENDS_H

#include "cli/opt.h"
#include "runner/plan/plan.h"
#include "runner/sweep/precondition.h"

/* As typed. Part of the command's config. */
struct end_options {
    struct opt_size until;
    uint64_t min_runtime, max_runtime;
    uint64_t time_budget; /* ns; 0: none */
    int suite;            /* index into suite_names */
    int precondition;     /* enum precondition */
    bool steady, drain;
};

struct session;

/* The axes of a suite, where no option says otherwise. */
int ends_preset(struct plan_axes *a, struct session *s, struct error *err);
/* The times of a cell, and what ends it. ERR_USAGE for options that exclude each other. */
int ends_set_times(struct plan_axes *a, struct session *s, struct error *err);
/* What is written before: as asked for, else what the suite needs. */
enum precondition ends_precondition(const struct session *s);
/* A target that cannot be purged. */
bool ends_is_cloud_volume(const struct session *s, size_t target);
/* Rounds that are in the session's store; for sweep_spec. */
struct sweep_rounds ends_rounds(struct session *s);

/* sweep_ends_print.c: lines of the plan, and members of its JSON */
void ends_print(const struct session *s, struct strbuf *out);
void ends_print_json(const struct session *s, cJSON *o);

#endif
