/* `blkmatrix report`: a run (or several, as one matrix) as a page to read, print and pass on. */
#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/diagnosis_kept.h"
#include "cli/out_file.h"
#include "cli/run_args.h"
#include "cli/table_out.h"
#include "cli/terminal.h"
#include "cli/wrap.h"
#include "core/base/text_table.h"
#include "core/base/xalloc.h"
#include "report/format/format.h"

struct report_config {
    const char *output;
};

static const struct opt report_opts[] = {
    {.name = "output",
     .letter = 'o',
     .type = OPT_TEXT,
     .offset = offsetof(struct report_config, output),
     .arg = "FILE",
     .def = "(blkmatrix-report-RUN.html; the standard output for md, json, csv and table)",
     .help = "where to write; the suffix .html, .md, .json or .csv chooses the format when "
             "--format does not; - is the standard output"},
    OPT_END,
};

/* NULL is the table, which goes to the terminal. */
static const struct format *format_of_option(const struct cmd_ctx *ctx)
{
    static const char *const names[] = {
        [OUT_TABLE] = NULL, [OUT_JSON] = "json", [OUT_CSV] = "csv", [OUT_MD] = "md"};
    const char *name = ctx->html ? "html" : names[ctx->format];
    return name ? format_find(name) : NULL;
}

/* "-", a pipe, a device: its name says nothing of what is written there. */
static bool is_stream(const char *output)
{
    struct stat st;
    return strcmp(output, "-") == 0 || (stat(output, &st) == 0 && !S_ISREG(st.st_mode));
}

/* The option, else the suffix of the file, else HTML. */
static int choose_format(const struct format **out, const struct cmd_ctx *ctx, const char *output,
                         struct error *err)
{
    *out = ctx->format_given ? format_of_option(ctx) : output ? format_of_path(output) : NULL;
    if (ctx->format_given || *out)
        return 0;
    *out = format_table[0];
    if (!output || is_stream(output))
        return 0;
    int rc = error_set(err, ERR_USAGE, "cannot tell the kind of report from the name %s", output);
    error_hint(err, "Let it end in .html, .md, .json or .csv, or say --format.");
    return rc;
}

static char *default_output(const struct run_ids *runs)
{
    if (runs->n == 1)
        return xasprintf("blkmatrix-report-%" PRId64 ".html", runs->id[0]);
    return xstrdup("blkmatrix-report.html");
}

/* A word of a command line that a shell takes back as it is. */
static void add_word(struct strbuf *out, const char *word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789_@%+=:,./-";
    strbuf_addc(out, ' ');
    if (*word && strspn(word, safe) == strlen(word)) {
        strbuf_adds(out, word);
        return;
    }
    strbuf_addc(out, '\'');
    for (const char *p = word; *p; p++) {
        if (*p == '\'')
            strbuf_adds(out, "'\\''");
        else
            strbuf_addc(out, *p);
    }
    strbuf_addc(out, '\'');
}

static char *command_line(const struct run_ids *runs, const char *output)
{
    struct strbuf sb = STRBUF_INIT;
    strbuf_adds(&sb, "blkmatrix report");
    for (size_t i = 0; i < runs->n; i++)
        strbuf_addf(&sb, " %" PRId64, runs->id[i]);
    if (output) {
        strbuf_adds(&sb, " -o");
        add_word(&sb, output);
    }
    return strbuf_detach(&sb);
}

static void print_table(const struct cmd_ctx *ctx, const struct page_table *t)
{
    struct text_table *tt = text_table_create();
    for (size_t i = 0; i < t->n_columns; i++)
        text_table_column(tt, t->column[i].title, t->column[i].number ? COL_RIGHT : COL_WRAP);
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (i % t->n_columns == 0)
            text_table_row(tt);
        text_table_cell(tt, t->cell[i].text);
    }
    table_out_print(ctx, tt);
}

/* A sentence, filled to the width of the terminal; in a pipe a line stays a line. */
static void print_filled(const struct cmd_ctx *ctx, const char *mark, const char *text)
{
    struct strbuf out = STRBUF_INIT;
    size_t n = strlen(mark);
    strbuf_adds(&out, mark);
    if (ctx->width)
        wrap_text(&out, text, n ? n + 1 : 0, n, ctx->width);
    else
        strbuf_addf(&out, "%s%s\n", n ? " " : "", text);
    fputs(out.text, stdout);
    strbuf_release(&out);
}

