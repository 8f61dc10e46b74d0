/* The parts of a workload: block sizes, orders, distributions, arrivals, contents. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "runner/workload/block_sizes_internal.h"
#include "runner/workload/buffer_internal.h"
#include "runner/workload/pacer_internal.h"
#include "runner/workload/permutation_internal.h"
#include "runner/workload/zipf_internal.h"

static double share(const struct block_sizes *s, size_t i)
{
    return (double)(s->size[i].below - (i ? s->size[i - 1].below : 0)) / 0x1p32;
}

static void release(struct block_sizes s[WORKLOAD_DIRS])
{
    for (int d = 0; d < WORKLOAD_DIRS; d++)
        block_sizes_release(&s[d]);
}

Test(block_sizes, split)
{
    struct block_sizes s[WORKLOAD_DIRS];
    struct error err = ERROR_INIT;
    cr_assert_eq(block_sizes_parse(s, "4k/10:64k/50:32k/40", &err), 0, "%s", err.message);
    cr_assert_eq(s[DIR_READ].n, 3);
    cr_expect_eq(s[DIR_READ].min, 4096);
    cr_expect_eq(s[DIR_READ].max, 65536);
    cr_expect_eq(s[DIR_READ].size[1].bytes, 65536);
    cr_expect(fabs(share(&s[DIR_READ], 0) - 0.1) < 1e-9);
    cr_expect(fabs(share(&s[DIR_READ], 1) - 0.5) < 1e-9);
    cr_expect(fabs(share(&s[DIR_TRIM], 2) - 0.4) < 1e-9);
    release(s);
    /* what has no share of its own gets equal parts of the rest, as in fio */
    cr_assert_eq(block_sizes_parse(s, "4k/50:8k/:64k,1k/50:2k/50", &err), 0, "%s", err.message);
    cr_expect(fabs(share(&s[DIR_READ], 1) - 0.25) < 1e-9);
    cr_expect(fabs(share(&s[DIR_READ], 2) - 0.25) < 1e-9);
    cr_expect_eq(s[DIR_WRITE].n, 2);
    cr_expect_eq(s[DIR_TRIM].max, 2048);
    release(s);
}

Test(block_sizes, range_and_list)
{
    struct block_sizes s[WORKLOAD_DIRS];
    struct error err = ERROR_INIT;
    cr_assert_eq(block_sizes_parse(s, "1k-4k,16k", &err), 0, "%s", err.message);
    cr_assert_eq(s[DIR_READ].n, 4);
    cr_expect_eq(s[DIR_READ].size[2].bytes, 3072);
    cr_expect(fabs(share(&s[DIR_READ], 3) - 0.25) < 1e-9);
    cr_expect_eq(s[DIR_WRITE].n, 1);
    cr_expect_eq(s[DIR_WRITE].min, 16384);
    release(s);
}

Test(block_sizes, refused)
{
    static const char *const bad[] = {
        "",  "4k/60:64k/50", "4k/60:64k/30", "64k-4k", "1-5000", "4k,,8k", "1k,2k,3k,4k",
        "0", "4k/-1:8k",     "4k/x",         "3G"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct block_sizes s[WORKLOAD_DIRS];
        struct error err = ERROR_INIT;
        cr_expect_eq(block_sizes_parse(s, bad[i], &err), -ERR_USAGE, "\"%s\"", bad[i]);
    }
}

Test(permutation, is_one_to_one_for_every_size)
{
    for (uint64_t n = 1; n <= 300; n++) {
        struct permutation p;
        char seen[300] = {0};
        permutation_init(&p, n, n * 77);
        for (uint64_t i = 0; i < n; i++) {
            uint64_t v = permutation_at(&p, i);
            cr_assert_lt(v, n);
            cr_assert_not(seen[v], "%llu comes twice of %llu", (unsigned long long)v,
                          (unsigned long long)n);
            seen[v] = 1;
        }
    }
}

/* Neighbours go apart and keys give other orders: few values stay the same or next to each other. */
Test(permutation, is_random)
{
    struct permutation a, b;
    uint64_t n = 100000, same = 0, near = 0;
    permutation_init(&a, n, 1);
    permutation_init(&b, n, 2);
    for (uint64_t i = 0; i + 1 < n; i++) {
        int64_t step = (int64_t)permutation_at(&a, i + 1) - (int64_t)permutation_at(&a, i);
        same += permutation_at(&a, i) == permutation_at(&b, i);
        near += step >= -10 && step <= 10;
    }
    cr_expect_lt(same, 12); /* 1 expected */
    cr_expect_lt(near, 60); /* 20 expected */
}

