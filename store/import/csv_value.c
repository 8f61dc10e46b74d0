/* Values of a table into fields: exactly as our own export writes them, else as people do. */
#include <ctype.h>
#include <math.h>

#include "core/base/json.h"
#include "core/base/units.h"
#include "store/import/csv_column.h"
#include "store/import/name_hint.h"
#include "store/import/number.h"

enum { VALUE_MAX = CSV_NUMBER_MAX };

static bool read_time(const char *text, double *ns)
{
    uint64_t whole;
    if (parse_time(text, &whole, NULL) == 0) {
        *ns = (double)whole;
        return true;
    }
    size_t n = strspn(text, "0123456789.");
    double unit;
    return number_f64(text, n, ns) && column_unit(text + n, &unit) && (*ns *= unit, true);
}

/* A number in the unit of the field, from text with or without a unit. */
static bool read_number(const struct field *f, double unit, const char *text, double *v)
{
    size_t n = strlen(text);
    uint64_t whole;
    if (number_f64(text, n, v)) {
        *v *= unit > 0 ? unit : 1;
        return unit >= 0;
    }
    switch (f->unit) {
    case UNIT_BYTES:
        return parse_size(text, &whole, NULL) == 0 && (*v = (double)whole, true);
    case UNIT_BYTES_PER_S:
        return parse_bandwidth(text, v, NULL) == 0;
    case UNIT_NS:
        return read_time(text, v);
    case UNIT_RATIO:
    case UNIT_PERCENT:
        if (text[n - 1] != '%' || !number_f64(text, n - 1, v))
            return false;
        *v /= f->unit == UNIT_RATIO ? 100 : 1;
        return true;
    default:
        return parse_count(text, &whole, NULL) == 0 && (*v = (double)whole, true);
    }
}

static bool read_rw(const struct field_set *set, void *rec, const struct column *c,
                    const char *text)
{
    struct name_hint hint = {.rw = -1};
    char lower[VALUE_MAX];
    size_t n = 0;
    for (; n < VALUE_MAX - 1 && text[n]; n++)
        lower[n] = (char)tolower((unsigned char)text[n]);
    lower[n] = '\0';
    int rw = rw_parse(lower);
    if (rw < 0) {
        name_hint_add(&hint, lower);
        rw = hint.rw;
    }
    return rw >= 0 && field_set_text(set, rec, c->field, rw_names[rw]);
}

static bool column_number(const struct field_set *set, void *rec, const struct column *c,
                          const char *text)
{
    const struct field *f = &set->field[c->field];
    char value[VALUE_MAX];
    double v;
    if (f->type == FIELD_F64 && *text == '-')
        return false; /* none of our figures can be below 0 */
    if (!csv_number_normal(value, text, c->numbers))
        return false;
    if (c->unit == 0 && field_parse(set, rec, c->field, value))
        return true;
    if (!read_number(f, c->unit, value, &v) || v < 0)
        return false;
    if (f->type == FIELD_F64)
        field_set_f64(set, rec, c->field, v);
    else if (v < 0x1p62)
        field_set_u64(set, rec, c->field, (uint64_t)llround(v));
    return v < 0x1p62 || f->type == FIELD_F64;
}

bool column_read(const struct field_set *set, void *rec, const struct column *c, const char *text)
{
    const struct field *f = &set->field[c->field];
    bool flag;
    if (!*text)
        return true;
    switch (f->type) {
    case FIELD_U64:
    case FIELD_I64:
    case FIELD_F64:
        return column_number(set, rec, c, text);
    case FIELD_JSON:
        return json_is_valid(text) && field_parse(set, rec, c->field, text);
    default:
        break;
    }
    if (c->unit == 0 && field_parse(set, rec, c->field, text))
        return true;
    if (f->type == FIELD_ENUM)
        return set == &cell_key_fields && read_rw(set, rec, c, text);
    if (f->type == FIELD_BOOL)
        return parse_bool(text, &flag, NULL) == 0 &&
               (field_set_u64(set, rec, c->field, flag), true);
    return f->type == FIELD_TEXT && field_parse(set, rec, c->field, text);
}

const char *column_misfit(const struct column *c, const char *text)
{
    char value[VALUE_MAX];
    double v;
    if (column_is_number(c) && csv_number_is_unclear(text, c->numbers))
        return "can be read in two ways: a map with \"decimal = ,\" or \"decimal = .\" tells";
    if (c->unit < 0 && csv_number_normal(value, text, c->numbers) &&
        number_f64(value, strlen(value), &v))
        return "has no unit";
    return "does not fit";
}
