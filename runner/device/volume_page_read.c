/* How the page is had: which disks have it, and the one command that asks for it. */
#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xalloc.h"
#include "runner/device/volume_page.h"

bool volume_has_page(const struct sysroot *sr, const char *name)
{
    static const char *const known[] = {"Amazon Elastic Block Store",
                                        "Amazon EC2 NVMe Instance Storage"};
    bool has = false;
    char *model = strncmp(name, "nvme", 4) == 0
                      ? sysroot_read(sr, "/sys/class/block/%s/device/model", name)
                      : NULL;
    for (size_t i = 0; model && i < sizeof known / sizeof *known; i++)
        has = has || strcmp(model, known[i]) == 0;
    free(model);
    return has;
}

static int refused(const char *name, int error, struct error *err)
{
    if (error == EACCES || error == EPERM)
        return error_set(err, ERR_DEVICE, "only root may ask for them (CAP_SYS_ADMIN)");
    return error_errno(err, ERR_DEVICE, error, "asking /dev/%s", name);
}

/* Get Log Page of the NVMe base specification; the number of dwords in it is one less than meant. */
static int ask(int fd, const char *name, unsigned char *page, struct error *err)
{
    enum { GET_LOG_PAGE = 0x02, STATISTICS = 0xD0, PATIENCE_MS = 1000 };
    int nsid = ioctl(fd, NVME_IOCTL_ID); /* the kernel wants the disk's own */
    if (nsid < 0)
        return refused(name, errno, err);
    struct nvme_admin_cmd command = {
        .opcode = GET_LOG_PAGE,
        .nsid = (uint32_t)nsid,
        .addr = (uintptr_t)page,
        .data_len = VOLUME_PAGE_SIZE,
        .cdw10 = STATISTICS | (VOLUME_PAGE_SIZE / 4 - 1) << 16,
        .timeout_ms = PATIENCE_MS,
    };
    int status = ioctl(fd, NVME_IOCTL_ADMIN_CMD, &command);
    if (status < 0)
        return refused(name, errno, err);
    if (status > 0)
        return error_set(err, ERR_DEVICE, "/dev/%s has none (NVMe status %#x)", name,
                         (unsigned)status);
    return 0;
}

static int ask_device(const char *name, unsigned char *page, struct error *err)
{
    char *path = xasprintf("/dev/%s", name);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int error = errno;
    free(path);
    if (fd < 0)
        return refused(name, error, err);
    struct stat st;
    int rc = fstat(fd, &st) == 0 && S_ISBLK(st.st_mode)
                 ? ask(fd, name, page, err)
                 : error_set(err, ERR_DEVICE, "/dev/%s is no block device", name);
    close(fd);
    return rc;
}

static int read_recording(const struct sysroot *sr, const char *name, unsigned char *page,
                          size_t *n, struct error *err)
{
    char *path = xasprintf("%s/dev/%s.log-d0", sr->root, name);
    FILE *f = fopen(path, "re");
    int rc = f ? 0 : error_errno(err, ERR_DEVICE, errno, "%s", path);
    if (f) {
        *n = fread(page, 1, VOLUME_PAGE_SIZE, f);
        fclose(f);
    }
    free(path);
    return rc;
}

int volume_page_read(struct volume_page *out, const struct sysroot *sr, const char *name,
                     struct error *err)
{
    unsigned char page[VOLUME_PAGE_SIZE] = {0};
    size_t n = sizeof page;
    int rc = sr->root[0] ? read_recording(sr, name, page, &n, err) : ask_device(name, page, err);
    return rc < 0 ? rc : volume_page_parse(out, page, n, err);
}
