/* Which tool printed a document, and its elements as entries; --cloud-json. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "core/base/decimal.h"
#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "store/limits/cloud_internal.h"

#define MAX_ENTRIES 20000

static const struct cloud_format *const formats[] = {
    &cloud_aws_types,   &cloud_aws_volumes,  &cloud_azure_skus,
    &cloud_azure_disks, &cloud_gcp_machines, &cloud_gcp_disk_types,
};

const char *cloud_word(const cJSON *o, const char *name)
{
    const cJSON *m = cJSON_GetObjectItemCaseSensitive(o, name);
    return cJSON_IsString(m) && m->valuestring[0] ? m->valuestring : NULL;
}

double cloud_value(const cJSON *o, const char *name)
{
    const cJSON *m = cJSON_GetObjectItemCaseSensitive(o, name);
    double v = NAN;
    if (cJSON_IsNumber(m))
        v = m->valuedouble;
    else if (cJSON_IsString(m) && !decimal_parse(m->valuestring, &v))
        v = NAN;
    return v >= 0 && v <= 1e15 ? v : NAN;
}

cJSON *cloud_entry(const cJSON *array, const char *name)
{
    /* the name is the first member: of some lists there are tens of thousands of elements */
    for (cJSON *m = array->child; m; m = m->next)
        if (strcmp(m->child->valuestring, name) == 0)
            return m;
    return NULL;
}

cJSON *cloud_add_entry(cJSON *array, const char *name)
{
    cJSON *e = json_add_object(array, NULL);
    json_add_text(e, "name", name);
    json_add_text(e, "source", CLOUD_SOURCE);
    return e;
}

cJSON *cloud_add_cap(cJSON *caps, enum limit_kind kind, const char *unit, double base)
{
    cJSON *cap = json_add_object(caps, NULL);
    json_add_text(cap, "cap", cap_names[kind]);
    if (kind == CAP_BW)
        json_add_text(cap, "unit", unit);
    json_add_f64(cap, "base", base);
    return cap;
}

/* ---- which one it is ---- */

/* The elements: the list of that name, "value" as the REST interface wraps it, or the root. */
static const cJSON *elements_of(const cJSON *root, const struct cloud_format *f, bool *single)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(root, "value");
    *single = false;
    if (f->list)
        return cJSON_GetObjectItemCaseSensitive(root, f->list);
    if (cJSON_IsArray(value))
        return value;
    *single = cJSON_IsObject(root);
    return root;
}

static const struct cloud_format *find_format(const cJSON *root, const cJSON **first)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        bool single;
        const cJSON *all = elements_of(root, formats[i], &single);
        const cJSON *one = single ? all : all ? all->child : NULL;
        bool is_list = formats[i]->list && cJSON_IsArray(all);
        if (is_list || (!formats[i]->list && cJSON_IsObject(one) && formats[i]->fits(one))) {
            *first = one;
            return formats[i];
        }
    }
    return NULL;
}

static int not_one(const char *origin, struct error *err)
{
    int rc = error_set(err, ERR_INPUT, "%s is none of the documents that are known here", origin);
    error_hint(
        err, "Known is the JSON of: aws ec2 describe-volumes, aws ec2 describe-instance-types, az "
             "disk show, az disk list, az vm list-skus, gcloud compute machine-types list, gcloud "
             "compute disk-types list (with --format json).");
    return rc;
}

static cJSON *finish(const struct cloud_doc *doc, const struct cloud_format *f,
                     const struct cloud_text *from)
{
    cJSON *root = json_add_object(NULL, NULL);
    json_add_text(root, "cloud", f->cloud);
    cJSON *source = json_add_object(json_add_object(root, "sources"), CLOUD_SOURCE);
    const char *name = strrchr(from->origin, '/');
    char *where = xasprintf("%s (%.200s)", f->what, name ? name + 1 : from->origin);
    json_add_text(source, "where", where);
    json_add_text(source, "checked", from->date);
    cJSON_AddItemToObject(root, "disks", doc->disks);
    cJSON_AddItemToObject(root, "vms", doc->vms);
    free(where);
    return root;
}

int cloud_convert(cJSON **out, const struct cloud_format **format, size_t *known,
                  const struct limit_catalogue *c, const struct cloud_text *from, struct error *err)
{
    if (strlen(from->text) != from->n || !json_is_valid(from->text))
        return error_set(err, ERR_INPUT, "%s is not one JSON value (RFC 8259, in UTF-8)",
                         from->origin);
    cJSON *root = cJSON_Parse(from->text);
    const cJSON *element = NULL;
    const struct cloud_format *f = root ? find_format(root, &element) : NULL;
    if (!f) {
        cJSON_Delete(root);
        return not_one(from->origin, err);
    }
    struct cloud_doc doc = {.catalogue = c};
    doc.disks = json_add_array(NULL, NULL);
    doc.vms = json_add_array(NULL, NULL);
    for (size_t n = 1; element; element = element->next, n++) {
        if (cJSON_IsObject(element) && f->fits(element))
            f->add(&doc, element);
        if (n % 1000 == 0 &&
            cJSON_GetArraySize(doc.vms) + cJSON_GetArraySize(doc.disks) > MAX_ENTRIES)
            break; /* adding it says that it is too many */
    }
    *out = finish(&doc, f, from);
    *format = f;
    *known = doc.known;
    cJSON_Delete(root);
    return 0;
}

/* ---- files ---- */

int limit_read_file(struct strbuf *out, const char *path, size_t max, struct error *err)
{
    FILE *f = fopen(path, "re");
    if (!f)
        return error_errno(err, ERR_INPUT, errno, "limits file %s", path);
    size_t n = 1;
    while (n > 0 && out->len <= max) {
        char *to = strbuf_reserve(out, 65536);
        n = fread(to, 1, 65536, f);
        strbuf_advance(out, n);
    }
    int rc = 0;
    if (ferror(f))
        rc = error_errno(err, ERR_INPUT, errno, "limits file %s", path);
    else if (out->len > max)
        rc = error_set(err, ERR_INPUT, "limits file %s is larger than %zu MiB", path, max >> 20);
    fclose(f);
    return rc;
}

char *limit_file_date(char buf[DATE_MAX], const char *path)
{
    struct stat st;
    struct tm tm;
    buf[0] = '\0';
    if (stat(path, &st) == 0 && gmtime_r(&st.st_mtime, &tm))
        strftime(buf, DATE_MAX, "%Y-%m-%d", &tm);
    return buf;
}

int limit_catalogue_add_cloud(struct limit_catalogue *c, const char *path, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    char date[DATE_MAX];
    cJSON *doc = NULL;
    const struct cloud_format *format;
    size_t known;
    int rc = limit_read_file(&text, path, CLOUD_MAX_FILE, err);
    const struct cloud_text from = {text.text, text.len, path, limit_file_date(date, path)};
    if (rc == 0)
        rc = cloud_convert(&doc, &format, &known, c, &from, err);
    strbuf_release(&text);
    if (rc < 0)
        return rc;
    char *entries = json_print(doc, false);
    rc = limit_catalogue_add(c, entries, strlen(entries), path, err);
    free(entries);
    cJSON_Delete(doc);
    return rc;
}
