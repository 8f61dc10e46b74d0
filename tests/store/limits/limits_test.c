/* Figures of the providers' own tables, by way of the catalogue: see docs/limits.md for the sources. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/embedded.h"
#include "store/limits/limits.h"

#define MIB 1048576.0
#define GIB 1073741824.0

static struct limit_catalogue *catalogue(void)
{
    struct limit_catalogue *c = NULL;
    struct error err = ERROR_INIT;
    cr_assert_eq(limit_catalogue_create(&c, &err), 0, "%s", err.message);
    return c;
}

/* Limits of --vm and --disk texts; NULL leaves one out. */
static int ask(struct limit_list *out, const char *vm, const char *disk, struct error *err)
{
    struct limit_catalogue *c = catalogue();
    struct limit_disk d = {0};
    int rc = disk ? limit_disk_parse(&d, disk, err) : 0;
    if (rc == 0 && disk)
        rc = limit_of_disk(c, &d, out, err);
    if (rc == 0 && vm)
        rc = limit_of_vm(c, vm, disk ? &d : NULL, out, err);
    limit_disk_release(&d);
    limit_catalogue_destroy(c);
    return rc;
}

static struct limit_list limits(const char *vm, const char *disk)
{
    struct limit_list list = {0};
    struct error err = ERROR_INIT;
    cr_assert_eq(ask(&list, vm, disk, &err), 0, "%s", err.message);
    return list;
}

static void refused(const char *vm, const char *disk, const char *word)
{
    struct limit_list list = {0};
    struct error err = ERROR_INIT;
    cr_expect_eq(ask(&list, vm, disk, &err), -ERR_USAGE, "%s %s", vm, disk);
    cr_expect(strstr(err.message, word), "\"%s\" is not in: %s", word, err.message);
    limit_list_release(&list);
}

static const struct limit *find(const struct limit_list *list, enum limit_owner owner,
                                enum limit_kind kind, enum limit_phase phase, enum limit_path path,
                                enum limit_side side)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct limit *l = &list->item[i];
        if (l->owner == owner && l->kind == kind && l->phase == phase && l->path == path &&
            l->side == side)
            return l;
    }
    return NULL;
}

/* One of any path and side. */
static void has(const struct limit_list *list, enum limit_owner owner, enum limit_kind kind,
                enum limit_phase phase, double value)
{
    const struct limit *l = find(list, owner, kind, phase, PATH_ANY, SIDE_ANY);
    cr_assert(l, "%s %s %s is missing", owner_names[owner], cap_names[kind], phase_names[phase]);
    cr_expect_float_eq(l->value, value, fabs(value) * 1e-9, "%s %s %s: %.10g, not %.10g",
                       owner_names[owner], cap_names[kind], phase_names[phase], l->value, value);
}

static void lacks(const struct limit_list *list, enum limit_kind kind, enum limit_phase phase)
{
    for (size_t i = 0; i < list->n; i++)
        cr_expect(list->item[i].kind != kind || list->item[i].phase != phase);
}

Test(limits, premium_ssd_of_64_gib_on_ds2_v2_cached)
{
    struct limit_list l = limits("Standard_DS2_v2", "Premium_LRS,size=64G,cache=ro");
    cr_expect_eq(l.n, 8);
    has(&l, OWNER_DISK, CAP_IOPS, PHASE_BASE, 240);
    has(&l, OWNER_DISK, CAP_IOPS, PHASE_BURST, 3500);
    has(&l, OWNER_DISK, CAP_BW, PHASE_BASE, 50e6);
    has(&l, OWNER_DISK, CAP_BW, PHASE_BURST, 170e6);
    const struct limit *burst = find(&l, OWNER_DISK, CAP_IOPS, PHASE_BURST, PATH_ANY, SIDE_ANY);
    cr_expect_eq(burst->credits, 5868000);
    cr_expect_eq(burst->io_size, 262144);
    cr_expect_str_eq(burst->name, "P6");
    cr_expect_str_eq(burst->checked, "2023-03-16");
    cr_expect(strstr(burst->source, "premium-ssd-sizes"));
    burst = find(&l, OWNER_DISK, CAP_BW, PHASE_BURST, PATH_ANY, SIDE_ANY);
    cr_expect_eq(burst->credits, 211 * GIB);
    cr_expect_eq(burst->value_max, 170 * MIB, "the unit is unsure");
    const struct limit *vm = find(&l, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_CACHED, SIDE_ANY);
    cr_assert(vm);
    cr_expect_eq(vm->value, 8000);
    vm = find(&l, OWNER_VM, CAP_BW, PHASE_BASE, PATH_CACHED, SIDE_ANY);
    cr_expect_eq(vm->value, 64e6);
    cr_expect_eq(vm->value_max, 67108864);
    cr_expect_str_eq(vm->published, "64 MBps");
    cr_expect_eq(find(&l, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_UNCACHED, SIDE_ANY)->value, 6400);
    cr_expect_eq(find(&l, OWNER_VM, CAP_BW, PHASE_BASE, PATH_UNCACHED, SIDE_ANY)->value, 96e6);
    limit_list_release(&l);
}

