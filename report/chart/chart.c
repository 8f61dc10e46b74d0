#include "report/chart/chart.h"

#include "core/base/xalloc.h"

struct chart *chart_create(const char *kind)
{
    struct arena *a = arena_create();
    struct chart *c = arena_alloc(a, sizeof *c);
    c->arena = a;
    c->kind = kind;
    c->title = c->subtitle = c->source = "";
    return c;
}

void chart_destroy(struct chart *c)
{
    if (c)
        arena_destroy(c->arena);
}

void *chart_grow(struct arena *a, void *array, size_t n, size_t size)
{
    /* full at 0, 4, 8, 16 ...: only then it moves */
    bool full = n == 0 || (n >= 4 && (n & (n - 1)) == 0);
    if (!full)
        return array;
    char *bigger = arena_array(a, n < 4 ? 4 : 2 * n, size);
    if (n > 0)
        memcpy(bigger, array, n * size);
    return bigger;
}

void chart_set_empty(struct chart *c, const char *why, const char *command)
{
    c->empty = why;
    c->command = command;
    c->n_panels = 0;
    c->grid = NULL;
}

void chart_table_column(struct chart *c, const char *head, bool number)
{
    struct chart_table *t = &c->table;
    size_t n = t->n_columns;
    t->number = chart_grow(c->arena, t->number, n, sizeof *t->number);
    t->number[n] = number;
    *CHART_ADD(c, t->head, t->n_columns) = head;
}

void chart_table_cell(struct chart *c, const char *text)
{
    struct chart_table *t = &c->table;
    *CHART_ADD(c, t->cell, t->n_cells) = text;
}
