/*
 * SIGINT, SIGTERM and SIGHUP while measuring. They are taken from the program and read where it is
 * safe: the first asks the work to end with the running second, the second to end at once, and the
 * third ends the program.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/base/error.h"

struct interrupt {
    int fd;
    atomic_int count; /* signals that came; hand out as a stop flag */
};

/* Before any thread is started, so that all of them leave the signals alone. */
int interrupt_begin(struct interrupt *in, struct error *err);
/*
 * Takes in signals that came; true when there was one at any time. Ends the program (exit code
 * 130, finished cells are safe in the store) with the third.
 */
bool interrupt_poll(struct interrupt *in);
void interrupt_end(struct interrupt *in);

#endif
