/*
 * Finding and reading the files of an import. Nothing is kept open, and a file that changes while it
 * is read does no harm: its bytes are copied.
 */
#ifndef STORE_IMPORT_FILES_H
#define STORE_IMPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

struct import_file {
    char *path;
    bool named; /* given by the user, not found in a folder */
};

struct import_files {
    struct import_file *file;
    size_t n, room;
};

/*
 * Adds a file, "-" (standard input), or all files under a folder in order of their names. In folders
 * hidden names, links to folders and what is no regular file are passed over. ERR_INPUT when the path
 * cannot be read, or folders are nested more than 64 deep.
 */
int import_files_add(struct import_files *files, const char *path, struct error *err);
void import_files_release(struct import_files *files);

/* Bytes of a file that is read now and of those read before: the memory is used again. */
struct import_bytes {
    char *bytes; /* n bytes and a NUL */
    size_t n, room;
};

/*
 * Reads a whole file, or standard input for "-". ERR_INPUT when it cannot be read, and after 3 s when it is a
 * named pipe that nobody writes to.
 */
int import_bytes_read(struct import_bytes *b, const char *path, struct error *err);
/* The same, with the SHA-256 of the bytes (SHA256_TEXT_MAX; NULL: not wanted), of large files made while they are read. */
int import_bytes_hash(struct import_bytes *b, char *sha256, const char *path, struct error *err);
void import_bytes_release(struct import_bytes *b);

#endif
