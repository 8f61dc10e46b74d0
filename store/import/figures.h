/* Whether the figures of an imported cell agree with each other. */
#ifndef STORE_IMPORT_FIGURES_H
#define STORE_IMPORT_FIGURES_H

#include "core/model/cell.h"

/*
 * Adds the caveat `figures-disagree` where, in a direction, the rate is not the I/Os over their time, or bandwidth or
 * bytes are not rate or I/Os of the block size: by more than a tenth, and more than rounding of short runs explains.
 */
void figures_check(struct cell *cell);
/*
 * The same caveat where counts of fio's own, bytes and I/Os, make blocks that are not those asked for, by
 * more than 2 %: after a ramp fio 3.33 counts some I/Os in bytes alone.
 */
void figures_check_counts(struct cell *cell);

#endif
