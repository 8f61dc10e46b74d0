/* Statistics pages that tests/data/volume_page/make.py packed, byte by byte. */
#include "runner/device/volume_page.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xalloc.h"

#define SECONDS_30 UINT64_C(30000000000)

static void load(unsigned char page[VOLUME_PAGE_SIZE], const char *name)
{
    char *path = xasprintf(TEST_DATA "/volume_page/%s.bin", name);
    FILE *f = fopen(path, "re");
    cr_assert(f, "%s", path);
    cr_assert_eq(fread(page, 1, VOLUME_PAGE_SIZE, f), VOLUME_PAGE_SIZE);
    fclose(f);
    free(path);
}

static struct volume_page parsed(const char *name)
{
    unsigned char bytes[VOLUME_PAGE_SIZE];
    load(bytes, name);
    struct volume_page page;
    struct error err = ERROR_INIT;
    cr_assert_eq(volume_page_parse(&page, bytes, sizeof bytes, &err), 0, "%s", err.message);
    return page;
}

static struct volume_stat between(const char *start, const char *end)
{
    const struct volume_page before = parsed(start), after = parsed(end);
    struct volume_stat stat = {0};
    cr_assert(volume_page_difference(&stat, &before, &after, SECONDS_30));
    return stat;
}

Test(volume_page, the_counters_have_their_places)
{
    const struct volume_page p = parsed("start");
    cr_assert_eq(p.kind, VOLUME_EBS);
    const uint64_t want[VOLUME_COUNTS] = {1000, 2000, 16384000, 131072000, 900000, 3000000};
    for (size_t i = 0; i < VOLUME_COUNTS; i++)
        cr_assert_eq(p.count[i], want[i], "%zu", i);
    cr_assert_eq(p.queue, 0);
    cr_assert(p.read.n == 3 && p.write.n == 3);
    cr_assert(p.read.bin[1].from_us == 512 && p.read.bin[1].to_us == 1024 &&
              p.read.bin[1].n == 300);
    cr_assert_eq(p.write.bin[2].n, 200);
}

