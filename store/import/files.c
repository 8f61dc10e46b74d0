#include "store/import/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xalloc.h"
#include "store/import/hashing.h"

enum { FOLDERS_MAX = 64 };

/* All of an input is in memory: a stream without an end must not fill it. */
#define INPUT_MAX_BYTES ((size_t)4 << 30)

/* What is read, and hashed, at once. */
#define PIECE_BYTES ((size_t)1 << 20)

/* How long somebody may take to open the other end of a named pipe, and how often is looked. */
enum { WRITER_WAIT_MS = 3000, WRITER_POLL_MS = 20 };

static void add_file(struct import_files *files, const char *path, bool named)
{
    GROW(files->file, files->n + 1, files->room);
    files->file[files->n++] = (struct import_file){xstrdup(path), named};
}

static int visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); /* not alphasort: that depends on the locale */
}

static int add_folder(struct import_files *files, const char *path, unsigned depth,
                      struct error *err);

/* An entry of a folder; the kind is asked for only where the directory does not tell it. */
static int add_entry(struct import_files *files, const char *path, unsigned char type,
                     unsigned depth, struct error *err)
{
    struct stat st;
    if (type == DT_UNKNOWN && lstat(path, &st) == 0)
        type = S_ISDIR(st.st_mode) ? DT_DIR : S_ISREG(st.st_mode) ? DT_REG : DT_LNK;
    if (type == DT_LNK && stat(path, &st) == 0 && S_ISREG(st.st_mode))
        type = DT_REG;
    if (type == DT_DIR)
        return add_folder(files, path, depth, err);
    if (type == DT_REG)
        add_file(files, path, false);
    return 0;
}

static int add_folder(struct import_files *files, const char *path, unsigned depth,
                      struct error *err)
{
    struct dirent **entry;
    if (depth == FOLDERS_MAX)
        return error_set(err, ERR_INPUT, "%s: folders are nested more than %d deep", path,
                         FOLDERS_MAX);
    int n = scandir(path, &entry, visible, by_name);
    if (n < 0)
        return error_errno(err, ERR_INPUT, errno, "cannot list the folder %s", path);
    int rc = 0;
    for (int i = 0; i < n; i++) {
        size_t len = strlen(path);
        char *child =
            xasprintf("%s%s%s", path, len > 0 && path[len - 1] == '/' ? "" : "/", entry[i]->d_name);
        if (rc == 0)
            rc = add_entry(files, child, entry[i]->d_type, depth + 1, err);
        free(child);
        free(entry[i]);
    }
    free(entry);
    return rc;
}

static int not_a_file(const char *path, mode_t mode, struct error *err)
{
    return error_set(err, ERR_INPUT, "%s is a %s: results are in files", path,
                     S_ISSOCK(mode) ? "socket" : "device");
}

int import_files_add(struct import_files *files, const char *path, struct error *err)
{
    struct stat st;
    if (strcmp(path, "-") != 0) {
        if (stat(path, &st) != 0)
            return error_errno(err, ERR_INPUT, errno, "cannot read %s", path);
        if (S_ISDIR(st.st_mode))
            return add_folder(files, path, 0, err);
        if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
            return not_a_file(path, st.st_mode, err);
    }
    add_file(files, path, true);
    return 0;
}

void import_files_release(struct import_files *files)
{
    for (size_t i = 0; i < files->n; i++)
        free(files->file[i].path);
    free(files->file);
    *files = (struct import_files){0};
}

/* Room for what was there when it was opened, and for one byte more, to see its end. */
static size_t make_room(struct import_bytes *b, int fd)
{
    struct stat st;
    size_t expected = fstat(fd, &st) == 0 && st.st_size > 0 ? (size_t)st.st_size : 0;
    GROW(b->bytes, expected + 2, b->room);
    return expected;
}

/* In pieces, with the hash one piece behind; h may be NULL. */
static int read_pieces(struct import_bytes *b, int fd, struct hashing *h, const char *path,
                       struct error *err)
{
    for (;;) {
        if (b->n + 1 == b->room) {
            if (h)
                hashing_wait(h);
            GROW(b->bytes, b->room + 1, b->room);
        }
        size_t room = b->room - b->n - 1;
        ssize_t got = read(fd, b->bytes + b->n, room < PIECE_BYTES ? room : PIECE_BYTES);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_errno(err, ERR_INPUT, errno, "cannot read %s", path);
        if (got == 0)
            break;
        b->n += (size_t)got;
        if (h)
            hashing_give(h, b->bytes, b->n);
        if (b->n > INPUT_MAX_BYTES)
            return error_set(err, ERR_INPUT, "%s has more than 4 GiB\nSplit it into several files.",
                             path);
    }
    b->bytes[b->n] = '\0';
    return 0;
}

static int read_all(struct import_bytes *b, int fd, char *sha256, const char *path,
                    struct error *err)
{
    bool large = make_room(b, fd) > PIECE_BYTES;
    struct hashing *h = sha256 && large ? hashing_start() : NULL;
    int rc = read_pieces(b, fd, h, path, err);
    if (h)
        hashing_end(h, sha256);
    else if (sha256)
        sha256_hex(sha256, b->bytes, b->n);
    return rc;
}

/*
 * Opening a named pipe would wait for ever when nobody writes to it. Opened without waiting, a read
 * says "try again" where there is a writer, and "end" where there is none; poll tells an end that a
 * writer left from one that waits for the first.
 */
static int wait_for_writer(struct import_bytes *b, int fd, const char *path, struct error *err)
{
    bool found = false;
    GROW(b->bytes, 2, b->room);
    for (int waited = 0; waited < WRITER_WAIT_MS && !found; waited += WRITER_POLL_MS) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        bool ended = poll(&p, 1, WRITER_POLL_MS) > 0 && (p.revents & POLLIN) == 0;
        ssize_t got = read(fd, b->bytes, 1);
        b->n = got > 0 ? 1 : 0;
        found = got != 0 || ended;
    }
    if (!found) {
        int rc = error_set(err, ERR_INPUT, "%s is a pipe that no program writes to", path);
        error_hint(err, "Start the writer first, or pipe into: blkmatrix import -");
        return rc;
    }
    if (fcntl(fd, F_SETFL, O_RDONLY) != 0)
        return error_errno(err, ERR_INPUT, errno, "cannot read %s", path);
    return 0;
}

int import_bytes_read(struct import_bytes *b, const char *path, struct error *err)
{
    return import_bytes_hash(b, NULL, path, err);
}

int import_bytes_hash(struct import_bytes *b, char *sha256, const char *path, struct error *err)
{
    b->n = 0;
    if (strcmp(path, "-") == 0)
        return read_all(b, STDIN_FILENO, sha256, "the standard input", err);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return error_errno(err, ERR_INPUT, errno, "cannot open %s", path);
    struct stat st;
    int rc = 0;
    if (fstat(fd, &st) != 0)
        rc = error_errno(err, ERR_INPUT, errno, "cannot read %s", path);
    else if (S_ISFIFO(st.st_mode))
        rc = wait_for_writer(b, fd, path, err);
    else if (!S_ISREG(st.st_mode)) /* another one than the one that was looked at */
        rc = not_a_file(path, st.st_mode, err);
    if (rc == 0)
        rc = read_all(b, fd, sha256, path, err);
    close(fd);
    return rc;
}

void import_bytes_release(struct import_bytes *b)
{
    free(b->bytes);
    *b = (struct import_bytes){0};
}
