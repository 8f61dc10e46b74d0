/* Names of series at the ends of their lines: no legend to look up. */
#include <math.h>

#include "core/base/xalloc.h"
#include "report/chart/chart_internal.h"

#define LEADING    15.0 /* between two names */
#define NAME_GAP   12.0 /* from the last mark to a name */
#define MOST_WIDTH 0.30 /* of the picture, for the names of one side */
#define MOVED_FAR  8.0  /* a name that had to move this much gets a line to its mark */
#define FAR_APART  60.0 /* and one whose line ends this far away */
#define LEAST_DX   12.0 /* in less room a leader is only a smear */

static bool is_named(const struct trace *s)
{
    if (!s->name || s->unlabelled)
        return false;
    for (size_t i = 0; i < s->n; i++)
        if (!isnan(s->datum[i].y))
            return true;
    return false;
}

/* First or last datum with a value. */
static const struct datum *end_datum(const struct trace *s, enum label_end end)
{
    const struct datum *found = NULL;
    for (size_t i = 0; i < s->n; i++)
        if (!isnan(s->datum[i].y) && (end != END_LEFT || !found))
            found = &s->datum[i];
    return found;
}

static double leading(const struct panel *p)
{
    for (size_t i = 0; i < p->n_traces; i++)
        if (is_named(&p->trace[i]) && p->trace[i].note)
            return 2 * LEADING;
    return LEADING;
}

/* Sum of the moves that the names would need at this end. */
static double crowding(const struct panel *p, enum label_end end, double height)
{
    const struct scale y = scale_of(&p->y, height, 0);
    double *at = xcalloc(p->n_traces + 1, sizeof *at);
    size_t n = 0;
    for (size_t i = 0; i < p->n_traces; i++)
        if (is_named(&p->trace[i]))
            at[n++] = scale_at(&y, end_datum(&p->trace[i], end)->y);
    double gap = leading(p);
    double sum = (double)n * gap > height ? INFINITY : labels_push_apart(at, n, gap, 0, height);
    free(at);
    return sum;
}

enum label_end ends_choose(const struct canvas *k, const struct panel *p, double height)
{
    if (k->c->small_multiples)
        return END_FREE;
    bool any = false;
    for (size_t i = 0; i < p->n_traces; i++) {
        if (!is_named(&p->trace[i]))
            continue;
        if (p->trace[i].end != END_AUTO)
            return p->trace[i].end;
        any = any || p->trace[i].n > 1;
    }
    /* a column of names beside a single point would stand far from it */
    if (!any)
        return END_FREE;
    double left = crowding(p, END_LEFT, height), right = crowding(p, END_RIGHT, height);
    return left + LEADING / 2 < right ? END_LEFT : END_RIGHT;
}

static double most_width(const struct canvas *k)
{
    return MOST_WIDTH * (k->right - k->left);
}

static struct text name_of(const struct canvas *k, const struct trace *s)
{
    return (struct text){.text = scene_fit(k->s, s->name, 12, 600, most_width(k)),
                         .weight = 600,
                         .colour = s->text_colour};
}

static struct text note_of(const struct canvas *k, const struct trace *s)
{
    return (struct text){.text = s->note ? scene_fit(k->s, s->note, 12, 400, most_width(k)) : "",
                         .colour = COLOUR_INK2};
}

double ends_width(const struct canvas *k, const struct panel *p)
{
    double most = 0;
    for (size_t i = 0; i < p->n_traces; i++) {
        if (!is_named(&p->trace[i]))
            continue;
        struct text name = name_of(k, &p->trace[i]), note = note_of(k, &p->trace[i]);
        most = fmax(most, fmax(scene_text_width(k->s, &name), scene_text_width(k->s, &note)));
    }
    return most > 0 ? most + NAME_GAP : 0;
}

