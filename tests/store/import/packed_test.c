/* Archives: what is handed out, under which names, and that a broken or boundless one gives nothing. */
#include <criterion/criterion.h>

#include <archive.h>
#include <archive_entry.h>

#include "core/base/strbuf.h"
#include "core/base/xalloc.h"
#include "store/import/packed.h"

struct seen {
    struct strbuf files; /* "path|name|bytes\n" */
    struct strbuf failed, skipped;
    size_t n, bytes;
    int answer; /* of file() */
};

static int on_file(void *self, const struct packed_file *f, struct error *err)
{
    struct seen *s = self;
    cr_assert_eq(f->bytes[f->n], '\0');
    s->n++;
    s->bytes += f->n;
    strbuf_addf(&s->files, "%s|%s|%.20s%s\n", f->path, f->name, f->bytes, f->early ? " first" : "");
    return s->answer ? error_set(err, ERR_STORE, "the store is full") : 0;
}

static void on_failed(void *self, const char *path, const struct error *why)
{
    struct seen *s = self;
    cr_assert_eq(why->code, ERR_INPUT);
    strbuf_addf(&s->failed, "%s: %s\n", path, why->message);
}

static void on_skipped(void *self, const char *path, const char *reason)
{
    struct seen *s = self;
    strbuf_addf(&s->skipped, "%s: %s\n", path, reason);
}

static struct seen look(const char *path, const struct strbuf *bytes)
{
    struct seen s = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, 0, 0, 0};
    const struct packed_visitor v = {
        .self = &s, .file = on_file, .failed = on_failed, .skipped = on_skipped};
    struct error err = ERROR_INIT;
    cr_assert(packed_is(bytes->text, bytes->len));
    cr_assert_eq(packed_read(path, bytes->text, bytes->len, &v, &err), 0, "%s", err.message);
    return s;
}

static void forget(struct seen *s)
{
    strbuf_release(&s->files);
    strbuf_release(&s->failed);
    strbuf_release(&s->skipped);
}

static la_ssize_t to_buffer(struct archive *a, void *out, const void *bytes, size_t n)
{
    (void)a;
    strbuf_add(out, bytes, n);
    return (la_ssize_t)n;
}

static struct archive *writer(struct strbuf *out, const char *format, const char *filter)
{
    struct archive *a = archive_write_new();
    cr_assert_eq(archive_write_set_format_by_name(a, format), ARCHIVE_OK);
    if (filter)
        cr_assert_eq(archive_write_add_filter_by_name(a, filter), ARCHIVE_OK);
    archive_write_set_bytes_per_block(a, 0);
    cr_assert_eq(archive_write_open(a, out, NULL, to_buffer, NULL), ARCHIVE_OK);
    return a;
}

static void add(struct archive *a, const char *name, unsigned type, const char *text, size_t n)
{
    struct archive_entry *e = archive_entry_new();
    archive_entry_set_pathname(e, name);
    archive_entry_set_filetype(e, type);
    archive_entry_set_perm(e, 0644);
    archive_entry_set_size(e, type == AE_IFREG ? (la_int64_t)n : 0);
    if (type == AE_IFLNK)
        archive_entry_set_symlink(e, "/etc/passwd");
    cr_assert_geq(archive_write_header(a, e), ARCHIVE_WARN, "%s", archive_error_string(a));
    if (type == AE_IFREG && n > 0)
        cr_assert_eq(archive_write_data(a, text, n), (la_ssize_t)n);
    archive_entry_free(e);
}

static void finish(struct archive *a)
{
    cr_assert_eq(archive_write_close(a), ARCHIVE_OK);
    archive_write_free(a);
}

static struct strbuf two_files(const char *format, const char *filter)
{
    struct strbuf out = STRBUF_INIT;
    struct archive *a = writer(&out, format, filter);
    add(a, "dir/a.json", AE_IFREG, "{\"a\":1}", 7);
    add(a, "b.json", AE_IFREG, "{\"b\":2}", 7);
    finish(a);
    return out;
}

