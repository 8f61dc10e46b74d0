/* What volumes count themselves, as evidence for and against caps. */
#include "report/diagnosis/exceeded.h"

#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "tests/support/judged.h"

enum { DISK_IOPS, DISK_BW, VM_IOPS, VM_BW }; /* slots, in the order of made.h */

/* ---- the model: factors on likelihoods ---- */

static void one_cap(void *arg, size_t i, const struct world *w, struct predicted *out)
{
    const double *cap = arg;
    (void)i, (void)w;
    for (size_t slot = 0; slot < CAP_SLOTS; slot++)
        out->cap[slot][PHASE_BASE] = out->cap[slot][PHASE_BURST] = INFINITY;
    for (size_t slot = 0; slot < 4; slot++)
        out->cap[slot][PHASE_BASE] = cap[slot];
}

/* Posteriors of one saturated result of 3950 IOPS. */
static void attribute_one(double posterior[LABEL_COUNT], const double cap[4],
                          const double *exceeded)
{
    const struct observation o = {
        .iops = 3950, .se = 0.003, .cpu = 0.2, .devices = 1, .exceeded = exceeded};
    const struct counting as_one = {0, 1};
    const struct worlds worlds = {
        .n_paths = 1, .counting = {&as_one, &as_one, &as_one}, .n_countings = {1, 1, 1}};
    double copy[4];
    memcpy(copy, cap, sizeof copy);
    struct attribution a;
    attribute(&a, &o, 1, &worlds, false, one_cap, copy);
    memcpy(posterior, a.posterior[0], sizeof a.posterior[0]);
    attribution_release(&a);
}

static double odds(const double posterior[LABEL_COUNT], size_t slot)
{
    return posterior[CAP_LABEL(slot, PHASE_BASE)] / posterior[LABEL_UNEXPLAINED];
}

/* A hit counts 20 times and an unlisted ceiling a tenth where it was exceeded; a tenth where not. */
Test(exceeded, weights_of_the_method)
{
    const double cap[] = {4500, INFINITY, INFINITY, INFINITY};
    double without[LABEL_COUNT], with[LABEL_COUNT];
    attribute_one(without, cap, NULL);
    attribute_one(with, cap, (const double[CAP_SLOTS]){0.2, 0, 0, 0, NAN, NAN});
    cr_expect_float_eq(odds(with, DISK_IOPS) / odds(without, DISK_IOPS), 200, 2);
    attribute_one(with, cap, (const double[CAP_SLOTS]){0.02, 0, 0, 0, NAN, NAN});
    cr_expect_float_eq(odds(with, DISK_IOPS) / odds(without, DISK_IOPS), 0.1, 0.001);
    attribute_one(with, cap, (const double[CAP_SLOTS]){0, 0, 0, 0.7, NAN, NAN});
    cr_expect_float_eq(odds(with, DISK_IOPS) / odds(without, DISK_IOPS), 1, 0.01,
                       "refuted as well as an unlisted ceiling");
    attribute_one(with, cap, (const double[CAP_SLOTS]){0.1, 0.1, 0.1, 0.1, NAN, NAN});
    cr_expect_float_eq(odds(with, DISK_IOPS), odds(without, DISK_IOPS), 1e-9, "neither");
    attribute_one(with, cap, (const double[CAP_SLOTS]){NAN, NAN, NAN, NAN, NAN, NAN});
    cr_expect_float_eq(odds(with, DISK_IOPS), odds(without, DISK_IOPS), 1e-9, "not counted");
}

Test(exceeded, caps_at_one_place_are_told_apart)
{
    const double cap[] = {4000, INFINITY, 4040, INFINITY};
    double p[LABEL_COUNT];
    attribute_one(p, cap, (const double[CAP_SLOTS]){0.95, 0, 0, 0, NAN, NAN});
    cr_expect_gt(p[CAP_LABEL(DISK_IOPS, PHASE_BASE)], 0.99);
    attribute_one(p, cap, (const double[CAP_SLOTS]){0, 0, 0.95, 0, NAN, NAN});
    cr_expect_gt(p[CAP_LABEL(VM_IOPS, PHASE_BASE)], 0.99, "though the disk's is lower");
}

/* ---- shares of a cell ---- */

static struct row row_of(const struct cell *const *repeat, size_t n)
{
    return (struct row){.cell = repeat[0], .repeat = repeat, .n_repeats = n};
}

static void make(struct cell *c, const double *exceeded)
{
    *c = (struct cell){0};
    made_cell(c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .exceeded = exceeded});
}

Test(exceeded, mean_of_repeats_and_largest_of_volumes)
{
    struct cell a, b, none;
    make(&a, (const double[]){0.5, 0, NAN, 1.5});
    make(&b, (const double[]){0.7, 0.01, NAN, 1});
    make(&none, NULL);
    const struct cell *const repeat[] = {&a, &b};
    struct row r = row_of(repeat, 2);
    double share[CAP_SLOTS];
    cr_assert(exceeded_find(share, &r));
    cr_expect_float_eq(share[DISK_IOPS], 0.6, 1e-9);
    cr_expect_float_eq(share[DISK_BW], 0.005, 1e-9);
    cr_expect(isnan(share[VM_IOPS]), "not counted is not 0");
    cr_expect_float_eq(share[VM_BW], 1, 1e-9, "more than all of the time is all of it");
    cr_expect(isnan(share[CAP_SLOT(OWNER_HOST, CAP_IOPS)]));
    cr_expect_eq(exceeded_most(share), VM_BW);
    const struct cell *const uncounted[] = {&none};
    r = row_of(uncounted, 1);
    cr_expect_not(exceeded_find(share, &r));
    cell_release(&a);
    cell_release(&b);
    cell_release(&none);
}

