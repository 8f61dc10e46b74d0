/*
 * The log files of an import by their names, and which result each belongs to. Results are read first and take the logs
 * of their jobs; what is left becomes cells of their own.
 */
#ifndef STORE_IMPORT_FIO_LOG_SET_H
#define STORE_IMPORT_FIO_LOG_SET_H

#include "core/base/error.h"
#include "store/import/files.h"
#include "store/import/fio_log_read.h"

struct fio_log_entry {
    char *path;
    char *whole;              /* the same as if archives were folders and nothing were compressed */
    const char *plain;        /* that without "./", as far as names are compared */
    struct fio_log_name name; /* of it */
    char *bytes; /* of a file in an archive: n bytes and a NUL; NULL: they are read when needed */
    size_t n;
    bool listed;    /* given to the import, not just found beside a result that mentions it */
    bool named;     /* by the user, not found in a folder */
    bool twin;      /* another one of its name counts, and this one does not */
    bool checked;   /* content was looked at */
    bool is_log;    /* and is one */
    bool is_empty;  /* fio makes one for each kind, also where there is nothing to log */
    size_t section; /* of the sections of the result that takes it */
    char *owner;    /* path of the result that took it; NULL: none yet */
    size_t n_bad;   /* lines that were left out */
    char *problem;  /* the first of them, "line 3: ..."; or why it cannot be read; NULL: none */
};

struct fio_log_set {
    struct fio_log_entry *entry;
    size_t n, room;
    char **folder; /* looked through already */
    size_t n_folders;
    struct import_bytes bytes, unpacked; /* of the file that is read */
};

/* A file that is given to the import; it may be compressed. NULL when it is not named like a log. */
struct fio_log_entry *fio_log_set_add(struct fio_log_set *set, const char *path);
/* The same of a file in an archive, whose bytes are copied; `name` as if archives were folders. */
struct fio_log_entry *fio_log_set_add_bytes(struct fio_log_set *set, const char *path,
                                            const char *name, const char *bytes, size_t n);
/* Forgets the files of archives among the entries from number n on. */
void fio_log_set_cut(struct fio_log_set *set, size_t n);
/* Of files given under one name, compressed or not, or twice: all but the first become twins. */
void fio_log_set_find_twins(struct fio_log_set *set);
/* The entry that counts in place of a twin. */
const struct fio_log_entry *fio_log_set_first(const struct fio_log_set *set,
                                              const struct fio_log_entry *twin);
/* Adds what lies in the folder beside a result ("" is the current one), once. */
void fio_log_set_look(struct fio_log_set *set, const char *folder);
void fio_log_set_release(struct fio_log_set *set);

/*
 * The bytes of a log, unpacked within the limits of packed.h, until the next one is read; false: it cannot be read, its
 * problem says why.
 */
bool fio_log_set_bytes(struct fio_log_set *set, struct fio_log_entry *e, const char **bytes,
                       size_t *n);
/* Content is looked at only once: not everything that is named like a log is one. */
bool fio_log_set_check(struct fio_log_set *set, struct fio_log_entry *e);
/* The entry with the folder, prefix and kind, whatever its job, at or after `from`; set->n: none. */
size_t fio_log_set_find(const struct fio_log_set *set, const char *prefix, enum fio_log_kind kind,
                        size_t from);
/* Reads them as the logs of one cell; notes the lines that are left out with their entries. */
void fio_log_set_read(struct fio_log_set *set, struct fio_log_entry *const *entry, size_t n,
                      size_t only, enum fio_log_unit unit, struct fio_logs *out);

#endif