Test(packed, tar_and_zip)
{
    static const struct {
        const char *path, *format, *filter;
    } row[] = {{"x.tar", "pax", NULL},       {"x.tar", "gnutar", NULL}, {"x.tgz", "pax", "gzip"},
               {"x.tar.zst", "pax", "zstd"}, {"x.txz", "pax", "xz"},    {"x.tbz", "pax", "bzip2"},
               {"x.zip", "zip", NULL}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct strbuf bytes = two_files(row[i].format, row[i].filter);
        struct seen s = look(row[i].path, &bytes);
        char *expected = xasprintf("%s!dir/a.json|%s/dir/a.json|{\"a\":1}\n"
                                   "%s!b.json|%s/b.json|{\"b\":2}\n",
                                   row[i].path, row[i].path, row[i].path, row[i].path);
        cr_expect_str_eq(s.files.text, expected);
        cr_expect_str_eq(s.failed.text, "");
        free(expected);
        forget(&s);
        strbuf_release(&bytes);
    }
}

Test(packed, one_compressed_file)
{
    static const char *const filter[] = {"gzip", "bzip2", "xz", "zstd"};
    static const char *const suffix[] = {"gz", "bz2", "xz", "zst"};
    for (size_t i = 0; i < 4; i++) {
        struct strbuf out = STRBUF_INIT;
        struct archive *a = writer(&out, "raw", filter[i]);
        add(a, "ignored", AE_IFREG, "{\"a\":1}", 7);
        finish(a);
        char *path = xasprintf("in/a.json.%s", suffix[i]);
        struct seen s = look(path, &out);
        char *expected = xasprintf("%s|in/a.json|{\"a\":1}\n", path);
        cr_expect_str_eq(s.files.text, expected, "%s%s", s.files.text, s.failed.text);
        free(expected);
        free(path);
        forget(&s);
        strbuf_release(&out);
    }
}

Test(packed, only_regular_files_and_names_are_only_labels)
{
    struct strbuf out = STRBUF_INIT;
    struct archive *a = writer(&out, "pax", NULL);
    add(a, "./dir/", AE_IFDIR, NULL, 0);
    add(a, "../../etc/passwd", AE_IFREG, "up", 2);
    add(a, "/etc/shadow", AE_IFREG, "root", 4);
    add(a, "./dir/./a", AE_IFREG, "dot", 3);
    add(a, "link", AE_IFLNK, NULL, 0);
    add(a, "fifo", AE_IFIFO, NULL, 0);
    add(a, "disk", AE_IFBLK, NULL, 0);
    add(a, "dir/.git/config", AE_IFREG, "no", 2);
    add(a, "._a.json", AE_IFREG, "no", 2);
    finish(a);
    struct seen s = look("x.tar", &out);
    cr_expect_str_eq(s.files.text, "x.tar!../../etc/passwd|x.tar/../../etc/passwd|up\n"
                                   "x.tar!/etc/shadow|x.tar//etc/shadow|root\n"
                                   "x.tar!dir/./a|x.tar/dir/./a|dot\n");
    cr_expect_str_eq(s.skipped.text, "x.tar: 3 links, devices or the like in it left out\n");
    forget(&s);
    strbuf_release(&out);
}

static struct strbuf nest(const struct strbuf *inner, unsigned level)
{
    struct strbuf out = STRBUF_INIT;
    struct archive *a = writer(&out, "pax", "gzip");
    char *name = xasprintf("n%u.tgz", level);
    add(a, name, AE_IFREG, inner->text, inner->len);
    finish(a);
    free(name);
    return out;
}

Test(packed, nesting_has_an_end)
{
    struct strbuf bytes = two_files("pax", "gzip");
    for (unsigned level = 1; level <= 3; level++) {
        struct strbuf outer = nest(&bytes, level);
        strbuf_release(&bytes);
        bytes = outer;
        struct seen s = look("x.tgz", &bytes);
        cr_expect_eq(s.n, level < 3 ? 2 : 0, "%u: %s%s", level, s.files.text, s.failed.text);
        cr_expect_eq(level < 3, s.failed.len == 0);
        if (level == 2)
            cr_expect(
                strstr(s.files.text, "x.tgz!n2.tgz!n1.tgz!dir/a.json|x.tgz/n2.tgz/n1.tgz/dir"));
        forget(&s);
    }
    strbuf_release(&bytes);
}

