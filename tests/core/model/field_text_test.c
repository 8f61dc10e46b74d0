#include <criterion/criterion.h>
#include <math.h>

#include "core/base/json.h"
#include "core/model/run.h"

static void expect_round(const struct field_set *set, void *rec, size_t i, const char *text)
{
    struct strbuf sb = STRBUF_INIT;
    cr_expect(field_parse(set, rec, i, text), "%s %s", set->field[i].name, text);
    field_format(&sb, set, rec, i);
    cr_expect_str_eq(sb.text, text);
    strbuf_release(&sb);
}

Test(field_text, format_is_the_inverse_of_parse)
{
    struct cell c = {0};
    expect_round(&cell_fields, &c, CELL_runtime_ns, "18446744073709551615");
    expect_round(&cell_fields, &c, CELL_error_code, "-9223372036854775808");
    expect_round(&cell_fields, &c, CELL_error_code, "9223372036854775807");
    expect_round(&cell_fields, &c, CELL_steal, "0.1");
    expect_round(&cell_fields, &c, CELL_steal, "-2.5e-07");
    expect_round(&cell_fields, &c, CELL_together, "1");
    expect_round(&cell_fields, &c, CELL_together, "0");
    expect_round(&cell_fields, &c, CELL_name, "a, \"b\"");
    expect_round(&cell_fields, &c, CELL_status, "failed");
    expect_round(&cell_fields, &c, CELL_extra, "{\"a\":[1,null]}");
    expect_round(&cell_fields, &c, CELL_started_ns, "2026-05-01T12:00:00.123456789Z");
    cr_expect_eq(c.started_ns, INT64_C(1777636800123456789));
    for (size_t i = 0; i < cell_fields.n; i++) {
        cr_expect(field_parse(&cell_fields, &c, i, ""), "nothing makes it unknown");
        cr_expect_not(field_is_known(&cell_fields, &c, i));
        struct strbuf sb = STRBUF_INIT;
        field_format(&sb, &cell_fields, &c, i);
        cr_expect_str_eq(sb.text, "");
        strbuf_release(&sb);
    }
    cr_expect_eq(c.known, 0);
}

Test(field_text, parse_refuses_what_does_not_fit)
{
    static const struct {
        size_t field;
        const char *text;
    } bad[] = {{CELL_runtime_ns, "-1"},  {CELL_runtime_ns, "1.5"},
               {CELL_runtime_ns, "4k"},  {CELL_error_code, "9223372036854775808"},
               {CELL_error_code, "--1"}, {CELL_error_code, "-9223372036854775809"},
               {CELL_steal, "nan"},      {CELL_steal, "1,5"},
               {CELL_together, "maybe"}, {CELL_status, "done"},
               {CELL_extra, "{"},        {CELL_started_ns, "1777636800"}};
    struct cell c = {0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_not(field_parse(&cell_fields, &c, bad[i].field, bad[i].text), "%s", bad[i].text);
        cr_expect_not(field_is_known(&cell_fields, &c, bad[i].field));
    }
}

Test(field_text, json)
{
    struct disk_stat d = {0};
    field_set_text(&disk_stat_fields, &d, DISK_STAT_name, "sd\"a\xFF");
    SET(&d, DISK_STAT, aggregate, true);
    SET(&d, DISK_STAT, read_ios, UINT64_MAX);
    SET(&d, DISK_STAT, util, 0.5);
    cJSON *o = json_add_object(NULL, NULL);
    fields_to_json(o, &disk_stat_fields, &d);
    char *text = json_print(o, false);
    cr_expect_str_eq(text,
                     "{\"name\":\"sd\\\"a\uFFFD\",\"host\":null,\"aggregate\":true,\"below\":null,"
                     "\"read_ios\":18446744073709551615,\"write_ios\":null,\"discard_ios\":null,"
                     "\"read_bytes\":null,\"write_bytes\":null,\"read_merges\":null,"
                     "\"write_merges\":null,\"read_ns\":null,\"write_ns\":null,"
                     "\"in_queue_ns\":null,\"util\":0.5}",
                     "%s", text);
    free(text);
    cJSON_Delete(o);
    fields_release(&disk_stat_fields, &d);
}

Test(field_text, json_of_instants_enums_and_json)
{
    struct run *r = run_create();
    SET(r, RUN, status, STATUS_COMPLETE);
    SET(r, RUN, started_ns, INT64_C(1777636800123456789));
    field_set_text(&run_fields, r, RUN_extra, "{\"a\":18446744073709551615}");
    cJSON *o = json_add_object(NULL, NULL);
    fields_to_json(o, &run_fields, r);
    char *text = json_print(o, false);
    cr_expect(json_is_valid(text));
    cr_expect_not_null(strstr(text, "\"status\":\"complete\""));
    cr_expect_not_null(strstr(text, "\"started_ns\":\"2026-05-01T12:00:00.123456789Z\""));
    cr_expect_not_null(strstr(text, "\"finished_ns\":null"));
    cr_expect_not_null(strstr(text, "\"extra\":{\"a\":18446744073709551615}"));
    free(text);
    cJSON_Delete(o);
    run_destroy(r);
}
