/*
 * Runs and cells with every field set, for tests that must not lose one: values differ from field
 * to field and from salt to salt.
 */
#ifndef TESTS_SUPPORT_SAMPLE_H
#define TESTS_SUPPORT_SAMPLE_H

#include "core/model/run.h"

/* Gives every field of the record a value. */
void sample_fill(const struct field_set *set, void *rec, unsigned salt);
/* Name of the first field in which two records differ, NULL when none does. */
const char *sample_difference(const struct field_set *set, const void *a, const void *b);

/* A run with two labels, host, two devices, two limits; all fields set. */
struct run *sample_run(unsigned salt);
/*
 * A cell with all fields, both devices, all directions (histograms, reported percentiles, series
 * with interval histograms), a part for each device, buckets and disk counters.
 */
struct cell *sample_cell(unsigned salt);
/* Where two cells differ (ids aside), "" when they do not; histograms and series too. */
const char *sample_cell_difference(const struct cell *a, const struct cell *b);

#endif
