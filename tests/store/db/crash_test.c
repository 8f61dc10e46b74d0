/* What was stored survives kill -9 at any moment and a full disk; the store opens again. */
#include <criterion/criterion.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/xalloc.h"
#include "store/db/store.h"
#include "tests/support/sample.h"
#include "tests/support/scratch.h"

static char *folder, *path;

static void set_up(void)
{
    folder = scratch_make();
    path = scratch_path(folder, "results.db");
}

static void tear_down(void)
{
    free(path);
    scratch_remove(folder);
}

TestSuite(crash, .init = set_up, .fini = tear_down);

/* Stores cells until something fails; writes a byte to `told` for each that is said to be safe. */
static int store_for_ever(int told, struct error *err)
{
    struct store *s = NULL;
    int rc = store_open(&s, path, STORE_WRITE, err);
    if (rc < 0)
        return rc;
    struct run *run = sample_run(0);
    struct sink sink = store_sink(s, SINK_DURABLE);
    rc = sink.begin(sink.self, run, err);
    for (unsigned i = 0; rc == 0; i++) {
        struct cell *c = sample_cell(i);
        SET(c, CELL, ordinal, i);
        rc = sink.cell(sink.self, c, err);
        cell_destroy(c);
        if (rc == 0 && write(told, "", 1) != 1)
            abort();
    }
    run_destroy(run);
    store_close(s);
    return rc;
}

static int expect_whole(struct cell *c, void *arg)
{
    unsigned *i = arg;
    struct cell *want = sample_cell(*i);
    SET(want, CELL, ordinal, *i);
    cr_expect_str_eq(sample_cell_difference(want, c), "");
    cell_destroy(want);
    (*i)++;
    return 0;
}

/* The store opens, is sound, and has the told cells of the run (the next one may be there too). */
static void expect_kept(int64_t run, uint64_t told)
{
    struct error err = ERROR_INIT;
    struct store *s = NULL;
    cr_assert_eq(store_open(&s, path, STORE_READ, &err), 0, "%s", err.message);
    cr_assert_eq(store_verify(s, &err), 0, "%s", err.message);
    unsigned whole = 0;
    cr_assert_eq(store_each_cell(s, run, LOAD_ALL, expect_whole, &whole, &err), 0, "%s",
                 err.message);
    cr_expect(whole == told || whole == told + 1, "%u cells are there, %lu were told", whole,
              (unsigned long)told);
    store_close(s);
}

Test(crash, kill_9_loses_no_cell_that_was_told)
{
    for (int64_t round = 1; round <= 10; round++) {
        int pipe_fd[2];
        cr_assert_eq(pipe(pipe_fd), 0);
        pid_t pid = fork();
        if (pid == 0) {
            struct error err = ERROR_INIT;
            store_for_ever(pipe_fd[1], &err);
            _exit(1);
        }
        close(pipe_fd[1]);
        char byte;
        uint64_t told = 0;
        for (int64_t i = 0; i < round * 2; i++)
            told += read(pipe_fd[0], &byte, 1) == 1;
        usleep((useconds_t)(round * 137)); /* into the next transaction */
        kill(pid, SIGKILL);
        cr_assert_eq(waitpid(pid, NULL, 0), pid);
        while (read(pipe_fd[0], &byte, 1) == 1)
            told++;
        close(pipe_fd[0]);
        cr_expect(told >= (uint64_t)round * 2);
        expect_kept(round, told);
    }
}

/* A file system of 900 KiB of its own, seen by this test only. */
static void mount_small(void)
{
    if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", folder, "tmpfs", 0, "size=900k") != 0)
        cr_skip_test("needs root, to mount a small tmpfs");
}

/* Writes a file of up to n bytes, as far as there is room. */
static void fill_disk(const char *file, size_t n)
{
    FILE *f = fopen(file, "wbe");
    cr_assert_not_null(f);
    setvbuf(f, NULL, _IONBF, 0);
    for (size_t i = 0; i < n && fputc('x', f) != EOF; i++)
        ;
    fclose(f);
}

Test(crash, a_full_disk_loses_nothing_and_the_store_still_opens)
{
    mount_small();
    char *ballast = scratch_path(folder, "ballast"), *filler = scratch_path(folder, "filler");
    fill_disk(ballast, 200 * 1024);
    int pipe_fd[2];
    cr_assert_eq(pipe(pipe_fd), 0);
    struct error err = ERROR_INIT;
    cr_assert_eq(store_for_ever(pipe_fd[1], &err), -ERR_STORE);
    cr_expect(strstr(err.message, "full") && strstr(err.message, "Free some space"), "%s",
              err.message);
    close(pipe_fd[1]);
    uint64_t told = 0;
    char byte;
    while (read(pipe_fd[0], &byte, 1) == 1)
        told++;
    close(pipe_fd[0]);
    cr_expect(told > 3, "%lu", (unsigned long)told);
    /* while the disk is full to the last byte */
    fill_disk(filler, SIZE_MAX);
    expect_kept(1, told);
    /* and when there is room again, it goes on */
    cr_assert_eq(unlink(ballast), 0);
    struct store *s = NULL;
    error_clear(&err);
    cr_assert_eq(store_open(&s, path, STORE_WRITE, &err), 0, "%s", err.message);
    struct run *run = sample_run(1);
    struct cell *c = sample_cell(0);
    struct sink sink = store_sink(s, SINK_DURABLE);
    cr_expect_eq(sink.begin(sink.self, run, &err), 0, "%s", err.message);
    cr_expect_eq(sink.cell(sink.self, c, &err), 0, "%s", err.message);
    cell_destroy(c);
    run_destroy(run);
    store_close(s);
    free(filler);
    free(ballast);
    umount(folder);
}
