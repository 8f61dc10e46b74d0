/* fio as an engine: it runs whole cells (runner/fio_exec), so it has no I/O calls of its own. */
#include <unistd.h>

#include "runner/engine/engine.h"

static bool is_in_path(const char *name)
{
    const char *path = getenv("PATH");
    struct strbuf file = STRBUF_INIT;
    bool found = false;
    while (path && *path && !found) {
        size_t n = strcspn(path, ":");
        strbuf_reset(&file);
        strbuf_addf(&file, "%.*s/%s", (int)n, path, name);
        found = n && access(file.text, X_OK) == 0;
        path += n + (path[n] == ':');
    }
    strbuf_release(&file);
    return found;
}

static bool fio_supported(char *why, size_t n)
{
    if (is_in_path("fio"))
        return true;
    snprintf(why, n, "there is no program fio in the PATH; install fio");
    return false;
}

static const struct engine_option fio_option_rows[] = {
    {"io_uring", ENGINE_OPT_BOOL, 0, "let fio use its io_uring, not its libaio"}, {0}};

const struct engine_ops engine_fio = {
    .name = "fio",
    .summary = "an installed fio runs each cell, and its figures are kept",
    .option = fio_option_rows,
    .flags = ENGINE_WHOLE_CELL,
    .supported = fio_supported,
};
