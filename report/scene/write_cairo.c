/* Scene to PNG and PDF. */
#include <cairo-pdf.h>
#include <math.h>
#include <pango/pangocairo.h>

#include "report/scene/pango_internal.h"
#include "report/scene/png_internal.h"

struct canvas {
    cairo_t *cr;
    PangoLayout *layout;
    enum theme theme;
};

static void set_colour(const struct canvas *c, enum colour colour, double opacity)
{
    uint32_t rgb = colour_rgb(colour, c->theme);
    cairo_set_source_rgba(c->cr, (double)(rgb >> 16 & 255) / 255, (double)(rgb >> 8 & 255) / 255,
                          (double)(rgb & 255) / 255, opacity);
}

/* Fills and strokes the current path, and forgets it. */
static void apply_paint(const struct canvas *c, const struct paint *p)
{
    if (p->fill != COLOUR_NONE) {
        set_colour(c, p->fill, p->fill_opacity);
        cairo_fill_preserve(c->cr);
    }
    if (p->stroke != COLOUR_NONE) {
        set_colour(c, p->stroke, p->stroke_opacity);
        cairo_set_line_width(c->cr, p->width);
        cairo_set_line_cap(c->cr, p->round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
        cairo_set_line_join(c->cr, CAIRO_LINE_JOIN_ROUND);
        if (p->dash == DASH_NONE)
            cairo_set_dash(c->cr, NULL, 0, 0);
        else
            cairo_set_dash(c->cr, dash_pattern[p->dash], 2, 0);
        cairo_stroke_preserve(c->cr);
    }
    cairo_new_path(c->cr);
}

static void trace(const struct canvas *c, const struct item *it)
{
    bool down = false;
    for (size_t i = 0; i < it->n_points; i++) {
        struct point p = it->point[i];
        if (isnan(p.x) || isnan(p.y)) {
            down = false;
            continue;
        }
        if (down)
            cairo_line_to(c->cr, p.x, p.y);
        else
            cairo_move_to(c->cr, p.x, p.y);
        down = true;
    }
    if (it->kind == ITEM_POLYGON)
        cairo_close_path(c->cr);
}

/* Pango takes colours of spans as attributes; everything else has been set by line_set. */
static void colour_spans(const struct canvas *c, const struct text *t)
{
    PangoAttrList *attrs = pango_attr_list_copy(pango_layout_get_attributes(c->layout));
    guint at = 0;
    for (size_t i = 0; i < t->n_spans; i++) {
        uint32_t rgb = colour_rgb(t->span[i].colour, c->theme);
        PangoAttribute *a = pango_attr_foreground_new((guint16)((rgb >> 16 & 255) * 257),
                                                      (guint16)((rgb >> 8 & 255) * 257),
                                                      (guint16)((rgb & 255) * 257));
        a->start_index = at;
        at += (guint)strlen(t->span[i].text);
        a->end_index = at;
        pango_attr_list_insert(attrs, a);
    }
    pango_layout_set_attributes(c->layout, attrs);
    pango_attr_list_unref(attrs);
}

static void draw_text(const struct canvas *c, const struct text *t)
{
    line_set(c->layout, t);
    PangoRectangle logical;
    pango_layout_get_extents(c->layout, NULL, &logical);
    double w = (double)logical.width / PANGO_SCALE, scale = t->size / LINE_SIZE;
    double base = (double)pango_layout_get_baseline(c->layout) / PANGO_SCALE;
    double shift = t->anchor == ANCHOR_START ? 0 : t->anchor == ANCHOR_END ? -w : -w / 2;
    cairo_save(c->cr);
    cairo_translate(c->cr, t->x, t->y);
    cairo_rotate(c->cr, t->angle * M_PI / 180);
    if (t->halo != COLOUR_NONE) {
        cairo_save(c->cr);
        cairo_scale(c->cr, scale, scale);
        cairo_move_to(c->cr, shift, -base);
        pango_cairo_layout_path(c->cr, c->layout);
        cairo_restore(c->cr); /* the path stays, and the stroke has its own width */
        apply_paint(c, &(struct paint){.stroke = t->halo, .width = 4, .stroke_opacity = 1});
    }
    colour_spans(c, t);
    cairo_scale(c->cr, scale, scale);
    cairo_move_to(c->cr, shift, -base);
    pango_cairo_show_layout(c->cr, c->layout);
    cairo_new_path(c->cr);
    cairo_restore(c->cr);
}

static void draw_item(const struct canvas *c, const struct item *it)
{
    switch (it->kind) {
    case ITEM_GROUP_BEGIN:
        cairo_save(c->cr);
        break;
    case ITEM_CLIP_BEGIN:
        cairo_save(c->cr);
        cairo_rectangle(c->cr, it->x, it->y, it->w, it->h);
        cairo_clip(c->cr);
        break;
    case ITEM_GROUP_END:
    case ITEM_CLIP_END:
        cairo_restore(c->cr);
        break;
    case ITEM_POLYLINE:
    case ITEM_POLYGON:
        trace(c, it);
        apply_paint(c, &it->paint);
        break;
    case ITEM_RECT:
        cairo_rectangle(c->cr, it->x, it->y, it->w, it->h);
        apply_paint(c, &it->paint);
        break;
    case ITEM_CIRCLE:
        cairo_new_sub_path(c->cr);
        cairo_arc(c->cr, it->x, it->y, it->w, 0, 2 * M_PI);
        apply_paint(c, &it->paint);
        break;
    case ITEM_TEXT:
        draw_text(c, &it->text);
        break;
    }
}

static void draw_scene(cairo_t *cr, const struct scene *s, enum theme theme, double scale)
{
    PangoContext *context = line_context(s->fonts->map);
    struct canvas c = {.cr = cr, .layout = pango_layout_new(context), .theme = theme};
    cairo_scale(cr, scale, scale);
    cairo_rectangle(cr, 0, 0, s->width, s->height);
    apply_paint(&c, &(struct paint){.fill = COLOUR_BG, .fill_opacity = 1});
    for (size_t i = 0; i < s->n_items; i++)
        draw_item(&c, &s->item[i]);
    g_object_unref(c.layout);
    g_object_unref(context);
}

static cairo_status_t append(void *closure, const unsigned char *data, unsigned int n)
{
    strbuf_add(closure, data, n);
    return CAIRO_STATUS_SUCCESS;
}

int scene_write_png(struct strbuf *out, const struct scene *s, enum theme theme, double scale,
                    struct error *err)
{
    int w = (int)ceil(s->width * scale), h = (int)ceil(s->height * scale);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, w, h);
    cairo_t *cr = cairo_create(surface);
    draw_scene(cr, s, theme, scale);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    int rc = 0;
    if (status != CAIRO_STATUS_SUCCESS)
        rc = error_set(err, ERR_USAGE, "cannot draw a picture of %d x %d pixels: %s", w, h,
                       cairo_status_to_string(status));
    else
        rc = png_encode(out, cairo_image_surface_get_data(surface), w, h,
                        cairo_image_surface_get_stride(surface), 96 * scale, err);
    cairo_surface_destroy(surface);
    return rc;
}

int scene_write_pdf(struct strbuf *out, const struct scene *s, enum theme theme, struct error *err)
{
    const double points = 0.75; /* of a unit */
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(append, out, s->width * points, s->height * points);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, s->title);
    /* the time of writing would make every file a different one */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    cairo_t *cr = cairo_create(surface);
    draw_scene(cr, s, theme, points);
    cairo_show_page(cr);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS)
        return error_set(err, ERR_USAGE, "cannot draw a PDF of %g x %g units: %s", s->width,
                         s->height, cairo_status_to_string(status));
    return 0;
}
