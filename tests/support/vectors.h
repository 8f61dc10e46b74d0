/*
 * Expected values from other people's software (scipy, R ...), kept as JSON in tests/data/vectors/: one file a
 * subject, loaded with cJSON by the test that uses it.
 */
#ifndef TESTS_SUPPORT_VECTORS_H
#define TESTS_SUPPORT_VECTORS_H

#include <cjson/cJSON.h>

/* Parses TEST_DATA/vectors/<name>.json; ends the test program with a message when it cannot. */
cJSON *vectors_load(const char *name);
/* The numbers of an array, malloc'd; *n their count. */
double *vectors_doubles(const cJSON *array, size_t *n);

#endif
