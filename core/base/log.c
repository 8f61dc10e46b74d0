#include "core/base/log.h"

#include <stdarg.h>
#include <stdio.h>

static int log_level;

void log_set_level(int level)
{
    log_level = level;
}

void log_debug(int level, const char *fmt, ...)
{
    if (level > log_level)
        return;
    va_list ap;
    va_start(ap, fmt);
    fputs("blkmatrix: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
}
