#include <criterion/criterion.h>
#include <math.h>

#include "core/base/strbuf.h"
#include "core/base/xalloc.h"
#include "runner/host/cloud/cloud.h"
#include "tests/support/sysroot_file.h"

#define EXPECT_TEXT(have, want)                                                                    \
    cr_expect((have) && strcmp((have), (want)) == 0, "%s is %s, not %s", #have,                    \
              (have) ? (have) : "unknown", (want))

static struct cloud_recording *load(const char *name)
{
    char *path = xasprintf("%s/metadata/%s.json", TEST_DATA, name);
    FILE *f = fopen(path, "r");
    cr_assert(f, "%s", path);
    struct strbuf text = STRBUF_INIT;
    size_t n;
    do {
        n = fread(strbuf_reserve(&text, 4096), 1, 4096, f);
        strbuf_advance(&text, n);
    } while (n > 0);
    fclose(f);
    struct cloud_recording *r = NULL;
    struct error err = ERROR_INIT;
    cr_assert(cloud_recording_parse(&r, text.text, path, &err) == 0, "%s", err.message);
    strbuf_release(&text);
    free(path);
    return r;
}

struct machine {
    struct sysroot sr;
    const struct cloud_ops *cloud;
    struct cloud_facts facts;
};

/* The machine of a recording, asked for everything. */
static struct machine ask(const char *sysroot, const char *metadata)
{
    struct machine m = {.sr = sysroot_file_unpack(sysroot)};
    struct dmi dmi = {0};
    struct strbuf why = STRBUF_INIT;
    struct error err = ERROR_INIT;
    dmi_read(&dmi, &m.sr);
    m.cloud = cloud_find(&dmi, &why);
    dmi_release(&dmi);
    cr_assert(m.cloud && why.len > 0);
    strbuf_release(&why);
    if (metadata) {
        struct cloud_recording *r = load(metadata);
        const struct transport t = cloud_recording_transport(r);
        cr_assert(m.cloud->fetch(&t, &m.facts, &err) == 0, "%s", err.message);
        cloud_recording_destroy(r);
    }
    return m;
}

static void forget(struct machine *m)
{
    cloud_facts_release(&m->facts);
    sysroot_file_remove(&m->sr);
}

static struct cloud_disk match(const struct machine *m, const char *disk)
{
    struct cloud_disk d;
    cloud_disk_init(&d);
    cr_assert(m->cloud->match_volume(&m->sr, disk, &m->facts, &d), "%s", disk);
    cr_expect(d.where && d.kind != CLOUD_DISK_UNKNOWN);
    return d;
}

Test(cloud, ec2_nitro)
{
    struct machine m = ask("aws", "aws/nitro");
    EXPECT_TEXT(m.cloud->name, "aws");
    EXPECT_TEXT(m.facts.instance_type, "t4g.medium");
    EXPECT_TEXT(m.facts.region, "eu-central-1b");
    EXPECT_TEXT(m.facts.image, "ami-0123456789abcdef0");
    struct cloud_disk d = match(&m, "nvme1n1");
    EXPECT_TEXT(d.id, "vol-00112233445566778");
    cr_expect(d.kind == CLOUD_DISK_NETWORK && !d.type && isnan(d.iops) && d.size == 0);
    cloud_disk_release(&d);
    d = match(&m, "nvme2n1");
    cr_expect(d.kind == CLOUD_DISK_LOCAL && !d.id);
    EXPECT_TEXT(d.type, "t4g.medium/instance-store");
    cloud_disk_release(&d);
    forget(&m);
}

