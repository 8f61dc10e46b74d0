#include "core/base/sysroot.h"

#include <criterion/criterion.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xalloc.h"

static char root[] = "/tmp/blkmatrix-sysroot-XXXXXX";
static struct sysroot sr;

static void put(const char *name, const char *bytes, size_t n)
{
    char *path = xasprintf("%s/%s", root, name);
    FILE *f = fopen(path, "we");
    cr_assert_not_null(f);
    fwrite(bytes, 1, n, f);
    fclose(f);
    free(path);
}

static void make_tree(void)
{
    cr_assert_not_null(mkdtemp(root));
    sr.root = root;
    char *dir = xasprintf("%s/block", root), *link = xasprintf("%s/link", root);
    cr_assert_eq(mkdir(dir, 0755), 0);
    cr_assert_eq(symlink("../../devices/loop0", link), 0);
    free(dir);
    free(link);
    put("size", "4096 \n\n", 7);
    put("model", "  Disk\0X \n", 10);
    put("empty", "", 0);
    static const char *const names[] = {"loop10",   "loop2", "sda", "loop1p2",
                                        "loop1p10", "a",     "x01", "x1"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = xasprintf("block/%s", names[i]);
        put(path, "", 0);
        free(path);
    }
}

static void remove_tree(void)
{
    char *cmd = xasprintf("rm -rf %s", root);
    cr_expect_eq(system(cmd), 0);
    free(cmd);
}

TestSuite(sysroot, .init = make_tree, .fini = remove_tree);

Test(sysroot, read_trims_the_end)
{
    char *text = sysroot_read(&sr, "/%s", "size");
    cr_expect_str_eq(text, "4096");
    free(text);
    text = sysroot_read(&sr, "/model");
    cr_expect_str_eq(text, "  Disk X");
    free(text);
    text = sysroot_read(&sr, "/empty");
    cr_expect_str_eq(text, "");
    free(text);
}

Test(sysroot, missing_is_null)
{
    cr_expect_null(sysroot_read(&sr, "/nothing"));
    cr_expect_null(sysroot_read(&sr, "/block")); /* a folder */
    cr_expect_null(sysroot_readlink(&sr, "/size"));
    size_t n = 9;
    cr_expect_null(sysroot_list(&sr, &n, "/nothing"));
    cr_expect_eq(n, 0);
    cr_expect_not(sysroot_exists(&sr, "/nothing"));
    cr_expect(sysroot_exists(&sr, "/block"));
}

Test(sysroot, numbers)
{
    uint64_t v = 7;
    cr_expect(sysroot_read_u64(&sr, &v, "/size"));
    cr_expect_eq(v, 4096);
    v = 7;
    cr_expect_not(sysroot_read_u64(&sr, &v, "/model"));
    cr_expect_not(sysroot_read_u64(&sr, &v, "/empty"));
    cr_expect_not(sysroot_read_u64(&sr, &v, "/nothing"));
    cr_expect_eq(v, 7);
}

Test(sysroot, readlink)
{
    char *target = sysroot_readlink(&sr, "/%s", "link");
    cr_expect_str_eq(target, "../../devices/loop0");
    free(target);
}

Test(sysroot, list_sorts_numbers_by_value)
{
    static const char *const want[] = {"a",      "loop1p2", "loop1p10", "loop2",
                                       "loop10", "sda",     "x01",      "x1"};
    size_t n;
    char **names = sysroot_list(&sr, &n, "/block");
    cr_assert_eq(n, sizeof want / sizeof want[0]);
    for (size_t i = 0; i < n; i++)
        cr_expect_str_eq(names[i], want[i]);
    sysroot_list_free(names, n);
    sysroot_list_free(NULL, 0);
}

Test(sysroot, reads_at_most_a_mebibyte)
{
    size_t n = 3 << 20;
    char *big = xmalloc(n);
    memset(big, 'x', n);
    put("big", big, n);
    char *text = sysroot_read(&sr, "/big");
    size_t len = strlen(text);
    cr_expect(len >= 1 << 20 && len < (1 << 20) + 8192, "%zu", len);
    free(text);
    free(big);
}

Test(sysroot, a_fifo_does_not_hang)
{
    char *path = xasprintf("%s/fifo", root);
    cr_assert_eq(mkfifo(path, 0600), 0);
    char *text = sysroot_read(&sr, "/fifo");
    free(text);
    free(path);
}

Test(sysroot, the_real_system)
{
    char *text = sysroot_read(&sysroot_system, "/proc/self/comm");
    cr_expect_not_null(text);
    cr_expect_gt(strlen(text), 0);
    free(text);
}
