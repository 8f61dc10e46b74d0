/*
 * Any importer over any bytes. Beyond not crashing: what reaches the sink is in order, its JSON is JSON,
 * its indexes point to something, its numbers are numbers.
 */
#ifndef TESTS_FUZZ_IMPORT_CHECK_H
#define TESTS_FUZZ_IMPORT_CHECK_H

#include <math.h>
#include <stdint.h>

#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "store/import/importer.h"

struct check_state {
    bool open;
    size_t n_devices, runs, cells;
};

#define require(what)                                                                              \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                     \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void check_json(const char *text)
{
    require(!text || json_is_valid(text));
}

static int check_begin(void *self, struct run *run, struct error *err)
{
    struct check_state *s = self;
    (void)err;
    require(!s->open && run->uuid && run->source_sha256);
    s->open = true;
    s->n_devices = run->n_devices;
    check_json(run->messages);
    check_json(run->extra);
    for (size_t i = 0; i < run->n_devices; i++)
        require(run->device[i].path != NULL);
    return 0;
}

static void check_lat(const struct lat *l)
{
    require(!IS_KNOWN(l, LAT_F, mean) || (isfinite(l->mean) && l->mean >= 0));
    require(!IS_KNOWN(l, LAT_F, stddev) || (isfinite(l->stddev) && l->stddev >= 0));
    require(!l->hist || hist_n(l->hist) == l->n);
    for (size_t i = 0; i < l->n_reported; i++) {
        require(l->reported[i].p > 0 && l->reported[i].p <= 100);
        require(i == 0 || l->reported[i].p > l->reported[i - 1].p);
    }
}

static void check_direction(const struct direction *d)
{
    for (size_t i = 0; i < direction_fields.n; i++) {
        double v = field_get_f64(&direction_fields, d, i);
        require(!field_is_known(&direction_fields, d, i) || (isfinite(v) && v >= 0));
    }
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        check_lat(&d->lat[k]);
}

static int check_cell(void *self, struct cell *c, struct error *err)
{
    struct check_state *s = self;
    (void)err;
    require(s->open && IS_KNOWN(c, CELL, status));
    check_json(c->caveats);
    check_json(c->assumed);
    check_json(c->extra);
    check_json(c->key.options);
    for (size_t i = 0; i < c->n_devices; i++)
        require(c->device[i] < s->n_devices);
    for (size_t i = 0; i < c->n_parts; i++) {
        require(c->part[i].device < s->n_devices);
        for (int d = 0; d < DIR_COUNT; d++)
            check_direction(&c->part[i].dir[d]);
    }
    for (int d = 0; d < DIR_COUNT; d++)
        check_direction(&c->dir[d]);
    for (size_t i = 0; i < c->n_buckets; i++)
        require(c->bucket[i].lo_ns <= c->bucket[i].hi_ns && isfinite(c->bucket[i].share));
    s->cells++;
    return 0;
}

static int check_end(void *self, struct run *run, struct error *err)
{
    struct check_state *s = self;
    (void)err;
    require(s->open && IS_KNOWN(run, RUN, status));
    s->open = false;
    s->runs++;
    return 0;
}

/* Runs the importer over a copy that has a NUL behind it and nothing else. */
static inline int check_importer(const struct importer *importer, const char *path,
                                 const uint8_t *data, size_t n)
{
    char *bytes = xmalloc(n + 1);
    if (n > 0)
        memcpy(bytes, data, n);
    bytes[n] = '\0';
    struct check_state s = {0};
    struct sink sink = {.self = &s, .begin = check_begin, .cell = check_cell, .end = check_end};
    struct import_source src = {.path = path, .bytes = bytes, .n = n, .sha256 = "00"};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    int score = importer->sniff(bytes, n);
    require(score >= 0 && score <= 100);
    int rc = importer->read(&src, &sink, &outcome, &err);
    require(rc == 0 || (rc == -ERR_INPUT && err.message[0]));
    require(!s.open && outcome.runs == s.runs && outcome.cells == s.cells);
    free(bytes);
    return 0;
}

#endif
