/* Whether a cell is complete: fio's error number, failed I/Os, signals. */
#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "store/import/fio_cell.h"
#include "store/import/fio_units.h"

static bool did_any(const struct cell *cell)
{
    for (int i = DIR_READ; i <= DIR_MIXED; i++) {
        if (direction_is_used(&cell->dir[i]))
            return true;
    }
    return false;
}

/* "fio: pid=1, err=5/file:io_u.c:1, func=io_u error, error=Input/output error" among the lines. */
static char *error_words(const struct fio_messages *m, int64_t code)
{
    char mark[32];
    snprintf(mark, sizeof mark, "err=%lld/", (long long)code);
    for (size_t i = 0; i < m->n; i++) {
        const char *words = strstr(m->line[i], " error=");
        if (strstr(m->line[i], mark) && words)
            return xstrdup(words + strlen(" error="));
    }
    return NULL;
}

static void set_error(struct cell *cell, enum run_status status, char *words)
{
    SET(cell, CELL, status, status);
    if (!cell->error)
        cell->error = words;
    else
        free(words);
}

/* True when the cell stopped before the time its options give it. */
static bool is_cut_short(const struct cell *cell, const struct fio_options *o)
{
    uint64_t asked;
    const char *runtime = fio_option(o, "runtime");
    if (!runtime || !fio_time(runtime, NS_PER_S, &asked))
        return true;
    return (double)cell->runtime_ns < 0.99 * (double)asked;
}

void fio_status_read(const struct fio_cell_setting *s, const struct fio_options *o,
                     uint64_t failed_ios, struct cell *cell)
{
    bool any = did_any(cell);
    const char *engine = cell->key.engine ? cell->key.engine : "";
    SET(cell, CELL, status, STATUS_COMPLETE);
    if (IS_KNOWN(cell, CELL, error_code)) {
        char *words = error_words(&s->doc->messages, cell->error_code);
        /* error numbers are those of the system fio ran on: only its own words are sure */
        if (!words)
            words = xasprintf("fio reports error %lld", (long long)cell->error_code);
        set_error(cell, any ? STATUS_PARTIAL : STATUS_FAILED, words);
    } else if (failed_ios > 0) {
        set_error(cell, STATUS_PARTIAL,
                  xasprintf("%llu I/O%s failed", (unsigned long long)failed_ios,
                            failed_ios == 1 ? "" : "s"));
    } else if (!any && strcmp(engine, "cpuio") != 0) {
        set_error(cell, STATUS_FAILED, xstrdup("no I/O was done"));
    } else if (s->interrupted && is_cut_short(cell, o)) {
        set_error(cell, STATUS_PARTIAL, xstrdup("fio was stopped by a signal"));
    }
}
