/* "Did you mean": the known names nearest to a mistyped one. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include "core/base/strbuf.h"

struct suggest {
    const char *typed;
    const char *best[3]; /* nearest first */
    size_t cost[3];
    size_t n;
};

void suggest_init(struct suggest *s, const char *typed);
/* Considers a known name (kept by pointer). */
void suggest_offer(struct suggest *s, const char *name);

/* The names found: "gp3, P30 or gp2"; nothing when there is none. */
void suggest_words(const struct suggest *s, struct strbuf *out);

/*
 * Edits between two names: insert, delete, replace, swap of neighbours (optimal string alignment).
 * Case does not count, hyphen is underscore. Names longer than 40 bytes count as far apart.
 */
size_t suggest_distance(const char *a, const char *b);

#endif