/* Of two devices one answers: that it was not held does not clear the other. */
Test(exceeded, a_mute_volume_may_be_the_one_that_is_held)
{
    struct cell c;
    make(&c, (const double[]){0, 0, 0, 0.5});
    c.n_devices = 2;
    const struct cell *const repeat[] = {&c};
    struct row r = row_of(repeat, 1);
    double share[CAP_SLOTS];
    cr_assert(exceeded_find(share, &r));
    cr_expect(isnan(share[DISK_IOPS]));
    cr_expect_float_eq(share[VM_BW], 0.5, 1e-9);
    cell_release(&c);
}

/* ---- the diagnosis ---- */

/* Random reads of 4k at two depths that level off at 4000 IOPS. */
static struct judged judge(double disk_cap, double vm_cap, const double *exceeded)
{
    struct run *run = made_run();
    if (disk_cap > 0)
        made_limit(run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, disk_cap, "disk");
    if (vm_cap > 0)
        made_limit(run, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_ANY, vm_cap, "vm");
    struct judged j = judged_begin(run);
    for (uint64_t depth = 16; depth <= 64; depth *= 4) {
        judged_add(
            &j,
            (struct made){
                .rw = RW_RANDREAD, .bs = 4096, .depth = depth, .iops = 4000, .exceeded = exceeded});
    }
    judged_judge(&j);
    return j;
}

static const struct finding *deep(const struct judged *j)
{
    return &j->diagnosis->finding[1];
}

Test(exceeded, a_tie_is_none_when_the_volume_counted)
{
    struct judged j = judge(4000, 4000, NULL);
    cr_expect_neq(deep(&j)->also, 0, "a rate cannot tell");
    cr_expect_null(j.diagnosis->counted);
    judged_end(&j);
    j = judge(4000, 4000, (const double[]){0, 0, 0.97, 0});
    cr_expect_eq(deep(&j)->binds, BINDS_VM_IOPS);
    cr_expect_eq(deep(&j)->also, 0);
    cr_expect_eq(deep(&j)->limit->owner, OWNER_VM);
    judged_end(&j);
    j = judge(4000, 4000, (const double[]){0.97, 0, 0, 0});
    cr_expect_eq(deep(&j)->binds, BINDS_DISK_IOPS);
    cr_expect_eq(deep(&j)->also, 0);
    cr_expect_str_eq(j.diagnosis->counted,
                     "By the volumes' own counters the load was above the disk IOPS cap 97.0 % of "
                     "the time at 4k, QD 16.");
    judged_end(&j);
}

Test(exceeded, without_any_list_the_volume_says_which_side)
{
    struct judged j = judge(0, 0, (const double[]){0.9, 0, 0, 0});
    cr_expect_eq(deep(&j)->binds, BINDS_DISK_IOPS);
    cr_expect_null(deep(&j)->limit);
    cr_expect(isnan(deep(&j)->cap));
    cr_expect_str_eq(j.diagnosis->verdict,
                     "At 4k the disk's IOPS cap binds, as the volume itself counts.");
    cr_expect_str_eq(j.diagnosis->headline, "The disk's IOPS cap holds random reads at 4k");
    judged_end(&j);
    j = judge(0, 0, (const double[]){0, 0, 0.3, 0.6});
    cr_expect_eq(deep(&j)->binds, BINDS_VM_BW);
    cr_expect_eq(deep(&j)->also, 1u << BINDS_VM_IOPS);
    judged_end(&j);
}

/* The list says disk at 4000; the volume says it was the VM, whose figure of 4300 is near. */
Test(exceeded, a_list_that_the_volume_refutes)
{
    struct judged j = judge(4000, 4300, (const double[]){0, 0, 0.8, 0});
    cr_expect_eq(deep(&j)->binds, BINDS_VM_IOPS);
    cr_expect(deep(&j)->limit && deep(&j)->limit->owner == OWNER_VM);
    cr_expect_float_eq(deep(&j)->share, 4000.0 / 4300, 1e-3);
    judged_end(&j);
    j = judge(4000, 20000, (const double[]){0, 0, 0.8, 0});
    cr_expect_eq(deep(&j)->binds, BINDS_VM_IOPS);
    cr_expect_null(deep(&j)->limit, "20000 is not what holds 4000");
    judged_end(&j);
}

Test(exceeded, nothing_was_in_the_way)
{
    struct judged with = judge(4150, 20000, (const double[]){0, 0, 0, 0});
    struct judged without = judge(4150, 20000, NULL);
    cr_expect_str_eq(with.diagnosis->counted,
                     "By the volumes' own counters no cap of theirs or of the VM was in the way.");
    cr_expect_eq(deep(&without)->confidence, CONFIDENCE_CERTAIN);
    cr_expect_eq(deep(&with)->confidence, CONFIDENCE_POSSIBLE, "two sources that disagree");
    judged_end(&with);
    judged_end(&without);
    with = judge(0, 0, (const double[]){0.01, 0, NAN, NAN});
    cr_expect_str_eq(with.diagnosis->counted,
                     "By the volumes' own counters no cap of theirs was in the way.",
                     "an instance store does not count the VM's");
    judged_end(&with);
}

Test(exceeded, a_share_in_between_is_said_and_decides_nothing)
{
    struct judged j = judge(0, 0, (const double[]){0, 0.163, 0, 0});
    cr_expect_eq(deep(&j)->binds, BINDS_UNEXPLAINED);
    cr_expect_str_eq(j.diagnosis->counted,
                     "By the volumes' own counters the load was above the disk throughput cap "
                     "16.3 % of the time at 4k, QD 16.");
    judged_end(&j);
}
