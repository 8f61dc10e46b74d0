/*
 * fio's normal output. The JSON of the same run says what the text must give; what has no JSON beside it
 * is held to the figures in the text itself.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "tests/store/import/import_bytes.h"
#include "tests/support/scratch.h"

#define FOLDER TEST_DATA "/import/fio-text/"

static void import_file(struct collected *c, const struct importer *importer, const char *name)
{
    size_t n;
    char *path = xasprintf(FOLDER "%s", name), *bytes = scratch_read(path, &n);
    cr_assert(bytes, "%s", path);
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    cr_assert_eq(importer_for(bytes, n), importer, "%s is taken for another format", name);
    *c = (struct collected){0};
    cr_assert_eq(import_bytes(importer, c, &outcome, name, bytes, n, &err), 0, "%s: %s", name,
                 err.message);
    free(bytes);
    free(path);
}

static void import_text(struct collected *c, const char *text)
{
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    *c = (struct collected){0};
    cr_assert_eq(import_bytes(&importer_fio_text, c, &outcome, "in.txt", text, strlen(text), &err),
                 0, "%s", err.message);
}

static void expect_near(const char *where, const char *what, double text, double json, double share)
{
    cr_expect(fabs(text - json) <= share * fabs(json) + 1e-9, "%s: %s is %.9g, JSON has %.9g",
              where, what, text, json);
}

/* Whole units in the text: of min rounded down, of percentiles up. */
static void expect_whole(const char *where, const char *what, uint64_t text, uint64_t json, int up)
{
    uint64_t unit = text % 1000 != 0 ? 1 : text % 1000000 != 0 ? 1000 : 1000000;
    double off = up * ((double)text - (double)json);
    cr_expect(off > -0.002 * (double)json - 1e-9 && off <= (double)unit + 0.002 * (double)json,
              "%s: %s is %lu, JSON has %lu", where, what, text, json);
}

/* Other figures have four digits or more. */
static void expect_lat(const char *where, const struct lat *text, const struct lat *json)
{
    cr_expect_eq(IS_KNOWN(text, LAT_F, mean), IS_KNOWN(json, LAT_F, mean), "%s: latency known",
                 where);
    if (!IS_KNOWN(json, LAT_F, mean) || !IS_KNOWN(text, LAT_F, mean))
        return;
    expect_whole(where, "min", text->min, json->min, -1);
    expect_near(where, "max", (double)text->max, (double)json->max, 0.01);
    expect_near(where, "mean", text->mean, json->mean, 0.01);
    expect_near(where, "stddev", text->stddev, json->stddev, 0.02);
    cr_expect_eq(text->n_reported, json->n_reported, "%s: %zu percentiles", where,
                 text->n_reported);
    for (size_t i = 0; i < text->n_reported && i < json->n_reported; i++) {
        cr_expect_float_eq(text->reported[i].p, json->reported[i].p, 1e-6);
        expect_whole(where, "percentile", text->reported[i].ns, json->reported[i].ns, 1);
    }
}

static void expect_direction(const char *where, const struct direction *text,
                             const struct direction *json)
{
    cr_expect_eq(direction_is_used(text), direction_is_used(json), "%s: used", where);
    if (!direction_is_used(json))
        return;
    cr_expect_eq(text->ios, json->ios, "%s: %lu I/Os, JSON has %lu", where, text->ios, json->ios);
    cr_expect_eq(text->runtime_ns, json->runtime_ns, "%s: runtime", where);
    expect_near(where, "iops", text->iops, json->iops, 1e-5);
    expect_near(where, "bytes", (double)text->bytes, (double)json->bytes, 0.005);
    expect_near(where, "bw", text->bw, json->bw, 0.005);
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        expect_lat(where, &text->lat[k], &json->lat[k]);
}

static void expect_buckets(const char *where, const struct cell *text, const struct cell *json)
{
    cr_assert_eq(text->n_buckets, json->n_buckets, "%s: %zu buckets, JSON has %zu", where,
                 text->n_buckets, json->n_buckets);
    for (size_t i = 0; i < text->n_buckets; i++) {
        cr_expect(text->bucket[i].lo_ns == json->bucket[i].lo_ns &&
                      text->bucket[i].hi_ns == json->bucket[i].hi_ns,
                  "%s: bucket %zu", where, i);
        cr_expect_float_eq(text->bucket[i].share, json->bucket[i].share, 0.00011, "%s: bucket %zu",
                           where, i);
    }
}

