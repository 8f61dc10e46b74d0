#include "core/model/run_json.h"

#include "core/base/clock.h"
#include "core/base/json.h"

const double shown_percentiles[SHOWN_PERCENTILES] = {1,  5,  10, 20, 30,   40,   50,    60,   70,
                                                     80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};

char *percentile_name(char buf[32], double p)
{
    snprintf(buf, 32, "%.10g", p);
    return buf;
}

/* The name of an instant without its unit: it leaves as text. */
static void add_instant(cJSON *obj, const struct field *f, const struct field_set *set,
                        const void *rec, size_t i)
{
    char name[64], text[CLOCK_TEXT_MAX];
    snprintf(name, sizeof name, "%.*s", (int)(strlen(f->name) - strlen("_ns")), f->name);
    int64_t ns = field_get_i64(set, rec, i);
    json_add_text(obj, name,
                  field_is_known(set, rec, i) ? clock_rfc3339(text, ns, ns % (int64_t)NS_PER_S != 0)
                                              : NULL);
}

/*
 * Adds every field; those whose name begins with `prefix` become members of an object of that name
 * instead, without the prefix: source_path is source.path.
 */
static void add_fields(cJSON *obj, const struct field_set *set, const void *rec, const char *prefix)
{
    cJSON *flat = cJSON_CreateObject();
    fields_to_json(flat, set, rec);
    cJSON *group = prefix ? json_add_object(NULL, NULL) : NULL;
    bool any = false;
    for (size_t i = 0; i < set->n; i++) {
        const struct field *f = &set->field[i];
        size_t cut = prefix ? strlen(prefix) : 0;
        bool grouped =
            prefix && strncmp(f->name, prefix, cut) == 0 && f->name[cut] == '_' && f->name[cut + 1];
        if (f->unit == UNIT_INSTANT) {
            add_instant(obj, f, set, rec, i);
            continue;
        }
        cJSON *member = cJSON_DetachItemFromObjectCaseSensitive(flat, f->name);
        cJSON_AddItemToObject(grouped ? group : obj, grouped ? f->name + cut + 1 : f->name, member);
        any = any || (grouped && field_is_known(set, rec, i));
    }
    cJSON_Delete(flat);
    if (!prefix)
        return;
    if (any) {
        cJSON_AddItemToObject(obj, prefix, group);
    } else {
        cJSON_Delete(group);
        json_add_null(obj, prefix);
    }
}

void run_to_json(cJSON *obj, const struct run *run)
{
    json_add_i64(obj, "id", run->id);
    cJSON *labels = json_add_object(obj, "labels");
    for (size_t i = 0; i < run->n_labels; i++)
        json_add_text(labels, run->label[i].key, run->label[i].value);
    add_fields(obj, &run_fields, run, "source");
}

void run_parts_to_json(cJSON *obj, const struct run *run)
{
    fields_to_json(json_add_object(obj, "host"), &host_fields, &run->host);
    cJSON *devices = json_add_array(obj, "devices");
    for (size_t i = 0; i < run->n_devices; i++)
        fields_to_json(json_add_object(devices, NULL), &device_fields, &run->device[i]);
    cJSON *limits = json_add_array(obj, "limits");
    for (size_t i = 0; i < run->n_limits; i++)
        fields_to_json(json_add_object(limits, NULL), &limit_fields, &run->limit[i]);
}

static void add_percentiles(cJSON *obj, const struct lat *l)
{
    if (!l->hist && l->n_reported == 0) {
        json_add_null(obj, "percentiles");
        return;
    }
    char name[32];
    cJSON *list = json_add_object(obj, "percentiles");
    for (size_t i = 0; i < SHOWN_PERCENTILES && l->hist; i++)
        if (hist_supports(l->hist, shown_percentiles[i]))
            json_add_u64(list, percentile_name(name, shown_percentiles[i]),
                         hist_percentile(l->hist, shown_percentiles[i]));
    for (size_t i = 0; i < l->n_reported && !l->hist; i++)
        json_add_u64(list, percentile_name(name, l->reported[i].p), l->reported[i].ns);
}

/* [smallest value, width, count] of every bucket that has samples. */
static void add_bins(cJSON *obj, const struct hist *h)
{
    if (!h) {
        json_add_null(obj, "bins");
        return;
    }
    cJSON *bins = json_add_array(obj, "bins");
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        if (h->count[i] == 0)
            continue;
        cJSON *bin = json_add_array(bins, NULL);
        json_add_u64(bin, NULL, hist_lo(i));
        json_add_u64(bin, NULL, hist_width(i));
        json_add_u64(bin, NULL, h->count[i]);
    }
}

static void add_latency(cJSON *obj, const char *name, const struct lat *l, unsigned flags)
{
    if (!l->known && !l->hist && l->n_reported == 0) {
        json_add_null(obj, name);
        return;
    }
    cJSON *lat = json_add_object(obj, name);
    fields_to_json(lat, &lat_fields, l);
    add_percentiles(lat, l);
    if (flags & CELL_JSON_BINS)
        add_bins(lat, l->hist);
}

/* Of a sample, where 0 stands for unknown. */
static void add_if_known(cJSON *obj, const char *name, uint64_t v)
{
    if (v)
        json_add_u64(obj, name, v);
    else
        json_add_null(obj, name);
}

