#include "store/import/csv_column.h"

#include <ctype.h>

#include "core/base/units.h"

bool column_unit(const char *name, double *unit)
{
    static const struct {
        const char *name;
        double unit;
    } units[] = {
        {"B/s", 1},        {"KB/s", 1e3},   {"kB/s", 1e3},     {"MB/s", 1e6},     {"MBps", 1e6},
        {"GB/s", 1e9},     {"KiB/s", 1024}, {"MiB/s", 0x1p20}, {"GiB/s", 0x1p30}, {"ns", 1},
        {"nsec", 1},       {"us", 1e3},     {"usec", 1e3},     {"µs", 1e3},       {"μs", 1e3},
        {"ms", 1e6},       {"msec", 1e6},   {"s", 1e9},        {"sec", 1e9},      {"seconds", 1e9},
        {"min", 60e9},     {"B", 1},        {"bytes", 1},      {"KiB", 1024},     {"MiB", 0x1p20},
        {"GiB", 0x1p30},   {"KB", 1024},    {"kB", 1024},      {"k", 1000},       {"K", 1000},
        {"\xb5s", 1e3}, /* Latin-1 */
        {"KBps", 1e3},     {"kBps", 1e3},   {"GBps", 1e9},     {"KiBps", 1024},   {"MiBps", 0x1p20},
        {"GiBps", 0x1p30}, {"%", 1},        {"kbit/s", 125},   {"Mbit/s", 125e3}, {"Gbit/s", 125e6},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(name, units[i].name) == 0) {
            *unit = units[i].unit;
            return true;
        }
    }
    return false;
}

/* "read." and the like in front: the direction, and *text behind it. -1: none. */
static int take_direction(const char **text)
{
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        size_t n = strlen(dir_names[dir]);
        if (strncmp(*text, dir_names[dir], n) == 0 && (*text)[n] == '.') {
            *text += n + 1;
            return dir;
        }
    }
    return -1;
}

/* A field by its name; those in ns may be written without "_ns". */
static bool find_field(const struct field_set *set, const char *name, size_t *field)
{
    char with_ns[64];
    *field = field_find(set, name);
    if (*field == set->n) {
        snprintf(with_ns, sizeof with_ns, "%s_ns", name);
        *field = field_find(set, with_ns);
    }
    return *field < set->n;
}

/* "lat.mean", "clat.p99.9" */
static bool parse_latency(struct column *c, const char *text)
{
    for (int kind = 0; kind < LAT_KIND_COUNT; kind++) {
        size_t n = strlen(lat_kind_names[kind]);
        if (strncmp(text, lat_kind_names[kind], n) != 0 || (text[n] != '.' && text[n] != '_'))
            continue;
        const char *what = text + n + 1;
        c->lat = (enum lat_kind)kind;
        if (*what == 'p' && parse_f64(what + 1, 0, 100, &c->p, NULL) == 0) {
            c->kind = COLUMN_PERCENTILE;
            return c->p > 0;
        }
        c->kind = COLUMN_LATENCY;
        return find_field(&lat_fields, strcmp(what, "avg") == 0 ? "mean" : what, &c->field);
    }
    return false;
}

static bool parse_word(struct column *c, const char *text)
{
    static const struct {
        const char *word;
        enum column_kind kind;
    } words[] = {
        {"device", COLUMN_DEVICES},
        {"devices", COLUMN_DEVICES},
        {"direction", COLUMN_DIRECTION_NAME},
        {"operation", COLUMN_OPERATION},
        {"random", COLUMN_RANDOM},
        {"hosts", COLUMN_HOSTS},
        {"ignore", COLUMN_IGNORE},
        {"run_id", COLUMN_RUN_ID},
        {"run_labels", COLUMN_LABELS},
        {"cell_id", COLUMN_CELL_ID},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(text, words[i].word) == 0) {
            c->kind = words[i].kind;
            return true;
        }
    }
    return false;
}

bool column_parse(struct column *c, const char *target)
{
    *c = (struct column){.dir = -1};
    const char *text = target;
    if (strncmp(text, "label.", 6) == 0 && text[6]) {
        c->kind = COLUMN_LABEL;
        snprintf(c->label, sizeof c->label, "%s", text + 6);
        return true;
    }
    if (strncmp(text, "run.", 4) == 0) {
        c->kind = COLUMN_RUN;
        return find_field(&run_fields, text + 4, &c->field);
    }
    if (parse_word(c, text))
        return true;
    c->dir = take_direction(&text);
    if (parse_latency(c, text))
        return true;
    c->kind = COLUMN_DIRECTION;
    if (field_find(&cell_fields, text) == cell_fields.n &&
        find_field(&direction_fields, text, &c->field) && strcmp(text, "runtime") != 0)
        return true;
    if (c->dir >= 0)
        return find_field(&direction_fields, text, &c->field);
    c->kind = COLUMN_KEY;
    if (find_field(&cell_key_fields, text, &c->field))
        return true;
    c->kind = COLUMN_CELL;
    return find_field(&cell_fields, text, &c->field);
}

bool column_is_figure(const struct column *c)
{
    return c->kind == COLUMN_DIRECTION || c->kind == COLUMN_LATENCY || c->kind == COLUMN_PERCENTILE;
}

const struct field *column_field(const struct column *c)
{
    switch (c->kind) {
    case COLUMN_RUN:
        return &run_fields.field[c->field];
    case COLUMN_CELL:
        return &cell_fields.field[c->field];
    case COLUMN_KEY:
        return &cell_key_fields.field[c->field];
    case COLUMN_DIRECTION:
        return &direction_fields.field[c->field];
    case COLUMN_LATENCY:
        return &lat_fields.field[c->field];
    default:
        return NULL;
    }
}

bool column_is_number(const struct column *c)
{
    const struct field *f = column_field(c);
    return c->kind == COLUMN_PERCENTILE ||
           (f && (f->type == FIELD_U64 || f->type == FIELD_I64 || f->type == FIELD_F64));
}
