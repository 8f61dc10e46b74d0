#include "core/model/field.h"

#include <criterion/criterion.h>
#include <math.h>

#include "core/base/json.h"
#include "core/model/run.h"

Test(field, set_and_get_numbers)
{
    struct cell c = {0};
    cr_expect_not(field_is_known(&cell_fields, &c, CELL_repeat));
    cr_expect(isnan(field_get_f64(&cell_fields, &c, CELL_repeat)));
    field_set_u64(&cell_fields, &c, CELL_repeat, 3);
    cr_expect(IS_KNOWN(&c, CELL, repeat));
    cr_expect_eq(c.repeat, 3);
    cr_expect_eq(field_get_u64(&cell_fields, &c, CELL_repeat), 3);
    cr_expect_eq(field_get_f64(&cell_fields, &c, CELL_repeat), 3);
    cr_expect_null(field_get_text(&cell_fields, &c, CELL_repeat));
    field_set_i64(&cell_fields, &c, CELL_error_code, -5);
    cr_expect_eq(field_get_i64(&cell_fields, &c, CELL_error_code), -5);
    cr_expect_eq(field_get_f64(&cell_fields, &c, CELL_error_code), -5);
    field_set_i64(&cell_fields, &c, CELL_steal, 1);
    cr_expect_eq(c.steal, 1.0);
    field_set_u64(&cell_fields, &c, CELL_together, 2);
    cr_expect_eq(c.together, true);
    cr_expect_eq(field_get_u64(&cell_fields, &c, CELL_together), 1);
}

Test(field, nan_is_unknown)
{
    struct cell c = {0};
    field_set_f64(&cell_fields, &c, CELL_steal, 0.25);
    cr_expect(IS_KNOWN(&c, CELL, steal));
    field_set_f64(&cell_fields, &c, CELL_steal, NAN);
    cr_expect_not(IS_KNOWN(&c, CELL, steal));
    field_set_f64(&cell_fields, &c, CELL_steal, INFINITY);
    cr_expect_not(IS_KNOWN(&c, CELL, steal));
}

Test(field, a_double_out_of_range_stays_defined)
{
    struct cell c = {0};
    field_set_f64(&cell_fields, &c, CELL_error_code, 1e30);
    cr_expect_eq(c.error_code, INT64_MAX);
    field_set_f64(&cell_fields, &c, CELL_error_code, -1e30);
    cr_expect_eq(c.error_code, INT64_MIN);
    field_set_f64(&cell_fields, &c, CELL_steal, 1e300);
    cr_expect_eq(field_get_i64(&cell_fields, &c, CELL_steal), INT64_MAX);
}

Test(field, texts_are_owned)
{
    struct cell c = {0};
    char name[] = "job";
    cr_expect(field_set_text(&cell_fields, &c, CELL_name, name));
    name[0] = 'X';
    cr_expect_str_eq(c.name, "job");
    cr_expect(field_set_text(&cell_fields, &c, CELL_name, c.name), "its own text again");
    cr_expect_str_eq(c.name, "job");
    cr_expect(field_set_text(&cell_fields, &c, CELL_name, NULL));
    cr_expect_not(field_is_known(&cell_fields, &c, CELL_name));
    cr_expect_not(field_set_text(&cell_fields, &c, CELL_repeat, "3"), "not a text");
}

Test(field, enums_by_name)
{
    struct cell c = {0};
    cr_expect_null(field_get_text(&cell_fields, &c, CELL_status));
    cr_expect(field_set_text(&cell_fields, &c, CELL_status, "partial"));
    cr_expect_eq(c.status, STATUS_PARTIAL);
    cr_expect_str_eq(field_get_text(&cell_fields, &c, CELL_status), "partial");
    cr_expect_not(field_set_text(&cell_fields, &c, CELL_status, "Partial"));
    cr_expect_eq(c.status, STATUS_PARTIAL);
    cr_expect(isnan(field_get_f64(&cell_fields, &c, CELL_status)));
    field_set_u64(&cell_fields, &c, CELL_status, 77);
    cr_expect_null(field_get_text(&cell_fields, &c, CELL_status), "no name, no crash");
}

Test(field, find)
{
    cr_expect_eq(field_find(&cell_fields, "repeat"), CELL_repeat);
    cr_expect_eq(field_find(&cell_fields, "nope"), cell_fields.n);
    cr_expect_eq(field_find(&run_fields, "extra"), RUN_extra);
}

Test(field, copy_and_release)
{
    struct cell_key a = {0}, b = {0};
    SET(&a, CELL_KEY, rw, RW_RANDRW);
    SET(&a, CELL_KEY, bs, UINT64_MAX);
    SET(&a, CELL_KEY, rate_iops, 0.1);
    SET(&a, CELL_KEY, direct, false);
    field_set_text(&cell_key_fields, &a, CELL_KEY_engine, "libaio");
    fields_copy(&cell_key_fields, &b, &a);
    cr_expect_eq(a.known, b.known);
    cr_expect_eq(b.rw, RW_RANDRW);
    cr_expect_eq(b.bs, UINT64_MAX);
    cr_expect_eq(b.rate_iops, 0.1);
    cr_expect_neq(a.engine, b.engine);
    cr_expect_str_eq(b.engine, "libaio");
    fields_release(&cell_key_fields, &a);
    cr_expect_eq(a.known, 0);
    cr_expect_null(a.engine);
    fields_release(&cell_key_fields, &b);
}

Test(field, unit_names)
{
    cr_expect_str_eq(field_unit_name(UNIT_BYTES_PER_S), "bytes/s");
    cr_expect_str_eq(field_unit_name(UNIT_NS), "ns");
    cr_expect_str_eq(field_unit_name(UNIT_IOPS), "1/s");
    cr_expect_str_eq(field_unit_name(UNIT_NONE), "");
    for (int u = UNIT_NONE; u <= UNIT_CELSIUS; u++)
        cr_expect_not_null(field_unit_name((enum field_unit)u));
}

Test(field, numbers_land_in_any_type)
{
    struct cell c = {0};
    field_set_u64(&cell_fields, &c, CELL_started_ns, 5);
    field_set_u64(&cell_fields, &c, CELL_steal, 2);
    field_set_f64(&cell_fields, &c, CELL_repeat, 3.7);
    field_set_i64(&cell_fields, &c, CELL_runtime_ns, 9);
    cr_expect_eq(c.started_ns, 5);
    cr_expect_eq(c.steal, 2.0);
    cr_expect_eq(c.repeat, 3);
    cr_expect_eq(field_get_i64(&cell_fields, &c, CELL_steal), 2);
    field_set_u64(&cell_fields, &c, CELL_name, 7); /* a text takes no number */
    cr_expect_not(field_is_known(&cell_fields, &c, CELL_name));
    cr_expect_eq(field_get_u64(&cell_fields, &c, CELL_name), 0);
    cr_expect_eq(field_get_u64(&cell_fields, &c, CELL_ordinal), 0, "unknown");
    SET(&c, CELL, together, true);
    cr_expect_eq(field_get_f64(&cell_fields, &c, CELL_together), 1);
}
