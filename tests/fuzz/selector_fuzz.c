/* What people type to choose runs and cells; both must never do more than say no. */
#include <stdint.h>

#include "cli/cell_filter.h"
#include "core/base/xalloc.h"
#include "store/db/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A store with three runs, made once. */
static struct store *small_store(void)
{
    static struct store *store;
    if (store)
        return store;
    if (store_open(&store, NULL, STORE_MEMORY, NULL) < 0)
        abort();
    static const char *const name[] = {"a", "a", "17"};
    for (int i = 0; i < 3; i++) {
        struct run *run = run_create();
        char uuid[UUID_TEXT_MAX];
        field_set_text(&run_fields, run, RUN_uuid, uuid_from_text(uuid, name[i] + i / 2));
        if (i == 1)
            field_set_text(&run_fields, run, RUN_uuid, NULL);
        field_set_text(&run_fields, run, RUN_name, name[i]);
        run_set_label(run, "release", i ? "6.9" : "6.8,x=y");
        struct sink sink = store_sink(store, SINK_ATOMIC);
        if (sink.begin(sink.self, run, NULL) < 0 || sink.end(sink.self, run, NULL) < 0)
            abort();
        run_destroy(run);
    }
    return store;
}

static void try_filter(const char *text)
{
    static const struct device_info device = {.path = (char *)"/dev/sdc"};
    const struct run run = {.device = (struct device_info *)&device, .n_devices = 1};
    size_t zero = 0;
    struct cell cell = {.id = 7, .device = &zero, .n_devices = 1};
    SET(&cell.key, CELL_KEY, bs, 4096);
    SET(&cell.key, CELL_KEY, rw, RW_RANDREAD);
    SET(&cell.key, CELL_KEY, direct, true);
    SET(&cell.dir[DIR_READ], DIRECTION, ios, 1);
    struct cell_filter filter;
    const char *word[] = {text};
    if (cell_filter_parse(&filter, word, 1, NULL) < 0)
        return;
    cell_filter_matches(&filter, &cell, &run);
    cell_filter_has_direction(&filter, DIR_WRITE);
    cell_filter_release(&filter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char *text = xstrndup((const char *)data, n);
    struct error err = ERROR_INIT;
    struct run_ids ids = {0};
    int rc = store_select(small_store(), text, &ids, &err);
    if (rc < 0 ? err.code != ERR_USAGE || !*err.message : ids.n == 0)
        abort();
    run_ids_release(&ids);
    try_filter(text);
    free(text);
    return 0;
}
