/* Tables: CSV with headings of all kinds, maps, lines of pairs, and our own export coming back equal. */
#include <criterion/criterion.h>

#include "core/base/xalloc.h"
#include "store/export/exporter.h"
#include "store/import/csv_map.h"
#include "tests/store/import/import_bytes.h"
#include "tests/support/sample.h"
#include "tests/support/scratch.h"

#define FOLDER TEST_DATA "/import/csv/"

static int import_mapped(struct collected *c, const struct importer *importer, const char *text,
                         const char *map, struct error *err)
{
    struct import_outcome outcome;
    struct import_source src = {
        .path = "t.csv", .bytes = text, .n = strlen(text), .sha256 = "00", .map = map};
    *c = (struct collected){0};
    struct sink sink = collect_sink(c);
    return importer->read(&src, &sink, &outcome, err);
}

static void import_good(struct collected *c, const char *text)
{
    struct error err = ERROR_INIT;
    const struct importer *importer = importer_for(text, strlen(text));
    cr_assert(importer, "not recognised: %s", text);
    cr_assert_eq(import_mapped(c, importer, text, NULL, &err), 0, "%s", err.message);
}

struct heading {
    const char *text;
    enum column_kind kind;
    int dir;
    const char *field; /* NULL: the percentile */
    double value;      /* unit, or percentile */
};

Test(csv, headings_as_people_write_them)
{
    static const struct heading good[] = {
        {"bs", COLUMN_KEY, -1, "bs", 0},
        {"Block size", COLUMN_KEY, -1, "bs", 0},
        {"Block size (KiB)", COLUMN_KEY, -1, "bs", 1024},
        {"QD", COLUMN_KEY, -1, "iodepth", 0},
        {"Queue depth", COLUMN_KEY, -1, "iodepth", 0},
        {"Threads", COLUMN_KEY, -1, "numjobs", 0},
        {"I/O engine", COLUMN_OTHER, -1, NULL, 0},
        {"IOPS", COLUMN_DIRECTION, -1, "iops", 0},
        {"Read IOPS", COLUMN_DIRECTION, DIR_READ, "iops", 0},
        {"IOPS (k)", COLUMN_DIRECTION, -1, "iops", 1000},
        {"write_bw", COLUMN_DIRECTION, DIR_WRITE, "bw", -1},
        {"BW (MB/s)", COLUMN_DIRECTION, -1, "bw", 1e6},
        {"MB/s", COLUMN_DIRECTION, -1, "bw", 1e6},
        {"Read MiB/s", COLUMN_DIRECTION, DIR_READ, "bw", 1048576},
        {"kIOPS", COLUMN_DIRECTION, -1, "iops", 1000},
        {"BW (Mbit/s)", COLUMN_DIRECTION, -1, "bw", 125000},
        {"cost of MB/s", COLUMN_OTHER, -1, NULL, 0},
        {"Throughput MiB/s read", COLUMN_DIRECTION, DIR_READ, "bw", 1048576},
        {"Lat avg [us]", COLUMN_LATENCY, -1, "mean", 1000},
        {"clat max ms", COLUMN_LATENCY, -1, "max", 1e6},
        {"Mean latency", COLUMN_LATENCY, -1, "mean", -1},
        {"p99 (ms)", COLUMN_PERCENTILE, -1, NULL, 99},
        {"write lat 99.9th us", COLUMN_PERCENTILE, DIR_WRITE, NULL, 99.9},
        {"Latency p50", COLUMN_PERCENTILE, -1, NULL, 50},
        {"median latency us", COLUMN_PERCENTILE, -1, NULL, 50},
        {"MBps (Decimal)", COLUMN_DIRECTION, -1, "bw", 1e6},
        {"Read MBps (Binary)", COLUMN_DIRECTION, DIR_READ, "bw", 1048576},
        {"Comment", COLUMN_OTHER, -1, NULL, 0},
        {"latency of the bus (us)", COLUMN_OTHER, -1, NULL, 0},
        {"99", COLUMN_OTHER, -1, NULL, 0},
        {"", COLUMN_OTHER, -1, NULL, 0},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct column c;
        const struct heading *h = &good[i];
        bool found = column_guess(&c, h->text);
        cr_expect_eq(found, h->kind != COLUMN_OTHER, "%s", h->text);
        if (!found || h->kind == COLUMN_OTHER)
            continue;
        cr_expect_eq(c.kind, h->kind, "%s", h->text);
        cr_expect_eq(c.dir, h->dir, "%s: direction %d", h->text, c.dir);
        if (h->field)
            cr_expect_str_eq(column_field(&c)->name, h->field, "%s", h->text);
        cr_expect_float_eq(h->field ? c.unit : c.p, h->value, 1e-9, "%s: %g %g", h->text, c.unit,
                           c.p);
    }
}

