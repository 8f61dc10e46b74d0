/* `limits detect`: what was found of cloud, VM and disks, where, and what could not be known. */
#include <errno.h>
#include <math.h>
#include <sys/stat.h>

#include "cli/detect.h"
#include "cli/limits_internal.h"
#include "cli/show_internal.h"
#include "core/base/json.h"
#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "runner/device/device.h"
#include "runner/host/host.h"
#include "runner/sweep/volumes.h"

#define MAX_RECORDING ((size_t)16 << 20)

/* All that one call of the command is about. */
struct look {
    const struct limits_config *config;
    struct detect_from from;
    char *root;                     /* of a recording that is told again */
    struct cloud_recording *replay; /* its metadata */
    struct cloud_recording *kept;   /* for --record */
    struct run *run;                /* holds host, devices, limits */
    struct detected found;
};

/* ---- where to look ---- */

static int read_text(struct strbuf *out, const char *path, struct error *err)
{
    FILE *f = fopen(path, "re");
    if (!f)
        return error_errno(err, ERR_INPUT, errno, "%s", path);
    size_t n = 1;
    while (n > 0 && out->len <= MAX_RECORDING) {
        n = fread(strbuf_reserve(out, 65536), 1, 65536, f);
        strbuf_advance(out, n);
    }
    int rc = ferror(f) ? error_errno(err, ERR_INPUT, errno, "%s", path) : 0;
    fclose(f);
    return rc == 0 && out->len > MAX_RECORDING
               ? error_set(err, ERR_INPUT, "%s is larger than 16 MiB", path)
               : rc;
}

static int open_replay(struct look *l, const char *folder, struct error *err)
{
    struct stat st;
    l->root = xasprintf("%s/sysroot", folder);
    if (stat(l->root, &st) != 0 || !S_ISDIR(st.st_mode)) {
        int rc = error_set(err, ERR_INPUT, "%s is no recording: it has no folder sysroot", folder);
        error_hint(err, "`blkmatrix limits detect --record DIR` makes one.");
        return rc;
    }
    l->from = (struct detect_from){.sysroot = {l->root}};
    char *path = xasprintf("%s/metadata.json", folder);
    struct strbuf text = STRBUF_INIT;
    int rc = 0;
    if (stat(path, &st) == 0) {
        rc = read_text(&text, path, err);
        if (rc == 0)
            rc = cloud_recording_parse(&l->replay, text.text, path, err);
        l->from.replay = l->replay;
    }
    strbuf_release(&text);
    free(path);
    return rc;
}

/* The named devices, or all whole disks. */
static int take_devices(struct look *l, const char **path, size_t n, struct error *err)
{
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = device_describe(run_add_device(l->run), &l->from.sysroot, path[i], 0, err);
    if (n > 0)
        return rc;
    struct device_info *all;
    size_t n_all;
    device_list(&all, &n_all, &l->from.sysroot);
    for (size_t i = 0; i < n_all; i++)
        if (!device_is_idle(&all[i]) && all[i].type && strcmp(all[i].type, "disk") == 0)
            fields_copy(&device_fields, run_add_device(l->run), &all[i]);
    device_list_free(all, n_all);
    return 0;
}

static int look(struct look *l, const char **path, size_t n, struct error *err)
{
    const struct limits_config *c = l->config;
    l->run = run_create();
    if (c->replay) {
        int rc = open_replay(l, c->replay, err);
        if (rc < 0)
            return rc;
    } else {
        l->from = detect_here();
    }
    if (c->record)
        l->from.record = &l->kept;
    struct limit_catalogue *catalogue = NULL;
    int rc = take_devices(l, path, n, err);
    if (rc == 0)
        rc = limit_args_catalogue(&catalogue, &c->limits, err);
    if (rc == 0) {
        host_add_limits(l->run, &l->from.sysroot);
        detect_run(&l->found, &l->from, l->run);
        volumes_check(&l->found.unknown, &l->from.sysroot, l->run->device, l->run->n_devices);
        l->found.survey = n == 0;
        detect_limits(&l->found, &c->limits, catalogue, l->run);
        rc = limit_args_apply(&c->limits, catalogue, l->run, err);
    }
    limit_catalogue_destroy(catalogue);
    return rc;
}

static void forget(struct look *l)
{
    detect_release(&l->found);
    cloud_recording_destroy(l->replay);
    cloud_recording_destroy(l->kept);
    run_destroy(l->run);
    free(l->root);
}

/* ---- recording ---- */

/* Files of cgroups that said something are in it too. */
static int record(const struct look *l, struct error *err)
{
    const char **also = xcalloc(l->run->n_limits + 3, sizeof *also);
    size_t n = 0;
    for (size_t i = 0; i < l->run->n_limits; i++)
        if (l->run->limit[i].owner == OWNER_HOST && l->run->limit[i].source &&
            l->run->limit[i].source[0] == '/')
            also[n++] = l->run->limit[i].source;
    if (n > 0) {
        also[n++] = "/proc/self/cgroup";
        also[n++] = "/proc/self/mountinfo";
    }
    int rc = cloud_record_folder(l->config->record, &l->from.sysroot, l->kept, also, err);
    free(also);
    return rc;
}

/* ---- telling ---- */

static const char *kind_word(enum cloud_disk_kind kind)
{
    static const char *const word[] = {NULL, "network", "local"};
    return word[kind];
}

