#include "core/model/field.h"

#include <math.h>

#include "core/base/xalloc.h"

static const void *member(const struct field_set *set, const void *rec, size_t i)
{
    return (const char *)rec + set->field[i].offset;
}

static void *member_of(const struct field_set *set, void *rec, size_t i)
{
    return (char *)rec + set->field[i].offset;
}

static bool is_text(const struct field *f)
{
    return f->type == FIELD_TEXT || f->type == FIELD_JSON;
}

static void mark(const struct field_set *set, void *rec, size_t i, bool known)
{
    uint64_t *word = (uint64_t *)(void *)((char *)rec + set->known);
    uint64_t bit = UINT64_C(1) << i;
    *word = known ? *word | bit : *word & ~bit;
}

bool field_is_known(const struct field_set *set, const void *rec, size_t i)
{
    if (is_text(&set->field[i]))
        return *(char *const *)member(set, rec, i) != NULL;
    return (*(const uint64_t *)(const void *)((const char *)rec + set->known) >> i & 1) != 0;
}

size_t field_find(const struct field_set *set, const char *name)
{
    size_t i = 0;
    while (i < set->n && strcmp(set->field[i].name, name) != 0)
        i++;
    return i;
}

/* The enums of the records are all of int's size; read as one without breaking aliasing. */
static int enum_value(const void *p)
{
    int v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* A double as an integer, the nearest end where it does not fit (a plain cast is undefined there). */
static int64_t whole(double v)
{
    if (v >= 9223372036854775808.0)
        return INT64_MAX;
    return v <= -9223372036854775808.0 ? INT64_MIN : (int64_t)v;
}

uint64_t field_get_u64(const struct field_set *set, const void *rec, size_t i)
{
    return (uint64_t)field_get_i64(set, rec, i);
}

int64_t field_get_i64(const struct field_set *set, const void *rec, size_t i)
{
    const void *p = member(set, rec, i);
    if (!field_is_known(set, rec, i))
        return 0;
    switch (set->field[i].type) {
    case FIELD_U64:
        return (int64_t) * (const uint64_t *)p;
    case FIELD_I64:
        return *(const int64_t *)p;
    case FIELD_F64:
        return whole(*(const double *)p);
    case FIELD_BOOL:
        return *(const bool *)p;
    case FIELD_ENUM:
        return enum_value(p);
    default:
        return 0;
    }
}

double field_get_f64(const struct field_set *set, const void *rec, size_t i)
{
    const struct field *f = &set->field[i];
    if (is_text(f) || f->type == FIELD_ENUM || !field_is_known(set, rec, i))
        return NAN;
    const void *p = member(set, rec, i);
    switch (f->type) {
    case FIELD_U64:
        return (double)*(const uint64_t *)p;
    case FIELD_I64:
        return (double)*(const int64_t *)p;
    case FIELD_BOOL:
        return *(const bool *)p;
    default:
        return *(const double *)p;
    }
}

/* Number of names of an enum. */
static int count_names(const char *const *names)
{
    int n = 0;
    while (names[n])
        n++;
    return n;
}

const char *field_get_text(const struct field_set *set, const void *rec, size_t i)
{
    const struct field *f = &set->field[i];
    const void *p = member(set, rec, i);
    if (is_text(f))
        return *(char *const *)p;
    if (f->type != FIELD_ENUM || !field_is_known(set, rec, i))
        return NULL;
    int v = enum_value(p);
    return v >= 0 && v < count_names(f->names) ? f->names[v] : NULL;
}

void field_forget(const struct field_set *set, void *rec, size_t i)
{
    if (is_text(&set->field[i])) {
        char **text = member_of(set, rec, i);
        free(*text);
        *text = NULL;
    }
    mark(set, rec, i, false);
}

void field_set_u64(const struct field_set *set, void *rec, size_t i, uint64_t v)
{
    void *p = member_of(set, rec, i);
    switch (set->field[i].type) {
    case FIELD_U64:
        *(uint64_t *)p = v;
        break;
    case FIELD_I64:
        *(int64_t *)p = (int64_t)v;
        break;
    case FIELD_F64:
        *(double *)p = (double)v;
        break;
    case FIELD_BOOL:
        *(bool *)p = v != 0;
        break;
    case FIELD_ENUM: {
        int e = (int)v;
        memcpy(p, &e, sizeof e);
        break;
    }
    default:
        return;
    }
    mark(set, rec, i, true);
}

void field_set_i64(const struct field_set *set, void *rec, size_t i, int64_t v)
{
    if (set->field[i].type == FIELD_F64)
        field_set_f64(set, rec, i, (double)v);
    else
        field_set_u64(set, rec, i, (uint64_t)v);
}

void field_set_f64(const struct field_set *set, void *rec, size_t i, double v)
{
    if (!isfinite(v)) {
        field_forget(set, rec, i);
        return;
    }
    if (set->field[i].type == FIELD_F64) {
        *(double *)member_of(set, rec, i) = v;
        mark(set, rec, i, true);
    } else {
        field_set_i64(set, rec, i, whole(v));
    }
}

bool field_set_text(const struct field_set *set, void *rec, size_t i, const char *text)
{
    const struct field *f = &set->field[i];
    if (is_text(f)) {
        char *copy = xstrdup_null(text);
        field_forget(set, rec, i);
        *(char **)member_of(set, rec, i) = copy;
        mark(set, rec, i, copy != NULL);
        return true;
    }
    if (f->type != FIELD_ENUM || !text)
        return false;
    for (int v = 0; f->names[v]; v++) {
        if (strcmp(f->names[v], text) == 0) {
            field_set_u64(set, rec, i, (uint64_t)v);
            return true;
        }
    }
    return false;
}

void fields_release(const struct field_set *set, void *rec)
{
    for (size_t i = 0; i < set->n; i++)
        field_forget(set, rec, i);
}

void fields_copy(const struct field_set *set, void *to, const void *from)
{
    for (size_t i = 0; i < set->n; i++) {
        if (!field_is_known(set, from, i))
            continue;
        if (is_text(&set->field[i]))
            field_set_text(set, to, i, field_get_text(set, from, i));
        else if (set->field[i].type == FIELD_F64)
            field_set_f64(set, to, i, field_get_f64(set, from, i));
        else
            field_set_u64(set, to, i, field_get_u64(set, from, i));
    }
}

const char *field_unit_name(enum field_unit unit)
{
    static const char *const names[] = {[UNIT_NONE] = "",       [UNIT_COUNT] = "",
                                        [UNIT_BYTES] = "bytes", [UNIT_BYTES_PER_S] = "bytes/s",
                                        [UNIT_IOPS] = "1/s",    [UNIT_NS] = "ns",
                                        [UNIT_INSTANT] = "",    [UNIT_RATIO] = "ratio",
                                        [UNIT_PERCENT] = "%",   [UNIT_CELSIUS] = "°C"};
    return names[unit];
}