Test(cloud, ec2_xen_knows_disks_by_their_names)
{
    struct cloud_recording *r = load("aws/xen");
    const struct transport t = cloud_recording_transport(r);
    struct machine m = {.sr = sysroot_file_unpack("virtio"), .cloud = &cloud_aws};
    struct error err = ERROR_INIT;
    cr_assert(m.cloud->fetch(&t, &m.facts, &err) == 0, "%s", err.message);
    cloud_recording_destroy(r);
    struct cloud_disk d = match(&m, "xvdf");
    cr_expect(d.kind == CLOUD_DISK_NETWORK && !d.id && !d.type);
    cloud_disk_release(&d);
    d = match(&m, "xvda");
    cr_expect(d.kind == CLOUD_DISK_NETWORK);
    cloud_disk_release(&d);
    d = match(&m, "xvdb");
    cr_expect(d.kind == CLOUD_DISK_LOCAL);
    EXPECT_TEXT(d.type, "m3.large/instance-store");
    cloud_disk_release(&d);
    cr_expect(!m.cloud->match_volume(&m.sr, "xvdz", &m.facts, &d));
    cr_expect(!m.cloud->match_volume(&m.sr, "vda", &m.facts, &d));
    forget(&m);
}

Test(cloud, azure_disks_by_lun)
{
    struct machine m = ask("azure", "azure/scsi");
    EXPECT_TEXT(m.cloud->name, "azure");
    EXPECT_TEXT(m.facts.instance_type, "Standard_DS2_v2");
    EXPECT_TEXT(m.facts.region, "westeurope");
    struct cloud_disk d = match(&m, "sdc"); /* by the agent's link */
    EXPECT_TEXT(d.id, "data0");
    EXPECT_TEXT(d.type, "Premium_LRS");
    EXPECT_TEXT(d.cache, "ro");
    cr_expect(d.size == UINT64_C(64) << 30 && d.lun == 0 && isnan(d.iops));
    cr_expect(strstr(d.where, "lun0") && strstr(d.where, "metadata"));
    cloud_disk_release(&d);
    d = match(&m, "sdd"); /* by its SCSI address; an Ultra disk says what it is set to */
    EXPECT_TEXT(d.id, "ultra");
    EXPECT_TEXT(d.type, "UltraSSD_LRS");
    EXPECT_TEXT(d.cache, "none");
    cr_expect_float_eq(d.iops, 4000, 0);
    cr_expect_float_eq(d.mbps, 200, 0);
    cloud_disk_release(&d);
    d = match(&m, "sda");
    EXPECT_TEXT(d.id, "os");
    EXPECT_TEXT(d.cache, "rw");
    cloud_disk_release(&d);
    d = match(&m, "sdb");
    cr_expect(d.kind == CLOUD_DISK_LOCAL && !d.id && !d.type);
    cloud_disk_release(&d);
    forget(&m);
}

Test(cloud, azure_nvme_namespaces)
{
    struct machine m = ask("azure_nvme", NULL);
    struct cloud_disk *listed = cloud_facts_add(&m.facts);
    listed->kind = CLOUD_DISK_NETWORK;
    listed->lun = 2;
    listed->id = xstrdup("data2");
    listed->where = xstrdup("metadata service, LUN 2");
    struct cloud_disk d = match(&m, "nvme0n4");
    EXPECT_TEXT(d.id, "data2");
    cloud_disk_release(&d);
    d = match(&m, "nvme0n1");
    cr_expect(d.kind == CLOUD_DISK_NETWORK && d.system && !d.id);
    cloud_disk_release(&d);
    d = match(&m, "nvme1n1");
    cr_expect(d.kind == CLOUD_DISK_LOCAL);
    cloud_disk_release(&d);
    forget(&m);
}

Test(cloud, google_disks_of_a_type_share_their_limit)
{
    struct machine m = ask("gce", "gcp/pd");
    EXPECT_TEXT(m.cloud->name, "gcp");
    EXPECT_TEXT(m.facts.instance_type, "n2-standard-8");
    EXPECT_TEXT(m.facts.region, "europe-west3-a");
    struct cloud_disk d = match(&m, "sdb");
    EXPECT_TEXT(d.id, "data-1");
    EXPECT_TEXT(d.type, "pd-ssd");
    cr_expect_eq(d.size, UINT64_C(500) << 30, "100 GiB here and 400 GiB on sdc");
    cloud_disk_release(&d);
    d = match(&m, "sda");
    EXPECT_TEXT(d.type, "pd-balanced");
    cr_expect_eq(d.size, UINT64_C(10) << 30);
    cloud_disk_release(&d);
    d = match(&m, "nvme0n1");
    cr_expect(d.kind == CLOUD_DISK_LOCAL);
    EXPECT_TEXT(d.type, "local-ssd");
    cloud_disk_release(&d);
    forget(&m);
}

