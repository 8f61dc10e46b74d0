/*
 * Scene to SVG with real text: small, selectable, and themed by classes. In a file of its own every
 * colour is also an attribute, so that viewers without CSS show the light theme.
 */
#include <math.h>

#include "report/scene/scene_internal.h"

struct svg {
    struct strbuf *out;
    enum svg_mode mode;
    const char *id;
    unsigned clips;
};

static bool is_in_page(const struct svg *v)
{
    return v->mode == SVG_EMBEDDED || v->mode == SVG_TWIN;
}

static void add_attr(struct svg *v, const char *name, double value)
{
    strbuf_addf(v->out, " %s=\"", name);
    add_decimal(v->out, value);
    strbuf_addc(v->out, '"');
}

static enum theme attr_theme(const struct svg *v)
{
    return v->mode == SVG_DARK ? THEME_DARK : THEME_LIGHT;
}

/* class="..." for the tokens of an element; `extra` comes last; nothing when all are empty. */
static void add_class(struct svg *v, enum colour fill, enum colour stroke, const char *extra)
{
    if (v->mode == SVG_LIGHT || v->mode == SVG_DARK)
        return;
    const char *gap = "";
    struct strbuf c = STRBUF_INIT;
    if (fill != COLOUR_NONE) {
        strbuf_addf(&c, "f-%s", colour_class(fill));
        gap = " ";
    }
    if (stroke != COLOUR_NONE) {
        strbuf_addf(&c, "%ss-%s", gap, colour_class(stroke));
        gap = " ";
    }
    if (*extra)
        strbuf_addf(&c, "%s%s", gap, extra);
    if (c.len > 0)
        strbuf_addf(v->out, " class=\"%s\"", c.text);
    strbuf_release(&c);
}

static void add_colour(struct svg *v, const char *name, enum colour c)
{
    if (!is_in_page(v) && c != COLOUR_NONE)
        strbuf_addf(v->out, " %s=\"#%06X\"", name, (unsigned)colour_rgb(c, attr_theme(v)));
}

static void add_opacity(struct svg *v, const char *name, double opacity)
{
    if (opacity >= 1)
        return;
    strbuf_addf(v->out, " %s=\"", name);
    add_decimal2(v->out, opacity);
    strbuf_addc(v->out, '"');
}

static void add_paint(struct svg *v, const struct paint *p)
{
    add_class(v, p->fill, p->stroke, "");
    add_colour(v, "fill", p->fill);
    if (p->fill != COLOUR_NONE)
        add_opacity(v, "fill-opacity", p->fill_opacity);
    if (p->stroke == COLOUR_NONE)
        return;
    add_colour(v, "stroke", p->stroke);
    add_opacity(v, "stroke-opacity", p->stroke_opacity);
    if (p->width < 1 || p->width > 1) {
        strbuf_adds(v->out, " stroke-width=\"");
        add_decimal2(v->out, p->width);
        strbuf_addc(v->out, '"');
    }
    if (p->round)
        strbuf_adds(v->out, " stroke-linecap=\"round\"");
    if (p->dash != DASH_NONE) {
        strbuf_adds(v->out, " stroke-dasharray=\"");
        add_decimal(v->out, dash_pattern[p->dash][0]);
        strbuf_addc(v->out, ' ');
        add_decimal(v->out, dash_pattern[p->dash][1]);
        strbuf_addc(v->out, '"');
    }
}

static bool same_decimal(double a, double b)
{
    return lround(a * 10) == lround(b * 10);
}

static void add_pair(struct strbuf *out, struct point p)
{
    add_decimal(out, p.x);
    strbuf_addc(out, ' ');
    add_decimal(out, p.y);
}

static void add_path(struct svg *v, const struct item *it)
{
    strbuf_adds(v->out, "<path d=\"");
    bool down = false;
    struct point last = {0, 0};
    for (size_t i = 0; i < it->n_points; i++) {
        struct point p = it->point[i];
        if (isnan(p.x) || isnan(p.y)) {
            down = false;
            continue;
        }
        if (!down) {
            strbuf_addc(v->out, 'M');
            add_pair(v->out, p);
        } else if (same_decimal(p.y, last.y)) {
            strbuf_addc(v->out, 'H');
            add_decimal(v->out, p.x);
        } else if (same_decimal(p.x, last.x)) {
            strbuf_addc(v->out, 'V');
            add_decimal(v->out, p.y);
        } else {
            strbuf_addc(v->out, 'L');
            add_pair(v->out, p);
        }
        last = p;
        down = true;
    }
    if (it->kind == ITEM_POLYGON)
        strbuf_addc(v->out, 'Z');
    strbuf_addc(v->out, '"');
    add_paint(v, &it->paint);
    strbuf_adds(v->out, "/>\n");
}

