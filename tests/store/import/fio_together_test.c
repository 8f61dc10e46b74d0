/* Sections of one load side by side, each on files of its own: devices that were loaded together. */
#include <criterion/criterion.h>

#include "tests/store/import/import_bytes.h"

#define DOC(jobs) "{\"fio version\":\"fio-3.33\",\"jobs\":[" jobs "]}"
/* 1000 bytes an I/O; a mean latency of 100 ms. */
#define SECTION(name, options, ios, ms)                                                            \
    "{\"jobname\":\"" name "\",\"groupid\":0,\"error\":0,\"job options\":{" options                \
    "\"bs\":\"1000\",\"ioengine\":\"libaio\",\"iodepth\":\"2\"},\"read\":{\"io_bytes\":" #ios      \
    "000,\"runtime\":" #ms ",\"total_ios\":" #ios ",\"clat_ns\":{\"N\":" #ios                      \
    ",\"mean\":100000000.0},\"lat_ns\":{\"N\":" #ios ",\"mean\":100000000.0}}}"
#define ON(path) "\"filename\":\"" path "\","

static struct collected import(const char *text)
{
    struct collected c = {0};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    int rc = import_bytes(&importer_fio_json, &c, &outcome, "in.json", text, strlen(text), &err);
    cr_assert_eq(rc, 0, "%s", err.message);
    return c;
}

/* 40 and 20 I/Os in 2 s are 30 IOPS; settings are those of each device; 3 of 4 in flight by Little's law. */
Test(fio_together, devices_are_parts_of_one_cell)
{
    struct collected c = import(
        DOC(SECTION("one", ON("/dev/sdb"), 40, 2000) "," SECTION("two", ON("/dev/sdc"), 20, 2000)));
    cr_assert_eq(c.n_cells, 1);
    const struct cell *cell = c.cell[0];
    cr_expect_float_eq(cell->dir[DIR_READ].iops, 30, 1e-9);
    cr_expect(cell->key.numjobs == 1 && cell->key.iodepth == 2 && cell->together);
    cr_expect_float_eq(cell->depth_reached, 3, 1e-9);
    cr_expect_float_eq(cell->little_ratio, 0.75, 1e-9);
    cr_expect_not(cell_has_caveat(cell, "beside-others"));
    cr_assert(cell->n_devices == 2 && cell->n_parts == 2 && c.n_devices == 2);
    cr_expect_str_eq(c.device[cell->part[0].device], "1:/dev/sdb");
    cr_expect_str_eq(c.device[cell->part[1].device], "1:/dev/sdc");
    cr_expect_eq(cell->part[0].dir[DIR_READ].ios, 40);
    cr_expect_eq(cell->part[1].dir[DIR_READ].ios, 20);
    collect_release(&c);
}

/* A server's devices as well; another server's are its own. */
Test(fio_together, devices_of_one_host)
{
#define HOSTED(name, path, host)                                                                   \
    "{\"jobname\":\"" name "\",\"hostname\":\"" host "\",\"groupid\":0,\"error\":0,"               \
    "\"job options\":{\"filename\":\"" path "\"},\"read\":{\"io_bytes\":40960,\"runtime\":1000,"   \
    "\"total_ios\":10}}"
    struct collected c = import("{\"fio version\":\"fio-3.33\",\"client_stats\":[" HOSTED(
        "one", "/dev/sdb", "h") "," HOSTED("two", "/dev/sdc", "h") "]}");
    cr_assert_eq(c.n_cells, 1);
    cr_expect(c.cell[0]->n_parts == 2 && c.cell[0]->key.numjobs == 1);
    cr_expect(strstr(c.cell[0]->extra, "\"hosts\":[\"h\"]"), "%s", c.cell[0]->extra);
    collect_release(&c);
    c = import("{\"fio version\":\"fio-3.33\",\"client_stats\":[" HOSTED(
        "one", "/dev/sdb", "h") "," HOSTED("two", "/dev/sdc", "i") "]}");
    cr_expect_eq(c.n_cells, 2);
    collect_release(&c);
}

