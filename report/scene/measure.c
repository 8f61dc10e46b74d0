/* Measuring text, by pango or by a fixed width a letter. */
#include <pango/pangocairo.h>

#include "core/base/xalloc.h"
#include "report/scene/pango_internal.h"

/* The fonts of the page (report.css has the same list); none is shipped. */
#define FAMILIES                                                                                   \
    "Inter,system-ui,-apple-system,Segoe UI,Roboto,Noto Sans,DejaVu Sans,Liberation "              \
    "Sans,sans-serif"
#define LETTER_SPACING (-0.012) /* of the font size */

PangoContext *line_context(PangoFontMap *map)
{
    PangoContext *context = pango_font_map_create_context(map);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    pango_cairo_context_set_resolution(context, 96);
    pango_context_set_round_glyph_positions(context, FALSE);
    pango_context_set_base_dir(context, PANGO_DIRECTION_LTR);
    pango_context_set_language(context, pango_language_from_string("en"));
    return context;
}

void line_set(PangoLayout *layout, const struct text *t)
{
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family_static(font, FAMILIES);
    pango_font_description_set_absolute_size(font, LINE_SIZE * PANGO_SCALE);
    pango_font_description_set_weight(font, (PangoWeight)t->weight);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_auto_dir(layout, FALSE);
    pango_layout_set_single_paragraph_mode(layout, TRUE);

    PangoAttrList *attrs = pango_attr_list_new();
    pango_attr_list_insert(attrs, pango_attr_font_features_new("tnum=1,calt=0"));
    pango_attr_list_insert(
        attrs, pango_attr_letter_spacing_new((int)(LETTER_SPACING * LINE_SIZE * PANGO_SCALE)));
    struct strbuf all = STRBUF_INIT;
    for (size_t i = 0; i < t->n_spans; i++) {
        PangoAttribute *weight = pango_attr_weight_new((PangoWeight)t->span[i].weight);
        weight->start_index = (guint)all.len;
        strbuf_adds(&all, t->span[i].text);
        weight->end_index = (guint)all.len;
        pango_attr_list_insert(attrs, weight);
    }
    pango_layout_set_text(layout, all.text, (int)all.len);
    pango_layout_set_attributes(layout, attrs);
    pango_attr_list_unref(attrs);
    strbuf_release(&all);
}

/* What decides about the width beside the size, as one text. */
static char *width_key(const struct text *t)
{
    struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; i < t->n_spans; i++)
        strbuf_addf(&sb, "\x01%d\x02%s", t->span[i].weight, t->span[i].text);
    return strbuf_detach(&sb);
}

static size_t hash(const char *s)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * UINT64_C(1099511628211);
    return (size_t)(h % KNOWN_WIDTHS);
}

static double measure_pango(struct fonts *f, const struct text *t)
{
    char *key = width_key(t);
    struct known_width *known = &f->known[hash(key)];
    if (known->text && strcmp(known->text, key) == 0) {
        free(key);
    } else {
        line_set(f->layout, t);
        PangoRectangle logical;
        pango_layout_get_extents(f->layout, NULL, &logical);
        free(known->text);
        known->text = key;
        known->width = (double)logical.width / PANGO_SCALE;
    }
    return known->width * t->size / LINE_SIZE;
}

/* Wide letters of East Asia take a whole size, marks nothing, all others 0.55 (0.6 when bold). */
static double measure_fixed(const struct text *t)
{
    double w = 0;
    for (size_t i = 0; i < t->n_spans; i++) {
        double letter = t->span[i].weight >= 600 ? 0.6 : 0.55;
        const char *p = t->span[i].text;
        for (uint32_t c = next_character(&p); c; c = next_character(&p)) {
            if (c >= 0x300 && c < 0x370)
                continue;
            w += t->size * (c >= 0x2E80 && c < 0x1FB00 && c != 0xFFFD ? 1 : letter);
        }
    }
    return w;
}

double measure_text(struct fonts *f, const struct text *t)
{
    return f->metrics == METRICS_FIXED ? measure_fixed(t) : measure_pango(f, t);
}

struct fonts *fonts_create(enum text_metrics metrics)
{
    struct fonts *f = xcalloc(1, sizeof *f);
    f->metrics = metrics;
    f->map = pango_cairo_font_map_new();
    f->context = line_context(f->map);
    f->layout = pango_layout_new(f->context);
    f->known = xcalloc(KNOWN_WIDTHS, sizeof *f->known);
    return f;
}

void fonts_destroy(struct fonts *f)
{
    if (!f)
        return;
    g_object_unref(f->layout);
    g_object_unref(f->context);
    g_object_unref(f->map);
    for (size_t i = 0; i < KNOWN_WIDTHS; i++)
        free(f->known[i].text);
    free(f->known);
    free(f);
}

/*
 * fontconfig keeps its configuration for the whole process, with pointers stored as offsets that a
 * leak checker cannot follow. Told so here, sanitizer builds report our own leaks only.
 */
#ifdef __has_feature
#define HAS_LEAK_CHECKER __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_LEAK_CHECKER 1
#else
#define HAS_LEAK_CHECKER 0
#endif

#if HAS_LEAK_CHECKER
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig\n";
}

const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}
#endif