/* Verdict and the four facts: what one wants to know before opening anything. */
static void print_summary(const struct cmd_ctx *ctx, const struct page *p)
{
    fputs(ctx->colour ? "\033[1m" : "", stdout);
    print_filled(ctx, "", p->headline);
    fputs(ctx->colour ? "\033[0m" : "", stdout);
    print_filled(ctx, "", p->deck);
    printf("\n");
    struct text_table *tt = text_table_create();
    text_table_column(tt, "Fact", 0);
    text_table_column(tt, "Value", COL_RIGHT);
    text_table_column(tt, "Cell", COL_WRAP);
    for (size_t i = 0; i < PAGE_FACTS; i++) {
        text_table_row(tt);
        text_table_cell(tt, p->fact[i].word);
        text_table_cell(tt, p->fact[i].number);
        text_table_cell(tt, p->fact[i].detail);
    }
    struct strbuf out = STRBUF_INIT;
    text_table_print(tt, &out, ctx->width, ctx->colour);
    fputs(out.text, stdout);
    strbuf_release(&out);
    text_table_destroy(tt);
    for (size_t i = 0; i < p->n_caveats; i++) {
        fputs(i ? "" : "\n", stdout);
        print_filled(ctx, "!", p->caveat[i]);
    }
}

static void print_page(const struct cmd_ctx *ctx, const struct page *p)
{
    print_summary(ctx, p);
    for (size_t i = 0; i < p->n_sections; i++) {
        const struct section *s = &p->section[i];
        for (size_t k = 0; k < s->n_blocks; k++) {
            if (s->block[k].kind != BLOCK_TABLE || !s->block[k].table->sortable)
                continue;
            printf("\n");
            print_table(ctx, s->block[k].table);
        }
    }
}

static int write_report(const struct cmd_ctx *ctx, const struct page *p, const struct format *f,
                        const char *output, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int rc = f->write(&text, p, err);
    if (rc == 0 && !output) {
        terminal_write(stdout, &text);
    } else if (rc == 0) {
        rc = out_file_write(output, "report", &text, err);
        if (rc == 0 && !ctx->quiet) {
            print_summary(ctx, p);
            printf("\n");
        }
        if (rc == 0)
            printf("%s\n", output);
    }
    strbuf_release(&text);
    return rc;
}

static int report_runs(const struct cmd_ctx *ctx, const struct report_config *c,
                       const struct run_ids *runs, struct error *err)
{
    const struct format *format;
    int rc = choose_format(&format, ctx, c->output, err);
    if (rc < 0)
        return rc;
    bool to_stdout =
        c->output ? strcmp(c->output, "-") == 0 : !format || strcmp(format->name, "html") != 0;
    char *made = c->output || to_stdout ? NULL : default_output(runs);
    const char *output = to_stdout ? NULL : c->output ? c->output : made;
    struct dataset *d = NULL;
    rc = dataset_load(&d, ctx->store, runs->id, runs->n, LOAD_HIST | LOAD_SERIES, err);
    size_t run = 0;
    if (rc == 0 && runs->n > 1)
        rc = dataset_merge_runs(&run, d, err);
    if (rc == 0) {
        char *command = command_line(runs, output);
        struct page *p = page_create(d, run, command);
        diagnosis_keep(ctx->store, p->diagnosis, p->run);
        if (format)
            rc = write_report(ctx, p, format, output, err);
        else if (output)
            rc = error_set(err, ERR_USAGE,
                           "a table goes to the terminal, not to a file: leave -o "
                           "out, or choose html, md, json or csv");
        else
            print_page(ctx, p);
        page_destroy(p);
        free(command);
    }
    dataset_destroy(d);
    free(made);
    return rc;
}

static int report_run(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                      struct error *err)
{
    static const char *latest[] = {"@latest"};
    struct run_ids runs = {0};
    int rc = run_args_select(ctx->store, n_rest ? rest : latest, n_rest ? n_rest : 1, &runs, err);
    if (rc == 0)
        rc = report_runs(ctx, config, &runs, err);
    run_ids_release(&runs);
    return rc;
}

const struct cmd cmd_report = {
    .name = "report",
    .summary = "writes a report of a run: what limits the storage, with charts and all figures",
    .group = "Results",
    .usage = "[RUN...]",
    .description =
        "Writes one self-contained HTML file: the verdict in its first sentence, the charts that "
        "prove it, every cell in a table, and what is needed to make it again. It loads nothing "
        "from anywhere, reads without JavaScript, prints, and follows the light or dark setting "
        "of the system.\n\n"
        "Without RUN it is the latest run. Several runs become one matrix: a folder of imported "
        "files, or a sweep done in parts; the same cell in several of them counts as "
        "repeats.\n\n" RUN_ARGS_HELP,
    .examples = "blkmatrix report\n"
                "    the latest run, into blkmatrix-report-RUN.html\n"
                "blkmatrix report 17 -o disk.html\n"
                "    a run by its id, into a file of that name\n"
                "blkmatrix report --format md\n"
                "    words and tables for a wiki or a merge request\n"
                "blkmatrix report -o cells.csv\n"
                "    the exact figures of every cell\n"
                "blkmatrix report --format table\n"
                "    verdict and table on the terminal",
    .opts = report_opts,
    .config_size = sizeof(struct report_config),
    .needs = NEED_STORE_READ,
    .has_html = true,
    .run = report_run,
};
