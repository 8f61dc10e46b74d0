/* Adding blocks to sections and cells to tables. */
#include "report/page/page_internal.h"

#include <math.h>

#include "core/base/xalloc.h"

void page_add_caveat(struct page *p, const char *text)
{
    GROW(p->caveat, p->n_caveats + 1, p->caveat_room);
    p->caveat[p->n_caveats++] = text;
}

static struct page_block *add_block(struct section *s, enum block_kind kind)
{
    GROW(s->block, s->n_blocks + 1, s->room);
    struct page_block *b = &s->block[s->n_blocks++];
    *b = (struct page_block){.kind = kind};
    return b;
}

void page_add_text(struct page *p, struct section *s, const char *text)
{
    add_block(s, BLOCK_TEXT)->text = arena_strdup(p->arena, text);
}

void page_add_command(struct page *p, struct section *s, const char *text)
{
    add_block(s, BLOCK_COMMAND)->text = arena_strdup(p->arena, text);
}

void page_add_table(struct page *p, struct section *s, struct page_table *t)
{
    (void)p;
    add_block(s, BLOCK_TABLE)->table = t;
}

struct page_table *page_table_create(struct page *p, const char *id, const char *caption)
{
    struct page_table *t = arena_alloc(p->arena, sizeof *t);
    t->id = id;
    t->caption = caption;
    return t;
}

/* Doubles an array of the arena; the old one stays there until the page goes. */
static void *grown(struct page *p, const void *old, size_t n, size_t room, size_t size)
{
    void *fresh = arena_array(p->arena, room, size);
    if (n)
        memcpy(fresh, old, n * size);
    return fresh;
}

void page_table_column(struct page *p, struct page_table *t, const char *title, bool number)
{
    t->column = grown(p, t->column, t->n_columns, t->n_columns + 1, sizeof *t->column);
    t->column[t->n_columns++] = (struct page_column){title, number};
}

static void add_cell(struct page *p, struct page_table *t, struct page_cell cell)
{
    if (t->n_cells == t->room) {
        t->room = t->room ? 2 * t->room : 16 * t->n_columns;
        t->cell = grown(p, t->cell, t->n_cells, t->room, sizeof *t->cell);
    }
    t->cell[t->n_cells++] = cell;
    t->n_rows = t->n_cells / t->n_columns;
}

void page_table_text(struct page *p, struct page_table *t, const char *text)
{
    add_cell(p, t, (struct page_cell){text && *text ? text : "–", NAN, TAG_NONE});
}

void page_table_value(struct page *p, struct page_table *t, const char *text, double value)
{
    add_cell(p, t, (struct page_cell){arena_strdup(p->arena, text), value, TAG_NONE});
}

void page_table_tagged(struct page *p, struct page_table *t, const char *text, enum tag tag)
{
    add_cell(p, t, (struct page_cell){text, NAN, tag});
}

/* The values of a chart as a table like any other. */
static struct page_table *values_of(struct page *p, const struct chart *c)
{
    const struct chart_table *from = &c->table;
    if (from->n_cells == 0)
        return NULL;
    struct page_table *t = page_table_create(p, NULL, NULL);
    for (size_t i = 0; i < from->n_columns; i++)
        page_table_column(p, t, from->head[i], from->number[i]);
    for (size_t i = 0; i < from->n_cells; i++)
        page_table_text(p, t, from->cell[i]);
    return t;
}

bool page_add_chart(struct page *p, struct section *s, const char *kind, const char *id,
                    const struct kind_query *q)
{
    const struct kind *k = kind_find(kind);
    struct chart *c = k ? kind_build(k, p->dataset, q) : NULL;
    if (!c || c->empty) {
        chart_destroy(c);
        return false;
    }
    struct page_block *b = add_block(s, BLOCK_CHART);
    b->id = arena_strdup(p->arena, id);
    b->title = c->title;
    b->subtitle = c->subtitle;
    b->source = c->source;
    b->chart = c;
    b->table = values_of(p, c);
    return true;
}

struct scene *page_draw(const struct page_block *b, enum chart_place place, struct fonts *fonts)
{
    return chart_draw(b->chart, place, fonts);
}
