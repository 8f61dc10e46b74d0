/* Which rule fires on which load, and the sentences word for word. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "report/diagnosis/exceeded.h"
#include "report/diagnosis/rule.h"
#include "tests/support/judged.h"

#define KiB UINT64_C(1024)

/* A ladder of depths at one block size under a ceiling; latency 0.1 ms an I/O below it. */
static void ladder(struct judged *j, enum rw rw, uint64_t bs, double iops_cap, double bw_cap)
{
    static const uint64_t depth[] = {1, 4, 16, 32, 64};
    for (size_t i = 0; i < sizeof depth / sizeof *depth; i++) {
        double rate = fmin((double)depth[i] / 1e-4, fmin(iops_cap, bw_cap / (double)bs));
        judged_add(j, (struct made){.rw = rw, .bs = bs, .depth = depth[i], .iops = rate});
    }
}

Test(sentence, levels_off_without_a_known_cap)
{
    struct judged j = judged_begin(made_run());
    static const uint64_t depth[] = {1, 4, 16, 32, 64};
    static const double iops[] = {3200, 12500, 44000, 71200, 71300};
    for (int i = 0; i < 5; i++)
        judged_add(&j, (struct made){
                           .rw = RW_RANDREAD, .bs = 4 * KiB, .depth = depth[i], .iops = iops[i]});
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->verdict,
                     "IOPS level off at 71.3k from QD 32 and no known cap explains it.");
    cr_assert_str_eq(j.diagnosis->headline, "Random reads level off at 71.3k IOPS");
    cr_assert_null(j.diagnosis->second);
    cr_assert_eq(j.diagnosis->finding[4].binds, BINDS_UNEXPLAINED);
    cr_assert_eq(j.diagnosis->finding[0].binds, BINDS_LATENCY);
    judged_end(&j);
}

Test(sentence, latency_binds)
{
    struct judged j = judged_begin(made_run());
    for (uint64_t depth = 1; depth <= 64; depth *= 4)
        judged_add(&j, (struct made){.rw = RW_RANDREAD,
                                     .bs = 4 * KiB,
                                     .depth = depth,
                                     .iops = (double)depth / 1.58e-3});
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->verdict, "No cap binds up to QD 64: latency does (1.58 ms a "
                                           "read), deeper queues still help.");
    cr_assert_str_eq(j.diagnosis->headline, "Latency, not a cap, limits random reads");
    judged_end(&j);
}

Test(sentence, two_ceilings)
{
    struct judged j = judged_begin(made_run());
    for (uint64_t bs = 4 * KiB; bs <= 1024 * KiB; bs *= 4)
        ladder(&j, RW_RANDREAD, bs, 71200, 1940 * 1048576.0);
    judged_judge(&j);
    cr_assert_str_eq(
        j.diagnosis->verdict,
        "At 4k to 16k IOPS level off at 71.2k from QD 16; from 64k up throughput levels "
        "off at 1,940 MiB/s from QD 4, and no known cap explains either.");
    cr_assert_str_eq(j.diagnosis->headline, "Random reads level off at 71.2k IOPS and 1,940 MiB/s");
    cr_assert_eq(j.diagnosis->n_claims, 2);
    cr_assert_str_eq(j.diagnosis->claim[0].range, "at 4k to 16k");
    cr_assert_str_eq(j.diagnosis->claim[1].measured, "1,940 MiB/s");
    judged_end(&j);
}

/* Premium SSD P6 with host caching on Standard_DS2_v2, as published. */
static void azure_limits(struct run *r)
{
    made_limit(r, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 240, "240");
    made_limit(r, OWNER_DISK, CAP_BW, PHASE_BASE, PATH_ANY, 50e6, "50 MB/s");
    made_limit(r, OWNER_DISK, CAP_IOPS, PHASE_BURST, PATH_ANY, 3500, "3500");
    made_limit(r, OWNER_DISK, CAP_BW, PHASE_BURST, PATH_ANY, 170e6, "170 MB/s");
    made_limit(r, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_CACHED, 8000, "8000");
    struct limit *l = made_limit(r, OWNER_VM, CAP_BW, PHASE_BASE, PATH_CACHED, 64e6, "64 MB/s");
    SET(l, LIMIT, value_max, 64 * 1048576.0);
}

