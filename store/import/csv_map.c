#include "store/import/csv_map.h"

#include <math.h>

#include "core/base/embedded.h"
#include "core/base/xalloc.h"

#define MAPS "schemas/import/"

void csv_map_release(struct csv_map *map)
{
    free(map->column);
    *map = (struct csv_map){0};
}

static void start(struct csv_map *map, const struct csv_table *t)
{
    *map = (struct csv_map){.n = t->n_columns};
    map->column = xcalloc(t->n_columns, sizeof *map->column);
}

bool csv_map_has_figure(const struct csv_map *map)
{
    for (size_t i = 0; i < map->n; i++) {
        if (column_is_figure(&map->column[i]))
            return true;
    }
    return false;
}

static void add_names(struct strbuf *out, const struct csv_table *t)
{
    for (size_t i = 0; i < t->n_columns && out->len < 1000; i++)
        strbuf_addf(out, "%s\"%s\"", i ? ", " : "", t->column[i]);
}

static size_t find_column(const struct csv_table *t, const char *name)
{
    size_t i = 0;
    while (i < t->n_columns && strcasecmp(t->column[i], name) != 0)
        i++;
    return i;
}

/* One line of a map, its parts without blanks around them. */
struct map_line {
    char *column, *target, *unit;
    bool optional;
};

static char *trim(char *p)
{
    p += strspn(p, " \t");
    size_t n = strlen(p);
    while (n > 0 && (p[n - 1] == ' ' || p[n - 1] == '\t' || p[n - 1] == '\r'))
        p[--n] = '\0';
    return p;
}

/* The last '=' parts column and target: a column may have one in its name. False: nothing in it. */
static int cut_line(char *line, struct map_line *out, size_t number, struct error *err)
{
    *out = (struct map_line){0};
    char *text = trim(line);
    if (*text == '\0' || *text == '#')
        return 0;
    char *equals = strrchr(text, '=');
    if (!equals)
        return error_set(err, ERR_USAGE, "map, line %zu: no \"COLUMN = TARGET\"", number);
    *equals = '\0';
    out->column = trim(text);
    size_t n = strlen(out->column);
    out->optional = n > 0 && out->column[n - 1] == '?';
    if (out->optional)
        out->column[n - 1] = '\0';
    out->column = trim(out->column);
    out->target = trim(equals + 1);
    out->unit = out->target + strcspn(out->target, " \t");
    if (*out->unit)
        *out->unit++ = '\0';
    out->unit = trim(out->unit);
    return 1;
}

static int apply_line(struct csv_map *map, const struct csv_table *t, char *line, size_t number,
                      struct error *err)
{
    struct map_line l;
    struct column c;
    int rc = cut_line(line, &l, number, err);
    if (rc <= 0)
        return rc;
    if (strcmp(l.column, "decimal") == 0 && strlen(l.target) == 1 && strchr(",.", *l.target)) {
        map->decimal = *l.target;
        return 0;
    }
    map->has_columns = true;
    if (!column_parse(&c, l.target))
        return error_set(err, ERR_USAGE, "map, line %zu: \"%s\" names nothing that can be imported",
                         number, l.target);
    if (*l.unit && !column_unit(l.unit, &c.unit))
        return error_set(err, ERR_USAGE, "map, line %zu: \"%s\" is no unit", number, l.unit);
    size_t i = find_column(t, l.column);
    if (i < t->n_columns) {
        map->column[i] = c;
        return 0;
    }
    if (l.optional)
        return 0;
    struct strbuf names = STRBUF_INIT;
    add_names(&names, t);
    rc = error_set(err, ERR_USAGE, "map, line %zu: the table has no column \"%s\"", number,
                   l.column);
    error_hint(err, "Its columns are: %s", names.text);
    strbuf_release(&names);
    return rc;
}

/* Two columns that fill the same field. */
static bool same_target(const struct column *a, const struct column *b)
{
    switch (a->kind) {
    case COLUMN_OTHER:
    case COLUMN_IGNORE:
    case COLUMN_DEVICES: /* their names add up */
        return false;
    case COLUMN_LABEL:
        return b->kind == a->kind && strcmp(a->label, b->label) == 0;
    default:
        return b->kind == a->kind && a->dir == b->dir && a->lat == b->lat && a->field == b->field &&
               fabs(a->p - b->p) < 1e-9;
    }
}