/* Against the definition: the share of rank k is k^-theta over the sum. Chi-square, 1 in 1000. */
Test(zipf, has_the_shares)
{
    static const double theta[] = {0.5, 0.99, 1.0, 1.2, 2.5};
    enum { N = 50, DRAWS = 200000 };
    for (size_t t = 0; t < sizeof theta / sizeof theta[0]; t++) {
        struct zipf z;
        struct rng rng;
        double sum = 0, chi2 = 0;
        unsigned seen[N + 1] = {0};
        rng_seed(&rng, 11 + t);
        zipf_init(&z, N, theta[t]);
        for (int k = 1; k <= N; k++)
            sum += pow(k, -theta[t]);
        for (int i = 0; i < DRAWS; i++) {
            uint64_t k = zipf_rank(&z, &rng);
            cr_assert(k >= 1 && k <= N);
            seen[k]++;
        }
        for (int k = 1; k <= N; k++) {
            double want = DRAWS * pow(k, -theta[t]) / sum;
            chi2 += pow(seen[k] - want, 2) / want;
        }
        cr_expect_lt(chi2, 85.4, "theta %g: %g", theta[t], chi2); /* 49 degrees of freedom */
    }
}

/* The huge extents of real devices: the share of the first rank, zeta by Euler-Maclaurin. */
Test(zipf, works_on_huge_extents)
{
    struct zipf z;
    struct rng rng;
    double n = 4e9, theta = 1.1, zeta = 0, first = 0, draws = 200000;
    for (int k = 1; k < 1000; k++)
        zeta += pow(k, -theta);
    zeta += (pow(1000, 1 - theta) - pow(n, 1 - theta)) / (theta - 1) + pow(1000, -theta) / 2;
    rng_seed(&rng, 3);
    zipf_init(&z, (uint64_t)n, theta);
    for (int i = 0; i < draws; i++)
        first += zipf_rank(&z, &rng) == 1;
    double want = draws / zeta;
    cr_expect(fabs(first - want) < 4 * sqrt(want), "%g, not %g", first, want);
}

Test(pacer, constant)
{
    struct pacer p;
    pacer_init(&p, 3000, 0, false, 1, 0.5, 4096);
    cr_expect(fabs(p.next - 1e9 / 6000) < 1e-6);
    for (int i = 0; i < 3000 * 3600; i++)
        pacer_advance(&p, 4096);
    cr_expect(fabs(p.next - (3600e9 + 1e9 / 6000)) < 1000, "an hour drifts by less than 1 us");
    pacer_init(&p, 0, 1 << 20, false, 1, 0, 4096);
    pacer_advance(&p, 1 << 19);
    cr_expect(fabs(p.next - 0.5e9) < 1e-6);
}

/* Gaps of a Poisson process: mean 1/R, standard deviation 1/R, e^-1 of them above the mean. */
Test(pacer, poisson)
{
    struct pacer p;
    double n = 200000, sum = 0, sq = 0, above = 0;
    pacer_init(&p, 1000, 0, true, 5, 0, 4096);
    for (int i = 0; i < n; i++) {
        double before = p.next;
        pacer_advance(&p, 4096);
        double gap = (p.next - before) / 1e6;
        sum += gap;
        sq += gap * gap;
        above += gap > 1;
    }
    double mean = sum / n, sd = sqrt(sq / n - mean * mean);
    cr_expect(fabs(mean - 1) < 0.01, "%g", mean);
    cr_expect(fabs(sd - 1) < 0.02, "%g", sd);
    cr_expect(fabs(above / n - exp(-1)) < 0.005, "%g", above / n);
}

static struct workload_spec spec_of(const char *bs, enum rw rw, uint64_t size, const char *dist)
{
    struct cell_key key = {0};
    struct workload_spec spec;
    struct error err = ERROR_INIT;
    SET(&key, CELL_KEY, rw, rw);
    key.bs_text = xstrdup(bs);
    key.distribution = xstrdup_null(dist);
    int rc = workload_spec_from_key(&spec, &key, size, &err);
    fields_release(&cell_key_fields, &key);
    cr_assert_eq(rc, 0, "%s", err.message);
    return spec;
}

