#include "tests/support/tsv.h"

#include "core/base/xalloc.h"
#include "tests/support/scratch.h"

static void die(const char *what, const char *where)
{
    fprintf(stderr, "%s: %s\n", where, what);
    abort();
}

void tsv_load(struct tsv *t, const char *path)
{
    *t = (struct tsv){0};
    size_t n, room_columns = 0, room_cells = 0, n_cells = 0;
    t->text = scratch_read(path, &n);
    if (!t->text)
        die("cannot be read", path);
    char *rest = t->text, *line;
    while ((line = strsep(&rest, "\n")) && *line) {
        char *part, **list = t->n_columns ? NULL : t->column;
        size_t columns = 0;
        while ((part = strsep(&line, "\t"))) {
            if (t->n_columns == 0) {
                GROW(list, columns + 1, room_columns);
                list[columns] = part;
            } else {
                GROW(t->cell, n_cells + 1, room_cells);
                t->cell[n_cells++] = part;
            }
            columns++;
        }
        if (t->n_columns == 0) {
            t->column = list;
            t->n_columns = columns;
        } else if (columns != t->n_columns) {
            die("a row has another number of columns", path);
        } else {
            t->n_rows++;
        }
    }
}

void tsv_release(struct tsv *t)
{
    free(t->text);
    free(t->cell);
    free(t->column);
    *t = (struct tsv){0};
}

const char *tsv_get(const struct tsv *t, size_t row, const char *column)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        if (strcmp(t->column[i], column) == 0)
            return t->cell[row * t->n_columns + i];
    }
    die("no such column", column);
    return "";
}
