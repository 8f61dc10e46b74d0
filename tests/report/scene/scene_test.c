/* Measuring, fitting, boxes, cleaning: what layout stands on. */
#include "report/scene/scene.h"

#include <criterion/criterion.h>
#include <math.h>

static double width(struct scene *s, const char *text, double size, int weight)
{
    return scene_text_width(s, &(struct text){.text = text, .size = size, .weight = weight});
}

Test(scene, text_grows_with_size_and_scales_exactly)
{
    struct fonts *f = fonts_create(METRICS_PANGO);
    struct scene *s = scene_create(f);
    double w = width(s, "Disk burst 3,500 IOPS", 12, 400);
    cr_assert(w > 80 && w < 180, "%g", w);
    /* twice the size is twice the width */
    cr_assert_float_eq(width(s, "Disk burst 3,500 IOPS", 24, 400), 2 * w, 1e-9);
    cr_assert_float_eq(width(s, "", 12, 400), 0, 1e-9);
    /* figures of equal width */
    cr_assert_float_eq(width(s, "1111", 12, 400), width(s, "0808", 12, 400), 0.01);
    scene_destroy(s);
    fonts_destroy(f);
}

Test(scene, fixed_metrics_do_not_know_fonts)
{
    struct fonts *f = fonts_create(METRICS_FIXED);
    struct scene *s = scene_create(f);
    cr_assert_float_eq(width(s, "abcd", 10, 400), 22, 1e-9);
    cr_assert_float_eq(width(s, "abcd", 10, 700), 24, 1e-9);
    cr_assert_float_eq(width(s, "…", 10, 400), 5.5, 1e-9);
    cr_assert_float_eq(width(s, "漢字", 10, 400), 20, 1e-9);
    const struct span spans[] = {{"ab", 700, COLOUR_NONE}, {"cd", 0, COLOUR_NONE}};
    cr_assert_float_eq(scene_text_width(s, &(struct text){.span = spans, .n_spans = 2, .size = 10}),
                       23, 1e-9);
    scene_destroy(s);
    fonts_destroy(f);
}

Test(scene, fit_cuts_between_characters)
{
    struct fonts *f = fonts_create(METRICS_FIXED);
    struct scene *s = scene_create(f);
    cr_assert_str_eq(scene_fit(s, "abcdef", 10, 400, 33), "abcdef");
    cr_assert_str_eq(scene_fit(s, "abcdef", 10, 400, 32), "abcd…");
    cr_assert_str_eq(scene_fit(s, "ééé", 10, 400, 12), "é…");
    cr_assert_str_eq(scene_fit(s, "ab cdef", 10, 400, 22), "ab…");
    cr_assert_str_eq(scene_fit(s, "abcdef", 10, 400, 1), "…");
    scene_destroy(s);
    fonts_destroy(f);
}

Test(scene, boxes_follow_anchor_and_angle)
{
    struct fonts *f = fonts_create(METRICS_FIXED);
    struct scene *s = scene_create(f);
    struct text t = {.x = 100, .y = 100, .text = "abcd", .size = 10, .anchor = ANCHOR_END};
    struct text_box b = scene_text_box(s, &t);
    cr_assert_float_eq(b.cx, 89, 1e-9);
    cr_assert_float_eq(b.cy, 100 - 2.7, 1e-9);
    cr_assert(text_box_inside(&b, 78, 92, 22, 10.3));
    cr_assert_not(text_box_inside(&b, 79, 90, 30, 20));
    t.angle = 90; /* reads downwards, its top to the right */
    t.anchor = ANCHOR_START;
    b = scene_text_box(s, &t);
    cr_assert_float_eq(b.cx, 102.7, 1e-9);
    cr_assert_float_eq(b.cy, 111, 1e-9);
    cr_assert(text_box_inside(&b, 97, 99, 12, 24));
    scene_destroy(s);
    fonts_destroy(f);
}

Test(scene, turned_boxes_overlap_only_where_they_meet)
{
    const struct text_box flat = {.cx = 0, .cy = 0, .half_w = 50, .half_h = 5};
    struct text_box slant = {.cx = 0, .cy = 30, .half_w = 50, .half_h = 5, .angle = -30};
    cr_assert(text_boxes_overlap(&flat, &slant, 0)); /* its right end rises into the flat one */
    slant.cy = 40;
    cr_assert_not(text_boxes_overlap(&flat, &slant, 0));
    cr_assert(text_boxes_overlap(&flat, &slant, 12));
    const struct text_box beside = {.cx = 100, .cy = 0, .half_w = 50, .half_h = 5};
    cr_assert_not(text_boxes_overlap(&flat, &beside, 0)); /* an edge in common is no overlap */
    cr_assert(text_boxes_overlap(&flat, &beside, 0.1));
}

Test(scene, hostile_bytes_become_replacement_characters)
{
    struct strbuf out = STRBUF_INIT;
    xml_escape(&out, "a<b>&\"'\x01\x7f\xff\xc3(\xed\xa0\x80\xe2\x80\xae");
    cr_assert_str_eq(out.text, "a&lt;b&gt;&amp;&quot;&#39;"
                               "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD("
                               "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    strbuf_reset(&out);
    xml_escape(&out, "שלום 漢字 é");
    cr_assert_str_eq(out.text, "שלום 漢字 é");
    strbuf_release(&out);
}

Test(scene, boxes_are_kept_for_every_text)
{
    struct fonts *f = fonts_create(METRICS_FIXED);
    struct scene *s = scene_create(f);
    scene_text(s, &(struct text){.text = "one\n"});
    scene_text(s, &(struct text){.text = ""});
    const struct span spans[] = {{"two", 700, COLOUR_NONE}, {" three", 0, COLOUR_NONE}};
    scene_text(s, &(struct text){.span = spans, .n_spans = 2});
    cr_assert_eq(scene_n_text_boxes(s), 2);
    cr_assert_str_eq(scene_text_box_at(s, 0)->text, "one\xEF\xBF\xBD");
    cr_assert_str_eq(scene_text_box_at(s, 1)->text, "two three");
    scene_destroy(s);
    fonts_destroy(f);
}
