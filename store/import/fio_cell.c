#include "store/import/fio_cell.h"

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "store/import/fio_devices.h"
#include "store/import/fio_extra.h"
#include "store/import/fio_units.h"

static void read_host(struct fio_reader *r, const struct fio_host *host, struct cell *sum,
                      struct fio_bounds *bounds)
{
    fio_read_entry(r, host->entry[0], sum);
    for (size_t i = 1; i < host->n; i++) {
        struct cell member = {0};
        fio_read_entry(r, host->entry[i], &member);
        fio_merge(r, sum, &member, bounds);
        cell_release(&member);
    }
}

/* Hosts ran at the same time: the cell is their sum, and each one's share a part, by its device. */
static void read_hosts(struct fio_reader *r, const struct fio_group *group, struct cell *cell,
                       struct fio_bounds *bounds)
{
    bool parts = group->n_hosts > 1 && group->n_devices == group->n_hosts;
    struct cell_part *part = parts ? xcalloc(group->n_hosts, sizeof *part) : NULL;
    for (size_t i = 0; i < group->n_hosts; i++) {
        struct cell host = {0};
        read_host(r, &group->host[i], &host, bounds);
        for (int dir = 0; dir < DIR_COUNT && parts; dir++)
            direction_copy(&part[i].dir[dir], &host.dir[dir]);
        if (parts)
            part[i].device = group->device[i];
        if (i == 0) {
            *cell = host;
        } else {
            fio_merge(r, cell, &host, bounds);
            cell_release(&host);
        }
    }
    cell->part = part;
    cell->n_parts = parts ? group->n_hosts : 0;
}

/*
 * fio's own sum over hosts has percentiles that were taken from the merged histograms. It is used for
 * those only, and where it sums up the same I/Os.
 */
static void take_merged_percentiles(struct fio_reader *r, json_id all, struct cell *cell,
                                    struct fio_bounds *bounds)
{
    struct cell total = {0};
    fio_read_entry(r, all, &total);
    bool same = true;
    for (int i = DIR_READ; i < DIR_COUNT; i++)
        same = same && total.dir[i].ios == cell->dir[i].ios;
    for (int i = DIR_READ; same && i < DIR_COUNT; i++) {
        for (int k = 0; k < LAT_KIND_COUNT; k++) {
            struct lat *to = &cell->dir[i].lat[k], *from = &total.dir[i].lat[k];
            if (to->hist || to->n_reported > 0)
                continue;
            to->reported = from->reported;
            to->n_reported = from->n_reported;
            from->reported = NULL;
            from->n_reported = 0;
        }
    }
    cell_release(&total);
    size_t kept = 0; /* bounds of what is known now are not needed */
    for (size_t i = 0; i < bounds->n; i++) {
        const struct fio_bound *b = &bounds->bound[i];
        if (cell->dir[b->dir].lat[b->kind].n_reported == 0)
            bounds->bound[kept++] = *b;
    }
    bounds->n = kept;
}

/*
 * Of writes that fio verified, its reads are a load of their own at another time: they go to *reads. What
 * counts all I/Os together is none of the writes either.
 */
static void take_verification(struct cell *cell, struct fio_bounds *bounds, struct direction *reads)
{
    if (!cell_has_caveat(cell, "verify-reads") || rw_reads(cell->key.rw))
        return;
    direction_copy(reads, &cell->dir[DIR_READ]);
    direction_release(&cell->dir[DIR_READ]);
    for (size_t i = 0; i < cell->n_parts; i++)
        direction_release(&cell->part[i].dir[DIR_READ]);
    free(cell->bucket);
    cell->bucket = NULL;
    cell->n_buckets = 0;
    if (IS_KNOWN(&cell->dir[DIR_WRITE], DIRECTION, runtime_ns))
        SET(cell, CELL, runtime_ns, cell->dir[DIR_WRITE].runtime_ns);
    size_t kept = 0;
    for (size_t i = 0; i < bounds->n; i++) {
        if (bounds->bound[i].dir != DIR_READ)
            bounds->bound[kept++] = bounds->bound[i];
    }
    bounds->n = kept;
}

