/* Devices one by one and together: do they share a cap? */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "tests/support/judged.h"

/*
 * 4k on /dev/sdc, on /dev/sdd and on both, at two depths; a rate of 0 leaves that load out. Seconds of /dev/sdd
 * take turns: by `swing` above and below its rate.
 */
static struct judged judge(const double rate[3], double swing)
{
    struct run *run = made_run();
    field_set_text(&device_fields, run_add_device(run), DEVICE_path, "/dev/sdd");
    struct judged j = judged_begin(run);
    for (size_t set = 0; set < 3; set++) {
        for (uint64_t depth = 16; depth <= 64 && rate[set] > 0; depth *= 4) {
            struct cell c = {0};
            made_cell(&c, &(struct made){
                              .rw = RW_RANDREAD, .bs = 4096, .depth = depth, .iops = rate[set]});
            c.device = xrealloc(c.device, 2, sizeof *c.device);
            for (size_t i = 0; set == 1 && i < c.dir[DIR_READ].series->n; i++)
                c.dir[DIR_READ].series->point[i].ios =
                    (uint64_t)(rate[1] * (i % 2 ? 1 + swing : 1 - swing));
            c.device[0] = set == 1;
            c.device[1] = 1;
            c.n_devices = set == 2 ? 2 : 1;
            judged_add_cell(&j, &c);
        }
    }
    judged_judge(&j);
    return j;
}

static void expect(const double rate[3], double swing, double ratio, enum sharing sharing,
                   const char *sentence)
{
    struct judged j = judge(rate, swing);
    const struct diagnosis *d = j.diagnosis;
    if (isnan(ratio)) {
        cr_assert_null(d->shared.together);
        cr_assert_null(d->together);
    } else {
        cr_assert_eq(d->shared.sharing, sharing);
        cr_assert_float_eq(d->shared.ratio, ratio, 1e-3);
        cr_assert_str_eq(d->together, sentence);
    }
    judged_end(&j);
}

Test(shared_cap, slower_together)
{
    expect((double[]){3490, 3490, 6390}, 0.01, 6390 / 6980.0, SHARING_YES,
           "Together the 2 devices reach 91.5 % at 4k of what they do one by one: they share a "
           "cap (of the VM, a controller or the host).");
}

Test(shared_cap, each_its_own)
{
    expect((double[]){3490, 1000, 4480}, 0.01, 4480 / 4490.0, SHARING_NO,
           "Together the 2 devices reach 99.8 % at 4k of what they do one by one: no cap that "
           "they share is in the way.");
}

Test(shared_cap, not_both_ways)
{
    expect((double[]){3490, 3490, 0}, 0.01, NAN, SHARING_UNKNOWN, NULL);
    expect((double[]){3490, 0, 6390}, 0.01, NAN, SHARING_UNKNOWN, NULL);
}

/* Seconds that swing by 90 % leave open what that device does alone: 26 % less may be chance. */
Test(shared_cap, results_that_vary_do_not_deny_it)
{
    expect((double[]){3000, 2541, 4080}, 0.9, 4080 / 5541.0, SHARING_UNKNOWN,
           "Together the 2 devices reach 73.6 % at 4k of what they do one by one, but the results "
           "vary too much to tell whether they share a cap: measure longer, or repeat.");
}
