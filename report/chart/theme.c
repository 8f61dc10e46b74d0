/* Which colour and marker a series gets. */
#include "report/chart/chart.h"

struct look look_of_run(size_t i)
{
    static const struct look run[] = {
        {COLOUR_A, COLOUR_A_TEXT, MARKER_HOLLOW},  {COLOUR_B, COLOUR_B_TEXT, MARKER_DOT},
        {COLOUR_C, COLOUR_C_TEXT, MARKER_SQUARE},  {COLOUR_D, COLOUR_D_TEXT, MARKER_TRIANGLE},
        {COLOUR_E, COLOUR_E_TEXT, MARKER_DIAMOND},
    };
    return run[i % (sizeof run / sizeof *run)];
}

struct look look_of_step(size_t i, size_t n)
{
    static const struct look step[] = {
        {COLOUR_Q1, COLOUR_Q1_TEXT, MARKER_DOT}, {COLOUR_Q2, COLOUR_Q2_TEXT, MARKER_DOT},
        {COLOUR_Q3, COLOUR_Q3, MARKER_DOT},      {COLOUR_Q4, COLOUR_Q4, MARKER_DOT},
        {COLOUR_Q5, COLOUR_Q5, MARKER_DOT},      {COLOUR_Q6, COLOUR_Q6, MARKER_DOT},
    };
    const size_t last = sizeof step / sizeof *step - 1;
    /* a few steps stand far apart on the ramp; one alone takes a clear blue */
    if (n <= 1)
        return step[3];
    if (n == 3) {
        static const size_t three[] = {0, 2, 4};
        return step[three[i]];
    }
    return step[(i * last + (n - 1) / 2) / (n - 1)];
}