/* Viewers fold repeated spaces, and those at the ends of a span, unless told not to. */
static bool needs_spaces_kept(const struct text *t)
{
    for (size_t i = 0; i < t->n_spans; i++) {
        bool space = true;
        for (const char *p = t->span[i].text; *p; p++) {
            if (*p == ' ' && space)
                return true;
            space = *p == ' ';
        }
        if (space)
            return true;
    }
    return false;
}

static void add_span(struct svg *v, const struct text *t, const struct span *span)
{
    bool plain = span->weight == t->weight && span->colour == t->colour;
    if (!plain) {
        strbuf_adds(v->out, "<tspan");
        if (span->colour != t->colour) {
            add_class(v, span->colour, COLOUR_NONE, "");
            add_colour(v, "fill", span->colour);
        }
        if (span->weight != t->weight)
            strbuf_addf(v->out, " font-weight=\"%d\"", span->weight);
        strbuf_addc(v->out, '>');
    }
    xml_escape(v->out, span->text);
    if (!plain)
        strbuf_adds(v->out, "</tspan>");
}

static void add_text(struct svg *v, const struct text *t)
{
    strbuf_adds(v->out, "<text");
    add_class(v, t->colour, t->halo, t->halo != COLOUR_NONE ? "h" : "");
    add_colour(v, "fill", t->colour);
    add_colour(v, "stroke", t->halo);
    if (t->halo != COLOUR_NONE && !is_in_page(v))
        strbuf_adds(v->out, " stroke-width=\"4\" paint-order=\"stroke\"");
    if (t->angle < 0 || t->angle > 0) {
        strbuf_adds(v->out, " transform=\"translate(");
        add_pair(v->out, (struct point){t->x, t->y});
        strbuf_adds(v->out, ") rotate(");
        add_decimal(v->out, t->angle);
        strbuf_adds(v->out, ")\"");
    } else {
        add_attr(v, "x", t->x);
        add_attr(v, "y", t->y);
    }
    if (t->size < 12 || t->size > 12)
        add_attr(v, "font-size", t->size);
    if (t->weight != 400)
        strbuf_addf(v->out, " font-weight=\"%d\"", t->weight);
    if (t->anchor != ANCHOR_START)
        strbuf_addf(v->out, " text-anchor=\"%s\"", t->anchor == ANCHOR_END ? "end" : "middle");
    if (needs_spaces_kept(t))
        strbuf_adds(v->out, " xml:space=\"preserve\"");
    strbuf_addc(v->out, '>');
    for (size_t i = 0; i < t->n_spans; i++)
        add_span(v, t, &t->span[i]);
    strbuf_adds(v->out, "</text>\n");
}

static void add_group(struct svg *v, const struct item *it)
{
    strbuf_adds(v->out, "<g");
    if (it->title)
        strbuf_adds(v->out, " class=\"m\"");
    if (it->key) {
        strbuf_adds(v->out, " data-k=\"");
        xml_escape(v->out, it->key);
        strbuf_addc(v->out, '"');
    }
    strbuf_addc(v->out, '>');
    if (it->title && v->mode != SVG_TWIN) {
        strbuf_adds(v->out, "<title>");
        xml_escape(v->out, it->title);
        strbuf_adds(v->out, "</title>");
    }
    strbuf_addc(v->out, '\n');
}

static void add_box(struct svg *v, const struct item *it)
{
    strbuf_adds(v->out, "<rect");
    add_attr(v, "x", it->x);
    add_attr(v, "y", it->y);
    add_attr(v, "width", it->w);
    add_attr(v, "height", it->h);
    if (it->kind == ITEM_RECT)
        add_paint(v, &it->paint);
    strbuf_adds(v->out, "/>");
}

