#include "store/import/fio_run.h"

#include "core/base/clock.h"
#include "core/base/json.h"
#include "store/import/fio_devices.h"
#include "store/import/run_source.h"

static void set_text(struct run *run, size_t field, const char *text)
{
    field_set_text(&run_fields, run, field, text);
}

static bool number_in(const struct json_doc *d, json_id obj, const char *name, uint64_t max,
                      uint64_t *v)
{
    return json_u64(d, json_find(d, obj, name), v) && *v > 0 && *v <= max;
}

/*
 * The report's time is the end. The start is the first job_start that is a time of day (3.36 and
 * later), else the end less what had passed.
 */
static void set_times(struct run *run, const struct fio_document *doc)
{
    const struct json_doc *d = &doc->json;
    const uint64_t year_2000_ms = UINT64_C(946684800000), max_ms = INT64_MAX / NS_PER_MS;
    uint64_t end_ms = 0, start_ms = UINT64_MAX, elapsed_s = 0, v;
    if (!number_in(d, doc->root, "timestamp_ms", max_ms, &end_ms) &&
        number_in(d, doc->root, "timestamp", max_ms / 1000, &end_ms))
        end_ms *= 1000;
    for (size_t i = 0; i < doc->n_entries; i++) {
        if (number_in(d, doc->entry[i], "job_start", max_ms, &v) && v >= year_2000_ms &&
            v < start_ms)
            start_ms = v;
        if (number_in(d, doc->entry[i], "elapsed", max_ms / 1000, &v) && v > elapsed_s)
            elapsed_s = v;
    }
    if (end_ms >= year_2000_ms)
        SET(run, RUN, finished_ns, (int64_t)(end_ms * NS_PER_MS));
    if (start_ms == UINT64_MAX && end_ms >= year_2000_ms && elapsed_s > 0 &&
        elapsed_s * 1000 < end_ms)
        start_ms = end_ms - elapsed_s * 1000;
    if (start_ms != UINT64_MAX)
        SET(run, RUN, started_ns, (int64_t)(start_ms * NS_PER_MS));
}

/* Counters of the disks belong to the whole fio run: a single cell gets them, several do not. */
static void set_extra(struct run *run, const struct fio_document *doc, size_t cells)
{
    static const char *const names[] = {"time", "cpu_idleness", "disk_util"};
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_id id = json_find(&doc->json, doc->root, names[i]);
        bool array = json_kind(&doc->json, id) == JSON_ARRAY;
        if (!id || (array && (cells == 1 || !json_child(&doc->json, id))))
            continue;
        strbuf_addc(&out, out.len ? ',' : '{');
        json_quote(&out, names[i]);
        strbuf_addc(&out, ':');
        json_copy(&out, &doc->json, id);
    }
    if (out.len > 0) {
        strbuf_addc(&out, '}');
        set_text(run, RUN_extra, out.text);
    }
    strbuf_release(&out);
}

void fio_run_read(struct run *run, const struct import_source *src, const struct fio_document *doc,
                  size_t number, struct fio_groups *groups)
{
    run_from_source(run, src, "fio-json", number);
    char *version = json_text(&doc->json, json_find(&doc->json, doc->root, "fio version"));
    set_text(run, RUN_tool, version ? version : "fio");
    free(version);
    set_times(run, doc);
    run_set_messages(run, doc->messages.line, doc->messages.n, doc->messages.left_out);
    fio_devices_read(run, groups);
    set_extra(run, doc, groups->n);
}

bool fio_messages_interrupted(const struct fio_messages *m)
{
    for (size_t i = 0; i < m->n; i++) {
        if (strstr(m->line[i], "terminating on signal") || strstr(m->line[i], "got signal="))
            return true;
    }
    return false;
}