static void expect_key(const char *where, const struct cell *text, const struct cell *json)
{
    static const size_t fields[] = {CELL_KEY_rw,      CELL_KEY_bs,      CELL_KEY_bs_write,
                                    CELL_KEY_iodepth, CELL_KEY_numjobs, CELL_KEY_engine};
    if (cell_has_caveat(json, "several-sections")) {
        cr_expect(cell_has_caveat(text, "several-sections"), "%s", where);
        return;
    }
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
        field_format(&a, &cell_key_fields, &text->key, fields[i]);
        field_format(&b, &cell_key_fields, &json->key, fields[i]);
        cr_expect_str_eq(a.text, b.text, "%s: %s is %s, JSON has %s", where,
                         cell_key_fields.field[fields[i]].name, a.text, b.text);
        strbuf_release(&a);
        strbuf_release(&b);
    }
}

static void expect_same_cell(const char *where, const struct cell *text, const struct cell *json)
{
    cr_expect_str_eq(text->name, json->name, "%s", where);
    cr_expect_eq(text->status, json->status, "%s", where);
    cr_expect_eq(text->error_code, json->error_code, "%s", where);
    cr_expect(cell_has_caveat(text, "rounded"), "%s", where);
    expect_key(where, text, json);
    expect_buckets(where, text, json);
    for (int dir = DIR_READ; dir <= DIR_MIXED; dir++)
        expect_direction(where, &text->dir[dir], &json->dir[dir]);
    expect_lat(where, &text->dir[DIR_SYNC].lat[LAT_LAT], &json->dir[DIR_SYNC].lat[LAT_LAT]);
    cr_expect_eq(direction_is_used(&text->dir[DIR_SYNC]), direction_is_used(&json->dir[DIR_SYNC]),
                 "%s: flushes are there in both or none", where);
    cr_expect_eq(text->n_disks, json->n_disks, "%s: disks", where);
    for (size_t i = 0; i < text->n_disks && i < json->n_disks; i++) {
        cr_expect_str_eq(text->disk[i].name, json->disk[i].name);
        cr_expect_eq(text->disk[i].read_ios, json->disk[i].read_ios);
        cr_expect_eq(text->disk[i].write_ns, json->disk[i].write_ns);
    }
}

static const char *const pairs[] = {
    "p01-randrw-libaio",
    "p02-clones",
    "p03-grouped",
    "p04-fsync",
    "p05-unified",
    "p06-trim",
    "p07-two-groups",
    "p08-verify-error",
    "p09-no-latency",
    "p10-lat-percentiles",
    "p11-two-sections-grouped",
    "p12-slow",
    "p13-odd-name",
};

Test(fio_text, gives_what_the_json_of_the_same_run_gives)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct collected text, json;
        char *name = xasprintf("%s.txt", pairs[i]);
        import_file(&text, &importer_fio_text, name);
        free(name);
        name = xasprintf("%s.json", pairs[i]);
        import_file(&json, &importer_fio_json, name);
        free(name);
        cr_assert(text.n_runs == 1 && text.n_cells == json.n_cells, "%s: %zu cells, JSON has %zu",
                  pairs[i], text.n_cells, json.n_cells);
        cr_expect_str_eq(text.run[0]->tool, json.run[0]->tool);
        for (size_t k = 0; k < text.n_cells; k++)
            expect_same_cell(pairs[i], text.cell[k], json.cell[k]);
        collect_release(&text);
        collect_release(&json);
    }
}

static double share_above(const struct cell *c, uint64_t ns)
{
    double sum = 0;
    for (size_t i = 0; i < c->n_buckets; i++)
        sum += c->bucket[i].lo_ns >= ns ? c->bucket[i].share : 0;
    return sum;
}

