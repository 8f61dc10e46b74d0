/* Loads that keep a rate of their own. */
#include <criterion/criterion.h>

#include "tests/support/judged.h"

/* Two jobs of 5 MiB/s on each of two devices: 20 MiB/s at once, 5 and 5 on each. */
Test(own_rate, is_told_for_all_devices)
{
    struct run *run = made_run();
    field_set_text(&device_fields, run_add_device(run), DEVICE_path, "/dev/sdd");
    struct judged j = judged_begin(run);
    struct cell c = {0};
    made_cell(&c,
              &(struct made){
                  .rw = RW_WRITE, .bs = 65536, .jobs = 2, .iops = 320, .rate_bw = 5 * 1048576.0});
    made_parts(&c, DIR_WRITE, (const double[]){160, 160});
    for (size_t i = 0; i < 3; i++) {
        struct direction *d = i < 2 ? &c.part[i].dir[DIR_WRITE] : &c.dir[DIR_WRITE];
        SET(d, DIRECTION, offered_iops, i < 2 ? 160 : 320);
    }
    judged_add_cell(&j, &c);
    judged_judge(&j);
    cr_expect_str_eq(j.diagnosis->verdict,
                     "Held by the job's own rate limit (4 x 5 MiB/s), not by the device.");
    judged_end(&j);
}
