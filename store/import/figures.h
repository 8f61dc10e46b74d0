/* Whether the figures of an imported cell agree with each other. */
#ifndef STORE_IMPORT_FIGURES_H
#define STORE_IMPORT_FIGURES_H

#include "core/model/cell.h"

/*
 * Adds the caveat `figures-disagree` where, in a direction, the rate is not the I/Os over their time, or bandwidth or
 * bytes are not rate or I/Os of the block size: by more than a tenth, and more than rounding of short runs explains.
 */
void figures_check(struct cell *cell);

#endif
