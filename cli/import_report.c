/* The outcome of an import: a row a file, and one line about all of them. */
#include <inttypes.h>

#include "cli/import_internal.h"
#include "cli/table_out.h"
#include "core/base/json.h"
#include "core/base/text_table.h"

static const char *const result_names[IMPORT_RESULT_COUNT] = {"imported", "partly", "present",
                                                              "skipped", "failed"};

/* The first line of an error; hints follow below the table. */
static void add_first_line(struct strbuf *out, const char *text)
{
    strbuf_add(out, text, strcspn(text, "\n"));
}

const char *import_behind_path(const char *text, const char *path)
{
    size_t n = strlen(path);
    if (strncmp(text, path, n) != 0 || text[n] != ':')
        return text;
    return text + n + 1 + (text[n + 1] == ' ');
}

static void add_part(struct strbuf *out, const char *text)
{
    strbuf_addf(out, "%s%s", out->len ? "; " : "", text);
}

/* What is to be known of one that was read. */
static void add_remarks(struct strbuf *out, const struct import_row *row)
{
    strbuf_adds(out, row->outcome.note);
    if (row->n_doubts > 0) {
        add_part(out, row->doubts.text);
        if (row->n_doubts > IMPORT_DOUBTS_SAID)
            strbuf_addf(out, "; %zu more like this", row->n_doubts - IMPORT_DOUBTS_SAID);
    }
    if (row->earlier > 0) {
        add_part(out, "");
        strbuf_addf(out, "changed since run %" PRId64 " (of the same path; both are kept)",
                    row->earlier);
    }
    if (row->unlabelled)
        add_part(out, "its path does not fit --label-from: no labels from it");
}

/* What is the matter with a row: the error, what was assumed, what was left out and why. */
static void add_note(struct strbuf *out, const struct import_row *row)
{
    if (row->error) {
        add_first_line(out, import_behind_path(row->error, row->path));
        return;
    }
    add_remarks(out, row);
    if (row->outcome.skipped == 0)
        return;
    add_part(out, "left out: ");
    add_first_line(out, import_behind_path(row->skipped.text, row->path));
    if (row->outcome.skipped > 1)
        strbuf_addf(out, ", and %zu more", row->outcome.skipped - 1);
}

static void add_runs(struct text_table *t, const struct import_row *row)
{
    if (row->first_run == 0)
        text_table_cell(t, NULL);
    else if (row->first_run == row->last_run)
        text_table_cellf(t, "%" PRId64, row->first_run);
    else
        text_table_cellf(t, "%" PRId64 "-%" PRId64, row->first_run, row->last_run);
}

static struct text_table *make_table(const struct import_report *report)
{
    struct text_table *t = text_table_create();
    text_table_column(t, "file", COL_TRUNC);
    text_table_column(t, "result", 0);
    text_table_column(t, "format", 0);
    text_table_column(t, "version", COL_TRUNC);
    text_table_column(t, "run", COL_RIGHT);
    text_table_column(t, "cells", COL_RIGHT);
    text_table_column(t, "note", COL_WRAP);
    for (size_t i = 0; i < report->n; i++) {
        const struct import_row *row = &report->row[i];
        struct strbuf note = STRBUF_INIT;
        add_note(&note, row);
        text_table_row(t);
        text_table_cell(t, row->path);
        text_table_cell(t, result_names[row->result]);
        text_table_cell(t, row->outcome.format);
        text_table_cell(t, row->outcome.version[0] ? row->outcome.version : NULL);
        add_runs(t, row);
        text_table_cellf(t, "%zu", row->outcome.cells);
        text_table_cell(t, note.len ? note.text : NULL);
        strbuf_release(&note);
    }
    return t;
}

static void add_lines(cJSON *array, const char *lines)
{
    while (*lines) {
        size_t n = strcspn(lines, "\n");
        struct strbuf line = STRBUF_INIT;
        strbuf_add(&line, lines, n);
        json_add_text(array, NULL, line.text);
        strbuf_release(&line);
        lines += n + (lines[n] == '\n');
    }
}

