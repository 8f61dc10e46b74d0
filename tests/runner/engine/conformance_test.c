/* Every engine in the registry must keep the contract of engine.h: to register is to be tested. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <signal.h>
#include <sys/time.h>

#include "tests/runner/engine/rig.h"

/* One test a registered engine. */
#define ENGINE_TEST(name)                                                                          \
    static void check_##name(const struct engine_ops *ops);                                        \
    ParameterizedTestParameters(engine, name)                                                      \
    {                                                                                              \
        static size_t index[16];                                                                   \
        size_t n = 0;                                                                              \
        for (size_t i = 0; engine_registry[i]; i++) {                                              \
            if (!(engine_registry[i]->flags & ENGINE_WHOLE_CELL))                                  \
                index[n++] = i;                                                                    \
        }                                                                                          \
        return cr_make_param_array(size_t, index, n, NULL);                                        \
    }                                                                                              \
    ParameterizedTest(size_t *i, engine, name)                                                     \
    {                                                                                              \
        check_##name(engine_registry[*i]);                                                         \
    }                                                                                              \
    static void check_##name(const struct engine_ops *ops)

ENGINE_TEST(is_found_by_name)
{
    cr_assert_eq(engine_find(ops->name), ops);
    cr_assert(strlen(ops->summary) > 0);
    cr_assert_null(engine_find("no such engine"));
}

ENGINE_TEST(destroys_nothing)
{
    ops->destroy(NULL);
}

ENGINE_TEST(refuses_unknown_options)
{
    struct rig r;
    struct error err = ERROR_INIT;
    rig_init(&r, ops);
    rig_stop(&r);
    cr_assert_eq(start(&r, "no_such_option=1", &err), -ERR_USAGE);
    cr_assert(strstr(err.message, "no_such_option"), "%s", err.message);
    cr_assert(strstr(err.message, ops->name), "%s", err.message);
    rig_release(&r);
}

ENGINE_TEST(writes_and_reads_back)
{
    struct rig r;
    struct io *io[DEPTH];
    rig_init(&r, ops);
    for (unsigned i = 0; i < DEPTH; i++) {
        io[i] = set(&r, i, DIR_WRITE, (uint64_t)(DEPTH - i) * BS, BS);
        memset(io[i]->buf, 'a' + (int)i, BS);
    }
    cr_assert_eq(do_all(&r, io, DEPTH), DEPTH);
    for (unsigned i = 0; i < DEPTH; i++) {
        cr_expect_eq(io[i]->result, BS);
        if (has_device(&r))
            memset(io[i]->buf, 0, BS);
        set(&r, i, DIR_READ, (uint64_t)(DEPTH - i) * BS, BS);
    }
    cr_assert_eq(do_all(&r, io, DEPTH), DEPTH);
    for (unsigned i = 0; i < DEPTH; i++) {
        const char *bytes = io[i]->buf;
        cr_expect_eq(io[i]->result, BS);
        cr_expect(bytes[0] == 'a' + (char)i && bytes[BS - 1] == 'a' + (char)i, "slot %u", i);
    }
    rig_release(&r);
}

/* Submitting without reaping: what is taken is taken once, and comes back once. */
ENGINE_TEST(takes_part_of_a_batch)
{
    struct rig r;
    struct io *io[DEPTH], *done[DEPTH];
    unsigned seen[DEPTH] = {0}, sent = 0, back = 0;
    rig_init(&r, ops);
    for (unsigned i = 0; i < DEPTH; i++)
        io[i] = set(&r, i, DIR_READ, (uint64_t)i * BS, BS);
    for (int k = 1; k > 0 && sent < DEPTH; sent += (unsigned)k) {
        k = ops->submit(r.engine, io + sent, DEPTH - sent);
        cr_assert(k >= 0 && k <= (int)(DEPTH - sent), "submit returned %d", k);
        cr_assert(sent > 0 || k > 0, "nothing taken of the first batch");
    }
    while (back < sent) {
        int k = ops->reap(r.engine, done, 1, 3, LONG_NS); /* fewer than there are */
        cr_assert(k >= 1 && k <= 3, "reap returned %d, %u of %u are back", k, back, sent);
        for (int i = 0; i < k; i++)
            seen[done[i]->slot]++;
        back += (unsigned)k;
    }
    for (unsigned i = 0; i < sent; i++)
        cr_expect_eq(seen[i], 1, "slot %u came back %u times", i, seen[i]);
    rig_release(&r);
}

ENGINE_TEST(waits_for_the_timeout)
{
    struct rig r;
    struct io *done[DEPTH];
    rig_init(&r, ops);
    uint64_t t0 = clock_now_ns();
    cr_expect_eq(ops->reap(r.engine, done, 0, DEPTH, LONG_NS), 0);
    cr_expect_eq(ops->reap(r.engine, done, 1, DEPTH, 0), 0);
    uint64_t t1 = clock_now_ns();
    cr_expect_lt(t1 - t0, LONG_NS / 2);
    cr_expect_eq(ops->reap(r.engine, done, 1, DEPTH, 20 * NS_PER_MS), 0);
    uint64_t t2 = clock_now_ns();
    cr_expect(t2 - t1 >= 19 * NS_PER_MS && t2 - t1 < LONG_NS / 2, "waited %llu ns",
              (unsigned long long)(t2 - t1));
    rig_release(&r);
}