static void expect_volume(const struct cell *c, double mib, double slower)
{
    cr_expect_float_eq(c->dir[DIR_WRITE].bw / 1048576, mib, 1e-9);
    cr_expect_float_eq(share_above(c, UINT64_C(1000000000)), slower, 1e-9);
    cr_assert_eq(c->n_disks, 1);
    cr_expect_not(IS_KNOWN(&c->dir[DIR_WRITE], DIRECTION, ios));
}

Test(fio_text, run_status_and_latency_tables_alone)
{
    struct collected c;
    import_file(&c, &importer_fio_text, "t01-two-volumes-io2.txt");
    cr_assert(c.n_runs == 1 && c.n_cells == 1);
    expect_volume(c.cell[0], 80.0, 0.06);
    cr_expect_eq(c.cell[0]->dir[DIR_READ].runtime_ns, UINT64_C(5324000000));
    cr_expect_eq(c.cell[0]->disk[0].write_bytes, UINT64_C(4892800) * 512);
    collect_release(&c);
    import_file(&c, &importer_fio_text, "t02-two-volumes-gp2.txt");
    expect_volume(c.cell[0], 60.3, 0.2636);
    collect_release(&c);
}

Test(fio_text, fragments_under_headings_find_each_other)
{
    struct collected c;
    import_file(&c, &importer_fio_text, "t03-two-volumes-article.txt");
    cr_assert(c.n_runs == 2 && c.n_cells == 2);
    cr_expect_str_eq(c.run[0]->name, "nvme1");
    cr_expect_str_eq(c.run[1]->name, "nvme2");
    expect_volume(c.cell[0], 80.0, 0.06);
    expect_volume(c.cell[1], 60.3, 0.2636);
    collect_release(&c);
}

Test(fio_text, public_file_of_fio_3_16)
{
    struct collected c;
    import_file(&c, &importer_fio_text, "d30-normal-text.txt");
    const struct cell *cell = c.cell[0];
    const struct direction *d = &cell->dir[DIR_WRITE];
    uint64_t ns = 0;
    cr_expect(d->ios == 158604 && d->bytes == UINT64_C(158604) * 4096);
    expect_near("d30", "iops", d->iops, 15800, 0.005);
    expect_near("d30", "bw", d->bw, 64900000, 0.005);
    cr_expect(lat_percentile(&d->lat[LAT_CLAT], 99, &ns) && ns == 2040000);
    cr_expect(cell->key.rw == RW_RANDWRITE && cell->key.numjobs == 8 && cell->key.iodepth == 1);
    cr_expect_str_eq(cell->key.engine, "posixaio");
    cr_expect_not(IS_KNOWN(&cell->key, CELL_KEY, direct));
    collect_release(&c);
}

Test(fio_text, fio_2_with_prompt_colours_and_progress)
{
    struct collected c;
    import_file(&c, &importer_fio_text, "o01-fio2.txt");
    cr_assert_eq(c.n_cells, 2);
    const struct cell *a = c.cell[0], *b = c.cell[1];
    const struct direction *d = &a->dir[DIR_READ];
    cr_expect_str_eq(c.run[0]->tool, "fio-2.1.7");
    cr_expect(d->ios == 2621440 && d->bytes == UINT64_C(10737418240));
    expect_near("fio2", "iops", d->iops, 15829, 1e-4);
    expect_near("fio2", "bw", d->bw, 63317 * 1024.0, 1e-4);
    cr_expect(d->lat[LAT_CLAT].max == 18600000 && d->lat[LAT_SLAT].min == 3000);
    cr_expect(a->key.bs == 4096 && a->key.rw == RW_RANDREAD);
    cr_expect(a->bucket[0].lo_ns == 0 && a->bucket[0].hi_ns == 2000);
    cr_expect(b->status == STATUS_PARTIAL && b->error_code == 5);
    cr_expect_str_eq(b->error, "Input/output error");
    cr_expect(b->dir[DIR_READ].lat[LAT_CLAT].max == UINT64_C(1805800000));
    cr_expect_eq(b->dir[DIR_READ].lat[LAT_CLAT].reported[1].ns, UINT64_C(1172000000));
    cr_expect_str_eq(b->key.bs_text, "512-64K/512-64K/512-64K");
    cr_expect_eq(b->dir[DIR_WRITE].bytes, 98304);
    collect_release(&c);
}

