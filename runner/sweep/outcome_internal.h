/* What became of cells: the same for the cells of a matrix and those of a job file. */
#ifndef RUNNER_SWEEP_OUTCOME_INTERNAL_H
#define RUNNER_SWEEP_OUTCOME_INTERNAL_H

#include "runner/sweep/sweep.h"

/* A cell that could not even start is a result too: it says why. */
void outcome_mark_failed(struct cell *cell, const struct error *err);
/* True when there is nothing in it to keep: stopped before the measured part began. */
bool outcome_is_empty(const struct cell *cell);
/* Counts a cell that was kept. */
void outcome_count(struct sweep_outcome *o, const struct cell *cell);
/* The result of all: of `planned` cells `begun` were measured now. */
int outcome_judge(const struct sweep_outcome *o, size_t planned, size_t begun, struct error *err);

#endif
