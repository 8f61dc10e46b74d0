#include "store/import/fio_extra.h"

#include "core/base/json.h"

static void add_name(struct strbuf *out, const char *name)
{
    if (out->text[out->len - 1] != '{')
        strbuf_addc(out, ',');
    json_quote(out, name);
    strbuf_addc(out, ':');
}

/* Copies members of an object under their own names; what is missing, 0 or empty says nothing. */
static void copy_members(struct strbuf *out, const struct json_doc *d, json_id obj,
                         const char *const *names)
{
    for (; *names; names++) {
        json_id id = json_find(d, obj, *names);
        double v = 1;
        if (!id || (json_f64(d, id, &v) && v == 0))
            continue;
        if (json_kind(d, id) == JSON_OBJECT && !json_child(d, id))
            continue;
        add_name(out, *names);
        json_copy(out, d, id);
    }
}

/* Per direction: latencies by I/O priority (lists from 3.30, pairs before), dropped I/Os. */
static void copy_directions(struct strbuf *out, const struct json_doc *d, json_id entry)
{
    static const char *const names[] = {
        "prios",        "clat_high_prio", "clat_low_prio", "lat_high_prio",
        "lat_low_prio", "drop_ios",       "cachehit",      NULL};
    for (int dir = DIR_READ; dir <= DIR_MIXED; dir++) {
        struct strbuf part = STRBUF_INIT;
        strbuf_addc(&part, '{');
        copy_members(&part, d, json_find(d, entry, dir_names[dir]), names);
        if (part.len > 1) {
            add_name(out, dir_names[dir]);
            strbuf_add(out, part.text, part.len);
            strbuf_addc(out, '}');
        }
        strbuf_release(&part);
    }
}

static void copy_entry(struct strbuf *out, const struct json_doc *d, json_id entry)
{
    static const char *const names[] = {"desc",
                                        "ctx",
                                        "majf",
                                        "minf",
                                        "iodepth_level",
                                        "iodepth_submit",
                                        "iodepth_complete",
                                        "total_err",
                                        "first_error",
                                        "latency_depth",
                                        "latency_target",
                                        "latency_target_ns",
                                        "latency_percentile",
                                        "latency_window",
                                        "latency_window_us",
                                        "steadystate",
                                        "block",
                                        "zone_resets",
                                        NULL};
    copy_members(out, d, entry, names);
    copy_directions(out, d, entry);
}

static void add_hosts(struct strbuf *out, const struct fio_group *group)
{
    add_name(out, "hosts");
    strbuf_addc(out, '[');
    for (size_t i = 0; i < (group->together ? 1 : group->n_hosts); i++) {
        if (i > 0)
            strbuf_addc(out, ',');
        if (group->host[i].name)
            json_quote(out, group->host[i].name);
        else
            strbuf_adds(out, "null"); /* some entries have no host name */
    }
    strbuf_addc(out, ']');
}

/* [{"direction":"read","latency":"clat","p":99,"min":..,"max":..}, ...] */
static void add_bounds(struct strbuf *out, const struct fio_bounds *bounds)
{
    add_name(out, "percentile_bounds");
    for (size_t i = 0; i < bounds->n; i++) {
        const struct fio_bound *b = &bounds->bound[i];
        strbuf_addf(out, "%c{\"direction\":\"%s\",\"latency\":\"%s\",\"p\":", i ? ',' : '[',
                    dir_names[b->dir], lat_kind_names[b->kind]);
        json_number(out, b->p);
        strbuf_addf(out, ",\"min\":%llu,\"max\":%llu}", (unsigned long long)b->lo,
                    (unsigned long long)b->hi);
    }
    strbuf_addc(out, ']');
}

/* {"ios":..,"bytes":..,"runtime_ns":..,"iops":..,"bw":..}: those that are known */
static void add_verification(struct strbuf *out, const struct direction *d)
{
    static const size_t fields[] = {DIRECTION_ios, DIRECTION_bytes, DIRECTION_runtime_ns,
                                    DIRECTION_iops, DIRECTION_bw};
    add_name(out, "verification");
    strbuf_addc(out, '{');
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!(d->known >> fields[i] & 1))
            continue;
        add_name(out, direction_fields.field[fields[i]].name);
        json_number(out, field_get_f64(&direction_fields, d, fields[i]));
    }
    strbuf_addc(out, '}');
}

void fio_extra_read(const struct json_doc *d, const struct fio_group *group,
                    const struct fio_bounds *bounds, const struct direction *verification,
                    struct cell *cell)
{
    struct strbuf out = STRBUF_INIT;
    strbuf_addc(&out, '{');
    if (group->options.n > 0) {
        add_name(&out, "options");
        fio_options_json(&out, &group->options);
    }
    if (group->beside) { /* as the cells of a job file have it */
        add_name(&out, "group");
        json_number(&out, (double)group->batch);
    }
    if (group->host[0].name)
        add_hosts(&out, group);
    if (group->n_hosts == 1 && group->host[0].n == 1)
        copy_entry(&out, d, group->host[0].entry[0]);
    if (bounds->n > 0)
        add_bounds(&out, bounds);
    if (direction_is_used(verification))
        add_verification(&out, verification);
    strbuf_addc(&out, '}');
    if (out.len > 2)
        field_set_text(&cell_fields, cell, CELL_extra, out.text);
    strbuf_release(&out);
}
