/*
 * Results that are packed: compressed with gzip, bzip2, xz or zstd, in a tar archive (compressed or not),
 * or in a zip archive; packed again inside those.
 *
 * Nothing is ever written to disk. An archive is first read to its end: one that is broken, or too
 * large, is refused as a whole before any file of it is handed out. That takes the unpacking twice,
 * and no number out of a damaged archive comes into the store.
 */
#ifndef STORE_IMPORT_PACKED_H
#define STORE_IMPORT_PACKED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

/*
 * Limits of one archive, with all that is packed inside it. Results compress to a tenth, and many that
 * are alike to a fiftieth.
 */
#define PACKED_RATIO_MAX   200                /* unpacked to packed bytes, but at least */
#define PACKED_BYTES_MIN   ((size_t)64 << 20) /* that many may be unpacked, and at most */
#define PACKED_BYTES_MAX   ((size_t)4 << 30)
#define PACKED_ENTRIES_MAX 100000
#define PACKED_DEPTH_MAX   3    /* an archive in an archive in an archive */
#define PACKED_NAME_MAX    4096 /* bytes of the name of an entry */

struct packed_file {
    const char *path;  /* "in/a.tar.gz!dir/b.json"; of a file that is only compressed its own */
    const char *name;  /* as if archives were folders: "in/a.tar.gz/dir/b.json", "in/c.json" */
    const char *bytes; /* n bytes and a NUL */
    size_t n;
    bool early; /* handed out before the others of its archive: see first() */
};

struct packed_visitor {
    void *self;
    /* A regular file. Its parts are valid during the call. An error ends the reading. */
    int (*file)(void *self, const struct packed_file *file, struct error *err);
    /* An archive that cannot be read; nothing of it was handed out. */
    void (*failed)(void *self, const char *path, const struct error *why);
    /* Entries that are not looked at: links, devices, too long names. */
    void (*skipped)(void *self, const char *path, const char *reason);
    /*
     * NULL: the order is that of the archive. Otherwise files whose names (without those of archives) it says yes to
     * come first, as long as they have no more than first_max bytes together: they stay in memory until the archive was
     * read to its end.
     */
    bool (*first)(void *self, const char *member);
    size_t first_max;
};

/* By its first bytes. */
bool packed_is(const char *bytes, size_t n);
/* "a.json" for "a.json.gz" and the like, a copy of any other name; free with free(). */
char *packed_name(const char *name);

/*
 * Hands out every file in the packed bytes in the order of the archive (but see first), hidden ones left out. Returns 0,
 * or what file() returned.
 */
int packed_read(const char *path, const char *bytes, size_t n, const struct packed_visitor *visitor,
                struct error *err);

#endif