/* Clones without group_reporting are jobs of their device. */
Test(fio_together, clones_of_each_device)
{
#define TWICE(name, path) SECTION(name, ON(path), 10, 1000) "," SECTION(name, ON(path), 10, 1000)
    struct collected c = import(DOC(TWICE("one", "/dev/sdb") "," TWICE("two", "/dev/sdc")));
    cr_assert_eq(c.n_cells, 1);
    cr_expect(c.cell[0]->key.numjobs == 2 && c.cell[0]->n_parts == 2);
    cr_expect_float_eq(c.cell[0]->dir[DIR_READ].iops, 40, 1e-9);
    cr_expect_float_eq(c.cell[0]->part[1].dir[DIR_READ].iops, 20, 1e-9);
    cr_expect_float_eq(c.cell[0]->little_ratio, 40 * 0.1 / 8, 1e-9);
    collect_release(&c);
}

Test(fio_together, folders_and_lists_of_files)
{
    struct collected c =
        import(DOC(SECTION("one", "\"directory\":\"/mnt/a\",", 10,
                           1000) "," SECTION("two", ON("/dev/sdb:/dev/sdc"), 10, 1000)));
    cr_assert_eq(c.n_cells, 1);
    cr_expect(c.cell[0]->n_devices == 3 && c.cell[0]->n_parts == 0);
    cr_expect_float_eq(c.cell[0]->dir[DIR_READ].iops, 20, 1e-9);
    collect_release(&c);
}

/* However often it is named, a device is one of the run. */
Test(fio_together, devices_are_listed_once)
{
    struct collected c =
        import(DOC(SECTION("one", ON("/dev/sdb:/dev/sdc:/dev/sdb"), 10, 1000) "," SECTION(
            "two", ON("/dev/sdc:/dev/sda") "\"numjobs\":\"1\",", 10, 1000)));
    cr_assert(c.n_cells == 2 && c.n_devices == 3);
    cr_assert(c.cell[0]->n_devices == 2 && c.cell[1]->n_devices == 2);
    static const char *const paths[2][2] = {{"1:/dev/sdb", "1:/dev/sdc"},
                                            {"1:/dev/sdc", "1:/dev/sda"}};
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < 2; k++)
            cr_expect_str_eq(c.device[c.cell[i]->device[k]], paths[i][k]);
    }
    collect_release(&c);
}

/* What is not one load on devices of their own from start to end has no sum. */
Test(fio_together, others_stay_apart)
{
    static const char *const texts[] = {
        /* a file in common */
        DOC(SECTION("one", ON("/dev/sdb:/dev/sdc"), 10, 1000) "," SECTION("two", ON("/dev/sdc"), 10,
                                                                          1000)),
        /* one went on alone */
        DOC(SECTION("one", ON("/dev/sdb"), 10, 1000) "," SECTION("two", ON("/dev/sdc"), 10, 2000)),
        /* one began later */
        DOC(SECTION("one", ON("/dev/sdb"), 10,
                    1000) "," SECTION("two", ON("/dev/sdc") "\"startdelay\":\"500ms\",", 10, 1000)),
        /* another load */
        DOC(SECTION("one", ON("/dev/sdb"), 10,
                    1000) "," SECTION("two", ON("/dev/sdc") "\"rw\":\"randread\",", 10, 1000)),
        /* more jobs */
        DOC(TWICE("one", "/dev/sdb") "," SECTION("two", ON("/dev/sdc"), 10, 1000)),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct collected c = import(texts[i]);
        cr_assert_eq(c.n_cells, 2, "%zu: %s", i, texts[i]);
        for (size_t k = 0; k < 2; k++) {
            cr_expect(cell_has_caveat(c.cell[k], "beside-others"), "%zu", i);
            cr_expect_eq(c.cell[k]->n_parts, 0);
        }
        collect_release(&c);
    }
}