#define BLOCK(name, pid, iops)                                                                     \
    name ": (groupid=0, jobs=1): err= 0: pid=" pid ": Mon Nov 30 12:17:22 2026\n"                  \
         "  read: IOPS=" iops ", BW=1024KiB/s (1049kB/s)(1024KiB/1000msec)\n"
#define STATUS                                                                                     \
    "\nRun status group 0 (all jobs):\n   READ: bw=1024KiB/s (1049kB/s), io=1024KiB (1049kB), "    \
    "run=1000-1000msec\n"

Test(fio_text, running_totals_and_runs_that_follow)
{
    struct collected c;
    import_text(&c, "fio-3.33\n" BLOCK("a", "7", "10") STATUS BLOCK("a", "7", "20") STATUS);
    cr_assert(c.n_runs == 1 && c.n_cells == 1);
    cr_expect_eq(c.cell[0]->dir[DIR_READ].iops, 20);
    collect_release(&c);
    import_text(&c, "fio-3.33\n" BLOCK("a", "7", "10") STATUS BLOCK("a", "8", "20") STATUS);
    cr_expect(c.n_runs == 2 && c.n_cells == 2);
    collect_release(&c);
}

#define SETUP(name, rw)                                                                            \
    name ": (g=0): rw=" rw ", bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, "              \
         "ioengine=libaio, iodepth=16\n"

/* The sections of a group ran at the same time: alike they are one load, whatever their names. */
Test(fio_text, sections_of_a_group)
{
    struct collected c;
    import_text(&c, SETUP("a", "randread") SETUP("b", "randread") "fio-3.33\n" BLOCK("a", "7", "10")
                        BLOCK("b", "8", "20") STATUS);
    cr_assert_eq(c.n_cells, 1);
    cr_expect(c.cell[0]->key.numjobs == 2 && cell_has_caveat(c.cell[0], "several-sections"));
    cr_expect_float_eq(c.cell[0]->dir[DIR_READ].bw, 2 * 1048576.0, 1);
    cr_expect_not(cell_has_caveat(c.cell[0], "beside-others"));
    collect_release(&c);
    import_text(&c, SETUP("a", "randread") SETUP("b", "read") "fio-3.33\n" BLOCK("a", "7", "10")
                        BLOCK("b", "8", "20") STATUS);
    cr_assert_eq(c.n_cells, 2);
    cr_expect(cell_has_caveat(c.cell[0], "beside-others") &&
              cell_has_caveat(c.cell[1], "beside-others"));
    collect_release(&c);
}

#define LONG_BLOCK(name, pid)                                                                      \
    name ": (groupid=0, jobs=1): err= 0: pid=" pid ": Mon Nov 30 12:17:22 2026\n"                  \
         "  read: IOPS=10, BW=1024KiB/s (1049kB/s)(2048KiB/2000msec)\n"

/* One of them went on alone: what both did at once is not their sum over the longer time. */
Test(fio_text, sections_of_other_times_have_no_sum)
{
    struct collected c;
    import_text(&c, SETUP("a", "randread") SETUP("b", "randread") "fio-3.33\n" BLOCK("a", "7", "10")
                        LONG_BLOCK("b", "8") STATUS);
    cr_assert_eq(c.n_cells, 2);
    cr_expect(cell_has_caveat(c.cell[0], "beside-others") &&
              cell_has_caveat(c.cell[1], "beside-others"));
    collect_release(&c);
}

/* As in the JSON of such a job: the engine does one I/O at a time. */
Test(fio_text, depth_of_an_engine_that_waits)
{
    struct collected c;
    import_text(
        &c,
        "a: (g=0): rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=psync, iodepth=4\nfio-3.33\n" BLOCK(
            "a", "7", "10") STATUS);
    cr_assert_eq(c.n_cells, 1);
    cr_expect(c.cell[0]->key.iodepth == 1 && cell_has_caveat(c.cell[0], "depth-capped"));
    collect_release(&c);
}

