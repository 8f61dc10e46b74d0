#include <inttypes.h>

#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "runner/host/host_internal.h"

static void set_text(struct host_info *out, size_t field, char *text)
{
    if (text && *text)
        field_set_text(&host_fields, out, field, text);
    free(text);
}

/* How many there are in a list like "0-3,8,10-11". False for anything else. */
static bool count_list(const char *text, uint64_t *n)
{
    *n = 0;
    while (*text) {
        uint64_t first, last;
        int used = 0;
        if (sscanf(text, "%" SCNu64 "%n", &first, &used) != 1)
            return false;
        text += used;
        last = first;
        if (*text == '-') {
            if (sscanf(text + 1, "%" SCNu64 "%n", &last, &used) != 1 || last < first)
                return false;
            text += used + 1;
        }
        *n += last - first + 1;
        if (*text == ',')
            text++;
        else if (*text)
            return false;
    }
    return *n > 0;
}

/* ARM CPUs give numbers. Names of the server cores: Arm Ltd., MIDR_EL1 part numbers. */
static char *arm_model(const char *cpuinfo)
{
    static const struct {
        const char *part;
        const char *name;
    } core[] = {
        {"0xd08", "Cortex-A72"},  {"0xd0c", "Neoverse-N1"}, {"0xd40", "Neoverse-V1"},
        {"0xd49", "Neoverse-N2"}, {"0xd4f", "Neoverse-V2"}, {"0xd84", "Neoverse-V3"},
    };
    char *maker = line_value(cpuinfo, "CPU implementer"), *part = line_value(cpuinfo, "CPU part");
    char *model = NULL;
    for (size_t i = 0; maker && part && i < sizeof core / sizeof core[0]; i++) {
        if (strcmp(maker, "0x41") == 0 && strcmp(part, core[i].part) == 0)
            model = xasprintf("Arm %s", core[i].name);
    }
    if (!model && maker && part)
        model = xasprintf("implementer %s part %s", maker, part);
    free(maker);
    free(part);
    return model;
}

static void read_model(struct host_info *out, const struct sysroot *sr)
{
    char *cpuinfo = sysroot_read(sr, "/proc/cpuinfo");
    char *model = line_value(cpuinfo, "model name");
    set_text(out, HOST_cpu_model, model ? model : arm_model(cpuinfo));
    free(cpuinfo);
}

static void read_counts(struct host_info *out, const struct sysroot *sr)
{
    uint64_t v;
    char *online = sysroot_read(sr, "/sys/devices/system/cpu/online");
    char *nodes = sysroot_read(sr, "/sys/devices/system/node/online");
    char *status = sysroot_read(sr, "/proc/self/status");
    if (online && count_list(online, &v))
        SET(out, HOST, cpus_online, v);
    if (nodes && count_list(nodes, &v))
        SET(out, HOST, numa_nodes, v);
    set_text(out, HOST_cpus_allowed, line_value(status, "Cpus_allowed_list"));
    free(online);
    free(nodes);
    free(status);
}

/* Each governor in use once: "performance", or "performance, powersave" where cores differ. */
static void read_governor(struct host_info *out, const struct sysroot *sr)
{
    struct strbuf all = STRBUF_INIT;
    size_t n;
    char **policy = sysroot_list(sr, &n, "/sys/devices/system/cpu/cpufreq");
    for (size_t i = 0; i < n; i++) {
        char *name =
            sysroot_read(sr, "/sys/devices/system/cpu/cpufreq/%s/scaling_governor", policy[i]);
        if (name && !strstr(all.text, name))
            strbuf_addf(&all, "%s%s", all.len ? ", " : "", name);
        free(name);
    }
    sysroot_list_free(policy, n);
    if (all.len)
        field_set_text(&host_fields, out, HOST_governor, all.text);
    strbuf_release(&all);
}

static void read_frequency(struct host_info *out, const struct sysroot *sr)
{
    uint64_t v;
    if (sysroot_read_u64(sr, &v, "/sys/devices/system/cpu/smt/active"))
        SET(out, HOST, smt, v != 0);
    if (sysroot_read_u64(sr, &v, "/sys/devices/system/cpu/intel_pstate/no_turbo"))
        SET(out, HOST, turbo, v == 0);
    else if (sysroot_read_u64(sr, &v, "/sys/devices/system/cpu/cpufreq/boost"))
        SET(out, HOST, turbo, v != 0);
}

static void read_mitigations(struct host_info *out, const struct sysroot *sr)
{
    size_t n;
    char **name = sysroot_list(sr, &n, "/sys/devices/system/cpu/vulnerabilities");
    cJSON *object = cJSON_CreateObject();
    for (size_t i = 0; i < n; i++) {
        char *text = sysroot_read(sr, "/sys/devices/system/cpu/vulnerabilities/%s", name[i]);
        json_add_text(object, name[i], text);
        free(text);
    }
    if (n > 0)
        set_text(out, HOST_mitigations, json_print(object, false));
    cJSON_Delete(object);
    sysroot_list_free(name, n);
}

void host_describe_cpu(struct host_info *out, const struct sysroot *sr)
{
    read_model(out, sr);
    read_counts(out, sr);
    read_governor(out, sr);
    read_frequency(out, sr);
    read_mitigations(out, sr);
}
