/* What the files of `import` share. */
#ifndef CLI_IMPORT_INTERNAL_H
#define CLI_IMPORT_INTERNAL_H

#include "cli/cmd.h"
#include "cli/limit_args.h"
#include "store/import/files.h"
#include "store/import/fio_log.h"
#include "store/import/importer.h"
#include "store/import/path_labels.h"

enum import_result {
    IMPORT_DONE,    /* all of it */
    IMPORT_PARTLY,  /* what was whole */
    IMPORT_PRESENT, /* its content is in the store already */
    IMPORT_SKIPPED, /* in a folder, and of no format we know */
    IMPORT_FAILED,
    IMPORT_RESULT_COUNT,
};

/* Of the doubts of a file: the others are only counted. */
#define IMPORT_DOUBTS_SAID 2

struct import_row {
    char *path;
    enum import_result result;
    struct import_outcome outcome;
    int64_t first_run, last_run; /* ids; 0 none */
    int64_t earlier;             /* newest run of this path with other content; 0 none */
    struct strbuf skipped;       /* "place: reason" lines of what was left out */
    struct strbuf doubts;        /* the first figures that cannot be, or do not fit */
    size_t n_doubts;             /* and how many there are */
    int64_t lacks_logs;          /* a run that was imported before its logs; 0 none */
    bool unlabelled;             /* its path does not fit --label-from */
    char *error;                 /* NULL: none */
};

struct import_report {
    struct import_row *row;
    size_t n, room;
    bool dry_run;
};

struct import_session {
    const struct cmd_ctx *ctx;
    const struct importer *as; /* NULL: by content */
    const struct limit_args *limits;
    struct limit_catalogue *catalogue; /* NULL: not needed */
    struct label *label;               /* of every run */
    size_t n_labels;
    struct path_pattern *label_from; /* NULL: none */
    struct import_bytes map;         /* empty: none */
    struct jobfile *job;             /* NULL: none */
    struct fio_log_set logs;         /* of fio, by their names; for this thread only */
    bool logs_given;                 /* with the files, before results are read */
    bool logs_near;                  /* some lie in the folders of the files */
    struct store *store;             /* NULL: a dry run without a store */
    struct import_report report;
};

/* import_file.c: all files in one transaction. Fails only when the store does: what is wrong with a file is in its row. */
int import_all(struct import_session *s, const struct import_files *files, struct error *err);

/* One file, as import_all does. */
int import_one(struct import_session *s, const struct import_file *file, struct error *err);
/* What is only named like a log. */
int import_log_other(struct import_session *s, const struct fio_log_entry *e, struct error *err);
/* Logs of one cell; sha256 stands for all of them. */
int import_log_entries(struct import_session *s, struct fio_log_entry *const *log, size_t n,
                       const char *sha256, struct import_row *row, struct error *err);

/* import_logs.c: keeps a log for later, when all results have been read; false: it is none by its name. */
bool import_logs_keep(struct import_session *s, const struct import_file *file);
/* By its name. */
bool import_logs_named(const struct import_session *s, const char *name);
/*
 * Of the logs from number `first` on, those that no result took become cells of their own; the others get a row that says
 * whose they are.
 */
int import_logs_rest(struct import_session *s, size_t first, struct error *err);
/* Sets logs_near, before the first result is read. */
void import_logs_look(struct import_session *s, const struct import_files *results);
/* True when a file may be a result with logs beside it. */
bool import_logs_wanted(const struct import_session *s, const char *bytes, size_t n);

/* Text that follows "FILE:", when it begins with that. */
const char *import_behind_path(const char *text, const char *path);

/* A new row; earlier pointers to rows become invalid. */
struct import_row *import_row_add(struct import_session *s, const char *path);
void import_row_fail(struct import_row *row, enum import_result result, const struct error *why);

/* Appends the rows in the format of ctx, with a summary for people. */
void import_report_print(const struct import_report *report, const struct cmd_ctx *ctx,
                         struct strbuf *out);
void import_report_release(struct import_report *report);

#endif
