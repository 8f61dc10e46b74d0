/*
 * The options of one job as its result file lists them: global ones first, the job's own over them.
 * fio lists what was typed, under canonical names, without its defaults; bare flags ("stonewall")
 * are missing up to 3.38 and "" from 3.39, so an option that is not there proves nothing for flags.
 */
#ifndef STORE_IMPORT_FIO_OPTIONS_H
#define STORE_IMPORT_FIO_OPTIONS_H

#include "core/base/strbuf.h"
#include "store/import/json_reader.h"

struct fio_option {
    char *name;
    char *value;
    bool global;
    json_id at; /* its value in the document; 0: from elsewhere */
};

struct fio_options {
    struct fio_option *option;
    size_t n, room;
    bool stated; /* the file lists options at all (fio 2.3 and later) */
    bool differ; /* a global option came several times with different values (several hosts) */
};

void fio_options_release(struct fio_options *o);

/* Adds one as it was typed; the canonical names are fio's own (bs, not blocksize). All is copied. */
void fio_options_add(struct fio_options *o, const char *name, const char *value, bool global);

/*
 * Reads the options of an entry of a document. With several hosts "global options" may be an array
 * with one object a host: the one with the entry's hostname and port counts.
 */
void fio_options_read(struct fio_options *o, const struct json_doc *d, json_id root, json_id entry);

/* The value typed for an option, NULL when it is not listed. */
const char *fio_option(const struct fio_options *o, const char *name);
/* Where its value stands in the document that was read; 0: nowhere. */
json_id fio_option_at(const struct fio_options *o, const char *name);
/* True for "" (a bare flag) and numbers other than 0. */
bool fio_option_is_set(const struct fio_options *o, const char *name);
/* Keeps the global options only: when the others are not those of all jobs of the entry. */
void fio_options_keep_global(struct fio_options *o);
/* kb_base of the job: 1024 unless it was set to 1000. */
unsigned fio_options_kb_base(const struct fio_options *o);

/* Appends all of them as a JSON object, name to text. */
void fio_options_json(struct strbuf *out, const struct fio_options *o);

#endif
