/* The two writers draw the same picture: cairo's PNG against the SVG as librsvg renders it. */
#include <cairo/cairo.h>
#include <criterion/criterion.h>
#include <math.h>
#include <unistd.h>

#include "core/base/xalloc.h"
#include "report/scene/scene_internal.h"
#include "tests/report/chart/figures.h"

struct reader {
    const char *bytes;
    size_t n, at;
};

static cairo_status_t take(void *closure, unsigned char *data, unsigned int n)
{
    struct reader *r = closure;
    if (r->n - r->at < n)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(data, r->bytes + r->at, n);
    r->at += n;
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *decode(const struct strbuf *png)
{
    struct reader r = {png->text, png->len, 0};
    cairo_surface_t *s = cairo_image_surface_create_from_png_stream(take, &r);
    cr_assert_eq(cairo_surface_status(s), CAIRO_STATUS_SUCCESS);
    return s;
}

static cairo_surface_t *by_cairo(const struct scene *s, enum theme theme, double scale)
{
    struct strbuf png = STRBUF_INIT;
    struct error err = ERROR_INIT;
    cr_assert_eq(scene_write_png(&png, s, theme, scale, &err), 0, "%s", err.message);
    cairo_surface_t *surface = decode(&png);
    strbuf_release(&png);
    return surface;
}

static cairo_surface_t *by_librsvg(const struct scene *s, enum svg_mode mode, double scale)
{
    struct strbuf svg = STRBUF_INIT, png = STRBUF_INIT;
    scene_write_svg(&svg, s, mode, "c");
    char path[] = "/tmp/blkmatrix-svg-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, svg.text, svg.len) == (ssize_t)svg.len);
    close(fd);
    char *command = xasprintf("rsvg-convert -z %.0f %s", scale, path);
    FILE *f = popen(command, "r");
    for (size_t n = 1; n > 0;) {
        char *room = strbuf_reserve(&png, 65536);
        n = fread(room, 1, 65536, f);
        strbuf_advance(&png, n);
    }
    cr_assert_eq(pclose(f), 0, "rsvg-convert fails");
    unlink(path);
    free(command);
    cairo_surface_t *surface = decode(&png);
    strbuf_release(&svg);
    strbuf_release(&png);
    return surface;
}

static void compare(cairo_surface_t *a, cairo_surface_t *b, const char *what)
{
    int w = cairo_image_surface_get_width(a), h = cairo_image_surface_get_height(a);
    cr_assert_eq(w, cairo_image_surface_get_width(b), "%s", what);
    cr_assert_eq(h, cairo_image_surface_get_height(b), "%s", what);
    double sum = 0;
    int worst = 0;
    for (int y = 0; y < h; y++) {
        const unsigned char *p =
            cairo_image_surface_get_data(a) + (ptrdiff_t)y * cairo_image_surface_get_stride(a);
        const unsigned char *q =
            cairo_image_surface_get_data(b) + (ptrdiff_t)y * cairo_image_surface_get_stride(b);
        for (int x = 0; x < w; x++)
            for (int c = 0; c < 3; c++) {
                int d = abs(p[4 * x + c] - q[4 * x + c]);
                worst = d > worst ? d : worst;
                sum += d;
            }
    }
    /* coordinates are rounded to a tenth in SVG: edges may differ, areas may not */
    cr_assert_leq(worst, 64, "%s: a pixel differs by %d", what, worst);
    cr_assert_lt(sum / (3.0 * w * h), 0.1, "%s: %.3f on average", what, sum / (3.0 * w * h));
    cairo_surface_destroy(a);
    cairo_surface_destroy(b);
}

static void without_text(struct scene *s)
{
    for (size_t i = 0; i < s->n_items; i++)
        if (s->item[i].kind == ITEM_TEXT)
            s->item[i].text.n_spans = 0;
}

Test(write_cairo, svg_and_png_are_the_same_picture)
{
    struct fonts *f = fonts_create(METRICS_PANGO);
    struct dataset *d = dataset_create();
    struct device_model m = fig_cloud("a");
    fig_add(d, &m, true, 9, 5);
    m.name = "b";
    m.cap_bytes = 96e6;
    m.cache = "none";
    fig_add(d, &m, true, 9, 5);
    const struct kind_query all = {0};
    for (size_t i = 0; kind_table[i]; i++) {
        struct scene *s = fig_draw(kind_table[i]->name, d, &all, CHART_STANDALONE, f);
        without_text(s);
        compare(by_cairo(s, THEME_LIGHT, 2), by_librsvg(s, SVG_LIGHT, 2), kind_table[i]->name);
        compare(by_cairo(s, THEME_DARK, 1), by_librsvg(s, SVG_DARK, 1), kind_table[i]->name);
        scene_destroy(s);
    }
    dataset_destroy(d);
    fonts_destroy(f);
}

/* Left and right end of what is not white. */
static double ink_width(cairo_surface_t *a, double scale)
{
    int w = cairo_image_surface_get_width(a), h = cairo_image_surface_get_height(a);
    int lo = w, hi = -1;
    for (int y = 0; y < h; y++) {
        const unsigned char *p =
            cairo_image_surface_get_data(a) + (ptrdiff_t)y * cairo_image_surface_get_stride(a);
        for (int x = 0; x < w; x++)
            if (p[4 * x] < 128) {
                lo = x < lo ? x : lo;
                hi = x > hi ? x : hi;
            }
    }
    cairo_surface_destroy(a);
    return (hi - lo + 1) / scale;
}

Test(write_cairo, text_is_as_wide_as_it_was_measured)
{
    static const struct {
        const char *text;
        double size;
        int weight;
    } sample[] = {{"Disk burst 3,500 IOPS", 12, 600},
                  {"Bandwidth by block size, random write. Log scales.", 13, 400},
                  {"The disk caps small writes, the VM caps large ones", 19, 700},
                  {"512k", 12, 400}};
    struct fonts *f = fonts_create(METRICS_PANGO);
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
        struct scene *s = scene_create(f);
        scene_set_size(s, 760, 40);
        struct text t = {.x = 20,
                         .y = 28,
                         .text = sample[i].text,
                         .size = sample[i].size,
                         .weight = sample[i].weight,
                         .colour = COLOUR_INK};
        scene_text(s, &t);
        double width = scene_text_width(s, &t);
        double png = ink_width(by_cairo(s, THEME_LIGHT, 2), 2);
        double svg = ink_width(by_librsvg(s, SVG_LIGHT, 2), 2);
        cr_assert_float_eq(png, width, 0.12 * width, "%s: %g, measured %g", t.text, png, width);
        cr_assert_float_eq(svg, width, 0.12 * width, "%s: %g, measured %g", t.text, svg, width);
        scene_destroy(s);
    }
    fonts_destroy(f);
}

