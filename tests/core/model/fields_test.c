#include <criterion/criterion.h>

#include "core/model/run.h"

static const struct field_set *const sets[] = {
    &cell_key_fields,    &cell_fields,   &lat_fields,  &direction_fields, &disk_stat_fields,
    &volume_stat_fields, &device_fields, &host_fields, &limit_fields,     &run_fields};
enum { N_SETS = sizeof sets / sizeof sets[0] };

Test(fields, rows_are_complete_and_distinct)
{
    for (size_t s = 0; s < N_SETS; s++) {
        const struct field_set *set = sets[s];
        cr_assert(set->n > 0 && set->n <= 64, "%s", set->record);
        for (size_t i = 0; i < set->n; i++) {
            const struct field *f = &set->field[i];
            cr_expect_eq(field_find(set, f->name), i, "%s.%s is there twice", set->record, f->name);
            cr_expect_gt(strlen(f->help), 2, "%s.%s", set->record, f->name);
            cr_expect_eq(f->type == FIELD_ENUM, f->names != NULL, "%s.%s", set->record, f->name);
            cr_expect_geq(f->offset, sizeof(uint64_t), "%s.%s lies on `known`", set->record,
                          f->name);
            cr_expect_eq(f->name[strspn(f->name, "abcdefghijklmnopqrstuvwxyz0123456789_")], '\0');
        }
    }
}

Test(fields, row_numbers_are_those_of_the_enums)
{
    cr_expect_eq(cell_key_fields.n, CELL_KEY_FIELD_COUNT);
    cr_expect_eq(cell_fields.n, CELL_FIELD_COUNT);
    cr_expect_eq(lat_fields.n, LAT_FIELD_COUNT);
    cr_expect_eq(direction_fields.n, DIRECTION_FIELD_COUNT);
    cr_expect_eq(disk_stat_fields.n, DISK_STAT_FIELD_COUNT);
    cr_expect_eq(volume_stat_fields.n, VOLUME_STAT_FIELD_COUNT);
    cr_expect_eq(device_fields.n, DEVICE_FIELD_COUNT);
    cr_expect_eq(host_fields.n, HOST_FIELD_COUNT);
    cr_expect_eq(limit_fields.n, LIMIT_FIELD_COUNT);
    cr_expect_eq(run_fields.n, RUN_FIELD_COUNT);
    cr_expect_str_eq(cell_key_fields.field[CELL_KEY_iodepth].name, "iodepth");
    cr_expect_eq(cell_key_fields.field[CELL_KEY_iodepth].offset,
                 offsetof(struct cell_key, iodepth));
}

Test(fields, durations_and_instants_say_so)
{
    for (size_t s = 0; s < N_SETS; s++) {
        for (size_t i = 0; i < sets[s]->n; i++) {
            const struct field *f = &sets[s]->field[i];
            size_t n = strlen(f->name);
            if (n > 3 && strcmp(f->name + n - 3, "_ns") == 0)
                cr_expect(f->unit == UNIT_NS || f->unit == UNIT_INSTANT, "%s.%s", sets[s]->record,
                          f->name);
        }
    }
}

static void expect_ends(const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        cr_expect_not_null(names[i]);
    cr_expect_null(names[n]);
}

Test(fields, names_of_enums_are_as_many_as_values)
{
    expect_ends(rw_names, RW_COUNT);
    expect_ends(status_names, STATUS_COUNT);
    expect_ends(owner_names, OWNER_COUNT);
    expect_ends(cap_names, CAP_COUNT);
    expect_ends(phase_names, PHASE_COUNT);
    expect_ends(path_names, PATH_COUNT);
    expect_ends(side_names, SIDE_COUNT);
    expect_ends(dir_names, DIR_COUNT);
    expect_ends(lat_kind_names, LAT_KIND_COUNT);
}
