/* What the files of store/limits share. */
#ifndef STORE_LIMITS_LIMITS_INTERNAL_H
#define STORE_LIMITS_LIMITS_INTERNAL_H

#include "core/base/arena.h"
#include "store/limits/limits.h"

/* catalogue_read.c: the entries of one JSON text. */
struct limit_entries {
    struct limit_entry *entry;
    size_t n;
};
int limit_entries_read(struct limit_entries *out, struct arena *arena, const char *text, size_t n,
                       const char *origin, struct error *err);

/* formula.c */

/* What a formula may ask for; NaN: not known. */
struct limit_facts {
    double gib, vcpus, iops, mbps;
};
/* NaN when a fact it needs is not known. */
double limit_formula_value(const struct limit_formula *f, const struct limit_facts *facts);

#endif
