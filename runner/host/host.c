#include "runner/host/host.h"

#include <inttypes.h>
#include <linux/ioprio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/units.h"
#include "core/base/xalloc.h"
#include "runner/host/host_internal.h"

char *line_value(const char *text, const char *key)
{
    size_t len = strlen(key);
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, len) != 0)
            continue;
        const char *p = line + len;
        p += strspn(p, " \t");
        if (*p != ':' && *p != '=')
            continue;
        p++;
        p += strspn(p, " \t\"");
        size_t n = strcspn(p, "\n");
        while (n > 0 && strchr(" \t\"", p[n - 1]))
            n--;
        return xstrndup(p, n);
    }
    return NULL;
}

static void set_text(struct host_info *out, size_t field, char *text)
{
    if (text && *text)
        field_set_text(&host_fields, out, field, text);
    free(text);
}

static void read_files(struct host_info *out, const struct sysroot *sr)
{
    static const struct {
        size_t field;
        const char *file;
    } source[] = {
        {HOST_hostname, "/proc/sys/kernel/hostname"},
        {HOST_kernel, "/proc/sys/kernel/osrelease"},
        {HOST_kernel_version, "/proc/sys/kernel/version"},
        {HOST_cmdline, "/proc/cmdline"},
        {HOST_clocksource, "/sys/devices/system/clocksource/clocksource0/current_clocksource"},
        {HOST_dmi_vendor, "/sys/class/dmi/id/sys_vendor"},
        {HOST_dmi_product, "/sys/class/dmi/id/product_name"},
    };
    for (size_t i = 0; i < sizeof source / sizeof source[0]; i++)
        set_text(out, source[i].field, sysroot_read(sr, "%s", source[i].file));
    uint64_t v;
    if (sysroot_read_u64(sr, &v, "/proc/sys/fs/aio-max-nr"))
        SET(out, HOST, aio_max_nr, v);
    if (sysroot_read_u64(sr, &v, "/proc/sys/kernel/io_uring_disabled"))
        SET(out, HOST, io_uring_off, v);
}

static void read_parts(struct host_info *out, const struct sysroot *sr)
{
    char *os = sysroot_read(sr, "/etc/os-release");
    set_text(out, HOST_os, line_value(os, "PRETTY_NAME"));
    free(os);

    char *vendor = sysroot_read(sr, "/sys/class/dmi/id/bios_vendor");
    char *version = sysroot_read(sr, "/sys/class/dmi/id/bios_version");
    if (vendor && version)
        set_text(out, HOST_dmi_bios, xasprintf("%s %s", vendor, version));
    else
        set_text(out, HOST_dmi_bios, xstrdup_null(vendor));
    free(vendor);
    free(version);

    char *memory = sysroot_read(sr, "/proc/meminfo");
    char *total = line_value(memory, "MemTotal"); /* "24685064 kB" */
    uint64_t kib;
    if (total && sscanf(total, "%" SCNu64 " kB", &kib) == 1)
        SET(out, HOST, memory, kib * 1024);
    free(memory);
    free(total);
}

/* The group of the unified hierarchy when that does I/O, else that of blkio. */
static void read_cgroup(struct host_info *out, const struct sysroot *sr)
{
    char *text = sysroot_read(sr, "/proc/self/cgroup");
    const char *blkio = text ? strstr(text, ":blkio:") : NULL;
    const char *unified = text ? strstr(text, "0::") : NULL;
    const char *path = blkio ? blkio + 7 : unified ? unified + 3 : NULL;
    if (path)
        set_text(out, HOST_cgroup, xstrndup(path, strcspn(path, "\n")));
    free(text);
}

static void read_io_limits(struct host_info *out, const struct sysroot *sr)
{
    struct throttles t = {0};
    throttles_collect(&t, sr);
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < t.n; i++) {
        cJSON *o = json_add_object(array, NULL);
        json_add_text(o, "device", t.item[i].device);
        json_add_text(o, "kind", cap_names[t.item[i].kind]);
        json_add_text(o, "side", side_names[t.item[i].side]);
        json_add_u64(o, "value", t.item[i].value);
        json_add_text(o, "file", t.item[i].file);
    }
    if (t.n > 0)
        set_text(out, HOST_io_limits, json_print(array, false));
    cJSON_Delete(array);
    throttles_release(&t);
}

static void ask_limit(struct host_info *out, int resource, size_t field)
{
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        field_set_u64(&host_fields, out, field, limit.rlim_cur);
}

static void ask_kernel(struct host_info *out)
{
    static const char *const class_name[] = {"none", "realtime", "best-effort", "idle"};
    struct utsname name;
    if (uname(&name) == 0)
        field_set_text(&host_fields, out, HOST_machine, name.machine);
    SET(out, HOST, clock_read_ns, clock_read_cost_ns());
    ask_limit(out, RLIMIT_MEMLOCK, HOST_memlock_limit);
    ask_limit(out, RLIMIT_NOFILE, HOST_nofile_limit);
    long priority = syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0);
    unsigned long class = priority < 0 ? 4 : (unsigned long)priority >> IOPRIO_CLASS_SHIFT;
    if (class == IOPRIO_CLASS_RT || class == IOPRIO_CLASS_BE)
        set_text(out, HOST_ionice, xasprintf("%s %ld", class_name[class], priority & 7));
    else if (class < 4)
        field_set_text(&host_fields, out, HOST_ionice, class_name[class]);
}

void host_describe(struct host_info *out, const struct sysroot *sr)
{
    read_files(out, sr);
    read_parts(out, sr);
    read_cgroup(out, sr);
    read_io_limits(out, sr);
    host_describe_cpu(out, sr);
    host_describe_virt(out, sr);
    if (sr->root[0] == '\0')
        ask_kernel(out);
}
