#include "store/import/fio_terse_line.h"

#include <string.h>

#include "store/import/number.h"

enum { DIRECTION_FIELDS_V4 = 41, DIRECTION_FIELDS_V5 = 47 };

void terse_cut(struct terse_line *l, char *text)
{
    l->text = text;
    l->n = 0;
    char *rest = text, *part;
    while (l->n < TERSE_FIELDS_MAX && (part = strsep(&rest, ";")))
        l->field[l->n++] = part;
}

bool terse_is_percent(const struct terse_line *l, size_t i)
{
    size_t n = i < l->n ? strlen(l->field[i]) : 0;
    return n > 1 && l->field[i][n - 1] == '%';
}

/* The directions end where the CPU percentages stand; a job with unified reporting has one only. */
bool terse_find_layout(struct terse_line *l)
{
    if (l->n < 5 || strlen(l->field[0]) != 1 || l->field[0][0] < '2' || l->field[0][0] > '5')
        return false;
    l->version = (unsigned)(l->field[0][0] - '0');
    l->head = l->version == 2 ? 4 : 5;
    l->width = l->version == 5 ? DIRECTION_FIELDS_V5 : DIRECTION_FIELDS_V4;
    size_t most = l->version == 3 ? 2 : 3;
    for (l->directions = most; l->directions > 0; l->directions--) {
        size_t cpu = l->head + l->directions * l->width;
        if (cpu + TERSE_TAIL_FIELDS <= l->n && terse_is_percent(l, cpu) &&
            terse_is_percent(l, cpu + 1) && !terse_is_percent(l, cpu + 2) &&
            terse_is_percent(l, cpu + 5))
            return true;
    }
    return false;
}

bool terse_get_u64(const struct terse_line *l, size_t i, uint64_t *v)
{
    return i < l->n && number_u64(l->field[i], strlen(l->field[i]), v);
}

/* A number, with or without a percent sign behind it. */
bool terse_get_f64(const struct terse_line *l, size_t i, double *v)
{
    size_t n = i < l->n ? strlen(l->field[i]) : 0;
    if (n > 0 && l->field[i][n - 1] == '%')
        n--;
    return n > 0 && number_f64(l->field[i], n, v) && *v >= 0;
}

/* Places that are empty say nothing. */
static bool note_odd(const struct terse_line *l, size_t i)
{
    if (i >= l->n || !*l->field[i])
        return false;
    if (l->odd->n++ == 0) {
        l->odd->line = l->number;
        snprintf(l->odd->first, sizeof l->odd->first, "field %u = %.20s", (unsigned)i + 1,
                 l->field[i]);
    }
    return false;
}

bool terse_figure_u64(const struct terse_line *l, size_t i, uint64_t unit, uint64_t *v)
{
    return (terse_get_u64(l, i, v) && *v <= INT64_MAX / unit && (*v *= unit, true)) ||
           note_odd(l, i);
}

bool terse_figure_f64(const struct terse_line *l, size_t i, double unit, double *v)
{
    return (terse_get_f64(l, i, v) && (*v *= unit, true)) || note_odd(l, i);
}

bool terse_percentile(const struct terse_line *l, size_t i, double *p, uint64_t *ns)
{
    const char *field = i < l->n ? l->field[i] : "", *mark = strstr(field, "%=");
    if (!mark || !number_f64(field, (size_t)(mark - field), p) || *p <= 0 || *p > 100)
        return false;
    return (number_u64(mark + 2, strlen(mark + 2), ns) && *ns <= INT64_MAX / 1000 &&
            (*ns *= 1000, true)) ||
           note_odd(l, i);
}
