/* fio's options to the settings of a cell: defaults, forms, traps. */
#include <criterion/criterion.h>

#include "core/base/xalloc.h"
#include "tests/store/import/import_bytes.h"

/* One job that read (or wrote) 1000 I/Os of 4096 bytes; options are JSON members. */
static struct cell *cell_with(struct collected *c, const char *version, const char *global,
                              const char *options, const char *direction, unsigned bytes)
{
    char *text = xasprintf(
        "{\"fio version\":\"%s\",%s\"jobs\":[{\"jobname\":\"j\",\"groupid\":0,\"error\":0,%s"
        "\"%s\":{\"io_bytes\":%u,\"io_kbytes\":1,\"bw_bytes\":1000,\"iops\":10.0,\"runtime\":1000,"
        "\"total_ios\":1000,\"clat_ns\":{\"min\":1,\"max\":9,\"mean\":5.0,\"stddev\":1.0,\"N\":"
        "1000}}}]}",
        version, global, options, direction, bytes * 1000);
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    *c = (struct collected){0};
    int rc = import_bytes(&importer_fio_json, c, &outcome, "a/x.json", text, strlen(text), &err);
    cr_assert_eq(rc, 0, "%s", err.message);
    cr_assert_eq(c->n_cells, 1);
    free(text);
    return c->cell[0];
}

static void expect_key(const char *version, const char *global, const char *options,
                       const char *direction, unsigned bytes, const char *key, const char *assumed,
                       const char *caveats)
{
    struct collected c;
    const struct cell *cell = cell_with(&c, version, global, options, direction, bytes);
    struct strbuf text = STRBUF_INIT;
    cell_key_text(&text, &cell->key);
    cr_expect_str_eq(text.text, key, "%s%s\n   got %s\n  want %s", global, options, text.text, key);
    cr_expect_str_eq(cell->assumed ? cell->assumed : "[]", assumed, "%s%s: %s", global, options,
                     cell->assumed);
    cr_expect_str_eq(cell->caveats ? cell->caveats : "[]", caveats, "%s%s: %s", global, options,
                     cell->caveats);
    strbuf_release(&text);
    collect_release(&c);
}

#define JOB(members)    "\"job options\":{\"name\":\"j\"," members "},"
#define GLOBAL(members) "\"global options\":{" members "},"

Test(fio_key, nothing_typed_is_default_and_said_so)
{
    expect_key("fio-3.33", "", "\"job options\":{},", "read", 4096,
               "rw=read bs=4096 iodepth=1 numjobs=1 engine=psync direct=0",
               "[\"rw\",\"bs\",\"engine\",\"iodepth\",\"numjobs\",\"direct\"]", "[\"buffered\"]");
}

Test(fio_key, job_over_global_over_default)
{
    expect_key(
        "fio-3.33", GLOBAL("\"bs\":\"64k\",\"rw\":\"randread\",\"direct\":\"1\""),
        "\"job "
        "options\":{\"bs\":\"4k\",\"ioengine\":\"libaio\",\"iodepth\":\"16\",\"numjobs\":\"3\"},",
        "read", 4096, "rw=randread bs=4096 iodepth=16 numjobs=3 engine=libaio direct=1", "[]",
        "[]");
}

Test(fio_key, no_options_at_all)
{
    /* fio up to 2.2: what is not stated stays unknown, but for the size of the I/Os */
    expect_key("fio-2.2.10", "", "", "read", 4096, "bs=4096 options={\"job\":\"j\"}", "[\"bs\"]",
               "[]");
    expect_key("fio-2.2.10", "", "", "read", 1000, "options={\"job\":\"j\"}", "[]", "[]");
}

#define BASE                                                                                       \
    "\"rw\":\"randread\",\"ioengine\":\"libaio\",\"iodepth\":\"8\",\"numjobs\":\"1\",\"direct\":"  \
    "\"1\""
#define BASE_W                                                                                     \
    "\"rw\":\"randwrite\",\"ioengine\":\"libaio\",\"iodepth\":\"8\",\"numjobs\":\"1\",\"direct\":" \
    "\"1\""
#define BASE_RW                                                                                    \
    "\"rw\":\"randrw\",\"ioengine\":\"libaio\",\"iodepth\":\"8\",\"numjobs\":\"1\",\"direct\":"    \
    "\"1\""
#define TAIL "iodepth=8 numjobs=1 engine=libaio direct=1"

static void expect_plain(const char *options, const char *direction, unsigned bytes,
                         const char *key)
{
    expect_key("fio-3.39", "", options, direction, bytes, key, "[]", "[]");
}

