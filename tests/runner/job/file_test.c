/* Cells on a real file through every engine that works on files. */
#include <errno.h>
#include <sys/resource.h>

#include "tests/runner/job/file_cell.h"

Test(file, every_engine_reads_and_writes)
{
    struct job_target target = {.fd = scratch_file(), .size = FILE_BYTES, .label = "scratch"};
    struct job_spec spec = sim_spec(0.02, 0.2);
    spec.target = &target;
    spec.interval_ns = 40 * NS_PER_MS;
    for (size_t i = 0; engine_registry[i]; i++) {
        const struct engine_ops *ops = file_engine(i);
        for (enum rw rw = RW_READ; ops && rw <= RW_RANDRW; rw++) {
            struct cell *c = file_cell(ops, rw, 4096);
            run_cell(&spec, c);
            cr_expect_eq(c->status, STATUS_COMPLETE, "%s %s: %s", ops->name, rw_names[rw],
                         c->error);
            cr_expect(cell_has_caveat(c, "buffered"));
            uint64_t sampled = 0, ios = 0;
            for (enum dir d = DIR_READ; d <= DIR_TRIM; d++) {
                const struct direction *x = &c->dir[d];
                ios += x->ios;
                cr_expect_eq(x->bytes, x->ios * 4096);
                cr_expect_eq(x->lat[LAT_CLAT].n, x->ios);
                /* trims are a blocking call in most engines */
                bool blocked = ops->flags & ENGINE_SYNC || (d == DIR_TRIM && !x->lat[LAT_SLAT].n);
                cr_expect_eq(x->lat[LAT_SLAT].n, blocked ? 0 : x->ios);
                for (size_t k = 0; x->series && k < x->series->n; k++)
                    sampled += x->series->point[k].ios;
            }
            cr_expect_gt(ios, 0, "%s %s", ops->name, rw_names[rw]);
            /* the samples end with the nominal window, the count with the next completion */
            cr_expect_leq(sampled, ios);
            cr_expect(IS_KNOWN(c, CELL, user_ns) && IS_KNOWN(c, CELL, system_ns));
            cell_destroy(c);
        }
    }
    close(target.fd);
}

static int shrinking_fd;

static void shrink(void *arg, const struct job_progress *p)
{
    (void)arg;
    if (p->ios[DIR_READ] > 0 && ftruncate(shrinking_fd, 4096))
        abort();
}

Test(file, shrinks_in_mid_run)
{
    struct job_target target = {.fd = scratch_file(), .size = FILE_BYTES, .label = "scratch"};
    struct job_spec spec = sim_spec(0, 60);
    spec.target = &target;
    spec.progress = shrink;
    shrinking_fd = target.fd;
    for (size_t i = 0; engine_registry[i]; i++) {
        const struct engine_ops *ops = file_engine(i);
        if (!ops)
            continue;
        cr_assert_eq(ftruncate(target.fd, FILE_BYTES), 0);
        struct cell *c = file_cell(ops, RW_READ, 65536);
        run_cell(&spec, c);
        cr_expect_eq(c->status, STATUS_FAILED, "%s", ops->name);
        cr_expect_eq(c->error_code, ENODATA);
        cr_expect(strstr(c->error, "smaller than it was"), "%s", c->error);
        cr_expect_gt(c->dir[DIR_READ].ios, 0);
        cell_destroy(c);
    }
    close(target.fd);
}

static atomic_int enough;

static void stop_when_written(void *arg, const struct job_progress *p)
{
    (void)arg;
    if (p->bytes[DIR_WRITE] > 2 * FILE_BYTES)
        atomic_store(&enough, 1);
}

/* What a cell wrote is nothing that compresses: 256 values of a byte about equally often. */
Test(file, writes_random_data)
{
    struct job_target target = {.fd = scratch_file(), .size = FILE_BYTES, .label = "scratch"};
    struct job_spec spec = sim_spec(0, 100);
    spec.target = &target;
    spec.stop = &enough;
    spec.progress = stop_when_written;
    struct cell *c = file_cell(&engine_psync, RW_WRITE, 65536);
    run_cell(&spec, c);
    cr_assert_gt(c->dir[DIR_WRITE].bytes, 2 * FILE_BYTES);
    unsigned char *bytes = xmalloc(FILE_BYTES);
    cr_assert_eq(pread(target.fd, bytes, FILE_BYTES, 0), FILE_BYTES);
    uint64_t count[256] = {0};
    for (size_t i = 0; i < FILE_BYTES; i++)
        count[bytes[i]]++;
    for (int v = 0; v < 256; v++)
        NEAR(count[v], FILE_BYTES / 256.0, 0.1);
    free(bytes);
    cell_destroy(c);
    close(target.fd);
}

/* Jobs run where they are told to; a CPU that is not there is a usage error. */
Test(file, pins_jobs)
{
    struct job_target target = {.fd = scratch_file(), .size = FILE_BYTES, .label = "scratch"};
    struct job_spec spec = sim_spec(0, 0.1);
    unsigned cpu = 0;
    struct error err = ERROR_INIT;
    spec.target = &target;
    spec.cpu = &cpu;
    spec.n_cpus = 1;
    struct cell *c = file_cell(&engine_psync, RW_READ, 4096);
    run_cell(&spec, c);
    cell_destroy(c);
    cpu = 1000;
    c = file_cell(&engine_psync, RW_READ, 4096);
    cr_expect_eq(job_run_cell(&spec, c, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "CPU 1000"), "%s", err.message);
    cell_destroy(c);
    close(target.fd);
}

Test(file, out_of_descriptors)
{
    struct job_target target = {.fd = scratch_file(), .size = FILE_BYTES, .label = "scratch"};
    struct job_spec spec = sim_spec(0, 0.1);
    struct error err = ERROR_INIT;
    spec.target = &target;
    struct rlimit none = {0, 0};
    getrlimit(RLIMIT_NOFILE, &none);
    none.rlim_cur = (rlim_t)target.fd + 1;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    struct cell *c = file_cell(&engine_psync, RW_READ, 4096);
    cr_expect_eq(job_run_cell(&spec, c, &err), -ERR_DEVICE);
    cr_expect(strstr(err.message, "scratch: cannot duplicate its descriptor"), "%s", err.message);
    cell_destroy(c);
}

/* More buffers than there are addresses: said before anything starts. */
Test(file, out_of_memory)
{
    struct job_target target = {
        .fd = scratch_file(), .size = UINT64_C(4) << 30, .label = "scratch"};
    struct job_spec spec = sim_spec(0, 0.1);
    struct error err = ERROR_INIT;
    spec.target = &target;
    struct cell *c = file_cell(&engine_libaio, RW_READ, INT32_MAX);
    SET(&c->key, CELL_KEY, iodepth, 65536);
    cr_expect_eq(job_run_cell(&spec, c, &err), -ERR_DEVICE);
    cr_expect(strstr(err.message, "not enough memory for 65536 buffers of 2147483648 bytes"), "%s",
              err.message);
    cell_destroy(c);
    close(target.fd);
}