Test(workload, cover_does_each_block_once)
{
    enum { N = 1000 };
    struct workload_spec spec = spec_of("4k", RW_RANDREAD, N * 4096 + 77, "cover");
    struct workload *w = workload_create(&spec, 3, 0, 1, NULL);
    uint64_t first[2] = {0};
    for (int pass = 0; pass < 2; pass++) {
        char seen[N] = {0};
        for (int i = 0; i < N; i++) {
            struct workload_op op = workload_next(w);
            cr_assert_eq(op.offset % 4096, 0);
            cr_assert_lt(op.offset / 4096, N);
            cr_assert_not(seen[op.offset / 4096]);
            seen[op.offset / 4096] = 1;
            if (i < 2)
                first[pass] = first[pass] * N + op.offset / 4096;
        }
    }
    cr_expect_neq(first[0], first[1], "each pass has its own order");
    workload_destroy(w);
    workload_spec_release(&spec);
}

/* The most popular of 1000 blocks with theta 1.2 has 22 % of the I/Os, wherever it lies. */
Test(workload, zipf_is_scattered)
{
    enum { N = 1000, DRAWS = 100000 };
    struct workload_spec spec = spec_of("4k", RW_RANDREAD, N * 4096, "zipf:1.2");
    uint64_t top[2];
    double zeta = 0;
    for (int k = 1; k <= N; k++)
        zeta += pow(k, -1.2);
    for (unsigned job = 0; job < 2; job++) {
        struct workload *w = workload_create(&spec, 3 + job, job, 2, NULL);
        unsigned seen[N] = {0};
        top[job] = 0;
        for (int i = 0; i < DRAWS; i++)
            seen[workload_next(w).offset / 4096]++;
        for (uint64_t b = 0; b < N; b++)
            top[job] = seen[b] > seen[top[job]] ? b : top[job];
        cr_expect(fabs(seen[top[job]] / (double)DRAWS - 1 / zeta) < 0.01);
        workload_destroy(w);
    }
    cr_expect_neq(top[0], 0);
    cr_expect_neq(top[0], top[1]);
    workload_spec_release(&spec);
}

Test(workload, mixed_sizes_stay_inside)
{
    uint64_t size = 1 << 20;
    static const char *const dist[] = {"uniform", "zipf:0.9", NULL};
    for (int i = 0; i < 3; i++) {
        struct workload_spec spec =
            spec_of("4k/60:64k/30:256k/10", dist[i] ? RW_RANDREAD : RW_READ, size, dist[i]);
        struct workload *w = workload_create(&spec, 8, 0, 1, NULL);
        double n = 50000, large = 0;
        for (int k = 0; k < n; k++) {
            struct workload_op op = workload_next(w);
            cr_assert_leq(op.offset + op.len, size);
            cr_assert_eq(op.offset % 4096, 0);
            large += op.len == 262144;
        }
        cr_expect(fabs(large / n - 0.1) < 0.006, "%g", large / n);
        workload_destroy(w);
        workload_spec_release(&spec);
    }
}

Test(workload, a_sync_after_every_third_write)
{
    struct cell_key key = {0};
    struct workload_spec spec;
    struct error err = ERROR_INIT;
    SET(&key, CELL_KEY, rw, RW_WRITE);
    SET(&key, CELL_KEY, bs, 4096);
    key.sync = xstrdup("fdatasync=3");
    cr_assert_eq(workload_spec_from_key(&spec, &key, 1 << 20, &err), 0);
    fields_release(&cell_key_fields, &key);
    cr_expect(workload_uses(&spec, DIR_SYNC));
    struct workload *w = workload_create(&spec, 1, 0, 1, NULL);
    for (int i = 0; i < 40; i++) {
        struct workload_op op = workload_next(w);
        cr_expect_eq(op.dir, i % 4 == 3 ? DIR_SYNC : DIR_WRITE);
        cr_expect_eq(op.datasync, i % 4 == 3);
        cr_expect_eq(op.len, i % 4 == 3 ? 0 : 4096);
    }
    workload_destroy(w);
    workload_spec_release(&spec);
}