/* Headings that may mean something else count where their values say so, and behind plain ones. */
/* The map that is asked for where numbers can be read in two ways. */
Test(csv, map_of_the_decimal_sign_alone)
{
    static const char text[] = "Block size;QD;Pattern;IOPS;BW (MB/s)\n4k;1;random read;3.420;14\n";
    static const struct {
        const char *map;
        double iops;
    } maps[] = {{"decimal = ,\n", 3420}, {"# as in the office\ndecimal = .", 3.42}};
    struct collected c;
    struct error err = ERROR_INIT;
    cr_expect_eq(import_mapped(&c, &importer_csv, text, NULL, &err), -ERR_INPUT);
    collect_release(&c);
    for (size_t i = 0; i < 2; i++) {
        error_clear(&err);
        cr_expect_eq(csv_map_check(maps[i].map, &err), 0);
        cr_expect_eq(import_mapped(&c, &importer_csv, text, maps[i].map, &err), 0, "%s",
                     err.message);
        cr_assert_eq(c.n_cells, 1);
        const struct cell *cell = c.cell[0];
        cr_expect(cell->key.rw == RW_RANDREAD && cell->key.bs == 4096 &&
                  cell->dir[DIR_READ].iops == maps[i].iops && cell->dir[DIR_READ].bw == 14e6);
        collect_release(&c);
    }
}

Test(csv, headings_that_their_values_bear_out)
{
    static const struct {
        const char *text;
        enum rw rw;
        uint64_t bs; /* 0: unknown */
    } tables[] = {
        {"Type,Block,QD,IOPS\nRandom Read,4 KB,8,100\n", RW_RANDREAD, 4096},
        {"Type,Pattern,Block Size,IOPS\nread,randwrite,8k,100\n", RW_RANDWRITE, 8192},
        {"Type,Pattern,Block,IOPS\nSSD,randwrite,sdb,100\n", RW_RANDWRITE, 0},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct collected c;
        import_good(&c, tables[i].text);
        cr_assert_eq(c.n_cells, 1);
        const struct cell_key *key = &c.cell[0]->key;
        cr_expect_eq(key->rw, tables[i].rw, "%s", tables[i].text);
        cr_expect_eq(IS_KNOWN(key, CELL_KEY, bs) ? key->bs : 0, tables[i].bs, "%s", tables[i].text);
        collect_release(&c);
    }
}

