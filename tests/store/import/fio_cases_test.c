/* Jobs, clones, hosts, snapshots, errors: what becomes of whole documents. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "tests/store/import/import_bytes.h"

static int import_text(struct collected *c, struct import_outcome *outcome, const char *text,
                       struct error *err)
{
    *c = (struct collected){0};
    return import_bytes(&importer_fio_json, c, outcome, "in.json", text, strlen(text), err);
}

static void import_good(struct collected *c, const char *text)
{
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    cr_assert_eq(import_text(c, &outcome, text, &err), 0, "%s", err.message);
    cr_assert_eq(outcome.cells, c->n_cells);
    cr_assert_eq(outcome.runs, c->n_runs);
}

#define DOC(root, jobs) "{\"fio version\":\"fio-3.33\"," root "\"jobs\":[" jobs "]}"
#define READ(ios, ms, latency)                                                                     \
    "\"read\":{\"io_bytes\":" #ios "000,\"io_kbytes\":1,\"runtime\":" #ms ",\"iops\":7.0,"         \
    "\"bw_bytes\":7000,\"total_ios\":" #ios ",\"clat_ns\":{" latency "}}"
#define CLONE(ios, ms, latency)                                                                    \
    "{\"jobname\":\"j\",\"groupid\":0,\"error\":0,\"job "                                          \
    "options\":{\"numjobs\":\"2\",\"bs\":\"1000\"}," READ(ios, ms, latency) "}"

Test(fio_cases, clones_with_bins_become_one_cell)
{
    struct collected c;
    import_good(&c, DOC("", CLONE(3, 1000,
                                  "\"min\":10,\"max\":20,\"mean\":15.0,\"stddev\":5.0,\"N\":3,"
                                  "\"percentile\":{\"99.0\":20},\"bins\":{\"10\":1,\"15\":1,\"20\":"
                                  "1}") "," CLONE(1, 2000,
                                                  "\"min\":100,\"max\":100,\"mean\":100.0,"
                                                  "\"stddev\":0.0,\"N\":1,"
                                                  "\"percentile\":{\"99.0\":100},\"bins\":{\"100\":"
                                                  "1}")));
    cr_assert_eq(c.n_cells, 1);
    const struct direction *d = &c.cell[0]->dir[DIR_READ];
    const struct lat *l = &d->lat[LAT_CLAT];
    cr_expect(c.cell[0]->key.numjobs == 2 && d->ios == 4 && d->runtime_ns == 2000000000);
    cr_expect_float_eq(d->iops, 2.0, 1e-12); /* 4 I/Os in the longest time, not 7 + 7 */
    cr_expect(l->n == 4 && l->min == 10 && l->max == 100);
    cr_expect_float_eq(l->mean, 36.25, 1e-9);
    cr_expect_float_eq(l->stddev, 42.69562819149833, 1e-9); /* of 10 15 20 100 (numpy, ddof=1) */
    cr_assert(l->hist);
    cr_expect_eq(hist_percentile(l->hist, 50), 15);
    cr_expect_eq(hist_percentile(l->hist, 99), 100);
    cr_expect_float_eq(hist_mean(l->hist), 36.25, 1);
    collect_release(&c);
}

Test(fio_cases, percentiles_of_clones_are_bounds_never_averages)
{
    struct collected c;
    import_good(&c,
                DOC("", CLONE(3, 1000,
                              "\"min\":10,\"max\":20,\"mean\":15.0,\"percentile\":{\"99.000000\":"
                              "20}") "," CLONE(1, 2000,
                                               "\"min\":100,\"max\":110,\"mean\":100.0,"
                                               "\"percentile\":{\"99.000000\":104}")));
    const struct cell *cell = c.cell[0];
    uint64_t ns;
    cr_expect_not(lat_percentile(&cell->dir[DIR_READ].lat[LAT_CLAT], 99, &ns));
    cr_expect(cell_has_caveat(cell, "percentiles-not-merged"));
    cr_expect(strstr(cell->extra,
                     "\"percentile_bounds\":[{\"direction\":\"read\",\"latency\":\"clat\",\"p\":99,"
                     "\"min\":20,\"max\":104}]"),
              "%s", cell->extra);
    collect_release(&c);
}

