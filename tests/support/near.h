/* Comparisons with numbers that somebody else computed. */
#ifndef TESTS_SUPPORT_NEAR_H
#define TESTS_SUPPORT_NEAR_H

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <math.h>

/* Fails unless got is want, but for a share of it (of 1e-6 at least). */
static inline void near(double got, double want, double relative, const char *what)
{
    cr_assert(fabs(got - want) <= relative * fmax(fabs(want), 1e-6), "%s: got %.17g, want %.17g",
              what, got, want);
}

/* The i-th number of an array. */
static inline double at(const cJSON *row, int i)
{
    return cJSON_GetArrayItem(row, i)->valuedouble;
}

#endif
