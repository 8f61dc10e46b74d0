/* Limits of the kernel an engine runs into: the message names the limit and what to do. */
#include <criterion/criterion.h>
#include <sys/resource.h>

#include "tests/runner/engine/rig.h"

Test(limits, libaio_names_aio_max_nr)
{
    char why[256];
    if (!engine_libaio.supported(why, sizeof why))
        return;
    struct engine *e = NULL;
    struct error err = ERROR_INIT;
    struct engine_env env = {.iodepth = 3000000, .options = ""};
    cr_assert_eq(engine_libaio.create(&e, &env, &err), -ERR_DEVICE);
    cr_expect(strstr(err.message, "fs.aio-max-nr is "), "%s", err.message);
    cr_expect(strstr(err.message, "sysctl fs.aio-max-nr="), "%s", err.message);
    cr_expect_null(e);
}

/* Only an ordinary user has the limit; the test runs in a process of its own. */
Test(limits, io_uring_names_locked_memory)
{
    char why[256];
    if (!engine_io_uring.supported(why, sizeof why))
        return;
    struct rig r;
    struct error err = ERROR_INIT;
    rig_init(&r, &engine_io_uring);
    rig_stop(&r);
    struct rlimit little = {32768, 32768}; /* the ring fits, the 64 KiB of buffers do not */
    cr_assert_eq(setrlimit(RLIMIT_MEMLOCK, &little), 0);
    cr_assert(getuid() != 0 || setuid(65534) == 0);
    cr_assert_eq(start(&r, "", &err), -ERR_DEVICE);
    cr_expect(strstr(err.message, "locked-memory limit"), "%s", err.message);
    cr_expect(strstr(err.message, "fixedbufs=0"), "%s", err.message);
    cr_expect_eq(start(&r, "fixedbufs=0", &err), 0, "%s", err.message);
    rig_release(&r);
}

/* Every way to set io_uring up moves the same bytes. */
Test(io_uring, options)
{
    static const char *const options[] = {
        "fixedbufs=0", "registerfiles=0", "fixedbufs=0,registerfiles=0",
        "sqthread_poll=1,sqthread_poll_idle=10ms", "sqthread_poll=1,sqthread_poll_cpu=0"};
    char why[256];
    if (!engine_io_uring.supported(why, sizeof why))
        return;
    struct rig r;
    rig_init(&r, &engine_io_uring);
    for (size_t o = 0; o < sizeof options / sizeof options[0]; o++) {
        struct error err = ERROR_INIT;
        struct io *io[DEPTH];
        rig_stop(&r);
        cr_assert_eq(start(&r, options[o], &err), 0, "%s: %s", options[o], err.message);
        for (int pass = 0; pass < 2; pass++) {
            for (unsigned i = 0; i < DEPTH; i++) {
                io[i] = set(&r, i, pass ? DIR_READ : DIR_WRITE, (uint64_t)i * BS, BS);
                memset(io[i]->buf, pass ? 0 : 'A' + (int)(i + o), BS);
            }
            cr_assert_eq(do_all(&r, io, DEPTH), DEPTH, "%s", options[o]);
        }
        for (unsigned i = 0; i < DEPTH; i++) {
            const char *bytes = io[i]->buf;
            cr_expect_eq(io[i]->result, BS, "%s", options[o]);
            cr_expect_eq(bytes[BS - 1], 'A' + (char)(i + o), "%s", options[o]);
        }
    }
    rig_release(&r);
}

/* A polled ring on what cannot be polled fails each I/O and does not hang. */
Test(io_uring, hipri_where_it_cannot_be)
{
    char why[256];
    if (!engine_io_uring.supported(why, sizeof why))
        return;
    struct rig r;
    struct error err = ERROR_INIT;
    rig_init(&r, &engine_io_uring);
    rig_stop(&r);
    cr_assert_eq(start(&r, "hipri=1", &err), 0, "%s", err.message);
    struct io *io = set(&r, 0, DIR_READ, 0, BS);
    cr_assert_eq(do_one(&r, io), 1);
    cr_expect_eq(io->result, -EOPNOTSUPP, "%d", io->result);
    io = set(&r, 0, DIR_SYNC, 0, 0);
    cr_assert_eq(do_one(&r, io), 1);
    cr_expect_eq(io->result, 0);
    rig_release(&r);
}