#define HOST(name, port, ios)                                                                      \
    "{\"jobname\":\"j\",\"groupid\":0,\"error\":0,\"hostname\":\"" name "\",\"port\":" port        \
    ",\"job options\":{\"filename\":\"/dev/sdb\",\"bs\":\"1000\",\"iodepth\":\"2\"}," READ(        \
        ios, 1000, "\"min\":1,\"max\":9,\"mean\":5.0,\"percentile\":{\"50.0\":5}") "}"

Test(fio_cases, hosts_are_parts_and_not_counted_twice)
{
    struct collected c;
    import_good(&c,
                "{\"fio version\":\"fio-3.33\",\"client_stats\":[" HOST("a", "8765", 3) "," HOST(
                    "b", "8801", 5) ",{\"jobname\":\"All "
                                    "clients\",\"groupid\":0,\"error\":0,\"hostname\":\"b\","
                                    "\"port\":8801," READ(8, 1000,
                                                          "\"min\":1,\"max\":9,\"mean\":5.0,"
                                                          "\"percentile\":{\"50.0\":6}") "}]}");
    cr_assert_eq(c.n_cells, 1);
    const struct cell *cell = c.cell[0];
    cr_expect(cell->dir[DIR_READ].ios == 8 && cell->key.numjobs == 2 && cell->together);
    cr_assert_eq(cell->n_parts, 2);
    cr_expect(cell->part[0].dir[DIR_READ].ios == 3 && cell->part[1].dir[DIR_READ].ios == 5);
    cr_expect_str_eq(c.device[0], "1:a:/dev/sdb");
    cr_expect_str_eq(c.device[1], "1:b:8801:/dev/sdb");
    uint64_t ns = 0; /* fio's own merged percentile */
    cr_expect(lat_percentile(&cell->dir[DIR_READ].lat[LAT_CLAT], 50, &ns) && ns == 6);
    cr_expect_not(cell_has_caveat(cell, "percentiles-not-merged"));
    collect_release(&c);
}

#define TEXT_OF(n) #n
#define TEXT(n)    TEXT_OF(n)
/* Each in a group of its own: one after another. */
#define JOB(name, error, rest)                                                                     \
    "{\"jobname\":\"" name                                                                         \
    "\",\"groupid\":" TEXT(__COUNTER__) ",\"error\":" #error ",\"job options\":{\"name\":\"" name  \
                                        "\",\"bs\":\"1000\",\"runtime\":\"10\"}," rest "}"

Test(fio_cases, unmeasured_latency_is_unknown)
{
    /* disable_clat and gtod_reduce leave zeros */
    struct collected c;
    import_good(&c, DOC("", JOB("a", 0,
                                READ(5, 10000,
                                     "\"min\":0,\"max\":0,\"mean\":0.0,\"stddev\":0.0,\"N\":0"))));
    const struct direction *d = &c.cell[0]->dir[DIR_READ];
    cr_expect(d->ios == 5 && d->lat[LAT_CLAT].known == 0 && d->lat[LAT_LAT].known == 0);
    cr_expect_not(IS_KNOWN(c.cell[0], CELL, depth_reached));
    cr_expect_eq(direction_main_lat(d, false), LAT_KIND_COUNT);
    collect_release(&c);
}

Test(fio_cases, errors_are_kept_and_marked)
{
    struct collected c;
    import_good(
        &c,
        "fio: pid=7, err=5/file:io_u.c:1803, func=io_u error, error=Input/output error\n" DOC(
            "",
            JOB("bad", 5, READ(5, 100, "\"max\":1")) "," JOB("dead", 22, READ(0, 0, "")) "," JOB(
                "idle", 0, READ(0, 0, "")) "," JOB("good", 0, READ(9, 10000, "\"max\":1"))));
    cr_assert_eq(c.n_cells, 4);
    cr_expect(c.cell[0]->status == STATUS_PARTIAL && c.cell[0]->error_code == 5);
    cr_expect_str_eq(c.cell[0]->error, "Input/output error");
    cr_expect(c.cell[1]->status == STATUS_FAILED && c.cell[1]->error_code == 22);
    cr_expect_str_eq(c.cell[1]->error, "fio reports error 22");
    cr_expect(c.cell[2]->status == STATUS_FAILED);
    cr_expect_str_eq(c.cell[2]->error, "no I/O was done");
    cr_expect(c.cell[3]->status == STATUS_COMPLETE && !c.cell[3]->error);
    cr_expect_eq(c.run[0]->status, STATUS_PARTIAL);
    cr_expect_str_eq(
        c.run[0]->messages,
        "[\"fio: pid=7, err=5/file:io_u.c:1803, func=io_u error, error=Input/output error\"]");
    collect_release(&c);
}

