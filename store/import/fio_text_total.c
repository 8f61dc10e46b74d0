/* The lines of fio's normal output about whole jobs, groups and disks. */
#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "store/import/fio_key.h"
#include "store/import/fio_read_internal.h"
#include "store/import/fio_text_line.h"
#include "store/import/fio_text_number.h"

static void set_block_size(struct cell *cell, const struct fio_text_setup *s)
{
    struct cell_key *key = &cell->key;
    uint64_t used[3] = {0};
    size_t n = 0;
    for (int dir = DIR_READ; dir <= DIR_TRIM; dir++) {
        if (!IS_KNOWN(key, CELL_KEY, rw) || fio_rw_uses(key->rw, (enum dir)dir))
            used[n++] = s->bs[dir];
    }
    bool same = n > 0 && used[0] > 0;
    for (size_t i = 1; i < n; i++)
        same = same && used[i] == used[0];
    if (same) {
        SET(key, CELL_KEY, bs, used[0]);
    } else if (n == 2 && used[0] > 0 && used[1] > 0 && rw_reads(key->rw)) {
        SET(key, CELL_KEY, bs, used[0]);
        SET(key, CELL_KEY, bs_write, used[1]);
    } else if (s->bs_text) {
        field_set_text(&cell_key_fields, key, CELL_KEY_bs_text, s->bs_text);
    }
}

void fio_text_setup_apply(const struct fio_text_setup *s, struct cell *cell)
{
    int rw = s->rw ? rw_parse(s->rw) : -1;
    if (rw >= 0)
        SET(&cell->key, CELL_KEY, rw, (enum rw)rw);
    set_block_size(cell, s);
    field_set_text(&cell_key_fields, &cell->key, CELL_KEY_engine, s->engine);
    if (s->iodepth)
        SET(&cell->key, CELL_KEY, iodepth, s->iodepth);
    fio_key_cap_depth(cell);
}

bool fio_text_read_cpu(const char *line, double *user, double *system)
{
    const char *usr = text_after(line, "usr="), *sys = text_after(line, "sys=");
    return strstr(line, "cpu") && strstr(line, "ctx=") && usr && sys && text_decimal(&usr, user) &&
           text_decimal(&sys, system);
}

/* "0,158604,0,0" or "r=2621440/w=0/d=0": reads, writes, trims. */
static bool read_three(const char *p, uint64_t v[3])
{
    static const char *const label[] = {"r=", "w=", "d="};
    for (int i = 0; i < 3; i++) {
        if (strncmp(p, label[i], 2) == 0)
            p += 2;
        if (!text_u64(&p, &v[i]))
            return i == 2; /* old versions do not count trims */
        p += *p == ',' || *p == '/';
    }
    return true;
}

bool fio_text_read_issued(const char *line, uint64_t total[3], uint64_t shorts[3])
{
    const char *mark = text_after(line, "issued ");
    const char *all = mark ? text_after(mark, "total=") : NULL;
    const char *some = mark ? text_after(mark, "short=") : NULL;
    uint64_t t[3] = {0}, s[3] = {0};
    if (!all || !read_three(all, t) || (some && !read_three(some, s)))
        return false;
    memcpy(total, t, sizeof t);
    memcpy(shorts, s, sizeof s);
    return true;
}

bool fio_text_read_errors(const char *line, uint64_t *total)
{
    const char *p = text_after(line, "errors ");
    p = p && strstr(p, "first_error=") ? text_after(p, "total=") : NULL;
    return p && text_u64(&p, total);
}

bool fio_text_read_group(const char *line, uint64_t *group)
{
    const char *p = text_after(line, "Run status group ");
    return p && text_u64(&p, group);
}

/* The longest of "run=10010-10025msec". */
static void set_longest(struct direction *d, const char *p)
{
    uint64_t ms, longest = 0;
    while (p && text_u64(&p, &ms)) {
        longest = ms > longest ? ms : longest;
        if (*p != '-')
            break;
        p++;
    }
    if (longest > 0 && longest < UINT64_MAX / NS_PER_MS)
        SET(d, DIRECTION, runtime_ns, longest * NS_PER_MS);
}

