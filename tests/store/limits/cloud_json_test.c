/* Documents of clouds' tools, held against figures that the clouds publish for such disks. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "store/limits/limits.h"

static struct limit_catalogue *with(const char *name)
{
    struct limit_catalogue *c = NULL;
    struct error err = ERROR_INIT;
    char *path = xasprintf("%s/cloud-json/%s.json", TEST_DATA, name);
    cr_assert(limit_catalogue_create(&c, &err) == 0);
    cr_assert(limit_catalogue_add_cloud(c, path, &err) == 0, "%s", err.message);
    free(path);
    return c;
}

/* Value of a disk's limit; NaN: it has none. */
static double of_disk(const struct limit_catalogue *c, const char *name, enum limit_kind kind,
                      enum limit_phase phase, double *credits)
{
    struct limit_disk d = {.name = (char *)name, .iops = NAN, .mbps = NAN};
    struct limit_list list = {0};
    struct error err = ERROR_INIT;
    double value = NAN;
    cr_assert(limit_of_disk(c, &d, &list, &err) == 0, "%s: %s", name, err.message);
    for (size_t i = 0; i < list.n; i++) {
        const struct limit *l = &list.item[i];
        if (l->kind == kind && l->phase == phase) {
            value = l->value;
            if (credits)
                *credits = IS_KNOWN(l, LIMIT, credits) ? l->credits : NAN;
        }
    }
    limit_list_release(&list);
    return value;
}

#define MIB 1048576.0

Test(cloud_json, ebs_volumes)
{
    struct limit_catalogue *c = with("aws-volumes");
    double credits = NAN;
    cr_expect_float_eq(of_disk(c, "vol-00112233445566778", CAP_IOPS, PHASE_BASE, NULL), 6000, 0);
    cr_expect_float_eq(of_disk(c, "vol-00112233445566778", CAP_BW, PHASE_BASE, NULL), 250 * MIB, 0);
    /* gp2 of 8 GiB: 100 IOPS, 3000 while 5.4 million credits last, 128 MiB/s (EBS User Guide) */
    const char *gp2 = "vol-0f1e2d3c4b5a69788";
    cr_expect_float_eq(of_disk(c, gp2, CAP_IOPS, PHASE_BASE, NULL), 100, 0);
    cr_expect_float_eq(of_disk(c, gp2, CAP_IOPS, PHASE_BURST, &credits), 3000, 0);
    cr_expect_float_eq(credits, 5.4e6, 0);
    cr_expect_float_eq(of_disk(c, gp2, CAP_BW, PHASE_BASE, NULL), 128 * MIB, 0);
    /* io2: 0.256 MiB/s for each of its IOPS */
    cr_expect_float_eq(of_disk(c, "vol-000000000000000a1", CAP_IOPS, PHASE_BASE, NULL), 400, 0);
    cr_expect_float_eq(of_disk(c, "vol-000000000000000a1", CAP_BW, PHASE_BASE, NULL), 102.4 * MIB,
                       1);
    /* st1 of 1 TiB: 40 MiB/s, 250 in a burst from a bucket of 1 TiB */
    cr_expect_float_eq(of_disk(c, "vol-000000000000000a2", CAP_BW, PHASE_BASE, NULL), 40 * MIB, 0);
    cr_expect_float_eq(of_disk(c, "vol-000000000000000a2", CAP_BW, PHASE_BURST, &credits),
                       250 * MIB, 0);
    cr_expect_float_eq(credits, 1024 * 1024 * MIB, 0);
    limit_catalogue_destroy(c);
}