Test(fio_cases, stopped_by_a_signal)
{
    static const char *const lines[] = {"fio: terminating on signal 2\n",
                                        "fio: job <j> (pid=7) got signal=6\n"};
    for (size_t i = 0; i < 2; i++) {
        struct collected c;
        char *text = xasprintf("%s%s", lines[i],
                               DOC("", JOB("cut", 0, READ(5, 4000, "\"max\":1")) "," JOB(
                                           "done", 0, READ(5, 10000, "\"max\":1"))));
        import_good(&c, text);
        cr_expect_eq(c.cell[0]->status, STATUS_PARTIAL);
        cr_expect_eq(c.cell[1]->status, STATUS_COMPLETE);
        collect_release(&c);
        free(text);
    }
}

#define SNAP(when, elapsed, ios, ms)                                                               \
    DOC("\"timestamp_ms\":" #when ",",                                                             \
        "{\"jobname\":\"j\",\"groupid\":0,\"error\":0,\"elapsed\":" #elapsed                       \
        ",\"job options\":{}," READ(ios, ms, "\"max\":1") "}")

Test(fio_cases, of_snapshots_the_last_counts)
{
    struct collected c;
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    static const char text[] = SNAP(1600000001000, 1, 10, 1000) "\n" SNAP(
        1600000002000, 2, 20, 2000) "\n" SNAP(1600000002100, 3, 21, 2100);
    cr_assert_eq(import_text(&c, &outcome, text, &err), 0, "%s", err.message);
    cr_assert(c.n_runs == 1 && c.n_cells == 1);
    cr_expect_eq(c.cell[0]->dir[DIR_READ].ios, 21);
    cr_expect(strstr(outcome.note, "2 snapshots"), "%s", outcome.note);
    collect_release(&c);
}

Test(fio_cases, runs_that_follow_each_other_are_all_kept)
{
    struct collected c;
    /* another start; the same start but fewer I/Os; more I/Os in no more time */
    import_good(&c, SNAP(1600000001000, 1, 10, 1000) SNAP(1600000009000, 2, 20, 2000));
    cr_expect_eq(c.n_runs, 2);
    cr_expect_str_neq(c.run[0]->uuid, c.run[1]->uuid);
    cr_expect_str_eq(c.run[0]->name, "in");
    cr_expect_str_eq(c.run[1]->name, "in#2");
    collect_release(&c);
    import_good(&c, SNAP(1600000001000, 1, 10, 1000) SNAP(1600000002000, 2, 9, 2000));
    cr_expect_eq(c.n_runs, 2);
    collect_release(&c);
    import_good(&c, SNAP(1600000001000, 1, 10, 1000) SNAP(1600000002000, 2, 20, 1000));
    cr_expect_eq(c.n_runs, 2);
    collect_release(&c);
}

Test(fio_cases, times_of_the_run)
{
    struct collected c;
    import_good(&c, SNAP(1600000009500, 4, 10, 1000));
    cr_expect_eq(c.run[0]->finished_ns, INT64_C(1600000009500000000));
    cr_expect_eq(c.run[0]->started_ns, INT64_C(1600000005500000000));
    collect_release(&c);
    import_good(&c, DOC("\"timestamp_ms\":1600000009500,",
                        "{\"jobname\":\"j\",\"groupid\":0,\"error\":0,"
                        "\"job_start\":1600000003000,\"elapsed\":4,\"job options\":{}," READ(
                            9, 9, "") "}"));
    cr_expect_eq(c.run[0]->started_ns, INT64_C(1600000003000000000));
    cr_expect_eq(c.cell[0]->started_ns, INT64_C(1600000003000000000));
    collect_release(&c);
}

Test(fio_cases, numbers_that_cannot_be_are_unknown)
{
    /* fio prints unsigned 64-bit counts with %lld */
    struct collected c;
    import_good(
        &c,
        DOC("", JOB("a", 0,
                    "\"read\":{\"io_bytes\":-5,\"io_kbytes\":1,\"runtime\":10000,\"iops\":nan,"
                    "\"bw_bytes\":inf,\"total_ios\":18446744073709551615,\"clat_ns\":{\"min\":-1,"
                    "\"max\":9,\"mean\":-nan,\"N\":3,\"bins\":{\"5\":-3}}}")));
    const struct direction *d = &c.cell[0]->dir[DIR_READ];
    cr_expect_not(IS_KNOWN(d, DIRECTION, ios)); /* the store keeps up to 2^63 - 1 */
    cr_expect_not(IS_KNOWN(d, DIRECTION, bytes));
    cr_expect_not(IS_KNOWN(d, DIRECTION, iops));
    cr_expect_not(IS_KNOWN(d, DIRECTION, bw));
    const struct lat *l = &d->lat[LAT_CLAT];
    cr_expect(!IS_KNOWN(l, LAT_F, min) && !IS_KNOWN(l, LAT_F, mean) && !l->hist && l->max == 9);
    cr_expect(cell_has_caveat(c.cell[0], "number-too-large"));
    collect_release(&c);
}

