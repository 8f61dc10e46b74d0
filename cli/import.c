/* `blkmatrix import`: results of other tools into the store. */
#include <inttypes.h>
#include <unistd.h>

#include "cli/import_internal.h"
#include "cli/import_job.h"
#include "cli/limit_args.h"
#include "core/base/xalloc.h"
#include "store/import/csv_map.h"

struct import_config {
    struct opt_list label;
    struct limit_args limits;
    const char *label_from;
    const char *format;
    const char *map;
    const char *job;
    bool dry_run;
};

#define AT(member) offsetof(struct import_config, member)

/* clang-format off */
static const struct opt import_opts[] = {
    {.group = "What is imported", .name = "label", .letter = 'l', .type = OPT_LIST, .offset = AT(label),
     .arg = "KEY=VALUE", .help = "label of every imported run; may be given several times"},
    {.name = "label-from", .type = OPT_TEXT, .offset = AT(label_from), .arg = "PATTERN",
     .help = "labels out of the places of files: 'results/{release}/{disk}/' for folders, 'fio-{disk}-*.json' with "
             "the file name"},
    {.name = "as", .type = OPT_TEXT, .offset = AT(format), .arg = "FORMAT",
     .help = "read every file as this format instead of looking at its content; \"help\" lists them"},
    {.name = "map", .type = OPT_TEXT, .offset = AT(map), .arg = "FILE",
     .help = "what the columns of tables are: lines \"COLUMN = TARGET [UNIT]\", see the description"},
    {.name = "job", .type = OPT_TEXT, .offset = AT(job), .arg = "JOBFILE",
     .help = "the job file that fio ran, for results that do not tell their settings, such as the totals of its text "
             "output: pattern, block size, depth, jobs, rates"},
    {.name = "dry-run", .letter = 'n', .type = OPT_FLAG, .offset = AT(dry_run),
     .help = "only say what would be imported"},
    LIMIT_ARGS_ROWS(limits),
    OPT_END,
};
/* clang-format on */

static int list_files(struct import_session *s, struct import_files *files, const char **path,
                      size_t n, struct error *err)
{
    for (size_t i = 0; i < n; i++) {
        struct error own = ERROR_INIT;
        if (import_files_add(files, path[i], &own) == 0)
            continue;
        import_row_fail(import_row_add(s, path[i]), IMPORT_FAILED, &own);
    }
    if (files->n == 0 && s->report.n == 0)
        return error_set(err, ERR_INPUT, "there is no file in %s", path[0]);
    return 0;
}

static int read_label_from(struct import_session *s, const char *text, struct error *err)
{
    if (!text)
        return 0;
    int rc = path_pattern_create(&s->label_from, text, err);
    if (rc < 0)
        return error_prefix(err, ERR_USAGE, "--label-from");
    for (size_t i = 0; i < path_pattern_count(s->label_from); i++) {
        const char *key = path_pattern_key(s->label_from, i);
        if (label_check(key, "", err) < 0)
            return error_prefix(err, ERR_USAGE, "--label-from");
        for (size_t k = 0; k < s->n_labels; k++) {
            if (strcmp(key, s->label[k].key) == 0)
                return error_set(err, ERR_USAGE, "\"%s\" is set by --label and by --label-from",
                                 key);
        }
    }
    return 0;
}

static int read_labels(struct import_session *s, const struct import_config *c, struct error *err)
{
    s->label = xcalloc(c->label.n, sizeof *s->label);
    for (size_t i = 0; i < c->label.n; i++) {
        const char *item = c->label.item[i], *equals = strchr(item, '=');
        if (!equals || equals == item)
            return error_set(err, ERR_USAGE, "--label \"%s\" is not of the form KEY=VALUE", item);
        s->label[s->n_labels++] =
            (struct label){xstrndup(item, (size_t)(equals - item)), xstrdup(equals + 1)};
        const struct label *l = &s->label[s->n_labels - 1];
        for (const struct label *other = s->label; other < l; other++) {
            if (strcmp(other->key, l->key) == 0 && strcmp(other->value, l->value) != 0)
                return error_set(err, ERR_USAGE, "--label: \"%s\" is set to %s and to %s", l->key,
                                 other->value, l->value);
        }
        if (label_check(l->key, l->value, err) < 0)
            return error_prefix(err, ERR_USAGE, "--label");
    }
    return read_label_from(s, c->label_from, err);
}

