#include <criterion/criterion.h>
#include <math.h>

#include "core/base/rng.h"
#include "core/base/xalloc.h"
#include "runner/workload/workload.h"

static struct workload_spec spec_of(enum rw rw, uint32_t bs, uint64_t offset, uint64_t size)
{
    struct cell_key key = {0};
    struct workload_spec spec;
    struct error err = ERROR_INIT;
    SET(&key, CELL_KEY, rw, rw);
    SET(&key, CELL_KEY, bs, bs);
    SET(&key, CELL_KEY, offset, offset);
    SET(&key, CELL_KEY, size, size);
    int rc = workload_spec_from_key(&spec, &key, UINT64_C(1) << 40, &err);
    cr_assert_eq(rc, 0, "%s", err.message);
    return spec;
}

/* First outputs for seed state {1,2,3,4} of the reference C code xoshiro256starstar.c (prng.di.unimi.it). */
Test(rng, matches_the_reference)
{
    static const uint64_t want[] = {11520,
                                    0,
                                    1509978240,
                                    UINT64_C(1215971899390074240),
                                    UINT64_C(1216172134540287360),
                                    UINT64_C(607988272756665600)};
    struct rng r = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        cr_expect_eq(rng_next(&r), want[i], "output %zu", i);
    /* splitmix64.c of the same authors, seed 1234567 */
    uint64_t state = 1234567;
    cr_expect_eq(splitmix64(&state), UINT64_C(6457827717110365317));
    cr_expect_eq(splitmix64(&state), UINT64_C(3203168211198807973));
}

Test(workload, sequential_wraps_and_jobs_are_spread)
{
    struct workload_spec spec = spec_of(RW_READ, 4096, 8192, 10 * 4096 + 100);
    for (unsigned job = 0; job < 2; job++) {
        struct workload *w = workload_create(&spec, 1, job, 2, NULL);
        for (unsigned i = 0; i < 25; i++) {
            struct workload_op op = workload_next(w);
            cr_expect_eq(op.offset, 8192 + (i + 5 * job) % 10 * 4096);
            cr_expect_eq(op.len, 4096);
            cr_expect_eq(op.dir, DIR_READ);
        }
        workload_destroy(w);
    }
    workload_spec_release(&spec);
}

/* Chi-square of 16 bins, 15 degrees of freedom: 37.7 is exceeded once in 1000. */
Test(workload, random_is_uniform_and_aligned)
{
    struct workload_spec spec = spec_of(RW_RANDREAD, 4096, 1 << 20, 16 * 4096);
    struct workload *w = workload_create(&spec, 42, 0, 1, NULL);
    double n = 160000, chi2 = 0;
    unsigned seen[16] = {0};
    for (unsigned i = 0; i < n; i++) {
        struct workload_op op = workload_next(w);
        cr_assert_eq(op.offset % 4096, 0);
        cr_assert(op.offset >= 1 << 20 && op.offset + op.len <= (1 << 20) + 16 * 4096);
        seen[(op.offset - (1 << 20)) / 4096]++;
    }
    for (int i = 0; i < 16; i++)
        chi2 += pow(seen[i] - n / 16, 2) / (n / 16);
    cr_expect_lt(chi2, 37.7);
    workload_destroy(w);
    workload_spec_release(&spec);
}

/* A range that is no power of two, near the top: plain modulo would favour the low half by 2. */
Test(rng, below_has_no_bias)
{
    struct rng r;
    rng_seed(&r, 5);
    uint64_t n = UINT64_C(3) << 62;
    unsigned low = 0, total = 30000;
    for (unsigned i = 0; i < total; i++)
        low += rng_below(&r, n) < n / 3;
    cr_expect(fabs(low / (double)total - 1.0 / 3) < 0.01, "%u of %u", low, total);
}

Test(workload, mix_has_the_share)
{
    static const unsigned percent[] = {0, 1, 30, 99, 100};
    for (size_t i = 0; i < sizeof percent / sizeof percent[0]; i++) {
        struct workload_spec spec = spec_of(RW_RW, 4096, 0, 1 << 20);
        spec.read_percent = percent[i];
        spec.bs[DIR_WRITE].size[0].bytes = spec.bs[DIR_WRITE].min = spec.bs[DIR_WRITE].max = 8192;
        struct workload *w = workload_create(&spec, 9, 0, 1, NULL);
        unsigned reads = 0, n = 100000;
        for (unsigned k = 0; k < n; k++) {
            struct workload_op op = workload_next(w);
            reads += op.dir == DIR_READ;
            cr_assert_eq(op.len, op.dir == DIR_READ ? 4096 : 8192);
            cr_assert_eq(op.offset % op.len, 0);
        }
        double want = percent[i] / 100.0, sd = sqrt(want * (1 - want) / n);
        cr_expect(fabs(reads / (double)n - want) <= 4 * sd, "%u of %u", reads, n);
        workload_destroy(w);
        workload_spec_release(&spec);
    }
}

