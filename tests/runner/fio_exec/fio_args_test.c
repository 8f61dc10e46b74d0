/* What fio is told, word by word; the words are those of fio(1). */
#include "runner/fio_exec/fio_args_internal.h"

#include <criterion/criterion.h>

struct fixture {
    struct cell *cell;
    struct job_target target;
    struct job_spec spec;
    struct fio_args args;
    struct error err;
};

static void set_up(struct fixture *f, enum rw rw)
{
    *f = (struct fixture){.cell = cell_create(), .target = {.fd = 7, .size = 1 << 20}};
    f->spec = (struct job_spec){
        .target = &f->target, .n_targets = 1, .ramp_ns = 500000000, .runtime_ns = 2000000000};
    struct cell_key *k = &f->cell->key;
    SET(k, CELL_KEY, rw, rw);
    SET(k, CELL_KEY, bs, 4096);
    SET(k, CELL_KEY, iodepth, 8);
    SET(k, CELL_KEY, numjobs, 2);
    SET(k, CELL_KEY, direct, true);
}

static int make(struct fixture *f)
{
    return fio_args_make(&f->args, &f->spec, f->cell, "/proc/1/fd/7", &f->err);
}

static bool says(const struct fixture *f, const char *word)
{
    for (size_t i = 0; i < f->args.n; i++)
        if (strcmp(f->args.word[i], word) == 0)
            return true;
    return false;
}

static void expect(const struct fixture *f, const char *const *word)
{
    for (; *word; word++)
        cr_expect(says(f, *word), "%s is missing", *word);
    cr_expect_null(f->args.word[f->args.n]);
}

static void tear_down(struct fixture *f)
{
    fio_args_release(&f->args);
    cell_destroy(f->cell);
}

Test(fio_args, reads)
{
    struct fixture f;
    set_up(&f, RW_RANDREAD);
    SET(&f.cell->key, CELL_KEY, offset, 4096);
    cr_assert_eq(make(&f), 0);
    static const char *const words[] = {"fio",
                                        "--output-format=json+",
                                        "--filename=/proc/1/fd/7",
                                        "--rw=randread",
                                        "--bs=4096",
                                        "--iodepth=8",
                                        "--numjobs=2",
                                        "--direct=1",
                                        "--ioengine=libaio",
                                        "--norandommap=1",
                                        "--offset=4096",
                                        "--size=1044480",
                                        "--runtime=2000ms",
                                        "--ramp_time=500ms",
                                        "--time_based=1",
                                        "--group_reporting=1",
                                        NULL};
    expect(&f, words);
    cr_expect_not(says(&f, "--refill_buffers=1"));
    tear_down(&f);
}

/* 100 I/Os a second, 70 % of them reads; fio counts each direction on its own. */
Test(fio_args, a_mix_under_a_rate)
{
    struct fixture f;
    set_up(&f, RW_RANDRW);
    struct cell_key *k = &f.cell->key;
    SET(k, CELL_KEY, rwmixread, 70);
    SET(k, CELL_KEY, bs_write, 65536);
    SET(k, CELL_KEY, rate_iops, 100);
    SET(k, CELL_KEY, compress, 50);
    field_set_text(&cell_key_fields, k, CELL_KEY_arrival, "poisson");
    field_set_text(&cell_key_fields, k, CELL_KEY_distribution, "cover");
    field_set_text(&cell_key_fields, k, CELL_KEY_sync, "fdatasync=4");
    field_set_text(&cell_key_fields, k, CELL_KEY_engine_options, "io_uring=1");
    field_set_text(&cell_key_fields, k, CELL_KEY_options, "{\"cpus_allowed\":\"0-1\"}");
    cr_assert_eq(make(&f), 0);
    static const char *const words[] = {"--bs=4096,65536",
                                        "--rwmixread=70",
                                        "--rate_iops=100,100",
                                        "--rate_process=poisson",
                                        "--fdatasync=4",
                                        "--buffer_compress_percentage=50",
                                        "--refill_buffers=1",
                                        "--ioengine=io_uring",
                                        "--cpus_allowed=0-1",
                                        "--cpus_allowed_policy=split",
                                        NULL};
    expect(&f, words);
    cr_expect_not(says(&f, "--norandommap=1"));
    tear_down(&f);
}

/* In fio 0 is no rate: the other direction is free. */
Test(fio_args, a_rate_for_one_direction)
{
    struct fixture f;
    set_up(&f, RW_RANDRW);
    SET(&f.cell->key, CELL_KEY, rate_iops_write, 100);
    cr_assert_eq(make(&f), 0);
    cr_expect(says(&f, "--rate_iops=0,100"));
    tear_down(&f);
    set_up(&f, RW_RANDRW);
    SET(&f.cell->key, CELL_KEY, rate_bw, 1048576);
    SET(&f.cell->key, CELL_KEY, rate_bw_write, 0);
    cr_assert_eq(make(&f), 0);
    cr_expect(says(&f, "--rate=1048576,0"));
    tear_down(&f);
}

Test(fio_args, what_fio_cannot_do)
{
    struct fixture f;
    set_up(&f, RW_RANDREAD);
    SET(&f.cell->key, CELL_KEY, rate_iops, 100);
    field_set_text(&cell_key_fields, &f.cell->key, CELL_KEY_bs_text, "4k/50:8k/50");
    cr_expect_eq(make(&f), -ERR_USAGE);
    tear_down(&f);
}
