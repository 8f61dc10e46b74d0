/*
 * Pages of text for a terminal or as Markdown: headings, lists of name and value, tables. Whatever
 * comes from files is cleaned of control characters.
 */
#ifndef CLI_VIEW_H
#define CLI_VIEW_H

#include "cli/cmd.h"
#include "core/base/strbuf.h"
#include "core/base/text_table.h"
#include "core/model/field.h"

struct view {
    struct strbuf out;
    bool markdown;
    size_t width;
    bool colour;
};

void view_init(struct view *v, const struct cmd_ctx *ctx);
/* Prints what has come together to the standard output, and frees it. */
void view_print(struct view *v);

/* level 1 is the title of the page. */
void view_heading(struct view *v, int level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* One line of a list of names and values; value NULL or "" is left out. */
void view_line(struct view *v, const char *name, const char *value);
void view_linef(struct view *v, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void view_text(struct view *v, const char *text);
/* Sentences, filled to the width of the terminal. */
void view_paragraph(struct view *v, const char *text);
/* Prints and destroys the table. */
void view_table(struct view *v, struct text_table *t);

/* Appends a field as people read it: sizes, times and rates with their units. */
void view_value(struct strbuf *out, const struct field_set *set, const void *rec, size_t i);
/* A line for each known field; those of the bit set `skip` are left out. */
void view_fields(struct view *v, const struct field_set *set, const void *rec, uint64_t skip);

#endif
