/* `blkmatrix import`: results of other tools into the store. */
#include <inttypes.h>
#include <unistd.h>

#include "cli/import_internal.h"
#include "cli/import_job.h"
#include "cli/limit_args.h"
#include "core/base/sha256.h"
#include "core/base/xalloc.h"
#include "store/import/files.h"
#include "store/import/packed.h"
#include "store/import/path_labels.h"

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

struct session {
    const struct cmd_ctx *ctx;
    const struct importer *as; /* NULL: by content */
    const struct limit_args *limits;
    struct limit_catalogue *catalogue; /* NULL: not needed */
    struct label *label;               /* of every run, then room for those of one path */
    size_t n_labels;
    struct path_pattern *label_from; /* NULL: none */
    struct import_bytes map;         /* empty: none */
    struct jobfile *job;             /* NULL: none */
    struct store *store;             /* NULL: a dry run without a store */
    struct import_report report;
    struct import_bytes bytes;
};

/*
 * Hands everything on to the store (in a dry run to nobody), and keeps what the table will show. A run
 * that is there already, in an export of this very store for instance, is passed over.
 */
struct watch {
    struct import_row *row;
    struct store *store; /* NULL: a dry run without a store */
    struct sink *into;   /* NULL in a dry run */
    bool over;           /* the current run is passed over */
    size_t runs_over, cells_over;
    const struct limit_args *limits;
    const struct limit_catalogue *catalogue;
    const struct jobfile *job; /* NULL: none */
    const struct run *run;     /* the current one */
};

static int watch_begin(void *self, struct run *run, struct error *err)
{
    struct watch *w = self;
    int64_t there = 0;
    int rc = w->store ? store_find_uuid(w->store, run->uuid, &there, err) : 0;
    w->over = there != 0;
    w->runs_over += w->over;
    if (w->over && !w->row->first_run)
        w->row->first_run = w->row->last_run = there;
    if (rc < 0 || w->over)
        return rc;
    w->run = run;
    if (w->job)
        import_job_add_device(w->job, run);
    rc = limit_args_given(w->limits) ? limit_args_apply(w->limits, w->catalogue, run, err) : 0;
    if (rc < 0 || !w->into)
        return rc;
    rc = w->into->begin(w->into->self, run, err);
    if (rc == 0) {
        w->row->first_run = w->row->first_run ? w->row->first_run : run->id;
        w->row->last_run = run->id;
    }
    return rc;
}

static int watch_cell(void *self, struct cell *cell, struct error *err)
{
    struct watch *w = self;
    w->cells_over += w->over;
    if (w->job && !w->over)
        import_job_add_settings(w->job, w->run, cell);
    return w->into && !w->over ? w->into->cell(w->into->self, cell, err) : 0;
}

static void watch_skip(void *self, const char *place, const char *reason)
{
    struct watch *w = self;
    strbuf_addf(&w->row->skipped, "%s: %s\n", place, reason);
}

static int watch_end(void *self, struct run *run, struct error *err)
{
    struct watch *w = self;
    return w->into && !w->over ? w->into->end(w->into->self, run, err) : 0;
}

static void fail_row(struct import_row *row, enum import_result result, const struct error *err)
{
    row->result = result;
    free(row->error);
    row->error = xstrdup(err->message);
}

/* A file, or one out of an archive, whose format is known. */
struct content {
    const struct packed_file *file;
    const struct importer *importer;
    const char *sha256;
    size_t n_labels; /* of the session's, with those of its path */
};

static int read_with(struct session *s, const struct content *c, struct import_row *row,
                     struct error *err)
{
    struct import_source src = {.path = c->file->path,
                                .name = c->file->name,
                                .bytes = c->file->bytes,
                                .n = c->file->n,
                                .sha256 = c->sha256,
                                .label = s->label,
                                .n_labels = c->n_labels,
                                .map = s->map.bytes};
    struct sink into = {0};
    bool dry = s->report.dry_run;
    if (!dry)
        into = store_sink(s->store, SINK_ATOMIC);
    struct watch watch = {.row = row,
                          .store = s->store,
                          .into = dry ? NULL : &into,
                          .limits = s->limits,
                          .catalogue = s->catalogue,
                          .job = s->job};
    struct sink sink = {&watch, watch_begin, watch_cell, watch_skip, watch_end};
    int rc = c->importer->read(&src, &sink, &row->outcome, err);
    bool nothing_new = watch.runs_over > 0 && watch.runs_over == row->outcome.runs;
    row->outcome.runs -= watch.runs_over;
    row->outcome.cells -= watch.cells_over;
    if (rc == 0 && nothing_new)
        row->result = IMPORT_PRESENT;
    if (rc == -ERR_INPUT) {
        fail_row(row, row->outcome.runs > 0 ? IMPORT_PARTLY : IMPORT_FAILED, err);
        error_clear(err);
        rc = 0;
    }
    return rc;
}

