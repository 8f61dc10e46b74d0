/*
 * The command that asks a volume, byte for byte: ioctl() of this program takes the place of the C
 * library's, so that a block device of this machine answers as a volume would.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <linux/nvme_ioctl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/xalloc.h"
#include "runner/device/volume_page.h"

#define DISK "loop0"

static struct {
    int id;     /* what NVME_IOCTL_ID returns; below 0: minus the error number */
    int status; /* and the command itself */
    const char *page;
    unsigned commands;
    struct nvme_admin_cmd seen;
} volume;

static int answer(int result)
{
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

static int admin(const struct nvme_admin_cmd *command)
{
    volume.commands++;
    volume.seen = *command;
    if (volume.status == 0) {
        char *path = xasprintf(TEST_DATA "/volume_page/%s.bin", volume.page);
        FILE *f = fopen(path, "re");
        cr_assert(f && fread((void *)(uintptr_t)command->addr, 1, command->data_len, f) ==
                           VOLUME_PAGE_SIZE);
        fclose(f);
        free(path);
    }
    return answer(volume.status);
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list ap;
    va_start(ap, request);
    void *arg = va_arg(ap, void *);
    va_end(ap);
    if (request == NVME_IOCTL_ID)
        return answer(volume.id);
    if (request == NVME_IOCTL_ADMIN_CMD)
        return admin(arg);
    return (int)syscall(SYS_ioctl, fd, request, arg);
}

static int ask(struct volume_page *page, struct error *err)
{
    static const struct sysroot here = {""};
    if (access("/dev/" DISK, R_OK) != 0)
        cr_skip_test("no /dev/" DISK " to open");
    return volume_page_read(page, &here, DISK, err);
}

/* Offsets and numbers of the kernel's interface and of Get Log Page, as amazon-ec2-utils and nvme-cli have them. */
Test(volume_page_read, the_command)
{
    cr_assert_eq(NVME_IOCTL_ADMIN_CMD, 0xC0484E41);
    struct volume_page page;
    struct error err = ERROR_INIT;
    volume.id = 3;
    volume.page = "both";
    cr_assert_eq(ask(&page, &err), 0, "%s", err.message);
    cr_assert_eq(page.count[VOLUME_VM_BW_US], 3370000);
    unsigned char raw[72];
    cr_assert_eq(sizeof volume.seen, sizeof raw);
    memcpy(raw, &volume.seen, sizeof raw);
    static const unsigned char cdw10[] = {0xD0, 0x00, 0xFF, 0x03}, nsid[] = {3, 0, 0, 0},
                               len[] = {0x00, 0x10, 0, 0};
    cr_expect_eq(raw[0], 0x02);
    cr_expect_arr_eq(raw + 4, nsid, sizeof nsid);
    cr_expect_arr_eq(raw + 36, len, sizeof len);
    cr_expect_arr_eq(raw + 40, cdw10, sizeof cdw10);
    static const unsigned char nothing[20];
    cr_expect_arr_eq(raw + 44, nothing, sizeof nothing, "cdw11 to cdw15");
}

Test(volume_page_read, reasons)
{
    struct volume_page page;
    struct error err = ERROR_INIT;
    volume.id = 1;
    volume.status = -EACCES;
    cr_expect_eq(ask(&page, &err), -ERR_DEVICE);
    cr_expect_str_eq(err.message, "only root may ask for them (CAP_SYS_ADMIN)");
    volume.status = 0x4109; /* Invalid Log Page, do not retry */
    cr_expect_eq(ask(&page, &err), -ERR_DEVICE);
    cr_expect_str_eq(err.message, "/dev/" DISK " has none (NVMe status 0x4109)");
    volume.status = -EIO;
    cr_expect_eq(ask(&page, &err), -ERR_DEVICE);
    cr_expect(strstr(err.message, "asking /dev/" DISK), "%s", err.message);
    volume.commands = 0;
    volume.id = -ENOTTY;
    cr_expect_eq(ask(&page, &err), -ERR_DEVICE);
    cr_expect_eq(volume.commands, 0, "what is no NVMe disk gets no command");
}
