/*
 * A chart of a full sweep costs at most 40 ms of CPU with fonts loaded, as SVG or as PNG: printed, to be read. The
 * test fails only at several times that: how fast a machine is says nothing about the code.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/report/chart/figures.h"

#define MOST_MS 40.0
#define GROSS   8
#define ROUNDS  7

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static bool is_instrumented(void)
{
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
    return true;
#else
    return false;
#endif
}

static double draw_once(const struct kind *k, struct dataset *d, struct fonts *f, bool png)
{
    const struct kind_query all = {0};
    struct strbuf out = STRBUF_INIT;
    double start = cpu_ms();
    struct scene *s = fig_draw(k->name, d, &all, CHART_STANDALONE, f);
    if (png)
        cr_assert_eq(scene_write_png(&out, s, THEME_LIGHT, 2, NULL), 0);
    else
        scene_write_svg(&out, s, SVG_AUTO, "c");
    double spent = cpu_ms() - start;
    scene_destroy(s);
    strbuf_release(&out);
    return spent;
}

Test(speed, a_chart_costs_little_cpu)
{
    struct dataset *d = dataset_create();
    struct device_model m = fig_cloud("sweep");
    fig_add(d, &m, true, 9, 8);
    size_t n;
    dataset_rows(d, &n);
    struct fonts *f = fonts_create(METRICS_PANGO);
    for (size_t i = 0; kind_table[i]; i++)
        for (int png = 0; png < 2; png++) {
            double least = INFINITY;
            for (int r = 0; r < ROUNDS; r++)
                least = fmin(least, draw_once(kind_table[i], d, f, png == 1));
            printf("%-10s %s %5.1f ms\n", kind_table[i]->name, png ? "PNG" : "SVG", least);
            if (!is_instrumented())
                cr_assert_leq(least, GROSS * MOST_MS, "%s: %.1f ms", kind_table[i]->name, least);
        }
    dataset_destroy(d);
    fonts_destroy(f);
}
