/* Differences of recorded kernel counters. */
#include "runner/sweep/counters_internal.h"

#include <criterion/criterion.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xalloc.h"

static char root[] = "/tmp/blkmatrix-counters.XXXXXX";
static struct sysroot sr;

static void write_file(const char *path, const char *text)
{
    char *name = xasprintf("%s%s", root, path);
    FILE *f = fopen(name, "we");
    cr_assert(f, "%s", name);
    fputs(text, f);
    fclose(f);
    free(name);
}

static void make_folder(const char *path)
{
    char *name = xasprintf("%s%s", root, path);
    mkdir(name, 0777);
    free(name);
}

static void setup(void)
{
    cr_assert(mkdtemp(root));
    static const char *const folders[] = {"/proc",
                                          "/sys",
                                          "/sys/class",
                                          "/sys/class/block",
                                          "/sys/class/block/dm-0",
                                          "/sys/class/block/sda"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        make_folder(folders[i]);
    sr = (struct sysroot){root};
}

static void teardown(void)
{
    char *command = xasprintf("rm -rf %s", root);
    cr_assert_eq(system(command), 0);
    free(command);
}

static void look(struct counters *c, const struct device_info *info)
{
    const size_t index[] = {0};
    counters_read(c, &sr, info, index, 1);
}

static struct cell *cell_of(enum rw rw, uint64_t bs)
{
    struct cell *cell = cell_create();
    SET(&cell->key, CELL_KEY, rw, rw);
    SET(&cell->key, CELL_KEY, bs, bs);
    return cell;
}

/* Fields as in Documentation/block/stat.rst: ios merges sectors ticks, twice, in_flight io_ticks
 * time_in_queue, then discards and flushes. */
Test(counters, a_stacked_device, .init = setup, .fini = teardown)
{
    struct device_info info = {0};
    field_set_text(&device_fields, &info, DEVICE_resolved, "/dev/dm-0");
    field_set_text(&device_fields, &info, DEVICE_below, "[\"sda\"]");
    write_file("/sys/class/block/dm-0/stat",
               "  1000 10 8000 50 20 2 160 7 0 900 57 5 0 40 1 0 0\n");
    write_file("/sys/class/block/sda/stat", "  0 0 0 0 0 0 0 0 0 0 0\n");
    write_file("/proc/stat", "cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1 2 3\n");
    struct counters before, after;
    look(&before, &info);
    write_file("/sys/class/block/dm-0/stat",
               "  2000 15 264000 150 30 2 240 17 3 1900 167 8 0 40 1 0 0\n");
    write_file("/sys/class/block/sda/stat", "  4000 0 256000 90 10 0 80 5 0 800 95\n");
    write_file("/proc/stat", "cpu  200 0 150 830 0 0 0 20 0 0\n");
    look(&after, &info);
    after.at_ns = before.at_ns + UINT64_C(2000000000);
    struct cell *cell = cell_of(RW_RANDREAD, 131072);
    counters_to_cell(cell, &before, &after, true);
    cr_assert_eq(cell->n_disks, 2);
    const struct disk_stat *dm = &cell->disk[0], *sda = &cell->disk[1];
    cr_assert_str_eq(dm->name, "dm-0");
    cr_assert_null(dm->below);
    cr_assert_eq(dm->read_ios, 1000);
    cr_assert_eq(dm->read_merges, 5);
    cr_assert_eq(dm->read_bytes, UINT64_C(131072000));
    cr_assert_eq(dm->read_ns, 100000000);
    cr_assert_eq(dm->write_ios, 10);
    cr_assert_eq(dm->write_bytes, 40960);
    cr_assert_eq(dm->in_queue_ns, 110000000);
    cr_assert_float_eq(dm->util, 0.5, 1e-12);
    cr_assert_eq(dm->discard_ios, 3);
    cr_assert_str_eq(sda->name, "sda");
    cr_assert_str_eq(sda->below, "dm-0");
    cr_assert_eq(sda->read_ios, 4000);
    cr_assert_not(IS_KNOWN(sda, DISK_STAT, discard_ios), "an old kernel has no discards");
    /* steal: 20 of 100 + 50 + 30 + 20 ticks */
    cr_assert_float_eq(cell->steal, 0.1, 1e-12);
    /* 131072 bytes a request at dm-0, as asked; what is below may split */
    cr_assert_not(cell_has_caveat(cell, "requests-split"));
    cr_assert_not(cell_has_caveat(cell, "requests-merged"));
    cell_destroy(cell);
    cell = cell_of(RW_RANDREAD, 262144);
    counters_to_cell(cell, &before, &after, true);
    cr_assert(cell_has_caveat(cell, "requests-split"));
    cell_destroy(cell);
    cell = cell_of(RW_READ, 4096);
    counters_to_cell(cell, &before, &after, true);
    cr_assert(cell_has_caveat(cell, "requests-merged"));
    cell_destroy(cell);
    counters_release(&before);
    counters_release(&after);
    fields_release(&device_fields, &info);
}

/* The kernel read 4 MiB from the device: what a cell read beyond that came from elsewhere. */
Test(counters, reads_that_do_not_come_from_the_device, .init = setup, .fini = teardown)
{
    struct device_info info = {0};
    field_set_text(&device_fields, &info, DEVICE_resolved, "/dev/sda");
    write_file("/sys/class/block/sda/stat", "  0 0 0 0 0 0 0 0 0 0 0\n");
    struct counters before, after;
    look(&before, &info);
    write_file("/sys/class/block/sda/stat", "  1024 0 8192 90 10 0 80 5 0 800 95\n");
    make_folder("/sys/class/block/sda/queue");
    for (int counting = 1; counting >= 0; counting--) {
        write_file("/sys/class/block/sda/queue/iostats", counting ? "1\n" : "0\n");
        look(&after, &info);
        for (uint64_t mib = 4; mib <= 9; mib += 5) {
            struct cell *cell = cell_of(RW_RANDREAD, 4096);
            size_t device = 0;
            cell->n_devices = 1;
            cell->device = &device;
            SET(&cell->dir[DIR_READ], DIRECTION, ios, mib * 256);
            SET(&cell->dir[DIR_READ], DIRECTION, bytes, mib << 20);
            counters_to_cell(cell, &before, &after, true);
            cr_expect_eq(cell_has_caveat(cell, "not-from-device"), counting && mib == 9);
            cell->device = NULL;
            cell_destroy(cell);
        }
        counters_release(&after);
    }
    counters_release(&before);
    fields_release(&device_fields, &info);
}

Test(counters, what_is_not_there_stays_unknown, .init = setup, .fini = teardown)
{
    struct device_info info = {0};
    field_set_text(&device_fields, &info, DEVICE_path, "sim");
    struct counters before, after;
    look(&before, &info);
    look(&after, &info);
    struct cell *cell = cell_of(RW_RANDREAD, 4096);
    counters_to_cell(cell, &before, &after, true);
    cr_assert_eq(cell->n_disks, 0);
    cr_assert_not(IS_KNOWN(cell, CELL, steal));
    cell_destroy(cell);
    counters_release(&before);
    counters_release(&after);
    fields_release(&device_fields, &info);
}

/* A device that is gone, and a stat file of garbage, must not shift or invent anything. */
Test(counters, a_device_that_goes_away, .init = setup, .fini = teardown)
{
    struct device_info info = {0};
    field_set_text(&device_fields, &info, DEVICE_resolved, "/dev/dm-0");
    field_set_text(&device_fields, &info, DEVICE_below, "[\"sda\"]");
    write_file("/sys/class/block/dm-0/stat", "1 1 1 1 1 1 1 1 1 1 1\n");
    write_file("/sys/class/block/sda/stat", "2 2 2 2 2 2 2 2 2 2 2\n");
    struct counters before, after;
    look(&before, &info);
    char *name = xasprintf("%s/sys/class/block/dm-0/stat", root);
    unlink(name);
    free(name);
    write_file("/sys/class/block/sda/stat", "junk\n");
    look(&after, &info);
    struct cell *cell = cell_of(RW_RANDREAD, 4096);
    counters_to_cell(cell, &before, &after, true);
    cr_assert_eq(cell->n_disks, 0);
    cell_destroy(cell);
    counters_release(&before);
    counters_release(&after);
    fields_release(&device_fields, &info);
}
