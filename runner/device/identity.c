#include <linux/nvme_ioctl.h>
#include <sys/ioctl.h>

#include "core/base/strbuf.h"
#include "core/base/xalloc.h"
#include "runner/device/block_internal.h"
#include "runner/device/describe_internal.h"

/* Where each field may be found under /sys/class/block/DISK; the first file that has text wins. */
static const struct {
    size_t field;
    const char *file;
} source[] = {
    {DEVICE_model, "device/model"},    {DEVICE_model, "device/name"}, /* mmc */
    {DEVICE_vendor, "device/vendor"},  {DEVICE_serial, "serial"},     /* virtio */
    {DEVICE_serial, "device/serial"},  {DEVICE_wwid, "wwid"},         /* nvme */
    {DEVICE_wwid, "device/wwid"},      {DEVICE_wwid, "dm/uuid"},
    {DEVICE_wwid, "md/uuid"},          {DEVICE_firmware, "device/firmware_rev"}, /* nvme */
    {DEVICE_firmware, "device/rev"},                                             /* scsi */
    {DEVICE_firmware, "device/fwrev"},                                           /* mmc */
};

/* Fields of fixed width are padded with blanks on either side. */
static char *trimmed(char *text)
{
    text += strspn(text, " \t\n");
    size_t len = strlen(text);
    while (len > 0 && strchr(" \t\n", text[len - 1]))
        text[--len] = '\0';
    return text;
}

/* SCSI keeps the unit serial number in VPD page 80h, behind a header of four bytes. */
static void read_scsi_serial(struct device_info *info, const struct sysroot *sr, const char *disk)
{
    char *page = sysroot_read(sr, "/sys/class/block/%s/device/vpd_pg80", disk);
    if (page && strlen(page) > 4) {
        char *serial = trimmed(page + 4);
        if (*serial)
            field_set_text(&device_fields, info, DEVICE_serial, serial);
    }
    free(page);
}

/* The bus, read off the way the kernel reached the device: the most specific part first. */
static const char *transport_of(const char *path)
{
    static const struct {
        const char *part;
        const char *name;
    } bus[] = {
        {"/usb", "usb"},         {"/session", "iscsi"},  {"/rport-", "fc"},
        {"/end_device-", "sas"}, {"/ata", "sata"},       {"/mmc_host/", "mmc"},
        {"/nvme", "nvme"},       {"/vbd-", "xen"},       {"/VMBUS:", "vmbus"},
        {"/vmbus", "vmbus"},     {"/target", "scsi"},    {"/virtio", "virtio"},
        {"/block/loop", "loop"}, {"/block/zram", "ram"}, {"/block/ram", "ram"},
        {"/block/dm-", "dm"},    {"/block/md", "md"},    {"/block/nbd", "nbd"},
        {"/block/rbd", "rbd"},
    };
    for (size_t i = 0; i < sizeof bus / sizeof bus[0]; i++) {
        if (strstr(path, bus[i].part))
            return bus[i].name;
    }
    return NULL;
}

static void read_transport(struct device_info *info, const struct sysroot *sr, const char *disk)
{
    char *path = block_sysfs_path(sr, disk);
    const char *name = transport_of(path);
    /* NVMe over fabrics says so at the controller: tcp, rdma, fc, loop */
    char *fabric = sysroot_read(sr, "/sys/class/block/%s/device/transport", disk);
    if (name && strcmp(name, "nvme") == 0 && fabric && strcmp(fabric, "pcie") != 0) {
        char *text = xasprintf("nvme-%s", fabric);
        field_set_text(&device_fields, info, DEVICE_transport, text);
        free(text);
    } else if (name && strcmp(name, "scsi") == 0 && strstr(path, "/virtio")) {
        field_set_text(&device_fields, info, DEVICE_transport, "virtio-scsi");
    } else if (name) {
        field_set_text(&device_fields, info, DEVICE_transport, name);
    }
    free(fabric);
    free(path);
}

/* hwmon of the drive, in thousandths of a degree: device/hwmon3/ or device/hwmon/hwmon3/. */
static void read_temperature(struct device_info *info, const struct sysroot *sr, const char *disk)
{
    static const char *const folder[] = {"device", "device/hwmon"};
    for (size_t f = 0; f < 2; f++) {
        size_t n;
        char **entry = sysroot_list(sr, &n, "/sys/class/block/%s/%s", disk, folder[f]);
        for (size_t i = 0; i < n; i++) {
            uint64_t milli;
            if (strncmp(entry[i], "hwmon", 5) == 0 && !IS_KNOWN(info, DEVICE, temperature) &&
                sysroot_read_u64(sr, &milli, "/sys/class/block/%s/%s/%s/temp1_input", disk,
                                 folder[f], entry[i]))
                SET(info, DEVICE, temperature, (double)milli / 1000);
        }
        sysroot_list_free(entry, n);
    }
}

/* An EBS volume is an NVMe disk of that model whose serial is the volume id without its hyphen. */
static void read_ebs_volume(struct device_info *info)
{
    if (!info->model || !info->serial || strcmp(info->model, "Amazon Elastic Block Store") != 0 ||
        strncmp(info->serial, "vol", 3) != 0)
        return;
    const char *id = info->serial + 3;
    char *text = xasprintf("vol-%s", *id == '-' ? id + 1 : id);
    field_set_text(&device_fields, info, DEVICE_cloud_volume_id, text);
    free(text);
}

void describe_identity(struct device_info *info, const struct sysroot *sr, const char *disk)
{
    for (size_t i = 0; i < sizeof source / sizeof source[0]; i++) {
        if (field_is_known(&device_fields, info, source[i].field))
            continue;
        char *text = sysroot_read(sr, "/sys/class/block/%s/%s", disk, source[i].file);
        char *clean = text ? trimmed(text) : NULL;
        /* PCI and virtio have a number there, not a name */
        if (clean && *clean && strncmp(clean, "0x", 2) != 0)
            field_set_text(&device_fields, info, source[i].field, clean);
        free(text);
    }
    if (!info->serial)
        read_scsi_serial(info, sr, disk);
    read_transport(info, sr, disk);
    read_temperature(info, sr, disk);
    read_ebs_volume(info);
}

void parse_nvme_smart(struct device_info *info, const unsigned char log[512])
{
    SET(info, DEVICE, percent_used, log[5]);
}

void describe_nvme_wear(struct device_info *info, int fd)
{
    enum { GET_LOG_PAGE = 0x02, SMART_LOG = 0x02 };
    unsigned char log[512] = {0};
    struct nvme_admin_cmd command = {
        .opcode = GET_LOG_PAGE,
        .nsid = 0xffffffff, /* of the whole controller */
        .addr = (uintptr_t)log,
        .data_len = sizeof log,
        .cdw10 = SMART_LOG | (sizeof log / 4 - 1) << 16,
    };
    if (ioctl(fd, NVME_IOCTL_ADMIN_CMD, &command) == 0)
        parse_nvme_smart(info, log);
}