/* Files of folders that are no results are passed over; one that the user names must be one. */
static void set_unknown(struct import_row *row, bool named)
{
    row->result = named ? IMPORT_FAILED : IMPORT_SKIPPED;
    row->error = xstrdup("no format that can be imported (see: blkmatrix import --as help)");
}

static struct import_row *add_row(struct session *s, const char *path)
{
    GROW(s->report.row, s->report.n + 1, s->report.room);
    struct import_row *row = &s->report.row[s->report.n++];
    *row = (struct import_row){.path = xstrdup(path), .skipped = STRBUF_INIT};
    return row;
}

static int read_labelled(struct session *s, struct content *c, struct import_row *row,
                         struct error *err)
{
    c->n_labels = s->n_labels;
    row->unlabelled =
        s->label_from && !path_pattern_match(s->label_from, c->file->name, s->label + s->n_labels);
    if (s->label_from && !row->unlabelled)
        c->n_labels += path_pattern_count(s->label_from);
    int rc = read_with(s, c, row, err);
    for (size_t i = s->n_labels; i < c->n_labels; i++) {
        free(s->label[i].key);
        free(s->label[i].value);
    }
    return rc;
}

/* Fails only when the store does; what is wrong with the file is in its row. */
static int import_content(struct session *s, const struct packed_file *file, bool named,
                          struct error *err)
{
    struct import_row *row = add_row(s, file->path);
    struct content c = {.file = file,
                        .importer = s->as ? s->as : importer_for(file->bytes, file->n)};
    if (!c.importer) {
        set_unknown(row, named);
        return 0;
    }
    row->outcome.format = c.importer->name;
    char sha256[SHA256_TEXT_MAX];
    c.sha256 = sha256_hex(sha256, file->bytes, file->n);
    int64_t present = 0;
    int rc = s->store ? store_find_source(s->store, sha256, &present, err) : 0;
    if (rc == 0 && present) {
        row->result = IMPORT_PRESENT;
        row->first_run = row->last_run = present;
        return 0;
    }
    return rc < 0 ? rc : read_labelled(s, &c, row, err);
}

struct unpacking {
    struct session *s;
    const struct import_file *from;
};

static int unpacked_file(void *self, const struct packed_file *file, struct error *err)
{
    const struct unpacking *u = self;
    /* one that is only compressed is the file that was named, those of an archive are as in a folder */
    bool named = u->from->named && strcmp(file->path, u->from->path) == 0;
    return import_content(u->s, file, named, err);
}

static void unpacking_failed(void *self, const char *path, const struct error *why)
{
    const struct unpacking *u = self;
    fail_row(add_row(u->s, path), IMPORT_FAILED, why);
}

static void unpacking_skipped(void *self, const char *path, const char *reason)
{
    const struct unpacking *u = self;
    struct import_row *row = add_row(u->s, path);
    row->result = IMPORT_SKIPPED;
    row->error = xstrdup(reason);
}

static int import_packed(struct session *s, const struct import_file *file, struct error *err)
{
    struct unpacking u = {s, file};
    const struct packed_visitor visitor = {&u, unpacked_file, unpacking_failed, unpacking_skipped};
    size_t before = s->report.n;
    int rc = packed_read(file->path, s->bytes.bytes, s->bytes.n, &visitor, err);
    if (rc == 0 && s->report.n == before) {
        unpacking_skipped(&u, file->path, "an archive without files");
        s->report.row[before].result = file->named ? IMPORT_FAILED : IMPORT_SKIPPED;
    }
    return rc;
}

static int import_file(struct session *s, const struct import_file *file, struct error *err)
{
    struct error own = ERROR_INIT;
    if (import_bytes_read(&s->bytes, file->path, &own) < 0) {
        fail_row(add_row(s, file->path), IMPORT_FAILED, &own);
        return 0;
    }
    if (packed_is(s->bytes.bytes, s->bytes.n))
        return import_packed(s, file, err);
    const struct packed_file plain = {file->path, file->path, s->bytes.bytes, s->bytes.n};
    return import_content(s, &plain, file->named, err);
}

