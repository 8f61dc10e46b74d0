/* Fields as text and JSON, and back. */
#include "core/model/field.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/units.h"

static bool parse_i64(const char *text, int64_t *v)
{
    bool negative = text[0] == '-';
    uint64_t size;
    if (parse_u64(text + negative, 0, (uint64_t)INT64_MAX + negative, &size, NULL) != 0)
        return false;
    *v = negative ? (int64_t)(0 - size) : (int64_t)size;
    return true;
}

/* Numbers and bools; texts and enums are field_set_text's. */
static bool parse_plain(const struct field_set *set, void *rec, size_t i, const char *text)
{
    uint64_t u;
    int64_t s;
    double d;
    bool b;
    switch (set->field[i].type) {
    case FIELD_U64:
        if (parse_u64(text, 0, UINT64_MAX, &u, NULL) != 0)
            return false;
        field_set_u64(set, rec, i, u);
        return true;
    case FIELD_I64:
        if (set->field[i].unit == UNIT_INSTANT ? !clock_parse_rfc3339(text, &s)
                                               : !parse_i64(text, &s))
            return false;
        field_set_i64(set, rec, i, s);
        return true;
    case FIELD_F64:
        if (parse_f64(text, -DBL_MAX, DBL_MAX, &d, NULL) != 0)
            return false;
        field_set_f64(set, rec, i, d);
        return true;
    case FIELD_BOOL:
        if (parse_bool(text, &b, NULL) != 0)
            return false;
        field_set_u64(set, rec, i, b);
        return true;
    default:
        return false;
    }
}

bool field_parse(const struct field_set *set, void *rec, size_t i, const char *text)
{
    const struct field *f = &set->field[i];
    if (*text == '\0') {
        field_forget(set, rec, i);
        return true;
    }
    if (f->type == FIELD_JSON && !json_is_valid(text))
        return false;
    if (f->type == FIELD_TEXT || f->type == FIELD_JSON || f->type == FIELD_ENUM)
        return field_set_text(set, rec, i, text);
    return parse_plain(set, rec, i, text);
}

void field_format(struct strbuf *out, const struct field_set *set, const void *rec, size_t i)
{
    if (!field_is_known(set, rec, i))
        return;
    char buf[CLOCK_TEXT_MAX];
    switch (set->field[i].type) {
    case FIELD_U64:
        strbuf_addf(out, "%" PRIu64, field_get_u64(set, rec, i));
        break;
    case FIELD_I64:
        if (set->field[i].unit == UNIT_INSTANT)
            strbuf_adds(out, clock_rfc3339(buf, field_get_i64(set, rec, i), true));
        else
            strbuf_addf(out, "%" PRId64, field_get_i64(set, rec, i));
        break;
    case FIELD_F64:
        json_number(out, field_get_f64(set, rec, i));
        break;
    case FIELD_BOOL:
        strbuf_addc(out, field_get_u64(set, rec, i) ? '1' : '0');
        break;
    default: {
        const char *text = field_get_text(set, rec, i);
        strbuf_adds(out, text ? text : "");
        break;
    }
    }
}

static void add_member(cJSON *obj, const struct field_set *set, const void *rec, size_t i)
{
    const struct field *f = &set->field[i];
    char buf[CLOCK_TEXT_MAX];
    switch (f->type) {
    case FIELD_U64:
        json_add_u64(obj, f->name, field_get_u64(set, rec, i));
        break;
    case FIELD_I64:
        if (f->unit == UNIT_INSTANT)
            json_add_text(obj, f->name, clock_rfc3339(buf, field_get_i64(set, rec, i), true));
        else
            json_add_i64(obj, f->name, field_get_i64(set, rec, i));
        break;
    case FIELD_F64:
        json_add_f64(obj, f->name, field_get_f64(set, rec, i));
        break;
    case FIELD_BOOL:
        json_add_bool(obj, f->name, field_get_u64(set, rec, i) != 0);
        break;
    case FIELD_JSON:
        json_add_raw(obj, f->name, field_get_text(set, rec, i));
        break;
    default:
        json_add_text(obj, f->name, field_get_text(set, rec, i));
        break;
    }
}

void fields_to_json(cJSON *obj, const struct field_set *set, const void *rec)
{
    for (size_t i = 0; i < set->n; i++) {
        if (field_is_known(set, rec, i))
            add_member(obj, set, rec, i);
        else
            json_add_null(obj, set->field[i].name);
    }
}
