#include <criterion/criterion.h>

#include "runner/device/describe_internal.h"
#include "runner/device/device.h"
#include "tests/support/sysroot_file.h"

static struct device_info describe(const struct sysroot *sr, const char *path)
{
    struct device_info info = {0};
    struct error err = ERROR_INIT;
    cr_assert(device_describe(&info, sr, path, 0, &err) == 0, "%s: %s", path, err.message);
    return info;
}

static void forget(struct device_info *info)
{
    fields_release(&device_fields, info);
}

#define EXPECT_TEXT(have, want)                                                                    \
    cr_expect((have) && strcmp((have), (want)) == 0, "%s is %s, not %s", #have,                    \
              (have) ? (have) : "unknown", (want))

Test(describe, nvme_disk)
{
    struct sysroot sr = sysroot_file_unpack("server");
    struct device_info d = describe(&sr, "/dev/nvme0n1");
    EXPECT_TEXT(d.type, "disk");
    EXPECT_TEXT(d.model, "SAMSUNG MZQL21T9HCJR-00A07");
    EXPECT_TEXT(d.serial, "S64GNE0R602381");
    EXPECT_TEXT(d.firmware, "GDC5602Q");
    EXPECT_TEXT(d.wwid, "eui.36344730526023810025384300000001");
    EXPECT_TEXT(d.transport, "nvme");
    EXPECT_TEXT(d.devno, "259:0");
    EXPECT_TEXT(d.scheduler, "none");
    EXPECT_TEXT(d.write_cache, "write through");
    EXPECT_TEXT(d.zoned, "none");
    cr_expect_eq(d.size, 1920383410176);
    cr_expect_eq(d.logical_block, 512);
    cr_expect_eq(d.dio_align, 512);
    cr_expect_eq(d.nr_requests, 1023);
    cr_expect_eq(d.hw_queues, 4);
    cr_expect_eq(d.wbt_lat_us, 2000);
    cr_expect_eq(d.discard_max, 2199023255040);
    cr_expect(IS_KNOWN(&d, DEVICE, numa_node) && d.numa_node == 1);
    cr_expect(IS_KNOWN(&d, DEVICE, temperature) && d.temperature == 38.85);
    cr_expect(IS_KNOWN(&d, DEVICE, rotational) && !d.rotational);
    cr_expect(!IS_KNOWN(&d, DEVICE, percent_used), "only the device itself knows its wear");
    cr_expect(!d.vendor && !d.fs_type && !d.below && !d.backing_file);
    forget(&d);

    d = describe(&sr, "/dev/nvme1n1"); /* multipath: model and serial are at the subsystem */
    EXPECT_TEXT(d.model, "Dell Ent NVMe v2 AGN RI U.2 3.84TB");
    EXPECT_TEXT(d.transport, "nvme");
    cr_expect_eq(d.physical_block, 4096);
    cr_expect(!IS_KNOWN(&d, DEVICE, nr_requests) && !IS_KNOWN(&d, DEVICE, numa_node));
    forget(&d);
    sysroot_file_remove(&sr);
}

Test(describe, scsi_disks_by_any_path)
{
    struct sysroot sr = sysroot_file_unpack("server");
    struct device_info d = describe(&sr, "/dev/disk/by-id/wwn-0x5002538f42b1f3ac");
    EXPECT_TEXT(d.path, "/dev/disk/by-id/wwn-0x5002538f42b1f3ac");
    EXPECT_TEXT(d.resolved, "/dev/sda");
    EXPECT_TEXT(d.vendor, "ATA");
    EXPECT_TEXT(d.model, "Samsung SSD 870");
    EXPECT_TEXT(d.serial, "S62CNF0R408274Z");
    EXPECT_TEXT(d.wwid, "naa.5002538f42b1f3ac");
    EXPECT_TEXT(d.firmware, "2B6Q");
    EXPECT_TEXT(d.transport, "sata");
    EXPECT_TEXT(d.scheduler, "mq-deadline");
    cr_expect_eq(d.temperature, 31);
    cr_expect(!IS_KNOWN(&d, DEVICE, numa_node), "-1 means that there is none");
    forget(&d);

    d = describe(&sr, "/dev/disk/by-id/scsi-SATA_a:b c"); /* colon and blank in the name */
    EXPECT_TEXT(d.resolved, "/dev/sdg");
    forget(&d);

    static const struct {
        const char *path, *transport;
    } bus[] = {{"/dev/sdb", "sas"},  {"/dev/sdd", "fc"},    {"/dev/sdf", "iscsi"},
               {"/dev/sdi", "usb"},  {"/dev/dm-0", "dm"},   {"/dev/md127", "md"},
               {"/dev/ram0", "ram"}, {"/dev/loop0", "loop"}};
    for (size_t i = 0; i < sizeof bus / sizeof bus[0]; i++) {
        d = describe(&sr, bus[i].path);
        EXPECT_TEXT(d.transport, bus[i].transport);
        forget(&d);
    }
    d = describe(&sr, "/dev/sdk");
    EXPECT_TEXT(d.zoned, "host-managed");
    forget(&d);
    d = describe(&sr, "/dev/cciss/c0d0"); /* the kernel name has '!' for '/' */
    EXPECT_TEXT(d.resolved, "/dev/cciss/c0d0");
    EXPECT_TEXT(d.devno, "104:0");
    cr_expect(!d.transport && !d.model);
    forget(&d);
    sysroot_file_remove(&sr);
}