static void list_formats(void)
{
    for (size_t i = 0; importer_registry[i]; i++)
        printf("%-10s %s\n", importer_registry[i]->name, importer_registry[i]->summary);
}

static int find_format(struct import_session *s, const char *name, struct error *err)
{
    s->as = name ? importer_find(name) : NULL;
    if (!name || s->as)
        return 0;
    struct strbuf names = STRBUF_INIT;
    for (size_t i = 0; importer_registry[i]; i++)
        strbuf_addf(&names, "%s%s", i ? ", " : "", importer_registry[i]->name);
    int rc = error_set(err, ERR_USAGE, "--as: there is no format \"%s\"", name);
    error_hint(err, "There are: %s", names.text);
    strbuf_release(&names);
    return rc;
}

/* A dry run reads a store that is there, to say what is in it already, and makes none. */
static int open_store(struct import_session *s, struct error *err)
{
    if (!s->report.dry_run)
        return store_open(&s->store, s->ctx->db_path, STORE_WRITE, err);
    if (access(s->ctx->db_path, F_OK) != 0)
        return 0;
    return store_open(&s->store, s->ctx->db_path, STORE_READ, err);
}

/* Every line, as the table names one; of very many the first. */
static void print_left_out(const struct import_row *row)
{
    enum { LINES_MAX = 100 };
    const char *line = row->skipped.text;
    size_t n, lines = 0;
    for (; *line; line += n + (line[n] == '\n')) {
        if (lines++ == LINES_MAX) {
            fprintf(stderr, "... of %zu; --format json has them all\n", row->outcome.skipped);
            return;
        }
        struct error clean = ERROR_INIT; /* escapes what is no text */
        n = strcspn(line, "\n");
        const char *text = import_behind_path(line, row->path);
        if (text > line + n) /* a name with a newline */
            text = line;
        error_set(&clean, ERR_INPUT, "left out: %s: %.*s", row->path,
                  (int)(n - (size_t)(text - line)), text);
        fprintf(stderr, "%s\n", clean.message);
    }
}

/* The table first, then what was wrong with each file in full. */
static int print_report(const struct import_session *s, struct error *err)
{
    struct strbuf out = STRBUF_INIT;
    import_report_print(&s->report, s->ctx, &out);
    fputs(out.text, stdout);
    strbuf_release(&out);
    size_t bad = 0;
    for (size_t i = 0; i < s->report.n; i++) {
        const struct import_row *row = &s->report.row[i];
        bad += row->result == IMPORT_FAILED || row->result == IMPORT_PARTLY;
        if (row->skipped.len > 0 && !s->ctx->quiet)
            print_left_out(row);
    }
    if (bad == 0)
        return 0;
    return error_set(err, ERR_INPUT,
                     "%zu of %zu file%s could not be read, or not all of it: the table says why. "
                     "Everything else is in the store.",
                     bad, s->report.n, s->report.n == 1 ? "" : "s");
}

static int read_map(struct import_session *s, const char *path, struct error *err)
{
    int rc = import_bytes_read(&s->map, path, err);
    if (rc < 0)
        return rc;
    rc = csv_map_check(s->map.bytes, err);
    return rc < 0 ? error_prefix(err, ERR_USAGE, "--map %s", path) : 0;
}

static int go(struct import_session *s, const struct import_config *c, const char **path, size_t n,
              struct error *err)
{
    struct import_files files = {0};
    int rc = read_labels(s, c, err);
    if (rc == 0 && c->map)
        rc = read_map(s, c->map, err);
    if (rc == 0 && c->job)
        rc = jobfile_read(&s->job, c->job, NULL, err);
    if (rc == 0)
        rc = list_files(s, &files, path, n, err);
    if (rc == 0 && files.n > 0)
        rc = open_store(s, err);
    if (rc == 0)
        rc = import_all(s, &files, err);
    if (rc == 0)
        rc = print_report(s, err);
    import_files_release(&files);
    return rc;
}

