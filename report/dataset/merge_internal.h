#ifndef REPORT_DATASET_MERGE_INTERNAL_H
#define REPORT_DATASET_MERGE_INTERNAL_H

#include "report/dataset/dataset_internal.h"

/*
 * Puts the limits of the first n runs into `all`, each once; device[r][i] is what device i of run r is
 * there. Where runs on different devices have different ones, each is that of the devices of its run.
 * ERR_USAGE: two runs have different ones of the same device or machine.
 */
int merge_limits(struct run *all, const struct dataset *d, size_t n, size_t *const *device,
                 struct error *err);

#endif