/* One remark a file, with the first of them and its place; rates are not 0 where I/Os were done. */
Test(fio_cases, numbers_that_cannot_be_are_said)
{
    static const struct {
        const char *member, *note;
    } rows[] = {
        {"\"total_ios\":-5", "1 impossible number left unknown: total_ios = -5 at line 1 (byte "},
        {"\"total_ios\":9223372036854775808", ": total_ios = 9223372036854775808 at line 1"},
        {"\"total_ios\":1e999", ": total_ios = 1e999 at"},
        {"\"iops\":1e999", ": iops = 1e999 at"},
        {"\"iops\":-1,\"bw_bytes\":inf", "2 impossible numbers left unknown: iops = -1 at"},
        {"\"iops\":NaN", ": iops = NaN at"},
        {"\"iops\":\"many\"", ": iops = \"many\" at"},
        {"\"iops\":0,\"bw_bytes\":0,\"runtime\":0,\"total_ios\":3", ": runtime = 0 at"},
        {"\"clat_ns\":{\"max\":9,\"mean\":-nan,\"N\":1}", ": mean = -nan at"},
        {"\"clat_ns\":{\"max\":9,\"N\":1,\"percentile\":{\"99.0\":-1}}", ": 99.0 = -1 at"},
        {"\"iops\":null", NULL},
        {"\"iops\":5", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct collected c = {0};
        struct import_outcome outcome;
        struct error err = ERROR_INIT;
        char *text =
            xasprintf(DOC("", JOB("a", 0, "\"read\":{%s,\"io_bytes\":4096}")), rows[i].member);
        cr_assert_eq(
            import_bytes(&importer_fio_json, &c, &outcome, "in.json", text, strlen(text), &err), 0,
            "%s", err.message);
        bool said = strstr(outcome.note, "impossible") != NULL;
        cr_expect_eq(said, rows[i].note != NULL, "%s: %s", rows[i].member, outcome.note);
        cr_expect(!rows[i].note || strstr(outcome.note, rows[i].note), "%s: %s", rows[i].member,
                  outcome.note);
        const struct direction *d = &c.cell[0]->dir[DIR_READ];
        cr_expect(!said || d->iops > 0 || !IS_KNOWN(d, DIRECTION, iops));
        free(text);
        collect_release(&c);
    }
}

Test(fio_cases, repeats_and_devices)
{
    struct collected c;
#define SAME(name, group)                                                                          \
    "{\"jobname\":\"" name "\",\"groupid\":" #group ",\"error\":0,\"job options\":{\"filename\":"  \
    "\"/dev/sdb:/dev/pci-0000\\\\:00\",\"filename\":\"/dev/sdb\",\"bs\":\"1000\"}," READ(9, 10,    \
                                                                                         "") "}"
    import_good(&c, DOC("", SAME("a", 0) "," SAME("b", 1)));
    cr_assert_eq(c.n_cells, 2);
    cr_expect(c.cell[0]->repeat == 1 && c.cell[1]->repeat == 2 && c.cell[1]->ordinal == 1);
    cr_assert_eq(c.n_devices, 2);
    cr_expect_str_eq(c.device[0], "1:/dev/sdb");
    cr_expect_str_eq(c.device[1], "1:/dev/pci-0000:00");
    cr_expect(c.cell[1]->n_devices == 2 && c.cell[1]->together);
    collect_release(&c);
}

Test(fio_cases, nothing_in_it)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "no JSON result of fio"},
        {"fio: unrecognized option\n", "It begins with: fio: unrecognized option"},
        {DOC("", ""), "no job results"},
        {"{\"fio version\":\"fio-3.33\",\"jobs\":[", "in.json: line 1 (byte 34): the text ends"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct collected c;
        struct import_outcome outcome;
        struct error err = ERROR_INIT;
        cr_expect_eq(import_text(&c, &outcome, cases[i].text, &err), -ERR_INPUT);
        cr_expect(strstr(err.message, cases[i].message), "%s", err.message);
        cr_expect(c.n_runs == 0 && outcome.runs == 0);
        collect_release(&c);
    }
}

