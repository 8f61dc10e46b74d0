/* --disk and --cap as the manual has them. */
#include <criterion/criterion.h>
#include <math.h>

#include "store/limits/limits.h"

static const struct limit *pick(const struct limit_list *list, enum limit_kind kind,
                                enum limit_side side, enum limit_phase phase)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->item[i].kind == kind && list->item[i].side == side &&
            list->item[i].phase == phase)
            return &list->item[i];
    cr_assert_fail("no such limit");
    return NULL;
}

static struct limit_list cap(const char *text)
{
    struct limit_list list = {0};
    struct error err = ERROR_INIT;
    cr_assert_eq(limit_cap_parse(&list, text, &err), 0, "%s", err.message);
    return list;
}

Test(cap, the_manuals_example)
{
    struct limit_list l = cap("disk:iops=3500,bw=170M,io-size=256k");
    cr_assert_eq(l.n, 2);
    const struct limit *iops = pick(&l, CAP_IOPS, SIDE_ANY, PHASE_BASE);
    cr_expect_eq(iops->owner, OWNER_DISK);
    cr_expect_eq(iops->value, 3500);
    cr_expect_eq(iops->io_size, 262144);
    cr_expect_not(IS_KNOWN(iops, LIMIT, device));
    cr_expect_str_eq(iops->source, "--cap disk:iops=3500,bw=170M,io-size=256k");
    const struct limit *bw = pick(&l, CAP_BW, SIDE_ANY, PHASE_BASE);
    cr_expect_eq(bw->value, 170 * 1048576.0);
    cr_expect_not(IS_KNOWN(bw, LIMIT, io_size));
    limit_list_release(&l);
    l = cap("vm:iops=8000,bw=64MB");
    cr_expect_eq(l.item[0].owner, OWNER_VM);
    cr_expect_eq(pick(&l, CAP_BW, SIDE_ANY, PHASE_BASE)->value, 64e6, "MB is decimal");
    limit_list_release(&l);
}

Test(cap, directions_bursts_and_buckets)
{
    struct limit_list l = cap("disk[1]:read-iops=1k,write_bw=10M,burst-iops=3000,burst-bw=100M,"
                              "credits=5400000,byte-credits=1T,write-burst-iops=7");
    cr_expect_eq(l.n, 5);
    for (size_t i = 0; i < l.n; i++)
        cr_expect_eq(l.item[i].device, 1);
    cr_expect_eq(pick(&l, CAP_IOPS, SIDE_READ, PHASE_BASE)->value, 1000);
    cr_expect_eq(pick(&l, CAP_BW, SIDE_WRITE, PHASE_BASE)->value, 10 * 1048576.0);
    cr_expect_eq(pick(&l, CAP_IOPS, SIDE_ANY, PHASE_BURST)->credits, 5400000);
    cr_expect_eq(pick(&l, CAP_BW, SIDE_ANY, PHASE_BURST)->credits, 1099511627776.0);
    cr_expect_eq(pick(&l, CAP_IOPS, SIDE_WRITE, PHASE_BURST)->value, 7);
    limit_list_release(&l);
}

Test(cap, takes_the_place_of_the_catalogues)
{
    struct limit_catalogue *c = NULL;
    struct limit_list l = {0};
    cr_assert_eq(limit_catalogue_create(&c, NULL), 0);
    cr_assert_eq(limit_of_vm(c, "Standard_DS2_v2", NULL, &l, NULL), 0);
    cr_assert_eq(l.n, 4);
    cr_assert_eq(limit_cap_parse(&l, "vm:bw=64M", NULL), 0);
    cr_expect_eq(l.n, 3, "both paths' bandwidth went, the IOPS stayed: %zu", l.n);
    cr_assert_eq(limit_cap_parse(&l, "vm:read-bw=60M", NULL), 0);
    cr_expect_eq(l.n, 4, "two by hand stand together");
    limit_list_release(&l);
    limit_catalogue_destroy(c);
}

