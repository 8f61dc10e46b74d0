#include <criterion/criterion.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "core/base/strbuf.h"
#include "core/base/xalloc.h"
#include "runner/device/device.h"

enum { MIB = 1 << 20 };

static char folder[] = "/var/tmp/blkmatrix-open-XXXXXX";
static char *path;

static void setup(void)
{
    cr_assert(mkdtemp(folder) != NULL);
    path = xasprintf("%s/scratch", folder);
}

static void teardown(void)
{
    char *side = xasprintf("%s.blkmatrix", path);
    unlink(side);
    unlink(path);
    rmdir(folder);
    free(side);
    free(path);
}

TestSuite(open_file, .init = setup, .fini = teardown);

static int open_it(struct device **d, struct device_request r, struct error *err)
{
    if (!r.path)
        r.path = path;
    r.direct = true;
    return device_open(d, &r, err);
}

static void write_foreign(const char *text, off_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    cr_assert(fd >= 0);
    cr_assert(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    cr_assert(ftruncate(fd, size) == 0);
    close(fd);
}

static bool starts_with(const char *text)
{
    char head[64] = {0};
    int fd = open(path, O_RDONLY);
    bool same = read(fd, head, strlen(text)) == (ssize_t)strlen(text) && strcmp(head, text) == 0;
    close(fd);
    return same;
}

Test(open_file, is_made_of_real_blocks_and_known_again)
{
    struct error err = ERROR_INIT;
    struct device *d;
    cr_assert(open_it(&d, (struct device_request){.size = 4 * MIB}, &err) == 0, "%s", err.message);
    const struct device_info *info = device_snapshot(d);
    cr_expect_eq(device_size(d), 4 * MIB);
    cr_expect_str_eq(info->type, "file");
    cr_expect_str_eq(info->resolved, path);
    cr_expect(IS_KNOWN(info, DEVICE, made_here) && info->made_here);
    cr_expect(info->fs_type && info->mount_point && info->mount_options);
    cr_expect(fcntl(device_fd(d), F_GETFL) & O_DIRECT);

    struct stat st;
    cr_assert(fstat(device_fd(d), &st) == 0);
    cr_expect_eq(st.st_size, 4 * MIB);
    cr_expect_geq(st.st_blocks * 512, 4 * MIB, "no holes");
    /* and the content is not zeros: at a place of our choice */
    char zeros[4096] = {0};
    char *block = aligned_alloc(4096, 4096);
    cr_expect_eq(pread(device_fd(d), block, 4096, 3 * MIB), 4096);
    cr_expect(memcmp(block, zeros, sizeof zeros) != 0);
    free(block);
    device_close(d);

    /* ours: may be written, and made larger, without any permission */
    cr_assert(open_it(&d, (struct device_request){.size = 6 * MIB, .write = true}, &err) == 0, "%s",
              err.message);
    cr_expect_eq(device_size(d), 6 * MIB);
    cr_assert(fstat(device_fd(d), &st) == 0);
    cr_expect_geq(st.st_blocks * 512, 6 * MIB);
    device_close(d);

    /* asking for less uses less and leaves the rest */
    cr_assert(open_it(&d, (struct device_request){.size = 2 * MIB}, &err) == 0);
    cr_expect_eq(device_size(d), 2 * MIB);
    device_close(d);
    cr_assert(stat(path, &st) == 0);
    cr_expect_eq(st.st_size, 6 * MIB);
}

Test(open_file, of_somebody_else_is_read_only)
{
    struct error err = ERROR_INIT;
    struct device *d;
    write_foreign("precious", MIB);
    cr_assert(open_it(&d, (struct device_request){0}, &err) == 0, "%s", err.message);
    cr_expect_eq(device_size(d), MIB);
    cr_expect(!device_snapshot(d)->made_here);
    cr_expect_eq(fcntl(device_fd(d), F_GETFL) & O_ACCMODE, O_RDONLY);
    device_close(d);

    cr_expect_eq(open_it(&d, (struct device_request){.write = true}, &err), -ERR_REFUSED);
    cr_expect(strstr(err.message, "was not made by blkmatrix") != NULL, "%s", err.message);
    cr_expect(strstr(err.message, "--destroy-data=") != NULL, "%s", err.message);
    cr_expect_eq(open_it(&d, (struct device_request){.size = 2 * MIB}, &err), -ERR_USAGE);
    cr_expect(starts_with("precious"));
}

Test(open_file, destroy_data_must_name_it)
{
    struct error err = ERROR_INIT;
    struct device *d;
    write_foreign("precious", MIB);
    const char *other[] = {"/var/tmp", "scratch"};
    struct device_request r = {.write = true,
                               .permit = {.destroy_data = other, .n_destroy_data = 2}};
    cr_expect_eq(open_it(&d, r, &err), -ERR_REFUSED);

    const char *own[] = {path};
    r.permit = (struct safety_permit){.destroy_data = own, .n_destroy_data = 1};
    cr_assert(open_it(&d, r, &err) == 0, "%s", err.message);
    cr_expect_eq(fcntl(device_fd(d), F_GETFL) & O_ACCMODE, O_RDWR);
    device_close(d);
}

/* `cp mine scratch` keeps the attribute and the inode, and is not ours any more. */
Test(open_file, that_was_overwritten_is_not_ours_any_more)
{
    struct error err = ERROR_INIT;
    struct device *d;
    cr_assert(open_it(&d, (struct device_request){.size = MIB}, &err) == 0, "%s", err.message);
    device_close(d);
    write_foreign("my thesis", 300000);
    cr_expect_eq(open_it(&d, (struct device_request){.write = true}, &err), -ERR_REFUSED);
    cr_expect(strstr(err.message, "replaced since") != NULL, "%s", err.message);
    cr_expect(starts_with("my thesis"));
}

static bool stop_half_way(void *arg, uint64_t done, uint64_t total)
{
    int *calls = arg;
    ++*calls;
    return done < total / 2;
}

Test(open_file, interrupted_while_filling_leaves_nothing)
{
    struct error err = ERROR_INIT;
    struct device *d;
    int calls = 0;
    struct device_request r = {.size = 8 * MIB, .go_on = stop_half_way, .arg = &calls};
    cr_expect_eq(open_it(&d, r, &err), -ERR_INTERRUPTED);
    cr_expect_eq(calls, 4);
    cr_expect_eq(access(path, F_OK), -1);
}

/* Killed while filling: marked, too little filled; the next run fills it up. */
Test(open_file, half_filled_is_filled_up)
{
    struct error err = ERROR_INIT;
    struct device *d;
    write_foreign("", 4 * MIB);
    struct stat st;
    cr_assert(stat(path, &st) == 0);
    char *mark =
        xasprintf("filled=0 size=4194304 written=%lld", (st.st_mtim.tv_sec + 1) * 1000000000LL);
    if (setxattr(path, "user.blkmatrix", mark, strlen(mark), 0) != 0)
        cr_skip_test("no extended attributes in /var/tmp");
    free(mark);
    cr_assert_lt(st.st_blocks * 512, 4 * MIB, "sparse to begin with");
    cr_assert(open_it(&d, (struct device_request){0}, &err) == 0, "%s", err.message);
    cr_assert(fstat(device_fd(d), &st) == 0);
    cr_expect_geq(st.st_blocks * 512, 4 * MIB);
    device_close(d);
}

static void overwrite_in_place(const char *text)
{
    int fd = open(path, O_WRONLY);
    cr_assert(pwrite(fd, text, strlen(text), 0) == (ssize_t)strlen(text));
    close(fd);
}

/* Inode, size and mark stay, and the content is somebody's. */
Test(open_file, that_was_written_by_others_is_not_ours_any_more)
{
    struct error err = ERROR_INIT;
    struct device *d;
    struct timespec old[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    cr_assert(open_it(&d, (struct device_request){.size = MIB, .write = true}, &err) == 0, "%s",
              err.message);
    char *block = aligned_alloc(4096, 4096);
    memset(block, 7, 4096);
    cr_assert(pwrite(device_fd(d), block, 4096, 0) == 4096);
    free(block);
    device_close(d);
    cr_assert(open_it(&d, (struct device_request){.write = true}, &err) == 0, "%s", err.message);
    device_close(d);

    overwrite_in_place("my backup");
    cr_expect_eq(open_it(&d, (struct device_request){.write = true}, &err), -ERR_REFUSED);
    cr_expect(strstr(err.message, "changed since") != NULL, "%s", err.message);
    cr_expect(strstr(err.message, "--destroy-data=") != NULL, "%s", err.message);
    /* cp -p gives it a time of long ago */
    cr_assert(utimensat(AT_FDCWD, path, old, 0) == 0);
    cr_expect_eq(open_it(&d, (struct device_request){.write = true}, &err), -ERR_REFUSED);
    /* nor is it made larger; it can be read */
    cr_expect_eq(open_it(&d, (struct device_request){.size = 2 * MIB}, &err), -ERR_USAGE);
    cr_assert(open_it(&d, (struct device_request){0}, &err) == 0, "%s", err.message);
    cr_expect(!device_snapshot(d)->made_here);
    device_close(d);
    cr_expect(starts_with("my backup"));
}

/* A run that was killed left no word on what it wrote last. */
Test(open_file, of_a_killed_run_is_nobodys)
{
    struct error err = ERROR_INIT;
    struct device *d;
    cr_assert(open_it(&d, (struct device_request){.size = MIB}, &err) == 0, "%s", err.message);
    device_close(d);
    pid_t child = fork();
    if (child == 0)
        _exit(open_it(&d, (struct device_request){.write = true}, &err) == 0 ? 0 : 1);
    int status = -1;
    cr_assert(waitpid(child, &status, 0) == child && status == 0);
    overwrite_in_place("my backup");
    cr_expect_eq(open_it(&d, (struct device_request){.write = true}, &err), -ERR_REFUSED);
    cr_expect(strstr(err.message, "was killed while it wrote") != NULL, "%s", err.message);
    cr_expect(starts_with("my backup"));
}

/* Killed while filling, and then somebody put something in. */
Test(open_file, half_filled_and_written_by_others_is_not_ours)
{
    struct error err = ERROR_INIT;
    struct device *d;
    write_foreign("my backup", 4 * MIB);
    const char mark[] = "filled=0 size=4194304 written=1000000000000000000";
    if (setxattr(path, "user.blkmatrix", mark, sizeof mark - 1, 0) != 0)
        cr_skip_test("no extended attributes in /var/tmp");
    cr_expect_eq(open_it(&d, (struct device_request){.write = true}, &err), -ERR_REFUSED);
    cr_assert(open_it(&d, (struct device_request){0}, &err) == 0, "%s", err.message);
    device_close(d);
    cr_expect(starts_with("my backup"));
}

Test(open_file, in_use_by_a_loop_or_another_process_is_refused)
{
    struct error err = ERROR_INIT;
    struct device *d;
    cr_assert(open_it(&d, (struct device_request){.size = MIB}, &err) == 0, "%s", err.message);
    device_close(d);
    int ready[2], done[2];
    cr_assert(pipe(ready) == 0 && pipe(done) == 0);
    pid_t child = fork();
    if (child == 0) {
        char c;
        int fd = open(path, O_RDWR);
        close(done[1]);
        if (write(ready[1], "x", 1) != 1 || read(done[0], &c, 1) < 0)
            _exit(1);
        close(fd);
        _exit(0);
    }
    char c;
    cr_assert(read(ready[0], &c, 1) == 1);
    cr_expect_eq(open_it(&d, (struct device_request){.write = true}, &err), -ERR_REFUSED);
    char *pid = xasprintf("(pid %d) for writing", (int)child);
    cr_expect(strstr(err.message, pid) != NULL, "%s", err.message);
    free(pid);
    close(done[1]);
    waitpid(child, NULL, 0);
    cr_expect_eq(open_it(&d, (struct device_request){.write = true}, &err), 0);
    device_close(d);
}

Test(open_file, wrong_requests_teach)
{
    struct error err = ERROR_INIT;
    struct device *d;
    cr_expect_eq(open_it(&d, (struct device_request){0}, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "No such file") && strstr(err.message, "--size"), "%s",
              err.message);
    cr_expect_eq(open_it(&d, (struct device_request){.path = folder}, &err), -ERR_USAGE);
    cr_expect_eq(open_it(&d, (struct device_request){.path = "/dev/null"}, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "neither a block device nor a regular file") != NULL);
    cr_expect_eq(open_it(&d, (struct device_request){.path = "/nowhere/at/all", .size = MIB}, &err),
                 -ERR_USAGE);
}

Test(open_file, too_large_for_the_disk_leaves_nothing)
{
    struct error err = ERROR_INIT;
    struct device *d;
    cr_expect_eq(open_it(&d, (struct device_request){.size = UINT64_C(1) << 52}, &err),
                 -ERR_DEVICE);
    cr_expect(strstr(err.message, "--size") != NULL, "%s", err.message);
    cr_expect_eq(access(path, F_OK), -1);
}
