#include "store/import/packed.h"

#include <archive.h>
#include <archive_entry.h>
#include <inttypes.h>

#include "core/base/strbuf.h"
#include "core/base/xalloc.h"
#include "store/import/gzip_check.h"

enum { PIECE_BYTES = 1 << 16 };

/* Of the outermost archive, used up by all within it. */
struct budget {
    size_t most, bytes; /* may be unpacked in all, and still */
    size_t entries;
    size_t early; /* may be kept in memory until their archive was read */
};

/* A file that comes before the others. */
struct early {
    size_t entry; /* its number in the archive */
    char *member;
    struct strbuf bytes;
};

struct reader {
    const struct packed_visitor *visitor;
    struct budget *budget;
    const char *path, *name;
    const char *bytes;
    size_t n;
    unsigned depth; /* 1: the outermost */
    struct archive *archive;
    int64_t at;    /* packed bytes that were used, as far as was known last */
    size_t others; /* entries that are no regular files */
    size_t entry;  /* number of the current one, from 1 */
    struct early *early;
    size_t n_early, room_early, early_passed;
};

static bool begins(const char *bytes, size_t n, size_t at, const char *mark, size_t len)
{
    return n >= at + len && memcmp(bytes + at, mark, len) == 0;
}

static bool bzip2_is(const char *bytes, size_t n)
{
    return begins(bytes, n, 0, "BZh", 3) && begins(bytes, n, 4, "1AY&SY", 6);
}

bool packed_is(const char *bytes, size_t n)
{
    return gzip_is(bytes, n) || bzip2_is(bytes, n) || begins(bytes, n, 0, "\xfd\x37zXZ\0", 6) ||
           begins(bytes, n, 0, "\x28\xb5\x2f\xfd", 4) || begins(bytes, n, 0, "PK\3\4", 4) ||
           begins(bytes, n, 257, "ustar", 5);
}

/* Only what results come in: every further format would be one more thing to attack. */
static int support(struct archive *a)
{
    static int (*const what[])(struct archive *) = {
        archive_read_support_filter_gzip, archive_read_support_filter_bzip2,
        archive_read_support_filter_xz,   archive_read_support_filter_zstd,
        archive_read_support_format_tar,  archive_read_support_format_zip,
        archive_read_support_format_raw,  archive_read_support_format_empty,
    };
    int rc = ARCHIVE_OK;
    for (size_t i = 0; i < sizeof what / sizeof *what && rc == ARCHIVE_OK; i++)
        rc = what[i](a); /* a warning: it would run an external program */
    return rc;
}

/* A broken stream has no place any more. */
static void note_place(struct reader *r)
{
    int64_t at = archive_filter_bytes(r->archive, -1);
    r->at = at > r->at ? at : r->at;
}

/* What libarchive says, with the place. */
static int broken(struct reader *r, struct error *err)
{
    const char *why = archive_error_string(r->archive);
    note_place(r);
    return error_set(err, ERR_INPUT, "%s: about byte %" PRId64 ": %s", r->path, r->at,
                     why ? why : "broken");
}

static int open_archive(struct reader *r, struct error *err)
{
    r->entry = 0;
    r->archive = archive_read_new();
    if (!r->archive)
        return error_set(err, ERR_INPUT, "%s: out of memory", r->path);
    if (support(r->archive) != ARCHIVE_OK ||
        archive_read_open_memory(r->archive, r->bytes, r->n) != ARCHIVE_OK)
        return broken(r, err);
    return 0;
}

static void close_archive(struct reader *r)
{
    archive_read_free(r->archive);
    r->archive = NULL;
}

/* 1: there is one; 0: the end. */
static int next_entry(struct reader *r, struct archive_entry **entry, struct error *err)
{
    int rc = archive_read_next_header(r->archive, entry);
    if (rc == ARCHIVE_EOF)
        return 0;
    if (rc < ARCHIVE_WARN || archive_entry_is_encrypted(*entry))
        return rc < ARCHIVE_WARN ? broken(r, err)
                                 : error_set(err, ERR_INPUT, "%s: it is encrypted", r->path);
    if (archive_filter_count(r->archive) > 2) /* each filter, and the bytes themselves */
        return error_set(err, ERR_INPUT, "%s: it is compressed more than once", r->path);
    r->entry++;
    return 1;
}

