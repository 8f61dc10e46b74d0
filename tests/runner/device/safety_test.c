#include <criterion/criterion.h>

#include "core/base/strbuf.h"
#include "runner/device/device.h"
#include "runner/device/safety_internal.h"
#include "tests/support/sysroot_file.h"

/* Findings as text, one a line, "kind: text". */
static char *found_on(const struct sysroot *sr, const char *path)
{
    struct device_info info = {0};
    struct error err = ERROR_INIT;
    struct findings f = {0};
    struct strbuf text = STRBUF_INIT;
    cr_assert(device_describe(&info, sr, path, 0, &err) == 0, "%s", err.message);
    struct usage *u = usage_create(sr);
    safety_inspect(&f, u, &info);
    for (size_t i = 0; i < f.n; i++)
        strbuf_addf(&text, "%s: %s\n", finding_names[f.item[i].kind], f.item[i].text);
    findings_release(&f);
    usage_destroy(u);
    fields_release(&device_fields, &info);
    return strbuf_detach(&text);
}

static void expect_found(const char *path, const char *want)
{
    struct sysroot sr = sysroot_file_unpack("server");
    char *have = found_on(&sr, path);
    cr_expect_str_eq(have, want, "%s:\n%s", path, have);
    free(have);
    sysroot_file_remove(&sr);
}

#define HOME_MOUNTS                                                                                \
    "mounted: /dev/dm-2 (vg0-home--data) is mounted on /home\n"                                    \
    "mounted: /dev/dm-2 (vg0-home--data) is mounted on /var/www files\n"                           \
    "mounted: /dev/dm-2 (vg0-home--data) is mounted on /usr/share/html in the mount namespace of " \
    "containerd-shim (pid 812)\n"
#define LVM                                                                                        \
    "held: /dev/sda3 is held by the LVM volume vg0-root (dm-0)\n"                                  \
    "held: /dev/sda3 is held by the LVM volume vg0-swap (dm-1)\n"                                  \
    "held: /dev/sda3 is held by the LVM volume vg0-home--data (dm-2)\n"                            \
    "mounted: /dev/dm-0 (vg0-root) is mounted on /\n"                                              \
    "loop: /dev/dm-0 (vg0-root) holds /var/lib/vm.img, the file behind /dev/loop3\n"               \
    "swap: /dev/dm-1 (vg0-swap) is in use as swap\n" HOME_MOUNTS

Test(safety, free_disks_have_no_findings)
{
    expect_found("/dev/nvme0n1", ""); /* open in this very process only */
    expect_found("/dev/nvme1n1", "");
    expect_found("/dev/sdk", "");
}

Test(safety, whole_disk_with_mounts_lvm_and_swap)
{
    expect_found("/dev/sda", "mounted: /dev/sda1 is mounted on /boot/efi\n"
                             "mounted: /dev/sda2 is mounted on /boot\n" LVM);
}

Test(safety, physical_volume_and_logical_volume)
{
    expect_found("/dev/disk/by-id/wwn-0x5002538f42b1f3ac-part3", LVM);
    expect_found("/dev/mapper/vg0-home--data", HOME_MOUNTS); /* its siblings do not matter */
}

Test(safety, swap_partition)
{
    expect_found("/dev/sdl1", "swap: /dev/sdl1 is in use as swap\n");
}

Test(safety, raid_member)
{
    expect_found("/dev/sdc",
                 "held: /dev/sdc1 is held by the raid1 array md127\n"
                 "mounted: /dev/md127 is mounted on /srv\n"
                 "loop: /dev/md127 holds /srv/images/guest 1.raw, the file behind /dev/loop0\n"
                 "loop: /dev/md127 holds /srv/images/guest 1.raw, the file behind /dev/loop2\n");
}

Test(safety, multipath_path_and_its_map)
{
    expect_found("/dev/sde",
                 "held: /dev/sde is held by the multipath device mpatha (dm-3)\n"
                 "held: /dev/dm-3 (mpatha) is held by the partition mapping mpatha1 (dm-4)\n");
    expect_found("/dev/mapper/mpatha1", "");
}

Test(safety, encrypted_disk_mounted_by_a_container)
{
    expect_found("/dev/sdf", "held: /dev/sdf is held by the dm-crypt device luks-backup (dm-5)\n"
                             "mounted: /dev/dm-5 (luks-backup) is mounted on /backup in the mount "
                             "namespace of containerd-shim (pid 812)\n");
}

/* The mount table names sdg alone. */
Test(safety, second_disk_of_a_btrfs)
{
    expect_found("/dev/sdg", "mounted: /dev/sdg is mounted on /archive\n");
    expect_found("/dev/sdh", "mounted: /dev/sdh is mounted on /archive\n");
}

Test(safety, read_only_and_opened)
{
    expect_found("/dev/sdi", "read-only: /dev/sdi is read-only\n");
    expect_found("/dev/sdj", "open: /dev/sdj is open in oracle (pid 940) for writing\n"
                             "open: /dev/sdj is open in smartd (pid 941) for reading\n");
}

Test(safety, loop_devices_both_ways)
{
    /* from below: the partition, its disk */
    expect_found("/dev/sdl2", "loop: /dev/sdl2 is the backing device of /dev/loop1\n");
    /* from above: it is the way to these bytes, and the swap beside them is none of it */
    expect_found("/dev/loop1", "");
    /* beside a mounted partition of the same loop device */
    expect_found("/dev/loop3p2", "");
    expect_found("/dev/loop3", "mounted: /dev/loop3p1 is mounted on /mnt/image\n");
    /* two loop devices on one file share their bytes; neither is in use */
    expect_found("/dev/loop0", "");
}