static void add_item(struct svg *v, const struct item *it)
{
    switch (it->kind) {
    case ITEM_GROUP_BEGIN:
        add_group(v, it);
        break;
    case ITEM_CLIP_BEGIN:
        v->clips++;
        strbuf_addf(v->out, "<clipPath id=\"%s-c%u\">", v->id, v->clips);
        add_box(v, it);
        strbuf_addf(v->out, "</clipPath>\n<g clip-path=\"url(#%s-c%u)\">\n", v->id, v->clips);
        break;
    case ITEM_GROUP_END:
    case ITEM_CLIP_END:
        strbuf_adds(v->out, "</g>\n");
        break;
    case ITEM_POLYLINE:
    case ITEM_POLYGON:
        add_path(v, it);
        break;
    case ITEM_RECT:
        add_box(v, it);
        strbuf_addc(v->out, '\n');
        break;
    case ITEM_CIRCLE:
        strbuf_adds(v->out, "<circle");
        add_attr(v, "cx", it->x);
        add_attr(v, "cy", it->y);
        add_attr(v, "r", it->w);
        add_paint(v, &it->paint);
        strbuf_adds(v->out, "/>\n");
        break;
    case ITEM_TEXT:
        add_text(v, &it->text);
        break;
    }
}

#define FONT_FAMILY                                                                                \
    "Inter,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',"                   \
    "'Liberation Sans',sans-serif"

static void add_root(struct svg *v, const struct scene *s)
{
    strbuf_adds(v->out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    if (is_in_page(v)) {
        strbuf_adds(v->out, " class=\"chart\"");
    } else {
        add_attr(v, "width", s->width);
        add_attr(v, "height", s->height);
        strbuf_adds(v->out, " font-family=\"" FONT_FAMILY "\"");
    }
    strbuf_adds(v->out, " viewBox=\"0 0 ");
    add_pair(v->out, (struct point){s->width, s->height});
    strbuf_addf(v->out,
                "\" role=\"img\" aria-labelledby=\"%s-t %s-d\" fill=\"none\" font-size=\"12\" "
                "stroke-linejoin=\"round\">\n<title id=\"%s-t\">",
                v->id, v->id, v->id);
    xml_escape(v->out, s->title);
    strbuf_addf(v->out, "</title>\n<desc id=\"%s-d\">", v->id);
    xml_escape(v->out, s->desc);
    strbuf_adds(v->out, "</desc>\n");
}

static void mark_paint(bool fill[COLOUR_COUNT], bool stroke[COLOUR_COUNT], const struct item *it)
{
    fill[it->paint.fill] = stroke[it->paint.stroke] = true;
    if (it->kind != ITEM_TEXT)
        return;
    fill[it->text.colour] = stroke[it->text.halo] = true;
    for (size_t i = 0; i < it->text.n_spans; i++)
        fill[it->text.span[i].colour] = true;
}

/* Spacing and figures of equal width for all, the dark values of the tokens that occur. */
static void add_style(struct svg *v, const struct scene *s)
{
    bool fill[COLOUR_COUNT] = {[COLOUR_BG] = true}, stroke[COLOUR_COUNT] = {0};
    for (size_t i = 0; i < s->n_items; i++)
        mark_paint(fill, stroke, &s->item[i]);
    strbuf_adds(v->out,
                "<style>text{letter-spacing:-.012em;font-feature-settings:\"tnum\",\"calt\" "
                "0}");
    if (v->mode == SVG_AUTO) {
        strbuf_adds(v->out, "\n@media(prefers-color-scheme:dark){");
        for (int c = COLOUR_NONE + 1; c < COLOUR_COUNT; c++) {
            unsigned rgb = (unsigned)colour_rgb((enum colour)c, THEME_DARK);
            const char *class = colour_class((enum colour)c);
            if (fill[c])
                strbuf_addf(v->out, ".f-%s{fill:#%06X}", class, rgb);
            if (stroke[c])
                strbuf_addf(v->out, ".s-%s{stroke:#%06X}", class, rgb);
        }
        strbuf_addc(v->out, '}');
    }
    strbuf_adds(v->out, "</style>\n");
}

void scene_write_svg(struct strbuf *out, const struct scene *s, enum svg_mode mode, const char *id)
{
    struct svg v = {.out = out, .mode = mode, .id = id};
    add_root(&v, s);
    if (!is_in_page(&v)) {
        add_style(&v, s);
        const struct item page = {
            .kind = ITEM_RECT,
            .paint = {.fill = COLOUR_BG, .fill_opacity = 1},
            .w = s->width,
            .h = s->height,
        };
        add_item(&v, &page);
    }
    for (size_t i = 0; i < s->n_items; i++)
        add_item(&v, &s->item[i]);
    strbuf_adds(out, "</svg>\n");
}