Test(fio_text, quoted_and_prefixed_lines)
{
    struct collected c;
    import_text(
        &c,
        "> fio-3.33\r\n"
        "> a: (groupid=0, jobs=2): err= 0: pid=7: Mon Nov 30 12:17:22 2026\r\n"
        "2026-11-30T12:00:01Z pod-7   write: IOPS=1.2M, BW=4.5GiB/s (4.8GB/s)(4.5GiB/1000msec)\r\n"
        "2026-11-30T12:00:01Z pod-7    clat (nsec): min=10, max=17362k, avg=2880.53, "
        "stdev=64680.49\r\n");
    cr_assert_eq(c.n_cells, 1);
    const struct direction *d = &c.cell[0]->dir[DIR_WRITE];
    cr_expect_str_eq(c.cell[0]->name, "a");
    cr_expect_eq(d->iops, 1200000);
    cr_expect_float_eq(d->bw, 4.5 * 1073741824.0, 1);
    cr_expect_eq(d->lat[LAT_CLAT].max, 17362000);
    collect_release(&c);
}

/* Rounded figures, as there are no counts to make them exact. */
static void expect_same(const struct direction *cut, const struct direction *whole, size_t at)
{
    cr_expect(fabs(cut->iops - whole->iops) <= 0.006 * whole->iops, "IOPS at %zu", at);
    cr_expect(fabs(cut->bw - whole->bw) <= 0.021 * whole->bw, "rate at %zu", at);
    cr_expect_eq(cut->runtime_ns, whole->runtime_ns, "%zu", at);
    for (int k = 0; k < LAT_KIND_COUNT; k++) {
        const struct lat *a = &cut->lat[k], *b = &whole->lat[k];
        cr_expect(!IS_KNOWN(a, LAT_F, max) || a->max == b->max, "max at %zu", at);
        cr_expect(!IS_KNOWN(a, LAT_F, stddev) || a->stddev == b->stddev, "stddev at %zu", at);
        for (size_t i = 0; i < a->n_reported; i++)
            cr_expect_eq(a->reported[i].ns, b->reported[i].ns, "percentile at %zu", at);
    }
}

/* Cut anywhere before the counts of its last block: said, and no figure is made up of half a number. */
static void cut_everywhere(const char *name)
{
    char *path = xasprintf(FOLDER "%s", name);
    size_t n, end = 0;
    char *bytes = scratch_read(path, &n);
    cr_assert(bytes, "%s", path);
    for (const char *at = bytes; (at = strstr(at, "issued rwts")); at++)
        end = (size_t)(strchr(at, '\n') - bytes);
    struct collected whole = {0};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    cr_assert_eq(import_bytes(&importer_fio_text, &whole, &outcome, name, bytes, n, &err), 0, "%s",
                 err.message);
    for (size_t cut = 0; cut < end; cut++) {
        struct collected c = {0};
        char old = bytes[cut];
        bytes[cut] = '\0';
        err = (struct error)ERROR_INIT;
        cr_expect_eq(import_bytes(&importer_fio_text, &c, &outcome, name, bytes, cut, &err),
                     -ERR_INPUT, "%s: %zu", name, cut);
        cr_expect(c.n_runs == 0 || c.run[0]->status == STATUS_PARTIAL);
        for (int dir = DIR_READ; dir <= DIR_TRIM && c.n_cells == 1 && whole.n_cells == 1; dir++) {
            if (c.cell[0]->dir[dir].known)
                expect_same(&c.cell[0]->dir[dir], &whole.cell[0]->dir[dir], cut);
        }
        bytes[cut] = old;
        collect_release(&c);
    }
    collect_release(&whole);
    free(bytes);
    free(path);
}

Test(fio_text, a_text_that_breaks_off_says_so)
{
    cut_everywhere("p01-randrw-libaio.txt");
    cut_everywhere("p07-two-groups.txt");
    cut_everywhere("p11-two-sections-grouped.txt");
}

static void expect_gap(const char *text, const char *why)
{
    struct collected c = {0};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    cr_expect_eq(import_bytes(&importer_fio_text, &c, &outcome, "t.txt", text, strlen(text), &err),
                 why ? -ERR_INPUT : 0, "%s", err.message);
    cr_expect_str_eq(err.message, why ? why : "");
    collect_release(&c);
}