Test(volume_page, thirty_seconds_of_load)
{
    static const struct {
        const char *page;
        uint64_t reads, writes, read_bytes, write_bytes, queue;
        uint64_t exceeded_us[4]; /* disk IOPS, disk throughput, VM IOPS, VM throughput */
    } want[] = {
        {"disk-tp", 1712, 28944, 448790528, 1896873984, 16, {0, 4900000, 0, 0}},
        {"disk-iops", 0, 12000, 0, 49152000, 32, {29500000, 0, 0, 0}},
        {"vm-tp", 3372, 38400, 883949568, UINT64_C(2516582400), 24, {0, 0, 0, 4600000}},
        {"both", 2360, 38400, 618659840, UINT64_C(2516582400), 20, {1630000, 0, 0, 3370000}},
        {"idle", 10, 10, 40960, 40960, 0, {0, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct volume_stat s = between("start", want[i].page);
        cr_expect_str_eq(s.kind, "ebs");
        cr_expect_eq(s.span_ns, SECONDS_30);
        cr_expect_eq(s.read_ios, want[i].reads, "%s", want[i].page);
        cr_expect_eq(s.write_ios, want[i].writes, "%s", want[i].page);
        cr_expect_eq(s.read_bytes, want[i].read_bytes, "%s", want[i].page);
        cr_expect_eq(s.write_bytes, want[i].write_bytes, "%s", want[i].page);
        cr_expect_eq(s.read_ns, want[i].reads * 2000000, "%s", want[i].page);
        cr_expect_eq(s.queue, want[i].queue, "%s", want[i].page);
        cr_expect_eq(s.disk_iops_exceeded_ns, want[i].exceeded_us[0] * 1000, "%s", want[i].page);
        cr_expect_eq(s.disk_bw_exceeded_ns, want[i].exceeded_us[1] * 1000, "%s", want[i].page);
        cr_expect_eq(s.vm_iops_exceeded_ns, want[i].exceeded_us[2] * 1000, "%s", want[i].page);
        cr_expect_eq(s.vm_bw_exceeded_ns, want[i].exceeded_us[3] * 1000, "%s", want[i].page);
        cr_expect(IS_KNOWN(&s, VOLUME_STAT, vm_bw_exceeded_ns));
        fields_release(&volume_stat_fields, &s);
    }
}

Test(volume_page, histograms_are_of_the_time_between)
{
    struct volume_stat s = between("start", "vm-tp");
    cr_assert_str_eq(s.read_hist, "[[1024000,4096000,3372]]");
    cr_assert_str_eq(s.write_hist, "[[1024000,4096000,38400]]");
    fields_release(&volume_stat_fields, &s);
    s = between("start", "disk-iops");
    cr_assert_str_eq(s.read_hist, "[]", "known, and none: not the same as unknown");
    fields_release(&volume_stat_fields, &s);
}

Test(volume_page, other_bins_make_a_histogram_unknown_and_no_more)
{
    struct volume_page before = parsed("start"), after = parsed("vm-tp");
    after.read.bin[2].to_us = 8192;
    after.write.bin[0].n = 1; /* went down: 32 bits were full */
    struct volume_stat s = {0};
    cr_assert(volume_page_difference(&s, &before, &after, SECONDS_30));
    cr_assert_null(s.read_hist);
    cr_assert_null(s.write_hist);
    cr_assert_eq(s.read_ios, 3372);
    fields_release(&volume_stat_fields, &s);
}

/* Its cap is that of the disk; what its page has elsewhere is not agreed upon, and not taken. */
Test(volume_page, an_instance_store_has_a_cap_of_its_own_only)
{
    struct volume_stat s = between("store-start", "store-end");
    cr_assert_str_eq(s.kind, "instance-store");
    cr_assert_eq(s.disk_iops_exceeded_ns, UINT64_C(29000000000));
    cr_assert_eq(s.disk_bw_exceeded_ns, 1000000);
    cr_assert_not(IS_KNOWN(&s, VOLUME_STAT, vm_iops_exceeded_ns));
    cr_assert_not(IS_KNOWN(&s, VOLUME_STAT, vm_bw_exceeded_ns));
    cr_assert_null(s.read_hist);
    cr_assert_eq(s.read_ios, 300000);
    cr_assert_eq(s.queue, 7);
    fields_release(&volume_stat_fields, &s);
}

Test(volume_page, a_counter_that_went_down_says_nothing)
{
    const struct volume_page start = parsed("start"), end = parsed("both"),
                             store = parsed("store-end");
    struct volume_stat s = {0};
    cr_assert_not(volume_page_difference(&s, &end, &start, SECONDS_30), "attached anew");
    cr_assert_not(volume_page_difference(&s, &start, &store, SECONDS_30), "another volume");
    struct volume_page huge = end;
    huge.count[VOLUME_VM_BW_US] = UINT64_MAX; /* no such time: more than 64 bits of ns */
    cr_assert_not(volume_page_difference(&s, &start, &huge, SECONDS_30));
    cr_assert_eq(s.known, 0);
    cr_assert_null(s.kind);
}

static void refuse(const unsigned char *bytes, size_t n, const char *word)
{
    struct volume_page page = {.queue = 99};
    struct error err = ERROR_INIT;
    cr_assert_eq(volume_page_parse(&page, bytes, n, &err), -ERR_DEVICE);
    cr_assert(strstr(err.message, word), "%s", err.message);
    cr_assert_eq(page.queue, 99, "untouched");
}

Test(volume_page, damaged_pages_are_refused)
{
    unsigned char bytes[VOLUME_PAGE_SIZE];
    load(bytes, "start");
    refuse(bytes, VOLUME_PAGE_SIZE - 1, "4095");
    refuse(bytes, 0, "0 bytes");
    bytes[512] = 65;
    refuse(bytes, sizeof bytes, "65 bins in its histogram of reads");
    bytes[512] = 3;
    memset(bytes + 2056, 0xFF, 8);
    refuse(bytes, sizeof bytes, "histogram of writes");
    load(bytes, "start");
    bytes[0] ^= 1;
    refuse(bytes, sizeof bytes, "3c23b511");
    memset(bytes, 0, sizeof bytes);
    refuse(bytes, sizeof bytes, "00000000");
}

/* ---- which disks ---- */

static char root[] = "/tmp/blkmatrix-volume-page.XXXXXX";

static void write_model(const char *disk, const char *model)
{
    char *command = xasprintf("mkdir -p '%s/sys/class/block/%s/device' && printf '%s\\n' > "
                              "'%s/sys/class/block/%s/device/model'",
                              root, disk, model, root, disk);
    cr_assert_eq(system(command), 0);
    free(command);
}

Test(volume_page, only_amazons_volumes_are_asked)
{
    cr_assert(mkdtemp(root));
    const struct sysroot sr = {root};
    write_model("nvme0n1", "Amazon Elastic Block Store              ");
    write_model("nvme1n1", "Amazon EC2 NVMe Instance Storage        ");
    write_model("nvme2n1", "Samsung SSD 980 PRO 1TB");
    write_model("sda", "Amazon Elastic Block Store");
    cr_expect(volume_has_page(&sr, "nvme0n1"));
    cr_expect(volume_has_page(&sr, "nvme1n1"));
    cr_expect_not(volume_has_page(&sr, "nvme2n1"));
    cr_expect_not(volume_has_page(&sr, "sda"), "no NVMe disk");
    cr_expect_not(volume_has_page(&sr, "nvme3n1"));
    struct volume_page page;
    struct error err = ERROR_INIT;
    cr_expect_eq(volume_page_read(&page, &sr, "nvme0n1", &err), -ERR_DEVICE);
    cr_expect(strstr(err.message, "nvme0n1.log-d0"), "%s", err.message);
    char *command = xasprintf("rm -rf %s", root);
    cr_assert_eq(system(command), 0);
    free(command);
}

/* The real way, on what is no such volume. */
Test(volume_page, what_cannot_answer_says_why)
{
    const struct sysroot here = {""};
    struct volume_page page;
    struct error err = ERROR_INIT;
    cr_expect_eq(volume_page_read(&page, &here, "null", &err), -ERR_DEVICE);
    cr_expect(strstr(err.message, "no block device"), "%s", err.message);
    cr_expect_eq(volume_page_read(&page, &here, "blkmatrix-none", &err), -ERR_DEVICE);
    cr_expect(strstr(err.message, "/dev/blkmatrix-none"), "%s", err.message);
    if (access("/dev/loop0", R_OK) != 0)
        return;
    cr_expect_eq(volume_page_read(&page, &here, "loop0", &err), -ERR_DEVICE);
    cr_expect(strstr(err.message, "/dev/loop0"), "%s", err.message);
}
