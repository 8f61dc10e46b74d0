#include "store/import/csv_table.h"

#include <csv.h>
#include <stdbool.h>

#include "core/base/csv_text.h"
#include "core/base/xalloc.h"

static int start(struct csv_table *t, size_t n, struct error *err)
{
    *t = (struct csv_table){.text = STRBUF_INIT};
    return n < UINT32_MAX / 2 ? 0 : error_set(err, ERR_INPUT, "tables of over 2 GiB are not read");
}

void csv_table_release(struct csv_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++)
        free(t->column[i]);
    free(t->column);
    free(t->value);
    free(t->row);
    strbuf_release(&t->text);
    *t = (struct csv_table){.text = STRBUF_INIT};
}

const char *csv_table_get(const struct csv_table *t, size_t row, size_t column)
{
    const struct csv_row *r = &t->row[row];
    const struct csv_value *v = t->value + r->first;
    if (column < r->n && v[column].column == column) /* as in CSV, where they are in order */
        return t->text.text + v[column].at;
    for (size_t i = 0; i < r->n; i++) {
        if (v[i].column == column)
            return t->text.text + v[i].at;
    }
    return "";
}

void csv_table_unprotect(struct csv_table *t)
{
    for (size_t i = 0; i < t->n_values; i++) {
        const char *text = t->text.text + t->value[i].at;
        t->value[i].at += (uint32_t)(csv_text_unprotected(text) - text);
    }
}

void csv_table_add_column(struct csv_table *t, const char *name, size_t n)
{
    t->column = xrealloc(t->column, t->n_columns + 1, sizeof *t->column);
    t->column[t->n_columns++] = xstrndup(name, n);
}

static void add_row(struct csv_table *t, size_t line)
{
    GROW(t->row, t->n_rows + 1, t->room_rows);
    t->row[t->n_rows++] = (struct csv_row){.first = (uint32_t)t->n_values, .line = (uint32_t)line};
}

/* A value of the last row. A NUL byte inside ends it. */
static void add_value(struct csv_table *t, size_t column, const char *text, size_t n)
{
    GROW(t->value, t->n_values + 1, t->room_values);
    t->value[t->n_values++] = (struct csv_value){(uint32_t)column, (uint32_t)t->text.len};
    t->row[t->n_rows - 1].n++;
    strbuf_add(&t->text, text, strnlen(text, n));
    strbuf_addc(&t->text, '\0');
}

/* While libcsv reads. */
struct filling {
    struct csv_table *t;
    size_t column; /* next of the current row */
    size_t row_line;
    bool heading; /* done */
    bool blank;   /* nothing but empty fields so far */
    bool comment;
    const char *fault;
    size_t fault_line;
};

static void fail(struct filling *f, const char *why)
{
    if (!f->fault) {
        f->fault = why;
        f->fault_line = f->row_line;
    }
}

static void take_field(void *field, size_t n, void *arg)
{
    struct filling *f = arg;
    struct csv_table *t = f->t;
    const char *text = field ? field : "";
    if (f->column == 0)
        f->comment = n > 0 && text[0] == '#';
    if (f->fault || f->comment)
        return;
    f->blank = f->blank && n == 0;
    if (!f->heading) {
        if (t->n_columns == CSV_COLUMNS_MAX)
            fail(f, "more than 1024 columns");
        else
            csv_table_add_column(t, text, n);
    } else {
        if (f->column == 0)
            add_row(t, f->row_line);
        if (f->column < t->n_columns)
            add_value(t, f->column, text, n);
        else if (n > 0)
            t->row[t->n_rows - 1].wide = true;
    }
    f->column++;
}

/* Names at the end that are empty ask for no value. */
static size_t named_columns(const struct csv_table *t)
{
    size_t n = t->n_columns;
    while (n > 0 && !*t->column[n - 1])
        n--;
    return n;
}

static void end_row(struct csv_table *t, size_t n_values, bool open)
{
    struct csv_row *row = &t->row[t->n_rows - 1];
    row->narrow = n_values < named_columns(t);
    row->open = open;
}