Test(write_cairo, scale_is_pixels_a_unit_and_bytes_repeat)
{
    struct fonts *f = fonts_create(METRICS_PANGO);
    struct dataset *d = dataset_create();
    fig_add_cell(d, fig_add_run(d, "one"), 4096, 1, 1000);
    const struct kind_query all = {0};
    struct scene *s = fig_draw("roofline", d, &all, CHART_STANDALONE, f);
    for (int scale = 1; scale <= 4; scale++) {
        cairo_surface_t *a = by_cairo(s, THEME_LIGHT, scale);
        cr_assert_eq(cairo_image_surface_get_width(a), 800 * scale);
        cairo_surface_destroy(a);
    }
    struct strbuf png[2] = {STRBUF_INIT, STRBUF_INIT}, pdf[2] = {STRBUF_INIT, STRBUF_INIT};
    struct error err = ERROR_INIT;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(scene_write_png(&png[i], s, THEME_DARK, 1, &err), 0);
        cr_assert_eq(scene_write_pdf(&pdf[i], s, THEME_LIGHT, &err), 0);
        if (i == 0)
            usleep(1100000); /* a time of writing in the file would show */
    }
    cr_assert(png[0].len == png[1].len && memcmp(png[0].text, png[1].text, png[0].len) == 0);
    cr_assert(pdf[0].len == pdf[1].len && memcmp(pdf[0].text, pdf[1].text, pdf[0].len) == 0);
    cr_assert(strncmp(pdf[0].text, "%PDF-", 5) == 0);
    for (int i = 0; i < 2; i++) {
        strbuf_release(&png[i]);
        strbuf_release(&pdf[i]);
    }
    scene_destroy(s);
    dataset_destroy(d);
    fonts_destroy(f);
}

Test(write_cairo, a_picture_that_is_too_large_is_an_error)
{
    struct fonts *f = fonts_create(METRICS_FIXED);
    struct scene *s = scene_create(f);
    scene_set_size(s, 20000, 20000);
    struct strbuf out = STRBUF_INIT;
    struct error err = ERROR_INIT;
    cr_assert_eq(scene_write_png(&out, s, THEME_LIGHT, 4, &err), -ERR_USAGE);
    cr_assert(strstr(err.message, "80000 x 80000"), "%s", err.message);
    cr_assert_eq(out.len, 0);
    strbuf_release(&out);
    scene_destroy(s);
    fonts_destroy(f);
}
