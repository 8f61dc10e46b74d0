#include "core/model/run.h"

#include <uuid/uuid.h>

#include "core/base/xalloc.h"

struct run *run_create(void)
{
    return xcalloc(1, sizeof(struct run));
}

void run_destroy(struct run *r)
{
    if (!r)
        return;
    fields_release(&run_fields, r);
    fields_release(&host_fields, &r->host);
    for (size_t i = 0; i < r->n_labels; i++) {
        free(r->label[i].key);
        free(r->label[i].value);
    }
    for (size_t i = 0; i < r->n_devices; i++)
        fields_release(&device_fields, &r->device[i]);
    for (size_t i = 0; i < r->n_limits; i++)
        fields_release(&limit_fields, &r->limit[i]);
    free(r->label);
    free(r->device);
    free(r->limit);
    free(r);
}

int label_check(const char *key, const char *value, struct error *err)
{
    if (!*key || strpbrk(key, "=,"))
        return error_set(
            err, ERR_USAGE,
            "\"%.64s\" cannot be the key of a label\nA key is not empty and has neither "
            "\"=\" nor \",\": --label release=6.9.",
            key);
    if (value && strlen(key) > LABEL_KEY_MAX)
        return error_set(err, ERR_USAGE,
                         "the key of a label has %zu bytes: \"%.64s...\"\nAt most %d: --label "
                         "release=6.9.",
                         strlen(key), key, LABEL_KEY_MAX);
    if (value && strlen(value) > LABEL_VALUE_MAX)
        return error_set(
            err, ERR_USAGE,
            "the value of the label \"%s\" has %zu bytes\nAt most %d: labels tell runs "
            "apart; longer remarks belong beside the results.",
            key, strlen(value), LABEL_VALUE_MAX);
    return 0;
}

static struct label *find_label(const struct run *r, const char *key)
{
    for (size_t i = 0; i < r->n_labels; i++)
        if (strcmp(r->label[i].key, key) == 0)
            return &r->label[i];
    return NULL;
}

void run_set_label(struct run *r, const char *key, const char *value)
{
    struct label *l = find_label(r, key);
    char *copy = xstrdup(value);
    if (l) {
        free(l->value);
        l->value = copy;
        return;
    }
    r->label = xrealloc(r->label, r->n_labels + 1, sizeof *r->label);
    r->label[r->n_labels++] = (struct label){.key = xstrdup(key), .value = copy};
}

const char *run_label(const struct run *r, const char *key)
{
    const struct label *l = find_label(r, key);
    return l ? l->value : NULL;
}

struct device_info *run_add_device(struct run *r)
{
    r->device = xrealloc(r->device, r->n_devices + 1, sizeof *r->device);
    r->device[r->n_devices] = (struct device_info){0};
    return &r->device[r->n_devices++];
}

struct limit *run_add_limit(struct run *r)
{
    r->limit = xrealloc(r->limit, r->n_limits + 1, sizeof *r->limit);
    r->limit[r->n_limits] = (struct limit){0};
    return &r->limit[r->n_limits++];
}

char *uuid_random(char buf[UUID_TEXT_MAX])
{
    uuid_t id;
    uuid_generate_random(id);
    uuid_unparse_lower(id, buf);
    return buf;
}

char *uuid_from_text(char buf[UUID_TEXT_MAX], const char *text)
{
    /* our own namespace, made once at random: names in it are texts that identify a run */
    static const uuid_t namespace = {0x8f, 0x1d, 0x0c, 0x6e, 0x5b, 0x0a, 0x4d, 0x27,
                                     0x9a, 0x57, 0x2e, 0x6b, 0x31, 0xc4, 0x70, 0xd2};
    uuid_t id;
    uuid_generate_sha1(id, namespace, text, strlen(text));
    uuid_unparse_lower(id, buf);
    return buf;
}