Test(csv, generic_table)
{
    struct collected c;
    import_good(&c,
                "Device;Block size;QD;Pattern;Read IOPS;Write IOPS;BW (MB/s);Lat avg [us];p99 "
                "(ms);Comment\r\n"
                "/dev/sdb;4k;32;random read;12345;;50.6;2592;4.1;fine\r\n"
                "\r\n"
                "/dev/sdc;64 KiB;8;randwrite;;800;52.4;9999.5;20;\"a \"\"quoted\"\" one; here\"\r\n"
                "/dev/sdb;1M;4;rw;100;90;209.7;20000;;\r\n");
    cr_assert(c.n_runs == 1 && c.n_cells == 3 && c.n_devices == 2);
    const struct cell *a = c.cell[0], *b = c.cell[1], *m = c.cell[2];
    uint64_t ns;
    cr_expect(a->key.rw == RW_RANDREAD && a->key.bs == 4096 && a->key.iodepth == 32);
    cr_expect(a->dir[DIR_READ].iops == 12345 && a->dir[DIR_READ].bw == 50.6e6);
    cr_expect(lat_percentile(&a->dir[DIR_READ].lat[LAT_LAT], 99, &ns) && ns == 4100000);
    cr_expect(b->key.bs == 65536 && b->dir[DIR_WRITE].lat[LAT_LAT].mean == 9999500);
    cr_expect_str_eq(b->extra, "{\"Comment\":\"a \\\"quoted\\\" one; here\"}");
    cr_expect(m->dir[DIR_READ].iops == 100 && m->dir[DIR_WRITE].iops == 90);
    cr_expect(m->dir[DIR_MIXED].bw == 209.7e6 && m->dir[DIR_MIXED].lat[LAT_LAT].n_reported == 0);
    cr_expect(a->device[0] == 0 && b->device[0] == 1 && m->device[0] == 0);
    collect_release(&c);
}

Test(csv, values_that_do_not_fit_leave_their_row_out)
{
    struct collected c;
    struct error err = ERROR_INIT;
    static const char text[] =
        "bs,rw,iops,bw,lat mean\n4k,read,100,1MB/s,1ms\n4q,read,1,1MB/s,1ms\n"
        "4k,sideways,1,1MB/s,1ms\n4k,read,1,17,1ms\n4k,read,-5,1MB/s,1ms\n";
    cr_expect_eq(import_mapped(&c, &importer_csv, text, NULL, &err), -ERR_INPUT);
    cr_expect(strstr(err.message, "t.csv: line 3: column \"bs\": \"4q\" does not fit"), "%s",
              err.message);
    cr_assert(c.n_cells == 1 && c.n_skipped == 4);
    cr_expect_str_eq(c.skipped[2], "line 5: column \"bw\": \"17\" has no unit");
    collect_release(&c);
}

/* "67,123" is 67 thousand to some and 67.1 to others. */
Test(csv, commas_in_numbers)
{
    static const struct {
        const char *text;
        double iops; /* 0: left out */
    } cases[] = {
        {"bs,iops\n4k,\"12,345\"\n", 12345},    {"bs;iops\n4k;12,345\n", 0},
        {"bs;iops\n4k;1,234,567\n", 1234567},   {"bs;iops\n4k;1,234.5\n", 1234.5},
        {"bs,iops\n4k,\"0,345\"\n", 0},         {"bs,iops\n4k,\"12,34\"\n", 0},
        {"bs\tiops\n4k\t12,345\n", 0},          {"bs=4k, iops=12,345, bw=1MB/s\n", 0},
        {"bs=4k,iops=12345,bw=1MB/s\n", 12345}, {"bs=4k, iops=1,234,567\n", 1234567},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct collected c;
        struct error err = ERROR_INIT;
        const struct importer *importer =
            strchr(cases[i].text, '=') ? &importer_pairs : &importer_csv;
        int rc = import_mapped(&c, importer, cases[i].text, NULL, &err);
        cr_expect_eq(rc, cases[i].iops > 0 ? 0 : -ERR_INPUT, "%s: %s", cases[i].text, err.message);
        cr_expect_eq(c.n_cells, cases[i].iops > 0, "%s", cases[i].text);
        if (c.n_cells > 0)
            cr_expect_eq(c.cell[0]->dir[DIR_MIXED].iops, cases[i].iops, "%s", cases[i].text);
        collect_release(&c);
    }
}

