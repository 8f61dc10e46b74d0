#include <criterion/criterion.h>
#include <sched.h>
#include <sys/utsname.h>

#include "core/base/strbuf.h"
#include "runner/host/host.h"
#include "tests/support/sysroot_file.h"

#define EXPECT_TEXT(have, want)                                                                    \
    cr_expect((have) && strcmp((have), (want)) == 0, "%s is %s, not %s", #have,                    \
              (have) ? (have) : "unknown", (want))

Test(host, bare_metal_server)
{
    struct sysroot sr = sysroot_file_unpack("server");
    struct host_info h = {0};
    host_describe(&h, &sr);
    EXPECT_TEXT(h.cpu_model, "AMD EPYC 7443P 24-Core Processor");
    EXPECT_TEXT(h.virt, "none");
    EXPECT_TEXT(h.dmi_product, "PowerEdge R6515");
    EXPECT_TEXT(h.dmi_bios, "Dell Inc. 2.8.5");
    EXPECT_TEXT(h.governor, "performance, powersave");
    EXPECT_TEXT(h.cgroup, "/docker/0a1b2c/bench");
    cr_expect_eq(h.cpus_online, 48);
    cr_expect_eq(h.numa_nodes, 2);
    cr_expect(IS_KNOWN(&h, HOST, smt) && h.smt);
    cr_expect(IS_KNOWN(&h, HOST, turbo) && !h.turbo);
    /* only system calls know these */
    cr_expect(!h.machine && !IS_KNOWN(&h, HOST, clock_read_ns) && !h.ionice);
    cr_expect(!h.kernel && !IS_KNOWN(&h, HOST, memory) && !h.mitigations);
    fields_release(&host_fields, &h);
    sysroot_file_remove(&sr);
}

Test(host, arm_guest_in_a_limited_group)
{
    struct sysroot sr = sysroot_file_unpack("aws");
    struct host_info h = {0};
    host_describe(&h, &sr);
    EXPECT_TEXT(h.cpu_model, "Arm Neoverse-N1");
    EXPECT_TEXT(h.virt, "kvm");
    EXPECT_TEXT(h.os, "Amazon Linux 2023");
    EXPECT_TEXT(h.kernel, "6.1.79-99.164.amzn2023.aarch64");
    EXPECT_TEXT(h.hostname, "ip-172-31-5-9");
    EXPECT_TEXT(h.cpus_allowed, "1");
    EXPECT_TEXT(h.clocksource, "arch_sys_counter");
    EXPECT_TEXT(h.cgroup, "/system.slice/bench.service/jobs");
    EXPECT_TEXT(h.mitigations,
                "{\"meltdown\":\"Not affected\",\"spectre_v2\":\"Mitigation: CSV2, BHB\"}");
    cr_expect_eq(h.memory, UINT64_C(3935920) * 1024);
    cr_expect_eq(h.aio_max_nr, 1048576);
    cr_expect(!IS_KNOWN(&h, HOST, io_uring_off) && !IS_KNOWN(&h, HOST, smt) && !h.governor);
    /* "max" is no limit; those of the groups around count */
    EXPECT_TEXT(h.io_limits,
                "[{\"device\":\"259:0\",\"kind\":\"bw\",\"side\":\"write\",\"value\":1048576,"
                "\"file\":\"/sys/fs/cgroup/system.slice/bench.service/io.max\"},"
                "{\"device\":\"259:2\",\"kind\":\"bw\",\"side\":\"read\",\"value\":134217728,"
                "\"file\":\"/sys/fs/cgroup/system.slice/bench.service/io.max\"},"
                "{\"device\":\"259:2\",\"kind\":\"iops\",\"side\":\"read\",\"value\":2000,"
                "\"file\":\"/sys/fs/cgroup/system.slice/bench.service/io.max\"}]");
    fields_release(&host_fields, &h);
    sysroot_file_remove(&sr);
}

