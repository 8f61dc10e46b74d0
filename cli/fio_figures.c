#include "cli/fio_figures.h"

#include "core/base/json.h"
#include "core/base/sha256.h"
#include "store/import/figures.h"
#include "store/import/importer.h"

struct taken {
    struct cell *cell;
    size_t n;
};

static int begin(void *self, struct run *run, struct error *err)
{
    (void)self, (void)err;
    run->id = 1;
    return 0;
}

static int end(void *self, struct run *run, struct error *err)
{
    (void)self, (void)run, (void)err;
    return 0;
}

/* What fio says of the measurement; which cell it is, and its devices, are known better here. */
static int take(void *self, struct cell *from, struct error *err)
{
    static const size_t ours[] = {CELL_ordinal,  CELL_repeat,  CELL_name,
                                  CELL_together, CELL_assumed, CELL_ramp_ns};
    struct taken *t = self;
    (void)err;
    if (t->n++)
        return 0;
    for (size_t i = 0; i < cell_fields.n; i++) {
        bool skip = !field_is_known(&cell_fields, from, i);
        for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
            skip = skip || ours[k] == i;
        if (skip)
            continue;
        struct strbuf text = STRBUF_INIT;
        field_format(&text, &cell_fields, from, i);
        field_parse(&cell_fields, t->cell, i, text.text);
        strbuf_release(&text);
    }
    for (int d = 0; d < DIR_COUNT; d++) {
        struct direction empty = t->cell->dir[d];
        t->cell->dir[d] = from->dir[d];
        from->dir[d] = empty;
    }
    return 0;
}

/* Next to the options that fio was given, which the importer keeps. */
static void add_version(struct cell *cell, const char *version)
{
    cJSON *extra = cell->extra ? cJSON_Parse(cell->extra) : NULL;
    if (!cJSON_IsObject(extra)) {
        cJSON_Delete(extra);
        extra = cJSON_CreateObject();
    }
    json_add_text(extra, "fio version", version);
    char *text = json_print(extra, false);
    field_set_text(&cell_fields, cell, CELL_extra, text);
    free(text);
    cJSON_Delete(extra);
}

int fio_figures_read(struct cell *cell, const char *bytes, size_t n, struct error *err)
{
    char sha256[SHA256_TEXT_MAX];
    sha256_hex(sha256, bytes, n);
    struct taken taken = {.cell = cell};
    struct sink sink = {.self = &taken, .begin = begin, .cell = take, .end = end};
    struct import_outcome outcome = {0};
    const struct import_source src = {.path = "fio", .bytes = bytes, .n = n, .sha256 = sha256};
    int rc = importer_fio_json.read(&src, &sink, &outcome, err);
    if (rc == 0 && taken.n != 1)
        rc = error_set(err, ERR_INPUT, "fio reported %zu cells, and one was asked for", taken.n);
    if (rc == 0) {
        figures_check(cell, NULL, NULL);
        figures_check_counts(cell);
    }
    if (rc == 0)
        add_version(cell, outcome.version);
    return rc;
}
