/* What the files of `limits` share. */
#ifndef CLI_LIMITS_INTERNAL_H
#define CLI_LIMITS_INTERNAL_H

#include "cli/cmd.h"
#include "cli/limit_args.h"

struct limits_config {
    struct limit_args limits;
    struct opt_size size;
    bool clear;
};

/* limits_show.c */

/* `limits list [PATTERN]` */
int limits_list(const struct cmd_ctx *ctx, const struct limits_config *c, const char *pattern,
                struct error *err);
/* `limits show NAME` */
int limits_show(const struct cmd_ctx *ctx, const struct limits_config *c, const char *name,
                struct error *err);

#endif
