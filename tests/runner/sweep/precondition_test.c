/* Preconditioning of files and of simulated devices: every block, as often as said, and no other. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/sweep/sweep.h"

#define SIZE  (UINT64_C(9) << 20)
#define BEGIN (UINT64_C(1) << 20)
#define BLOCK 4096

struct fixture {
    struct plan *plan;
    struct run *run;
    struct sweep_target target;
    char path[64];
    atomic_int stop;
    uint64_t told, total;
    bool stop_at_once;
    struct error err;
};

static struct range range_of(const char *text, enum range_unit unit)
{
    struct range r = RANGE_INIT;
    cr_assert_eq(range_parse(&r, text, unit, 0, UINT64_MAX, NULL), 0);
    return r;
}

/* An extent in the middle of a file of zeros; its size is no multiple of 128 KiB. */
static void make(struct fixture *f, const char *engine, const char *options)
{
    *f = (struct fixture){.path = "/tmp/blkmatrix-precondition-XXXXXX"};
    int fd = mkstemp(f->path);
    cr_assert(fd >= 0 && ftruncate(fd, SIZE) == 0);
    close(fd);
    struct plan_axes a = {.rw = {RW_RANDREAD},
                          .n_rw = 1,
                          .repeats = 1,
                          .n_devices = 1,
                          .seed = 1,
                          .runtime_ns = 50 * NS_PER_MS,
                          .interval_ns = 10 * NS_PER_MS};
    a.bs = range_of("4k", RANGE_SIZE);
    a.iodepth = range_of("1", RANGE_COUNT);
    a.numjobs = range_of("1", RANGE_COUNT);
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_engine, engine);
    if (options)
        field_set_text(&cell_key_fields, &a.base, CELL_KEY_engine_options, options);
    SET(&a.base, CELL_KEY, direct, false);
    SET(&a.base, CELL_KEY, offset, BEGIN);
    SET(&a.base, CELL_KEY, size, SIZE - 2 * BEGIN - 8 * BLOCK);
    cr_assert_eq(plan_create(&f->plan, &a, NULL), 0);
    f->run = run_create();
    const char *destroy[] = {f->path};
    const struct device_request request = {
        .path = f->path, .write = true, .size = options ? SIZE : 0, .permit = {true, destroy, 1}};
    cr_assert_eq(sweep_target_open(&f->target, engine_find(engine), &request, &f->err), 0, "%s",
                 f->err.message);
    fields_copy(&device_fields, run_add_device(f->run), &f->target.info);
}

static void release(struct fixture *f)
{
    plan_destroy(f->plan);
    run_destroy(f->run);
    sweep_target_close(&f->target);
    unlink(f->path);
}

static void on_precondition(void *arg, const struct sweep_filling *now)
{
    struct fixture *f = arg;
    cr_expect_str_eq(now->path, f->path);
    cr_expect(now->done >= f->told && now->done <= now->total);
    f->told = now->done;
    f->total = now->total;
}

static int on_begin(void *self, struct run *run, struct error *err)
{
    (void)self, (void)err;
    run->id = 1;
    return 0;
}

static int on_cell(void *self, struct cell *cell, struct error *err)
{
    (void)self, (void)cell, (void)err;
    return 0;
}

static int on_end(void *self, struct run *run, struct error *err)
{
    (void)self, (void)run, (void)err;
    return 0;
}

static int go(struct fixture *f, enum precondition how)
{
    const struct sysroot nothing = {"/nonexistent"};
    struct sink sink = {.self = f, .begin = on_begin, .cell = on_cell, .end = on_end};
    const struct sweep_spec spec = {.plan = f->plan,
                                    .run = f->run,
                                    .target = &f->target,
                                    .sink = &sink,
                                    .sysroot = &nothing,
                                    .precondition = how,
                                    .stop = &f->stop,
                                    .watch = {.precondition = on_precondition, .arg = f}};
    struct sweep_outcome outcome;
    return sweep_run(&outcome, &spec, &f->err);
}

/* Number of blocks in the extent that hold data; none outside may. */
static size_t written(const struct fixture *f)
{
    size_t n = 0;
    unsigned char block[BLOCK];
    FILE *file = fopen(f->path, "r");
    cr_assert(file);
    for (uint64_t at = 0; fread(block, BLOCK, 1, file) == 1; at += BLOCK) {
        bool zero = true;
        for (size_t i = 0; i < BLOCK; i++)
            zero = zero && block[i] == 0;
        bool inside = at >= BEGIN && at < SIZE - BEGIN - 8 * BLOCK;
        cr_expect(inside || zero, "block at %llu", (unsigned long long)at);
        n += inside && !zero;
    }
    fclose(file);
    return n;
}

#define BLOCKS ((SIZE - 2 * BEGIN) / BLOCK - 8)

Test(precondition, every_block_of_the_extent)
{
    static const char *const engine[] = {"libaio", "psync", "io_uring"};
    for (size_t e = 0; e < sizeof engine / sizeof *engine; e++) {
        char why[256];
        if (!engine_find(engine[e])->supported(why, sizeof why))
            continue;
        for (enum precondition how = PRECONDITION_FILL; how < PRECONDITION_COUNT; how++) {
            struct fixture f;
            make(&f, engine[e], NULL);
            cr_assert_eq(go(&f, how), 0, "%s: %s", engine[e], f.err.message);
            cr_expect_eq(written(&f), BLOCKS, "%s %s", engine[e], precondition_names[how]);
            cr_expect_eq(f.told, f.total);
            cr_expect_eq(f.total, (how == PRECONDITION_FILL ? 1 : 2) * BLOCKS * BLOCK);
            cr_expect(strstr(f.run->device[0].precondition, precondition_words(how)));
            cr_expect_str_eq(f.run->device[0].purge, "not done");
            release(&f);
        }
    }
}

Test(precondition, none_writes_nothing)
{
    struct fixture f;
    make(&f, "psync", NULL);
    cr_assert_eq(go(&f, PRECONDITION_NONE), 0, "%s", f.err.message);
    cr_expect_eq(written(&f), 0);
    cr_expect_null(f.run->device[0].precondition);
    release(&f);
}

Test(precondition, stopped)
{
    struct fixture f;
    make(&f, "psync", NULL);
    atomic_store(&f.stop, 1);
    cr_expect_eq(go(&f, PRECONDITION_FILL), -ERR_INTERRUPTED);
    cr_expect_eq(f.run->id, 0);
    release(&f);
}

Test(precondition, a_write_that_fails_is_an_error)
{
    struct fixture f;
    make(&f, "sim", "virtual=1,eio_every=20");
    cr_expect_eq(go(&f, PRECONDITION_FILL), -ERR_DEVICE);
    cr_expect(strstr(f.err.message, "preconditioning"), "%s", f.err.message);
    cr_expect_eq(f.run->id, 0);
    release(&f);
}
