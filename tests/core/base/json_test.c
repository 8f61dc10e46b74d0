#include "core/base/json.h"

#include <criterion/criterion.h>
#include <math.h>

static void expect_print(cJSON *v, bool pretty, const char *text)
{
    char *got = json_print(v, pretty);
    cr_expect_str_eq(got, text, "%s", got);
    cr_expect(json_is_valid(got), "%s", got);
    free(got);
    cJSON_Delete(v);
}

Test(json, numbers_stay_exact)
{
    cJSON *o = json_add_object(NULL, NULL);
    json_add_u64(o, "max", UINT64_MAX);
    json_add_u64(o, "instant", UINT64_C(1700000000123456789));
    json_add_i64(o, "min", INT64_MIN);
    json_add_f64(o, "tenth", 0.1);
    json_add_f64(o, "nan", NAN);
    json_add_f64(o, "inf", -INFINITY);
    expect_print(o, false,
                 "{\"max\":18446744073709551615,\"instant\":1700000000123456789,"
                 "\"min\":-9223372036854775808,\"tenth\":0.1,\"nan\":null,\"inf\":null}");
}

Test(json, every_kind_of_member)
{
    cJSON *o = json_add_object(NULL, NULL);
    json_add_bool(o, "b", true);
    json_add_bool(o, "f", false);
    json_add_null(o, "n");
    json_add_text(o, "t", "x");
    json_add_text(o, "unknown", NULL);
    json_add_raw(o, "r", "[1,{\"a\":2}]");
    json_add_raw(o, "r0", NULL);
    json_add_raw(o, "r1", "");
    json_add_raw(o, "forged", "1,\"evil\":2");
    cJSON *a = json_add_array(o, "a");
    json_add_u64(a, NULL, 1);
    json_add_object(a, NULL);
    json_add_array(a, NULL);
    expect_print(o, false,
                 "{\"b\":true,\"f\":false,\"n\":null,\"t\":\"x\",\"unknown\":null,"
                 "\"r\":[1,{\"a\":2}],\"r0\":null,\"r1\":null,\"forged\":null,\"a\":[1,{},[]]}");
}

Test(json, pretty_is_two_blanks)
{
    cJSON *o = json_add_object(NULL, NULL);
    cJSON *a = json_add_array(o, "a");
    json_add_u64(a, NULL, 1);
    json_add_text(a, NULL, "b");
    json_add_object(o, "empty");
    expect_print(o, true, "{\n  \"a\": [\n    1,\n    \"b\"\n  ],\n  \"empty\": {}\n}");
}

Test(json, prints_what_cjson_parsed)
{
    expect_print(cJSON_Parse("{\"a\": [1.5, true, null, \"\\u00e9\\n\"]}"), false,
                 "{\"a\":[1.5,true,null,\"é\\n\"]}");
}

Test(json, any_bytes_give_valid_json)
{
    char name[4] = {0};
    for (unsigned a = 1; a < 256; a++) {
        for (unsigned b = 0; b < 256; b += b < 0x80 ? 7 : 1) {
            name[0] = (char)a;
            name[1] = (char)b;
            cJSON *o = json_add_object(NULL, NULL);
            json_add_text(o, name, name);
            char *got = json_print(o, false);
            cr_assert(json_is_valid(got), "%02x %02x: %s", a, b, got);
            free(got);
            cJSON_Delete(o);
        }
    }
}
