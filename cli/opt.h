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
    OPT_TIME,    /* uint64_t ns */
    OPT_SIZES,   /* struct range of sizes */
    OPT_COUNTS,  /* struct range of counts */
    OPT_CHOICE,  /* int: index into choices */
    OPT_CHOICES, /* struct opt_list of texts, comma list, each one of choices */
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
    char letter;       /* 0: no short form */
    const char *alias; /* blank-separated further names, NULL */
    enum opt_type type;
    size_t offset;
    const char *arg;            /* name of the value in help: "PATH", NULL for flags */
    const char *def;            /* default as text for help, NULL for none */
    const char *const *choices; /* NULL-terminated */
    uint64_t min, max;          /* of OPT_U64, OPT_SIZES, OPT_COUNTS; both 0: no bound */
    const char *help;           /* one or two lines */
    const char *group;          /* heading in help; NULL goes on under the last */
};

#define OPT_END                                                                                    \
    {                                                                                              \
        0                                                                                          \
    }

/*
 * Parses argv[1..]: options into config, the rest in order into *rest (argv pointers; array owned
 * by the caller, free with free()). Lists and ranges are owned by config: opt_release. ERR_USAGE
 * otherwise.
 */
int opt_parse(const struct opt *rows, void *config, int argc, char **argv, const char ***rest,
              size_t *n_rest, struct error *err);
void opt_release(const struct opt *rows, void *config);
/* True when the user gave the option (kept by opt_parse in the bit set given, row index). */
bool opt_given(const struct opt *rows, const uint64_t *given, const char *name);

/* Appends the help of the rows, wrapped to width. */
void opt_help(struct strbuf *out, const struct opt *rows, size_t width, bool colour);

#endif
