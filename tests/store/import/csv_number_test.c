/* Points and commas in the numbers of tables: read as the table shows, never guessed. */
#include <criterion/criterion.h>

#include "tests/store/import/import_bytes.h"

static int import_text(struct collected *c, const char *text, const char *map, struct error *err)
{
    struct import_outcome outcome;
    struct import_source src = {
        .path = "t.csv", .bytes = text, .n = strlen(text), .sha256 = "00", .map = map};
    *c = (struct collected){0};
    struct sink sink = collect_sink(c);
    const struct importer *importer = strchr(text, '=') ? &importer_pairs : &importer_csv;
    return importer->read(&src, &sink, &outcome, err);
}

/* One row each; what its IOPS are, 0: it is left out. */
Test(csv_number, what_a_table_shows)
{
    static const struct {
        const char *text, *map;
        double iops;
    } cases[] = {
        /* nothing tells */
        {"bs;rw;iops\n4k;randread;1.234\n", NULL, 0},
        {"bs\trw\tiops\n4k\trandread\t12.345\n", NULL, 0},
        {"bs;rw;iops\n4k;randread;1234\n", NULL, 1234},
        /* another number does */
        {"bs;rw;iops;BW (MB/s)\n4k;randread;1.234;5,05\n", NULL, 1234},
        {"bs;rw;iops;lat (us)\n4k;randread;1.234;812.4\n", NULL, 1.234},
        {"bs;rw;iops;lat (ms)\n4k;randread;12,345;0.5\n", NULL, 12345},
        {"bs;rw;iops\n4k;randread;3.420,5\n", NULL, 3420.5},
        {"bs;rw;iops\n4k;randread;1.234.567\n", NULL, 1234567},
        {"bs;rw;iops\n4k;randread;3 420,5\n", NULL, 3420.5},
        {"bs;rw;iops\n4k;randread;3\u00a0420,5\n", NULL, 3420.5},
        {"bs;rw;iops\n4k;randread;3\u202f420\n", NULL, 3420},
        {"bs;rw;iops;lat [\xb5s]\n4k;randread;3\xa0"
         "420,5;1,5\n",
         NULL, 3420.5},
        {"bs=4k; rw=randread; iops=1.234; bw=5,05 MB/s\n", NULL, 1234},
        {"bs=4k, rw=randread, iops=1.234, bw=1MB/s\n", NULL, 1.234},
        /* the map does */
        {"bs;rw;iops\n4k;randread;1.234\n", "bs=bs\nrw=rw\niops=iops\ndecimal = ,\n", 1234},
        {"bs;rw;iops\n4k;randread;1.234\n", "bs=bs\nrw=rw\niops=iops\ndecimal = .\n", 1.234},
        {"bs;rw;iops\n4k;randread;12.5\n", "bs=bs\nrw=rw\niops=iops\ndecimal = ,\n", 0},
        /* both kinds: each for itself, what may be either is left out */
        {"bs;rw;iops;lat (us);BW (MB/s)\n4k;randread;80;812.4;5,05\n", NULL, 80},
        {"bs;rw;iops;lat (us);BW (MB/s)\n4k;randread;1.234;812.4;5,05\n", NULL, 0},
        /* cut at commas: a decimal point */
        {"bs,rw,iops\n4k,randread,1.234\n", NULL, 1.234},
        {"bs,rw,iops\n4k,randread,\"12,345\"\n", NULL, 12345},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct collected c;
        struct error err = ERROR_INIT;
        int rc = import_text(&c, cases[i].text, cases[i].map, &err);
        cr_expect_eq(rc, cases[i].iops > 0 ? 0 : -ERR_INPUT, "%s: %s", cases[i].text, err.message);
        cr_assert_eq(c.n_cells, cases[i].iops > 0, "%s: %s", cases[i].text, err.message);
        if (c.n_cells > 0)
            cr_expect_eq(c.cell[0]->dir[DIR_READ].iops, cases[i].iops, "%s: %g", cases[i].text,
                         c.cell[0]->dir[DIR_READ].iops);
        collect_release(&c);
    }
}

Test(csv_number, percentiles_and_bandwidths_are_numbers_too)
{
    struct collected c;
    struct error err = ERROR_INIT;
    uint64_t ns;
    cr_assert_eq(import_text(&c, "bs,rw,iops,p99 (us)\n4k,read,12345,\"1,234\"\n", NULL, &err), 0,
                 "%s", err.message);
    cr_expect(lat_percentile(&c.cell[0]->dir[DIR_READ].lat[LAT_LAT], 99, &ns) && ns == 1234000);
    collect_release(&c);
    cr_assert_eq(import_text(&c, "bs=1M; rw=randwrite; iops=63; bw=67,1 MB/s\n", NULL, &err), 0,
                 "%s", err.message);
    cr_expect_float_eq(c.cell[0]->dir[DIR_WRITE].bw, 67.1e6, 1e-3);
    collect_release(&c);
}

Test(csv_number, a_number_with_two_readings_says_so)
{
    struct collected c;
    struct error err = ERROR_INIT;
    import_text(&c, "bs;rw;iops\n4k;randread;1.234\n", NULL, &err);
    cr_expect_str_eq(err.message,
                     "t.csv: line 2: column \"iops\": \"1.234\" can be read in two ways: "
                     "a map with \"decimal = ,\" or \"decimal = .\" tells");
    collect_release(&c);
    import_text(&c, "bs,rw,bw\n4k,randread,\"67,1 MB/s\"\n", NULL, &err);
    cr_expect_str_eq(err.message, "t.csv: line 2: column \"bw\": \"67,1 MB/s\" does not fit");
    collect_release(&c);
}
