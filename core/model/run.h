/*
 * One sweep, run or import: who measured what, where, with what, and which limits applied. Cells
 * are not in it: they stream through a sink (sink.h).
 */
#ifndef CORE_MODEL_RUN_H
#define CORE_MODEL_RUN_H

#include "core/model/cell.h"
#include "core/model/device_info.h"
#include "core/model/host_info.h"
#include "core/model/limit.h"

/* clang-format off */
#define RUN_FIELDS(X) \
    X(TEXT,   uuid,          NONE,    "random UUID, or made from the content of an imported file") \
    X(TEXT,   name,          NONE,    "name, chosen by the user or the source") \
    X(TEXT,   tool,          NONE,    "what measured: blkmatrix 0.1.0, fio-3.33 ...") \
    X(TEXT,   command,       NONE,    "command line") \
    X(STATUS, status,        NONE,    "running, complete, partial, failed") \
    X(I64,    started_ns,    INSTANT, "start") \
    X(I64,    finished_ns,   INSTANT, "end") \
    X(U64,    seed,          NONE,    "seed of all random choices") \
    X(JSON,   plan,          NONE,    "the plan as JSON, for resuming") \
    X(U64,    planned_cells, COUNT,   "cells in the plan") \
    X(TEXT,   source_path,   NONE,    "imported from") \
    X(TEXT,   source_sha256, NONE,    "SHA-256 of the imported bytes") \
    X(TEXT,   source_format, NONE,    "importer and version: fio-json ...") \
    X(JSON,   messages,      NONE,    "array of lines the source held beside the results") \
    X(JSON,   extra,         NONE,    "further facts of the source, name to value")
/* clang-format on */

struct label {
    char *key;
    char *value;
};

#define LABEL_KEY_MAX   64   /* bytes */
#define LABEL_VALUE_MAX 1024 /* likewise */

/*
 * Whether they make a label: a key can be used in a selector (key=value[,key=value]), and both fit a table. A
 * value of NULL is one that does not matter. ERR_USAGE, with the key cut where it is too long.
 */
int label_check(const char *key, const char *value, struct error *err);

struct run {
    uint64_t known;
    RUN_FIELDS(FIELD_MEMBER)
    int64_t id; /* in the store; 0 before */
    struct label *label;
    size_t n_labels;
    struct host_info host;
    struct device_info *device;
    size_t n_devices;
    struct limit *limit;
    size_t n_limits;
};

#define RUN_ENUM(type, name, unit, help) RUN_##name,
enum { RUN_FIELDS(RUN_ENUM) RUN_FIELD_COUNT };
extern const struct field_set run_fields;

struct run *run_create(void);
void run_destroy(struct run *r);

/* Sets a label (an existing key gets the new value). Both are copied. */
void run_set_label(struct run *r, const char *key, const char *value);
const char *run_label(const struct run *r, const char *key); /* NULL when there is none */
/* Adds an empty record and returns it; earlier pointers into the array become invalid. */
struct device_info *run_add_device(struct run *r);
struct limit *run_add_limit(struct run *r);

#define UUID_TEXT_MAX 37
/* A random UUID, lower case. Returns buf. */
char *uuid_random(char buf[UUID_TEXT_MAX]);
/* A name-based UUID (version 5): the same text gives the same UUID. Returns buf. */
char *uuid_from_text(char buf[UUID_TEXT_MAX], const char *text);

#endif
