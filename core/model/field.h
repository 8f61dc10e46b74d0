/*
 * Field tables: every stored quantity is described once, beside the record it belongs to, and SQL
 * columns, JSON members, CSV columns, terminal columns and their help are loops over the rows.
 *
 * A record is declared by a list macro X(type, name, unit, help) and FIELD_RECORD(). It then is a
 * plain struct with `uint64_t known` (bit i = row i has a value) and one member a row, an enum of
 * row numbers PREFIX_name, and (in fields.c) a struct field_set. Unknown is never zero: NULL in
 * SQL, null in JSON, "–" on screen.
 */
#ifndef CORE_MODEL_FIELD_H
#define CORE_MODEL_FIELD_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/strbuf.h"

enum field_type {
    FIELD_U64,
    FIELD_I64,
    FIELD_F64,
    FIELD_BOOL,
    FIELD_TEXT, /* char *, owned by the record; known when not NULL */
    FIELD_JSON, /* char *, as FIELD_TEXT, text that is JSON made by us */
    FIELD_ENUM, /* int-sized enum with a table of names */
};

enum field_unit {
    UNIT_NONE,
    UNIT_COUNT,
    UNIT_BYTES,
    UNIT_BYTES_PER_S,
    UNIT_IOPS,    /* I/Os per second */
    UNIT_NS,      /* a duration */
    UNIT_INSTANT, /* ns since the epoch; RFC 3339 text outside the store */
    UNIT_RATIO,   /* 0..1 (or 1 = as expected) */
    UNIT_PERCENT, /* 0..100 */
    UNIT_CELSIUS,
};

struct field {
    const char *name; /* SQL column, JSON member, CSV column */
    enum field_type type;
    enum field_unit unit;
    size_t offset;
    const char *const *names; /* FIELD_ENUM: names by value, NULL-terminated */
    const char *help;
};

struct field_set {
    const char *record; /* name of the record and of its SQL table */
    const struct field *field;
    size_t n;     /* at most 64 */
    size_t known; /* offset of the known word */
};

/* C type of each field type, and its row in the table. Enums: X(RW, rw, ...) is enum rw. */
#define FIELD_C_U64    uint64_t
#define FIELD_C_I64    int64_t
#define FIELD_C_F64    double
#define FIELD_C_BOOL   bool
#define FIELD_C_TEXT   char *
#define FIELD_C_JSON   char *
#define FIELD_C_RW     enum rw
#define FIELD_C_STATUS enum run_status
#define FIELD_C_OWNER  enum limit_owner
#define FIELD_C_CAP    enum limit_kind
#define FIELD_C_PHASE  enum limit_phase
#define FIELD_C_PATH   enum limit_path
#define FIELD_C_SIDE   enum limit_side

#define FIELD_MEMBER(type, name, unit, help) FIELD_C_##type name;

#define FIELD_RECORD(record, LIST)                                                                 \
    struct record {                                                                                \
        uint64_t known;                                                                            \
        LIST(FIELD_MEMBER)                                                                         \
    }

/*
 * Sets a member that is not text and marks it known: SET(key, CELL_KEY, bs, 4096). `rec` is
 * evaluated twice: a variable, not a call.
 */
#define SET(rec, PREFIX, name_, value_)                                                            \
    ((rec)->name_ = (value_), (rec)->known |= UINT64_C(1) << PREFIX##_##name_)
#define IS_KNOWN(rec, PREFIX, name_) (((rec)->known >> PREFIX##_##name_ & 1) != 0)
#define UNSET(rec, PREFIX, name_)    ((rec)->known &= ~(UINT64_C(1) << PREFIX##_##name_))

/* True when field i of the record has a value. */
bool field_is_known(const struct field_set *set, const void *rec, size_t i);
/* Index of a field by name, set->n when there is none. */
size_t field_find(const struct field_set *set, const char *name);

uint64_t field_get_u64(const struct field_set *set, const void *rec, size_t i);
int64_t field_get_i64(const struct field_set *set, const void *rec, size_t i);
/* Any number or bool as a double; NaN when unknown or text. */
double field_get_f64(const struct field_set *set, const void *rec, size_t i);
/* Text, JSON text or the name of an enum value; NULL when unknown or a number. */
const char *field_get_text(const struct field_set *set, const void *rec, size_t i);

void field_set_u64(const struct field_set *set, void *rec, size_t i, uint64_t v);
void field_set_i64(const struct field_set *set, void *rec, size_t i, int64_t v);
void field_set_f64(const struct field_set *set, void *rec, size_t i, double v);
/* Makes it unknown; frees a text. */
void field_forget(const struct field_set *set, void *rec, size_t i);
/* Copies the text (frees an earlier one), or sets an enum by name: false when no such name. */
bool field_set_text(const struct field_set *set, void *rec, size_t i, const char *text);
/*
 * Sets any field from its outside text (as CSV has it: plain numbers in the unit of the table,
 * names of enums, RFC 3339 instants). "" makes it unknown. False when the text does not fit the
 * type.
 */
bool field_parse(const struct field_set *set, void *rec, size_t i, const char *text);
/* Appends that same text: the inverse of field_parse, exact. Nothing when unknown. */
void field_format(struct strbuf *out, const struct field_set *set, const void *rec, size_t i);

/* Adds every field as a member of the object, unknown ones as null. */
void fields_to_json(cJSON *obj, const struct field_set *set, const void *rec);
/* Frees the texts and forgets all values (the record is as after = {0}). */
void fields_release(const struct field_set *set, void *rec);
/* Deep copy; *to must be empty ({0}). */
void fields_copy(const struct field_set *set, void *to, const void *from);

const char *field_unit_name(enum field_unit unit); /* "bytes", "bytes/s", "ns", "1/s", "" ... */

#endif
