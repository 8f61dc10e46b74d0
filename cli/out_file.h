/* Files that the user names for what is written: reports, charts, exports. */
#ifndef CLI_OUT_FILE_H
#define CLI_OUT_FILE_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/strbuf.h"

/*
 * *replaced: a file is made or replaced there; else it is a terminal or a pipe, written as it is. ERR_USAGE:
 * a folder, or a block device, which is never written, as a slip of -o must not cost a disk. `what`: "report".
 */
int out_file_check(bool *replaced, const char *path, const char *what, struct error *err);

/*
 * Writes all of it. A file is made beside the path and renamed: nobody sees half of it, and a full disk leaves
 * the old one. ERR_USAGE as above, or it cannot be opened; ERR_DEVICE: it cannot be written.
 */
int out_file_write(const char *path, const char *what, const struct strbuf *bytes,
                   struct error *err);

#endif
