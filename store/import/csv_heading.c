#include "store/import/csv_heading.h"

#include <strings.h>

#include "store/import/csv_map.h"

enum { LINES = 20, LINE_BYTES = 65536 };

size_t csv_understood(const struct csv_table *t, bool *format)
{
    struct csv_map map = {0};
    size_t known = 0, settings = 0;
    if (csv_map_find(&map, t, NULL) == 0) {
        *format = map.own || strcmp(map.name, "guessed") != 0;
        for (size_t i = 0; i < map.n; i++) {
            known += map.column[i].kind != COLUMN_OTHER;
            settings += map.column[i].kind == COLUMN_KEY ||
                        map.column[i].kind == COLUMN_OPERATION || map.column[i].kind == COLUMN_CELL;
        }
    }
    csv_map_release(&map);
    return settings > 0 ? known : 0;
}

static bool is_heading(struct csv_heading *h, const char *line, size_t n, const char *text)
{
    struct csv_table t = {.text = STRBUF_INIT};
    const struct csv_start start = {.line = 1, .delimiter = h->start.delimiter};
    bool found = false;
    if (csv_table_read_from(&t, line, n, &start, NULL) == 0) {
        struct csv_map map = {0};
        found =
            text ? csv_map_apply(&map, &t, text, NULL) == 0 : csv_understood(&t, &h->format) >= 2;
        csv_map_release(&map);
    }
    csv_table_release(&t);
    return found;
}

/* "sep=;" says what the table is cut at. */
static void take_separator(struct csv_start *start, const char *text, size_t n)
{
    static const char word[] = "sep=";
    size_t len = sizeof word - 1;
    if (n <= len || strncasecmp(text, word, len) != 0)
        return;
    const char *end = memchr(text, '\n', n);
    size_t line = end ? (size_t)(end - text) : n;
    line -= line > len + 1 && text[line - 1] == '\r';
    if (line != len + 1)
        return;
    start->delimiter = text[len];
    start->at = end ? (size_t)(end - text) + 1 : n;
    start->line = 2;
}

static size_t lines_in(const char *text, size_t n)
{
    size_t lines = 1;
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

struct csv_heading csv_heading_find(const char *text, size_t n, const char *map)
{
    struct csv_heading h = {.start = {.line = 1}, .first = true};
    take_separator(&h.start, text, n);
    const struct csv_start top = h.start;
    size_t at = top.at, line = top.line;
    for (size_t tried = 0; at < n && tried < LINES; tried++) {
        size_t len = csv_line_length(text + at, n - at);
        bool empty = len == 0 || text[at] == '#' || text[at] == '\r';
        if (!empty && len <= LINE_BYTES && is_heading(&h, text + at, len, map)) {
            h.start = (struct csv_start){at, line, top.delimiter};
            h.found = true;
            return h;
        }
        h.first = h.first && empty;
        line += lines_in(text + at, len);
        at += len + 1;
    }
    return h;
}
