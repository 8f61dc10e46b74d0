/* What came of each file of an import, and how it is printed: for import.c and import_report.c. */
#ifndef CLI_IMPORT_INTERNAL_H
#define CLI_IMPORT_INTERNAL_H

#include "cli/cmd.h"
#include "store/import/importer.h"

enum import_result {
    IMPORT_DONE,    /* all of it */
    IMPORT_PARTLY,  /* what was whole */
    IMPORT_PRESENT, /* its content is in the store already */
    IMPORT_SKIPPED, /* in a folder, and of no format we know */
    IMPORT_FAILED,
    IMPORT_RESULT_COUNT,
};

struct import_row {
    char *path;
    enum import_result result;
    struct import_outcome outcome;
    int64_t first_run, last_run; /* ids; 0 none */
    struct strbuf skipped;       /* "place: reason" lines of what was left out */
    bool unlabelled;             /* its path does not fit --label-from */
    char *error;                 /* NULL: none */
};

struct import_report {
    struct import_row *row;
    size_t n, room;
    bool dry_run;
};

/* Appends the rows in the format of ctx, with a summary for people. */
void import_report_print(const struct import_report *report, const struct cmd_ctx *ctx,
                         struct strbuf *out);
void import_report_release(struct import_report *report);

#endif
