/*
 * Measures one cell on one device and prints what it cost: name=value pairs on a line, for
 * engines.sh. Reads only.
 *   bench_cell DEVICE|FILE ENGINE[:OPTIONS] BS IODEPTH NUMJOBS SECONDS [RAMP_SECONDS]
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/units.h"
#include "core/base/xalloc.h"
#include "runner/job/job.h"

static int fail(const struct error *err)
{
    fprintf(stderr, "bench_cell: %s\n", err->message);
    return 1;
}

static bool find_size(int fd, uint64_t *size)
{
    struct stat st;
    if (fstat(fd, &st))
        return false;
    *size = (uint64_t)st.st_size;
    return S_ISREG(st.st_mode) || ioctl(fd, BLKGETSIZE64, size) == 0;
}

static int set_key(struct cell_key *key, char **argv, uint64_t *ramp, uint64_t *seconds,
                   struct error *err)
{
    uint64_t bs, depth, jobs;
    int rc = parse_size(argv[3], &bs, err);
    if (rc == 0)
        rc = parse_u64(argv[4], 1, 65536, &depth, err);
    if (rc == 0)
        rc = parse_u64(argv[5], 1, 64, &jobs, err);
    if (rc == 0)
        rc = parse_u64(argv[6], 1, 3600, seconds, err);
    if (rc == 0 && argv[7])
        rc = parse_u64(argv[7], 0, 3600, ramp, err);
    if (rc)
        return rc;
    SET(key, CELL_KEY, rw, RW_RANDREAD);
    SET(key, CELL_KEY, bs, bs);
    SET(key, CELL_KEY, iodepth, depth);
    SET(key, CELL_KEY, numjobs, jobs);
    const char *colon = strchr(argv[2], ':');
    key->engine = colon ? xstrndup(argv[2], (size_t)(colon - argv[2])) : xstrdup(argv[2]);
    key->engine_options = colon ? xstrdup(colon + 1) : NULL;
    return 0;
}

static void print(const struct cell *c)
{
    const struct direction *r = &c->dir[DIR_READ];
    double ios = (double)r->ios;
    uint64_t p50 = 0, p99 = 0;
    lat_percentile(&r->lat[LAT_CLAT], 50, &p50);
    lat_percentile(&r->lat[LAT_CLAT], 99, &p99);
    printf("ios=%llu iops=%.1f cpu_ns=%.1f user_ns=%.1f system_ns=%.1f depth=%.3f clat_mean=%.0f "
           "clat_p50=%llu clat_p99=%llu status=%s caveats=%s\n",
           (unsigned long long)r->ios, r->iops, c->cpu_per_io_ns, (double)c->user_ns / ios,
           (double)c->system_ns / ios, c->little_ratio, r->lat[LAT_CLAT].mean,
           (unsigned long long)p50, (unsigned long long)p99, status_names[c->status],
           c->caveats ? c->caveats : "[]");
    if (c->error)
        fprintf(stderr, "bench_cell: %s\n", c->error);
}

int main(int argc, char **argv)
{
    struct error err = ERROR_INIT;
    if (argc != 7 && argc != 8) {
        fprintf(stderr, "usage: bench_cell DEVICE ENGINE[:OPTIONS] BS IODEPTH NUMJOBS SECONDS "
                        "[RAMP_SECONDS]\n");
        return 2;
    }
    uint64_t size = 0, ramp = 0, seconds = 0;
    int fd = open(argv[1], O_RDONLY | O_DIRECT | O_CLOEXEC);
    if (fd < 0 || !find_size(fd, &size)) {
        fprintf(stderr, "bench_cell: %s: %s\n", argv[1], strerrordesc_np(errno));
        return 1;
    }
    struct cell *cell = cell_create();
    struct job_target target = {.fd = fd, .size = size, .label = argv[1]};
    int rc = set_key(&cell->key, argv, &ramp, &seconds, &err);
    if (rc == 0) {
        struct job_spec spec = {.target = &target,
                                .n_targets = 1,
                                .ramp_ns = ramp * NS_PER_S,
                                .runtime_ns = seconds * NS_PER_S,
                                .run_seed = 1};
        rc = job_run_cell(&spec, cell, &err);
    }
    if (rc == 0)
        print(cell);
    cell_destroy(cell);
    close(fd);
    return rc ? fail(&err) : 0;
}
