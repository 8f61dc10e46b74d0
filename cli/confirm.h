/* The last question before data is destroyed. */
#ifndef CLI_CONFIRM_H
#define CLI_CONFIRM_H

#include "cli/interrupt.h"
#include "core/model/device_info.h"

/* True when there is somebody to ask: the standard input and the standard error are terminals. */
bool confirm_possible(void);
/*
 * Says on stderr what will be lost (path, model, serial, size) and waits until the last part of the
 * path is typed. ERR_REFUSED for any other answer, ERR_INTERRUPTED for Ctrl-C.
 */
int confirm_destroy(struct interrupt *in, const struct device_info *device, struct error *err);

#endif