static void drop_row(struct csv_table *t)
{
    t->n_values = t->row[--t->n_rows].first;
}

static void take_end(int terminator, void *arg)
{
    struct filling *f = arg;
    if (!f->comment && f->column > 0 && !f->fault) {
        if (!f->heading)
            f->heading = true;
        else if (f->blank)
            drop_row(f->t);
        else
            end_row(f->t, f->column, terminator < 0);
    }
    f->column = 0;
    f->blank = true;
    f->comment = false;
}

size_t csv_line_length(const char *text, size_t n)
{
    enum { QUOTED_MAX = 65536 }; /* a quote that does not end is none */
    bool quoted = false;
    for (size_t i = 0; i < n && i < QUOTED_MAX; i++) {
        if (text[i] == '"')
            quoted = !quoted;
        else if (text[i] == '\n' && !quoted)
            return i;
    }
    if (!quoted && n < QUOTED_MAX)
        return n;
    const char *end = memchr(text, '\n', n);
    return end ? (size_t)(end - text) : n;
}

static unsigned char find_delimiter(const char *text, size_t n)
{
    static const unsigned char candidates[] = {',', ';', '\t'};
    size_t best = 0, most = 0, at = 0;
    while (at < n && (text[at] == '#' || text[at] == '\n' || text[at] == '\r')) {
        const char *end = memchr(text + at, '\n', n - at);
        at = end ? (size_t)(end - text) + 1 : n;
    }
    size_t stop = at + csv_line_length(text + at, n - at);
    for (size_t i = 0; i < sizeof candidates; i++) {
        size_t count = 0;
        for (size_t k = at; k < stop; k++)
            count += (unsigned char)text[k] == candidates[i];
        if (count > most) {
            most = count;
            best = i;
        }
    }
    return candidates[best];
}

static int csv_error_of(const struct filling *f, struct error *err)
{
    return error_set(err, ERR_INPUT, "line %zu: %s", f->fault_line, f->fault);
}

/* libcsv gets one line at a time (a quoted value may run over several), so that rows know theirs. */
static void feed_lines(struct csv_parser *p, struct filling *f, const char *text, size_t n,
                       const struct csv_start *start)
{
    size_t line = start->line;
    for (size_t at = start->at; at < n && !f->fault; line++) {
        const char *end = memchr(text + at, '\n', n - at);
        size_t len = end ? (size_t)(end - text) - at + 1 : n - at;
        if (f->column == 0 && !p->quoted)
            f->row_line = line;
        if (csv_parse(p, text + at, len, take_field, take_end, f) != len)
            fail(f, csv_strerror(csv_error(p)));
        at += len;
    }
}

int csv_table_read_from(struct csv_table *t, const char *text, size_t n,
                        const struct csv_start *from, struct error *err)
{
    struct csv_parser p;
    struct filling f = {.t = t, .blank = true};
    int rc = start(t, n, err);
    if (rc < 0)
        return rc;
    if (csv_init(&p, CSV_APPEND_NULL) != 0)
        return error_set(err, ERR_INPUT, "the CSV reader does not start");
    t->delimiter =
        from->delimiter ? from->delimiter : (char)find_delimiter(text + from->at, n - from->at);
    csv_set_delim(&p, (unsigned char)t->delimiter);
    feed_lines(&p, &f, text, n, from);
    if (!f.fault)
        csv_fini(&p, take_field, take_end, &f);
    csv_free(&p);
    if (f.fault) {
        csv_table_release(t);
        return csv_error_of(&f, err);
    }
    return 0;
}

int csv_table_read(struct csv_table *t, const char *text, size_t n, struct error *err)
{
    const struct csv_start top = {.line = 1};
    return csv_table_read_from(t, text, n, &top, err);
}

/* The next "name=value" of a line; values end at a comma, semicolon or tab. False when there is none. */
struct pair {
    const char *name, *value;
    size_t name_len, value_len;
};

