#include <criterion/criterion.h>
#include <fcntl.h>
#include <unistd.h>

#include "runner/device/open_internal.h"

/* A block device that we may open for reading here; "" when there is none. */
static void find_one(char *path, size_t n)
{
    struct device_info *info;
    size_t n_info;
    path[0] = '\0';
    device_list(&info, &n_info, &sysroot_system);
    for (size_t i = 0; i < n_info && !path[0]; i++) {
        int fd = open(info[i].path, O_RDONLY | O_NONBLOCK);
        if (fd >= 0) {
            snprintf(path, n, "%s", info[i].path);
            close(fd);
        }
    }
    device_list_free(info, n_info);
}

/* The path leads to another device when it is opened than when it was described. */
Test(open_block, exchanged_between_look_and_open)
{
    char path[256];
    struct error err = ERROR_INIT;
    find_one(path, sizeof path);
    if (!path[0])
        cr_skip_test("no block device may be opened here");
    for (int writing = 0; writing < 2; writing++) {
        struct device d = {.fd = -1};
        struct device_request r = {.path = path, .write = writing, .permit = {.allow_write = true}};
        field_set_text(&device_fields, &d.info, DEVICE_path, path);
        field_set_text(&device_fields, &d.info, DEVICE_type, "disk");
        field_set_text(&device_fields, &d.info, DEVICE_devno, "4094:77");
        cr_expect_eq(open_block(&d, &r, &err), -ERR_REFUSED, "%s", err.message);
        cr_expect(strstr(err.message, "exchanged") && strstr(err.message, "4094:77"), "%s",
                  err.message);
        cr_expect_eq(d.fd, -1, "a descriptor of the wrong device is kept");
        fields_release(&device_fields, &d.info);
    }
}

Test(open_block, host_managed_zones_are_not_written)
{
    struct error err = ERROR_INIT;
    struct device d = {.fd = -1};
    struct device_request r = {.path = "/dev/sdk", .write = true, .permit = {.allow_write = true}};
    field_set_text(&device_fields, &d.info, DEVICE_path, r.path);
    field_set_text(&device_fields, &d.info, DEVICE_zoned, "host-managed");
    cr_expect_eq(open_block(&d, &r, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "zones") != NULL, "%s", err.message);
    fields_release(&device_fields, &d.info);
}