Test(host, firecracker_guest)
{
    struct sysroot sr = sysroot_file_unpack("virtio");
    struct host_info h = {0};
    host_describe(&h, &sr);
    EXPECT_TEXT(h.virt, "firecracker");
    EXPECT_TEXT(h.clocksource, "tsc");
    EXPECT_TEXT(h.cpus_allowed, "0-1");
    cr_expect(IS_KNOWN(&h, HOST, io_uring_off) && h.io_uring_off == 0);
    cr_expect(!h.dmi_vendor && !h.io_limits);
    fields_release(&host_fields, &h);
    sysroot_file_remove(&sr);
}

static struct run *run_on(const char *devno, const char *below)
{
    struct run *run = run_create();
    run_add_device(run); /* of which nothing is known */
    struct device_info *d = run_add_device(run);
    field_set_text(&device_fields, d, DEVICE_devno, devno);
    field_set_text(&device_fields, d, DEVICE_below, below);
    return run;
}

Test(host, throttles_become_limits_of_the_run)
{
    struct sysroot sr = sysroot_file_unpack("server");
    struct run *run = run_on("8:16", NULL); /* sdb */
    host_add_limits(run, &sr);
    cr_assert_eq(run->n_limits, 2, "the group above throttles nobody else in v1");
    const struct limit *l = run->limit;
    cr_expect_eq(l[0].owner, OWNER_HOST);
    cr_expect_eq(l[0].device, 1);
    cr_expect_eq(l[0].kind, CAP_IOPS);
    cr_expect_eq(l[0].side, SIDE_READ);
    cr_expect_eq(l[0].value, 3500);
    EXPECT_TEXT(l[0].source, "/sys/fs/cgroup/blkio/bench/blkio.throttle.read_iops_device");
    cr_expect_eq(l[1].kind, CAP_BW);
    cr_expect_eq(l[1].side, SIDE_WRITE);
    cr_expect_eq(l[1].value, 52428800);
    run_destroy(run);

    run = run_on("9:127", "[\"sdb1\",\"sdb\",\"sdc1\",\"sdc\"]"); /* md on sdb */
    host_add_limits(run, &sr);
    cr_expect_eq(run->n_limits, 2);
    run_destroy(run);

    static const char on_md[] = "[\"md127\",\"sdb1\",\"sdb\",\"sdc1\",\"sdc\"]";
    run = run_on("7:0", on_md); /* a loop device that passes its I/O on */
    host_add_limits(run, &sr);
    cr_expect_eq(run->n_limits, 2);
    run_destroy(run);
    run = run_on("7:2", on_md); /* one behind the page cache, which no throttle holds */
    host_add_limits(run, &sr);
    cr_expect_eq(run->n_limits, 0);
    run_destroy(run);
    run = run_on("253:9", "[\"loop2\",\"md127\",\"sdb1\",\"sdb\"]");
    host_add_limits(run, &sr);
    cr_expect_eq(run->n_limits, 0, "and nothing that stands on it");
    run_destroy(run);

    run = run_on("8:32", NULL);
    host_add_limits(run, &sr);
    cr_expect_eq(run->n_limits, 0);
    run_destroy(run);
    sysroot_file_remove(&sr);
}

Test(host, this_machine)
{
    struct host_info h = {0};
    struct utsname name;
    cpu_set_t cpus;
    host_describe(&h, &sysroot_system);
    cr_assert(uname(&name) == 0 && sched_getaffinity(0, sizeof cpus, &cpus) == 0);
    EXPECT_TEXT(h.machine, name.machine);
    EXPECT_TEXT(h.kernel, name.release);
    EXPECT_TEXT(h.hostname, name.nodename);
    cr_expect(IS_KNOWN(&h, HOST, clock_read_ns) && h.clock_read_ns > 1 && h.clock_read_ns < 1e5);
    cr_expect(h.cpus_online >= (uint64_t)CPU_COUNT(&cpus));
    cr_expect(h.ionice && h.cpus_allowed && h.cpu_model && h.os);
    cr_expect(IS_KNOWN(&h, HOST, nofile_limit) && h.memory > 1 << 26);
    fields_release(&host_fields, &h);
}
