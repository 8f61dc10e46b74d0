/* What `diagnose` prints for people and spreadsheets. */
#ifndef CLI_DIAGNOSE_INTERNAL_H
#define CLI_DIAGNOSE_INTERNAL_H

#include "cli/cmd.h"
#include "report/diagnosis/diagnosis.h"

/* Sentences, what holds each range of block sizes, bursts. */
void diagnose_print(const struct cmd_ctx *ctx, const struct diagnosis *d, const struct run *run);
/* A row a result, figures in SI base units. */
void diagnose_print_csv(const struct diagnosis *d);

#endif
