#include <inttypes.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/sweep/counters_internal.h"

/* Places in a stat file. */
enum {
    READ_IOS,
    READ_MERGES,
    READ_SECTORS,
    READ_MS,
    WRITE_IOS,
    WRITE_MERGES,
    WRITE_SECTORS,
    WRITE_MS,
    IN_FLIGHT,
    BUSY_MS,
    QUEUE_MS,
    DISCARD_IOS,
    DISCARD_MERGES,
    DISCARD_SECTORS,
    DISCARD_MS,
};
#define SECTOR 512
/* Fewer I/Os are not judged. */
#define JUDGED_IOS_MIN 100

/* A partition has the queue of its disk. */
static bool kernel_counts(const struct sysroot *sr, const char *name)
{
    char *text = sysroot_read(sr, "/sys/class/block/%s/queue/iostats", name);
    if (!text)
        text = sysroot_read(sr, "/sys/class/block/%s/../queue/iostats", name);
    bool yes = text && text[0] == '1';
    free(text);
    return yes;
}

static void add_disk(struct counters *c, const struct sysroot *sr, const char *name,
                     const char *below)
{
    char *text = sysroot_read(sr, "/sys/class/block/%s/stat", name);
    if (!text)
        return;
    struct disk_counters d = {
        .name = xstrdup(name), .below = xstrdup_null(below), .counts = kernel_counts(sr, name)};
    const char *p = text;
    for (char *end; d.n < DISK_COUNTERS; p = end) {
        uint64_t v = strtoull(p, &end, 10);
        if (end == p)
            break;
        d.value[d.n++] = v;
    }
    free(text);
    c->disk = xrealloc(c->disk, c->n_disks + 1, sizeof *c->disk);
    c->disk[c->n_disks++] = d;
}

/* The device and what it stands on ("below" is a JSON array of names). */
static void add_device(struct counters *c, const struct sysroot *sr, const struct device_info *info)
{
    const char *resolved = info->resolved;
    const char *name = resolved && strncmp(resolved, "/dev/", 5) == 0 ? resolved + 5 : NULL;
    if (name)
        add_disk(c, sr, name, NULL);
    cJSON *below = info->below ? cJSON_Parse(info->below) : NULL;
    const cJSON *item;
    cJSON_ArrayForEach(item, below)
    {
        if (cJSON_IsString(item))
            add_disk(c, sr, item->valuestring, name ? name : resolved);
    }
    cJSON_Delete(below);
}

/* "cpu  user nice system idle iowait irq softirq steal guest guest_nice"; guest is in user already */
static void read_cpu(struct counters *c, const struct sysroot *sr)
{
    char *text = sysroot_read(sr, "/proc/stat");
    uint64_t v[8] = {0};
    c->has_cpu = text && sscanf(text,
                                "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
                                " %" SCNu64 " %" SCNu64 " %" SCNu64,
                                &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]) == 8;
    free(text);
    c->steal = v[7];
    c->all = 0;
    for (size_t i = 0; i < 8; i++)
        c->all += v[i];
}

void counters_read(struct counters *c, const struct sysroot *sr, const struct device_info *device,
                   const size_t *index, size_t n)
{
    *c = (struct counters){.at_ns = clock_now_ns()};
    for (size_t i = 0; i < n; i++)
        add_device(c, sr, &device[index[i]]);
    read_cpu(c, sr);
}

void counters_release(struct counters *c)
{
    for (size_t i = 0; i < c->n_disks; i++) {
        free(c->disk[i].name);
        free(c->disk[i].below);
    }
    free(c->disk);
    *c = (struct counters){0};
}