Test(csv, columns_of_the_same_meaning)
{
    struct collected c;
    struct error err = ERROR_INIT;
    import_good(&c, "bs,rw,iops,IOPS,p99 ms,read p99 ms\n4k,read,100,200,3,4\n");
    cr_expect_eq(c.cell[0]->dir[DIR_READ].iops, 100);
    cr_expect_str_eq(c.cell[0]->extra, "{\"IOPS\":\"200\"}");
    cr_expect_eq(c.cell[0]->dir[DIR_READ].lat[LAT_LAT].n_reported, 1);
    collect_release(&c);
    cr_expect_eq(import_mapped(&c, &importer_csv, "a,b\n1,2\n", "a = iops\nb = iops\n", &err),
                 -ERR_USAGE);
    cr_expect_str_eq(err.message, "t.csv: map: the columns \"a\" and \"b\" are the same thing");
    collect_release(&c);
}

Test(csv, elbencho_names_a_mix_by_its_share)
{
    struct collected c;
    import_good(&c, "operation,IOPS [last],MiB/s [last],time ms [last],block size,random\n"
                    "RWMIX70,1000,3.90625,10000,4096,1\n");
    cr_expect(c.cell[0]->key.rw == RW_RANDRW && c.cell[0]->key.rwmixread == 70);
    cr_expect(c.cell[0]->dir[DIR_MIXED].iops == 1000 && c.cell[0]->dir[DIR_MIXED].bw == 4096000);
    collect_release(&c);
}

