#include "report/format/format.h"

#include <strings.h>

#include "report/format/format_internal.h"

const struct format *const format_table[] = {
    &format_html, &format_md, &format_json, &format_csv, NULL,
};

const struct format *format_find(const char *name)
{
    for (const struct format *const *f = format_table; *f; f++) {
        if (strcmp((*f)->name, name) == 0)
            return *f;
    }
    return NULL;
}

const struct format *format_of_path(const char *path)
{
    size_t len = strlen(path);
    for (const struct format *const *f = format_table; *f; f++) {
        size_t n = strlen((*f)->suffix);
        if (len > n && strcasecmp(path + len - n, (*f)->suffix) == 0)
            return *f;
    }
    return NULL;
}