/* However an archive is cut or damaged: all of it, or nothing and the reason. */
Test(packed, broken_archives_give_nothing, .timeout = 600)
{
    static const struct {
        const char *format, *filter;
    } row[] = {{"pax", "gzip"}, {"pax", "zstd"}, {"pax", "xz"}, {"pax", "bzip2"}, {"zip", NULL}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct strbuf bytes = two_files(row[i].format, row[i].filter);
        for (size_t n = 12; n + 1 < bytes.len; n += 7) {
            struct strbuf cut = STRBUF_INIT;
            strbuf_add(&cut, bytes.text, n);
            struct seen s = look("x", &cut);
            cr_expect(s.n == 0 || s.n == 2, "%s %zu: %zu files", row[i].format, n, s.n);
            cr_expect(s.n == 2 || s.failed.len > 0, "%s %zu: nothing is said", row[i].format, n);
            forget(&s);
            strbuf_release(&cut);
        }
        strbuf_release(&bytes);
    }
}

Test(packed, checksum_of_gzip)
{
    struct strbuf bytes = two_files("pax", "gzip");
    bytes.text[bytes.len - 6] ^= 1; /* CRC32 */
    struct seen s = look("x.tgz", &bytes);
    cr_expect_eq(s.n, 0);
    cr_expect(strstr(s.failed.text, "x.tgz: byte "), "%s", s.failed.text);
    cr_expect(strstr(s.failed.text, "incorrect data check"), "%s", s.failed.text);
    forget(&s);
    strbuf_release(&bytes);
}

Test(packed, bombs, .timeout = 600)
{
    static const char *const filter[] = {"gzip", "zstd", "xz", "bzip2"};
    const size_t n = (size_t)100 << 20;
    char *zeros = xcalloc(1, n);
    for (size_t i = 0; i < 4; i++) {
        struct strbuf out = STRBUF_INIT;
        struct archive *a = writer(&out, "pax", filter[i]);
        add(a, "small.json", AE_IFREG, "{}", 2);
        add(a, "zeros", AE_IFREG, zeros, n);
        finish(a);
        struct seen s = look("bomb", &out);
        cr_expect_eq(s.n, 0, "%s", filter[i]);
        cr_expect(strstr(s.failed.text, "unpacks to more than"), "%s", s.failed.text);
        forget(&s);
        strbuf_release(&out);
    }
    free(zeros);
}

Test(packed, many_small_bombs_share_one_limit, .timeout = 600)
{
    const size_t n = (size_t)20 << 20;
    char *zeros = xcalloc(1, n);
    struct strbuf one = STRBUF_INIT, out = STRBUF_INIT;
    struct archive *a = writer(&one, "pax", "zstd");
    add(a, "zeros", AE_IFREG, zeros, n);
    finish(a);
    a = writer(&out, "pax", NULL);
    for (int i = 0; i < 50; i++) {
        char *name = xasprintf("%d.tar.zst", i);
        add(a, name, AE_IFREG, one.text, one.len);
        free(name);
    }
    finish(a);
    struct seen s = look("x.tar", &out);
    cr_expect_leq(s.bytes, PACKED_BYTES_MIN);
    cr_expect_gt(s.n, 0);
    cr_expect(strstr(s.failed.text, "x.tar!49.tar.zst: "), "%s", s.failed.text);
    forget(&s);
    strbuf_release(&one);
    strbuf_release(&out);
    free(zeros);
}

Test(packed, entries_are_counted, .timeout = 600)
{
    struct strbuf out = STRBUF_INIT;
    struct archive *a = writer(&out, "ustar", "gzip");
    for (int i = 0; i <= PACKED_ENTRIES_MAX; i++)
        add(a, "empty", AE_IFREG, NULL, 0);
    finish(a);
    struct seen s = look("x.tgz", &out);
    cr_expect_eq(s.n, 0);
    cr_expect(strstr(s.failed.text, "more than 100000 entries"), "%s", s.failed.text);
    forget(&s);
    strbuf_release(&out);
}

