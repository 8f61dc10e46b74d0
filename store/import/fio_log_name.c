#include "store/import/fio_log_name.h"

#include <ctype.h>
#include <string.h>

#include "store/import/number.h"

const char *const fio_log_kind_names[FIO_LOG_KINDS + 1] = {"bw",  "iops",      "slat", "clat",
                                                           "lat", "clat_hist", NULL};

/* Takes "_KIND" off the end of the n bytes; the longest kind that fits. */
static bool take_kind(struct fio_log_name *out, const char *path, size_t n)
{
    bool found = false;
    for (int kind = 0; kind < FIO_LOG_KINDS; kind++) {
        size_t len = strlen(fio_log_kind_names[kind]);
        if (n <= len + 1 || path[n - len - 1] != '_' || path[n - len - 2] == '/' ||
            strncmp(path + n - len, fio_log_kind_names[kind], len) != 0)
            continue;
        if (found && n - len - 1 >= out->prefix_len)
            continue;
        out->kind = (enum fio_log_kind)kind;
        out->prefix_len = n - len - 1;
        found = true;
    }
    return found;
}

bool fio_log_name_parse(struct fio_log_name *out, const char *path)
{
    static const char suffix[] = ".log";
    size_t n = strlen(path), len = sizeof suffix - 1;
    *out = (struct fio_log_name){0};
    if (n <= len || strcmp(path + n - len, suffix) != 0)
        return false;
    n -= len;
    size_t digits = 0;
    while (digits < n && isdigit((unsigned char)path[n - digits - 1]))
        digits++;
    if (digits > 0 && digits < n && path[n - digits - 1] == '.') {
        if (!number_u64(path + n - digits, digits, &out->job) || out->job == 0)
            return false;
        n -= digits + 1;
    }
    return take_kind(out, path, n);
}
