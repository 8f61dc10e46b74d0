/* The colour tokens with their values in both themes, and the dashes. */
#include "report/scene/scene_internal.h"

static const struct {
    const char *class;
    uint32_t rgb[THEME_COUNT];
} table[COLOUR_COUNT] = {
#define COLOUR_ROW(name, class_, light, dark) [COLOUR_##name] = {class_, {light, dark}},
    COLOURS(COLOUR_ROW)};

uint32_t colour_rgb(enum colour c, enum theme theme)
{
    return table[c].rgb[theme];
}

const char *colour_class(enum colour c)
{
    return table[c].class ? table[c].class : "";
}

static const double dash_none[2] = {1, 0}, dash_long[2] = {6, 3}, dash_dot[2] = {1.5, 3},
                    dash_short[2] = {3, 3};

const double *const dash_pattern[] = {[DASH_NONE] = dash_none,
                                      [DASH_LONG] = dash_long,
                                      [DASH_DOT] = dash_dot,
                                      [DASH_SHORT] = dash_short};
