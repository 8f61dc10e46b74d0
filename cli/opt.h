/*
 * Typed option rows. One row drives parsing, --help, the man page, shell completion and the test
 * that every option is documented. Values land in the command's own config struct at `offset`; its
 * initial content is the defaults.
 *
 * Spelling: --name value, --name=value, -n value; hyphen and underscore are the same; aliases are
 * fio's spellings; an unknown option gets "did you mean"; "--" ends the options.
 */
#ifndef CLI_OPT_H
#define CLI_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/range.h"
#include "core/base/strbuf.h"

enum opt_type {
    OPT_FLAG,    /* bool, no value */
    OPT_TEXT,    /* const char *, points into argv */
    OPT_LIST,    /* struct opt_list, repeatable */
    OPT_U64,     /* uint64_t within min..max */
    OPT_F64,     /* double within min..max */
    OPT_BOOL,    /* bool, value 0/1/yes/no */
    OPT_SIZE,    /* struct opt_size: bytes or percent */
    OPT_PERCENT, /* struct opt_size, always percent */
    OPT_TIME,    /* uint64_t ns */
    OPT_SIZES,   /* struct range of sizes */
    OPT_COUNTS,  /* struct range of counts */
    OPT_CHOICE,  /* int: index into choices */
    OPT_CHOICES, /* struct opt_list of texts, comma list, each one of choices */
    OPT_TALLY,   /* int: how often the option was given, no value */
};

struct opt_list {
    const char **item;
    size_t n;
};

struct opt_size {
    uint64_t bytes;
    double percent; /* -1: bytes counts */
    bool given;
};

struct opt {
    const char *name;  /* without dashes */
    const char *alias; /* blank-separated further names, NULL */
    size_t offset;
    const char *arg; /* name of the value in help: "PATH", NULL for flags */
    /* Default as text. Read as a value when the option is not given, except for FLAG, TEXT, LIST
     * and TALLY (config_init holds theirs) and for a text in brackets, "(the whole device)": only
     * help. */
    const char *def;
    const char *const *choices; /* NULL-terminated */
    /* bounds of U64, F64, TIME (ns), SIZES, COUNTS; both 0: none */
    uint64_t min, max;
    /* Value of the option when none follows, in a command that takes no words; NULL: it needs one. */
    const char *alone;
    const char *help;  /* one or two lines */
    const char *group; /* heading in help; NULL goes on under the last */
    enum opt_type type;
    char letter; /* 0: no short form */
};

#define OPT_END                                                                                    \
    {                                                                                              \
        0                                                                                          \
    }

#define OPT_MAX_ROWS 64

/* Rows and where their values go: the command's own, and the common ones. */
struct opt_set {
    const struct opt *rows; /* may be NULL */
    void *config;
    uint64_t given; /* bit i: the user gave row i; 0 at first, kept over calls */
};

/*
 * Parses argv[0..argc) into the sets; what is no option comes back in order in *rest (argv
 * pointers; array owned by the caller, free with free()). Lists and ranges are owned by config:
 * opt_release. ERR_USAGE, with the option and what is allowed, otherwise; config is then to be
 * released all the same.
 */
int opt_parse(struct opt_set *sets, size_t n_sets, int argc, char **argv, const char ***rest,
              size_t *n_rest, struct error *err);
/*
 * Parses options up to the first word that is none; *used gets how many words those were. No
 * defaults are filled in.
 */
int opt_parse_leading(struct opt_set *sets, size_t n_sets, int argc, char **argv, int *used,
                      struct error *err);
void opt_release(const struct opt_set *sets, size_t n_sets);

/* True when the user gave the option: `given` is that of the set (cmd_ctx has it). */
bool opt_given(const struct opt *rows, uint64_t given, const char *name);

/* Appends what values the option takes, "a whole number from 1 to 8"; nothing for flags, texts. */
void opt_allowed(struct strbuf *out, const struct opt *row);
/* Appends help text of a row with choices, default and aliases. */
void opt_describe(struct strbuf *out, const struct opt *row);
/* Appends the help of the rows, wrapped to width. */
void opt_help(struct strbuf *out, const struct opt *rows, size_t width, bool colour);

#endif