Test(fio_cases, a_failing_sink_ends_it)
{
    struct collected c = {.fail_at = 2};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    static const char text[] = DOC("", JOB("a", 0, READ(5, 9, "")) "," JOB("b", 0, READ(5, 9, "")));
    int rc = import_bytes(&importer_fio_json, &c, &outcome, "in.json", text, sizeof text - 1, &err);
    cr_expect_eq(rc, -ERR_STORE);
    cr_expect_str_eq(err.message, "the test wants a failure here");
    cr_expect(c.ends == 1 && c.run[0]->status == STATUS_FAILED && outcome.runs == 0);
    collect_release(&c);
}

#define SECTION(name, group, options)                                                              \
    "{\"jobname\":\"" name "\",\"groupid\":" #group ",\"error\":0,\"job options\":{" options       \
    "\"bs\":\"1000\",\"filename\":\"/dev/sdb\"}," READ(9, 1000, "") "}"

/* Two sections of one load are two jobs of it: 9 I/Os each in one second are 18 IOPS. */
Test(fio_cases, sections_of_one_load_that_ran_together_are_one_cell)
{
    struct collected c;
    import_good(&c, DOC("", SECTION("a", 0, "") "," SECTION("b", 0, "\"description\":\"x\",")));
    cr_assert_eq(c.n_cells, 1);
    cr_expect(c.cell[0]->key.numjobs == 2 && c.cell[0]->repeat == 1);
    cr_expect_float_eq(c.cell[0]->dir[DIR_READ].iops, 18, 1e-9);
    cr_expect_not(cell_has_caveat(c.cell[0], "beside-others"));
    collect_release(&c);
}

static void expect_beside(const char *text, size_t n, const char *beside)
{
    struct collected c;
    import_good(&c, text);
    cr_assert_eq(c.n_cells, n, "%s", text);
    for (size_t i = 0; i < n; i++)
        cr_expect_eq(cell_has_caveat(c.cell[i], "beside-others"), beside[i] == 'y',
                     "cell %zu of %s", i, text);
    collect_release(&c);
}

/* fio's groupid counts up at stonewall, and at new_group, which does not wait. */
Test(fio_cases, loads_that_ran_together_are_marked)
{
    expect_beside(DOC("", SECTION("a", 0, "") "," SECTION("b", 0, "\"rw\":\"write\",") "," SECTION(
                              "c", 1, "")),
                  3, "yyn");
    expect_beside(DOC("", SECTION("a", 0, "") "," SECTION(
                              "b", 0, "\"filename\":\"/dev/sdc\",\"iodepth\":\"2\",")),
                  2, "yy");
    expect_beside(
        DOC("", SECTION("a", 0, "") "," SECTION("b", 1, "\"new_group\":\"1\",\"rw\":\"write\",")),
        2, "yy");
    expect_beside(DOC("", SECTION("a", 0, "") "," SECTION(
                              "b", 1, "\"new_group\":\"1\",\"stonewall\":\"1\",")),
                  2, "nn");
}

/* A delay longer than the first one ran, or the times that fio states from 3.36 on. */
Test(fio_cases, delays_keep_sections_of_a_group_apart)
{
    expect_beside(DOC("", SECTION("a", 0, "") "," SECTION("b", 0, "\"startdelay\":\"1\",")), 2,
                  "nn");
    expect_beside(DOC("", SECTION("a", 0, "") "," SECTION("b", 0, "\"startdelay\":\"500ms\",")), 2,
                  "yy");
    expect_beside(DOC("", SECTION("a", 0, "") "," SECTION("b", 0, "\"wait_for\":\"a\",")), 2, "nn");
    expect_beside(
        "{\"fio version\":\"fio-3.36\",\"jobs\":["
        "{\"job_start\":1700000000000,\"jobname\":\"a\",\"groupid\":0,\"job options\":{\"bs\":"
        "\"1000\"}," READ(9, 1000, "") "},"
                                       "{\"job_start\":1700000001000,\"jobname\":\"b\",\"groupid\":"
                                       "0,\"job options\":{\"bs\":"
                                       "\"1000\"}," READ(9, 1000, "") "}]}",
        2, "nn");
}