/* The earlier column with the same target; t->n_columns: there is none. */
static size_t find_same(const struct csv_map *map, size_t column)
{
    size_t i = 0;
    while (i < column && !same_target(&map->column[column], &map->column[i]))
        i++;
    return i < column ? i : map->n;
}

static int refuse_doubles(const struct csv_map *map, const struct csv_table *t, struct error *err)
{
    for (size_t i = 0; i < map->n; i++) {
        size_t same = find_same(map, i);
        if (same < map->n)
            return error_set(err, ERR_USAGE,
                             "map: the columns \"%.60s\" and \"%.60s\" are the same thing",
                             t->column[same], t->column[i]);
    }
    return 0;
}

/* What the numbers of a table show, a bit for each shape. */
static unsigned shapes_of(const struct csv_map *map, const struct csv_table *t)
{
    unsigned shapes = 0;
    for (size_t row = 0; row < t->n_rows; row++) {
        for (size_t i = 0; i < map->n; i++) {
            if (column_is_number(&map->column[i]))
                shapes |= 1U << csv_number_shape(csv_table_get(t, row, i));
        }
    }
    return shapes;
}

/* What is cut at commas, and what programs wrote, has decimal points. */
static enum csv_numbers numbers_of(const struct csv_map *map, const struct csv_table *t)
{
    if (map->decimal)
        return map->decimal == ',' ? CSV_NUMBERS_COMMA : CSV_NUMBERS_POINT;
    if (map->own || t->delimiter == ',')
        return CSV_NUMBERS_POINT;
    unsigned shapes = shapes_of(map, t);
    bool points = shapes & 1U << CSV_SHAPE_POINT, commas = shapes & 1U << CSV_SHAPE_COMMA;
    if (points != commas)
        return points ? CSV_NUMBERS_POINT : CSV_NUMBERS_COMMA;
    return t->delimiter ? CSV_NUMBERS_UNCLEAR : CSV_NUMBERS_NOTES;
}

static void say_numbers(struct csv_map *map, const struct csv_table *t)
{
    enum csv_numbers numbers = numbers_of(map, t);
    for (size_t i = 0; i < map->n; i++)
        map->column[i].numbers = numbers;
}

static int apply_lines(struct csv_map *map, const struct csv_table *t, const char *text,
                       struct error *err)
{
    char *copy = xstrdup(text), *rest = copy, *line;
    size_t number = 0;
    int rc = 0;
    start(map, t);
    while (rc == 0 && (line = strsep(&rest, "\n")))
        rc = apply_line(map, t, line, ++number, err);
    free(copy);
    return rc < 0 ? rc : refuse_doubles(map, t, err);
}

int csv_map_check(const char *text, struct error *err)
{
    char *copy = xstrdup(text), *rest = copy, *line;
    struct csv_table t = {.text = STRBUF_INIT};
    struct csv_map map = {0};
    struct map_line l;
    size_t number = 0;
    int rc = 0;
    /* a table with the columns that must be there */
    while (rc >= 0 && (line = strsep(&rest, "\n"))) {
        rc = cut_line(line, &l, ++number, err);
        if (rc > 0 && !l.optional && find_column(&t, l.column) == t.n_columns)
            csv_table_add_column(&t, l.column, strlen(l.column));
    }
    if (rc >= 0)
        rc = apply_lines(&map, &t, text, err);
    csv_map_release(&map);
    csv_table_release(&t);
    free(copy);
    return rc;
}

static bool is_own(const struct csv_table *t)
{
    static const char *const marks[] = {"run_uuid", "cell_id", "direction"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (find_column(t, marks[i]) == t->n_columns)
            return false;
    }
    return true;
}

static bool find_built_in(struct csv_map *map, const struct csv_table *t)
{
    const char *name;
    for (size_t i = 0; (name = embedded_name(i)); i++) {
        if (strncmp(name, MAPS, strlen(MAPS)) != 0)
            continue;
        if (csv_map_apply(map, t, embedded_find(name, NULL), NULL) == 0) {
            map->name = name + strlen(MAPS);
            return true;
        }
    }
    return false;
}

