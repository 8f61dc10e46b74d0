/*
 * Recorded machines: tests/data/sysroot/NAME.txt holds the files and links of /sys, /proc, /dev and
 * /etc that the program reads (format: README.md there), unpacked here into a folder of its own.
 */
#ifndef TESTS_SUPPORT_SYSROOT_FILE_H
#define TESTS_SUPPORT_SYSROOT_FILE_H

#include "core/base/sysroot.h"

/* Ends the test program when the recording is missing or damaged. */
struct sysroot sysroot_file_unpack(const char *name);
/* Removes the folder. */
void sysroot_file_remove(struct sysroot *sr);

#endif
