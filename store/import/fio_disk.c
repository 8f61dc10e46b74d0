/*
 * Of a stacked device (dm, md) fio prints its own counters and "aggr_" ones: averages over the disks
 * below, which follow as entries of their own. Those averages add nothing to the entries.
 */
#include "store/import/fio_disk.h"

#include "core/base/clock.h"
#include "core/base/xalloc.h"

enum { DISKS_MAX = 1024, SECTOR = 512 };

static const struct {
    const char *name;
    size_t field;
    uint64_t unit;
} counts[] = {
    {"read_ios", DISK_STAT_read_ios, 1},
    {"write_ios", DISK_STAT_write_ios, 1},
    {"read_sectors", DISK_STAT_read_bytes, SECTOR},
    {"write_sectors", DISK_STAT_write_bytes, SECTOR},
    {"read_merges", DISK_STAT_read_merges, 1},
    {"write_merges", DISK_STAT_write_merges, 1},
    {"read_ticks", DISK_STAT_read_ns, NS_PER_MS},
    {"write_ticks", DISK_STAT_write_ns, NS_PER_MS},
    {"in_queue", DISK_STAT_in_queue_ns, NS_PER_MS},
};

static void read_disk(const struct json_doc *d, json_id obj, struct disk_stat *out)
{
    *out = (struct disk_stat){0};
    out->name = json_text(d, json_find(d, obj, "name"));
    out->host = json_text(d, json_find(d, obj, "hostname"));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint64_t v;
        if (json_u64(d, json_find(d, obj, counts[i].name), &v) &&
            !__builtin_mul_overflow(v, counts[i].unit, &v))
            field_set_u64(&disk_stat_fields, out, counts[i].field, v);
    }
    double percent;
    if (json_f64(d, json_find(d, obj, "util"), &percent) && percent >= 0)
        SET(out, DISK_STAT, util, percent / 100);
}

void fio_disk_read(const struct json_doc *d, json_id root, struct cell *cell)
{
    json_id disks = json_find(d, root, "disk_util");
    size_t room = 0;
    for (json_id id = json_child(d, disks); id && cell->n_disks < DISKS_MAX;
         id = json_next(d, id)) {
        if (json_kind(d, id) != JSON_OBJECT || json_is_open(d, id))
            continue;
        GROW(cell->disk, cell->n_disks + 1, room);
        read_disk(d, id, &cell->disk[cell->n_disks++]);
    }
}
