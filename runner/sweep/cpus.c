#include "runner/sweep/cpus.h"

#include <sched.h>

#include "core/base/json.h"
#include "core/base/units.h"
#include "core/base/xalloc.h"

#define OPTION "cpus_allowed"
#define POLICY "cpus_allowed_policy"

static int add_cpus(unsigned **out, unsigned *n, char *part, const cpu_set_t *usable,
                    struct error *err)
{
    char *dash = strchr(part, '-');
    uint64_t first, last;
    if (dash)
        *dash = '\0';
    if (parse_u64(part, 0, CPU_SETSIZE - 1, &first, NULL) < 0 ||
        parse_u64(dash ? dash + 1 : part, first, CPU_SETSIZE - 1, &last, NULL) < 0)
        return error_set(err, ERR_USAGE, "\"%s\" is no CPU and no range of CPUs; write 0-3,6",
                         part);
    for (uint64_t cpu = first; cpu <= last; cpu++) {
        if (!CPU_ISSET(cpu, usable))
            return error_set(err, ERR_USAGE,
                             "CPU %llu does not exist here, or this process may not use it",
                             (unsigned long long)cpu);
        *out = xrealloc(*out, *n + 1, sizeof **out);
        (*out)[(*n)++] = (unsigned)cpu;
    }
    return 0;
}

int cpus_parse(unsigned **out, unsigned *n, const char *text, struct error *err)
{
    cpu_set_t usable;
    CPU_ZERO(&usable);
    sched_getaffinity(0, sizeof usable, &usable);
    char *scratch = xstrdup(text), *rest = scratch, *part;
    unsigned *cpu = NULL, count = 0;
    int rc = 0;
    while (rc == 0 && (part = strsep(&rest, ",")) != NULL)
        rc = add_cpus(&cpu, &count, part, &usable, err);
    free(scratch);
    if (rc < 0) {
        free(cpu);
        return rc;
    }
    *out = cpu;
    *n = count;
    return 0;
}

void cpus_to_key(struct cell_key *key, const char *text)
{
    cJSON *o = cJSON_CreateObject();
    json_add_text(o, OPTION, text);
    char *json = json_print(o, false);
    field_set_text(&cell_key_fields, key, CELL_KEY_options, json);
    free(json);
    cJSON_Delete(o);
}

int cpus_from_key(unsigned **out, unsigned *n, bool *shared, const struct cell_key *key,
                  struct error *err)
{
    *out = NULL;
    *n = 0;
    cJSON *o = key->options ? cJSON_Parse(key->options) : NULL;
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(o, OPTION);
    const cJSON *policy = cJSON_GetObjectItemCaseSensitive(o, POLICY);
    *shared = cJSON_IsString(policy) && strcmp(policy->valuestring, "shared") == 0;
    int rc = cJSON_IsString(list) ? cpus_parse(out, n, list->valuestring, err) : 0;
    cJSON_Delete(o);
    return rc;
}
