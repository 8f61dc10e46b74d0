/* SVG: well-formed, themable, the same bytes everywhere, and hostile names are only text. */
#include <criterion/criterion.h>
#include <locale.h>
#include <unistd.h>

#include "core/base/xalloc.h"
#include "report/scene/scene.h"

#define HOSTILE "</text><script>alert(\"1\")</script>&amp;]]>\x01\xff \xe2\x80\xae"

/* One of everything. */
static struct scene *everything(struct fonts *f)
{
    struct scene *s = scene_create(f);
    scene_set_size(s, 400, 200.5);
    scene_set_words(s, "title " HOSTILE, "desc " HOSTILE);
    scene_clip_begin(s, 10, 10, 300, 100);
    const struct point p[] = {{10, 10}, {20.04, 30.06}, {0. / 0., 0}, {40, 30}, {80, 30}, {80, 90}};
    scene_polyline(s, p, 6, &(struct paint){.stroke = COLOUR_B, .width = 1.25, .dash = DASH_LONG});
    scene_polygon(s, p + 3, 3, &(struct paint){.fill = COLOUR_SURFACE, .fill_opacity = 0.16});
    scene_clip_end(s);
    scene_group_begin(s, HOSTILE, "k\"0");
    scene_circle(s, 50, 50, 4.5,
                 &(struct paint){.fill = COLOUR_BG, .stroke = COLOUR_A, .width = 2});
    scene_rect(s, -0.04, 1e4, 5, 5, &(struct paint){.fill = COLOUR_VM, .round = true});
    scene_group_end(s);
    scene_clip_begin(s, 0, 0, 5, 5);
    scene_clip_end(s);
    const struct span span[] = {{"bold", 600, COLOUR_NONE}, {" " HOSTILE, 0, COLOUR_WORSE}};
    scene_text(s, &(struct text){.x = 10,
                                 .y = 20,
                                 .span = span,
                                 .n_spans = 2,
                                 .colour = COLOUR_INK,
                                 .halo = COLOUR_BG,
                                 .angle = -30,
                                 .anchor = ANCHOR_MIDDLE});
    return s;
}

static const enum svg_mode modes[] = {SVG_AUTO, SVG_LIGHT, SVG_DARK, SVG_EMBEDDED, SVG_TWIN};

static char *write_svg(enum svg_mode mode, const char *id)
{
    struct fonts *f = fonts_create(METRICS_FIXED);
    struct scene *s = everything(f);
    struct strbuf out = STRBUF_INIT;
    scene_write_svg(&out, s, mode, id);
    scene_destroy(s);
    fonts_destroy(f);
    return strbuf_detach(&out);
}

static void expect_well_formed(const char *svg)
{
    FILE *f = popen("xmllint --noout --nonet -", "w");
    cr_assert(f, "xmllint does not run");
    fputs(svg, f);
    cr_assert_eq(pclose(f), 0, "not well-formed:\n%s", svg);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, part)); p += strlen(part))
        n++;
    return n;
}

Test(write_svg, is_well_formed_in_every_mode)
{
    for (size_t i = 0; i < 4; i++) {
        char *svg = write_svg(modes[i], "c1");
        expect_well_formed(svg);
        free(svg);
    }
}

Test(write_svg, says_what_it_is_and_asks_nobody)
{
    for (size_t i = 0; i < 4; i++) {
        char *svg = write_svg(modes[i], "c1");
        cr_assert(strstr(svg, "role=\"img\" aria-labelledby=\"c1-t c1-d\""));
        cr_assert(strstr(svg, "<title id=\"c1-t\">title ") &&
                  strstr(svg, "<desc id=\"c1-d\">desc "));
        cr_assert_eq(count(svg, "http"), 1, "a reference beside the namespace");
        cr_assert_eq(count(svg, "href"), 0);
        cr_assert_eq(count(svg, "style=\""), 0);
        free(svg);
    }
}

Test(write_svg, ids_start_with_the_prefix_and_are_unique)
{
    char *a = write_svg(SVG_EMBEDDED, "left"), *b = write_svg(SVG_EMBEDDED, "right");
    char *page = xasprintf("%s%s", a, b);
    size_t ids = 0;
    for (const char *p = page; (p = strstr(p, " id=\"")); p += 5) {
        char *id = xstrndup(p, 5 + strcspn(p + 5, "\"") + 1);
        cr_assert_eq(count(page, id), 1, "%s comes twice", id);
        cr_assert(strstr(id, "\"left-") || strstr(id, "\"right-"), "%s", id);
        free(id);
        ids++;
    }
    cr_assert_eq(ids, 8); /* title, desc and two clips each */
    free(page);
    free(a);
    free(b);
}

