/* Placing words: pushed apart the least, never over a mark, never over another word. */
#include <criterion/criterion.h>
#include <math.h>

#include "report/chart/chart_internal.h"

Test(labels, pushing_apart_keeps_what_fits)
{
    double y[] = {10, 50, 90};
    cr_assert_float_eq(labels_push_apart(y, 3, 15, 0, 100), 0, 1e-9);
    cr_assert(y[0] == 10 && y[1] == 50 && y[2] == 90);
}

Test(labels, pushing_apart_spreads_around_the_middle)
{
    double y[] = {50, 50, 50};
    cr_assert_float_eq(labels_push_apart(y, 3, 15, 0, 100), 30, 1e-9);
    cr_assert(fabs(y[0] - 65) < 1e-9 && fabs(y[1] - 50) < 1e-9 && fabs(y[2] - 35) < 1e-9);
}

Test(labels, of_equal_ones_the_later_is_above)
{
    double y[] = {50, 50, 50, 90};
    labels_push_apart(y, 4, 15, 0, 100);
    cr_assert(y[0] > y[1] && y[1] > y[2] && y[3] > y[0]);
}

Test(labels, pushing_apart_stays_inside)
{
    double y[] = {98, 99, 3};
    labels_push_apart(y, 3, 15, 5, 100);
    cr_assert(fabs(y[0] - 85) < 1e-9 && fabs(y[1] - 100) < 1e-9 && fabs(y[2] - 5) < 1e-9);
}

Test(labels, pushing_apart_any_values)
{
    unsigned seed = 1;
    for (int round = 0; round < 500; round++) {
        double y[12], before[12];
        size_t n = 1 + (size_t)(rand_r(&seed) % 12);
        for (size_t i = 0; i < n; i++)
            before[i] = y[i] = rand_r(&seed) % 200;
        labels_push_apart(y, n, 15, 0, 200);
        for (size_t i = 0; i < n; i++) {
            cr_assert(y[i] >= -1e-9 && y[i] <= 200 + 1e-9);
            for (size_t j = 0; j < i; j++) {
                cr_assert_geq(fabs(y[i] - y[j]), 15 - 1e-9);
                cr_assert(before[i] >= before[j] || y[i] < y[j], "the order has changed");
            }
        }
    }
}

struct bench {
    struct fonts *f;
    struct labeller l;
};

static struct bench bench_create(void)
{
    struct bench b = {.f = fonts_create(METRICS_FIXED)};
    b.l = (struct labeller){.s = scene_create(b.f), .x1 = 200, .y1 = 100};
    return b;
}

static void bench_destroy(struct bench *b)
{
    free(b->l.obstacle);
    scene_destroy(b->l.s);
    fonts_destroy(b->f);
}

static const struct text word = {.text = "word", .size = 10};

Test(labels, the_first_free_place_wins)
{
    struct bench b = bench_create();
    const struct text place[] = {{.x = -5, .y = 50}, {.x = 190, .y = 50}, {.x = 10, .y = 50}};
    cr_assert(labels_place(&b.l, &word, place, 3));
    cr_assert_float_eq(scene_text_box_at(b.l.s, 0)->cx, 21, 1e-9);
    /* the same place is taken now */
    cr_assert_not(labels_place(&b.l, &word, place, 3));
    cr_assert_eq(scene_n_text_boxes(b.l.s), 1);
    bench_destroy(&b);
}

Test(labels, marks_are_never_covered_and_lines_are_avoided)
{
    struct bench b = bench_create();
    labels_avoid_dot(&b.l, 20, 48, 4);
    labels_avoid_line(&b.l, (struct point){0, 70}, (struct point){200, 70});
    const struct text covered[] = {{.x = 10, .y = 50}};
    cr_assert_not(labels_place(&b.l, &word, covered, 1));
    const struct text place[] = {{.x = 10, .y = 73}, {.x = 60, .y = 30}};
    cr_assert(labels_place(&b.l, &word, place, 2));
    cr_assert_float_eq(scene_text_box_at(b.l.s, 0)->cx, 71, 1e-9);
    /* rather on a line than not at all */
    cr_assert(labels_place(&b.l, &word, place, 1));
    bench_destroy(&b);
}

Test(labels, lines_of_text_stay_together)
{
    struct bench b = bench_create();
    labels_avoid_dot(&b.l, 20, 63, 4);
    const struct text line[] = {word, word};
    const struct text place[] = {{.x = 10, .y = 50}, {.x = 100, .y = 50}};
    cr_assert_eq(labels_place_lines(&b.l, line, 2, 15, place, 2), 1);
    cr_assert_float_eq(scene_text_box_at(b.l.s, 1)->cy - scene_text_box_at(b.l.s, 0)->cy, 15, 1e-9);
    bench_destroy(&b);
}

Test(labels, slanted_words_fit_beside_a_slanted_line)
{
    struct bench b = bench_create();
    /* 45 degrees: the upright box of the words would meet the dot, the slanted one does not */
    labels_avoid_dot(&b.l, 60, 72, 3);
    const struct text place[] = {{.x = 50, .y = 60, .angle = -45, .anchor = ANCHOR_MIDDLE}};
    cr_assert(labels_place(&b.l, &(struct text){.text = "slanted", .size = 10}, place, 1));
    bench_destroy(&b);
}