static void add_json_remarks(cJSON *obj, const struct import_row *row)
{
    struct strbuf note = STRBUF_INIT;
    add_remarks(&note, row);
    json_add_text(obj, "note", note.len ? note.text : NULL);
    strbuf_release(&note);
}

static void add_json_row(cJSON *files, const struct import_row *row)
{
    cJSON *obj = json_add_object(files, NULL);
    json_add_text(obj, "path", row->path);
    json_add_text(obj, "result", result_names[row->result]);
    json_add_text(obj, "format", row->outcome.format);
    json_add_text(obj, "version", row->outcome.version[0] ? row->outcome.version : NULL);
    cJSON *runs = json_add_array(obj, "runs");
    for (int64_t id = row->first_run; id > 0 && id <= row->last_run; id++)
        json_add_i64(runs, NULL, id);
    json_add_u64(obj, "cells", row->outcome.cells);
    add_json_remarks(obj, row);
    add_lines(json_add_array(obj, "left_out"), row->skipped.text);
    json_add_text(obj, "error", row->error);
}

struct totals {
    size_t files[IMPORT_RESULT_COUNT], late, runs, cells;
};

static struct totals add_up(const struct import_report *report)
{
    struct totals t = {0};
    for (size_t i = 0; i < report->n; i++) {
        const struct import_row *row = &report->row[i];
        bool late = row->result == IMPORT_SKIPPED && row->outcome.format; /* a log */
        t.late += late;
        t.files[row->result] += !late;
        t.runs += row->outcome.runs;
        t.cells += row->outcome.cells;
    }
    return t;
}

static void print_json(const struct import_report *report, struct strbuf *out)
{
    struct totals t = add_up(report);
    cJSON *doc = json_add_object(NULL, NULL);
    json_add_bool(doc, "dry_run", report->dry_run);
    json_add_u64(doc, "runs", t.runs);
    json_add_u64(doc, "cells", t.cells);
    cJSON *files = json_add_array(doc, "files");
    for (size_t i = 0; i < report->n; i++)
        add_json_row(files, &report->row[i]);
    char *text = json_print(doc, true);
    strbuf_addf(out, "%s\n", text);
    free(text);
    cJSON_Delete(doc);
}

static void add_count(struct strbuf *out, size_t n, const char *text)
{
    if (n > 0)
        strbuf_addf(out, ", %zu %s", n, text);
}

static void add_summary(const struct import_report *report, struct strbuf *out)
{
    struct totals t = add_up(report);
    strbuf_addf(out, "%zu file%s: %zu run%s with %zu cell%s %s", report->n,
                report->n == 1 ? "" : "s", t.runs, t.runs == 1 ? "" : "s", t.cells,
                t.cells == 1 ? "" : "s", report->dry_run ? "would be added" : "added");
    add_count(out, t.files[IMPORT_PRESENT], "already in the store");
    add_count(out, t.files[IMPORT_SKIPPED], "of no known format passed over");
    add_count(out, t.late, "that came after their result not taken");
    add_count(out, t.files[IMPORT_PARTLY], "broken, of which the whole parts were taken");
    add_count(out, t.files[IMPORT_FAILED], "failed");
    strbuf_addc(out, '\n');
}

void import_report_print(const struct import_report *report, const struct cmd_ctx *ctx,
                         struct strbuf *out)
{
    if (ctx->format == OUT_JSON) {
        print_json(report, out);
        return;
    }
    struct text_table *t = make_table(report);
    table_out(out, ctx, t);
    if (ctx->format == OUT_TABLE)
        add_summary(report, out);
    text_table_destroy(t);
}

void import_report_release(struct import_report *report)
{
    for (size_t i = 0; i < report->n; i++) {
        free(report->row[i].path);
        free(report->row[i].error);
        strbuf_release(&report->row[i].skipped);
        strbuf_release(&report->row[i].doubts);
    }
    free(report->row);
    *report = (struct import_report){0};
}
