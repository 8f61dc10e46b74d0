/* Parts of host.h, a file each. */
#ifndef RUNNER_HOST_HOST_INTERNAL_H
#define RUNNER_HOST_HOST_INTERNAL_H

#include "core/base/sysroot.h"
#include "core/model/host_info.h"
#include "core/model/limit.h"

/* The CPU: model, number, SMT, turbo, governor, mitigations, NUMA. */
void host_describe_cpu(struct host_info *out, const struct sysroot *sr);
/* Hypervisor, from DMI, ACPI, CPUID and the CPU flags; needs dmi_* of *out. */
void host_describe_virt(struct host_info *out, const struct sysroot *sr);

/* One line of a throttle file. */
struct throttle {
    char *device; /* "8:16" */
    enum limit_kind kind;
    enum limit_side side;
    uint64_t value;
    char *file; /* where it stands */
};

struct throttles {
    struct throttle *item;
    size_t n;
    size_t room;
};

/* Every throttle that holds for this process. */
void throttles_collect(struct throttles *out, const struct sysroot *sr);
void throttles_release(struct throttles *t);

/* Value of the line "KEY: value" or "KEY=value" of a text, NULL when there is none. free(). */
char *line_value(const char *text, const char *key);

#endif