/* Beside the last mark: to its right, above, left, below. */
static void place_freely(const struct view *v, const struct trace *s)
{
    const struct datum *d = end_datum(s, END_RIGHT);
    struct point p = view_at(v, d->x, d->y);
    /* a lone point has nothing else beside it; at the end of a line its value may stand there */
    const struct text beside = place_at(v, p.x + 12, p.y + 4, ANCHOR_START, 0);
    const struct text place[] = {
        s->n == 1 ? beside : place_at(v, p.x + 16, p.y - 18, ANCHOR_START, 0),
        place_at(v, p.x, p.y - 20, ANCHOR_MIDDLE, 0),
        beside,
        place_at(v, p.x - 12, p.y + 4, ANCHOR_END, 0),
        place_at(v, p.x - 12, p.y - 16, ANCHOR_END, 0),
        place_at(v, p.x, p.y + 20, ANCHOR_MIDDLE, 0),
        place_at(v, p.x + 12, p.y + 24, ANCHOR_START, 0),
        place_at(v, p.x - 12, p.y + 24, ANCHOR_END, 0),
    };
    const struct text line[2] = {name_of(v->k, s), note_of(v->k, s)};
    labels_place_lines(&v->k->labels, line, s->note ? 2 : 1, LEADING, place,
                       sizeof place / sizeof *place);
}

/* The named series that find room; when there are too many, first, last and evenly between. */
static size_t choose_named(const struct view *v, size_t *out)
{
    size_t n = 0;
    for (size_t i = 0; i < v->p->n_traces; i++)
        if (is_named(&v->p->trace[i]))
            out[n++] = i;
    size_t room = (size_t)fmax(1, floor((v->y1 - v->y0) / leading(v->p)));
    if (n <= room)
        return n;
    for (size_t i = 0; i < room; i++)
        out[i] = out[room > 1 ? i * (n - 1) / (room - 1) : 0];
    return room;
}

static void draw_name(const struct view *v, const struct trace *s, double y)
{
    bool left = v->end == END_LEFT;
    const struct datum *d = end_datum(s, v->end);
    struct point p = view_at(v, d->x, d->y);
    struct text name = name_of(v->k, s), note = note_of(v->k, s);
    name.x = note.x = left ? v->x.from - NAME_GAP : v->x1 + 6;
    name.anchor = note.anchor = left ? ANCHOR_END : ANCHOR_START;
    name.halo = note.halo = left ? COLOUR_BG : COLOUR_NONE;
    name.y = y + (s->note ? -2 : 4);
    note.y = name.y + LEADING;
    double edge = left ? name.x + 3 : name.x - 3, dx = fabs(edge - p.x);
    if (dx > FAR_APART || (fabs(p.y - y) > MOVED_FAR && dx > LEAST_DX)) {
        scene_line(v->k->s, left ? p.x - 5 : p.x + 5, p.y, edge, y,
                   &(struct paint){.stroke = s->colour, .width = 0.8, .stroke_opacity = 0.6});
    }
    scene_text(v->k->s, &name);
    scene_text(v->k->s, &note);
}

void ends_draw(const struct view *v)
{
    if (v->ghost)
        return;
    size_t *series = xcalloc(v->p->n_traces + 1, sizeof *series);
    double *y = xcalloc(v->p->n_traces + 1, sizeof *y);
    size_t n = choose_named(v, series);
    for (size_t i = 0; i < n; i++) {
        const struct trace *s = &v->p->trace[series[i]];
        if (v->end == END_FREE)
            place_freely(v, s);
        else
            y[i] = view_at(v, 0, end_datum(s, v->end)->y).y;
    }
    if (v->end != END_FREE) {
        double half = leading(v->p) / 2;
        labels_push_apart(y, n, leading(v->p), v->y0 + half - 2, v->y1 - half + 2);
        for (size_t i = 0; i < n; i++)
            draw_name(v, &v->p->trace[series[i]], y[i]);
    }
    free(y);
    free(series);
}
