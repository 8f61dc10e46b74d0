/*
 * Figures of an imported cell that cannot be, or cannot all be true. Whoever imports is told of each in a few words
 * ("read clat: p99 of 1 ns is below p50 of 32.1 ms: its percentiles left unknown"): nothing is dropped silently.
 */
#ifndef STORE_IMPORT_FIGURES_H
#define STORE_IMPORT_FIGURES_H

#include "core/model/cell.h"

/* Is told of one figure; the words are valid during the call. NULL in place of one: nobody asks. */
typedef void figures_say(void *self, const char *words);

/*
 * Forgets what cannot be, and all that it makes doubtful: blocks of no bytes or more than 1 TiB, none or more than a
 * million in flight or jobs, more than 10^11 IOPS or 10^16 B/s, more short I/Os than I/Os, smallest above largest, a latency far longer than the run,
 * means and percentiles outside of them (by more than bins and rounding explain), percentiles that fall.
 */
void figures_drop_impossible(struct cell *cell, figures_say *say, void *self);

/*
 * Adds the caveat `figures-disagree` where, in a direction, the rate is not the I/Os over their time, or bandwidth or
 * bytes are not rate or I/Os of the block size: by more than a tenth, and more than rounding of short runs explains.
 */
void figures_check(struct cell *cell, figures_say *say, void *self);
/*
 * The same caveat where counts of fio's own, bytes and I/Os, make blocks that are not those asked for, by
 * more than 2 %: after a ramp fio 3.33 counts some I/Os in bytes alone.
 */
void figures_check_counts(struct cell *cell);

#endif
