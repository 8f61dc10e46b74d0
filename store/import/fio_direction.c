/* Counts, rates and latencies of one direction in fio's JSON. */
#include <math.h>

#include "core/base/clock.h"
#include "store/import/fio_read_internal.h"

/* Up to fio 2.20 io_bytes holds KiB; the release that added io_kbytes put it right. */
static bool bytes_are_kib(const struct fio_reader *r, json_id obj)
{
    return !json_find(r->d, obj, "io_kbytes") && !json_find(r->d, obj, "bw_bytes") &&
           (!fio_version_known(r->version) || fio_version_before(r->version, 2, 21));
}

/* fio does not divide by a runtime of 0 and prints rates of 0, although I/Os were done. */
static void drop_false_rates(struct fio_reader *r, json_id runtime, struct direction *out)
{
    bool moved = out->ios > 0 && (out->bytes > 0 || !IS_KNOWN(out, DIRECTION, bytes));
    if (!moved || (out->iops > 0 && out->bw > 0))
        return;
    if (out->iops <= 0)
        field_forget(&direction_fields, out, DIRECTION_iops);
    if (out->bw <= 0)
        field_forget(&direction_fields, out, DIRECTION_bw);
    if (IS_KNOWN(out, DIRECTION, runtime_ns) && out->runtime_ns == 0)
        fio_say_bad(r, runtime);
}

static void read_counts(struct fio_reader *r, json_id obj, struct direction *out)
{
    uint64_t v;
    double f;
    if (fio_read_u64(r, obj, "total_ios", &v))
        SET(out, DIRECTION, ios, v);
    uint64_t unit = bytes_are_kib(r, obj) ? 1024 : 1;
    if (fio_read_u64(r, obj, "io_bytes", &v) && !__builtin_mul_overflow(v, unit, &v))
        SET(out, DIRECTION, bytes, v);
    if (fio_read_u64(r, obj, "runtime", &v) && !__builtin_mul_overflow(v, NS_PER_MS, &v))
        SET(out, DIRECTION, runtime_ns, v);
    if (fio_read_f64(r, obj, "iops", &f))
        SET(out, DIRECTION, iops, f);
    if (fio_read_f64(r, obj, "bw_bytes", &f))
        SET(out, DIRECTION, bw, f);
    else if (fio_read_f64(r, obj, "bw", &f))
        SET(out, DIRECTION, bw, f * 1024);
    if (fio_read_u64(r, obj, "short_ios", &v))
        SET(out, DIRECTION, short_ios, v);
    drop_false_rates(r, json_find(r->d, obj, "runtime"), out);
    double ios = out->iops * (double)out->runtime_ns / 1e9;
    if (!json_find(r->d, obj, "total_ios") && ios > 0 && ios < 0x1p53) {
        SET(out, DIRECTION, ios, (uint64_t)llround(ios));
        r->doubts.no_counts = true;
    }
}

/*
 * Rates that fio samples every half second. With log files and no log_avg_msec every I/O counts as
 * a sample, the rates then are all 1 and the bandwidths nonsense.
 */
static void read_samples(struct fio_reader *r, json_id obj, struct direction *out)
{
    static const struct {
        const char *name;
        size_t field;
        double unit;
    } rows[] = {
        {"iops_min", DIRECTION_iops_min, 1},   {"iops_max", DIRECTION_iops_max, 1},
        {"iops_mean", DIRECTION_iops_mean, 1}, {"iops_stddev", DIRECTION_iops_stddev, 1},
        {"bw_min", DIRECTION_bw_min, 1024},    {"bw_max", DIRECTION_bw_max, 1024},
        {"bw_mean", DIRECTION_bw_mean, 1024},  {"bw_dev", DIRECTION_bw_stddev, 1024},
    };
    uint64_t samples;
    double mean = 0, max = 0;
    bool counted = fio_read_u64(r, obj, "iops_samples", &samples);
    if (!counted)
        counted = fio_read_u64(r, obj, "bw_samples", &samples);
    if (!fio_read_f64(r, obj, "bw_mean", &mean) || mean == 0 || (counted && samples == 0))
        return;
    if (fio_read_f64(r, obj, "iops_max", &max) && max <= 1 && out->ios > 1 && out->iops > 1)
        return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double v;
        if (fio_read_f64(r, obj, rows[i].name, &v))
            field_set_f64(&direction_fields, out, rows[i].field, v * rows[i].unit);
    }
    if (counted)
        SET(out, DIRECTION, rate_samples, samples);
}

void fio_read_direction(struct fio_reader *r, json_id obj, struct direction *out)
{
    if (json_kind(r->d, obj) != JSON_OBJECT)
        return;
    read_counts(r, obj, out);
    bool counted = IS_KNOWN(out, DIRECTION, ios) || !json_find(r->d, obj, "total_ios");
    if (counted && IS_KNOWN(out, DIRECTION, bytes) && out->ios == 0 && out->bytes == 0) {
        direction_release(out);
        SET(out, DIRECTION, ios, 0);
        SET(out, DIRECTION, bytes, 0);
        SET(out, DIRECTION, iops, 0);
        SET(out, DIRECTION, bw, 0);
        return;
    }
    read_samples(r, obj, out);
    for (int kind = 0; kind < LAT_KIND_COUNT; kind++)
        fio_read_lat(r, obj, (enum lat_kind)kind, &out->lat[kind]);
}

void fio_read_sync(struct fio_reader *r, json_id obj, struct direction *out)
{
    struct lat *lat = &out->lat[LAT_LAT];
    uint64_t calls = 0;
    fio_read_lat(r, obj, LAT_LAT, lat);
    /* some versions (3.33) leave total_ios at 0 and count the samples only */
    if (!fio_read_u64(r, obj, "total_ios", &calls) || calls == 0)
        calls = IS_KNOWN(lat, LAT_F, n) ? lat->n : 0;
    if (calls > 0)
        SET(out, DIRECTION, ios, calls);
    else
        lat_release(lat);
}