/* Bytes and I/Os alone (the sizes of files, say) are no result; over a time they are. */
static bool has_result(const struct csv_map *map)
{
    bool amount = false, time = false;
    for (size_t i = 0; i < map->n; i++) {
        const struct column *c = &map->column[i];
        bool of_direction = c->kind == COLUMN_DIRECTION;
        bool is_time = (of_direction && c->field == DIRECTION_runtime_ns) ||
                       (c->kind == COLUMN_CELL && c->field == CELL_runtime_ns);
        bool is_amount = of_direction && (c->field == DIRECTION_ios || c->field == DIRECTION_bytes);
        if (column_is_figure(c) && !is_time && !is_amount)
            return true;
        time = time || is_time;
        amount = amount || is_amount;
    }
    return amount && time;
}

/* "Type" is the pattern where all of its values are patterns, and elsewhere a remark. */
static bool values_fit(const struct csv_table *t, size_t i, const struct column *c)
{
    bool any = false;
    for (size_t row = 0; row < t->n_rows; row++) {
        struct cell_key key = {0};
        const char *text = csv_table_get(t, row, i);
        if (!column_read(&cell_key_fields, &key, c, text))
            return false;
        any = any || *text;
    }
    return any;
}

/* A heading that says it plainly comes first, wherever it stands. */
static void settle_weak(struct csv_map *map, const struct csv_table *t)
{
    for (size_t i = 0; i < map->n; i++) {
        struct column *c = &map->column[i];
        bool fits = !c->weak || (c->kind == COLUMN_KEY && values_fit(t, i, c));
        for (size_t k = 0; k < map->n && c->weak; k++)
            fits = fits && (k == i || !same_target(c, &map->column[k]));
        if (!fits)
            *c = (struct column){.kind = COLUMN_OTHER};
    }
}

/* decimal: 0, the numbers of the table tell. */
static int guess(struct csv_map *map, const struct csv_table *t, char decimal, struct error *err)
{
    start(map, t);
    map->decimal = decimal;
    map->own = is_own(t);
    map->name = map->own ? "blkmatrix" : "guessed";
    for (size_t i = 0; i < t->n_columns; i++) {
        struct column *c = &map->column[i];
        if (!(map->own ? column_own(c, t->column[i]) : column_guess(c, t->column[i])))
            *c = (struct column){.kind = COLUMN_OTHER};
    }
    settle_weak(map, t);
    for (size_t i = 0; i < t->n_columns; i++) {
        if (find_same(map, i) < map->n)
            map->column[i] = (struct column){.kind = COLUMN_OTHER}; /* the first one counts */
    }
    say_numbers(map, t);
    if (has_result(map))
        return 0;
    csv_map_release(map);
    struct strbuf names = STRBUF_INIT;
    add_names(&names, t);
    int rc = error_set(err, ERR_INPUT,
                       "no column is understood as a measured figure (IOPS, bandwidth, latency)");
    error_hint(err, "Its columns are: %s. Say what they are with --map FILE.", names.text);
    strbuf_release(&names);
    return rc;
}

int csv_map_find(struct csv_map *map, const struct csv_table *t, struct error *err)
{
    return find_built_in(map, t) ? 0 : guess(map, t, 0, err);
}

/* A map that only says how numbers are written leaves the columns to their headings. */
int csv_map_apply(struct csv_map *map, const struct csv_table *t, const char *text,
                  struct error *err)
{
    int rc = apply_lines(map, t, text, err);
    if (rc == 0 && map->decimal && !map->has_columns) {
        char decimal = map->decimal;
        csv_map_release(map);
        return guess(map, t, decimal, err);
    }
    if (rc == 0 && !csv_map_has_figure(map))
        rc = error_set(err, ERR_USAGE,
                       "map: no column is a measured figure (iops, bw, lat.mean ...)");
    say_numbers(map, t);
    if (rc < 0)
        csv_map_release(map);
    return rc;
}