static void say_doubts(const struct fio_doubts *d, struct cell *cell)
{
    if (d->overflow)
        cell_add_caveat(cell, "number-too-large");
    if (d->no_counts)
        cell_add_assumed(cell, "ios");
    if (d->no_samples)
        cell_add_assumed(cell, "n");
    if (d->us_bins)
        cell_add_caveat(cell, "latency-in-whole-us");
}

/* That nothing was done in a direction is only worth keeping where the pattern asks for it. */
static void drop_idle(struct cell *cell)
{
    for (int i = DIR_READ; i <= DIR_TRIM; i++) {
        bool asked = IS_KNOWN(&cell->key, CELL_KEY, rw) && fio_rw_uses(cell->key.rw, (enum dir)i);
        if (!asked && !direction_is_used(&cell->dir[i]))
            direction_release(&cell->dir[i]);
    }
}

static uint64_t sum_of(struct fio_reader *r, const struct fio_group *g, const char *name)
{
    uint64_t sum = 0, v;
    for (size_t h = 0; h < g->n_hosts; h++) {
        for (size_t i = 0; i < g->host[h].n; i++) {
            if (json_u64(r->d, json_find(r->d, g->host[h].entry[i], name), &v) &&
                __builtin_add_overflow(sum, v, &sum))
                return 0;
        }
    }
    return sum;
}

/*
 * With several jobs fio's sampled rates are sums over the jobs, each at its own instants: means add
 * up, the smallest and largest do not.
 */
static void drop_summed_samples(struct cell *cell)
{
    static const size_t fields[] = {DIRECTION_iops_min, DIRECTION_iops_max, DIRECTION_iops_stddev,
                                    DIRECTION_bw_min,   DIRECTION_bw_max,   DIRECTION_bw_stddev};
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            cell->dir[dir].known &= ~(UINT64_C(1) << fields[i]);
    }
}

/*
 * Little's law: I/Os in flight = rate x time in the system, added up over the directions. Settings are
 * those of each of the sections.
 */
static void read_depth(struct cell *cell, size_t sections)
{
    double depth = 0;
    for (int i = DIR_READ; i <= DIR_MIXED; i++) {
        const struct direction *d = &cell->dir[i];
        if (!direction_is_used(d))
            continue;
        if (!IS_KNOWN(d, DIRECTION, iops) || !IS_KNOWN(&d->lat[LAT_LAT], LAT_F, mean))
            return;
        depth += d->iops * d->lat[LAT_LAT].mean / 1e9;
    }
    if (depth <= 0)
        return;
    SET(cell, CELL, depth_reached, depth);
    if (IS_KNOWN(&cell->key, CELL_KEY, iodepth) && IS_KNOWN(&cell->key, CELL_KEY, numjobs) &&
        cell->key.iodepth > 0 && cell->key.numjobs > 0)
        SET(cell, CELL, little_ratio,
            depth / ((double)cell->key.iodepth * (double)cell->key.numjobs * (double)sections));
}

static void read_cpu_per_io(struct cell *cell)
{
    double ios = 0;
    for (int i = DIR_READ; i <= DIR_MIXED; i++)
        ios += (double)cell->dir[i].ios;
    if (IS_KNOWN(cell, CELL, user_ns) && IS_KNOWN(cell, CELL, system_ns) && ios > 0)
        SET(cell, CELL, cpu_per_io_ns, ((double)cell->user_ns + (double)cell->system_ns) / ios);
}

/* A job that asks over and over whether its I/Os are done keeps a CPU full at any rate. */
static bool is_polling(const struct fio_options *o)
{
    const char *least = fio_option(o, "iodepth_batch_complete_min");
    return fio_option_is_set(o, "hipri") || fio_option_is_set(o, "userspace_reap") ||
           (least && strcmp(least, "0") == 0);
}

/* Entries of several jobs state the mean of their threads, which is not the busiest one's. */
static void drop_unsure_busiest(const struct fio_group *g, struct cell *cell)
{
    size_t entries = 0;
    for (size_t h = 0; h < g->n_hosts; h++)
        entries += g->host[h].n;
    size_t sections = g->together ? g->n_hosts : 1;
    if (!IS_KNOWN(&cell->key, CELL_KEY, numjobs) || cell->key.numjobs * sections != entries ||
        cell_has_caveat(cell, "several-sections") || is_polling(&g->options))
        UNSET(cell, CELL, cpu_util_max);
}

/*
 * Jobs of all hosts: their entries where clones have their own, else what the option says of each. What a
 * single entry of a text that breaks off sums up is not known.
 */