Test(workload, seeds_differ_in_each_part)
{
    uint64_t base = workload_seed(1, 2, 3, 4);
    cr_expect_eq(base, workload_seed(1, 2, 3, 4));
    cr_expect_neq(base, workload_seed(2, 2, 3, 4));
    cr_expect_neq(base, workload_seed(1, 3, 3, 4));
    cr_expect_neq(base, workload_seed(1, 2, 4, 4));
    cr_expect_neq(base, workload_seed(1, 2, 3, 5));
    cr_expect_neq(workload_seed(1, 2, 3, 4), workload_seed(1, 3, 2, 4));
}

static int by_word(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* 64 writes of one block: no 512-byte sector starts like another, and none like its neighbour's copy. */
Test(workload, written_sectors_differ)
{
    enum { WRITES = 64, SECTORS = 65536 / 512 };
    struct workload_spec spec = spec_of(RW_WRITE, 65536, 0, 65536);
    struct buffer_pool *pool = buffer_pool_create(1);
    struct workload *w = workload_create(&spec, 9, 0, 1, pool);
    char *buf = xmalloc(65536);
    static uint64_t first[WRITES * SECTORS];
    for (unsigned i = 0; i < WRITES; i++) {
        struct workload_op op = workload_next(w);
        workload_fill(w, &op, buf);
        for (unsigned s = 0; s < SECTORS; s++)
            memcpy(&first[i * SECTORS + s], buf + (size_t)s * 512, 8);
    }
    qsort(first, WRITES * SECTORS, sizeof first[0], by_word);
    for (unsigned i = 1; i < WRITES * SECTORS; i++)
        cr_assert_neq(first[i], first[i - 1]);
    free(buf);
    workload_destroy(w);
    buffer_pool_destroy(pool);
    workload_spec_release(&spec);
}

Test(workload, blocks_larger_than_the_pool)
{
    uint32_t bs = 16 << 20;
    struct workload_spec spec = spec_of(RW_WRITE, bs, 0, bs);
    struct buffer_pool *pool = buffer_pool_create(3);
    struct workload *w = workload_create(&spec, 9, 0, 1, pool);
    char *buf = xcalloc(1, bs);
    struct workload_op op = workload_next(w);
    workload_fill(w, &op, buf);
    uint64_t zeros = 0;
    for (uint32_t i = 0; i < bs; i++)
        zeros += buf[i] == 0;
    /* the pool has 4 Mi bytes: standard deviation 0.8 % */
    double share = (double)zeros / bs * 256;
    cr_expect(fabs(share - 1) < 0.02, "%.4f", share);
    free(buf);
    workload_destroy(w);
    buffer_pool_destroy(pool);
    workload_spec_release(&spec);
}

static int try_key(const struct cell_key *key, uint64_t device, struct error *err)
{
    struct workload_spec spec;
    int rc = workload_spec_from_key(&spec, key, device, err);
    if (rc == 0)
        workload_spec_release(&spec);
    return rc;
}

Test(workload, refuses_what_does_not_fit)
{
    struct error err = ERROR_INIT;
    struct cell_key key = {0};
    cr_expect_eq(try_key(&key, 1 << 20, &err), -ERR_USAGE);
    SET(&key, CELL_KEY, rw, RW_RANDREAD);
    SET(&key, CELL_KEY, bs, 4096);
    cr_expect_eq(try_key(&key, 1 << 20, &err), 0);
    cr_expect_eq(try_key(&key, 4095, &err), -ERR_USAGE);
    SET(&key, CELL_KEY, offset, 1 << 20);
    cr_expect_eq(try_key(&key, 1 << 20, &err), -ERR_USAGE);
    key.offset = 4096;
    SET(&key, CELL_KEY, size, (1 << 20) - 4096);
    cr_expect_eq(try_key(&key, 1 << 20, &err), 0);
    key.size++;
    cr_expect_eq(try_key(&key, 1 << 20, &err), -ERR_USAGE);
    key.size = UINT64_MAX - 4095; /* offset + size overflows */
    cr_expect_eq(try_key(&key, 1 << 20, &err), -ERR_USAGE);
    UNSET(&key, CELL_KEY, size);
    SET(&key, CELL_KEY, rwmixread, 101);
    cr_expect_eq(try_key(&key, 1 << 20, &err), -ERR_USAGE);
    key.rwmixread = 50;
    key.bs = 0;
    cr_expect_eq(try_key(&key, 1 << 20, &err), -ERR_USAGE);
}
