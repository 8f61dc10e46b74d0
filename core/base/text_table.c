#include "core/base/text_table.h"

#include <libsmartcols/libsmartcols.h>
#include <locale.h>
#include <stdarg.h>

#include "core/base/csv_text.h"
#include "core/base/utf8.h"
#include "core/base/xalloc.h"

struct column {
    char *title;
    unsigned flags;
};

struct text_table {
    struct column *column;
    size_t n_columns, columns_room;
    char **cell; /* rows one after the other, n_columns each; NULL is unknown */
    size_t n_rows, cells_room;
    size_t filled; /* cells of the last row that are set */
};

static const char unknown[] = "\xE2\x80\x93";

struct text_table *text_table_create(void)
{
    return xcalloc(1, sizeof(struct text_table));
}

void text_table_destroy(struct text_table *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n_columns; i++)
        free(t->column[i].title);
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
        free(t->cell[i]);
    free(t->column);
    free(t->cell);
    free(t);
}

void text_table_column(struct text_table *t, const char *title, unsigned flags)
{
    GROW(t->column, t->n_columns + 1, t->columns_room);
    t->column[t->n_columns++] = (struct column){.title = xstrdup(title), .flags = flags};
}

void text_table_row(struct text_table *t)
{
    size_t before = t->n_rows * t->n_columns, after = before + t->n_columns;
    GROW(t->cell, after, t->cells_room);
    for (size_t i = before; i < after; i++)
        t->cell[i] = NULL;
    t->n_rows++;
    t->filled = 0;
}

void text_table_cell(struct text_table *t, const char *text)
{
    if (t->n_rows == 0 || t->filled == t->n_columns)
        return;
    t->cell[(t->n_rows - 1) * t->n_columns + t->filled++] = xstrdup_null(text);
}

void text_table_cellf(struct text_table *t, const char *fmt, ...)
{
    struct strbuf sb = STRBUF_INIT;
    va_list ap;
    va_start(ap, fmt);
    strbuf_addv(&sb, fmt, ap);
    va_end(ap);
    text_table_cell(t, sb.text);
    strbuf_release(&sb);
}

size_t text_table_rows(const struct text_table *t)
{
    return t->n_rows;
}

/* The text of a cell for people, cleaned of bytes that a terminal would obey. Free with free(). */
static char *shown(const char *text)
{
    struct strbuf sb = STRBUF_INIT;
    utf8_clean(&sb, text ? text : unknown);
    return strbuf_detach(&sb);
}

static struct libscols_table *to_scols(const struct text_table *t)
{
    struct libscols_table *tb = scols_new_table();
    if (!tb)
        return NULL;
    for (size_t c = 0; c < t->n_columns; c++) {
        unsigned flags = t->column[c].flags;
        int fl = (flags & COL_RIGHT ? SCOLS_FL_RIGHT : 0) |
                 (flags & COL_TRUNC ? SCOLS_FL_TRUNC : 0) | (flags & COL_WRAP ? SCOLS_FL_WRAP : 0);
        char *title = shown(t->column[c].title);
        scols_table_new_column(tb, title, 0, fl);
        free(title);
    }
    for (size_t r = 0; r < t->n_rows; r++) {
        struct libscols_line *line = scols_table_new_line(tb, NULL);
        for (size_t c = 0; line && c < t->n_columns; c++)
            scols_line_refer_data(line, c, shown(t->cell[r * t->n_columns + c]));
    }
    return tb;
}

/* Appends lines without the blanks that pad their end; the first (the headings) bold. */
static void add_lines(struct strbuf *out, const char *text, bool bold_first)
{
    bool first = true;
    while (*text) {
        size_t n = strcspn(text, "\n"), len = n;
        while (len > 0 && text[len - 1] == ' ')
            len--;
        bool bold = first && bold_first;
        strbuf_adds(out, bold ? "\033[1m" : "");
        strbuf_add(out, text, len);
        strbuf_adds(out, bold ? "\033[0m\n" : "\n");
        text += text[n] ? n + 1 : n;
        first = false;
    }
}

/* What libsmartcols counts and prints as a character depends on the locale: here always UTF-8. */
static char *print_utf8(struct libscols_table *tb)
{
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t old = utf8 ? uselocale(utf8) : (locale_t)0;
    char *text = NULL;
    scols_print_table_to_string(tb, &text);
    if (utf8) {
        uselocale(old);
        freelocale(utf8);
    }
    return text;
}

void text_table_print(const struct text_table *t, struct strbuf *out, size_t width, bool colour)
{
    struct libscols_table *tb = to_scols(t);
    if (!tb)
        return;
    /* never asks the terminal itself: the caller knows the width, and 0 is no limit */
    scols_table_set_termforce(tb, width ? SCOLS_TERMFORCE_ALWAYS : SCOLS_TERMFORCE_NEVER);
    if (width)
        scols_table_set_termwidth(tb, width);
    scols_table_set_column_separator(tb, "  ");
    char *text = print_utf8(tb);
    if (text)
        add_lines(out, text, colour);
    free(text);
    scols_unref_table(tb);
}

static void markdown_cell(struct strbuf *out, const char *text)
{
    char *clean = shown(text);
    for (const char *p = clean; *p; p++) {
        if (strchr("|\\`*_<>[]", *p))
            strbuf_addc(out, '\\');
        strbuf_addc(out, *p);
    }
    free(clean);
}

void text_table_markdown(const struct text_table *t, struct strbuf *out)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        strbuf_adds(out, c ? " | " : "| ");
        markdown_cell(out, t->column[c].title);
    }
    strbuf_adds(out, " |\n");
    for (size_t c = 0; c < t->n_columns; c++)
        strbuf_adds(out, t->column[c].flags & COL_RIGHT ? "|---:" : "|---");
    strbuf_adds(out, "|\n");
    for (size_t r = 0; r < t->n_rows; r++) {
        for (size_t c = 0; c < t->n_columns; c++) {
            strbuf_adds(out, c ? " | " : "| ");
            markdown_cell(out, t->cell[r * t->n_columns + c]);
        }
        strbuf_adds(out, " |\n");
    }
}

void text_table_csv(const struct text_table *t, struct strbuf *out)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        strbuf_adds(out, c ? "," : "");
        csv_text_add(out, t->column[c].title);
    }
    strbuf_adds(out, "\r\n");
    for (size_t r = 0; r < t->n_rows; r++) {
        for (size_t c = 0; c < t->n_columns; c++) {
            const char *text = t->cell[r * t->n_columns + c];
            strbuf_adds(out, c ? "," : "");
            csv_text_add(out, text ? text : "");
        }
        strbuf_adds(out, "\r\n");
    }
}
