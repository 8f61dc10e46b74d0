/* The cells with exact figures in SI base units, one line a row; unknown is empty. */
#include "core/base/text_table.h"
#include "report/format/format_internal.h"

static int write(struct strbuf *out, const struct page *p, struct error *err)
{
    (void)err;
    struct text_table *tt = text_table_create();
    const struct page_table *t = p->data;
    for (size_t i = 0; i < t->n_columns; i++)
        text_table_column(tt, t->column[i].title, 0);
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (i % t->n_columns == 0)
            text_table_row(tt);
        text_table_cell(tt, t->cell[i].text);
    }
    text_table_csv(tt, out);
    text_table_destroy(tt);
    return 0;
}

const struct format format_csv = {"csv", ".csv", write};
