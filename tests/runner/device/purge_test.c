/* Which devices are volumes of a cloud, by what they say of themselves. */
#include "runner/device/purge.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/model/field.h"

static struct device_info info_of(const char *vendor, const char *model)
{
    struct device_info d = {0};
    if (vendor)
        field_set_text(&device_fields, &d, DEVICE_vendor, vendor);
    if (model)
        field_set_text(&device_fields, &d, DEVICE_model, model);
    return d;
}

Test(purge, cloud_volumes)
{
    static const struct {
        const char *vendor, *model;
        bool volume;
    } row[] = {{NULL, "Amazon Elastic Block Store", true},
               {NULL, "Amazon EC2 NVMe Instance Storage", false},
               {"Msft    ", "Virtual Disk    ", true},
               {NULL, "MSFT NVMe Accelerator v1.0", true},
               {"Google  ", "PersistentDisk  ", true},
               {NULL, "nvme_card-pd", true},
               {NULL, "nvme_card", false},
               {"QEMU", "Virtual Disk", false},
               {NULL, "Samsung SSD 980 PRO 1TB", false},
               {NULL, NULL, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct device_info d = info_of(row[i].vendor, row[i].model);
        cr_expect_eq(device_is_cloud_volume(&d), row[i].volume, "%s", row[i].model);
        if (row[i].volume)
            cr_expect_str_eq(device_purge(-1, &d, 0, 4096, true), "cannot be: a cloud volume");
        fields_release(&device_fields, &d);
    }
    struct device_info d = info_of(NULL, "QEMU HARDDISK");
    field_set_text(&device_fields, &d, DEVICE_volume_type, "gp3");
    cr_expect(device_is_cloud_volume(&d));
    fields_release(&device_fields, &d);
}

Test(purge, what_cannot_trim)
{
    struct device_info d = info_of(NULL, "disk");
    SET(&d, DEVICE, discard_max, 0);
    cr_expect_str_eq(device_purge(-1, &d, 0, 4096, true), "cannot be: it knows no discard");
    cr_expect_str_eq(device_purge(-1, &d, 0, 4096, false), "not done");
    UNSET(&d, DEVICE, discard_max);
    int fd = open("/dev/null", O_RDWR);
    cr_expect_str_eq(device_purge(fd, &d, 0, 4096, true), "not done: it refused the discard");
    close(fd);
    fields_release(&device_fields, &d);
}
