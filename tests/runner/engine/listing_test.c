/*
 * An engine that cannot work here stays listed and says why: a filter on system calls answers as a
 * kernel would that lacks the interface, forbids it, or has given all of it away. Each test is a
 * process of its own.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runner/engine/engine.h"

/* From now on the call fails with this error; false where that cannot be arranged. */
static bool deny(unsigned call, unsigned errnum)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | errnum),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void expect_why(const char *engine, const char *words)
{
    char why[256] = "";
    const struct engine_ops *ops = engine_find(engine);
    cr_assert_not_null(ops, "%s is not listed", engine);
    cr_expect_not(ops->supported(why, sizeof why), "%s", engine);
    cr_expect(strstr(why, words), "%s: %s", engine, why);
}

Test(listing, libaio_is_not_in_the_kernel)
{
    if (deny(SYS_io_setup, ENOSYS))
        expect_why("libaio", "without CONFIG_AIO");
}

Test(listing, aio_max_nr_is_used_up)
{
    if (deny(SYS_io_setup, EAGAIN))
        expect_why("libaio", "fs.aio-max-nr is used up");
}

Test(listing, io_uring_is_not_in_the_kernel)
{
    if (engine_io_uring.option && deny(SYS_io_uring_setup, ENOSYS))
        expect_why("io_uring", "no io_uring");
}

Test(listing, io_uring_is_forbidden)
{
    if (engine_io_uring.option && deny(SYS_io_uring_setup, EPERM))
        expect_why("io_uring", "forbid");
}

/* The sysctl as this process sees it; only root can lay another one over it. */
Test(listing, io_uring_is_switched_off)
{
    char file[] = "/tmp/io_uring_disabled.XXXXXX";
    int fd = mkstemp(file);
    cr_assert(fd >= 0 && write(fd, "2\n", 2) == 2);
    bool ready = engine_io_uring.option && unshare(CLONE_NEWNS) == 0 &&
                 mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                 mount(file, "/proc/sys/kernel/io_uring_disabled", NULL, MS_BIND, NULL) == 0 &&
                 deny(SYS_io_uring_setup, EPERM);
    if (ready)
        expect_why("io_uring", "kernel.io_uring_disabled=2");
    close(fd);
    unlink(file);
}

Test(listing, fio_is_not_installed)
{
    cr_assert_eq(setenv("PATH", "/nowhere", 1), 0);
    expect_why("fio", "install fio");
}

Test(listing, every_engine_is_there)
{
    static const char *const names[] = {"libaio", "io_uring", "psync", "sim", "fio"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_not_null(engine_find(names[i]), "%s", names[i]);
}