Test(fio_key, block_size_forms)
{
    expect_plain(JOB(BASE ",\"bs\":\"4KiB\""), "read", 4000, "rw=randread bs=4000 " TAIL);
    expect_plain(JOB(BASE ",\"bs\":\"4KiB\",\"kb_base\":\"1000\""), "read", 4096,
                 "rw=randread bs=4096 " TAIL);
    expect_plain(JOB(BASE ",\"bs\":\"4k,16k,8k\""), "read", 4096, "rw=randread bs=4096 " TAIL);
    expect_plain(JOB(BASE_W ",\"bs\":\"4k,16k\""), "write", 16384, "rw=randwrite bs=16384 " TAIL);
    expect_plain(JOB(BASE_W ",\"bs\":\"8k,\""), "write", 4096, "rw=randwrite bs=4096 " TAIL);
    expect_plain(JOB(BASE_RW ",\"rwmixread\":\"70\",\"bs\":\"4k,16k\""), "read", 4096,
                 "rw=randrw rwmixread=70 bs=4096 bs_write=16384 " TAIL);
    expect_plain(JOB(BASE ",\"bssplit\":\"4k/60:64k/40,16k/100\""), "read", 20000,
                 "rw=randread bs_text=4k/60:64k/40,16k/100 " TAIL);
    expect_plain(JOB(BASE ",\"bsrange\":\"4k-64k\""), "read", 20000,
                 "rw=randread bs_text=4k-64k " TAIL);
}

Test(fio_key, mix_of_reads_and_writes)
{
    expect_plain(JOB(BASE_RW ",\"bs\":\"4k\",\"rwmixwrite\":\"30\""), "read", 4096,
                 "rw=randrw rwmixread=70 bs=4096 " TAIL);
    expect_key("fio-3.39", "", JOB(BASE_RW ",\"bs\":\"4k\""), "read", 4096,
               "rw=randrw rwmixread=50 bs=4096 " TAIL, "[\"rwmixread\"]", "[]");
}

Test(fio_key, rates_sync_pauses)
{
    expect_plain(JOB(BASE_RW ",\"bs\":\"4k\",\"rwmixread\":\"50\",\"rate\":\"1m,512k\","
                             "\"rate_process\":\"poisson\""),
                 "read", 4096,
                 "rw=randrw rwmixread=50 bs=4096 " TAIL
                 " rate_bw=1048576 rate_bw_write=524288 arrival=poisson");
    expect_plain(JOB(BASE_RW ",\"bs\":\"4k\",\"rwmixread\":\"50\",\"rate_iops\":\"700,300\","
                             "\"rate_process\":\"linear\""),
                 "read", 4096,
                 "rw=randrw rwmixread=50 bs=4096 " TAIL
                 " rate_iops=700 rate_iops_write=300 arrival=constant");
    expect_key("fio-3.39", "", JOB(BASE ",\"bs\":\"4k\",\"rate_iops\":\"2k\""), "read", 4096,
               "rw=randread bs=4096 " TAIL " rate_iops=2048 arrival=constant", "[\"arrival\"]",
               "[]");
    expect_plain(JOB(BASE_W ",\"bs\":\"4k\",\"sync\":\"dsync\",\"fsync\":\"32\",\"size\":\"10%\","
                            "\"thinktime\":\"100\",\"buffer_compress_percentage\":\"40\""),
                 "write", 4096,
                 "rw=randwrite bs=4096 " TAIL
                 " sync=dsync,fsync=32 thinktime_ns=100000 compress=40");
    expect_plain(JOB(BASE
                     ",\"bs\":\"4k\",\"size\":\"1g\",\"offset\":\"1m\",\"random_distribution\":"
                     "\"zipf:1.2\",\"zonemode\":\"zbd\",\"verify\":\"0\""),
                 "read", 4096,
                 "rw=randread bs=4096 " TAIL " size=1073741824 offset=1048576 distribution=zipf:1.2"
                 " options={\"zonemode\":\"zbd\"}");
}

