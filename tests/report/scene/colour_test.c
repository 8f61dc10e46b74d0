/* The colours keep apart from the page and from each other, computed from their values. */
#include "report/scene/scene.h"

#include <criterion/criterion.h>
#include <math.h>

static double linear(unsigned byte)
{
    double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* WCAG 2.1 relative luminance. */
static double luminance(uint32_t rgb)
{
    return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) +
           0.0722 * linear(rgb & 255);
}

static double contrast(uint32_t a, uint32_t b)
{
    double x = luminance(a), y = luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

Test(colour, contrast_of_black_on_white)
{
    cr_assert_float_eq(contrast(0x000000, 0xFFFFFF), 21, 1e-9);
    cr_assert_float_eq(contrast(0x777777, 0xFFFFFF), 4.48, 0.005); /* WebAIM's checker */
}

static void expect_contrast(const enum colour *c, size_t n, enum colour ground, double least)
{
    for (enum theme t = 0; t < THEME_COUNT; t++)
        for (size_t i = 0; i < n; i++) {
            double k = contrast(colour_rgb(c[i], t), colour_rgb(ground, t));
            cr_assert_geq(k, least, "%s on %s in theme %d: %.2f", colour_class(c[i]),
                          colour_class(ground), (int)t, k);
        }
}

Test(colour, text_is_readable)
{
    const enum colour text[] = {
        COLOUR_INK,    COLOUR_INK2,    COLOUR_INK3,      COLOUR_A_TEXT,  COLOUR_B_TEXT,
        COLOUR_C_TEXT, COLOUR_D_TEXT,  COLOUR_E_TEXT,    COLOUR_BETTER,  COLOUR_WORSE,
        COLOUR_Q3,     COLOUR_VM_TEXT, COLOUR_DISK_TEXT, COLOUR_Q1_TEXT, COLOUR_Q2_TEXT,
        COLOUR_Q4,     COLOUR_Q5,      COLOUR_Q6,
    };
    expect_contrast(text, sizeof text / sizeof *text, COLOUR_BG, 4.5);
    /* words in the area out of reach, and over shaded stretches of time */
    const enum colour on_surface[] = {COLOUR_INK, COLOUR_INK2, COLOUR_INK3, COLOUR_VM_TEXT,
                                      COLOUR_DISK_TEXT};
    expect_contrast(on_surface, sizeof on_surface / sizeof *on_surface, COLOUR_SURFACE, 4.5);
}

Test(colour, marks_are_visible)
{
    const enum colour mark[] = {
        COLOUR_A,  COLOUR_B,  COLOUR_C,  COLOUR_D,  COLOUR_E,  COLOUR_SAME, COLOUR_DISK, COLOUR_VM,
        COLOUR_Q1, COLOUR_Q2, COLOUR_Q3, COLOUR_Q4, COLOUR_Q5, COLOUR_Q6,   COLOUR_AXIS,
    };
    expect_contrast(mark, sizeof mark / sizeof *mark, COLOUR_BG, 3);
}

struct lab {
    double l, a, b;
};

static double lab_f(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static struct lab to_lab(uint32_t rgb)
{
    double r = linear(rgb >> 16 & 255), g = linear(rgb >> 8 & 255), b = linear(rgb & 255);
    double x = lab_f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    double y = lab_f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
    double z = lab_f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
    return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double hue(double b, double a)
{
    double h = atan2(b, a) * 180 / M_PI;
    return h < 0 ? h + 360 : h;
}

static double deg_cos(double d)
{
    return cos(d * M_PI / 180);
}

/* CIEDE2000 after Sharma, Wu and Dalal (2005). */
static double ciede2000(struct lab p, struct lab q)
{
    double c7 = pow((hypot(p.a, p.b) + hypot(q.a, q.b)) / 2, 7);
    double g = 0.5 * (1 - sqrt(c7 / (c7 + pow(25, 7))));
    double a1 = (1 + g) * p.a, a2 = (1 + g) * q.a;
    double c1 = hypot(a1, p.b), c2 = hypot(a2, q.b);
    double h1 = hue(p.b, a1), h2 = hue(q.b, a2);
    double dh = h2 - h1, mean_h = (h1 + h2) / 2;
    if (fabs(dh) > 180) {
        mean_h += mean_h < 180 ? 180 : -180;
        dh += dh > 0 ? -360 : 360;
    }
    double dl = q.l - p.l, dc = c2 - c1, dH = 2 * sqrt(c1 * c2) * sin(dh * M_PI / 360);
    double ml = (p.l + q.l) / 2, mc = (c1 + c2) / 2;
    double t = 1 - 0.17 * deg_cos(mean_h - 30) + 0.24 * deg_cos(2 * mean_h) +
               0.32 * deg_cos(3 * mean_h + 6) - 0.20 * deg_cos(4 * mean_h - 63);
    double sl = 1 + 0.015 * pow(ml - 50, 2) / sqrt(20 + pow(ml - 50, 2));
    double sc = 1 + 0.045 * mc, sh = 1 + 0.015 * mc * t;
    double rt = -2 * sqrt(pow(mc, 7) / (pow(mc, 7) + pow(25, 7))) *
                sin(M_PI / 3 * exp(-pow((mean_h - 275) / 25, 2)));
    return sqrt(pow(dl / sl, 2) + pow(dc / sc, 2) + pow(dH / sh, 2) + rt * dc / sc * dH / sh);
}

/* Pairs 1, 7, 13 and 25 of the published test data. */
Test(colour, ciede2000_matches_the_published_pairs)
{
    const struct {
        struct lab p, q;
        double de;
    } pair[] = {
        {{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
        {{50, 0, 0}, {50, -1, 2}, 2.3669},
        {{50, -0.001, 2.49}, {50, 0.0011, -2.49}, 4.7461},
        {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
    };
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        cr_assert_float_eq(ciede2000(pair[i].p, pair[i].q), pair[i].de, 6e-5, "pair %zu: %.4f", i,
                           ciede2000(pair[i].p, pair[i].q));
}

/* How a colour looks to people without one kind of cone: Machado, Oliveira and Fernandes (2009). */
static const double sight[4][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

static unsigned to_byte(double c)
{
    c = fmin(1, fmax(0, c));
    c = c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055;
    return (unsigned)lround(c * 255);
}

static uint32_t seen(uint32_t rgb, const double m[3][3])
{
    const double in[3] = {linear(rgb >> 16 & 255), linear(rgb >> 8 & 255), linear(rgb & 255)};
    uint32_t out = 0;
    for (int i = 0; i < 3; i++)
        out = out << 8 | to_byte(m[i][0] * in[0] + m[i][1] * in[1] + m[i][2] * in[2]);
    return out;
}

Test(colour, series_can_be_told_apart_by_everybody)
{
    const enum colour c[] = {COLOUR_A, COLOUR_B,      COLOUR_C,    COLOUR_D,
                             COLOUR_E, COLOUR_BETTER, COLOUR_WORSE};
    for (enum theme t = 0; t < THEME_COUNT; t++)
        for (int s = 0; s < 4; s++)
            for (size_t i = 0; i < 7; i++)
                for (size_t j = 0; j < i; j++) {
                    double de = ciede2000(to_lab(seen(colour_rgb(c[i], t), sight[s])),
                                          to_lab(seen(colour_rgb(c[j], t), sight[s])));
                    cr_assert_geq(de, 9, "%s and %s, theme %d, sight %d: %.1f", colour_class(c[i]),
                                  colour_class(c[j]), (int)t, s, de);
                }
}

Test(colour, classes_are_unique)
{
    for (int i = COLOUR_NONE + 1; i < COLOUR_COUNT; i++)
        for (int j = COLOUR_NONE + 1; j < i; j++)
            cr_assert_str_neq(colour_class((enum colour)i), colour_class((enum colour)j));
}