static int import_all(struct session *s, const struct import_files *files, struct error *err)
{
    bool group = s->store && !s->report.dry_run;
    int rc = group ? store_group_begin(s->store, err) : 0;
    for (size_t i = 0; i < files->n && rc == 0; i++)
        rc = import_file(s, &files->file[i], err);
    if (group && rc == 0)
        rc = store_group_end(s->store, err);
    return rc; /* otherwise closing the store takes everything back */
}

static int list_files(struct session *s, struct import_files *files, const char **path, size_t n,
                      struct error *err)
{
    for (size_t i = 0; i < n; i++) {
        struct error own = ERROR_INIT;
        if (import_files_add(files, path[i], &own) == 0)
            continue;
        fail_row(add_row(s, path[i]), IMPORT_FAILED, &own);
    }
    if (files->n == 0 && s->report.n == 0)
        return error_set(err, ERR_INPUT, "there is no file in %s", path[0]);
    return 0;
}

static int read_label_from(struct session *s, const char *text, struct error *err)
{
    if (!text)
        return 0;
    int rc = path_pattern_create(&s->label_from, text, err);
    if (rc < 0)
        return error_prefix(err, ERR_USAGE, "--label-from");
    for (size_t i = 0; i < path_pattern_count(s->label_from); i++) {
        const char *key = path_pattern_key(s->label_from, i);
        for (size_t k = 0; k < s->n_labels; k++) {
            if (strcmp(key, s->label[k].key) == 0)
                return error_set(err, ERR_USAGE, "\"%s\" is set by --label and by --label-from",
                                 key);
        }
    }
    return 0;
}

static int read_labels(struct session *s, const struct import_config *c, struct error *err)
{
    size_t most = c->label_from ? strlen(c->label_from) : 0; /* of keys in it */
    s->label = xcalloc(c->label.n + most, sizeof *s->label);
    for (size_t i = 0; i < c->label.n; i++) {
        const char *item = c->label.item[i], *equals = strchr(item, '=');
        if (!equals || equals == item)
            return error_set(err, ERR_USAGE, "--label \"%s\" is not of the form KEY=VALUE", item);
        s->label[s->n_labels++] =
            (struct label){xstrndup(item, (size_t)(equals - item)), xstrdup(equals + 1)};
    }
    return read_label_from(s, c->label_from, err);
}

static void list_formats(void)
{
    for (size_t i = 0; importer_registry[i]; i++)
        printf("%-10s %s\n", importer_registry[i]->name, importer_registry[i]->summary);
}

static int find_format(struct session *s, const char *name, struct error *err)
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
static int open_store(struct session *s, struct error *err)
{
    if (!s->report.dry_run)
        return store_open(&s->store, s->ctx->db_path, STORE_WRITE, err);
    if (access(s->ctx->db_path, F_OK) != 0)
        return 0;
    return store_open(&s->store, s->ctx->db_path, STORE_READ, err);
}

/* The table first, then what was wrong with each file in full. */
static int print_report(const struct session *s, struct error *err)
{
    struct strbuf out = STRBUF_INIT;
    import_report_print(&s->report, s->ctx, &out);
    fputs(out.text, stdout);
    strbuf_release(&out);
    size_t bad = 0;
    for (size_t i = 0; i < s->report.n; i++) {
        const struct import_row *row = &s->report.row[i];
        bad += row->result == IMPORT_FAILED || row->result == IMPORT_PARTLY;
        if (row->skipped.len > 0 && !row->error && !s->ctx->quiet)
            fprintf(stderr, "left out: %s", row->skipped.text);
    }
    if (bad == 0)
        return 0;
    return error_set(err, ERR_INPUT,
                     "%zu of %zu file%s could not be read, or not all of it: the table says why. "
                     "Everything else is in the store.",
                     bad, s->report.n, s->report.n == 1 ? "" : "s");
}

static int go(struct session *s, const struct import_config *c, const char **path, size_t n,
              struct error *err)
{
    struct import_files files = {0};
    int rc = read_labels(s, c, err);
    if (rc == 0 && c->map)
        rc = import_bytes_read(&s->map, c->map, err);
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
    struct session s = {.ctx = ctx, .limits = &c->limits, .report.dry_run = c->dry_run};
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
    import_bytes_release(&s.bytes);
    import_bytes_release(&s.map);
    jobfile_destroy(s.job);
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
    .summary = "Reads results of fio and other tools into the store",
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
        "A '?' behind COLUMN: it may be missing.\n"
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
