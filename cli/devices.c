/* `blkmatrix devices`: what there is to measure, and whether it may be written. */
#include "cli/cmd.h"
#include "cli/table_out.h"
#include "core/base/json.h"
#include "core/base/numfmt.h"
#include "core/base/text_table.h"
#include "core/base/xalloc.h"
#include "runner/device/device.h"

struct devices_config {
    bool all;
};

static const struct opt devices_opts[] = {
    {.name = "all",
     .letter = 'a',
     .type = OPT_FLAG,
     .offset = offsetof(struct devices_config, all),
     .help = "idle loop, zram and ram devices too, and drives without a medium"},
    OPT_END,
};

/* A device and what speaks against writing to it. */
struct row {
    const struct device_info *info;
    struct findings findings;
};

/* The kinds of the findings, each once: "mounted, swap". */
static void add_state(struct strbuf *out, const struct findings *f)
{
    unsigned seen = 0;
    for (size_t i = 0; i < f->n; i++) {
        unsigned bit = 1u << f->item[i].kind;
        if ((seen & bit) == 0)
            strbuf_addf(out, "%s%s", seen ? ", " : "", finding_names[f->item[i].kind]);
        seen |= bit;
    }
}

/* The finding that weighs most: one that nothing overrules, else the first. */
static void add_verdict(struct strbuf *out, const struct findings *f)
{
    if (f->n == 0) {
        strbuf_adds(out, "allowed (with --allow-write)");
        return;
    }
    size_t worst = 0;
    while (worst < f->n && finding_can_be_overruled(f->item[worst].kind))
        worst++;
    bool fixed = worst < f->n;
    strbuf_addf(out, "refused: %s", f->item[fixed ? worst : 0].text);
    if (f->n > 1)
        strbuf_addf(out, ", and %zu more", f->n - 1);
    if (!fixed)
        strbuf_adds(out, " (--destroy-data overrules)");
}

static struct text_table *make_table(const struct row *row, size_t n)
{
    struct text_table *t = text_table_create();
    bool in_cloud = false;
    for (size_t i = 0; i < n; i++)
        in_cloud |= row[i].info->cloud_volume_id != NULL;
    text_table_column(t, "DEVICE", 0);
    text_table_column(t, "SIZE", COL_RIGHT);
    text_table_column(t, "MODEL", COL_TRUNC);
    text_table_column(t, "TRANSPORT", COL_YIELD);
    text_table_column(t, "SCHEDULER", COL_YIELD);
    if (in_cloud)
        text_table_column(t, "VOLUME", 0);
    text_table_column(t, "STATE", COL_WRAP);
    text_table_column(t, "WRITE TEST", COL_WRAP);
    for (size_t i = 0; i < n; i++) {
        const struct device_info *d = row[i].info;
        char size[NUMFMT_MAX];
        struct strbuf state = STRBUF_INIT, verdict = STRBUF_INIT;
        add_state(&state, &row[i].findings);
        add_verdict(&verdict, &row[i].findings);
        text_table_row(t);
        text_table_cell(t, d->path);
        text_table_cell(t, IS_KNOWN(d, DEVICE, size) ? fmt_bytes(size, d->size) : NULL);
        text_table_cell(t, d->model);
        text_table_cell(t, d->transport);
        text_table_cell(t, d->scheduler);
        if (in_cloud)
            text_table_cell(t, d->cloud_volume_id);
        text_table_cell(t, state.len ? state.text : "free");
        text_table_cell(t, verdict.text);
        strbuf_release(&state);
        strbuf_release(&verdict);
    }
    return t;
}

/* All fields, as CSV has them elsewhere: plain numbers in the unit of the field. */
static struct text_table *make_csv(const struct row *row, size_t n)
{
    struct text_table *t = text_table_create();
    for (size_t k = 0; k < device_fields.n; k++)
        text_table_column(t, device_fields.field[k].name, 0);
    text_table_column(t, "write_allowed", 0);
    text_table_column(t, "findings", 0);
    for (size_t i = 0; i < n; i++) {
        struct strbuf text = STRBUF_INIT;
        text_table_row(t);
        for (size_t k = 0; k < device_fields.n; k++) {
            strbuf_reset(&text);
            field_format(&text, &device_fields, row[i].info, k);
            text_table_cell(t, text.text);
        }
        text_table_cell(t, row[i].findings.n == 0 ? "true" : "false");
        strbuf_reset(&text);
        for (size_t k = 0; k < row[i].findings.n; k++)
            strbuf_addf(&text, "%s%s", k ? "; " : "", row[i].findings.item[k].text);
        text_table_cell(t, text.text);
        strbuf_release(&text);
    }
    return t;
}