ENGINE_TEST(reads_short_at_the_end)
{
    struct rig r;
    rig_init(&r, ops);
    struct io *io = set(&r, 0, DIR_READ, (uint64_t)BS * BLOCKS, BS);
    cr_assert_eq(do_one(&r, io), 1);
    cr_expect_eq(io->result, TAIL);
    set(&r, 0, DIR_READ, (uint64_t)BS * (BLOCKS + 4), BS);
    cr_assert_eq(do_one(&r, io), 1);
    cr_expect_eq(io->result, 0);
    rig_release(&r);
}

ENGINE_TEST(reports_a_bad_descriptor)
{
    struct rig r;
    rig_init(&r, ops);
    if (!has_device(&r)) {
        rig_release(&r);
        return;
    }
    close(r.fd);
    r.fd = open("/dev/null", O_WRONLY | O_CLOEXEC); /* not open for reading */
    rig_stop(&r);
    struct error err = ERROR_INIT;
    cr_assert_eq(start(&r, "", &err), 0, "%s", err.message);
    struct io *io = set(&r, 0, DIR_READ, 0, BS), *done[1];
    int k = ops->submit(r.engine, &io, 1);
    if (k == 1) {
        cr_assert_eq(ops->reap(r.engine, done, 1, 1, LONG_NS), 1);
        k = done[0]->result;
    }
    cr_expect_eq(k, -EBADF);
    rig_release(&r);
}

/* After destroy the buffers are nobody's: what was submitted is in the file. */
ENGINE_TEST(drains_on_destroy)
{
    struct rig r;
    struct io *io[DEPTH];
    rig_init(&r, ops);
    for (unsigned i = 0; i < DEPTH; i++) {
        io[i] = set(&r, i, DIR_WRITE, (uint64_t)i * BS, BS);
        memset(io[i]->buf, 'z', BS);
    }
    int sent = ops->submit(r.engine, io, DEPTH);
    cr_assert_gt(sent, 0);
    rig_stop(&r);
    memset(r.arena, 0, DEPTH * BS);
    for (int i = 0; i < sent && has_device(&r); i++) {
        char byte = 0;
        cr_expect_eq(pread(r.fd, &byte, 1, (off_t)i * BS + BS - 1), 1);
        cr_expect_eq(byte, 'z', "block %d", i);
    }
    rig_release(&r);
}

ENGINE_TEST(syncs)
{
    struct rig r;
    rig_init(&r, ops);
    struct io *io = set(&r, 0, DIR_SYNC, 0, 0);
    cr_assert_eq(do_one(&r, io), 1);
    cr_expect_eq(io->result, 0);
    io->flags = IO_DATASYNC;
    cr_assert_eq(do_one(&r, io), 1);
    cr_expect_eq(io->result, 0);
    rig_release(&r);
}

/* On a file a trim is a hole: it reads as zeros. */
ENGINE_TEST(trims)
{
    struct rig r;
    struct io *io[2];
    rig_init(&r, ops);
    io[0] = set(&r, 0, DIR_WRITE, 0, BS);
    memset(io[0]->buf, 'x', BS);
    cr_assert_eq(do_one(&r, io[0]), 1);
    io[0] = set(&r, 0, DIR_TRIM, 0, BS);
    io[1] = set(&r, 1, DIR_READ, BS, BS);
    cr_assert_eq(do_all(&r, io, 2), 2);
    cr_expect_eq(io[0]->result, BS);
    cr_expect_eq(io[1]->result, BS);
    char byte = 'y';
    if (has_device(&r))
        cr_expect(pread(r.fd, &byte, 1, 0) == 1 && byte == 0);
    rig_release(&r);
}

/* Until the wait is over, as the first alarm may come before it has begun. */
static void on_alarm(int sig)
{
    (void)sig;
}

ENGINE_TEST(is_interrupted_by_a_signal)
{
    struct rig r;
    struct io *done[DEPTH];
    rig_init(&r, ops);
    struct sigaction sa = {.sa_handler = on_alarm}; /* without SA_RESTART */
    sigaction(SIGALRM, &sa, NULL);
    struct itimerval in = {.it_value = {.tv_usec = 20000}, .it_interval = {.tv_usec = 20000}};
    setitimer(ITIMER_REAL, &in, NULL);
    uint64_t t0 = clock_now_ns();
    int k = ops->reap(r.engine, done, 1, DEPTH, LONG_NS);
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    cr_expect_eq(k, -EINTR, "reap returned %d", k);
    cr_expect_lt(clock_now_ns() - t0, LONG_NS / 2);
    rig_release(&r);
}
