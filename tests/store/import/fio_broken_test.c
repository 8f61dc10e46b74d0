/* Files that were cut or damaged: no crash, no half job, what is whole is kept. */
#include <criterion/criterion.h>

#include "core/base/xalloc.h"
#include "tests/store/import/import_bytes.h"
#include "tests/support/scratch.h"

#define FOLDER TEST_DATA "/import/fio-json/"

static char *read_file(const char *name, size_t *n)
{
    char *path = xasprintf(FOLDER "%s", name);
    char *bytes = scratch_read(path, n);
    cr_assert(bytes, "%s", path);
    free(path);
    return bytes;
}

/* Imports the first n bytes; the buffer is exactly as long, so that a sanitizer sees a read past it. */
static int import_start(struct collected *c, struct import_outcome *outcome, const char *bytes,
                        size_t n, struct error *err)
{
    char *exact = xmalloc(n + 1);
    memcpy(exact, bytes, n);
    exact[n] = '\0';
    int rc = import_bytes(&importer_fio_json, c, outcome, "cut.json", exact, n, err);
    free(exact);
    return rc;
}

Test(fio_broken, cut_at_every_byte)
{
    size_t n;
    char *bytes = read_file("d02-fio2.2.10-aggr-dupkeys.json", &n);
    struct collected whole = {0};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    cr_assert_eq(import_start(&whole, &outcome, bytes, n, &err), 0, "%s", err.message);
    cr_assert_eq(whole.n_cells, 2);
    size_t last = 0;
    for (size_t cut = 0; cut < n; cut++) {
        struct collected c = {0};
        int rc = import_start(&c, &outcome, bytes, cut, &err);
        cr_assert(c.n_cells >= last && c.n_cells <= 2, "%zu cells at %zu", c.n_cells, cut);
        cr_assert(rc == -ERR_INPUT || cut > n - 3, "byte %zu", cut);
        cr_assert(c.n_runs == (c.n_cells > 0) && c.ends == c.n_runs);
        cr_assert(c.n_runs == 0 || cut > n - 3 || c.run[0]->status == STATUS_PARTIAL);
        for (size_t i = 0; i < c.n_cells; i++) /* whole jobs only, and each as in the whole file */
            cr_assert_eq(c.cell[i]->dir[DIR_READ].ios, whole.cell[i]->dir[DIR_READ].ios);
        last = c.n_cells;
        collect_release(&c);
    }
    cr_expect_eq(last, 2);
    collect_release(&whole);
    free(bytes);
}

Test(fio_broken, says_line_and_byte)
{
    size_t n;
    char *bytes = read_file("l24-truncated.json", &n);
    struct collected c = {0};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    cr_expect_eq(import_start(&c, &outcome, bytes, n, &err), -ERR_INPUT);
    cr_expect(strstr(err.message, "cut.json: line 119 (byte 3000): the text ends inside an object"),
              "%s", err.message);
    cr_assert_eq(c.n_skipped, 1);
    cr_expect(strstr(c.skipped[0], "cut.json: line 119 (byte 3000)"), "%s", c.skipped[0]);
    cr_expect_eq(outcome.skipped, 1);
    collect_release(&c);
    free(bytes);
}

/* Two hosts with five jobs each: wherever the text ends before the last of them, the cell says so. */
Test(fio_broken, jobs_of_hosts_that_are_missing_are_said)
{
    size_t n;
    char *bytes = read_file("d08-fio3.7-client2hosts-eta-prefix.txt", &n);
    size_t sum = (size_t)(strstr(bytes, "\"All clients\"") - bytes);
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    for (size_t percent = 1; percent <= 100; percent++) {
        size_t cut = n * percent / 100, entries = 0;
        struct collected c = {0};
        import_start(&c, &outcome, bytes, cut, &err);
        for (const char *at = bytes; c.n_cells && (at = strstr(at, "\"job options\"")); at++)
            entries += at < bytes + cut;
        if (c.n_cells > 0) {
            const struct cell *cell = c.cell[0];
            cr_expect_eq(cell_has_caveat(cell, "jobs-missing"), cut < sum, "%zu %%", percent);
            if (IS_KNOWN(&cell->key, CELL_KEY, numjobs)) /* the last one begun may not be whole */
                cr_expect(entries - cell->key.numjobs <= 1, "%zu %%", percent);
            else
                cr_expect_leq(entries, 2, "one of five, or the five of one");
        }
        collect_release(&c);
    }
    free(bytes);
}