Test(fio_key, flags_and_engine_options)
{
    /* bare flags are "" from fio 3.39 on */
    expect_plain(
        JOB("\"rw\":\"randread\",\"bs\":\"4k\",\"ioengine\":\"io_uring\",\"iodepth\":\"8\","
            "\"numjobs\":\"1\",\"direct\":\"\",\"hipri\":\"\",\"fixedbufs\":\"1\","
            "\"registerfiles\":\"0\""),
        "read", 4096,
        "rw=randread bs=4096 iodepth=8 numjobs=1 engine=io_uring "
        "engine_options=fixedbufs=1,hipri=1 "
        "direct=1");
    expect_key("fio-3.39", "",
               JOB("\"rw\":\"read\",\"bs\":\"4k\",\"iodepth\":\"64\",\"numjobs\":\"1\","
                   "\"ioengine\":\"psync\",\"buffered\":\"0\""),
               "read", 4096, "rw=read bs=4096 iodepth=1 numjobs=1 engine=psync direct=1", "[]",
               "[\"depth-capped\"]");
}

Test(fio_key, numjobs_that_fio_lost)
{
    /* 2.3 to 3.3 leave it out of the global options: no number is better than a wrong one */
    expect_key("fio-3.1",
               GLOBAL("\"rw\":\"randread\",\"bs\":\"4k\",\"ioengine\":\"libaio\",\"iodepth\":\"8\","
                      "\"direct\":\"1\""),
               "\"job options\":{},", "read", 4096,
               "rw=randread bs=4096 iodepth=8 engine=libaio direct=1", "[]", "[]");
    expect_key("fio-3.4",
               GLOBAL("\"rw\":\"randread\",\"bs\":\"4k\",\"ioengine\":\"libaio\",\"iodepth\":\"8\","
                      "\"direct\":\"1\""),
               "\"job options\":{},", "read", 4096,
               "rw=randread bs=4096 iodepth=8 numjobs=1 engine=libaio direct=1", "[\"numjobs\"]",
               "[]");
}

/* The options of a group of different sections are those of the last one. */
Test(fio_key, options_of_one_member_are_not_those_of_the_group)
{
    static const char several[] = "[\"several-sections\"]";
    const char *global = GLOBAL("\"ioengine\":\"libaio\",\"direct\":\"1\"");
    const char *left = "bs=4096 engine=libaio direct=1 options={\"job\":\"j\"}";
    const char *assumed = "[\"engine\",\"direct\",\"bs\"]";
    /* it wrote, but the pattern only reads */
    expect_key("fio-3.33", global, "\"job options\":{\"rw\":\"randread\",\"bs\":\"4k\"},", "write",
               4096, left, assumed, several);
    /* another name */
    expect_key("fio-3.33", global,
               "\"job options\":{\"name\":\"other\",\"rw\":\"read\",\"bs\":\"4k\"},", "read", 4096,
               left, assumed, several);
    /* another block size */
    expect_key("fio-3.33", global, "\"job options\":{\"rw\":\"read\",\"bs\":\"64k\"},", "read",
               4096, left, assumed, several);
    /* more time than one job can spend, as of sections of 1 and 2 s */
    expect_key("fio-3.33", global,
               "\"job_runtime\":2900,\"job options\":{\"rw\":\"read\",\"bs\":\"4k\"},", "read",
               4096, left, assumed, several);
    expect_key("fio-3.33", global,
               "\"job_runtime\":1500,\"job options\":{\"rw\":\"read\",\"bs\":\"4k\"},", "read",
               4096, left, assumed, several);
}

