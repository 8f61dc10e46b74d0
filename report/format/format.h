/*
 * Writing a page. To add a format: a file beside this, a row in registry.c, a line in
 * report/CMakeLists.txt; tests/report/format/ then checks it (hostile names come out as text, same
 * bytes twice).
 */
#ifndef REPORT_FORMAT_FORMAT_H
#define REPORT_FORMAT_FORMAT_H

#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "report/page/page.h"

struct format {
    const char *name;   /* as --format takes it */
    const char *suffix; /* ".html" */
    /* Appends the whole document. The same page gives the same bytes, whatever the locale. */
    int (*write)(struct strbuf *out, const struct page *p, struct error *err);
};

extern const struct format *const format_table[]; /* NULL-terminated; the first is the default */

/* NULL when there is none of that name; by the suffix of a path, any case. */
const struct format *format_find(const char *name);
const struct format *format_of_path(const char *path);

#endif