static const char *vm_source(const struct look *l)
{
    return strcmp(l->found.facts_source, "dmi") == 0 ? "DMI" : "metadata service";
}

static void show_machine(struct view *v, const struct look *l)
{
    const struct cloud_facts *f = &l->found.facts;
    view_heading(v, 1, "%s", "This machine");
    if (!l->found.cloud) {
        view_line(v, "cloud", "none that its firmware names; the network was not asked");
        return;
    }
    view_linef(v, "cloud", "%s (%s)", l->found.cloud->title, l->found.why.text);
    if (f->instance_type)
        view_linef(v, "VM size", "%s (%s)", f->instance_type, vm_source(l));
    view_line(v, "region", f->region);
    view_line(v, "image", f->image);
}

static void show_devices(struct view *v, const struct look *l)
{
    static const char *const title[] = {"device", "size",  "kind",    "volume",
                                        "type",   "cache", "found by"};
    if (l->run->n_devices == 0)
        return;
    struct text_table *t = text_table_create();
    for (size_t i = 0; i < sizeof title / sizeof title[0]; i++)
        text_table_column(t, title[i], i == 1 ? COL_RIGHT : i > 2 ? COL_TRUNC : 0);
    for (size_t i = 0; i < l->run->n_devices; i++) {
        const struct device_info *d = &l->run->device[i];
        char size[NUMFMT_MAX];
        text_table_row(t);
        text_table_cell(t, d->path);
        text_table_cell(t, IS_KNOWN(d, DEVICE, size) ? fmt_bytes(size, d->size) : NULL);
        text_table_cell(t, kind_word(l->found.disk[i].kind));
        text_table_cell(t, d->cloud_volume_id);
        text_table_cell(t, d->volume_type);
        text_table_cell(t, d->cache_mode);
        text_table_cell(t, l->found.disk[i].where);
    }
    view_heading(v, 2, "Disks");
    view_table(v, t);
}

static void show_unknown(struct view *v, const char *lines)
{
    if (!*lines)
        return;
    view_heading(v, 2, "Not known");
    show_lines(v, lines);
}

static void print_page(const struct cmd_ctx *ctx, const struct look *l)
{
    struct view v;
    view_init(&v, ctx);
    show_machine(&v, l);
    show_devices(&v, l);
    show_limits(&v, l->run);
    show_unknown(&v, l->found.unknown.text);
    view_print(&v);
}

static void add_device(cJSON *array, const struct device_info *d, const struct cloud_disk *k)
{
    cJSON *o = json_add_object(array, NULL);
    json_add_text(o, "path", d->path);
    if (IS_KNOWN(d, DEVICE, size))
        json_add_u64(o, "size", d->size);
    else
        json_add_null(o, "size");
    json_add_text(o, "kind", kind_word(k->kind));
    json_add_text(o, "volume_id", d->cloud_volume_id);
    json_add_text(o, "volume_type", d->volume_type);
    json_add_text(o, "cache", d->cache_mode);
    json_add_f64(o, "iops", k->iops);
    json_add_f64(o, "bw", k->mbps * 1e6);
    json_add_text(o, "found_by", k->where);
}

static void print_json(const struct look *l)
{
    const struct cloud_facts *f = &l->found.facts;
    cJSON *root = json_add_object(NULL, NULL);
    json_add_text(root, "cloud", l->found.cloud ? l->found.cloud->name : NULL);
    json_add_text(root, "cloud_source", l->found.cloud ? l->found.why.text : NULL);
    json_add_text(root, "vm", f->instance_type);
    json_add_text(root, "vm_source", f->instance_type ? vm_source(l) : NULL);
    json_add_text(root, "region", f->region);
    json_add_text(root, "image", f->image);
    cJSON *devices = json_add_array(root, "devices");
    for (size_t i = 0; i < l->run->n_devices; i++)
        add_device(devices, &l->run->device[i], &l->found.disk[i]);
    cJSON *limits = json_add_array(root, "limits");
    for (size_t i = 0; i < l->run->n_limits; i++)
        fields_to_json(json_add_object(limits, NULL), &limit_fields, &l->run->limit[i]);
    cJSON *unknown = json_add_array(root, "unknown");
    for (char *line = l->found.unknown.text, *end; (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        *end = '\0';
        json_add_text(unknown, NULL, line);
        *end = '\n';
    }
    char *text = json_print(root, true);
    puts(text);
    free(text);
    cJSON_Delete(root);
}

int limits_detect(const struct cmd_ctx *ctx, const struct limits_config *c, const char **path,
                  size_t n, struct error *err)
{
    struct look l = {.config = c, .found = {.why = STRBUF_INIT, .unknown = STRBUF_INIT}};
    if (c->record && c->replay)
        return error_set(err, ERR_USAGE, "only one of --record and --replay can be");
    if (ctx->format == OUT_CSV)
        return error_set(err, ERR_USAGE, "limits detect prints a table, json or md, not csv");
    int rc = look(&l, path, n, err);
    if (rc == 0 && ctx->format == OUT_JSON)
        print_json(&l);
    else if (rc == 0)
        print_page(ctx, &l);
    if (rc == 0 && c->record)
        rc = record(&l, err);
    if (rc == 0 && c->record && !ctx->quiet)
        fprintf(stderr,
                "%s has what was read: firmware, disks with their serial numbers, the answers of "
                "the metadata service; its README says more\n",
                c->record);
    forget(&l);
    return rc;
}
