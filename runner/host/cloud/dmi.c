/* What the firmware says of the machine, and the disks a device stands on. */
#include <sys/types.h>

#include "core/base/xalloc.h"
#include "runner/host/cloud/cloud_internal.h"

#define DMI "/sys/class/dmi/id/"

const char *const dmi_files[] = {
    DMI "sys_vendor",     DMI "product_name",     DMI "board_vendor",
    DMI "bios_vendor",    DMI "bios_version",     DMI "chassis_asset_tag",
    DMI "product_serial", "/sys/hypervisor/uuid", NULL,
};

void dmi_read(struct dmi *out, const struct sysroot *sr)
{
    char **to[] = {&out->sys_vendor,     &out->product_name,   &out->board_vendor,
                   &out->bios_vendor,    &out->bios_version,   &out->chassis_asset_tag,
                   &out->product_serial, &out->hypervisor_uuid};
    for (size_t i = 0; dmi_files[i]; i++)
        *to[i] = sysroot_read(sr, "%s", dmi_files[i]);
}

void dmi_release(struct dmi *d)
{
    free(d->sys_vendor);
    free(d->product_name);
    free(d->board_vendor);
    free(d->bios_vendor);
    free(d->bios_version);
    free(d->chassis_asset_tag);
    free(d->product_serial);
    free(d->hypervisor_uuid);
    *d = (struct dmi){0};
}

/* ---- devices ---- */

char *cloud_disk_text(const struct sysroot *sr, const char *disk, const char *file)
{
    char *text = sysroot_read(sr, "/sys/class/block/%s/%s", disk, file);
    if (!text)
        return NULL;
    size_t blanks = strspn(text, " \t\n"), n = strlen(text + blanks);
    while (n > 0 && strchr(" \t\n", text[blanks + n - 1]))
        n--;
    memmove(text, text + blanks, n);
    text[n] = '\0';
    return text;
}

bool cloud_link_leads_to(const struct sysroot *sr, const char *link, const char *disk)
{
    char *target = sysroot_readlink(sr, "%s", link);
    const char *slash = target ? strrchr(target, '/') : NULL;
    bool same = target && strcmp(slash ? slash + 1 : target, disk) == 0;
    free(target);
    return same;
}

/* "sda" of "sda1": the link of a partition lies in the folder of its disk. */
static char *whole_disk(const struct sysroot *sr, const char *name)
{
    if (!sysroot_exists(sr, "/sys/class/block/%s/partition", name))
        return xstrdup(name);
    char *target = sysroot_readlink(sr, "/sys/class/block/%s", name);
    char *slash = target ? strrchr(target, '/') : NULL;
    char *above = NULL;
    if (slash) {
        *slash = '\0';
        slash = strrchr(target, '/');
        above = slash ? xstrdup(slash + 1) : NULL;
    }
    free(target);
    return above;
}

struct name_list {
    char **item;
    size_t n, room;
};

/* Real disks have a device behind them; what only stands on others has not. */
static void add_disk(struct name_list *list, const struct sysroot *sr, const char *name)
{
    char *disk = whole_disk(sr, name);
    bool take = disk && sysroot_exists(sr, "/sys/class/block/%s/device", disk);
    for (size_t i = 0; take && i < list->n; i++)
        take = strcmp(list->item[i], disk) != 0;
    if (!take) {
        free(disk);
        return;
    }
    GROW(list->item, list->n + 1, list->room);
    list->item[list->n++] = disk;
}

char **cloud_disks_below(size_t *n, const struct sysroot *sr, const struct device_info *info)
{
    struct name_list list = {0};
    static const char dev[] = "/dev/";
    if (info->resolved && strncmp(info->resolved, dev, sizeof dev - 1) == 0)
        add_disk(&list, sr, info->resolved + sizeof dev - 1);
    cJSON *below = info->below ? cJSON_Parse(info->below) : NULL;
    for (const cJSON *m = below ? below->child : NULL; m; m = m->next)
        if (cJSON_IsString(m) && !strchr(m->valuestring, '/'))
            add_disk(&list, sr, m->valuestring);
    cJSON_Delete(below);
    *n = list.n;
    return list.item;
}