Test(sentence, disk_caps_small_writes_vm_caps_large_ones)
{
    struct judged j = judged_begin(made_run());
    azure_limits(j.run);
    judged_add(&j, (struct made){.rw = RW_RANDWRITE, .bs = 4 * KiB, .depth = 64, .iops = 3420});
    judged_add(&j, (struct made){.rw = RW_RANDWRITE, .bs = 1024 * KiB, .depth = 64, .iops = 63.99});
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->verdict, "At 4k the disk's burst IOPS cap (3,500) binds; at 1M "
                                           "the VM's cached throughput cap (64 MiB/s) binds.");
    cr_assert_str_eq(j.diagnosis->second,
                     "Both are burst figures; once the credit is gone it is 240 IOPS and 50 MB/s "
                     "(the disk's base figures).");
    cr_assert_str_eq(j.diagnosis->headline, "The disk caps small writes, the VM caps large ones");
    const struct finding *f = j.diagnosis->finding;
    cr_assert_eq(f[0].binds, BINDS_DISK_IOPS);
    cr_assert_float_eq(f[0].share, 3420.0 / 3500, 1e-9);
    cr_assert_eq(f[0].limit->phase, PHASE_BURST);
    cr_assert_eq(f[1].binds, BINDS_VM_BW);
    cr_assert_eq(f[1].also, 0);
    judged_end(&j);
}

Test(sentence, ranges_of_sizes)
{
    struct judged j = judged_begin(made_run());
    made_limit(j.run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 3500, "3500");
    made_limit(j.run, OWNER_VM, CAP_BW, PHASE_BASE, PATH_ANY, 64 * 1048576.0, "64 MiB/s");
    for (uint64_t bs = 4 * KiB; bs <= 1024 * KiB; bs *= 2)
        ladder(&j, RW_RANDWRITE, bs, 3490, 63.9 * 1048576);
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->verdict,
                     "At 4k to 16k the disk's IOPS cap (3,500) binds; from 32k up the VM's "
                     "throughput cap (64 MiB/s) binds.");
    cr_assert_null(j.diagnosis->second);
    for (size_t i = 0; i < j.diagnosis->n_findings; i++) {
        const struct finding *f = &j.diagnosis->finding[i];
        if (f->row->depth >= 32)
            cr_assert_eq(f->confidence, CONFIDENCE_CERTAIN, "row %zu", i);
    }
    judged_end(&j);
}

Test(sentence, one_cap_at_every_block_size)
{
    struct judged j = judged_begin(made_run());
    made_limit(j.run, OWNER_HOST, CAP_IOPS, PHASE_BASE, PATH_ANY, 500, "500");
    for (uint64_t bs = 4 * KiB; bs <= 64 * KiB; bs *= 4)
        ladder(&j, RW_RANDREAD, bs, 500, INFINITY);
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->verdict, "At every block size the host's IOPS cap (500) binds.");
    cr_assert_str_eq(j.diagnosis->headline,
                     "The host's IOPS cap holds random reads at every block size");
    judged_end(&j);
}

/* 16 jobs of 5 MiB/s each, 64k: 1280 IOPS are all of it. */
static struct judged judge_rate(double iops)
{
    struct judged j = judged_begin(made_run());
    judged_add(&j, (struct made){.rw = RW_WRITE,
                                 .bs = 64 * KiB,
                                 .depth = 1,
                                 .jobs = 16,
                                 .rate_bw = 5 * 1048576.0,
                                 .iops = iops});
    judged_judge(&j);
    return j;
}

Test(sentence, own_rate)
{
    struct judged j = judge_rate(1280);
    cr_assert_str_eq(j.diagnosis->verdict,
                     "Held by the job's own rate limit (16 x 5 MiB/s), not by the device.");
    cr_assert_eq(j.diagnosis->finding[0].binds, BINDS_RATE);
    judged_end(&j);
}

Test(sentence, rate_not_reached_is_no_rate_limit)
{
    struct judged j = judge_rate(960);
    cr_assert_neq(j.diagnosis->finding[0].binds, BINDS_RATE);
    judged_end(&j);
}

Test(sentence, generator_cpu)
{
    struct judged j = judged_begin(made_run());
    for (uint64_t depth = 16; depth <= 64; depth *= 4)
        judged_add(
            &j, (struct made){
                    .rw = RW_RANDREAD, .bs = 4 * KiB, .depth = depth, .iops = 180000, .cpu = 0.99});
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->verdict, "The load generator's CPU was full.");
    judged_end(&j);
}