/* fio 3.33 of `rw=randwrite verify=crc32c size=16m`: the reads of its second phase are no load of the section. */
Test(fio_key, reads_that_verify_are_none_of_the_writes)
{
    static const char text[] =
        "{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"v\",\"groupid\":0,\"error\":0,"
        "\"job options\":{\"rw\":\"%s\",\"bs\":\"4k\",\"ioengine\":\"libaio\",\"iodepth\":\"1\","
        "\"direct\":\"1\",\"numjobs\":\"1\",\"rwmixread\":\"50\",\"verify\":\"%s\"},\"job_"
        "runtime\":"
        "45,\"read\":{\"io_bytes\":16777216,\"io_kbytes\":16384,\"bw_bytes\":838860800,\"iops\":"
        "204800.0,\"runtime\":20,\"total_ios\":4096},\"write\":{\"io_bytes\":16777216,\"io_"
        "kbytes\":"
        "16384,\"bw_bytes\":621378370,\"iops\":151703.703704,\"runtime\":27,\"total_ios\":4096},"
        "\"latency_us\":{\"2\":60.0,\"4\":40.0}}]}";
    static const struct {
        const char *rw, *verify, *caveats;
        bool reads, verified;
    } rows[] = {
        {"randwrite", "crc32c", "[\"verify-reads\"]", false, true},
        {"randrw", "crc32c", "[\"verify-reads\"]", true, false},
        {"randwrite", "0", "[\"several-sections\"]", true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct collected c = {0};
        struct import_outcome outcome;
        struct error err = ERROR_INIT;
        char *json = xasprintf(text, rows[i].rw, rows[i].verify);
        int rc = import_bytes(&importer_fio_json, &c, &outcome, "x", json, strlen(json), &err);
        cr_assert_eq(rc, 0, "%s", err.message);
        const struct cell *cell = c.cell[0];
        cr_expect_str_eq(cell->caveats ? cell->caveats : "[]", rows[i].caveats, "%s %s: %s",
                         rows[i].rw, rows[i].verify, cell->caveats);
        cr_expect_eq(direction_is_used(&cell->dir[DIR_READ]), rows[i].reads);
        cr_expect_eq(cell->dir[DIR_WRITE].ios, 4096);
        cr_expect_eq(cell->extra &&
                         strstr(cell->extra, "\"verification\":{\"ios\":4096,\"bytes\":16777216,"
                                             "\"runtime_ns\":20000000,\"iops\":204800,"
                                             "\"bw\":838860800}") != NULL,
                     rows[i].verified, "%s", cell->extra);
        if (rows[i].verified) {
            cr_expect_eq(cell->key.rw, RW_RANDWRITE);
            cr_expect_eq(cell->key.iodepth, 1);
            cr_expect_eq(cell->runtime_ns, 27000000);
            cr_expect_eq(cell->n_buckets, 0);
            cr_expect_float_eq(cell_iops(cell), 151703.703704, 1e-6);
        }
        free(json);
        collect_release(&c);
    }
}

/* Its last section's file is not that of all; a global one is. */
Test(fio_key, devices_of_different_sections)
{
    static const char *const global[] = {GLOBAL("\"ioengine\":\"libaio\""),
                                         GLOBAL("\"filename\":\"/dev/all\"")};
    static const char *const own[] = {
        "\"job options\":{\"name\":\"o\",\"filename\":\"/dev/last\"},",
        "\"job options\":{\"name\":\"o\"},"};
    for (size_t i = 0; i < 2; i++) {
        struct collected c;
        const struct cell *cell = cell_with(&c, "fio-3.33", global[i], own[i], "read", 4096);
        cr_expect_str_eq(cell->caveats, "[\"several-sections\"]");
        cr_expect_eq(cell->n_devices, i, "%zu", cell->n_devices);
        collect_release(&c);
    }
}

Test(fio_key, names_of_files_fill_gaps)
{
    struct collected c = {0};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    static const char text[] =
        "{\"fio version\":\"fio-2.2.10\",\"jobs\":[{\"jobname\":\"job\",\"read\":{\"io_bytes\":4,"
        "\"total_ios\":1,\"runtime\":1000,\"iops\":1.0,\"bw\":4}}]}";
    cr_assert_eq(import_bytes(&importer_fio_json, &c, &outcome, "4k/randread-32-8.json", text,
                              sizeof text - 1, &err),
                 0, "%s", err.message);
    struct strbuf key = STRBUF_INIT;
    cell_key_text(&key, &c.cell[0]->key);
    cr_expect_str_eq(key.text,
                     "rw=randread bs=4096 iodepth=32 numjobs=8 options={\"job\":\"job\"}");
    cr_expect_str_eq(c.cell[0]->assumed, "[\"rw\",\"iodepth\",\"numjobs\",\"bs\"]");
    strbuf_release(&key);
    collect_release(&c);
}

/* bench-fio's folders, where they fit what was done. */
Test(fio_key, folders_of_bench_fio_fill_gaps)
{
    static const struct {
        const char *path;
        unsigned reads, writes; /* of 4100 bytes: nothing that could be a block size */
        const char *key;
    } rows[] = {
        {"out/nvme0n1/randrw75/4k/randrw-16-8.json", 76, 24,
         "rw=randrw rwmixread=75 bs=4096 iodepth=16 numjobs=8"},
        {"out/nvme0n1/randrw75/4k/randrw-16-8.json", 50, 50,
         "rw=randrw bs=4096 iodepth=16 numjobs=8"},
        {"out/nvme0n1/8k/randrw-16-8.json", 50, 50, "rw=randrw iodepth=16 numjobs=8"},
        {"4k/rw-16-8.json", 50, 50, ""},
        {"4k/randrw.json", 50, 50, "rw=randrw"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct collected c = {0};
        struct import_outcome outcome;
        struct error err = ERROR_INIT;
        char *text = xasprintf(
            "{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"job\",\"read\":{\"io_bytes\":"
            "%u,\"io_kbytes\":1,\"total_ios\":%u,\"runtime\":1000},\"write\":{\"io_bytes\":%u,"
            "\"io_kbytes\":1,\"total_ios\":%u,\"runtime\":1000}}]}",
            rows[i].reads * 4100, rows[i].reads, rows[i].writes * 4100, rows[i].writes);
        cr_assert_eq(
            import_bytes(&importer_fio_json, &c, &outcome, rows[i].path, text, strlen(text), &err),
            0, "%s", err.message);
        struct strbuf key = STRBUF_INIT;
        cell_key_text(&key, &c.cell[0]->key);
        char *end = strstr(key.text, "options=");
        *(end > key.text ? end - 1 : end) = '\0';
        cr_expect_str_eq(key.text, rows[i].key, "%s: %s", rows[i].path, key.text);
        strbuf_release(&key);
        free(text);
        collect_release(&c);
    }
}

#define CPU "\"job_runtime\":1000,\"usr_cpu\":35.0,\"sys_cpu\":64.5,"

static bool busiest(const char *options, double *share)
{
    struct collected c;
    const struct cell *cell = cell_with(&c, "fio-3.33", "", options, "read", 4096);
    bool known = IS_KNOWN(cell, CELL, cpu_util_max);
    *share = cell->cpu_util_max;
    collect_release(&c);
    return known;
}

/* One job's CPU is its thread's; of jobs reported as one it is a mean, and a job that polls is always busy. */
Test(fio_key, cpu_of_the_busiest_thread)
{
    double share;
    cr_assert(busiest(JOB("\"bs\":\"4k\"") CPU, &share));
    cr_expect_float_eq(share, 0.995, 1e-9);
    cr_expect_not(busiest(JOB("\"numjobs\":\"4\",\"group_reporting\":\"1\"") CPU, &share));
    cr_expect_not(busiest(JOB("\"ioengine\":\"io_uring\",\"hipri\":\"1\"") CPU, &share));
    cr_expect_not(busiest(JOB("\"iodepth_batch_complete_min\":\"0\"") CPU, &share));
    cr_expect_not(busiest(JOB("\"bs\":\"4k\""), &share));
}

/* Settings that cannot be stay unknown, and the table says so with their place. */
Test(fio_key, options_that_cannot_be_are_said)
{
    static const struct {
        const char *option, *note;
    } rows[] = {
        {"\"iodepth\":\"-32\"", "iodepth = \"-32\" at line 1 (byte "},
        {"\"iodepth\":\"0\"", "iodepth = \"0\" at"},
        {"\"iodepth\":\"1e12\"", "iodepth = \"1e12\" at"},
        {"\"numjobs\":\"-1\"", "numjobs = \"-1\" at"},
        {"\"bs\":\"-4k\"", "bs = \"-4k\" at"},
        {"\"bs\":\"0\"", "bs = \"0\" at"},
        {"\"rwmixread\":\"150\"", "rwmixread = \"150\" at"},
        {"\"size\":\"-1\"", "size = \"-1\" at"},
        {"\"size\":\"10%\"", NULL},
        {"\"iodepth\":\"32\"", NULL},
        {"\"bs\":\"4k,8k\"", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct collected c = {0};
        struct import_outcome outcome;
        struct error err = ERROR_INIT;
        char *text = xasprintf(
            "{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"j\",\"groupid\":0,"
            "\"error\":0,\"job options\":{%s},\"read\":{\"io_bytes\":4096,\"total_ios\":1}}]}",
            rows[i].option);
        cr_assert_eq(
            import_bytes(&importer_fio_json, &c, &outcome, "x.json", text, strlen(text), &err), 0,
            "%s", err.message);
        bool said = strstr(outcome.note, "1 impossible number left unknown: ") != NULL;
        cr_expect_eq(said, rows[i].note != NULL, "%s: %s", rows[i].option, outcome.note);
        cr_expect(!rows[i].note || strstr(outcome.note, rows[i].note), "%s: %s", rows[i].option,
                  outcome.note);
        const struct cell_key *key = &c.cell[0]->key;
        cr_expect(!IS_KNOWN(key, CELL_KEY, iodepth) || (key->iodepth > 0 && key->iodepth <= 32));
        cr_expect(!IS_KNOWN(key, CELL_KEY, bs) || key->bs >= 4096);
        cr_expect_null(key->bs_text);
        free(text);
        collect_release(&c);
    }
}
