/*
 * The options by which a user says what the storage is allowed to do (--vm, --disk, --cap,
 * --limits), for every command that has them.
 */
#ifndef CLI_LIMIT_ARGS_H
#define CLI_LIMIT_ARGS_H

#include "cli/opt.h"
#include "core/model/run.h"
#include "store/limits/limits.h"

struct limit_args {
    const char *vm, *file;
    struct opt_list disk, cap, cloud_json;
};

/* The rows; `member` is the struct limit_args in the command's config. */
/* NOLINTBEGIN(bugprone-macro-parentheses): offsetof takes a member, not an expression */
#define LIMIT_ARGS_ROWS(member)                                                                    \
    {.group = "Limits that hold here",                                                             \
     .name = "vm",                                                                                 \
     .type = OPT_TEXT,                                                                             \
     .offset = AT(member.vm),                                                                      \
     .arg = "VM",                                                                                  \
     .help = "size of the virtual machine in its cloud, such as Standard_DS2_v2, t4g.medium, "     \
             "n2-standard-8; \"blkmatrix limits list\" has them"},                                 \
        {.name = "disk",                                                                           \
         .type = OPT_LIST,                                                                         \
         .offset = AT(member.disk),                                                                \
         .arg = "DISK[,NAME=VALUE...]",                                                            \
         .help = "type of the disk with what was set for it: iops=, mbps=, size=, "                \
                 "cache=none|ro|rw; once for all devices, or once for each"},                      \
        {.name = "cap",                                                                            \
         .type = OPT_LIST,                                                                         \
         .offset = AT(member.cap),                                                                 \
         .arg = "OWNER:NAME=VALUE,...",                                                            \
         .help = "limits by hand: disk:iops=3500,bw=170M,io-size=256k; vm:, host:, or disk[1]: "   \
                 "for the second device; read-iops, write-bw, burst-iops, burst-bw, credits, "     \
                 "byte-credits; may be given several times"},                                      \
        {.name = "cloud-json",                                                                     \
         .type = OPT_LIST,                                                                         \
         .offset = AT(member.cloud_json),                                                          \
         .arg = "FILE",                                                                            \
         .help = "what the cloud's tool says of your disks and VM sizes: the JSON of "             \
                 "`aws ec2 describe-volumes`, `describe-instance-types`, `az disk show`; may be "  \
                 "given several times"},                                                           \
    {                                                                                              \
        .name = "limits", .type = OPT_TEXT, .offset = AT(member.file), .arg = "FILE",              \
        .help = "limits of your own, before those built in (docs/limits.md); else "                \
                "~/.config/blkmatrix/limits.json where it exists"                                  \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

bool limit_args_given(const struct limit_args *a);
/*
 * Finds what can be found wrong before anything is measured: texts, names ("did you mean"), files,
 * devices (0: not known yet). ERR_USAGE or ERR_INPUT. *out gets the catalogue for limit_args_apply,
 * NULL when these options need none; destroy it.
 */
int limit_args_open(struct limit_catalogue **out, const struct limit_args *a, size_t n_devices,
                    struct error *err);
/*
 * Gives the run the limits; those it had of the same owners go. A disk whose size is not given has
 * that of its device. Volumes that --cloud-json tells of are found by the id that the device has.
 */
int limit_args_apply(const struct limit_args *a, const struct limit_catalogue *c, struct run *run,
                     struct error *err);

/* The catalogue with the user's files and those of --cloud-json. */
int limit_args_catalogue(struct limit_catalogue **out, const struct limit_args *a,
                         struct error *err);
/* Names in it that are nearest to one that is not, "gp3 or gp2", or nothing; OWNER_COUNT: of any owner. */
void limit_args_near(const struct limit_catalogue *c, enum limit_owner owner, const char *name,
                     struct strbuf *out);
/* ERR_USAGE for a name that is not in it, with those nearest; OWNER_COUNT: of any owner. */
int limit_args_unknown(const struct limit_catalogue *c, enum limit_owner owner, const char *name,
                       struct error *err);

#endif