Test(write_svg, names_are_only_text)
{
    for (size_t i = 0; i < 4; i++) {
        char *svg = write_svg(modes[i], "c1");
        cr_assert_eq(count(svg, "<script"), 0);
        cr_assert_eq(count(svg, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;]]&gt;"),
                     4); /* title, desc, tooltip, text */
        cr_assert(strstr(svg, "data-k=\"k&quot;0\""));
        free(svg);
    }
}

Test(write_svg, colours_are_classes_in_a_page_and_attributes_beside)
{
    char *embedded = write_svg(SVG_EMBEDDED, "c1"), *alone = write_svg(SVG_AUTO, "c1");
    char *light = write_svg(SVG_LIGHT, "c1"), *dark = write_svg(SVG_DARK, "c1");
    cr_assert_eq(count(embedded, "=\"#"), 0);
    cr_assert(strstr(embedded, "class=\"s-sb\""));
    cr_assert(strstr(alone, "class=\"s-sb\" stroke=\"#1654B6\""));
    cr_assert(strstr(alone, "prefers-color-scheme:dark") && strstr(alone, ".s-sb{stroke:#6EB7FE}"));
    cr_assert_eq(count(light, "prefers-color-scheme") + count(light, "class=\"s-"), 0);
    cr_assert(strstr(light, "stroke=\"#1654B6\"") && !strstr(light, "#6EB7FE"));
    cr_assert(strstr(dark, "stroke=\"#6EB7FE\"") && !strstr(dark, "#1654B6"));
    free(embedded);
    free(alone);
    free(light);
    free(dark);
}

Test(write_svg, coordinates_have_one_decimal_and_no_zero_behind)
{
    char *svg = write_svg(SVG_LIGHT, "c1");
    cr_assert(strstr(svg, "d=\"M10 10L20 30.1M40 30H80V90\""), "%s", svg);
    cr_assert(strstr(svg, "x=\"0\" y=\"10000\" width=\"5\" height=\"5\""));
    cr_assert(strstr(svg, "stroke-width=\"1.25\"") && strstr(svg, "fill-opacity=\"0.16\""));
    cr_assert(strstr(svg, "viewBox=\"0 0 400 200.5\""));
    cr_assert(strstr(svg, "translate(10 20) rotate(-30)"));
    free(svg);
}

Test(write_svg, bytes_do_not_depend_on_the_locale)
{
    char *c = write_svg(SVG_AUTO, "c1");
    /* any locale with a decimal comma will do; it has to be there to be a test */
    const char *comma = setlocale(LC_ALL, "de_DE.UTF-8");
    if (!comma)
        comma = setlocale(LC_ALL, "de_DE.utf8");
    char *again = write_svg(SVG_AUTO, "c1");
    if (comma)
        cr_assert_eq(localeconv()->decimal_point[0], ',');
    cr_assert_str_eq(c, again);
    free(c);
    free(again);
}

Test(write_svg, page_css_has_every_token_in_both_themes)
{
    struct strbuf css = STRBUF_INIT;
    svg_page_css(&css);
    for (int i = COLOUR_NONE + 1; i < COLOUR_COUNT; i++) {
        enum colour c = (enum colour)i;
        char *light =
            xasprintf("--%s:#%06X", colour_class(c), (unsigned)colour_rgb(c, THEME_LIGHT));
        char *dark = xasprintf("--%s:#%06X", colour_class(c), (unsigned)colour_rgb(c, THEME_DARK));
        char *fill = xasprintf(".f-%s{fill:var(--%s)}", colour_class(c), colour_class(c));
        cr_assert(strstr(css.text, light) && strstr(css.text, dark) && strstr(css.text, fill), "%s",
                  colour_class(c));
        free(light);
        free(dark);
        free(fill);
    }
    cr_assert_eq(count(css.text, "{"), count(css.text, "}"));
    strbuf_release(&css);
}

/* The words of the marks are in the page once. */
Test(write_svg, a_twin_has_the_marks_without_their_words)
{
    char *one = write_svg(SVG_EMBEDDED, "c1"), *twin = write_svg(SVG_TWIN, "c1");
    const char *mark = strstr(twin, "<g class=\"m\"");
    cr_assert(strstr(one, "<g class=\"m\"") && mark);
    cr_assert_not_null(strstr(strstr(one, "<g class=\"m\""), "<title>"));
    cr_assert_null(strstr(mark, "<title>"));
    cr_assert_not_null(strstr(twin, "<title id="));
    free(twin);
    free(one);
}