Test(sentence, one_depth_only)
{
    struct judged j = judged_begin(made_run());
    judged_add(&j, (struct made){.rw = RW_RANDREAD, .bs = 4 * KiB, .depth = 64, .iops = 71200});
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->verdict,
                     "Only QD 64 was measured (71.2k IOPS at 4k), so latency and a cap cannot be "
                     "told apart: add a second depth.");
    cr_assert_eq(j.diagnosis->finding[0].confidence, CONFIDENCE_UNKNOWN);
    judged_end(&j);
}

Test(sentence, several_patterns)
{
    struct judged j = judged_begin(made_run());
    ladder(&j, RW_RANDREAD, 4 * KiB, 20000, INFINITY);
    ladder(&j, RW_RANDWRITE, 4 * KiB, 1e9, INFINITY);
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->verdict,
                     "Random read: IOPS level off at 20.0k from QD 4 and no known cap explains it. "
                     "Random write: No cap binds up to QD 64: latency does (99.8 µs a write), "
                     "deeper queues still help.");
    judged_end(&j);
}

Test(sentence, patterns_alike_are_said_in_one_breath)
{
    struct judged j = judged_begin(made_run());
    ladder(&j, RW_RANDREAD, 4 * KiB, 20000, INFINITY);
    ladder(&j, RW_RANDWRITE, 4 * KiB, 20000, INFINITY);
    ladder(&j, RW_READ, 4 * KiB, 1e9, INFINITY);
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->headline,
                     "Random reads and random writes level off at 20.0k IOPS");
    cr_assert_str_eq(j.diagnosis->verdict,
                     "Random read and random write: IOPS level off at 20.0k from QD 4 and no known "
                     "cap explains it. Sequential read: No cap binds up to QD 64: latency does "
                     "(99.8 µs a read), deeper queues still help.");
    judged_end(&j);
}

Test(sentence, two_sizes_at_one_rate_are_one_level)
{
    struct judged j = judged_begin(made_run());
    ladder(&j, RW_RANDREAD, 4 * KiB, 3500, INFINITY);
    ladder(&j, RW_RANDREAD, 64 * KiB, 3480, INFINITY);
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->verdict,
                     "IOPS level off at 3,490 from QD 1 and no known cap explains it.");
    judged_end(&j);
    j = judged_begin(made_run());
    ladder(&j, RW_RANDREAD, 4 * KiB, INFINITY, 16e6);
    ladder(&j, RW_RANDREAD, 16 * KiB, INFINITY, 16e6);
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->verdict,
                     "Throughput levels off at 15.3 MiB/s from QD 1 and no known cap explains it.");
    judged_end(&j);
}

/* Adds the cells of a ladder on devices 0 and 1 together, each doing half. */
static void together(struct judged *j, double iops_cap)
{
    static const uint64_t depth[] = {1, 16, 64};
    for (size_t i = 0; i < 3; i++) {
        struct cell c = {0};
        double rate = fmin((double)depth[i] / 1e-4, iops_cap);
        /* each device has a queue of its own */
        made_cell(&c, &(struct made){.rw = RW_RANDREAD,
                                     .bs = 4 * KiB,
                                     .depth = depth[i],
                                     .iops = rate,
                                     .lat_ns = 2e9 * (double)depth[i] / rate});
        free(c.device);
        c.device = xcalloc(2, sizeof *c.device);
        c.device[1] = 1;
        c.n_devices = c.n_parts = 2;
        c.part = xcalloc(2, sizeof *c.part);
        for (size_t k = 0; k < 2; k++) {
            c.part[k].device = k;
            SET(&c.part[k].dir[DIR_READ], DIRECTION, iops, rate / 2);
            SET(&c.part[k].dir[DIR_READ], DIRECTION, ios, 60000);
        }
        SET(&c, CELL, together, true);
        judged_add_cell(j, &c);
    }
}

Test(sentence, shares_of_devices_are_not_in_the_verdict)
{
    struct judged j = judged_begin(made_run());
    field_set_text(&device_fields, run_add_device(j.run), DEVICE_path, "/dev/sdd");
    together(&j, 6400);
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->verdict,
                     "IOPS level off at 6,400 from QD 1 and no known cap explains it.");
    cr_assert_eq(j.diagnosis->n_claims, 1);
    judged_end(&j);
}

