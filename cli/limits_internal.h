/* What the files of `limits` share. */
#ifndef CLI_LIMITS_INTERNAL_H
#define CLI_LIMITS_INTERNAL_H

#include "cli/cmd.h"
#include "cli/limit_args.h"

struct limits_config {
    struct limit_args limits;
    struct opt_size size;
    const char *record, *replay; /* folders */
    const char *from;
    bool clear;
};

/* limits_show.c */

/* `limits list [PATTERN]` */
int limits_list(const struct cmd_ctx *ctx, const struct limits_config *c, const char *pattern,
                struct error *err);
/* `limits names [disk|vm]`: names without blanks, and types of disks */
int limits_names(const struct limits_config *c, const char *owner, struct error *err);
/* `limits show NAME` */
int limits_show(const struct cmd_ctx *ctx, const struct limits_config *c, const char *name,
                struct error *err);

/* limits_detect.c: `limits detect [PATH...]` */
int limits_detect(const struct cmd_ctx *ctx, const struct limits_config *c, const char **path,
                  size_t n, struct error *err);
/* limits_update.c: `limits update --from FILE` */
int limits_update(const struct cmd_ctx *ctx, const struct limits_config *c, struct error *err);

#endif