static void fill_disk(struct disk_stat *out, const struct disk_counters *a,
                      const struct disk_counters *b, uint64_t ns)
{
    uint64_t d[DISK_COUNTERS] = {0};
    size_t n = a->n < b->n ? a->n : b->n;
    for (size_t i = 0; i < n; i++)
        d[i] = b->value[i] - a->value[i];
    field_set_text(&disk_stat_fields, out, DISK_STAT_name, b->name);
    if (b->below)
        field_set_text(&disk_stat_fields, out, DISK_STAT_below, b->below);
    if (n <= QUEUE_MS)
        return;
    SET(out, DISK_STAT, read_ios, d[READ_IOS]);
    SET(out, DISK_STAT, write_ios, d[WRITE_IOS]);
    SET(out, DISK_STAT, read_bytes, d[READ_SECTORS] * SECTOR);
    SET(out, DISK_STAT, write_bytes, d[WRITE_SECTORS] * SECTOR);
    SET(out, DISK_STAT, read_merges, d[READ_MERGES]);
    SET(out, DISK_STAT, write_merges, d[WRITE_MERGES]);
    SET(out, DISK_STAT, read_ns, d[READ_MS] * NS_PER_MS);
    SET(out, DISK_STAT, write_ns, d[WRITE_MS] * NS_PER_MS);
    SET(out, DISK_STAT, in_queue_ns, d[QUEUE_MS] * NS_PER_MS);
    if (ns > 0) {
        double util = (double)(d[BUSY_MS] * NS_PER_MS) / (double)ns;
        SET(out, DISK_STAT, util, util < 1 ? util : 1); /* a tick may fall outside */
    }
    if (n > DISCARD_IOS)
        SET(out, DISK_STAT, discard_ios, d[DISCARD_IOS]);
}

static void judge_size(struct cell *cell, uint64_t ios, uint64_t bytes, uint64_t bs)
{
    if (ios < JUDGED_IOS_MIN)
        return;
    double size = (double)bytes / (double)ios;
    if (size * 1.02 < (double)bs)
        cell_add_caveat(cell, "requests-split");
    else if (size > (double)bs * 1.02)
        cell_add_caveat(cell, "requests-merged");
}

/*
 * Requests smaller than the I/Os were split (a cap then counts more of them than we do), larger
 * ones merged: more than 2 % is worth a word. Their mean size says so whatever the window. What
 * stands below a device is not judged; below a file only reads are, as its filesystem writes more
 * than the file.
 */
static void judge_requests(struct cell *cell, const struct disk_stat *d, const char *below)
{
    const struct cell_key *key = &cell->key;
    bool under_file = below && below[0] == '/';
    if ((below && !under_file) || !IS_KNOWN(d, DISK_STAT, read_ios) || !IS_KNOWN(key, CELL_KEY, bs))
        return;
    if (rw_reads(key->rw))
        judge_size(cell, d->read_ios, d->read_bytes, key->bs);
    if (rw_writes(key->rw) && !under_file)
        judge_size(cell, d->write_ios, d->write_bytes,
                   IS_KNOWN(key, CELL_KEY, bs_write) ? key->bs_write : key->bs);
}

/*
 * Of one device: what was read and written must have come by it or by what it stands on. Buffered
 * writes reach it later, and the caveat "buffered" tells of them.
 */
static void judge_origin(struct cell *cell, const struct counters *after)
{
    uint64_t read = 0, written = 0;
    bool counts = cell->n_disks > 0 && cell->n_devices == 1;
    for (size_t i = 0; i < cell->n_disks && counts; i++) {
        const struct disk_stat *d = &cell->disk[i];
        counts = after->disk[i].counts && IS_KNOWN(d, DISK_STAT, read_bytes);
        read = d->read_bytes > read ? d->read_bytes : read;
        written = d->write_bytes > written ? d->write_bytes : written;
    }
    bool direct = IS_KNOWN(&cell->key, CELL_KEY, direct) && cell->key.direct;
    const struct direction *r = &cell->dir[DIR_READ], *w = &cell->dir[DIR_WRITE];
    if (counts && ((r->ios >= JUDGED_IOS_MIN && read < r->bytes / 2) ||
                   (direct && w->ios >= JUDGED_IOS_MIN && written < w->bytes / 2)))
        cell_add_caveat(cell, "not-from-device");
}

void counters_to_cell(struct cell *cell, const struct counters *before,
                      const struct counters *after, bool alone)
{
    cell->disk = xcalloc(after->n_disks + 1, sizeof *cell->disk);
    for (size_t i = 0; i < after->n_disks && i < before->n_disks; i++) {
        /* a device that went away in between would shift the rest */
        if (strcmp(before->disk[i].name, after->disk[i].name) != 0)
            break;
        struct disk_stat *out = &cell->disk[cell->n_disks++];
        fill_disk(out, &before->disk[i], &after->disk[i], after->at_ns - before->at_ns);
        if (alone)
            judge_requests(cell, out, after->disk[i].below);
    }
    if (alone)
        judge_origin(cell, after);
    if (before->has_cpu && after->has_cpu && after->all > before->all)
        SET(cell, CELL, steal,
            (double)(after->steal - before->steal) / (double)(after->all - before->all));
}
