/*
 * Expected values from other people's software (scipy, R ...), kept as JSON in tests/data/vectors/: one file a
 * subject, loaded with cJSON by the test that uses it.
 */
#ifndef TESTS_SUPPORT_VECTORS_H
#define TESTS_SUPPORT_VECTORS_H

#include <cjson/cJSON.h>
#include <stdint.h>

/* Parses TEST_DATA/vectors/<name>.json; ends the test program with a message when it cannot. */
cJSON *vectors_load(const char *name);
/* The numbers of an array, malloc'd; *n their count. */
double *vectors_doubles(const cJSON *array, size_t *n);

/* A number that is a member of an object; ends the test program when it is not there. */
double vectors_number(const cJSON *object, const char *name);
/* The same as a whole number (below 2^53, so exact). */
uint64_t vectors_whole(const cJSON *object, const char *name);

#endif
