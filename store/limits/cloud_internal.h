/*
 * What the tools of clouds print (JSON of `aws`, `az`, `gcloud`) as entries of the catalogue: one
 * document in its format, checked as any other when it is added.
 */
#ifndef STORE_LIMITS_CLOUD_INTERNAL_H
#define STORE_LIMITS_CLOUD_INTERNAL_H

#include <cjson/cJSON.h>

#include "store/limits/limits_internal.h"

/* The document as it grows. */
struct cloud_doc {
    const struct limit_catalogue *catalogue; /* what is known already */
    cJSON *disks, *vms; /* arrays of entries; "source" of each is CLOUD_SOURCE */
    size_t known;       /* elements without figures, whose names the catalogue knows */
};
#define CLOUD_SOURCE "cloud"

/* One kind of document, told by what its elements have. */
struct cloud_format {
    const char *what;
    const char *cloud;
    const char *list; /* member of the root with the elements; NULL: the root */
    bool (*fits)(const cJSON *element);
    void (*add)(struct cloud_doc *doc, const cJSON *element);
    bool own; /* about disks that somebody has, not about what can be had */
};
extern const struct cloud_format cloud_aws_types, cloud_aws_volumes;       /* from_aws.c */
extern const struct cloud_format cloud_azure_disks, cloud_azure_skus;      /* from_azure.c */
extern const struct cloud_format cloud_gcp_machines, cloud_gcp_disk_types; /* from_gcp.c */

struct cloud_text {
    const char *text; /* a NUL follows */
    size_t n;
    const char *origin;
    const char *date; /* of its figures */
};
/*
 * The document for a text of such a tool: {"cloud", "sources", "disks", "vms"}, cJSON_Delete, and
 * which tool's it was; *known gets cloud_doc.known. ERR_INPUT when it is none.
 */
int cloud_convert(cJSON **out, const struct cloud_format **format, size_t *known,
                  const struct limit_catalogue *c, const struct cloud_text *from,
                  struct error *err);
#define CLOUD_MAX_FILE ((size_t)256 << 20) /* `az vm list-skus` of all locations has some ten MB */

/* ---- for the converters ---- */

/* Members; NULL, NaN: not there, or of another kind. Numbers may be texts, as some tools print. */
const char *cloud_word(const cJSON *o, const char *name);
double cloud_value(const cJSON *o, const char *name);
/* The entry of this name in the array, NULL: none yet. */
cJSON *cloud_entry(const cJSON *array, const char *name);
/* A new entry, with its name and source. */
cJSON *cloud_add_entry(cJSON *array, const char *name);

/* A cap of an entry while it is put together. */
cJSON *cloud_add_cap(cJSON *caps, enum limit_kind kind, const char *unit, double base);

/* ---- entry_json.c ---- */

/* An entry as it stands in a file, its source under that key. */
cJSON *limit_entry_json(const struct limit_entry *e, const char *source);
/* Its rules alone. */
cJSON *limit_rules_json(const struct limit_rule *rule, size_t n);

/* A whole file of at most max bytes. ERR_INPUT. */
int limit_read_file(struct strbuf *out, const char *path, size_t max, struct error *err);
/* Day of the last change of a file, "2026-05-01"; "" when it cannot be had. */
#define DATE_MAX 11
char *limit_file_date(char buf[DATE_MAX], const char *path);

#endif