static void add_series(cJSON *obj, const struct series *s)
{
    if (!s) {
        json_add_null(obj, "series");
        return;
    }
    cJSON *series = json_add_object(obj, "series");
    json_add_u64(series, "interval_ns", s->interval_ns);
    cJSON *points = json_add_array(series, "points");
    for (size_t i = 0; i < s->n; i++) {
        const struct series_point *p = &s->point[i];
        cJSON *point = json_add_object(points, NULL);
        json_add_u64(point, "end_ns", p->end_ns);
        json_add_u64(point, "len_ns", p->len_ns);
        if (s->missing & SERIES_NO_IOS)
            json_add_null(point, "ios");
        else
            json_add_u64(point, "ios", p->ios);
        if (s->missing & SERIES_NO_BYTES)
            json_add_null(point, "bytes");
        else
            json_add_u64(point, "bytes", p->bytes);
        json_add_f64(point, "iops", series_iops(s, i));
        json_add_f64(point, "bw", series_bw(s, i));
        json_add_f64(point, "lat_mean_ns", series_lat_mean(s, i));
        add_if_known(point, "lat_max_ns", p->lat_max_ns);
        add_if_known(point, "lat_p50_ns", p->lat_p50_ns);
        add_if_known(point, "lat_p99_ns", p->lat_p99_ns);
        add_if_known(point, "inflight", p->inflight);
    }
}

static void add_directions(cJSON *obj, const struct direction dir[DIR_COUNT], unsigned flags)
{
    for (int i = 0; i < DIR_COUNT; i++) {
        const struct direction *d = &dir[i];
        if (!direction_is_used(d)) {
            json_add_null(obj, dir_names[i]);
            continue;
        }
        cJSON *o = json_add_object(obj, dir_names[i]);
        fields_to_json(o, &direction_fields, d);
        add_latency(o, "slat_ns", &d->lat[LAT_SLAT], flags);
        add_latency(o, "clat_ns", &d->lat[LAT_CLAT], flags);
        add_latency(o, "lat_ns", &d->lat[LAT_LAT], flags);
        if (flags & CELL_JSON_SERIES)
            add_series(o, d->series);
    }
}

static const char *device_path(const struct run *run, size_t device)
{
    return device < run->n_devices ? run->device[device].path : NULL;
}

static void add_buckets(cJSON *obj, const struct cell *cell)
{
    cJSON *buckets = json_add_array(obj, "lat_buckets");
    for (size_t i = 0; i < cell->n_buckets; i++) {
        const struct lat_bucket *b = &cell->bucket[i];
        cJSON *o = json_add_object(buckets, NULL);
        json_add_u64(o, "lo_ns", b->lo_ns);
        if (b->hi_ns == UINT64_MAX)
            json_add_null(o, "hi_ns");
        else
            json_add_u64(o, "hi_ns", b->hi_ns);
        json_add_f64(o, "share", b->share);
    }
}

/* Moves the CPU fields of the cell into an object of their own. */
static void add_cpu(cJSON *obj)
{
    static const struct {
        size_t field;
        const char *name;
    } member[] = {{CELL_user_ns, "user_ns"},
                  {CELL_system_ns, "system_ns"},
                  {CELL_cpu_per_io_ns, "per_io_ns"},
                  {CELL_cpu_util_max, "util_max"}};
    cJSON *cpu = json_add_object(obj, "cpu");
    for (size_t i = 0; i < sizeof member / sizeof *member; i++) {
        cJSON *value =
            cJSON_DetachItemFromObjectCaseSensitive(obj, cell_fields.field[member[i].field].name);
        cJSON_AddItemToObject(cpu, member[i].name, value);
    }
}

void cell_to_json(cJSON *obj, const struct cell *cell, const struct run *run, unsigned flags)
{
    json_add_i64(obj, "id", cell->id);
    cJSON *devices = json_add_array(obj, "devices");
    for (size_t i = 0; i < cell->n_devices; i++)
        json_add_text(devices, NULL, device_path(run, cell->device[i]));
    add_fields(obj, &cell_key_fields, &cell->key, NULL);
    /* "sync" is the direction that counts the sync calls */
    cJSON_AddItemToObject(obj, "sync_mode", cJSON_DetachItemFromObjectCaseSensitive(obj, "sync"));
    add_fields(obj, &cell_fields, cell, NULL);
    struct strbuf key = STRBUF_INIT;
    cell_key_text(&key, &cell->key);
    json_add_text(obj, "key", key.text);
    strbuf_release(&key);
    add_cpu(obj);
    add_directions(obj, cell->dir, flags);
    cJSON *parts = json_add_array(obj, "parts");
    for (size_t i = 0; i < cell->n_parts; i++) {
        cJSON *part = json_add_object(parts, NULL);
        json_add_text(part, "device", device_path(run, cell->part[i].device));
        add_directions(part, cell->part[i].dir, flags);
    }
    add_buckets(obj, cell);
    cJSON *disks = json_add_array(obj, "disks");
    for (size_t i = 0; i < cell->n_disks; i++)
        fields_to_json(json_add_object(disks, NULL), &disk_stat_fields, &cell->disk[i]);
    cJSON *volumes = json_add_array(obj, "volumes");
    for (size_t i = 0; i < cell->n_volumes; i++)
        fields_to_json(json_add_object(volumes, NULL), &volume_stat_fields, &cell->volume[i]);
}