/* Two rates in a mix: each direction keeps its own. */
Test(workload, rates_by_direction)
{
    struct cell_key key = {0};
    struct workload_spec spec;
    struct error err = ERROR_INIT;
    SET(&key, CELL_KEY, rw, RW_RANDRW);
    SET(&key, CELL_KEY, bs, 65536);
    SET(&key, CELL_KEY, rate_bw, 16 << 20);
    SET(&key, CELL_KEY, rate_bw_write, 5 << 20);
    cr_assert_eq(workload_spec_from_key(&spec, &key, 1 << 30, &err), 0);
    cr_expect_eq(workload_gap_ns(&spec, DIR_READ), 1000000000 / 256);
    cr_expect_eq(workload_gap_ns(&spec, DIR_WRITE), 1000000000 / 80);
    struct workload *w = workload_create(&spec, 1, 0, 1, NULL);
    struct workload *twin = workload_clone(w);
    unsigned n[WORKLOAD_DIRS] = {0};
    uint64_t last = 0;
    while (workload_due(w) < 10000000000) {
        struct workload_op op = workload_next(w), same = workload_next(twin);
        cr_assert_geq(op.due, last);
        cr_assert(op.offset == same.offset && op.due == same.due && op.dir == same.dir);
        last = op.due;
        n[op.dir]++;
    }
    cr_expect_eq(n[DIR_READ], 2560);
    cr_expect_eq(n[DIR_WRITE], 800);
    workload_destroy(w);
    workload_destroy(twin);
    workload_spec_release(&spec);
}

Test(buffer, compressible_share_is_zeros)
{
    struct buffer_pool *pool = buffer_pool_create(1);
    struct buffer_maker m;
    char *buf = xmalloc(65536);
    buffer_maker_init(&m, pool, 1, 60, 0);
    buffer_fill(&m, buf, 65536);
    for (int chunk = 0; chunk < 16; chunk++) {
        const char *at = buf + (size_t)chunk * 4096;
        for (int i = 4096 - 2457; i < 4096; i++) /* 60 % */
            cr_assert_eq(at[i], 0);
        cr_expect_neq(at[4096 - 2457 - 1] | at[4096 - 2457 - 2] | at[4096 - 2457 - 3], 0);
    }
    free(buf);
    buffer_pool_destroy(pool);
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* What a device has to keep of 4096 blocks that are overwritten at random, 20 times each. */
static double share_kept(unsigned dedupe)
{
    enum { BLOCKS = 4096, LEN = 512 };
    struct buffer_pool *pool = buffer_pool_create(1);
    struct buffer_maker m;
    struct rng rng;
    char buf[LEN];
    uint64_t *block = xcalloc(BLOCKS, sizeof *block);
    rng_seed(&rng, 7);
    buffer_maker_init(&m, pool, 1, 0, dedupe);
    for (size_t i = 0; i < (size_t)20 * BLOCKS; i++) {
        buffer_fill(&m, buf, LEN);
        memcpy(&block[i < BLOCKS ? i : rng_below(&rng, BLOCKS)], buf, sizeof *block);
    }
    qsort(block, BLOCKS, sizeof *block, by_number);
    size_t unique = 1;
    for (size_t i = 1; i < BLOCKS; i++)
        unique += block[i] != block[i - 1];
    free(block);
    buffer_pool_destroy(pool);
    return (double)unique / BLOCKS;
}

/* fio with a random map leaves 0.5 and 0.2; standard deviation of the draw 0.008. */
Test(buffer, duplicates_last_when_blocks_are_overwritten)
{
    cr_expect_float_eq(share_kept(50), 0.5 + 64.0 / 4096, 0.03);
    cr_expect_float_eq(share_kept(80), 0.2 + 64.0 / 4096, 0.03);
    cr_expect_float_eq(share_kept(0), 1, 1e-9);
    cr_expect_float_eq(share_kept(100), 1.0 / 4096, 1e-9);
}

Test(buffer, duplicates_are_whole_buffers)
{
    enum { N = 4000, LEN = 1024 };
    struct buffer_pool *pool = buffer_pool_create(1);
    struct buffer_maker m;
    char *all = xmalloc((size_t)N * LEN);
    unsigned repeats = 0;
    buffer_maker_init(&m, pool, 1, 0, 30);
    for (int i = 0; i < N; i++) {
        char *buf = all + (size_t)i * LEN;
        bool seen = false;
        buffer_fill(&m, buf, LEN);
        for (int k = 0; k < i && !seen; k++)
            seen = memcmp(all + (size_t)k * LEN, buf, LEN) == 0;
        repeats += seen;
    }
    cr_expect(fabs(repeats / (double)N - 0.3) < 0.03, "%u", repeats);
    free(all);
    buffer_pool_destroy(pool);
}