Test(fio_text, what_is_announced_must_be_there)
{
    expect_gap(SETUP("a", "read") BLOCK("a", "7", "10") STATUS, NULL);
    expect_gap(BLOCK("a", "7", "10"), NULL); /* nothing is announced */
    expect_gap(SETUP("a", "randread") SETUP("b", "read") BLOCK("a", "7", "10") STATUS,
               "t.txt: line 2: job b is announced and has no figures");
    expect_gap(SETUP("a", "randrw") BLOCK("a", "7", "10") STATUS,
               "t.txt: line 2: job a: its writes are missing");
    expect_gap(SETUP("a", "read") "fio-3.33\nStarting 2 processes\n" BLOCK("a", "7", "10") STATUS,
               "t.txt: line 1: fio started more jobs than have figures");
    expect_gap(SETUP("a", "read") BLOCK("a", "7", "10") STATUS SETUP("b", "read"),
               "t.txt: line 7: job b is announced and has no figures");
    /* pasted without the blocks */
    expect_gap(SETUP("a", "randrw") "Starting 4 processes\n" STATUS, NULL);
}

Test(fio_text, nothing_in_it)
{
    struct collected c = {0};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    static const char text[] = "read: a book\nlat (usec): nothing\nRun status group x\n";
    cr_expect_eq(
        import_bytes(&importer_fio_text, &c, &outcome, "in.txt", text, sizeof text - 1, &err),
        -ERR_INPUT);
    cr_expect_eq(c.n_runs, 0);
    cr_expect_null(importer_for("hello", 5));
    collect_release(&c);
}

/* fio 3.33 of `fio --client=a j.fio --client=b j.fio`: servers are announced first and then stand one after the other. */
Test(fio_text, blocks_of_servers_are_one_run_and_their_sum_is_none)
{
#define SETUPS                                                                                     \
    "<vm> a: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, "           \
    "ioengine=psync, iodepth=1\n<vm> b: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) "             \
    "4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1\n<vm> Starting 2 processes\n<vm> \n"
#define SERVER(pid_a, pid_b)                                                                       \
    "a: (groupid=0, jobs=1): err= 0: pid=" pid_a ": Mon Nov 30 21:00:38 2026\n"                    \
    "  read: IOPS=300, BW=1203KiB/s (1232kB/s)(1204KiB/1001msec)\n"                                \
    "     issued rwts: total=301,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n"                            \
    "b: (groupid=0, jobs=1): err= 0: pid=" pid_b ": Mon Nov 30 21:00:38 2026\n"                    \
    "  write: IOPS=300, BW=1203KiB/s (1232kB/s)(1204KiB/1001msec); 0 zone resets\n"                \
    "     issued rwts: total=0,301,0,0 short=0,0,0,0 dropped=0,0,0,0\n\n"                          \
    "Run status group 0 (all jobs):\n   READ: bw=1203KiB/s (1232kB/s), io=1204KiB (1233kB), "      \
    "run=1001-1001msec\n\nDisk stats (read/write):\n"                                              \
    "  vda: ios=522/1, merge=0/0, ticks=29/0, in_queue=29, util=15.37%\n"
#define SUM                                                                                        \
    "All clients: (groupid=0, jobs=4): err= 0: pid=0: Mon Nov 30 21:00:38 2026\n"                  \
    "  read: IOPS=601, BW=2406Ki (2459k)(2408KiB/1001msec)\n"                                      \
    "  lat (usec)   : 4=0.44%, 10=99.56%\n"                                                        \
    "     issued rwts: total=602,602,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
    struct collected c;
    import_text(&c, SETUPS SETUPS SERVER("3930", "3931") SERVER("3927", "3929") SUM);
    cr_expect_eq(c.n_runs, 1);
    cr_assert_eq(c.n_cells, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct cell *cell = c.cell[i];
        cr_expect_eq(cell->dir[i == 0 ? DIR_READ : DIR_WRITE].ios, 602);
        cr_expect_eq(cell->key.rw, i == 0 ? RW_RANDREAD : RW_RANDWRITE);
        cr_expect_eq(cell->key.bs, 4096);
        cr_expect_eq(cell->key.numjobs, 2);
        cr_expect_eq(cell->n_buckets, 0);
        cr_expect_str_eq(cell->name, i == 0 ? "a" : "b");
    }
    collect_release(&c);
}