/* Which of the two is in effect nobody could tell. */
Test(cap, one_value_of_each_thing)
{
    static const struct {
        const char *text;
        int rc;
    } second[] = {{"disk:iops=4000", -ERR_USAGE},
                  {"disk:bw=1M,iops=3500", -ERR_USAGE},
                  {"disk:bw=170M", 0},
                  {"disk:read-iops=4000", 0},
                  {"disk:burst-iops=4000", 0},
                  {"disk[1]:iops=4000", 0},
                  {"vm:iops=4000", 0}};
    for (size_t i = 0; i < sizeof second / sizeof second[0]; i++) {
        struct limit_list l = cap("disk:iops=3500");
        struct error err = ERROR_INIT;
        cr_expect_eq(limit_cap_parse(&l, second[i].text, &err), second[i].rc, "%s", second[i].text);
        cr_expect_eq(l.n, second[i].rc ? 1 : 2, "%s", second[i].text);
        if (second[i].rc)
            cr_expect(strstr(err.message, "--cap disk:iops=3500"), "%s", err.message);
        limit_list_release(&l);
    }
}

Test(cap, what_is_refused)
{
    static const char *const text[] = {"",
                                       "disk",
                                       "disk:",
                                       "disk:iops",
                                       "disk:iops=",
                                       "disk:iops=0",
                                       "disk:iops=-1",
                                       "disc:iops=1",
                                       "disk:iops=1,",
                                       "disk:iosp=1",
                                       "vm[0]:iops=1",
                                       "disk[:iops=1",
                                       "disk[]:iops=1",
                                       "disk[x]:iops=1",
                                       "disk[1:iops=1",
                                       "disk:bw=x",
                                       "disk:bw=125",
                                       "vm:burst-bw=4000",
                                       "disk:io-size=4k",
                                       "disk:credits=5",
                                       "disk:byte-credits=5",
                                       "disk:iops=1,iops=2",
                                       "disk:read-write-iops=1",
                                       ":iops=1",
                                       "disk[99999999]:iops=1",
                                       "disk:iops=1,io-size=0",
                                       "disk:iops=3500,burst-iops=3000",
                                       "disk:iops=3500,burst-iops=3500",
                                       "vm:burst-bw=64M,bw=128M",
                                       "disk:read-iops=5,read-burst-iops=4",
                                       "disk:burst-bw=1M,byte-credits=0"};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        struct limit_list l = {0};
        struct error err = ERROR_INIT;
        cr_expect_eq(limit_cap_parse(&l, text[i], &err), -ERR_USAGE, "\"%s\"", text[i]);
        cr_expect_neq(err.message[0], '\0');
        cr_expect_eq(l.n, 0);
        limit_list_release(&l);
    }
}

Test(disk, all_settings)
{
    struct limit_disk d;
    cr_assert_eq(limit_disk_parse(&d, "gp3,size=100G,iops=6k,mbps=250.5,cache=ro", NULL), 0);
    cr_expect_str_eq(d.name, "gp3");
    cr_expect_eq(d.size, UINT64_C(107374182400));
    cr_expect_eq(d.iops, 6000);
    cr_expect_eq(d.mbps, 250.5);
    cr_expect_eq(d.cache, CACHE_RO);
    limit_disk_release(&d);
    cr_assert_eq(limit_disk_parse(&d, "Premium_LRS,cache=ReadWrite", NULL), 0);
    cr_expect_eq(d.cache, CACHE_RW);
    cr_expect(isnan(d.iops) && isnan(d.mbps) && d.size == 0);
    limit_disk_release(&d);
}

Test(disk, what_is_refused)
{
    static const char *const text[] = {"",           ",size=1G",   "a,",          "a,size",
                                       "a,size=",    "a,size=0",   "a,cache=yes", "a,iops=x",
                                       "a,mbps=nan", "a,speed=10", "a,mbps=-1"};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        struct limit_disk d;
        struct error err = ERROR_INIT;
        cr_expect_eq(limit_disk_parse(&d, text[i], &err), -ERR_USAGE, "\"%s\"", text[i]);
        cr_expect_neq(err.message[0], '\0');
        limit_disk_release(&d);
    }
}
