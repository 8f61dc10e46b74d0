/*
 * The CPUs that the jobs of a cell are bound to: "0-3,6", as sysfs and taskset write them. They are
 * part of the key, in its further options: {"cpus_allowed":"0-3,6"}.
 */
#ifndef RUNNER_SWEEP_CPUS_H
#define RUNNER_SWEEP_CPUS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/model/cell_key.h"

/*
 * The CPUs of the list in the order written: job j runs on cpu[j % n]. *out is owned by the caller:
 * free(). ERR_USAGE for a text that is none, and for a CPU that this process may not use.
 */
int cpus_parse(unsigned **out, unsigned *n, const char *text, struct error *err);
/* Puts a list into the key; it must be one that cpus_parse takes. */
void cpus_to_key(struct cell_key *key, const char *text);
/*
 * As cpus_parse with the list of the key; *out NULL and *n 0 when it has none. *shared: each job may
 * run on all of them ("cpus_allowed_policy":"shared").
 */
int cpus_from_key(unsigned **out, unsigned *n, bool *shared, const struct cell_key *key,
                  struct error *err);

#endif
