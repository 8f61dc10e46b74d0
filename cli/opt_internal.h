/* What the files of the option parser share. */
#ifndef CLI_OPT_INTERNAL_H
#define CLI_OPT_INTERNAL_H

#include "cli/opt.h"

/* True when a and b are the same name: case does not count, hyphen is underscore. */
bool opt_name_equal(const char *a, size_t n, const char *b);
/* Reads text as the value of the row; `spelled` is the option as the user wrote it. */
int opt_value_set(const struct opt *row, void *config, const char *spelled, const char *text,
                  struct error *err);
/* Frees what the row's value holds and empties it. */
void opt_value_release(const struct opt *row, void *config);
/* Types whose value is words of the command line, or none: no default is read for them. */
bool opt_takes_default(const struct opt *row);
bool opt_takes_value(const struct opt *row);

#endif