static struct findings made_up(void)
{
    struct findings f = {0};
    finding_add(&f, FINDING_PARTITION_TABLE, "/dev/sdb", "/dev/sdb: gpt partition table");
    finding_add(&f, FINDING_SIGNATURE, "/dev/sdb1", "/dev/sdb1: ext4 signature \"%s\"", "backups");
    return f;
}

static struct device_info disk(const char *path, const char *resolved)
{
    struct device_info info = {0};
    field_set_text(&device_fields, &info, DEVICE_path, path);
    field_set_text(&device_fields, &info, DEVICE_resolved, resolved);
    field_set_text(&device_fields, &info, DEVICE_type, "disk");
    return info;
}

Test(safety, judge_needs_both_permissions)
{
    struct findings none = {0}, f = made_up();
    struct error err = ERROR_INIT;
    struct device_info info = disk("/dev/disk/by-id/x", "/dev/sdb");
    struct safety_permit no = {0}, write = {.allow_write = true};

    cr_expect_eq(safety_judge(&none, &info, &no, &err), -ERR_REFUSED);
    cr_expect(strstr(err.message, "--allow-write") != NULL, "%s", err.message);
    cr_expect_eq(safety_judge(&none, &info, &write, &err), 0);

    cr_expect_eq(safety_judge(&f, &info, &write, &err), -ERR_REFUSED);
    cr_expect_str_eq(err.message, "writing to /dev/disk/by-id/x is refused:\n"
                                  "  /dev/sdb: gpt partition table\n"
                                  "  /dev/sdb1: ext4 signature \"backups\"\n"
                                  "if its content may be destroyed, say so with "
                                  "--destroy-data=/dev/disk/by-id/x");
    static const char *const wrong[] = {"/dev/sdb1", "/dev/sd", "sdb", "/dev/sdb/"};
    struct safety_permit permit = {true, wrong, 4};
    cr_expect_eq(safety_judge(&f, &info, &permit, &err), -ERR_REFUSED);
    static const char *const given[] = {"/dev/sda", "/dev/disk/by-id/x"};
    permit = (struct safety_permit){true, given, 2};
    cr_expect_eq(safety_judge(&f, &info, &permit, &err), 0);
    static const char *const resolved[] = {"/dev/sdb"};
    permit = (struct safety_permit){true, resolved, 1};
    cr_expect_eq(safety_judge(&f, &info, &permit, &err), 0);
    permit.allow_write = false;
    cr_expect_eq(safety_judge(&f, &info, &permit, &err), -ERR_REFUSED);
    findings_release(&f);
    fields_release(&device_fields, &info);
}

/* A link or a node elsewhere does not say which device is meant. */
Test(safety, destroy_data_is_spelled_with_a_path_in_dev)
{
    static const struct {
        const char *path;
        bool named;
    } row[] = {{"/dev/disk/by-id/x", true}, {"/tmp/node", false}, {"/dev/../tmp/node", false},
               {"/dev/shm/node", false},    {"sdb", false},       {"/dev/sdb", true}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct safety_permit permit = {true, &row[i].path, 1};
        struct device_info info = disk(row[i].path, "/dev/sdb");
        struct findings f = made_up();
        struct error err = ERROR_INIT;
        finding_add(&f, FINDING_SIGNATURE, "/dev/sdb", "the reason");
        cr_expect_eq(safety_judge(&f, &info, &permit, &err), row[i].named ? 0 : -ERR_REFUSED, "%s",
                     row[i].path);
        cr_expect(row[i].named || strstr(err.message, "--destroy-data=/dev/sdb") != NULL, "%s",
                  err.message);
        findings_release(&f);
        fields_release(&device_fields, &info);
    }
}

/* --destroy-data overrules signatures, never what is in use. */
Test(safety, destroy_data_never_overrules_use)
{
    static const char *const own[] = {"/dev/sdb"};
    struct safety_permit all = {true, own, 1};
    struct device_info info = disk("/dev/sdb", "/dev/sdb");
    struct error err = ERROR_INIT;
    for (int kind = 0; kind < FINDING_COUNT; kind++) {
        struct findings f = made_up();
        finding_add(&f, (enum finding_kind)kind, "/dev/sdb", "the reason");
        bool can = kind == FINDING_SIGNATURE || kind == FINDING_PARTITION_TABLE ||
                   kind == FINDING_NOT_OURS;
        cr_expect_eq(safety_judge(&f, &info, &all, &err), can ? 0 : -ERR_REFUSED, "%s",
                     finding_names[kind]);
        if (!can)
            cr_expect(strstr(err.message, "the reason") && !strstr(err.message, "ext4") &&
                          strstr(err.message, "no option overrules this"),
                      "%s", err.message);
        findings_release(&f);
    }
    fields_release(&device_fields, &info);
}

Test(safety, judge_with_many_findings_keeps_the_hint)
{
    struct findings f = {0};
    struct error err = ERROR_INIT;
    struct device_info info = disk("/dev/sdb", "/dev/sdb");
    struct safety_permit write = {.allow_write = true};
    for (int i = 0; i < 200; i++)
        finding_add(&f, FINDING_MOUNTED, "/dev/sdb1", "/dev/sdb1 is mounted on /pod/%d", i);
    cr_expect_eq(safety_judge(&f, &info, &write, &err), -ERR_REFUSED);
    cr_expect(strstr(err.message, "and 190 more") && strstr(err.message, "no option overrules"),
              "%s", err.message);
    findings_release(&f);
    fields_release(&device_fields, &info);
}
