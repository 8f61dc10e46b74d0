#include "core/model/cell_key.h"

#include <criterion/criterion.h>

static struct cell_key example(void)
{
    struct cell_key k = {0};
    SET(&k, CELL_KEY, rw, RW_RANDREAD);
    SET(&k, CELL_KEY, bs, 4096);
    SET(&k, CELL_KEY, iodepth, 32);
    SET(&k, CELL_KEY, numjobs, 1);
    field_set_text(&cell_key_fields, &k, CELL_KEY_engine, "libaio");
    SET(&k, CELL_KEY, direct, true);
    return k;
}

static void expect(void (*add)(struct strbuf *, const struct cell_key *), const struct cell_key *k,
                   const char *want)
{
    struct strbuf sb = STRBUF_INIT;
    add(&sb, k);
    cr_expect_str_eq(sb.text, want, "%s", sb.text);
    strbuf_release(&sb);
}

Test(cell_key, canonical_text)
{
    struct cell_key k = example();
    expect(cell_key_text, &k, "rw=randread bs=4096 iodepth=32 numjobs=1 engine=libaio direct=1");
    SET(&k, CELL_KEY, rate_iops, 0.1);
    field_set_text(&cell_key_fields, &k, CELL_KEY_options, "{\"a\":1}");
    expect(cell_key_text, &k,
           "rw=randread bs=4096 iodepth=32 numjobs=1 engine=libaio direct=1 rate_iops=0.1 "
           "options={\"a\":1}");
    fields_release(&cell_key_fields, &k);
    expect(cell_key_text, &k, "");
}

Test(cell_key, a_value_cannot_forge_another_field)
{
    struct cell_key k = {0}, forged = {0};
    field_set_text(&cell_key_fields, &k, CELL_KEY_engine, "x direct=1");
    field_set_text(&cell_key_fields, &forged, CELL_KEY_engine, "x");
    SET(&forged, CELL_KEY, direct, true);
    expect(cell_key_text, &k, "engine=x\\x20direct=1");
    expect(cell_key_text, &forged, "engine=x direct=1");
    field_set_text(&cell_key_fields, &k, CELL_KEY_engine, "a\\x20\n");
    expect(cell_key_text, &k, "engine=a\\x5cx20\\x0a");
    fields_release(&cell_key_fields, &k);
    fields_release(&cell_key_fields, &forged);
}

Test(cell_key, words)
{
    struct cell_key k = example();
    expect(cell_key_words, &k, "random read, 4k, QD 32");
    SET(&k, CELL_KEY, numjobs, 4);
    SET(&k, CELL_KEY, direct, false);
    SET(&k, CELL_KEY, rw, RW_RANDRW);
    SET(&k, CELL_KEY, rwmixread, 70);
    expect(cell_key_words, &k, "random mix 70/30, 4k, QD 32, 4 jobs, buffered");
    /* rates make the shares: fio 3.33, too, did 1000 reads and 1000 writes in 2 s of this */
    SET(&k, CELL_KEY, rate_iops, 500);
    expect(cell_key_words, &k,
           "random mix 50/50, 4k, QD 32, 4 jobs, limited to 500 IOPS a job, buffered");
    fields_release(&cell_key_fields, &k);
    expect(cell_key_words, &k, "");
    SET(&k, CELL_KEY, iodepth, 8);
    expect(cell_key_words, &k, "QD 8");
    SET(&k, CELL_KEY, bs, 4096);
    SET(&k, CELL_KEY, bs_write, 65536);
    SET(&k, CELL_KEY, rate_bw, 5242880);
    expect(cell_key_words, &k, "4k (writes 64k), QD 8, limited to 5.00 MiB/s a job");
    field_set_text(&cell_key_fields, &k, CELL_KEY_bs_text, "4k/50:64k/50");
    SET(&k, CELL_KEY, rate_bw_write, 1048576);
    expect(cell_key_words, &k,
           "4k/50:64k/50, QD 8, reads limited to 5.00 MiB/s a job, writes limited to "
           "1.00 MiB/s a job");
    fields_release(&cell_key_fields, &k);
}

/* A rate for one direction of a mix: the shares stay, and it is no open loop. */
Test(cell_key, a_rate_for_one_direction)
{
    struct cell_key k = example();
    cr_expect_not(cell_key_is_open(&k));
    SET(&k, CELL_KEY, rate_iops, 500);
    cr_expect(cell_key_is_open(&k));
    SET(&k, CELL_KEY, rw, RW_RANDRW);
    SET(&k, CELL_KEY, rwmixread, 70);
    cr_expect(cell_key_is_open(&k), "500 of each direction");
    SET(&k, CELL_KEY, rate_iops_write, 0);
    cr_expect_not(cell_key_is_open(&k));
    expect(cell_key_words, &k, "random mix 70/30, 4k, QD 32, reads limited to 500 IOPS a job");
    field_forget(&cell_key_fields, &k, CELL_KEY_rate_iops);
    SET(&k, CELL_KEY, rate_iops_write, 40);
    cr_expect_not(cell_key_is_open(&k));
    expect(cell_key_words, &k, "random mix 70/30, 4k, QD 32, writes limited to 40.0 IOPS a job");
    fields_release(&cell_key_fields, &k);
}