static void add_json(cJSON *array, const struct row *row)
{
    cJSON *o = json_add_object(array, NULL);
    fields_to_json(o, &device_fields, row->info);
    json_add_bool(o, "write_allowed", row->findings.n == 0);
    cJSON *list = json_add_array(o, "findings");
    for (size_t i = 0; i < row->findings.n; i++) {
        const struct finding *f = &row->findings.item[i];
        cJSON *item = json_add_object(list, NULL);
        json_add_text(item, "kind", finding_names[f->kind]);
        json_add_text(item, "device", f->device);
        json_add_text(item, "text", f->text);
        json_add_bool(item, "can_be_overruled", finding_can_be_overruled(f->kind));
    }
}

static void print_json(const struct row *row, size_t n)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++)
        add_json(array, &row[i]);
    char *text = json_print(array, true);
    puts(text);
    free(text);
    cJSON_Delete(array);
}

static void print_rows(const struct cmd_ctx *ctx, const struct row *row, size_t n)
{
    if (ctx->format == OUT_JSON) {
        print_json(row, n);
        return;
    }
    struct text_table *t = ctx->format == OUT_CSV ? make_csv(row, n) : make_table(row, n);
    table_out_print(ctx, t);
}

/* The named targets, or everything that the system has. */
static int find_devices(struct device_info **out, size_t *n, const char **path, size_t n_paths,
                        struct error *err)
{
    if (n_paths == 0) {
        device_list(out, n, &sysroot_system);
        return 0;
    }
    struct device_info *info = xcalloc(n_paths, sizeof *info);
    for (size_t i = 0; i < n_paths; i++) {
        int rc = device_describe(&info[i], &sysroot_system, path[i], 0, err);
        if (rc < 0) {
            device_list_free(info, i);
            return rc;
        }
    }
    *out = info;
    *n = n_paths;
    return 0;
}

static int devices_run(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                       struct error *err)
{
    const struct devices_config *c = config;
    struct device_info *info;
    size_t n, shown = 0;
    int rc = find_devices(&info, &n, rest, n_rest, err);
    if (rc < 0)
        return rc;
    struct row *row = xcalloc(n + 1, sizeof *row);
    struct usage *usage = usage_create(&sysroot_system);
    for (size_t i = 0; i < n; i++) {
        if (n_rest == 0 && !c->all && device_is_idle(&info[i]))
            continue;
        row[shown].info = &info[i];
        safety_inspect(&row[shown++].findings, usage, &info[i]);
    }
    usage_destroy(usage);
    print_rows(ctx, row, shown);
    if (shown == 0 && !ctx->quiet)
        fputs("blkmatrix: no block devices with a medium; --all lists idle ones too\n", stderr);
    for (size_t i = 0; i < shown; i++)
        findings_release(&row[i].findings);
    free(row);
    device_list_free(info, n);
    return 0;
}

const struct cmd cmd_devices = {
    .name = "devices",
    .summary = "lists block devices, and whether a test may write to them",
    .group = "Measure",
    .usage = "[PATH...]",
    .description =
        "Lists the block devices and partitions of this machine, or describes the ones named (a "
        "regular file may be named too): size, model, transport, scheduler, and what they are in "
        "use for. Reading tests always work on them; the last column says whether a writing test "
        "(sweep with --rw write, randwrite, randrw ...) would be refused, and why.\n\n"
        "STATE has what was found: mounted, swap, held (LVM, RAID, dm-crypt), loop (behind a loop "
        "device), open (in another process), read-only, partition-table, signature (of a "
        "filesystem, RAID or LVM). --format json and csv have every detail that is known of a "
        "device. Looking never writes; without root, signatures and the files of others cannot be "
        "seen.",
    .examples = "blkmatrix devices\n    what is there to measure\n"
                "blkmatrix devices --format json /dev/sdb\n    everything known about one device\n",
    .opts = devices_opts,
    .config_size = sizeof(struct devices_config),
    .needs = NEED_NOTHING,
    .run = devices_run,
};
