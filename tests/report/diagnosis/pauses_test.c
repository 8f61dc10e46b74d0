/* Think time: what the job leaves out is not the device's. */
#include <criterion/criterion.h>

#include "tests/support/judged.h"

static void expect(double iops, const char *options, enum binds binds, enum confidence confidence,
                   const char *verdict)
{
    struct judged j = judged_begin(made_run());
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = iops, .pause_ns = 2000000});
    if (options)
        field_set_text(&cell_key_fields, &c.key, CELL_KEY_options, options);
    judged_add_cell(&j, &c);
    judged_judge(&j);
    const struct diagnosis *d = j.diagnosis;
    cr_expect_eq(d->finding[0].binds, binds, "%s", binds_names[d->finding[0].binds]);
    cr_expect_eq(d->finding[0].confidence, confidence);
    if (verdict)
        cr_expect_str_eq(d->verdict, verdict, "%s", d->verdict);
    judged_end(&j);
}

/* 483 pauses of 2 ms are 97 % of a second; 300 are 60 %; 100 are 20 %. */
Test(pauses, hold_what_they_fill)
{
    expect(483, NULL, BINDS_PAUSE, CONFIDENCE_CERTAIN,
           "The job's own pauses (2.00 ms after each I/O) hold it, not the device.");
    expect(300, NULL, BINDS_PAUSE, CONFIDENCE_LIKELY, NULL);
    expect(100, NULL, BINDS_UNEXPLAINED, CONFIDENCE_UNKNOWN, NULL);
}

/* One pause for every 100 I/Os is a hundredth of that. */
Test(pauses, after_several_ios_are_not_judged)
{
    expect(483, "{\"thinktime_blocks\":\"100\"}", BINDS_UNEXPLAINED, CONFIDENCE_UNKNOWN, NULL);
}
