/* The tables of all records, made from their lists. To add a field is to add a row to its list. */
#include "core/model/run.h"

/* The type column of a row as a field_type, and the names of an enum. */
#define TYPE_U64    FIELD_U64, NULL
#define TYPE_I64    FIELD_I64, NULL
#define TYPE_F64    FIELD_F64, NULL
#define TYPE_BOOL   FIELD_BOOL, NULL
#define TYPE_TEXT   FIELD_TEXT, NULL
#define TYPE_JSON   FIELD_JSON, NULL
#define TYPE_RW     FIELD_ENUM, rw_names
#define TYPE_STATUS FIELD_ENUM, status_names
#define TYPE_OWNER  FIELD_ENUM, owner_names
#define TYPE_CAP    FIELD_ENUM, cap_names
#define TYPE_PHASE  FIELD_ENUM, phase_names
#define TYPE_PATH   FIELD_ENUM, path_names
#define TYPE_SIDE   FIELD_ENUM, side_names

#define ROW_(type_, names_, unit_, offset_, name_, help_)                                          \
    {                                                                                              \
        .name = (name_), .type = (type_), .unit = (unit_), .offset = (offset_), .names = (names_), \
        .help = (help_)                                                                            \
    }
#define ROW(...) ROW_(__VA_ARGS__)

/* Defines <record>_rows and the set from LIST; ROW_OF is the row macro of that record. */
#define SET_OF(var, record_, LIST, ROW_OF)                                                         \
    static const struct field var##_rows[] = {LIST(ROW_OF)};                                       \
    const struct field_set var = {                                                                 \
        .record = #record_,                                                                        \
        .field = var##_rows,                                                                       \
        .n = sizeof var##_rows / sizeof var##_rows[0],                                             \
        .known = offsetof(struct record_, known),                                                  \
    };                                                                                             \
    _Static_assert(sizeof var##_rows / sizeof var##_rows[0] <= 64, "a bit a field in `known`")

#define ROW_IN(record, type, name, unit, help)                                                     \
    ROW(TYPE_##type, UNIT_##unit, offsetof(struct record, name), #name, help),

#define CELL_KEY_ROW(type, name, unit, help)  ROW_IN(cell_key, type, name, unit, help)
#define CELL_ROW(type, name, unit, help)      ROW_IN(cell, type, name, unit, help)
#define LAT_ROW(type, name, unit, help)       ROW_IN(lat, type, name, unit, help)
#define DIRECTION_ROW(type, name, unit, help) ROW_IN(direction, type, name, unit, help)
#define DISK_STAT_ROW(type, name, unit, help) ROW_IN(disk_stat, type, name, unit, help)
#define VOLUME_ROW(type, name, unit, help)    ROW_IN(volume_stat, type, name, unit, help)
#define DEVICE_ROW(type, name, unit, help)    ROW_IN(device_info, type, name, unit, help)
#define HOST_ROW(type, name, unit, help)      ROW_IN(host_info, type, name, unit, help)
#define LIMIT_ROW(type, name, unit, help)     ROW_IN(limit, type, name, unit, help)
#define RUN_ROW(type, name, unit, help)       ROW_IN(run, type, name, unit, help)

SET_OF(cell_key_fields, cell_key, CELL_KEY_FIELDS, CELL_KEY_ROW);
SET_OF(cell_fields, cell, CELL_FIELDS, CELL_ROW);
SET_OF(lat_fields, lat, LAT_FIELDS, LAT_ROW);
SET_OF(direction_fields, direction, DIRECTION_FIELDS, DIRECTION_ROW);
SET_OF(disk_stat_fields, disk_stat, DISK_STAT_FIELDS, DISK_STAT_ROW);
SET_OF(volume_stat_fields, volume_stat, VOLUME_STAT_FIELDS, VOLUME_ROW);
SET_OF(device_fields, device_info, DEVICE_FIELDS, DEVICE_ROW);
SET_OF(host_fields, host_info, HOST_FIELDS, HOST_ROW);
SET_OF(limit_fields, limit, LIMIT_FIELDS, LIMIT_ROW);
SET_OF(run_fields, run, RUN_FIELDS, RUN_ROW);