static const char *member_name(struct archive_entry *entry)
{
    const char *member = archive_entry_pathname(entry);
    member = member ? member : archive_entry_pathname_utf8(entry);
    member = member ? member : "(name that cannot be read)";
    while (strncmp(member, "./", 2) == 0)
        member += 2;
    return member;
}

static bool is_hidden(const char *name)
{
    for (const char *p = name; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (p[0] == '.' && p[1] && p[1] != '/' && !(p[1] == '.' && (!p[2] || p[2] == '/')))
            return true;
    }
    return false;
}

static bool is_file(struct archive_entry *entry)
{
    return archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry) &&
           strlen(member_name(entry)) <= PACKED_NAME_MAX;
}

/* Where the data of the current entry is kept until the archive was read; NULL: it is not. */
static struct early *start_early(struct reader *r, struct archive_entry *entry)
{
    const char *member = member_name(entry);
    if (!r->visitor->first || archive_format(r->archive) == ARCHIVE_FORMAT_RAW ||
        is_hidden(member) || !is_file(entry) || !r->visitor->first(r->visitor->self, member))
        return NULL;
    GROW(r->early, r->n_early + 1, r->room_early);
    struct early *e = &r->early[r->n_early++];
    *e = (struct early){r->entry, xstrdup(member), STRBUF_INIT};
    return e;
}

static void release_early(struct early *e)
{
    free(e->member);
    strbuf_release(&e->bytes);
}

/* Keeps a piece; false when all that is kept would be too much: then the file is not. */
static bool add_early(struct reader *r, struct early *e, const char *piece, size_t n)
{
    if (n <= r->budget->early) {
        r->budget->early -= n;
        strbuf_add(&e->bytes, piece, n);
        return true;
    }
    r->budget->early += e->bytes.len;
    release_early(e);
    r->n_early--;
    return false;
}

/* Reads the data of an entry to its end, whatever its header says about the size. */
static int check_data(struct reader *r, struct early *e, char *piece, struct error *err)
{
    la_ssize_t got;
    while ((got = archive_read_data(r->archive, piece, PIECE_BYTES)) > 0) {
        if ((size_t)got > r->budget->bytes)
            return error_set(err, ERR_INPUT,
                             "%s: unpacks to more than %zu MiB\nUnpack it yourself, and import the "
                             "folder.",
                             r->path, r->budget->most >> 20);
        r->budget->bytes -= (size_t)got;
        note_place(r);
        if (e && !add_early(r, e, piece, (size_t)got))
            e = NULL;
    }
    return got < 0 ? broken(r, err) : 0;
}

static int check_entries(struct reader *r, struct error *err)
{
    struct archive_entry *entry;
    char *piece = xmalloc(PIECE_BYTES);
    int rc;
    while ((rc = next_entry(r, &entry, err)) > 0) {
        if (r->budget->entries == 0)
            rc = error_set(err, ERR_INPUT, "%s: has more than %d entries", r->path,
                           PACKED_ENTRIES_MAX);
        else
            rc = check_data(r, start_early(r, entry), piece, err);
        if (rc < 0)
            break;
        r->budget->entries--;
    }
    free(piece);
    return rc;
}

/* The whole archive, so that nothing is taken from one that proves to be broken at its end. */
static int check_archive(struct reader *r, struct error *err)
{
    if (r->depth > PACKED_DEPTH_MAX)
        return error_set(err, ERR_INPUT, "%s: archives are nested more than %d deep", r->path,
                         PACKED_DEPTH_MAX);
    int rc = 0;
    if (gzip_is(r->bytes, r->n))
        rc = gzip_check(r->path, r->bytes, r->n, r->budget->most, err);
    if (rc == 0)
        rc = open_archive(r, err);
    if (rc == 0)
        rc = check_entries(r, err);
    close_archive(r);
    return rc;
}

char *packed_name(const char *name)
{
    static const char *const suffixes[] = {".gz", ".bz2", ".xz", ".zst"};
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t len = strlen(suffixes[i]);
        if (n > len && strcasecmp(name + n - len, suffixes[i]) == 0)
            return xstrndup(name, n - len);
    }
    return xstrdup(name);
}

static int read_level(struct reader *r, struct error *err);