Test(describe, what_stands_on_what)
{
    struct sysroot sr = sysroot_file_unpack("server");
    static const struct {
        const char *path, *type, *below;
    } stack[] = {
        {"/dev/sda", "disk", NULL},
        {"/dev/sda3", "part", "[\"sda\"]"},
        {"/dev/vg0/home-data", "dm", "[\"sda3\",\"sda\"]"},
        {"/dev/md127", "md", "[\"sdb1\",\"sdb\",\"sdc1\",\"sdc\"]"},
        {"/dev/mapper/mpatha1", "dm", "[\"dm-3\",\"sdd\",\"sde\"]"},
        {"/dev/loop1", "loop", "[\"sdl2\",\"sdl\"]"},
        /* past the page cache to a file, and into it */
        {"/dev/loop0", "loop", "[\"md127\",\"sdb1\",\"sdb\",\"sdc1\",\"sdc\"]"},
        {"/dev/loop2", "loop", NULL},
    };
    for (size_t i = 0; i < sizeof stack / sizeof stack[0]; i++) {
        struct device_info d = describe(&sr, stack[i].path);
        EXPECT_TEXT(d.type, stack[i].type);
        if (stack[i].below)
            EXPECT_TEXT(d.below, stack[i].below);
        else
            cr_expect_null(d.below, "%s", stack[i].path);
        forget(&d);
    }
    struct device_info d = describe(&sr, "/dev/sda3"); /* shares the queue of its disk */
    cr_expect_eq(d.size, UINT64_C(934553600) * 512);
    cr_expect_eq(d.nr_requests, 64);
    EXPECT_TEXT(d.model, "Samsung SSD 870");
    forget(&d);
    d = describe(&sr, "/dev/mapper/vg0-root");
    EXPECT_TEXT(d.wwid, "LVM-k2fTQGLPzOTn5UzJ4zTL3m0d8y4dRlyhaX9JVu1gHBVsT9QwLk1eCvF5pVZQGz1b");
    forget(&d);
    d = describe(&sr, "/dev/loop0");
    EXPECT_TEXT(d.backing_file, "/srv/images/guest 1.raw");
    forget(&d);
    sysroot_file_remove(&sr);
}

Test(describe, ebs_volume_id_is_in_the_serial)
{
    struct sysroot sr = sysroot_file_unpack("aws");
    struct device_info d = describe(&sr, "/dev/nvme1n1");
    EXPECT_TEXT(d.cloud_volume_id, "vol-00112233445566778");
    forget(&d);
    d = describe(&sr, "/dev/nvme2n1");
    EXPECT_TEXT(d.model, "Amazon EC2 NVMe Instance Storage");
    cr_expect_null(d.cloud_volume_id);
    forget(&d);
    sysroot_file_remove(&sr);
}

Test(describe, virtio_guest)
{
    struct sysroot sr = sysroot_file_unpack("virtio");
    struct device_info d = describe(&sr, "/dev/vda");
    EXPECT_TEXT(d.transport, "virtio");
    EXPECT_TEXT(d.serial, "root-disk-1");
    EXPECT_TEXT(d.scheduler, "mq-deadline");
    cr_expect_null(d.vendor, "0x1af4 is no name");
    cr_expect_null(d.model);
    cr_expect_null(d.firmware);
    cr_expect_eq(d.size, UINT64_C(256) << 30);
    cr_expect_eq(d.max_sectors_kb, 4096);
    forget(&d);
    d = describe(&sr, "/dev/zram0");
    cr_expect(!IS_KNOWN(&d, DEVICE, nr_requests) && !IS_KNOWN(&d, DEVICE, hw_queues));
    cr_expect_null(d.scheduler);
    cr_expect(device_is_idle(&d));
    forget(&d);
    sysroot_file_remove(&sr);
}

