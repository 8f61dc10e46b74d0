/* A folder with what detection reads of a machine, to be looked at elsewhere. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xalloc.h"
#include "runner/host/cloud/cloud_internal.h"

struct copy {
    const char *folder;
    const struct sysroot *sr;
    struct error *err;
    int rc; /* once it is not 0 nothing more is written */
};

static void fail(struct copy *c, const char *path)
{
    if (c->rc == 0)
        c->rc = error_errno(c->err, ERR_USAGE, errno, "recording: %s", path);
}

/* Every folder above the last part of path. */
static void make_folders(struct copy *c, char *path)
{
    for (char *p = strchr(path + 1, '/'); p && c->rc == 0; p = strchr(p + 1, '/')) {
        *p = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            fail(c, path);
        *p = '/';
    }
}

static void write_text(struct copy *c, const char *path, const char *text)
{
    char *to = xasprintf("%s/%s", c->folder, path);
    make_folders(c, to);
    FILE *f = c->rc == 0 ? fopen(to, "wxe") : NULL;
    if (f) {
        bool good = fprintf(f, "%s\n", text) >= 0;
        good = fclose(f) == 0 && good;
        if (!good)
            fail(c, to);
    } else if (c->rc == 0 && errno != EEXIST) {
        fail(c, to);
    }
    free(to);
}

static void copy_file(struct copy *c, const char *path)
{
    char *text = sysroot_read(c->sr, "%s", path);
    if (text) {
        char *to = xasprintf("sysroot%s", path);
        write_text(c, to, text);
        free(to);
    }
    free(text);
}

static void copy_link(struct copy *c, const char *path)
{
    char *target = sysroot_readlink(c->sr, "%s", path);
    if (!target)
        return;
    char *to = xasprintf("%s/sysroot%s", c->folder, path);
    make_folders(c, to);
    if (c->rc == 0 && symlink(target, to) != 0 && errno != EEXIST)
        fail(c, to);
    free(to);
    free(target);
}

/* The folder behind a link, as a path below the root; NULL when there is none. free(). */
static char *real_folder(const struct copy *c, const char *path)
{
    char *full = xasprintf("%s%s", c->sr->root, path);
    char *real = realpath(full, NULL);
    free(full);
    size_t n = strlen(c->sr->root);
    char *below = real && strncmp(real, c->sr->root, n) == 0 ? xstrdup(real + n) : NULL;
    free(real);
    return below;
}

static void copy_attributes(struct copy *c, const char *folder, const char *const *name)
{
    for (; folder && *name; name++) {
        char *path = xasprintf("%s/%s", folder, *name);
        copy_file(c, path);
        free(path);
    }
}

static void copy_disk(struct copy *c, const char *name)
{
    static const char *const of_block[] = {"dev",  "size", "ro",     "partition",         "hidden",
                                           "wwid", "nsid", "serial", "loop/backing_file", NULL};
    static const char *const of_device[] = {"model", "vendor", "serial", "transport", NULL};
    char *link = xasprintf("/sys/class/block/%s", name);
    char *block = real_folder(c, link);
    char *device_link = xasprintf("%s/device", block ? block : link);
    char *device = real_folder(c, device_link);
    copy_link(c, link);
    copy_attributes(c, block, of_block);
    copy_link(c, device_link);
    copy_attributes(c, device, of_device);
    char *slaves = xasprintf("%s/slaves", block ? block : link);
    size_t n;
    char **slave = sysroot_list(c->sr, &n, "%s", slaves);
    for (size_t i = 0; i < n; i++) {
        char *path = xasprintf("%s/%s", slaves, slave[i]);
        copy_link(c, path);
        free(path);
    }
    sysroot_list_free(slave, n);
    free(slaves);
    free(device);
    free(device_link);
    free(block);
    free(link);
}

static void copy_links(struct copy *c, const char *folder)
{
    size_t n;
    char **name = sysroot_list(c->sr, &n, "%s", folder);
    for (size_t i = 0; i < n && c->rc == 0; i++) {
        char *path = xasprintf("%s/%s", folder, name[i]);
        copy_link(c, path);
        free(path);
    }
    sysroot_list_free(name, n);
}

static void copy_machine(struct copy *c)
{
    static const char *const links[] = {"/dev/disk/azure", "/dev/disk/azure/scsi1",
                                        "/dev/disk/azure/data/by-lun", "/dev/disk/by-id", NULL};
    for (size_t i = 0; dmi_files[i]; i++)
        copy_file(c, dmi_files[i]);
    size_t n;
    char **disk = sysroot_list(c->sr, &n, "/sys/class/block");
    for (size_t i = 0; i < n && c->rc == 0; i++)
        copy_disk(c, disk[i]);
    sysroot_list_free(disk, n);
    for (size_t i = 0; links[i]; i++)
        copy_links(c, links[i]);
}

static const char readme[] =
    "A recording of `blkmatrix limits detect --record`: what it read to find which cloud, VM size\n"
    "and volumes this is. `blkmatrix limits detect --replay DIR` tells it again, anywhere.\n"
    "\n"
    "In it: firmware names and serial number of the machine, as far as the user could read them;\n"
    "names, sizes, models and serial numbers of its block devices (with volume ids of the cloud);\n"
    "links of udev; in metadata.json every question to the metadata service with its answer (VM\n"
    "size, region, image, disks with their names); the cgroup and the mounts of the process, when\n"
    "caps of cgroups were found. Nothing was cut out but the AWS session token,\n"
    "which stands as TOKEN. No credentials, user data or keys are in it: none are ever asked for.\n"
    "Look through it before you give it away.";

int cloud_record_folder(const char *folder, const struct sysroot *sr,
                        const struct cloud_recording *metadata, const char *const *also,
                        struct error *err)
{
    if (mkdir(folder, 0777) != 0) {
        int rc = error_errno(err, ERR_USAGE, errno, "cannot make the folder %s", folder);
        error_hint(err, "--record makes a folder of its own; it must not be there yet.");
        return rc;
    }
    struct copy c = {folder, sr, err, 0};
    write_text(&c, "README", readme);
    copy_machine(&c);
    for (; also && *also; also++)
        copy_file(&c, *also);
    if (metadata) {
        char *text = cloud_recording_json(metadata);
        write_text(&c, "metadata.json", text);
        free(text);
    }
    return c.rc;
}
