/* SHA-256 beside the reading: the same as at once, however the bytes come, and when they move. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <unistd.h>

#include "core/base/xalloc.h"
#include "store/import/files.h"
#include "store/import/hashing.h"

/* FIPS 180-2, appendix B.3: a million times 'a'. */
#define MILLION   1000000
#define MILLION_A "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

Test(hashing, bytes_in_pieces, .timeout = 60)
{
    char hex[SHA256_TEXT_MAX];
    for (size_t piece = 1000; piece < 2 * MILLION; piece *= 10) {
        char *bytes = xmalloc(MILLION);
        struct hashing *h = hashing_start();
        for (size_t n = 0; n < MILLION;) {
            size_t more = piece < MILLION - n ? piece : MILLION - n;
            memset(bytes + n, 'a', more);
            n += more;
            hashing_give(h, bytes, n);
            if (n % 7000 == 0) { /* they move */
                hashing_wait(h);
                char *moved = xmalloc(MILLION);
                memcpy(moved, bytes, n);
                memset(bytes, 'b', n);
                free(bytes);
                bytes = moved;
            }
        }
        cr_expect_str_eq(hashing_end(h, hex), MILLION_A, "pieces of %zu", piece);
        free(bytes);
    }
    cr_expect_str_eq(hashing_end(hashing_start(), hex),
                     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

/* A file of `n` bytes, read as an import does. */
static void read_file(size_t n)
{
    char path[] = "/tmp/hashing_test.XXXXXX", hex[SHA256_TEXT_MAX], expected[SHA256_TEXT_MAX];
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    char *bytes = xmalloc(n + 1);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (char)(i * 2654435761u >> 13);
    cr_assert_eq(write(fd, bytes, n), (ssize_t)n);
    close(fd);
    struct import_bytes b = {0};
    struct error err = ERROR_INIT;
    cr_assert_eq(import_bytes_hash(&b, hex, path, &err), 0, "%s", err.message);
    cr_expect_str_eq(hex, sha256_hex(expected, bytes, n), "%zu bytes", n);
    cr_expect_eq(b.n, n);
    cr_expect_arr_eq(b.bytes, bytes, n);
    cr_expect_eq(b.bytes[n], '\0');
    import_bytes_release(&b);
    free(bytes);
    unlink(path);
}

Test(hashing, files_of_all_sizes, .timeout = 60)
{
    static const size_t sizes[] = {0, 1, 8500, 1 << 20, (1 << 20) + 1, (3 << 20) + 17};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        read_file(sizes[i]);
}
