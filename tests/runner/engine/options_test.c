#include <criterion/criterion.h>

#include "runner/engine/engine.h"

Test(engine_options, canonical_text_is_sorted)
{
    struct strbuf out = STRBUF_INIT;
    struct error err = ERROR_INIT;
    cr_assert_eq(engine_check_options(&engine_sim, "lat=1ms,,iops=3500", &out, &err), 0, "%s",
                 err.message);
    cr_assert_str_eq(out.text, "iops=3500,lat=1ms");
    strbuf_release(&out);
}

Test(engine_options, errors_name_option_and_choice)
{
    struct error err = ERROR_INIT;
    cr_assert_eq(engine_check_options(&engine_sim, "iops", NULL, &err), -ERR_USAGE);
    cr_assert(strstr(err.message, "iops needs a value"), "%s", err.message);
    cr_assert_eq(engine_check_options(&engine_sim, "iops=many", NULL, &err), -ERR_USAGE);
    cr_assert(strstr(err.message, "option iops"), "%s", err.message);
    cr_assert_eq(engine_check_options(&engine_sim, "iosp=1", NULL, &err), -ERR_USAGE);
    cr_assert(strstr(err.message, "burst_iops"), "%s", err.message);
    cr_assert_eq(engine_check_options(&engine_psync, "x=1", NULL, &err), -ERR_USAGE);
    cr_assert(strstr(err.message, "takes no options"), "%s", err.message);
}

Test(engine_options, help_has_a_line_for_each)
{
    struct strbuf out = STRBUF_INIT;
    engine_options_help(&engine_sim, &out);
    for (const struct engine_option *o = engine_sim.option; o->name; o++)
        cr_expect(strstr(out.text, o->name) && strstr(out.text, o->help), "%s", o->name);
    strbuf_release(&out);
}

Test(engine_options, a_simulated_device_must_make_sense)
{
    static const char *const bad[] = {"burst_iops=3000",
                                      "iops=100,burst_iops=100,credits=5",
                                      "credits=100",
                                      "vm_burst_bw=1M",
                                      "lat=1ns",
                                      "jitter=100",
                                      "stall_every=1s,stall_for=1s"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct engine_shared *s = NULL;
        struct error err = ERROR_INIT;
        cr_expect_eq(engine_sim.share_create(&s, bad[i], 1, &err), -ERR_USAGE, "%s", bad[i]);
        cr_expect(strstr(err.message, "engine sim"), "%s", err.message);
    }
}