/* A page that shows the start of a document and, after "...", one more whole job. */
Test(fio_broken, excerpts_give_what_is_whole)
{
    size_t n;
    char *bytes = read_file("d23-fio3.39-stonewall-matrix-sshprefix.json", &n);
    char *second = strstr(strstr(bytes, "\"jobname\"") + 1, "\"jobname\"");
    char *third = strstr(second + 1, "\"jobname\"");
    memcpy(second, "...      ", 9);
    struct collected c = {0};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    cr_expect_eq(import_start(&c, &outcome, bytes, n, &err), -ERR_INPUT);
    cr_expect_eq(c.n_cells, 3); /* the first, third and fourth */
    cr_expect(third && c.n_runs == 1);
    cr_expect_eq(c.run[0]->status, STATUS_PARTIAL);
    collect_release(&c);
    free(bytes);
}

/* Each byte of a small file replaced: any result is fine but a crash or an invalid record. */
Test(fio_broken, damaged_at_every_byte)
{
    size_t n;
    char *bytes = read_file("l19-gtod-reduce.json", &n);
    static const char put[] = {'\0', '"', '}', '-', '9', '\xff'};
    for (size_t i = 0; i < n; i++) {
        char old = bytes[i];
        bytes[i] = put[i % sizeof put];
        struct collected c = {0};
        struct import_outcome outcome;
        struct error err = ERROR_INIT;
        int rc = import_start(&c, &outcome, bytes, n, &err);
        cr_assert(rc == 0 || rc == -ERR_INPUT);
        cr_assert_eq(outcome.cells, c.n_cells);
        collect_release(&c);
        bytes[i] = old;
    }
    free(bytes);
}

Test(fio_broken, utf16_and_crlf)
{
    size_t n;
    char *bytes = read_file("d20-fio3.36-iouring-sectors.json", &n);
    char *wide = xcalloc(n * 4 + 4, 1);
    size_t len = 0;
    wide[len++] = '\xff';
    wide[len++] = '\xfe';
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == '\n') {
            wide[len] = '\r';
            len += 2;
        }
        wide[len] = bytes[i] < 0 ? '?' : bytes[i];
        len += 2;
    }
    struct collected c = {0};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    cr_assert_eq(import_start(&c, &outcome, wide, len, &err), 0, "%s", err.message);
    cr_assert_eq(c.n_cells, 1);
    cr_expect_eq(c.cell[0]->dir[DIR_READ].ios, 241639);
    collect_release(&c);
    free(bytes);
    free(wide);
}

Test(fio_broken, hostile_shapes_are_refused_quickly)
{
    static const char *const pieces[] = {
        "{\"jobs\":[",
        "{\"jobs\":[{\"jobname\":",
        "{\"client_stats\":[{\"jobname\":\"a\",\"read\":{}},",
        "{\"jobs\":[]}",
        "[[[[",
        "{\"fio version\":\"fio-3.1\",\"jobs\":[{\"jobname\":\"\",\"read\":{\"clat_ns\":{"};
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        struct strbuf text = STRBUF_INIT;
        while (text.len < 1000000)
            strbuf_adds(&text, pieces[p]);
        struct collected c = {0};
        struct import_outcome outcome;
        struct error err = ERROR_INIT;
        cr_expect_eq(import_start(&c, &outcome, text.text, text.len, &err), -ERR_INPUT);
        collect_release(&c);
        strbuf_release(&text);
    }
}