/* A file, or one more archive. */
static int hand_out(const struct reader *r, const struct packed_file *file, struct error *err)
{
    if (!packed_is(file->bytes, file->n))
        return r->visitor->file(r->visitor->self, file, err);
    struct reader inner = {.visitor = r->visitor,
                           .budget = r->budget,
                           .path = file->path,
                           .name = file->name,
                           .bytes = file->bytes,
                           .n = file->n,
                           .depth = r->depth + 1};
    return read_level(&inner, err);
}

static int read_bytes(struct reader *r, struct strbuf *out, struct error *err)
{
    la_ssize_t got;
    strbuf_reset(out);
    do {
        got = archive_read_data(r->archive, strbuf_reserve(out, PIECE_BYTES), PIECE_BYTES);
        strbuf_advance(out, got > 0 ? (size_t)got : 0);
    } while (got > 0);
    return got < 0 ? broken(r, err) : 0;
}

static int take_file(struct reader *r, const char *member, const struct strbuf *bytes, bool early,
                     struct error *err)
{
    bool alone = !early && archive_format(r->archive) == ARCHIVE_FORMAT_RAW;
    char *path = alone ? xstrdup(r->path) : xasprintf("%s!%s", r->path, member);
    char *name = alone ? packed_name(r->name) : xasprintf("%s/%s", r->name, member);
    const struct packed_file file = {path, name, bytes->text, bytes->len, early};
    int rc = hand_out(r, &file, err);
    free(path);
    free(name);
    return rc;
}

/* They are in the order of the archive, too. */
static bool was_early(struct reader *r)
{
    bool was = r->early_passed < r->n_early && r->early[r->early_passed].entry == r->entry;
    r->early_passed += was;
    return was;
}

static int take_entry(struct reader *r, struct archive_entry *entry, struct strbuf *out,
                      struct error *err)
{
    const char *member = member_name(entry);
    if (archive_entry_filetype(entry) == AE_IFDIR || is_hidden(member) || was_early(r))
        return 0;
    if (!is_file(entry)) {
        r->others++;
        return 0;
    }
    int rc = read_bytes(r, out, err);
    return rc < 0 ? rc : take_file(r, member, out, false, err);
}

/* Those that are kept in memory. */
static int take_early(struct reader *r, struct error *err)
{
    int rc = 0;
    for (size_t i = 0; i < r->n_early; i++) {
        struct early *e = &r->early[i];
        if (rc == 0)
            rc = take_file(r, e->member, &e->bytes, true, err);
        strbuf_release(&e->bytes);
    }
    return rc;
}

static int take_entries(struct reader *r, struct error *err)
{
    struct archive_entry *entry;
    struct strbuf out = STRBUF_INIT;
    int rc = open_archive(r, err);
    while (rc == 0 && (rc = next_entry(r, &entry, err)) > 0)
        rc = take_entry(r, entry, &out, err);
    close_archive(r);
    strbuf_release(&out);
    return rc;
}

static int read_archive(struct reader *r, struct error *err)
{
    struct error own = ERROR_INIT;
    if (check_archive(r, &own) < 0) {
        r->visitor->failed(r->visitor->self, r->path, &own);
        return 0;
    }
    int rc = take_early(r, err);
    return rc < 0 ? rc : take_entries(r, err);
}

static int read_level(struct reader *r, struct error *err)
{
    int rc = read_archive(r, err);
    for (size_t i = 0; i < r->n_early; i++)
        release_early(&r->early[i]);
    free(r->early);
    if (rc == 0 && r->others > 0) {
        char *reason = xasprintf("%zu link%s, device%s or the like in it left out", r->others,
                                 r->others == 1 ? "" : "s", r->others == 1 ? "" : "s");
        r->visitor->skipped(r->visitor->self, r->path, reason);
        free(reason);
    }
    return rc;
}

int packed_read(const char *path, const char *bytes, size_t n, const struct packed_visitor *visitor,
                struct error *err)
{
    size_t most = n > PACKED_BYTES_MAX / PACKED_RATIO_MAX ? PACKED_BYTES_MAX : n * PACKED_RATIO_MAX;
    most = most < PACKED_BYTES_MIN ? PACKED_BYTES_MIN : most;
    struct budget budget = {most, most, PACKED_ENTRIES_MAX, visitor->first_max};
    struct reader r = {.visitor = visitor,
                       .budget = &budget,
                       .path = path,
                       .name = path,
                       .bytes = bytes,
                       .n = n,
                       .depth = 1};
    return read_level(&r, err);
}