Test(packed, an_error_of_the_receiver_ends_it)
{
    struct strbuf bytes = two_files("pax", NULL);
    struct seen s = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, 0, 0, 1};
    const struct packed_visitor v = {
        .self = &s, .file = on_file, .failed = on_failed, .skipped = on_skipped};
    struct error err = ERROR_INIT;
    cr_expect_eq(packed_read("x.tar", bytes.text, bytes.len, &v, &err), -ERR_STORE);
    cr_expect_eq(s.n, 1);
    forget(&s);
    strbuf_release(&bytes);
}

Test(packed, what_is_not_packed)
{
    cr_expect_not(packed_is("", 0));
    cr_expect_not(packed_is("{\"fio version\"", 14));
    cr_expect_not(packed_is("BZh is a name", 13));
    cr_expect_not(packed_is("\x1f\x8b", 2));
}

static bool is_log(void *self, const char *member)
{
    (void)self;
    return strstr(member, ".log") != NULL;
}

static struct seen look_early(const struct strbuf *bytes, size_t most)
{
    struct seen s = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, 0, 0, 0};
    const struct packed_visitor v = {.self = &s,
                                     .file = on_file,
                                     .failed = on_failed,
                                     .skipped = on_skipped,
                                     .first = is_log,
                                     .first_max = most};
    struct error err = ERROR_INIT;
    cr_assert_eq(packed_read("x", bytes->text, bytes->len, &v, &err), 0, "%s", err.message);
    return s;
}

static struct strbuf results_and_logs(const char *format, const char *filter)
{
    struct strbuf out = STRBUF_INIT;
    struct archive *a = writer(&out, format, filter);
    add(a, "d/a.json", AE_IFREG, "{}", 2);
    add(a, "d/a_bw.1.log", AE_IFREG, "12345678", 8);
    add(a, "link.log", AE_IFLNK, "", 0);
    add(a, ".hidden.log", AE_IFREG, "no", 2);
    add(a, "empty.log", AE_IFREG, "", 0);
    add(a, "./d/b.log", AE_IFREG, "1234", 4);
    add(a, "d/c.json", AE_IFREG, "[]", 2);
    finish(a);
    return out;
}

Test(packed, some_files_come_first)
{
    static const char *const formats[][2] = {{"ustar", "gzip"}, {"zip", NULL}, {"pax", "zstd"}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct strbuf bytes = results_and_logs(formats[i][0], formats[i][1]);
        struct seen s = look_early(&bytes, 100);
        cr_expect_str_eq(s.files.text, "x!d/a_bw.1.log|x/d/a_bw.1.log|12345678 first\n"
                                       "x!empty.log|x/empty.log| first\n"
                                       "x!d/b.log|x/d/b.log|1234 first\n"
                                       "x!d/a.json|x/d/a.json|{}\n"
                                       "x!d/c.json|x/d/c.json|[]\n");
        cr_expect_str_eq(s.skipped.text, "x: 1 link, device or the like in it left out\n");
        forget(&s);
        strbuf_release(&bytes);
    }
}

Test(packed, what_is_too_large_comes_in_its_turn)
{
    struct strbuf bytes = results_and_logs("ustar", NULL);
    struct seen s = look_early(&bytes, 7);
    cr_expect_str_eq(s.files.text, "x!empty.log|x/empty.log| first\n"
                                   "x!d/b.log|x/d/b.log|1234 first\n"
                                   "x!d/a.json|x/d/a.json|{}\n"
                                   "x!d/a_bw.1.log|x/d/a_bw.1.log|12345678\n"
                                   "x!d/c.json|x/d/c.json|[]\n");
    forget(&s);
    strbuf_release(&bytes);
}

Test(packed, nothing_comes_first_of_a_broken_one)
{
    struct strbuf bytes = results_and_logs("ustar", "gzip");
    strbuf_truncate(&bytes, bytes.len - 12);
    struct seen s = look_early(&bytes, 100);
    cr_expect_eq(s.n, 0);
    cr_expect(s.failed.len > 0);
    forget(&s);
    strbuf_release(&bytes);
}