bool fio_text_read_group_rates(const char *line, enum dir *dir, struct direction *d)
{
    static const char *const names[] = {"READ: ", "WRITE: ", "TRIM: ", "MIXED: "};
    for (int i = DIR_READ; i <= DIR_MIXED; i++) {
        const char *p = text_after(line, names[i]);
        const char *bw = p ? text_after(p, "bw=") : NULL;
        bool old = !bw;
        bw = p && old ? text_after(p, "aggrb=") : bw;
        if (!bw)
            continue;
        *dir = (enum dir)i;
        double v;
        if (text_bytes(&bw, old, &v))
            SET(d, DIRECTION, bw, v);
        const char *io = text_after(p, "io=");
        if (io && text_bytes(&io, old, &v) && v < 0x1p63)
            SET(d, DIRECTION, bytes, (uint64_t)v);
        set_longest(d, text_after(p, old ? "maxt=" : "run="));
        return true;
    }
    return false;
}

bool fio_text_is_disk_head(const char *line)
{
    return strstr(line, "Disk stats (read/write):") != NULL;
}

/* "2663/38225": reads and writes. */
static void read_pair(const char *line, const char *mark, uint64_t unit, struct disk_stat *disk,
                      size_t read, size_t write)
{
    const char *p = text_after(line, mark);
    uint64_t v;
    for (int i = 0; i < 2 && p && text_u64(&p, &v) && !__builtin_mul_overflow(v, unit, &v); i++) {
        field_set_u64(&disk_stat_fields, disk, i == 0 ? read : write, v);
        p += *p == '/';
    }
}

bool fio_text_read_disk(const char *line, struct disk_stat *disk)
{
    const char *mark = strstr(line, ": ios=");
    const char *util = mark ? text_after(mark, ", util=") : NULL;
    if (!mark || !util)
        return false;
    size_t skip = strspn(line, " \t>");
    if (line + skip >= mark)
        return false;
    *disk = (struct disk_stat){.name = xstrndup(line + skip, (size_t)(mark - line) - skip)};
    read_pair(mark, ": ios=", 1, disk, DISK_STAT_read_ios, DISK_STAT_write_ios);
    read_pair(mark, ", sectors=", 512, disk, DISK_STAT_read_bytes, DISK_STAT_write_bytes);
    read_pair(mark, ", merge=", 1, disk, DISK_STAT_read_merges, DISK_STAT_write_merges);
    read_pair(mark, ", ticks=", NS_PER_MS, disk, DISK_STAT_read_ns, DISK_STAT_write_ns);
    const char *queue = text_after(mark, ", in_queue=");
    uint64_t ms;
    double percent;
    if (queue && text_u64(&queue, &ms) && ms < UINT64_MAX / NS_PER_MS)
        SET(disk, DISK_STAT, in_queue_ns, ms * NS_PER_MS);
    if (text_decimal(&util, &percent))
        SET(disk, DISK_STAT, util, percent / 100);
    return true;
}

char *fio_text_version(const char *line)
{
    const char *p = line + strspn(line, " \t>");
    size_t n = strcspn(p, " \t"), skip = strncmp(p, "fio-", 4) == 0 ? 4 : 0;
    if (n >= 64 || p[n + strspn(p + n, " \t")] != '\0' || p[skip] < '0' || p[skip] > '9')
        return NULL;
    /* up to 2.0 there is only the number */
    if (skip == 0 && (n < 5 || strspn(p, "0123456789.") != n ||
                      !strchr(memchr(p, '.', n) ? strchr(p, '.') + 1 : "", '.')))
        return NULL;
    return skip ? xstrndup(p, n) : xasprintf("fio-%.*s", (int)n, p);
}
