/* Numbers in fio's normal output that cannot be. */
#include <criterion/criterion.h>

#include "store/import/fio_text_line.h"
#include "tests/store/import/import_bytes.h"

Test(fio_text_odd, are_found_and_told_from_ranges_and_names)
{
    static const struct {
        const char *line, *first; /* NULL: none */
    } rows[] = {
        {"a: (g=0): rw=read, bs=(R) 4096B-4096B, ioengine=libaio, iodepth=-32", "iodepth=-32"},
        {"a: (g=0): rw=read, bs=(R) 4096B-4096B, ioengine=libaio, iodepth=0", "iodepth=0"},
        {"a: (g=0): rw=read, bs=(R) -4096B, iodepth=1", "bs=(R) -4096B"},
        {"a: (groupid=0, jobs=0): err= 0: pid=1", "jobs=0"},
        {"a: (groupid=0, jobs=-1): err= 0: pid=1", "jobs=-1"},
        {"  read: IOPS=-10.9k, BW=42.7MiB/s (44.7MB/s)(42.8MiB/1002msec)", "IOPS=-10.9k"},
        {"  read: IOPS=10.9k, BW=42.7MiB/s (44.7MB/s)(42.8MiB/-1002msec)", "42.8MiB/-1002msec"},
        {"    clat (usec): min=7, max=8, avg= -5.1, stdev=2.0", "avg= -5.1"},
        {"     | 99.00th=[   -5], 99.50th=[ 7177]", "99.00th=[   -5"},
        {"a=-5: (g=0): rw=read, bs=(R) 4096B-4096B, iodepth=10", NULL},
        {"a/-5: (groupid=0, jobs=10): err= 0: pid=1", NULL},
        {"  WRITE: bw=61.9MiB/s (64.9MB/s), 61.9MiB/s-61.9MiB/s (64.9MB/s-64.9MB/s), "
         "io=620MiB (650MB), run=10010-10010msec",
         NULL},
        {"    clat (usec): min=7, max=8, avg=-nan, stdev=-nan", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fio_text_odd odd = {0};
        fio_text_find_odd(rows[i].line, 7, &odd);
        cr_expect_eq(odd.n, rows[i].first ? 1 : 0, "%s", rows[i].line);
        if (rows[i].first)
            cr_expect(odd.line == 7 && strcmp(odd.first, rows[i].first) == 0, "%s", odd.first);
    }
}

/* The block is read all the same, and what is unknown is said with its line. */
Test(fio_text_odd, are_in_the_note)
{
    static const char text[] = "a: (groupid=0, jobs=-1): err= 0: pid=1: Wed Dec 30 10:16:19 2020\n"
                               "  read: IOPS=1000, BW=4000KiB/s (4096kB/s)(39.1MiB/10000msec)\n"
                               "    clat (usec): min=-7, max=80, avg=20.0, stdev=2.0\n"
                               "     issued rwts: total=5,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n";
    struct collected c = {0};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    cr_assert_eq(import_bytes(&importer_fio_text, &c, &outcome, "x", text, sizeof text - 1, &err),
                 0, "%s", err.message);
    cr_assert_eq(c.n_cells, 1);
    cr_expect(strstr(outcome.note, "2 impossible numbers left unknown: jobs=-1 in line 1, ..."),
              "%s", outcome.note);
    const struct direction *d = &c.cell[0]->dir[DIR_READ];
    cr_expect_not(IS_KNOWN(&c.cell[0]->key, CELL_KEY, numjobs));
    cr_expect(!IS_KNOWN(&d->lat[LAT_CLAT], LAT_F, min) && d->lat[LAT_CLAT].max == 80000);
    cr_expect(d->iops == 1000 && d->ios == 5); /* both: which is wrong is not known */
    collect_release(&c);
}