Test(caps, of_disks_add_up_over_devices)
{
    struct judged j = judged_begin(made_run());
    field_set_text(&device_fields, run_add_device(j.run), DEVICE_path, "/dev/sdd");
    made_limit(j.run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 3500, "3500");
    made_limit(j.run, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_ANY, 6400, "6400");
    struct limit *own = made_limit(j.run, OWNER_DISK, CAP_IOPS, PHASE_BURST, PATH_ANY, 9000, "9k");
    SET(own, LIMIT, device, 1);
    together(&j, 6390);
    judged_judge(&j);
    struct row_cap cap[3];
    const struct row *whole = j.diagnosis->finding[6].row;
    cr_assert_eq(whole->part, 0);
    cr_assert_eq(row_caps(whole, cap), 2, "the burst cap is known for one of two devices only");
    cr_assert_eq(cap[0].iops, 6400);
    cr_assert_eq(cap[1].iops, 7000);
    cr_assert_eq(j.diagnosis->finding[6].binds, BINDS_VM_IOPS);
    const struct row *second = j.diagnosis->finding[8].row;
    cr_assert_eq(second->part, 2);
    cr_assert_eq(row_caps(second, cap), 3);
    cr_assert_eq(cap[0].iops, 3200, "its share of what the VM may do");
    cr_assert_eq(cap[1].iops, 3500);
    judged_end(&j);
}

Test(sentence, no_clear_ceiling)
{
    struct judged j = judged_begin(made_run());
    /* every second block size levels off, the others gain, as short noisy cells look */
    for (int i = 0; i < 8; i++) {
        judged_add(&j,
                   (struct made){.rw = RW_RANDREAD, .bs = 4 * KiB << i, .depth = 1, .iops = 9000});
        judged_add(&j, (struct made){.rw = RW_RANDREAD,
                                     .bs = 4 * KiB << i,
                                     .depth = 16,
                                     .iops = i / 2 % 2 ? 90000 : 9100});
    }
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->headline,
                     "Random reads reach 90.0k IOPS at 16k and 45,000 MiB/s at 512k");
    cr_assert_str_eq(j.diagnosis->verdict,
                     "No clear ceiling: 4 of 8 block sizes level off, the others still gain from "
                     "deeper queues; longer cells or repeats would tell.");
    judged_end(&j);
}

/* Whatever part of them arrives: no rate tells caps at one place apart. */
Test(sentence, equal_caps_are_a_tie_at_any_share_of_them)
{
    struct judged j = judged_begin(made_run());
    made_limit(j.run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 3000, "3000");
    made_limit(j.run, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_ANY, 3000, "3000");
    for (uint64_t depth = 16; depth <= 64; depth *= 4)
        judged_add(&j,
                   (struct made){.rw = RW_RANDREAD, .bs = 4 * KiB, .depth = depth, .iops = 2640});
    judged_judge(&j);
    const struct finding *f = &j.diagnosis->finding[1];
    cr_assert_eq(f->binds, BINDS_DISK_IOPS, "%s", binds_names[f->binds]);
    cr_assert_eq(f->also, 1u << BINDS_VM_IOPS);
    cr_assert_str_eq(j.diagnosis->headline, "The disk's IOPS cap or the VM's IOPS cap holds random "
                                            "reads at 4k");
    cr_assert_str_eq(j.diagnosis->verdict,
                     "At 4k the disk's IOPS cap (3,000) or the VM's IOPS cap binds "
                     "(they are at the same place).");
    judged_end(&j);
}

Test(sentence, one_odd_size_goes_with_its_neighbours)
{
    struct judged j = judged_begin(made_run());
    for (int i = 0; i < 5; i++) {
        uint64_t bs = 4 * KiB << i;
        double rate = i == 2 ? 3300 : 3500;
        judged_add(&j, (struct made){.rw = RW_RANDREAD, .bs = bs, .depth = 8, .iops = rate});
        judged_add(&j, (struct made){
                           .rw = RW_RANDREAD, .bs = bs, .depth = 16, .iops = i == 2 ? 3900 : 3500});
    }
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->verdict,
                     "IOPS level off at 3,500 from QD 8 and no known cap explains it.");
    judged_end(&j);
}

Test(sentence, nothing_measured)
{
    struct judged j = judged_begin(made_run());
    judged_judge(&j);
    cr_assert_str_eq(j.diagnosis->headline, "No cell gave a result");
    judged_end(&j);
}