/* "12,345" or "4k,16k" is one value: what follows the comma at once begins with a digit, and is no name. */
static bool is_in_value(const char *comma, const char *end)
{
    const char *p = comma + 1;
    if (*comma != ',' || p >= end || *p < '0' || *p > '9')
        return false;
    while (p < end && *p != ',' && *p != ';' && *p != '\t' && *p != '=')
        p++;
    return p == end || *p != '=';
}

static bool next_pair(const char **at, const char *end, struct pair *pair)
{
    const char *p = *at;
    while (p < end) {
        const char *stop = p;
        while (stop < end &&
               ((*stop != ',' && *stop != ';' && *stop != '\t') || is_in_value(stop, end)))
            stop++;
        const char *equals = memchr(p, '=', (size_t)(stop - p));
        *at = stop < end ? stop + 1 : end;
        while (p < stop && (*p == ' ' || *p == '-'))
            p++;
        if (equals && equals > p) {
            const char *name_end = equals, *value = equals + 1, *value_end = stop;
            while (name_end > p && name_end[-1] == ' ')
                name_end--;
            while (value < value_end && *value == ' ')
                value++;
            while (value_end > value && (value_end[-1] == ' ' || value_end[-1] == '\r'))
                value_end--;
            size_t name_len = strnlen(p, (size_t)(name_end - p));
            *pair = (struct pair){p, value, name_len, (size_t)(value_end - value)};
            return pair->name_len > 0;
        }
        p = *at;
    }
    return false;
}

size_t csv_pairs_count(const char *line, size_t n)
{
    const char *at = line;
    struct pair pair;
    size_t count = 0;
    while (next_pair(&at, line + n, &pair))
        count++;
    return count;
}

static size_t column_of(struct csv_table *t, const struct pair *pair)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        if (strlen(t->column[i]) == pair->name_len &&
            strncasecmp(t->column[i], pair->name, pair->name_len) == 0)
            return i;
    }
    return t->n_columns;
}

/* Calls fn for each line that has pairs. */
static void each_pair_line(const char *text, size_t n,
                           void (*fn)(struct csv_table *t, const char *line, size_t n,
                                      size_t number),
                           struct csv_table *t)
{
    size_t number = 1;
    for (size_t at = 0; at < n; number++) {
        const char *end = memchr(text + at, '\n', n - at);
        size_t len = end ? (size_t)(end - text) - at : n - at;
        if (len > 0 && text[at] != '#' && csv_pairs_count(text + at, len) > 0)
            fn(t, text + at, len, number);
        at += len + 1;
    }
}

static void collect_columns(struct csv_table *t, const char *line, size_t n, size_t number)
{
    const char *at = line;
    struct pair pair;
    (void)number;
    while (next_pair(&at, line + n, &pair)) {
        if (column_of(t, &pair) == t->n_columns && t->n_columns < CSV_COLUMNS_MAX)
            csv_table_add_column(t, pair.name, pair.name_len);
    }
}

static void collect_row(struct csv_table *t, const char *line, size_t n, size_t number)
{
    const char *at = line;
    struct pair pair;
    add_row(t, number);
    while (next_pair(&at, line + n, &pair)) {
        size_t column = column_of(t, &pair);
        if (column < t->n_columns)
            add_value(t, column, pair.value, pair.value_len);
    }
}

int csv_table_read_pairs(struct csv_table *t, const char *text, size_t n, struct error *err)
{
    int rc = start(t, n, err);
    if (rc < 0)
        return rc;
    each_pair_line(text, n, collect_columns, t);
    if (t->n_columns == 0)
        return error_set(err, ERR_INPUT, "no name=value pairs in it");
    if (t->n_columns == CSV_COLUMNS_MAX) {
        csv_table_release(t);
        return error_set(err, ERR_INPUT, "more than 1023 different names");
    }
    each_pair_line(text, n, collect_row, t);
    return 0;
}
