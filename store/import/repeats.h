/* Counts how often a text came before: the repeat numbers of cells with the same settings. */
#ifndef STORE_IMPORT_REPEATS_H
#define STORE_IMPORT_REPEATS_H

#include "core/model/cell.h"

struct repeats {
    struct repeat *slot; /* open addressing, a power of two of them */
    size_t n, room;
};

/* 1 for a text that is new, 2 the second time, ... Texts are told apart by 64 bits of a hash. */
uint64_t repeats_next(struct repeats *r, const char *text);
/* Sets ordinal and, by key and devices, repeat of the next cell of a run. */
void repeats_place(struct repeats *r, struct cell *cell, uint64_t ordinal);
void repeats_release(struct repeats *r);

#endif
