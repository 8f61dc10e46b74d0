/*
 * Numbered pieces of work, done by threads ahead of the one that takes the results in order (and, while it
 * would have to wait, by that one). They stay at most `slots` pieces ahead: that many results wait.
 */
#ifndef STORE_IMPORT_AHEAD_H
#define STORE_IMPORT_AHEAD_H

#include <stddef.h>

struct ahead;

/*
 * Starts `threads` threads (at least 1) that call work(self, i, i % slots) for i = 0 ... n - 1, each once and
 * in any order; calls for the same slot follow each other, with ahead_done() between them.
 */
struct ahead *ahead_start(size_t n, size_t slots, size_t threads,
                          void (*work)(void *self, size_t i, size_t slot), void *self);
/* Waits until piece i is done, and does others meanwhile; to be called for 0, 1, 2 ... */
void ahead_wait(struct ahead *a, size_t i);
/* The result of piece i, waited for before, is used up. */
void ahead_done(struct ahead *a, size_t i);
/* Lets the threads finish what they have begun, and frees all. NULL is accepted. */
void ahead_stop(struct ahead *a);

/* Processors that this process may use. */
size_t ahead_processors(void);

#endif