Test(csv, map_files)
{
    static const char text[] = "Groesse,Tiefe,Wert A,Wert B,Datum\n4k,8,1500,2.5,gestern\n";
    struct collected c;
    struct error err = ERROR_INIT;
    cr_assert_eq(
        import_mapped(&c, &importer_csv, text,
                      "# a German table\nGroesse = bs\nTiefe=iodepth\nWert A = write.iops\n"
                      "Wert B = write.lat.p99.9 ms\nDatum = label.date\nFehlt? = numjobs\n",
                      &err),
        0, "%s", err.message);
    uint64_t ns;
    cr_expect(c.cell[0]->key.bs == 4096 && c.cell[0]->key.iodepth == 8);
    cr_expect_eq(c.cell[0]->dir[DIR_WRITE].iops, 1500);
    cr_expect(lat_percentile(&c.cell[0]->dir[DIR_WRITE].lat[LAT_LAT], 99.9, &ns) && ns == 2500000);
    cr_expect_str_eq(run_label(c.run[0], "date"), "gestern");
    collect_release(&c);

    static const struct {
        const char *map, *message;
    } bad[] = {
        {"Groesse = bs\nFehlt = iops\n",
         "map, line 2: the table has no column \"Fehlt\"\nIts columns are: \"Groesse\""},
        {"Groesse = size of it\n", "map, line 1: \"of it\" is no unit"},
        {"Groesse = nonsense\n", "map, line 1: \"nonsense\" names nothing"},
        {"Groesse\n", "map, line 1: no \"COLUMN = TARGET\""},
        {"Groesse = bs\n", "no column is a measured figure"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error_clear(&err);
        cr_expect_eq(import_mapped(&c, &importer_csv, text, bad[i].map, &err), -ERR_USAGE);
        cr_expect(strstr(err.message, bad[i].message), "%s", err.message);
        cr_expect_eq(c.n_runs, 0);
        collect_release(&c);
    }
}

Test(csv, table_without_figures_lists_its_columns)
{
    struct collected c;
    struct error err = ERROR_INIT;
    cr_expect_eq(import_mapped(&c, &importer_csv, "name,colour\nx,blue\n", NULL, &err), -ERR_INPUT);
    cr_expect(strstr(err.message, "\"name\", \"colour\"") && strstr(err.message, "--map"), "%s",
              err.message);
    collect_release(&c);
    cr_expect_null(importer_for("name,colour\nx,blue\n", 19));
    cr_expect_null(importer_for("Latency, throughput and more\nare words\n", 40));
}

Test(csv, elbencho)
{
    size_t n;
    char *text = scratch_read(FOLDER "elbencho.csv", &n);
    struct collected c;
    import_good(&c, text);
    cr_assert_eq(c.n_cells, 2);
    const struct cell *w = c.cell[0], *r = c.cell[1];
    cr_expect(w->key.rw == RW_WRITE && w->key.bs == 1048576 && w->key.iodepth == 4 &&
              w->key.numjobs == 8);
    cr_expect(w->key.direct && w->runtime_ns == UINT64_C(2784000000));
    cr_expect(w->dir[DIR_WRITE].iops == 2941 && w->dir[DIR_WRITE].bw == 2941 * 1048576.0);
    cr_expect_eq(w->dir[DIR_WRITE].bytes, UINT64_C(8192) << 20);
    cr_expect(w->dir[DIR_WRITE].lat[LAT_LAT].mean == 9383000 &&
              w->dir[DIR_WRITE].lat[LAT_LAT].max == 120903000);
    cr_expect(r->key.rw == RW_RANDREAD && r->key.numjobs == 16); /* 8 threads on 2 hosts */
    cr_assert_eq(c.n_skipped, 1);
    cr_expect_str_eq(c.skipped[0], "line 2: \"MKDIRS\" is neither reading nor writing");
    collect_release(&c);
    free(text);
}

Test(csv, pairs_as_people_note_them)
{
    size_t n;
    char *text = scratch_read(FOLDER "two-disks.txt", &n);
    struct collected c;
    cr_assert_eq(importer_for(text, n), &importer_pairs);
    import_good(&c, text);
    cr_assert_eq(c.n_cells, 2);
    cr_expect(c.cell[0]->key.bs == 4096 && c.cell[1]->key.bs == 1048576 &&
              c.cell[1]->key.iodepth == 64);
    cr_expect(c.cell[0]->dir[DIR_WRITE].iops == 3420 && c.cell[0]->dir[DIR_WRITE].bw == 14e6);
    cr_expect(c.cell[1]->dir[DIR_WRITE].iops == 63 && c.cell[1]->dir[DIR_WRITE].bw == 67.1e6);
    collect_release(&c);
    free(text);
    /* a job file has pairs, too, but no result */
    static const char job[] = "[global]\nrw=read\nbs=4k\n[a]\nfilename=/dev/sdb, iodepth=4\n";
    cr_expect_null(importer_for(job, sizeof job - 1));
}

static char *export_csv(const struct collected *c)
{
    struct strbuf out = STRBUF_INIT;
    struct export_state state = {.many = c->n_runs > 1};
    for (size_t i = 0; i < c->n_runs; i++) {
        exporter_csv.begin(&out, &state, c->run[i]);
        state.n_runs++;
        for (size_t k = 0; k < c->n_cells; k++) {
            if (c->cell[k]->run_id == (int64_t)i + 1) {
                c->cell[k]->id = (int64_t)k + 1;
                exporter_csv.cell(&out, &state, c->run[i], c->cell[k]);
            }
        }
    }
    return strbuf_detach(&out);
}

/* Runs with every field set, through the exporter and back: the second export is the first. */
Test(csv, own_export_comes_back_equal)
{
    struct collected made = {0}, back;
    struct sink sink = collect_sink(&made);
    for (unsigned i = 0; i < 3; i++) {
        struct run *run = sample_run(i);
        SET(run, RUN, status, i ? STATUS_PARTIAL : STATUS_COMPLETE);
        cr_assert_eq(sink.begin(sink.self, run, NULL), 0);
        for (unsigned k = 0; k < 2; k++) {
            struct cell *cell = sample_cell(2 * i + k);
            cell->n_devices = 0; /* the sink of this test keeps no devices */
            field_set_text(&cell_fields, cell, CELL_extra,
                           "{\"fio\":{\"fio version\":\"fio-3.33\"}}");
            for (int dir = 0; dir < DIR_COUNT && i == 2; dir++) /* a run that did nothing */
                direction_release(&cell->dir[dir]);
            sink.cell(sink.self, cell, NULL);
            cell_destroy(cell);
        }
        run_destroy(run);
    }
    char *first = export_csv(&made);
    cr_expect_eq(importer_for(first, strlen(first)), &importer_csv);
    import_good(&back, first);
    cr_assert(back.n_runs == 3 && back.n_cells == 6);
    char *second = export_csv(&back);
    size_t same = 0;
    while (first[same] && first[same] == second[same])
        same++;
    cr_expect_eq(first[same], second[same], "differ at: ...%.80s\nback: ...%.80s", first + same,
                 second + same);
    free(first);
    free(second);
    collect_release(&made);
    collect_release(&back);
}

/* Cut anywhere, an export gives whole cells only, and the whole file later finds its runs not taken. */
Test(csv, cut_export_stands_in_nobodys_way)
{
    struct collected made = {0};
    struct sink sink = collect_sink(&made);
    struct run *run = sample_run(0);
    SET(run, RUN, status, STATUS_COMPLETE);
    cr_assert_eq(sink.begin(sink.self, run, NULL), 0);
    for (unsigned k = 0; k < 3; k++) {
        struct cell *cell = sample_cell(k);
        cell->n_devices = 0;
        sink.cell(sink.self, cell, NULL);
        cell_destroy(cell);
    }
    char *whole = export_csv(&made);
    const size_t heading = csv_line_length(whole, strlen(whole)) + 1;
    size_t partly = 0;
    for (size_t cut = 1; heading + 40 + cut < strlen(whole); cut += 13) {
        struct collected c;
        struct error err = ERROR_INIT;
        char *text = xstrndup(whole, strlen(whole) - cut);
        int rc = import_mapped(&c, &importer_csv, text, NULL, &err);
        if (text[strlen(text) - 1] != '\n') { /* between two rows nothing shows it */
            cr_expect_eq(rc, -ERR_INPUT, "cut %zu bytes: %d", cut, rc);
            cr_expect(strstr(err.message, ": line "), "%s", err.message);
            cr_assert_lt(c.n_cells, 3, "cut %zu bytes", cut);
            for (size_t i = 0; i < c.n_cells; i++) {
                for (int dir = 0; dir < DIR_COUNT; dir++)
                    cr_expect_eq(c.cell[i]->dir[dir].bytes, made.cell[i]->dir[dir].bytes);
            }
        }
        if (rc < 0 && c.n_runs == 1) {
            partly++;
            cr_expect_eq(c.run[0]->status, STATUS_PARTIAL);
            cr_expect_str_neq(c.run[0]->uuid, run->uuid);
        }
        free(text);
        collect_release(&c);
    }
    cr_expect_gt(partly, 10);
    free(whole);
    run_destroy(run);
    collect_release(&made);
}

Test(csv, rows_that_do_not_fit_their_heading)
{
    static const struct {
        const char *text, *fault; /* NULL: none */
        size_t cells;
    } tables[] = {
        {"bs,qd,rw,iops,bw (MB/s)\n4k,1,randread,1000,4.1\n8k,1,randread,20",
         "line 3: the file ends in it", 1},
        {"bs,qd,iops\n4k,100\n8k,1,200\n", "line 2: fewer values", 1},
        {"iops,bs\n100,4k\n10", "line 3: the file ends in it", 1},
        {"bs,iops,,\n4k,100\n8k,200", NULL, 2}, /* columns without a name */
        {"bs,iops,note\n4k,100,\n", NULL, 1},
        {"bs,qd,iops\n4k,1,9\n0,1,5\n", "line 3: column \"bs\": \"0\" does not fit", 1},
        {"bs,qd,iops\n4k,1,9\n4k,0,5\n", "line 3: column \"qd\": \"0\" does not fit", 1},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct collected c;
        struct error err = ERROR_INIT;
        int rc = import_mapped(&c, &importer_csv, tables[i].text, NULL, &err);
        cr_expect_eq(rc, tables[i].fault ? -ERR_INPUT : 0, "%zu: %d %s", i, rc, err.message);
        if (tables[i].fault)
            cr_expect(strstr(err.message, tables[i].fault), "%zu: %s", i, err.message);
        cr_expect_eq(c.n_cells, tables[i].cells, "%zu: %zu cells", i, c.n_cells);
        collect_release(&c);
    }
}

/* A load of which all is 0 is no good one; a percentile, or nothing that is stated, is another matter. */
Test(csv, rows_that_did_nothing)
{
    struct collected c = {0};
    import_good(&c, "rw,bs,iops,bw MB/s,p99 us\nread,4k,0,0,\nread,4k,5,0.02,\nread,4k,0,,7\n");
    cr_assert_eq(c.n_cells, 3);
    cr_expect(c.cell[0]->status == STATUS_FAILED);
    cr_expect_str_eq(c.cell[0]->error, "no I/O was done");
    cr_expect(c.cell[1]->status == STATUS_COMPLETE && c.cell[2]->status == STATUS_COMPLETE);
    cr_expect(c.run[0]->status == STATUS_PARTIAL);
    collect_release(&c);
    struct error err = ERROR_INIT;
    cr_expect_eq(
        import_mapped(&c, &importer_csv, "bs,qd,iops\n4k,1,9\n\"4k,2,3\n4k,4,\"7\n", NULL, &err),
        -ERR_INPUT);
    cr_expect(strstr(err.message, "line 3: "), "%s", err.message); /* where the quote begins */
    collect_release(&c);
}

Test(csv, shapes_that_are_refused_or_survive)
{
    struct collected c;
    struct error err = ERROR_INIT;
    cr_expect_eq(import_mapped(&c, &importer_csv, "bs,iops\n4k,1,2,3\n8k,10\n", NULL, &err),
                 -ERR_INPUT);
    cr_expect(c.n_cells == 1 && c.cell[0]->key.bs == 8192 && c.cell[0]->dir[DIR_MIXED].iops == 10);
    cr_expect(strstr(err.message, "line 2: more values than the heading has columns"), "%s",
              err.message);
    collect_release(&c);
    cr_expect_eq(import_mapped(&c, &importer_csv, "bs,iops\n", NULL, &err), -ERR_INPUT);
    collect_release(&c);
    cr_expect_eq(import_mapped(&c, &importer_csv, "bs,iops\n\"4k,1", NULL, &err), -ERR_INPUT);
    collect_release(&c);
    /* rows without a figure are no cells, tables without any are no runs */
    cr_expect_eq(import_mapped(&c, &importer_csv, "bs,iops\n4k,\n", NULL, &err), -ERR_INPUT);
    cr_expect(c.n_cells == 0 && c.n_runs == 0);
    collect_release(&c);
    error_clear(&err);
    cr_expect_eq(import_mapped(&c, &importer_csv, "bs,iops\n4k,\n8k,10\n", NULL, &err), 0, "%s",
                 err.message);
    cr_expect(c.n_cells == 1 && c.cell[0]->dir[DIR_MIXED].iops == 10);
    cr_expect_str_eq(c.skipped[0], "line 2: no figure in it");
    collect_release(&c);
    cr_expect_eq(import_mapped(&c, &importer_csv, "bs,iops\n4q,10\n", NULL, &err), -ERR_INPUT);
    cr_expect_eq(c.n_runs, 0);
    collect_release(&c);
    /* a list of files has sizes, but no results */
    cr_expect_null(importer_for("file,bytes,jobs\na,4096,1\n", 26));
    cr_expect(importer_for("bs,bytes,runtime\n4k,4096,1s\n", 29));
    collect_release(&c);
}
