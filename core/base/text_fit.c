#include "core/base/text_fit.h"

#include <limits.h>
#include <stdint.h>
#include <wchar.h>

#include "core/base/text_table.h"
#include "core/base/xalloc.h"

#define LEAST_WIDTH 8  /* of a column that shrinks */
#define LONG_WORD   16 /* one that may be broken */
#define COMFORTABLE 24 /* likewise: as long as it has so much, nothing else is left out for it */
#define ELLIPSIS    "…"

/* The character at p: its bytes, and the columns it takes. */
static size_t character(const char *p, size_t *columns)
{
    mbstate_t state = {0};
    wchar_t wc;
    size_t n = mbrtowc(&wc, p, MB_LEN_MAX, &state);
    if (n == 0 || n == (size_t)-1 || n == (size_t)-2) {
        *columns = 1;
        return 1;
    }
    int w = wcwidth(wc);
    *columns = w < 0 ? 1 : (size_t)w;
    return n;
}

size_t text_fit_width(const char *text)
{
    size_t width = 0, columns;
    for (const char *p = text; *p; width += columns)
        p += character(p, &columns);
    return width;
}

/* Bytes of text that take at most `width` columns. */
static size_t bytes_within(const char *text, size_t width)
{
    size_t used = 0, columns;
    const char *p = text;
    while (*p) {
        size_t n = character(p, &columns);
        if (used + columns > width)
            break;
        used += columns;
        p += n;
    }
    return (size_t)(p - text);
}

static char *cut(const char *text, size_t width)
{
    struct strbuf sb = STRBUF_INIT;
    strbuf_add(&sb, text, bytes_within(text, width - 1));
    strbuf_adds(&sb, ELLIPSIS);
    return strbuf_detach(&sb);
}

/* With a line feed in place of blanks; a word that is too long is broken. */
static char *wrapped(const char *text, size_t width)
{
    struct strbuf sb = STRBUF_INIT;
    while (*text) {
        size_t n = bytes_within(text, width), line = n;
        if (text[n]) {
            while (line > 0 && text[line] != ' ')
                line--;
            if (line == 0)
                line = n > 0 ? n : 1;
        }
        strbuf_add(&sb, text, line);
        text += line;
        text += strspn(text, " ");
        strbuf_adds(&sb, *text ? "\n" : "");
    }
    return strbuf_detach(&sb);
}

struct fitting {
    char **cell;
    size_t n_rows, n;
    struct fit_column *column;
    size_t *width; /* of each column */
    size_t *least; /* likewise, as far as it may shrink */
};

static bool shrinks(const struct fit_column *c)
{
    return c->flags & (COL_TRUNC | COL_WRAP);
}

static size_t longest_word(const char *text)
{
    size_t longest = 0;
    while (*text) {
        size_t n = strcspn(text, " ");
        char *word = xstrndup(text, n);
        size_t w = text_fit_width(word);
        free(word);
        longest = w > longest ? w : longest;
        text += n;
        text += strspn(text, " ");
    }
    return longest;
}

/* How far a column may shrink: not below its heading, and to no less than its words, when these are not too long. */
static size_t least_of(const struct fitting *f, size_t c)
{
    size_t least = text_fit_width(f->cell[c]);
    least = least < LEAST_WIDTH ? LEAST_WIDTH : least;
    for (size_t r = 1; r < f->n_rows && f->column[c].flags & COL_WRAP; r++) {
        size_t word = longest_word(f->cell[r * f->n + c]);
        least = word > least && word <= LONG_WORD ? word : least;
    }
    return least < f->width[c] ? least : f->width[c];
}

/* Of the shown columns; those that shrink count at most `most`. */
static size_t total(const struct fitting *f, size_t most)
{
    size_t sum = 0;
    for (size_t c = 0; c < f->n; c++) {
        if (!f->column[c].is_shown)
            continue;
        size_t w = f->width[c];
        sum += (shrinks(&f->column[c]) && w > most ? most : w) + (sum ? FIT_GAP : 0);
    }
    return sum;
}

/* Likewise with those that shrink as narrow as they can be. */
static size_t least_total(const struct fitting *f)
{
    size_t sum = 0;
    for (size_t c = 0; c < f->n; c++) {
        if (f->column[c].is_shown)
            sum += (shrinks(&f->column[c]) ? f->least[c] : f->width[c]) + (sum ? FIT_GAP : 0);
    }
    return sum;
}

static void leave_out(struct fitting *f, size_t width)
{
    for (int spare = 0; spare < 2; spare++)
        for (size_t c = f->n; c-- > 0 && total(f, COMFORTABLE) > width;)
            if (spare ? (f->column[c].flags & COL_SPARE) != 0 : f->column[c].is_unknown)
                f->column[c].is_shown = false;
    for (size_t c = f->n; c-- > 0 && least_total(f) > width;)
        if (f->column[c].flags & COL_YIELD)
            f->column[c].is_shown = false;
}

static void shrink(struct fitting *f, size_t width)
{
    for (size_t sum = total(f, SIZE_MAX); sum > width; sum--) {
        size_t widest = f->n;
        for (size_t c = 0; c < f->n; c++) {
            bool can = f->column[c].is_shown && shrinks(&f->column[c]) && f->width[c] > f->least[c];
            if (can && (widest == f->n || f->width[c] > f->width[widest]))
                widest = c;
        }
        if (widest == f->n)
            return; /* it is as narrow as it can be */
        f->width[widest]--;
    }
}

void text_fit(char **cell, size_t n_rows, struct fit_column *column, size_t n, size_t width)
{
    struct fitting f = {
        cell, n_rows, n, column, xcalloc(n + 1, sizeof(size_t)), xcalloc(n + 1, sizeof(size_t))};
    for (size_t i = 0; i < n_rows * n; i++) {
        size_t w = text_fit_width(cell[i]);
        f.width[i % n] = w > f.width[i % n] ? w : f.width[i % n];
    }
    for (size_t c = 0; c < n; c++) {
        column[c].is_shown = true;
        f.least[c] = least_of(&f, c);
    }
    leave_out(&f, width);
    shrink(&f, width);
    for (size_t i = n; i < n_rows * n; i++) {
        size_t w = f.width[i % n];
        if (text_fit_width(cell[i]) <= w)
            continue;
        char *fitting = column[i % n].flags & COL_WRAP ? wrapped(cell[i], w) : cut(cell[i], w);
        free(cell[i]);
        cell[i] = fitting;
    }
    free(f.least);
    free(f.width);
}
