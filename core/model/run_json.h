/*
 * Runs and cells as JSON, with the names that others rely on (docs/json.md, schemas/json/): `show`,
 * `list` and the JSON export print these objects. SI base units: bytes, bytes/s, ns; instants are
 * RFC 3339 text; unknown is null, never 0.
 */
#ifndef CORE_MODEL_RUN_JSON_H
#define CORE_MODEL_RUN_JSON_H

#include <cjson/cJSON.h>

#include "core/model/run.h"

/* Percentiles that are shown when the samples support them: 1, 5, 10 ... 99.9, 99.95, 99.99. */
#define SHOWN_PERCENTILES 17
extern const double shown_percentiles[SHOWN_PERCENTILES];

/* "50", "99.9": how a percentile is called. Returns buf. */
char *percentile_name(char buf[32], double p);

/* The "run" object, without host, devices, limits. */
void run_to_json(cJSON *obj, const struct run *run);
/* Members "host", "devices", "limits" of the document. */
void run_parts_to_json(cJSON *obj, const struct run *run);

enum cell_json_flag {
    CELL_JSON_SERIES = 1 << 0, /* "series" of the directions that have one */
    CELL_JSON_BINS = 1 << 1,   /* "bins" of the latencies that have a histogram */
};
/* One element of "cells"; `run` names the devices. */
void cell_to_json(cJSON *obj, const struct cell *cell, const struct run *run, unsigned flags);

#endif
