/*
 * Doubts about a cell: the short names that stand in its `caveats`, and what they mean in words.
 * To add one: a row in caveat.c; tests/lint/caveats.sh finds names that have none.
 */
#ifndef CORE_MODEL_CAVEAT_H
#define CORE_MODEL_CAVEAT_H

struct caveat {
    const char *name;
    const char *words; /* half a sentence, without full stop */
};

extern const struct caveat caveat_table[]; /* the last has no name */

/* What a short name means; NULL when it is not known (written by a newer program). */
const char *caveat_words(const char *name);

#endif