Test(limits, without_caching_the_cached_limits_do_not_hold)
{
    struct limit_list l = limits("standard_ds2_V2", "P6,cache=none");
    cr_expect_eq(l.n, 6);
    cr_expect_null(find(&l, OWNER_VM, CAP_BW, PHASE_BASE, PATH_CACHED, SIDE_ANY));
    limit_list_release(&l);
    l = limits("Standard_DS2_v2", "P6");
    cr_expect_eq(l.n, 8, "caching not known: both paths");
    limit_list_release(&l);
}

Test(limits, azure_tiers_by_size)
{
    static const struct {
        const char *disk, *name;
    } row[] = {{"Premium_LRS,size=33G", "P6"},    {"Premium_LRS,size=32.5G", "P6"},
               {"Premium_LRS,size=32G", "P4"},    {"Premium_ZRS,size=1T", "P30_ZRS"},
               {"Standard_LRS,size=100G", "S10"}, {"StandardSSD_LRS,size=8T", "E60"},
               {"Premium_LRS,size=1M", "P1"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct limit_list l = limits(NULL, row[i].disk);
        cr_expect_str_eq(l.item[0].name, row[i].name, "%s: %s", row[i].disk, l.item[0].name);
        limit_list_release(&l);
    }
    refused(NULL, "Premium_LRS", "size=64G");
    refused(NULL, "Premium_LRS,size=40T", "no Premium_LRS of");
    refused(NULL, "P6,size=65G", "33 to 64 GiB");
    refused(NULL, "P6,size=100P", "a disk of 104,857,600 GiB is none (33 to 64 GiB)");
    refused(NULL, "P6,iops=500", "cannot be set");
}

/* The bucket lasts 30 minutes at full burst: for E4 (600 - 500) x 1800. */
Test(limits, bucket_by_seconds)
{
    struct limit_list l = limits(NULL, "E4");
    const struct limit *b = find(&l, OWNER_DISK, CAP_IOPS, PHASE_BURST, PATH_ANY, SIDE_ANY);
    cr_expect_float_eq(b->credits, 180000, 1e-6);
    b = find(&l, OWNER_DISK, CAP_BW, PHASE_BURST, PATH_ANY, SIDE_ANY);
    cr_expect_float_eq(b->credits, 50 * MIB * 1800, 1);
    limit_list_release(&l);
}

Test(limits, t4g_medium_with_gp2_and_io2)
{
    struct limit_list l = limits("t4g.medium", "gp2,size=8G");
    has(&l, OWNER_DISK, CAP_IOPS, PHASE_BASE, 100);
    has(&l, OWNER_DISK, CAP_IOPS, PHASE_BURST, 3000);
    has(&l, OWNER_DISK, CAP_BW, PHASE_BASE, 128 * MIB);
    cr_expect_eq(find(&l, OWNER_DISK, CAP_IOPS, PHASE_BURST, PATH_ANY, SIDE_ANY)->credits, 5.4e6);
    has(&l, OWNER_VM, CAP_IOPS, PHASE_BASE, 2000);
    has(&l, OWNER_VM, CAP_IOPS, PHASE_BURST, 11800);
    has(&l, OWNER_VM, CAP_BW, PHASE_BASE, 43.375e6);
    has(&l, OWNER_VM, CAP_BW, PHASE_BURST, 260.625e6);
    limit_list_release(&l);
    l = limits(NULL, "io2,size=8G,iops=400");
    has(&l, OWNER_DISK, CAP_IOPS, PHASE_BASE, 400);
    has(&l, OWNER_DISK, CAP_BW, PHASE_BASE, 102.4 * MIB);
    lacks(&l, CAP_IOPS, PHASE_BURST);
    limit_list_release(&l);
    refused(NULL, "io2,size=8G", "iops=N");
    refused(NULL, "io2,size=8G,iops=8001", "cannot be set");
}

/* Amazon's table of the throughput of io1: 500 MiB/s up to 32000 IOPS, 16 KiB an I/O above. */
Test(limits, io1_bandwidth_follows_its_iops)
{
    static const struct {
        const char *disk;
        double mib;
    } row[] = {{"io1,size=100G,iops=1000", 250},
               {"io1,size=100G,iops=2000", 500},
               {"io1,size=1T,iops=32000", 500},
               {"io1,size=1T,iops=48000", 750},
               {"io1,size=1280G,iops=64000", 1000}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct limit_list l = limits(NULL, row[i].disk);
        has(&l, OWNER_DISK, CAP_BW, PHASE_BASE, row[i].mib * MIB);
        limit_list_release(&l);
    }
}

Test(limits, gp2_by_size)
{
    static const struct {
        const char *disk;
        double base, burst; /* burst 0: none */
    } row[] = {{"gp2,size=33G", 100, 3000},   {"gp2,size=34G", 102, 3000},
               {"gp2,size=999G", 2997, 3000}, {"gp2,size=1000G", 3000, 0},
               {"gp2,size=5334G", 16000, 0},  {"gp2,size=16T", 16000, 0}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct limit_list l = limits(NULL, row[i].disk);
        has(&l, OWNER_DISK, CAP_IOPS, PHASE_BASE, row[i].base);
        if (row[i].burst > 0)
            has(&l, OWNER_DISK, CAP_IOPS, PHASE_BURST, row[i].burst);
        else
            lacks(&l, CAP_IOPS, PHASE_BURST);
        limit_list_release(&l);
    }
}

Test(limits, gp3_as_made_and_as_set)
{
    struct limit_list l = limits(NULL, "gp3,size=100G");
    has(&l, OWNER_DISK, CAP_IOPS, PHASE_BASE, 3000);
    has(&l, OWNER_DISK, CAP_BW, PHASE_BASE, 125 * MIB);
    limit_list_release(&l);
    l = limits(NULL, "gp3,size=100G,iops=6000,mbps=250");
    has(&l, OWNER_DISK, CAP_IOPS, PHASE_BASE, 6000);
    has(&l, OWNER_DISK, CAP_BW, PHASE_BASE, 250 * MIB);
    cr_expect_str_eq(l.item[0].published, "6000 IOPS, as set");
    limit_list_release(&l);
    l = limits(NULL, "gp3,size=8G,iops=4000,mbps=1000");
    cr_expect_eq(l.n, 2, "500 IOPS per GiB, 0.25 MiB/s per IOPS");
    limit_list_release(&l);
    refused(NULL, "gp3,size=8G,iops=4001", "cannot be set");
    refused(NULL, "gp3,size=100G,mbps=751", "cannot be set");
    refused(NULL, "gp3,size=100G,iops=2999", "cannot be set");
    /* whatever its size */
    l = limits(NULL, "gp3,iops=80000");
    has(&l, OWNER_DISK, CAP_IOPS, PHASE_BASE, 80000);
    limit_list_release(&l);
    refused(NULL, "gp3,iops=80001", "cannot be set");
    refused(NULL, "gp3,iops=2999", "cannot be set");
    refused(NULL, "gp3,mbps=751", "cannot be set");
    refused(NULL, "io2,iops=256001", "cannot be set");
}

/* Amazon's table of st1: 40 and 250 MiB/s per TiB up to 500, a bucket of the volume's size. */
Test(limits, st1_by_size)
{
    struct limit_list l = limits(NULL, "st1,size=512G");
    has(&l, OWNER_DISK, CAP_BW, PHASE_BASE, 20 * MIB);
    has(&l, OWNER_DISK, CAP_BW, PHASE_BURST, 125 * MIB);
    const struct limit *b = find(&l, OWNER_DISK, CAP_BW, PHASE_BURST, PATH_ANY, SIDE_ANY);
    cr_expect_float_eq(b->credits, 512 * GIB, 1);
    cr_expect_eq(find(&l, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, SIDE_ANY)->io_size, 1048576);
    limit_list_release(&l);
    l = limits(NULL, "st1,size=12800G");
    has(&l, OWNER_DISK, CAP_BW, PHASE_BASE, 500 * MIB);
    lacks(&l, CAP_BW, PHASE_BURST);
    limit_list_release(&l);
    refused(NULL, "st1", "size");
    refused(NULL, "st1,size=100G", "125 to 16,384 GiB");
}

Test(limits, pd_balanced_of_100_gib)
{
    struct limit_list l = limits("n2-standard-8", "pd-balanced,size=100G");
    for (enum limit_side side = SIDE_READ; side <= SIDE_WRITE; side++) {
        const struct limit *d = find(&l, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, side);
        cr_expect_float_eq(d->value, 3600, 1e-6);
        d = find(&l, OWNER_DISK, CAP_BW, PHASE_BASE, PATH_ANY, side);
        cr_expect_float_eq(d->value, 168 * MIB, 1);
        cr_expect_not(IS_KNOWN(d, LIMIT, value_max), "MiB/s are sure");
        d = find(&l, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_ANY, side);
        cr_expect_eq(d->value, 15000, "n2, 8 to 15 vCPUs: %g", d->value);
    }
    limit_list_release(&l);
    l = limits("n2-custom-96-4096", "pd-standard,size=1T");
    cr_expect_float_eq(find(&l, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, SIDE_READ)->value, 768,
                       1e-6);
    limit_list_release(&l);
    refused("n2-standard-8", NULL, "pd-balanced, pd-ssd, pd-standard");
    refused("n2-standard-8", "hyperdisk-balanced", "--cap vm");
    refused("n2-standard-0", "pd-ssd,size=1G", "no VM size");
}

Test(limits, settings_that_follow_each_other)
{
    struct limit_list l = limits(NULL, "hyperdisk-throughput,size=2T,mbps=100");
    has(&l, OWNER_DISK, CAP_BW, PHASE_BASE, 100 * MIB);
    has(&l, OWNER_DISK, CAP_IOPS, PHASE_BASE, 400);
    limit_list_release(&l);
    l = limits(NULL, "hyperdisk-extreme,size=1T,iops=10000");
    has(&l, OWNER_DISK, CAP_BW, PHASE_BASE, 2500 * MIB);
    limit_list_release(&l);
}

/* Ultra and Premium SSD v2 have other limits of the VM, and no host caching. */
Test(limits, class_of_the_disk)
{
    struct limit_list l =
        limits("Standard_E16bds_v5", "UltraSSD_LRS,size=64G,iops=20000,mbps=1000");
    cr_expect_eq(find(&l, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_UNCACHED, SIDE_ANY)->value, 64800);
    cr_expect_eq(find(&l, OWNER_VM, CAP_IOPS, PHASE_BURST, PATH_UNCACHED, SIDE_ANY)->value, 96000);
    has(&l, OWNER_DISK, CAP_BW, PHASE_BASE, 1000e6);
    limit_list_release(&l);
    l = limits("Standard_E16bds_v5/nvme", "P40,cache=none");
    cr_expect_eq(find(&l, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_UNCACHED, SIDE_ANY)->value, 66000);
    limit_list_release(&l);
    refused("Standard_E16bds_v5", "PremiumV2_LRS,size=8G,cache=ro", "no host caching");
}

Test(limits, instance_store_is_not_held_by_ebs_limits)
{
    struct limit_list l = limits("i3.large", "i3.large/instance-store");
    for (size_t i = 0; i < l.n; i++)
        cr_expect_eq(l.item[i].owner, OWNER_DISK);
    cr_expect_eq(l.n, 2);
    limit_list_release(&l);
}

Test(limits, names)
{
    struct limit_catalogue *c = catalogue();
    cr_expect(limit_is_known(c, OWNER_DISK, "premium_lrs"));
    cr_expect(limit_is_known(c, OWNER_VM, "n1-standard-1"));
    cr_expect_not(limit_is_known(c, OWNER_VM, "gp3"));
    cr_expect_not(limit_is_known(c, OWNER_DISK, ""));
    size_t n[2] = {0};
    const struct limit_entry *e;
    for (size_t i = 0; (e = limit_catalogue_entry(c, i)); i++) {
        n[e->owner]++;
        cr_expect_eq(limit_find(c, e->owner, e->name), e, "%s is there twice", e->name);
    }
    cr_expect_gt(n[OWNER_DISK], 700);
    cr_expect_gt(n[OWNER_VM], 2700);
    limit_catalogue_destroy(c);
}

/* ---- files of the user ---- */

#define SOURCES                                                                                    \
    "\"cloud\":\"own\",\"sources\":{\"s\":{\"where\":\"measured\",\"checked\":\"2026\"}}"

Test(limits, a_user_file_takes_precedence)
{
    struct limit_catalogue *c = catalogue();
    struct error err = ERROR_INIT;
    static const char text[] =
        "{" SOURCES ",\"disks\":[{\"name\":\"gp3\",\"source\":\"s\",\"caps\":[{\"cap\":\"iops\","
        "\"base\":16000}]}],\"vms\":[{\"name\":\"rack-7\",\"vcpus\":4,\"source\":\"s\",\"caps\":["
        "{\"cap\":\"bw\",\"unit\":\"MB/s\",\"per_vcpu\":25}]}]}";
    cr_assert_eq(limit_catalogue_add(c, text, sizeof text - 1, "own.json", &err), 0, "%s",
                 err.message);
    struct limit_disk d;
    cr_assert_eq(limit_disk_parse(&d, "gp3", &err), 0);
    struct limit_list l = {0};
    cr_assert_eq(limit_of_disk(c, &d, &l, &err), 0, "%s", err.message);
    cr_assert_eq(limit_of_vm(c, "rack-7", &d, &l, &err), 0, "%s", err.message);
    cr_assert_eq(l.n, 2);
    has(&l, OWNER_DISK, CAP_IOPS, PHASE_BASE, 16000);
    has(&l, OWNER_VM, CAP_BW, PHASE_BASE, 100e6);
    cr_expect_str_eq(l.item[0].source, "measured");
    limit_list_release(&l);
    limit_disk_release(&d);
    limit_catalogue_destroy(c);
}

Test(limits, bad_files_are_told_what_is_wrong)
{
    static const struct {
        const char *text, *word;
    } row[] = {
        {"", "not one JSON value"},
        {"[]", "must begin it"},
        {"{\"cloud\":\"x\",\"disk\":[]}", "\"disk\""},
        {"{\"disks\":[]}", "\"cloud\""},
        {"{" SOURCES ",\"disks\":{}} trailing", "not one JSON value"},
        {"{" SOURCES ",\"disks\":{}}", "must be an array"},
        {"{" SOURCES ",\"disks\":[1]}", "\"name\" is missing"},
        {"{" SOURCES ",\"disks\":[{\"name\":\"a\",\"source\":\"t\"}]}", "a: \"source\""},
        {"{" SOURCES ",\"disks\":[{\"name\":\"a\",\"source\":\"s\"}]}", "a: \"caps\" is missing"},
        {"{" SOURCES ",\"disks\":[{\"name\":\"a\",\"bse\":1}]}", "\"bse\""},
        {"{" SOURCES ",\"vms\":[{\"name\":\"a\",\"caps\":[{\"cap\":\"iops\"}]}]}", "\"base\""},
        {"{" SOURCES ",\"vms\":[{\"name\":\"a\",\"caps\":[{\"cap\":\"iops\",\"base\":-1}]}]}",
         "from 0 to 1e15"},
        {"{" SOURCES ",\"vms\":[{\"name\":\"a\",\"caps\":[{\"cap\":\"bw\",\"base\":1}]}]}",
         "\"unit\""},
        {"{" SOURCES ",\"vms\":[{\"name\":\"a\",\"caps\":[{\"cap\":\"iops\",\"max\":{\"max\":{"
         "\"max\":{\"max\":{\"max\":{\"max\":1}}}}}}]}]}",
         "few levels"},
        {"{" SOURCES ",\"vms\":[{\"name\":\"a\",\"vcpus\":[3,2]}]}", "ends before"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct limit_catalogue *c = limit_catalogue_empty();
        struct error err = ERROR_INIT;
        cr_expect_eq(limit_catalogue_add(c, row[i].text, strlen(row[i].text), "f", &err),
                     -ERR_INPUT, "%s", row[i].text);
        cr_expect(strstr(err.message, row[i].word), "%s: %s", row[i].text, err.message);
        cr_expect_null(limit_catalogue_entry(c, 0));
        limit_catalogue_destroy(c);
    }
}

/* A member twice: the array of the first was once written past its end. */
Test(limits, caps_twice)
{
    static const char text[] = "{" SOURCES ",\"disks\":[{\"name\":\"a\",\"source\":\"s\",\"caps\":["
                               "{\"cap\":\"iops\",\"base\":1}],\"caps\":[{\"cap\":\"iops\","
                               "\"base\":2}]}]}";
    struct limit_catalogue *c = limit_catalogue_empty();
    cr_assert_eq(limit_catalogue_add(c, text, sizeof text - 1, "f", NULL), 0);
    cr_expect_eq(limit_catalogue_entry(c, 0)->n_rules, 1);
    limit_catalogue_destroy(c);
}