Test(caps, a_counted_size_makes_large_requests_cost_more)
{
    struct judged j = judged_begin(made_run());
    struct limit *l = made_limit(j.run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 400, "400");
    SET(l, LIMIT, io_size, 256 * KiB);
    judged_add(&j, (struct made){.rw = RW_RANDREAD, .bs = 1024 * KiB, .depth = 64, .iops = 100});
    judged_judge(&j);
    struct row_cap cap[1];
    cr_assert_eq(row_caps(j.diagnosis->finding[0].row, cap), 1);
    cr_assert_eq(cap[0].iops, 100);
    cr_assert_eq(j.diagnosis->finding[0].binds, BINDS_DISK_IOPS);
    judged_end(&j);
}

Test(caps, reads_and_writes_share_one_budget)
{
    struct judged j = judged_begin(made_run());
    made_limit(j.run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 3000, "3000");
    struct limit *l = made_limit(j.run, OWNER_DISK, CAP_BW, PHASE_BASE, PATH_ANY, 1e9, "1 GB/s");
    SET(l, LIMIT, side, SIDE_WRITE);
    judged_add(&j, (struct made){.rw = RW_RANDRW, .bs = 4 * KiB, .depth = 64, .iops = 1500});
    judged_judge(&j);
    struct row_cap cap[2];
    cr_assert_eq(row_caps(j.diagnosis->finding[0].row, cap), 1, "the write cap is none of reads");
    cr_assert_eq(cap[0].iops, 1500);
    cr_assert_eq(row_caps(j.diagnosis->finding[1].row, cap), 2);
    judged_end(&j);
}

/* Each rule of the registry fires on its own fixture and no earlier one does. */
Test(rules, each_has_a_case)
{
    static const double vm_iops[] = {0, 0, 0.9, 0};
    static const struct {
        const char *id;
        struct made load;
        bool limit;
    } fixture[] = {
        {"rate_limited",
         {.rw = RW_WRITE, .bs = 65536, .depth = 1, .rate_bw = 1048576, .iops = 16},
         false},
        {"counted_cap",
         {.rw = RW_RANDREAD, .bs = 4096, .depth = 8, .iops = 4010, .exceeded = vm_iops},
         false},
        {"known_cap", {.rw = RW_RANDREAD, .bs = 4096, .depth = 8, .iops = 4010}, true},
        {"pauses",
         {.rw = RW_RANDREAD, .bs = 4096, .depth = 1, .iops = 483, .pause_ns = 2000000},
         false},
        {"cpu_bound", {.rw = RW_RANDREAD, .bs = 4096, .depth = 1, .iops = 1000, .cpu = 1}, false},
        {"beside_others",
         {.rw = RW_RANDREAD, .bs = 4096, .depth = 8, .iops = 4010, .beside = true},
         true},
        {"depth_too_low", {.rw = RW_RANDREAD, .bs = 4096, .depth = 1, .iops = 1000}, false},
        {"short_cell",
         {.rw = RW_RANDREAD, .bs = 4096, .depth = 1, .iops = 5053, .runtime_ns = 300000000},
         true},
        {"level", {.rw = RW_RANDREAD, .bs = 4096, .depth = 1, .iops = 3900}, false},
    };
    size_t n = 0;
    for (; rule_table[n]; n++) {
        cr_assert_str_eq(rule_table[n]->id, fixture[n].id);
        struct judged j = judged_begin(made_run());
        if (fixture[n].limit)
            made_limit(j.run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 4010, "4010");
        judged_add(&j, fixture[n].load);
        judged_add(&j, (struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = 4, .iops = 4000});
        j.analysis = analysis_create(j.dataset, 0);
        struct explanation *e = explanation_create(j.analysis, j.run, NULL);
        struct rule_input in = {.facts = &j.analysis->facts[0]};
        if (e) {
            in.posterior = explanation_posterior(e, 0);
            in.world = explanation_world(e);
        }
        double share[CAP_SLOTS];
        if (exceeded_find(share, in.facts->row))
            in.exceeded = share;
        for (size_t k = 0; k <= n; k++) {
            struct finding f = {.facts = in.facts, .row = in.facts->row};
            cr_assert_eq(rule_table[k]->evaluate(&in, &f), k == n, "%s on the case of %s",
                         rule_table[k]->id, rule_table[n]->id);
        }
        explanation_destroy(e);
        judged_end(&j);
    }
    cr_assert_eq(n, sizeof fixture / sizeof *fixture);
}