Test(describe, nothing_there)
{
    struct sysroot sr = sysroot_file_unpack("virtio");
    struct device_info d = {0};
    struct error err = ERROR_INIT;
    cr_expect_eq(device_describe(&d, &sr, "/dev/sdz", 0, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "/dev/sdz") && strstr(err.message, "blkmatrix devices"), "%s",
              err.message);
    sysroot_file_remove(&sr);
}

Test(describe, list_is_in_the_order_of_people)
{
    struct sysroot sr = sysroot_file_unpack("server");
    struct device_info *info;
    size_t n, loop2 = 0, loop10 = 0, idle = 0;
    device_list(&info, &n, &sr);
    cr_expect_eq(n, 38);
    for (size_t i = 0; i < n; i++) {
        cr_expect(strcmp(info[i].resolved, "/dev/nvme1c1n1") != 0, "a hidden path is listed");
        loop2 = strcmp(info[i].resolved, "/dev/loop2") == 0 ? i : loop2;
        loop10 = strcmp(info[i].resolved, "/dev/loop10") == 0 ? i : loop10;
        idle += device_is_idle(&info[i]);
    }
    cr_expect(loop2 > 0 && loop10 == loop2 + 4);
    cr_expect_eq(idle, 3, "loop10, zram0, ram0");
    device_list_free(info, n);
    sysroot_file_remove(&sr);
}

Test(describe, nvme_smart_log)
{
    struct device_info d = {0};
    unsigned char log[512] = {0x00, 0x37, 0x01, 0x64, 0x0a, 0x03};
    parse_nvme_smart(&d, log);
    cr_expect(IS_KNOWN(&d, DEVICE, percent_used) && d.percent_used == 3);
}

Test(describe, this_machine)
{
    struct device_info *info;
    size_t n;
    device_list(&info, &n, &sysroot_system);
    for (size_t i = 0; i < n; i++) {
        cr_expect_not_null(info[i].devno, "%s", info[i].path);
        cr_expect(IS_KNOWN(&info[i], DEVICE, dio_align), "%s", info[i].path);
    }
    device_list_free(info, n);
    struct device_info d = describe(&sysroot_system, "/proc/../etc/passwd");
    EXPECT_TEXT(d.resolved, "/etc/passwd");
    EXPECT_TEXT(d.type, "file");
    cr_expect(d.fs_type && d.mount_point && d.mount_options);
    forget(&d);
}

Test(describe, check_io_says_what_to_use)
{
    struct device_info d = {0};
    struct error err = ERROR_INIT;
    struct strbuf warning = STRBUF_INIT;
    field_set_text(&device_fields, &d, DEVICE_path, "/dev/zram1");
    SET(&d, DEVICE, dio_align, 4096);
    SET(&d, DEVICE, physical_block, 4096);
    SET(&d, DEVICE, size, 1 << 20);
    cr_expect_eq(device_check_io(&d, true, 4096, 0, &warning, &err), 0);
    cr_expect_eq(device_check_io(&d, true, 512, 0, &warning, &err), -ERR_USAGE);
    cr_expect_str_eq(err.message, "block size 512 does not work on /dev/zram1: with O_DIRECT it "
                                  "must be a multiple of 4k\nuse multiples of 4k, or --direct 0 "
                                  "(buffered)");
    cr_expect_eq(device_check_io(&d, true, 4096, 1536, &warning, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "offset 1.5k") != NULL, "%s", err.message);
    cr_expect_eq(device_check_io(&d, false, 512, 0, NULL, &err), 0);
    cr_expect_eq(device_check_io(&d, false, 2 << 20, 0, NULL, &err), -ERR_USAGE);
    cr_expect_str_empty(warning.text);

    SET(&d, DEVICE, dio_align, 512);
    cr_expect_eq(device_check_io(&d, true, 512, 0, &warning, &err), 0);
    cr_expect(strstr(warning.text, "physical block of 4k") != NULL, "%s", warning.text);
    strbuf_release(&warning);
    forget(&d);
}
