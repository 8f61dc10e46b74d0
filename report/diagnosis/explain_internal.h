/* The attribution applied to the rows of one run. */
#ifndef REPORT_DIAGNOSIS_EXPLAIN_INTERNAL_H
#define REPORT_DIAGNOSIS_EXPLAIN_INTERNAL_H

#include "report/diagnosis/attribution.h"
#include "report/diagnosis/diagnosis.h"
#include "report/diagnosis/passed.h"

struct explanation;

/* Other jobs ran at the same time: its rate is not all that a cap saw. */
bool is_beside_others(const struct row *r);

/* NULL when the run has no limits: there is nothing to attribute to. */
struct explanation *explanation_create(const struct analysis *a, const struct run *run,
                                       const struct passed *passed);
/* Accepts NULL. */
void explanation_destroy(struct explanation *e);

/*
 * Posteriors of the last phase of fact i (LABEL_COUNT of them); NULL when it was no observation:
 * failed, held by its own rate, too noisy, its queue not kept full, one device's share, or beside others.
 */
const double *explanation_posterior(const struct explanation *e, size_t fact);
/* The same of the phase before the last; NULL where there is none. */
const double *explanation_posterior_before(const struct explanation *e, size_t fact);
const struct world *explanation_world(const struct explanation *e);

/* A listed cap in one world. */
struct world_cap {
    const struct limit *limit;
    size_t slot;
    double iops;  /* of the row */
    double total; /* for all its devices, in the unit of its kind */
};
/*
 * Those that apply to the row on the path of the world, lowest first; room for run->n_limits. With
 * `passed` without those that its rate or another row refutes.
 */
size_t world_caps(const struct row_facts *f, const struct world *w, const struct passed *passed,
                  struct world_cap *out);

#endif