static void read_jobs(const struct fio_document *doc, const struct fio_group *g, struct cell *cell)
{
    struct cell_key *key = &cell->key;
    const char *text = fio_option(&g->options, "numjobs");
    uint64_t each = 0, entries = 0;
    if (text && !fio_number(text, strlen(text), 1024, &each))
        each = 0;
    for (size_t i = 0; i < g->n_hosts; i++)
        entries += g->host[i].n;
    bool lacks = fio_group_lacks_jobs(g, doc, each);
    if (lacks)
        cell_add_caveat(cell, "jobs-missing");
    else if (fio_group_is_uneven(g))
        cell_add_caveat(cell, "hosts-differ");
    if (g->together && g->host[0].n > 1) /* what is set is set for each device */
        SET(key, CELL_KEY, numjobs, g->host[0].n);
    else if (!g->together && entries > g->n_hosts)
        SET(key, CELL_KEY, numjobs, entries);
    else if (lacks && each > 1)
        UNSET(key, CELL_KEY, numjobs);
    else if (g->n_hosts > 1 && !g->together && IS_KNOWN(key, CELL_KEY, numjobs) &&
             key->numjobs < UINT32_MAX)
        SET(key, CELL_KEY, numjobs, key->numjobs * g->n_hosts);
}

static void read_key(struct fio_reader *r, const struct fio_cell_setting *s,
                     struct fio_group *group, uint64_t job_runtime_ms, struct cell *cell)
{
    size_t jobs = group->host[0].n;
    struct fio_key_facts facts = {.jobs = jobs, .path = s->path, .reader = r};
    if (group->n_hosts == 1 && jobs == 1)
        facts.job_runtime_ns = job_runtime_ms * NS_PER_MS;
    fio_key_read(cell, &group->options, r->version, &facts);
    read_jobs(s->doc, group, cell);
    if (group->options.differ)
        cell_add_caveat(cell, "hosts-differ");
    if (group->beside)
        cell_add_caveat(cell, "beside-others");
}

/* The files of different sections are named where they are those of all; else the last one's options have its own. */
static void drop_unsure_devices(struct fio_group *group, struct cell *cell)
{
    struct fio_paths of_all = {0};
    if (!cell_has_caveat(cell, "several-sections"))
        return;
    fio_paths_read(&of_all, &group->options);
    if (of_all.n == 0) {
        group->n_devices = 0;
        for (size_t i = 0; i < cell->n_parts; i++) {
            for (int dir = 0; dir < DIR_COUNT; dir++)
                direction_release(&cell->part[i].dir[dir]);
        }
        cell->n_parts = 0;
    }
    fio_paths_release(&of_all);
}

void fio_cell_read(const struct fio_cell_setting *s, struct fio_group *group, struct cell *cell)
{
    struct fio_reader r = {.d = &s->doc->json, .version = s->version, .bad = s->bad};
    struct fio_bounds bounds = {0};
    read_hosts(&r, group, cell, &bounds);
    uint64_t job_runtime = sum_of(&r, group, "job_runtime");
    read_key(&r, s, group, job_runtime < UINT32_MAX ? job_runtime : 0, cell);
    if (group->all)
        take_merged_percentiles(&r, group->all, cell, &bounds);
    read_cpu_per_io(cell);
    struct direction verification = {0};
    take_verification(cell, &bounds, &verification);
    if (bounds.n > 0)
        cell_add_caveat(cell, "percentiles-not-merged");
    if (!IS_KNOWN(&cell->key, CELL_KEY, numjobs) || cell->key.numjobs != 1 || group->together)
        drop_summed_samples(cell);
    drop_idle(cell);
    read_depth(cell, group->together ? group->n_hosts : 1);
    drop_unsure_busiest(group, cell);
    say_doubts(&r.doubts, cell);
    fio_status_read(s, &group->options, sum_of(&r, group, "total_err"), cell);
    fio_extra_read(&s->doc->json, group, &bounds, &verification, cell);
    direction_release(&verification);
    drop_unsure_devices(group, cell);
    cell->device = group->device;
    cell->n_devices = group->n_devices;
    group->device = NULL;
    if (cell->n_devices > 1)
        SET(cell, CELL, together, true);
    fio_bounds_release(&bounds);
}
