#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "core/base/strbuf.h"
#include "core/base/xalloc.h"
#include "runner/host/host_internal.h"

struct sign {
    const char *text;
    const char *virt;
};

/*
 * What firmware says about itself. "Amazon EC2" is Nitro (KVM) unless the size is one of the bare
 * metal ones, which is looked at first.
 */
static const struct sign dmi_sign[] = {
    {".metal", "none"},
    {"Amazon EC2", "kvm"},
    {"Google Compute Engine", "kvm"},
    {"Microsoft Corporation Virtual Machine", "hyperv"},
    {"VMware", "vmware"},
    {"VirtualBox", "virtualbox"},
    {"Xen", "xen"},
    {"QEMU", "kvm"},
    {"KVM", "kvm"},
    {"OpenStack", "kvm"},
    {"Parallels", "parallels"},
    {"BHYVE", "bhyve"},
    {"Bochs", "bochs"},
};

/* Vendor of CPUID leaf 40000000h. */
static const struct sign cpuid_sign[] = {
    {"KVMKVMKVM", "kvm"},     {"Microsoft Hv", "hyperv"}, {"VMwareVMware", "vmware"},
    {"XenVMMXenVMM", "xen"},  {"TCGTCGTCGTCG", "qemu"},   {"bhyve bhyve ", "bhyve"},
    {"ACRNACRNACRN", "acrn"},
};

static const char *match(const struct sign *sign, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++) {
        if (strstr(text, sign[i].text))
            return sign[i].virt;
    }
    return NULL;
}

static const char *from_dmi(const struct host_info *h)
{
    struct strbuf all = STRBUF_INIT;
    strbuf_addf(&all, "%s %s %s", h->dmi_vendor ? h->dmi_vendor : "",
                h->dmi_product ? h->dmi_product : "", h->dmi_bios ? h->dmi_bios : "");
    const char *virt = match(dmi_sign, sizeof dmi_sign / sizeof dmi_sign[0], all.text);
    strbuf_release(&all);
    return virt;
}

/* Firecracker has no DMI; its ACPI tables carry its name as OEM id, at byte 10. */
static bool is_firecracker(const struct sysroot *sr)
{
    char *facp = sysroot_read(sr, "/sys/firmware/acpi/tables/FACP");
    bool found = facp && strlen(facp) > 16 && strncmp(facp + 10, "FIRECK", 6) == 0;
    free(facp);
    return found;
}

#if defined(__x86_64__) || defined(__i386__)
static const char *from_cpuid(void)
{
    unsigned a, vendor[4] = {0};
    char text[sizeof vendor] = {0};
    __cpuid(0x40000000u, a, vendor[0], vendor[1], vendor[2]);
    memcpy(text, vendor, 12);
    return match(cpuid_sign, sizeof cpuid_sign / sizeof cpuid_sign[0], text);
}
#else
static const char *from_cpuid(void)
{
    (void)cpuid_sign;
    return NULL;
}
#endif

void host_describe_virt(struct host_info *out, const struct sysroot *sr)
{
    char *xen = sysroot_read(sr, "/sys/hypervisor/type");
    char *cpuinfo = sysroot_read(sr, "/proc/cpuinfo");
    char *flags = line_value(cpuinfo, "flags"); /* x86 only */
    bool guest = flags && strstr(flags, " hypervisor");
    const char *virt = xen && *xen ? "xen" : is_firecracker(sr) ? "firecracker" : from_dmi(out);
    if (!virt && guest && sr->root[0] == '\0')
        virt = from_cpuid();
    if (!virt && guest)
        virt = "unknown hypervisor";
    if (!virt && flags)
        virt = "none";
    if (virt)
        field_set_text(&host_fields, out, HOST_virt, virt);
    free(xen);
    free(cpuinfo);
    free(flags);
}
