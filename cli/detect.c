#include "cli/detect.h"

#include <stdarg.h>

#include "core/base/utf8.h"
#include "core/base/xalloc.h"

struct detect_from detect_here(void)
{
    const char *root = getenv(DETECT_ROOT);
    bool recorded = root && *root;
    struct detect_from from = {.sysroot = recorded ? (struct sysroot){root} : sysroot_system};
    from.network = !recorded || getenv("BLKMATRIX_METADATA_URL");
    return from;
}

/* One line, whatever stands in a message or in the name of a device. */
void detect_say(struct detected *d, const char *fmt, ...)
{
    struct strbuf text = STRBUF_INIT;
    va_list ap;
    va_start(ap, fmt);
    strbuf_addv(&text, fmt, ap);
    va_end(ap);
    for (char *p = text.text; *p; p++)
        *p = *p == '\n' ? ' ' : *p;
    utf8_clean(&d->unknown, text.text);
    strbuf_addc(&d->unknown, '\n');
    strbuf_release(&text);
}

/* ---- the cloud and its VM ---- */

static void fetch(struct detected *d, const struct transport *t, const struct detect_from *from)
{
    struct error err = ERROR_INIT;
    struct cloud_recording *kept = from->record ? cloud_recording_create(t) : NULL;
    const struct transport through = kept ? cloud_recording_transport(kept) : *t;
    if (d->cloud->fetch(&through, &d->facts, &err) < 0)
        detect_say(d, "%s", err.message);
    if (kept)
        *from->record = kept;
}

static void ask_service(struct detected *d, const struct detect_from *from)
{
    struct error err = ERROR_INIT;
    struct metadata_http *http = NULL;
    if (from->replay) {
        const struct transport t = cloud_recording_transport(from->replay);
        fetch(d, &t, from);
    } else if (!from->network) {
        detect_say(d, "the metadata service was not asked: this is a recorded machine");
    } else if (metadata_http_create(&http, &err) < 0) {
        detect_say(d, "%s", err.message);
    } else {
        const struct transport t = metadata_http_transport(http);
        fetch(d, &t, from);
        metadata_http_destroy(http);
    }
}

/* EC2's firmware names the size as its product, on Nitro. */
static void take_size_from_dmi(struct detected *d, const struct dmi *dmi)
{
    if (d->facts.instance_type || !d->cloud->dmi_names_size || !dmi->product_name ||
        !strchr(dmi->product_name, '.') || strpbrk(dmi->product_name, " \t\n"))
        return;
    d->facts.instance_type = xstrdup(dmi->product_name);
    d->facts_source = "dmi";
}

static void look_at_machine(struct detected *d, const struct detect_from *from)
{
    struct dmi dmi = {0};
    dmi_read(&dmi, &from->sysroot);
    d->cloud = cloud_find(&dmi, &d->why);
    d->facts_source = "imds";
    if (d->cloud) {
        ask_service(d, from);
        take_size_from_dmi(d, &dmi);
    }
    dmi_release(&dmi);
}

/* ---- devices ---- */

static void no_disk(struct detected *d, const struct device_info *info, size_t n_below)
{
    const char *path = info->path ? info->path : "the device";
    if (n_below > 1)
        detect_say(d, "%s stands on %zu disks: which caps hold for it is not worked out", path,
                   n_below);
    else
        detect_say(d, "%s is no disk that %s tells of", path, d->cloud->title);
}

static void match_device(struct detected *d, const struct detect_from *from,
                         const struct device_info *info, struct cloud_disk *out)
{
    size_t n;
    char **disk = cloud_disks_below(&n, &from->sysroot, info);
    if (n != 1 || !d->cloud->match_volume(&from->sysroot, disk[0], &d->facts, out))
        no_disk(d, info, n);
    sysroot_list_free(disk, n);
}

static void set_unknown_text(struct device_info *info, size_t field, const char *text)
{
    if (text && !field_is_known(&device_fields, info, field))
        field_set_text(&device_fields, info, field, text);
}

static void describe(const struct detected *d, struct run *run)
{
    const struct {
        size_t field;
        const char *text;
    } host[] = {{HOST_cloud, d->cloud->name},
                {HOST_instance_type, d->facts.instance_type},
                {HOST_region, d->facts.region},
                {HOST_image, d->facts.image}};
    for (size_t i = 0; i < sizeof host / sizeof host[0]; i++)
        if (host[i].text)
            field_set_text(&host_fields, &run->host, host[i].field, host[i].text);
    for (size_t i = 0; i < run->n_devices; i++) {
        set_unknown_text(&run->device[i], DEVICE_cloud_volume_id, d->disk[i].id);
        set_unknown_text(&run->device[i], DEVICE_volume_type, d->disk[i].type);
        set_unknown_text(&run->device[i], DEVICE_cache_mode, d->disk[i].cache);
    }
}

void detect_run(struct detected *out, const struct detect_from *from, struct run *run)
{
    *out = (struct detected){.why = STRBUF_INIT, .unknown = STRBUF_INIT};
    look_at_machine(out, from);
    out->n_disks = run->n_devices;
    out->disk = xcalloc(run->n_devices + 1, sizeof *out->disk);
    for (size_t i = 0; i < run->n_devices; i++) {
        cloud_disk_init(&out->disk[i]);
        if (out->cloud)
            match_device(out, from, &run->device[i], &out->disk[i]);
    }
    if (out->cloud)
        describe(out, run);
}

void detect_release(struct detected *d)
{
    strbuf_release(&d->why);
    strbuf_release(&d->unknown);
    cloud_facts_release(&d->facts);
    for (size_t i = 0; i < d->n_disks; i++)
        cloud_disk_release(&d->disk[i]);
    free(d->disk);
}

void detect_summary(struct strbuf *out, const struct detected *d, const struct run *run)
{
    if (!d->cloud)
        return;
    strbuf_addf(out, "%s, %s", d->cloud->title,
                d->facts.instance_type ? d->facts.instance_type : "VM size not known");
    for (size_t i = 0; i < d->n_disks && i < run->n_devices; i++) {
        const struct cloud_disk *k = &d->disk[i];
        if (k->kind == CLOUD_DISK_UNKNOWN)
            continue;
        strbuf_adds(out, "; ");
        utf8_clean(out, run->device[i].path ? run->device[i].path : "device");
        strbuf_addf(out, ": %s",
                    k->type                       ? k->type
                    : k->kind == CLOUD_DISK_LOCAL ? "a disk of the host"
                                                  : "a volume, type not known");
        if (k->id)
            strbuf_addf(out, " %s", k->id);
        if (k->cache)
            strbuf_addf(out, ", cache %s", k->cache);
    }
}
