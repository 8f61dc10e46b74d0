/*
 * Amazon EC2. The metadata service in its second version: a session token is asked for, and goes
 * with every question (EC2 User Guide, "Use the Instance Metadata Service"). EBS volumes of Nitro
 * are NVMe disks with the volume id as serial number; on Xen the service's list of names is all
 * there is, and it has no volume ids.
 */
#include <strings.h>

#include "core/base/xalloc.h"
#include "runner/host/cloud/cloud_internal.h"

#define META      "/latest/meta-data/"
#define MAX_TOKEN 1024
#define MAX_DISKS 64

static bool detect(const struct dmi *d, struct strbuf *why)
{
    static const char vendor[] = "Amazon EC2";
    if ((d->sys_vendor && strcmp(d->sys_vendor, vendor) == 0) ||
        (d->board_vendor && strcmp(d->board_vendor, vendor) == 0)) {
        strbuf_addf(why, "DMI vendor \"%s\"", vendor);
        return true;
    }
    /* Xen: other clouds are Xen too, so the version of the firmware has to say amazon as well */
    if (d->hypervisor_uuid && strncasecmp(d->hypervisor_uuid, "ec2", 3) == 0 &&
        (!d->bios_version || strcasestr(d->bios_version, "amazon"))) {
        strbuf_adds(why, "hypervisor uuid \"ec2...\"");
        return true;
    }
    return false;
}

/* "X-aws-ec2-metadata-token: TOKEN" */
static int get_token(const struct transport *t, char **header, struct error *err)
{
    const struct http_request request = {"PUT", "/latest/api/token",
                                         "X-aws-ec2-metadata-token-ttl-seconds: 60", NULL};
    struct http_answer answer = {0};
    int rc = t->ask(t->self, &request, &answer, err);
    if (rc == 0 && answer.status != 200)
        rc = cloud_bad_status(&request, &answer, err);
    /* it becomes a line of the next question: nothing in it may end that line */
    char *token = rc == 0 ? cloud_name(answer.body, MAX_TOKEN) : NULL;
    if (rc == 0 && !token)
        rc = error_set(err, ERR_DEVICE, "the metadata service's session token is not one");
    if (token)
        *header = xasprintf("X-aws-ec2-metadata-token: %s", token);
    free(token);
    http_answer_release(&answer);
    return rc;
}

/* "ebs1" -> "sdf": one disk of the list. */
static int get_mapping(const struct transport *t, const char *header, const char *name,
                       struct cloud_facts *out, struct error *err)
{
    bool local = strncmp(name, "ephemeral", 9) == 0;
    bool volume = strncmp(name, "ebs", 3) == 0 || strcmp(name, "root") == 0;
    if (!local && !volume)
        return 0;
    char *path = xasprintf(META "block-device-mapping/%s", name), *device = NULL;
    int rc = cloud_get_name(t, path, header, &device, err);
    free(path);
    if (rc < 0)
        return rc;
    struct cloud_disk *d = cloud_facts_add(out);
    d->kind = local ? CLOUD_DISK_LOCAL : CLOUD_DISK_NETWORK;
    d->device = cloud_last_part(device, 100); /* "/dev/sda1" or "sda1" */
    d->where = xasprintf("metadata service, block-device-mapping/%s", name);
    free(device);
    return 0;
}

static int get_mappings(const struct transport *t, const char *header, struct cloud_facts *out,
                        struct error *err)
{
    char *list = NULL;
    int rc = cloud_get(t, META "block-device-mapping/", header, NULL, &list, err);
    size_t n = 0;
    for (char *line = list, *next; rc == 0 && line && *line && n < MAX_DISKS; line = next, n++) {
        char *end = line + strcspn(line, "\n");
        next = *end ? end + 1 : end;
        *end = '\0';
        char *name = cloud_name(line, 40);
        if (name && !strpbrk(name, "/?#%"))
            rc = get_mapping(t, header, name, out, err);
        free(name);
    }
    free(list);
    return rc;
}

static int fetch(const struct transport *t, struct cloud_facts *out, struct error *err)
{
    const char *off = getenv("AWS_EC2_METADATA_DISABLED"); /* as Amazon's own tools heed it */
    if (off && strcasecmp(off, "true") == 0)
        return error_set(err, ERR_DEVICE,
                         "AWS_EC2_METADATA_DISABLED=true: the metadata service was not asked");
    char *header = NULL;
    int rc = get_token(t, &header, err);
    if (rc == 0)
        rc = cloud_get_name(t, META "instance-type", header, &out->instance_type, err);
    if (rc == 0)
        rc = cloud_get_name(t, META "placement/availability-zone", header, &out->region, err);
    if (rc == 0)
        rc = cloud_get_name(t, META "ami-id", header, &out->image, err);
    if (rc == 0)
        rc = get_mappings(t, header, out, err);
    free(header);
    return rc;
}

/* ---- devices ---- */

static void set_instance_store(struct cloud_disk *out, const struct cloud_facts *facts)
{
    out->kind = CLOUD_DISK_LOCAL;
    if (facts->instance_type) /* as the catalogue of limits names it */
        out->type = xasprintf("%s/instance-store", facts->instance_type);
}

/* Xen: "sdf" of the list is xvdf, or sdf, here; "sda1" is the root volume. */
static bool match_xen(const char *disk, const struct cloud_facts *facts, struct cloud_disk *out)
{
    const char *letter = strncmp(disk, "xvd", 3) == 0  ? disk + 3
                         : strncmp(disk, "sd", 2) == 0 ? disk + 2
                                                       : NULL;
    for (size_t i = 0; letter && i < facts->n_disks; i++) {
        const struct cloud_disk *d = &facts->disk[i];
        const char *name = d->device ? d->device : "";
        name += strncmp(name, "xvd", 3) == 0 ? 3 : strncmp(name, "sd", 2) == 0 ? 2 : 0;
        size_t n = strcspn(name, "0123456789");
        if (n == 0 || n != strlen(letter) || strncmp(name, letter, n) != 0)
            continue;
        out->kind = d->kind;
        out->where = xstrdup(d->where);
        if (d->kind == CLOUD_DISK_LOCAL)
            set_instance_store(out, facts);
        return true;
    }
    return false;
}

static bool match_volume(const struct sysroot *sr, const char *disk,
                         const struct cloud_facts *facts, struct cloud_disk *out)
{
    char *model = cloud_disk_text(sr, disk, "device/model");
    char *serial = cloud_disk_text(sr, disk, "device/serial");
    bool found = true;
    if (model && strcmp(model, "Amazon Elastic Block Store") == 0) {
        out->kind = CLOUD_DISK_NETWORK;
        if (serial && strncmp(serial, "vol", 3) == 0 && serial[3] != '\0')
            out->id = xasprintf("vol-%s", serial[3] == '-' ? serial + 4 : serial + 3);
        out->where = xstrdup("NVMe model and serial number");
    } else if (model && strcmp(model, "Amazon EC2 NVMe Instance Storage") == 0) {
        set_instance_store(out, facts);
        out->where = xstrdup("NVMe model");
    } else {
        found = match_xen(disk, facts, out);
    }
    free(model);
    free(serial);
    return found;
}

const struct cloud_ops cloud_aws = {
    .name = "aws",
    .title = "Amazon EC2",
    .dmi_names_size = true,
    .detect = detect,
    .fetch = fetch,
    .match_volume = match_volume,
};
