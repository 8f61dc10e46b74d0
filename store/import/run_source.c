#include "store/import/run_source.h"

#include "core/base/json.h"
#include "core/base/xalloc.h"

static void set_text(struct run *run, size_t field, const char *text)
{
    field_set_text(&run_fields, run, field, text);
}

/* The name of the file without folders and ".json"; further runs in it get their number. */
static void set_name(struct run *run, const char *path, size_t number)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    size_t len = strlen(file);
    const char *dot = strrchr(file, '.');
    if (dot && dot > file)
        len = (size_t)(dot - file);
    char *name = strcmp(path, "-") == 0 ? xstrdup("stdin") : xstrndup(file, len);
    if (number > 1) {
        char *numbered = xasprintf("%s#%zu", name, number);
        free(name);
        name = numbered;
    }
    set_text(run, RUN_name, name);
    free(name);
}

const char *source_run_uuid(char uuid[UUID_TEXT_MAX], const char *identity, size_t number)
{
    char *text = xasprintf("%s document %zu", identity, number);
    uuid_from_text(uuid, text);
    free(text);
    return uuid;
}

void run_from_source(struct run *run, const struct import_source *src, const char *format,
                     size_t number)
{
    char uuid[UUID_TEXT_MAX];
    set_text(run, RUN_uuid,
             source_run_uuid(uuid, src->identity ? src->identity : src->sha256, number));
    set_name(run, source_name(src), number);
    set_text(run, RUN_source_path, src->path);
    set_text(run, RUN_source_sha256, src->sha256);
    set_text(run, RUN_source_format, format);
    SET(run, RUN, status, STATUS_COMPLETE);
    for (size_t i = 0; i < src->n_labels; i++)
        run_set_label(run, src->label[i].key, src->label[i].value);
}

void run_set_messages(struct run *run, char *const *line, size_t n, size_t left_out)
{
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < n; i++) {
        strbuf_addc(&out, i ? ',' : '[');
        json_quote(&out, line[i]);
    }
    if (left_out > 0)
        strbuf_addf(&out, ",\"(%zu further lines are left out)\"", left_out);
    if (out.len > 0) {
        strbuf_addc(&out, ']');
        set_text(run, RUN_messages, out.text);
    }
    strbuf_release(&out);
}
