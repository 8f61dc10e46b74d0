/*
 * The rows of options that `sweep` and `run` have in common. The command's config has name, label,
 * dry_run, no_detect, allow_write, yes and destroy_data; AT(member) gives their offsets.
 */
#ifndef CLI_SESSION_ARGS_H
#define CLI_SESSION_ARGS_H

#include "cli/opt.h"

#define SESSION_RUN_ROWS                                                                           \
    {.group = "The run",                                                                           \
     .name = "name",                                                                               \
     .type = OPT_TEXT,                                                                             \
     .offset = AT(name),                                                                           \
     .arg = "NAME",                                                                                \
     .help = "name of the run, to find it again"},                                                 \
        {.name = "label",                                                                          \
         .letter = 'l',                                                                            \
         .type = OPT_LIST,                                                                         \
         .offset = AT(label),                                                                      \
         .arg = "KEY=VALUE",                                                                       \
         .help = "mark of the run, such as release=6.9; may be given several times"},              \
    {                                                                                              \
        .name = "dry-run", .letter = 'n', .type = OPT_FLAG, .offset = AT(dry_run),                 \
        .help = "only print the plan, what it writes and how long it takes; nothing is written "   \
                "or made, and what would be refused is said after it (exit 3)"                     \
    }

#define SESSION_DETECT_ROW                                                                         \
    {                                                                                              \
        .name = "no-detect", .type = OPT_FLAG, .offset = AT(no_detect),                            \
        .help = "do not look for limits that hold here: cgroups, the cloud's firmware and "        \
                "metadata service"                                                                 \
    }

#define SESSION_SAFETY_ROWS                                                                        \
    {.group = "Safety of data",                                                                    \
     .name = "allow-write",                                                                        \
     .type = OPT_FLAG,                                                                             \
     .offset = AT(allow_write),                                                                    \
     .help = "let what writes overwrite block devices; refused all the same when one is in use "   \
             "or holds data"},                                                                     \
        {.name = "yes",                                                                            \
         .letter = 'y',                                                                            \
         .type = OPT_FLAG,                                                                         \
         .offset = AT(yes),                                                                        \
         .help = "do not ask on a terminal before data is lost; elsewhere nothing is asked"},      \
    {                                                                                              \
        .name = "destroy-data", .type = OPT_LIST, .offset = AT(destroy_data), .arg = "PATH",       \
        .help = "the content of this device or file may be lost (not when it is mounted, held or " \
                "swap); spelled with its own path"                                                 \
    }

#endif