Test(cloud, google_size_is_unknown_when_one_disk_is)
{
    struct machine m = ask("gce", "gcp/pd");
    char *link = xasprintf("%s/dev/disk/by-id/google-data-2", m.sr.root);
    cr_assert(remove(link) == 0);
    struct cloud_disk d = match(&m, "sdb");
    EXPECT_TEXT(d.type, "pd-ssd");
    cr_expect_eq(d.size, 0);
    cloud_disk_release(&d);
    d = match(&m, "sdc"); /* its model still tells what kind it is */
    cr_expect(d.kind == CLOUD_DISK_NETWORK && !d.type);
    cloud_disk_release(&d);
    free(link);
    forget(&m);
}

Test(cloud, other_machines_are_in_none)
{
    static const char *const name[] = {"server", "virtio"};
    for (size_t i = 0; i < 2; i++) {
        struct sysroot sr = sysroot_file_unpack(name[i]);
        struct dmi dmi = {0};
        struct strbuf why = STRBUF_INIT;
        dmi_read(&dmi, &sr);
        cr_expect(!cloud_find(&dmi, &why) && why.len == 0, "%s", name[i]);
        dmi_release(&dmi);
        strbuf_release(&why);
        sysroot_file_remove(&sr);
    }
    /* Hyper-V on a desk, a laptop; another Xen cloud */
    struct strbuf why = STRBUF_INIT;
    char microsoft[] = "Microsoft Corporation", uuid[] = "ec2e1916-1111", version[] = "4.2.ibm";
    const struct dmi hyperv = {.sys_vendor = microsoft};
    const struct dmi xen = {.hypervisor_uuid = uuid, .bios_version = version};
    cr_expect(!cloud_find(&hyperv, &why));
    cr_expect(!cloud_find(&xen, &why));
    strbuf_release(&why);
}

/* ---- answers that are not what they should be ---- */

struct wrong {
    const char *path, *body; /* in place of the recorded answer */
    int status;
    const char *says; /* part of the message */
};

static int ask_wrong(void *self, const struct http_request *request, struct http_answer *out,
                     struct error *err)
{
    const void *const *pair = self;
    const struct wrong *w = pair[1];
    if (strcmp(request->path, w->path) == 0) {
        *out = (struct http_answer){w->status, xstrdup(w->body), NULL};
        return 0;
    }
    struct transport real = cloud_recording_transport((struct cloud_recording *)pair[0]);
    return real.ask(real.self, request, out, err);
}

static void try_wrong(const struct cloud_ops *cloud, const char *recording, const struct wrong *w,
                      size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct cloud_recording *r = load(recording);
        const void *pair[] = {r, &w[i]};
        const struct transport t = {pair, ask_wrong};
        struct cloud_facts facts = {0};
        struct error err = ERROR_INIT;
        cr_expect_eq(cloud->fetch(&t, &facts, &err), -ERR_DEVICE, "%s %s", w[i].path, w[i].body);
        cr_expect(strstr(err.message, w[i].says), "%s: %s", w[i].path, err.message);
        cloud_facts_release(&facts);
        cloud_recording_destroy(r);
    }
}

