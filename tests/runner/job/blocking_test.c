/* What an engine does by a blocking call is its clat, as in fio: held against calls that are known to be slow. */
#include <sys/syscall.h>

#include "tests/runner/job/file_cell.h"

#define SLOW_NS (2 * NS_PER_MS)

static atomic_ulong calls;

/* The engines' calls come here instead of to libc. */
static long slowly(long result)
{
    struct timespec ts = {.tv_nsec = SLOW_NS};
    while (nanosleep(&ts, &ts))
        ;
    atomic_fetch_add(&calls, 1);
    return result;
}

int fallocate(int fd, int mode, off_t offset, off_t len)
{
    return (int)slowly(syscall(SYS_fallocate, fd, mode, offset, len));
}

int fsync(int fd)
{
    return (int)slowly(syscall(SYS_fsync, fd));
}

int fdatasync(int fd)
{
    return (int)slowly(syscall(SYS_fdatasync, fd));
}

static struct cell *run_slow(const struct engine_ops *ops, enum rw rw, const char *sync)
{
    struct job_target target = {.fd = scratch_file(), .size = FILE_BYTES, .label = "scratch"};
    struct job_spec spec = sim_spec(0, 0.1);
    struct cell *c = file_cell(ops, rw, 4096);
    spec.target = &target;
    SET(&c->key, CELL_KEY, iodepth, 1);
    SET(&c->key, CELL_KEY, numjobs, 1);
    if (sync)
        field_set_text(&cell_key_fields, &c->key, CELL_KEY_sync, sync);
    atomic_store(&calls, 0);
    run_cell(&spec, c);
    cr_expect_eq(c->status, STATUS_COMPLETE, "%s: %s", ops->name, c->error);
    close(target.fd);
    return c;
}

static void is_the_call(const struct engine_ops *ops, const struct cell *c, enum dir dir)
{
    const struct direction *d = &c->dir[dir];
    cr_expect_gt(d->ios, 0, "%s", ops->name);
    cr_expect_geq(atomic_load(&calls), d->ios, "%s", ops->name);
    cr_expect_eq(d->lat[LAT_CLAT].n, d->ios, "%s", ops->name);
    cr_expect_eq(d->lat[LAT_SLAT].n, 0, "%s", ops->name);
    cr_expect_geq(d->lat[LAT_CLAT].min, SLOW_NS, "%s: %lu ns", ops->name,
                  (unsigned long)d->lat[LAT_CLAT].min);
    cr_expect_eq(d->lat[LAT_CLAT].min, d->lat[LAT_LAT].min, "%s: alone in the queue", ops->name);
}

/* psync and libaio have no other way to trim. */
Test(blocking, trims)
{
    unsigned blocked = 0;
    for (size_t i = 0; engine_registry[i]; i++) {
        const struct engine_ops *ops = file_engine(i);
        if (!ops)
            continue;
        struct cell *c = run_slow(ops, RW_RANDTRIM, NULL);
        if (atomic_load(&calls)) {
            is_the_call(ops, c, DIR_TRIM);
            blocked++;
        }
        cell_destroy(c);
    }
    cr_expect_geq(blocked, 2);
}

/* The asynchronous engines leave a sync to the kernel. */
Test(blocking, syncs_of_psync)
{
    static const char *const sync[] = {"fsync=1", "fdatasync=1"};
    for (size_t i = 0; i < 2; i++) {
        struct cell *c = run_slow(&engine_psync, RW_RANDWRITE, sync[i]);
        is_the_call(&engine_psync, c, DIR_SYNC);
        cell_destroy(c);
    }
}
