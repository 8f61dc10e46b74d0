/*
 * Finds the JSON documents that fio wrote in a text that may hold anything else: shell prompts, fio's
 * warnings, progress lines, other JSON, several documents, documents that break off. A document is
 * an object with an array "jobs" or "client_stats", at the top or inside other JSON.
 *
 * Takes time in proportion to the text, whatever it holds: text that was read once in vain is not
 * read again from a later brace.
 */
#ifndef STORE_IMPORT_FIO_SCAN_H
#define STORE_IMPORT_FIO_SCAN_H

#include "store/import/json_reader.h"

/* Lines of text beside the results that are kept, and bytes of each. */
#define FIO_MESSAGES_MAX      64
#define FIO_MESSAGE_BYTES_MAX 400

struct fio_messages {
    char *line[FIO_MESSAGES_MAX];
    size_t n;
    size_t left_out;
};

struct fio_document {
    struct json_doc json;
    json_id root;
    json_id *entry; /* the whole entries of "jobs" or "client_stats", in order */
    size_t n_entries, room;
    bool client;  /* client_stats: several hosts */
    size_t at;    /* offset of its brace in the text */
    bool broken;  /* it does not end as it should */
    size_t fault; /* where, and why */
    const char *why;
    bool results_whole;           /* it breaks off behind its entries, or at fio's sum of them */
    json_id torn;                 /* the entry in which it breaks off; 0: between two */
    struct fio_messages messages; /* lines between the document before and this one */
};

void fio_document_init(struct fio_document *doc, const char *text, size_t n);
void fio_document_release(struct fio_document *doc);

struct fio_scan {
    const char *text;
    size_t n;
    size_t at;      /* scanned up to here */
    size_t plain;   /* text from here to `at` belongs to no document */
    size_t *inside; /* documents found inside other JSON, still to be read, the last first */
    size_t n_inside, room;
};

/* The text must stay until release. */
void fio_scan_init(struct fio_scan *s, const char *text, size_t n);
void fio_scan_release(struct fio_scan *s);
/*
 * Reads the next document into *doc (whatever it held is forgotten). False when there is none; its
 * messages then are the lines after the last document. `before` (may be NULL) is the document read
 * last: when that one broke off, whole entries that stand between it and the next are added to it.
 */
bool fio_scan_next(struct fio_scan *s, struct fio_document *doc, struct fio_document *before);

#endif