Test(cloud, wrong_answers_are_said)
{
    static const struct wrong aws[] = {
        {"/latest/api/token", "", 403, "switched off"},
        {"/latest/api/token", "", 404, "404"},
        {"/latest/api/token", "", 401, "401"},
        {"/latest/api/token", "", 302, "redirect"},
        {"/latest/api/token", "", 200, "token"},
        {"/latest/api/token", "A\r\nX-Evil: 1", 200, "token"},
        {"/latest/meta-data/instance-type", "", 401, "401"},
        {"/latest/meta-data/instance-type", "<html>not here</html>", 200, "not a name"},
        {"/latest/meta-data/instance-type", "t4g\x1b[2J.medium", 200, "not a name"},
        {"/latest/meta-data/block-device-mapping/", "", 500, "500"},
    };
    try_wrong(&cloud_aws, "aws/nitro", aws, sizeof aws / sizeof aws[0]);
    static const struct wrong azure[] = {
        {"/metadata/instance/compute/vmSize?api-version=2021-12-13&format=text", "", 429, "often"},
        {"/metadata/instance/compute/storageProfile?api-version=2021-12-13&format=json",
         "{\"dataDisks\":[{", 200, "JSON"},
        {"/metadata/instance/compute/storageProfile?api-version=2021-12-13&format=json", "[]", 200,
         "JSON"},
    };
    try_wrong(&cloud_azure, "azure/scsi", azure, sizeof azure / sizeof azure[0]);
    /* without its mark it is not Google that answers */
    static const struct wrong gcp[] = {
        {"/computeMetadata/v1/instance/machine-type", "projects/1/machineTypes/n2-standard-8", 200,
         "is not it"},
    };
    try_wrong(&cloud_gcp, "gcp/pd", gcp, 1);
}

Test(cloud, facts_that_came_stay)
{
    static const struct wrong w = {"/latest/meta-data/ami-id", "", 500, ""};
    struct cloud_recording *r = load("aws/nitro");
    const void *pair[] = {r, &w};
    const struct transport t = {pair, ask_wrong};
    struct cloud_facts facts = {0};
    struct error err = ERROR_INIT;
    cr_expect(cloud_aws.fetch(&t, &facts, &err) < 0);
    EXPECT_TEXT(facts.instance_type, "t4g.medium");
    cr_expect(!facts.image);
    cloud_facts_release(&facts);
    cloud_recording_destroy(r);
}

Test(cloud, recording_keeps_all_but_the_token)
{
    static const struct wrong w = {"/latest/api/token", "very-secret==", 200, ""};
    struct cloud_recording *r = load("aws/nitro"), *again = NULL;
    const void *pair[] = {r, &w};
    const struct transport real = {pair, ask_wrong};
    struct cloud_recording *kept = cloud_recording_create(&real);
    const struct transport t = cloud_recording_transport(kept);
    struct cloud_facts facts = {0};
    struct error err = ERROR_INIT;
    cr_assert(cloud_aws.fetch(&t, &facts, &err) == 0, "%s", err.message);
    cloud_facts_release(&facts);
    char *text = cloud_recording_json(kept);
    cr_expect(!strstr(text, "very-secret"));
    cr_assert(cloud_recording_parse(&again, text, "recording", &err) == 0, "%s", err.message);
    const struct transport replay = cloud_recording_transport(again);
    cr_assert(cloud_aws.fetch(&replay, &facts, &err) == 0, "%s", err.message);
    EXPECT_TEXT(facts.instance_type, "t4g.medium");
    cloud_facts_release(&facts);
    free(text);
    cloud_recording_destroy(again);
    cloud_recording_destroy(kept);
    cloud_recording_destroy(r);
}

Test(cloud, damaged_recordings_are_refused)
{
    static const char *const bad[] = {"",
                                      "{}",
                                      "[1]",
                                      "[{\"method\":\"GET\"}]",
                                      "[{\"method\":\"GET\",\"path\":\"/\",\"status\":20}]",
                                      "[{\"method\":\"GET\",\"path\":\"/\",\"status\":200}]"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct cloud_recording *r = NULL;
        struct error err = ERROR_INIT;
        cr_expect_eq(cloud_recording_parse(&r, bad[i], "x.json", &err), -ERR_INPUT, "%s", bad[i]);
        cr_expect(strstr(err.message, "x.json"));
    }
}
