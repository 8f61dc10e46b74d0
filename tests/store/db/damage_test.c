/* Store files with damaged bytes: an error or a result, never a crash, a hang or a write. */
#include <criterion/criterion.h>

#include "core/base/xalloc.h"
#include "store/db/store.h"
#include "tests/support/sample.h"
#include "tests/support/scratch.h"

static char *folder, *path;

static void set_up(void)
{
    folder = scratch_make();
    path = scratch_path(folder, "results.db");
    struct error err = ERROR_INIT;
    struct store *s = NULL;
    cr_assert_eq(store_open(&s, path, STORE_WRITE, &err), 0, "%s", err.message);
    struct run *run = sample_run(0);
    struct sink sink = store_sink(s, SINK_ATOMIC);
    cr_assert_eq(sink.begin(sink.self, run, &err), 0, "%s", err.message);
    for (unsigned i = 0; i < 3; i++) {
        struct cell *c = sample_cell(i);
        cr_assert_eq(sink.cell(sink.self, c, &err), 0, "%s", err.message);
        cell_destroy(c);
    }
    cr_assert_eq(sink.end(sink.self, run, &err), 0, "%s", err.message);
    run_destroy(run);
    store_close(s);
}

static void tear_down(void)
{
    free(path);
    scratch_remove(folder);
}

TestSuite(damage, .init = set_up, .fini = tear_down, .timeout = 800);

static int touch(struct cell *c, void *arg)
{
    (void)c;
    (*(unsigned *)arg)++;
    return 0;
}

/* Reads whatever can be read; true when nothing was wrong. */
static bool read_all(void)
{
    struct error err = ERROR_INIT;
    struct store *s = NULL;
    unsigned cells = 0;
    if (store_open(&s, path, STORE_READ, &err) < 0) {
        cr_expect_eq(err.code, ERR_STORE);
        return false;
    }
    bool sound = store_verify(s, &err) == 0;
    struct run *run = NULL;
    if (store_load_run(s, 1, &run, NULL) == 0)
        store_each_cell(s, 1, LOAD_ALL, touch, &cells, NULL);
    run_destroy(run);
    store_close(s);
    return sound;
}

Test(damage, flipped_bytes_are_found_or_harmless)
{
    size_t n;
    char *good = scratch_read(path, &n), *bad = xmalloc(n);
    uint64_t random = 1;
    unsigned found = 0;
    for (int round = 0; round < 150; round++) {
        memcpy(bad, good, n);
        for (int i = 0; i <= round % 8; i++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            /* every other round into the first pages, where the structures are */
            size_t at = (size_t)(random >> 20) % (round % 2 ? n : 8192);
            bad[at] = (char)(bad[at] ^ (char)(1 + (random >> 56) % 255));
        }
        scratch_write(path, bad, n);
        found += !read_all();
        char *wal = xasprintf("%s-wal", path);
        cr_expect_neq(remove(wal), 0, "reading leaves nothing beside the file");
        free(wal);
    }
    cr_expect(found > 30, "%u of 150 damaged files were noticed", found);
    scratch_write(path, good, n);
    cr_expect(read_all());
    free(good);
    free(bad);
}

Test(damage, a_file_cut_anywhere_is_an_error_or_sound)
{
    size_t n;
    char *good = scratch_read(path, &n);
    for (size_t cut = 0; cut < n; cut += 1 + n / 60) {
        scratch_write(path, good, cut);
        cr_expect_not(read_all(), "cut to %zu of %zu bytes", cut, n);
    }
    free(good);
}