static int import_cmd(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                      struct error *err)
{
    const struct import_config *c = config;
    if (c->format && strcmp(c->format, "help") == 0) {
        list_formats();
        return 0;
    }
    struct import_session s = {.ctx = ctx, .limits = &c->limits, .report.dry_run = c->dry_run};
    int rc = find_format(&s, c->format, err);
    if (rc == 0)
        rc = limit_args_open(&s.catalogue, &c->limits, 0, err);
    if (rc == 0 && n_rest == 0)
        rc = error_set(err, ERR_USAGE, "import: which file or folder? (\"-\" is standard input)");
    if (rc == 0)
        rc = go(&s, c, rest, n_rest, err);
    store_close(s.store);
    limit_catalogue_destroy(s.catalogue);
    import_report_release(&s.report);
    import_bytes_release(&s.map);
    jobfile_destroy(s.job);
    fio_log_set_release(&s.logs);
    for (size_t i = 0; i < s.n_labels; i++) {
        free(s.label[i].key);
        free(s.label[i].value);
    }
    free(s.label);
    path_pattern_destroy(s.label_from);
    return rc;
}

static const struct import_config import_init;

const struct cmd cmd_import = {
    .name = "import",
    .summary = "reads results of fio and other tools into the store",
    .group = "Measure",
    .usage = "PATH...",
    .description =
        "Reads files, all files below folders, or standard input (\"-\"). What a file is, its "
        "content "
        "tells, not its name. Each fio run in a file becomes a run of the store, each job (its "
        "clones "
        "and hosts together) a cell; numbers keep their full precision, and what a file does not "
        "state stays unknown or is marked as assumed.\n"
        "\n"
        "Files may be compressed (gzip, bzip2, xz, zstd) or in archives (tar, zip); their contents "
        "are shown as "
        "ARCHIVE!FILE. A broken archive is not imported at all.\n"
        "\n"
        "fio's logs (NAME_bw.1.log, NAME_clat_hist.1.log ...) become series and histograms of the "
        "jobs "
        "they belong to: a JSON result takes those that its options name, or that are named like "
        "its "
        "jobs, from its own folder. Logs without a result are a cell of their own.\n"
        "\n"
        "Tables (CSV with a heading, or lines like \"bs=1M, iodepth=64, rw=randwrite, iops=63, "
        "bw=67.1 "
        "MB/s\") are understood by their headings. Others need --map FILE, with a line for each "
        "column that "
        "matters: COLUMN = TARGET [UNIT]. TARGET is a setting (bs, rw, iodepth, numjobs, engine "
        "...), a "
        "figure (iops, bw, lat.mean, clat.p99 ..., with \"read.\" or \"write.\" in front where "
        "they are "
        "apart), name, device, runtime, label.KEY or ignore; UNIT is MB/s, MiB/s, us, ms, KiB and "
        "the like. "
        "A '?' behind COLUMN: it may be missing. The line \"decimal = ,\" says that numbers are "
        "written 1.234,5; else the numbers of the table tell, and those that can be read in two "
        "ways are left out. A named "
        "file of no known format is read as a table with the map.\n"
        "\n"
        "A broken file gives what is whole in it, and says by line and byte where it breaks off. "
        "The "
        "same content a second time adds nothing. Either the whole call is stored or, when it is "
        "interrupted, nothing of it.\n",
    .examples =
        "blkmatrix import results/\n"
        "    imports every result below a folder\n"
        "blkmatrix import --label release=6.8 old/*.json\n"
        "    marks the runs, to compare them later: blkmatrix list release=6.8\n"
        "blkmatrix import --label-from 'results/{release}/{disk}/' old.tar.gz\n"
        "    takes labels from the names of folders\n"
        "blkmatrix import --vm Standard_DS2_v2 --disk Premium_LRS,size=64G,cache=ro old.json\n"
        "    says what the storage was allowed to do, for the diagnosis\n"
        "fio --output-format=json+ job.fio | blkmatrix import -\n"
        "    imports what fio prints\n",
    .opts = import_opts,
    .config_size = sizeof(struct import_config),
    .config_init = &import_init,
    .needs = NEED_NOTHING,
    .run = import_cmd,
};
