/*
 * A subcommand: one file cli/<name>.c with one const struct cmd, listed in commands.c. Its file reads
 * top to bottom: config struct, option rows, helpers, run. Results go to stdout, everything else to
 * stderr.
 */
#ifndef CLI_CMD_H
#define CLI_CMD_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/opt.h"
#include "core/base/error.h"
#include "store/db/store.h"

enum cmd_need {
    NEED_NOTHING,
    NEED_STORE_READ,  /* the store is open for reading before run() */
    NEED_STORE_EDIT,  /* for writing what is in it; must exist */
    NEED_STORE_WRITE, /* for writing; made when missing */
};

enum output_format { OUT_TABLE, OUT_JSON, OUT_CSV, OUT_MD };
/* The choice of --format that only reports have; format is OUT_TABLE then, and html is set. */
#define FORMAT_HTML (OUT_MD + 1)

/* What main() gives every command: the common options, already parsed. */
struct cmd_ctx {
    struct store *store; /* per needs, else NULL */
    const char *db_path; /* as it will be opened */
    enum output_format format;
    bool format_given;
    bool html; /* --format html, of a command with has_html */
    bool quiet;
    int verbose;
    bool colour;          /* stdout is a terminal, NO_COLOR unset, no --no-color */
    bool colour_err;      /* the same for stderr */
    size_t width;         /* columns of the terminal, 0 when stdout is none */
    const char *progress; /* auto, never, plain, json */
    uint64_t given;       /* of the command's own options: see opt_given() */
    int argc;             /* the whole command line, for provenance */
    char **argv;
};

struct cmd {
    const char *name;
    const char *summary;     /* one line, no full stop */
    const char *group;       /* heading in `blkmatrix help`: "Measure", "Results", ... */
    const char *usage;       /* after the name: "[RUN]" */
    const char *description; /* paragraphs for help and man page */
    const char *examples;    /* lines "blkmatrix ...\n    what it does" */
    const struct opt *opts;  /* own options; common ones are added */
    size_t config_size;
    const void *config_init; /* defaults, config_size bytes */
    enum cmd_need needs;
    const char *actions;  /* words that may come first, blank-separated; NULL: none */
    const char *of_limit; /* the action that takes the name of a disk or VM size; NULL: none */
    bool has_html;        /* --format html works too; main() refuses it otherwise */
    /* rest: arguments that are no options. Returns 0 or a negative ERR_*. */
    int (*run)(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
               struct error *err);
};

extern const struct cmd *const cmd_table[]; /* commands.c; NULL-terminated, in the order of help */

const struct cmd *cmd_find(const char *name); /* NULL when there is none */
/* Sets the error for a word that is no command, with the nearest names. Returns -ERR_USAGE. */
int cmd_unknown(const char *name, struct error *err);

/* The options every command has. */
struct common_config {
    const char *db;
    int format;
    bool quiet;
    int verbose;
    bool no_color;
    int progress;
    bool help;
};
extern const struct opt common_opts[];
extern const char *const progress_choices[]; /* by common_config.progress */

#endif
