#include "core/base/embedded.h"

#include <criterion/criterion.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xalloc.h"

Test(embedded, names_are_sorted_and_found)
{
    const char *before = "";
    for (size_t i = 0;; i++) {
        const char *name = embedded_name(i);
        if (!name)
            break;
        cr_expect_lt(strcmp(before, name), 0, "%s, %s", before, name);
        before = name;
        size_t len = 0;
        const char *bytes = embedded_find(name, &len);
        cr_assert_not_null(bytes, "%s", name);
        cr_expect_eq(bytes[len], '\0');
    }
    cr_expect_null(embedded_find("templates/no-such-file", NULL));
    cr_expect_null(embedded_find("", NULL));
}

/* The bytes in the binary are those of the tree it was built from. */
Test(embedded, bytes_are_those_of_the_files)
{
    for (size_t i = 0; embedded_name(i); i++) {
        const char *name = embedded_name(i);
        size_t len;
        const char *bytes = embedded_find(name, &len);
        char *path = xasprintf("%s/%s", SOURCE_DIR, name);
        FILE *f = fopen(path, "rbe");
        cr_assert_not_null(f, "%s", path);
        char *disk = xcalloc(len + 2, 1);
        cr_expect_eq(fread(disk, 1, len + 2, f), len, "%s", name);
        cr_expect_eq(memcmp(disk, bytes, len), 0, "%s", name);
        fclose(f);
        free(disk);
        free(path);
    }
}

Test(embedded, a_source_tree_comes_first)
{
    char tree[] = "/tmp/blkmatrix-embedded-XXXXXX";
    cr_assert_not_null(mkdtemp(tree));
    char *path = xasprintf("%s/file", tree);
    FILE *f = fopen(path, "we");
    fputs("from the tree", f);
    fclose(f);
    setenv("BLKMATRIX_DATA", tree, 1);
    size_t len = 0;
    const char *bytes = embedded_find("file", &len);
    cr_expect_str_eq(bytes, "from the tree");
    cr_expect_eq(len, strlen("from the tree"));
    cr_expect_null(embedded_find("other", NULL));
    unlink(path);
    rmdir(tree);
    free(path);
}
