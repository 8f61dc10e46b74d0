#include "core/base/text_table.h"

#include <libsmartcols/libsmartcols.h>
#include <locale.h>
#include <stdarg.h>

#include "core/base/csv_text.h"
#include "core/base/text_fit.h"
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

/* Headings and cells as people see them, n_columns x (n_rows + 1). */
static char **shown_cells(const struct text_table *t)
{
    char **cell = xcalloc((t->n_rows + 1) * t->n_columns + 1, sizeof *cell);
    for (size_t c = 0; c < t->n_columns; c++)
        cell[c] = shown(t->column[c].title);
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
        cell[t->n_columns + i] = shown(t->cell[i]);
    return cell;
}

static struct fit_column *columns_to_fit(const struct text_table *t)
{
    struct fit_column *column = xcalloc(t->n_columns + 1, sizeof *column);
    for (size_t c = 0; c < t->n_columns; c++)
        column[c] = (struct fit_column){t->column[c].flags, true, true};
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
        if (t->cell[i])
            column[i % t->n_columns].is_unknown = false;
    return column;
}

/* The shown columns; takes their texts. */
static void fill_scols(struct libscols_table *tb, char **cell, size_t n_rows,
                       const struct fit_column *column, size_t n)
{
    for (size_t c = 0; c < n; c++) {
        if (!column[c].is_shown)
            continue;
        int flags = (column[c].flags & COL_RIGHT ? SCOLS_FL_RIGHT : 0) |
                    (column[c].flags & COL_WRAP ? SCOLS_FL_WRAP : 0);
        struct libscols_column *cl = scols_table_new_column(tb, cell[c], 0, flags);
        if (cl && column[c].flags & COL_WRAP) {
            scols_column_set_safechars(cl, "\n");
            scols_column_set_wrapfunc(cl, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL);
        }
    }
    for (size_t r = 1; r < n_rows; r++) {
        struct libscols_line *line = scols_table_new_line(tb, NULL);
        for (size_t c = 0, at = 0; line && c < n; c++)
            if (column[c].is_shown && scols_line_refer_data(line, at++, cell[r * n + c]) == 0)
                cell[r * n + c] = NULL;
    }
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

static char *print_fitting(const struct text_table *t, size_t width)
{
    struct libscols_table *tb = scols_new_table();
    if (!tb)
        return NULL;
    char **cell = shown_cells(t);
    struct fit_column *column = columns_to_fit(t);
    if (width)
        text_fit(cell, t->n_rows + 1, column, t->n_columns, width);
    fill_scols(tb, cell, t->n_rows + 1, column, t->n_columns);
    /* never asks the terminal itself: what is given to it fits */
    scols_table_set_termforce(tb, SCOLS_TERMFORCE_NEVER);
    scols_table_set_column_separator(tb, "  ");
    char *text = NULL;
    scols_print_table_to_string(tb, &text);
    scols_unref_table(tb);
    for (size_t i = 0; i < (t->n_rows + 1) * t->n_columns; i++)
        free(cell[i]);
    free(cell);
    free(column);
    return text;
}

/* What counts as a character and is printed as one depends on the locale: here always UTF-8. */
void text_table_print(const struct text_table *t, struct strbuf *out, size_t width, bool colour)
{
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t old = utf8 ? uselocale(utf8) : (locale_t)0;
    char *text = print_fitting(t, width);
    if (utf8) {
        uselocale(old);
        freelocale(utf8);
    }
    if (text)
        add_lines(out, text, colour);
    free(text);
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