Test(cell_key, words_of_a_special_load)
{
    struct cell_key k = example();
    expect(cell_key_pattern, &k, "randread");
    expect(cell_key_sizes, &k, "4k");
    expect(cell_key_load, &k, "");
    SET(&k, CELL_KEY, rw, RW_RANDRW);
    SET(&k, CELL_KEY, rwmixread, 30);
    expect(cell_key_pattern, &k, "randrw 30/70");
    SET(&k, CELL_KEY, rate_iops, 700);
    SET(&k, CELL_KEY, rate_iops_write, 300);
    expect(cell_key_pattern, &k, "randrw 70/30");
    SET(&k, CELL_KEY, rate_iops_write, 350);
    expect(cell_key_pattern, &k, "randrw 66.7/33.3");
    field_forget(&cell_key_fields, &k, CELL_KEY_rate_iops_write);
    field_set_text(&cell_key_fields, &k, CELL_KEY_distribution, "zipf:1.2");
    field_set_text(&cell_key_fields, &k, CELL_KEY_sync, "fsync=8");
    field_set_text(&cell_key_fields, &k, CELL_KEY_arrival, "poisson");
    SET(&k, CELL_KEY, rate_iops, 500);
    SET(&k, CELL_KEY, compress, 50);
    SET(&k, CELL_KEY, dedupe, 20);
    expect(cell_key_load, &k,
           "zipf:1.2, fsync=8, limited to 500 IOPS a job, poisson arrivals, 50 % compressible, "
           "20 % duplicate");
    fields_release(&cell_key_fields, &k);
    expect(cell_key_pattern, &k, "");
    expect(cell_key_sizes, &k, "");
    SET(&k, CELL_KEY, thinktime_ns, 3000000);
    SET(&k, CELL_KEY, direct, false);
    expect(cell_key_load, &k,
           "pauses of 3.00\xC2\xA0"
           "ms, buffered");
}

Test(cell_key, patterns_from_fio)
{
    static const struct {
        const char *text;
        int rw;
    } cases[] = {{"read", RW_READ},
                 {"write", RW_WRITE},
                 {"trim", RW_TRIM},
                 {"randread", RW_RANDREAD},
                 {"randwrite", RW_RANDWRITE},
                 {"randtrim", RW_RANDTRIM},
                 {"rw", RW_RW},
                 {"readwrite", RW_RW},
                 {"randrw", RW_RANDRW},
                 {"trimwrite", RW_TRIMWRITE},
                 {"randtrimwrite", RW_RANDTRIMWRITE},
                 {"read:8", RW_READ},
                 {"randrw:2", RW_RANDRW},
                 {"write:4k", RW_WRITE},
                 {"read:-4096", RW_READ},
                 {"readwrite:3", RW_RW},
                 {"", -1},
                 {"reads", -1},
                 {"rea", -1},
                 {"READ", -1},
                 {"read:", -1},
                 {"read:x", -1},
                 {"read 8", -1},
                 {"read:8:8", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_eq(rw_parse(cases[i].text), cases[i].rw, "%s", cases[i].text);
}

Test(cell_key, what_a_pattern_does)
{
    for (int i = 0; i < RW_COUNT; i++) {
        enum rw rw = (enum rw)i;
        const char *name = rw_names[i];
        bool random = strncmp(name, "rand", 4) == 0;
        cr_expect_eq(rw_is_random(rw), random, "%s", name);
        cr_expect_eq(rw_trims(rw), strstr(name, "trim") != NULL, "%s", name);
        bool mixed = strcmp(name, "rw") == 0 || strcmp(name, "randrw") == 0;
        cr_expect_eq(rw_is_mixed(rw), mixed, "%s", name);
        cr_expect_eq(rw_reads(rw), mixed || strstr(name, "read") != NULL, "%s", name);
        cr_expect_eq(rw_writes(rw), mixed || strstr(name, "read") == NULL, "%s", name);
        cr_expect_eq(strncmp(rw_words(rw), random ? "random" : "sequential", random ? 6 : 10), 0);
        cr_expect_eq(rw_parse(name), i);
    }
    cr_expect_null(rw_names[RW_COUNT]);
}

Test(cell_key, a_mix_without_its_share)
{
    struct cell_key k = {0};
    SET(&k, CELL_KEY, rw, RW_TRIMWRITE);
    SET(&k, CELL_KEY, rwmixread, 50);
    expect(cell_key_words, &k, "sequential trim and write");
    SET(&k, CELL_KEY, rw, RW_RANDRW);
    SET(&k, CELL_KEY, rwmixread, 101);
    expect(cell_key_words, &k, "random mix");
    field_forget(&cell_key_fields, &k, CELL_KEY_rwmixread);
    SET(&k, CELL_KEY, rate_iops, 500);
    expect(cell_key_words, &k, "random mix, limited to 500 IOPS a job");
}