Test(cloud_json, what_a_volume_does_not_say_stays_unknown)
{
    struct limit_catalogue *c = with("aws-volumes");
    const char *const silent[] = {"vol-000000000000000a3", "vol-000000000000000a5"};
    for (size_t i = 0; i < 2; i++) {
        cr_expect(isnan(of_disk(c, silent[i], CAP_IOPS, PHASE_BASE, NULL)), "%s", silent[i]);
        cr_expect(isnan(of_disk(c, silent[i], CAP_BW, PHASE_BASE, NULL)), "%s", silent[i]);
    }
    /* of a type that is not known what is said holds */
    cr_expect_float_eq(of_disk(c, "vol-000000000000000a4", CAP_IOPS, PHASE_BASE, NULL), 777, 0);
    cr_expect(isnan(of_disk(c, "vol-000000000000000a4", CAP_BW, PHASE_BASE, NULL)));
    limit_catalogue_destroy(c);
}

Test(cloud_json, azure_disk_with_a_raised_tier)
{
    struct limit_catalogue *c = with("az-disk");
    double credits = NAN;
    /* 64 GiB is a P6 (240 IOPS), and this one was raised to P10 */
    cr_expect_float_eq(of_disk(c, "data0", CAP_IOPS, PHASE_BASE, NULL), 500, 0);
    cr_expect_float_eq(of_disk(c, "data0", CAP_BW, PHASE_BASE, NULL), 100e6, 0);
    cr_expect_float_eq(of_disk(c, "data0", CAP_IOPS, PHASE_BURST, &credits), 3500, 0);
    cr_expect_float_eq(credits, 5.4e6, 0);
    limit_catalogue_destroy(c);
}

Test(cloud_json, azure_disks)
{
    struct limit_catalogue *c = with("az-disks");
    cr_expect_float_eq(of_disk(c, "big", CAP_IOPS, PHASE_BURST, NULL), 30000, 0);
    cr_expect_float_eq(of_disk(c, "v2", CAP_IOPS, PHASE_BASE, NULL), 9000, 0);
    cr_expect_float_eq(of_disk(c, "ultra", CAP_IOPS, PHASE_BASE, NULL), 4000, 0);
    cr_expect_float_eq(of_disk(c, "ultra", CAP_BW, PHASE_BASE, NULL), 200e6, 0);
    cr_expect_float_eq(of_disk(c, "plus", CAP_IOPS, PHASE_BASE, NULL), 16000, 0);
    cr_expect_float_eq(of_disk(c, "zrs", CAP_IOPS, PHASE_BASE, NULL), 240, 0);
    /* the limits of a VM for Ultra and Premium SSD v2 disks are those of this disk, too */
    cr_expect_str_eq(limit_find(c, OWNER_DISK, "ultra")->disk_class, "ultra_v2");
    cr_expect(limit_find(c, OWNER_DISK, "v2")->no_cache);
    limit_catalogue_destroy(c);
}

Test(cloud_json, instance_types_go_before_the_catalogue)
{
    struct limit_catalogue *c = with("aws-types");
    const struct limit_entry *e = limit_find(c, OWNER_VM, "c6in.metal");
    cr_expect_float_eq(e->rule[0].value.base, 450000, 0);
    cr_expect(strstr(e->where, "describe-instance-types"));
    e = limit_find(c, OWNER_VM, "t2.micro");
    cr_expect(e && e->n_rules == 0 && e->note);
    limit_catalogue_destroy(c);
}

Test(cloud_json, every_byte_count_of_azure_is_the_published_figure)
{
    struct limit_catalogue *c = with("az-skus");
    const struct limit_entry *e = limit_find(c, OWNER_VM, "Standard_DS2_v2");
    cr_expect_eq(e->n_rules, 4);
    cr_expect_float_eq(e->rule[1].value.base, 64, 0); /* told as 65,536,000 bytes/s */
    cr_expect_float_eq(e->rule[3].value.base, 96, 0); /* as 96,000,000 */
    e = limit_find(c, OWNER_VM, "Standard_D4s_v3");
    cr_expect_float_eq(e->rule[1].value.base, 64, 0);   /* as 67,108,864 */
    cr_expect_float_eq(e->rule[2].value.base, 7000, 0); /* a new figure */
    cr_expect_eq(e->n_rules, 6);                        /* its bursts are not told, and stay */
    limit_catalogue_destroy(c);
}
