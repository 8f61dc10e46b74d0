/* fio's logs: lines, names, joining to results. What is expected is what fio itself reports beside its logs. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "store/import/fio_log_grid.h"
#include "store/import/fio_log_name.h"
#include "store/import/fio_log_row.h"
#include "store/import/fio_log_set.h"
#include "tests/store/import/import_bytes.h"
#include "tests/support/scratch.h"

#define FOLDER TEST_DATA "/import/fio-log/"

Test(fio_log, names)
{
    static const struct {
        const char *path, *prefix;
        enum fio_log_kind kind;
        uint64_t job;
    } good[] = {
        {"a_bw.1.log", "a", FIO_LOG_BW, 1},
        {"in/a.b_iops.12.log", "in/a.b", FIO_LOG_IOPS, 12},
        {"x_clat_hist.3.log", "x", FIO_LOG_HIST, 3},
        {"x_clat.3.log", "x", FIO_LOG_CLAT, 3},
        {"clat_lat.log", "clat", FIO_LOG_LAT, 0},
        {"bw_bw_slat.1.log", "bw_bw", FIO_LOG_SLAT, 1},
    };
    static const char *const bad[] = {"a_bw.1.txt",
                                      "a.log",
                                      "_bw.1.log",
                                      "in/_bw.1.log",
                                      "bw.1.log",
                                      "a_bw.0.log",
                                      "a_bw.x1.log",
                                      "a_bw.1.log.gz",
                                      "",
                                      ".log",
                                      "a_bw.99999999999999999999.log"};
    struct fio_log_name name;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        cr_assert(fio_log_name_parse(&name, good[i].path), "%s", good[i].path);
        cr_expect_eq(name.prefix_len, strlen(good[i].prefix), "%s", good[i].path);
        cr_expect(name.kind == good[i].kind && name.job == good[i].job, "%s", good[i].path);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(fio_log_name_parse(&name, bad[i]), "%s", bad[i]);
}

struct problems {
    size_t n;
    size_t line[16];
    const char *why[16];
};

static void collect_problem(void *arg, size_t line, const char *why)
{
    struct problems *p = arg;
    if (p->n < 16) {
        p->line[p->n] = line;
        p->why[p->n] = why;
    }
    p->n++;
}

static size_t read_all(const char *text, struct fio_log_row *row, size_t room, struct problems *p)
{
    struct fio_log_reader r;
    size_t n = 0;
    fio_log_reader_init(&r, text, strlen(text), false);
    r.problem = collect_problem;
    r.arg = p;
    while (n < room && fio_log_next(&r, &row[n], NULL))
        n++;
    return n;
}

Test(fio_log, columns_of_all_versions)
{
    static const struct {
        const char *line;
        struct fio_log_row row;
    } good[] = {
        {"500, 44136, 0, 0\n", {500, 44136, 0, 0, 0}},                    /* before 3.18 */
        {"500, 44136, 1, 0, 0\n", {500, 44136, 0, 0, 1}},                 /* priority */
        {"0, 94329, 2, 4096, 4272128, 0x4003\n", {0, 94329, 0, 4096, 2}}, /* offset, priority */
        {"7, 9, 0, 512, 0, 1, 123456789\n", {7, 9, 0, 512, 0}},           /* and time of issue */
        {"500, 100, 900, 1, 0, 0\n", {500, 100, 900, 0, 1}}, /* log_window_value=both */
        {"500,44136,1,0,0\r\n", {500, 44136, 0, 0, 1}},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct fio_log_row row;
        struct problems p = {0};
        cr_assert_eq(read_all(good[i].line, &row, 1, &p), 1, "%s", good[i].line);
        cr_expect(row.ms == good[i].row.ms && row.value == good[i].row.value &&
                      row.max == good[i].row.max && row.bs == good[i].row.bs &&
                      row.dir == good[i].row.dir,
                  "%s", good[i].line);
    }
}

Test(fio_log, lines_that_are_left_out_are_told)
{
    static const char text[] = "500, 44136, 0, 0, 0\n"
                               "\n"
                               "1000, 31280, 0\n"
                               "1000, -5, 0, 0, 0\n"
                               "1000, 5, 7, 0, 0\n"
                               "99999999999999999999, 5, 0, 0, 0\n"
                               "18446744073709551615, 5, 0, 0, 0\n"
                               "words\n"
                               "1500, 10, 0, 0\n"
                               "2000, 20, 1, 0, 0\n"
                               "2500, 20, 1, 0, 0";
    static const size_t lines[] = {2, 3, 4, 5, 6, 7, 8, 9, 11};
    struct fio_log_row row[8];
    struct problems p = {0};
    cr_assert_eq(read_all(text, row, 8, &p), 2);
    cr_expect(row[0].value == 44136 && row[1].ms == 2000 && row[1].value == 20);
    cr_assert_eq(p.n, sizeof lines / sizeof *lines);
    for (size_t i = 0; i < p.n; i++)
        cr_expect_eq(p.line[i], lines[i], "line %zu: %s", p.line[i], p.why[i]);
    cr_expect_str_eq(p.why[0], "an empty line");
    cr_expect_str_eq(p.why[8], "cut off: the line has no end");
}

static struct log_stream stream_of(const uint64_t (*row)[2], size_t n)
{
    struct log_stream s = {0};
    for (size_t i = 0; i < n; i++)
        log_stream_add(&s, (uint32_t)row[i][0], row[i][1], 0);
    return s;
}

/* Two jobs whose windows end some ms apart: rates add up as they stand, and a window without rows is one of 0. */
Test(fio_log, jobs_add_up_window_by_window)
{
    static const uint64_t a[][2] = {
        {500, 1000}, {1001, 2000}, {1500, 3000}, {2500, 5000}, {2501, 9}};
    static const uint64_t b[][2] = {{503, 10}, {999, 20}, {1502, 30}};
    struct log_stream first = stream_of(a, 5), second = stream_of(b, 3);
    struct grid g;
    struct series s;
    grid_make(&g, &first);
    grid_add(&g, &first, GRID_IOPS);
    grid_end_job(&g);
    grid_add(&g, &second, GRID_IOPS);
    grid_end_job(&g);
    cr_assert(grid_series(&g, SERIES_NO_BYTES, &s));
    cr_assert_eq(s.n, 5);
    static const double expected[] = {1010, 2020, 3030, 0, 5000};
    for (size_t i = 0; i < 5; i++)
        cr_expect_float_eq(series_iops(&s, i), expected[i], 1, "%zu: %g", i, series_iops(&s, i));
    cr_expect(isnan(series_bw(&s, 0)));
    cr_expect(s.point[1].end_ns == UINT64_C(1001000000) && s.interval_ns == UINT64_C(500000000));
    series_release(&s);
    grid_release(&g);
    log_stream_release(&first);
    log_stream_release(&second);
}

/* Imports a result with the logs that its options name. */
static void import_with_logs(struct collected *c, struct fio_log_set *set, const char *path)
{
    size_t n;
    char *text = scratch_read(path, &n);
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    struct sink sink = collect_sink(c);
    struct import_source src = {.path = path, .bytes = text, .n = n, .sha256 = "00", .logs = set};
    cr_assert_eq(importer_fio_json.read(&src, &sink, &outcome, &err), 0, "%s", err.message);
    free(text);
}

static size_t joined(const struct fio_log_set *set)
{
    size_t n = 0;
    for (size_t i = 0; i < set->n; i++)
        n += set->entry[i].owner != NULL;
    return n;
}

/* Sum of the values of a job's log in one direction, and how many there are: read here a second time, plainly. */
static double log_sum(const char *path, int dir, size_t *n)
{
    FILE *f = fopen(path, "r");
    double sum = 0;
    unsigned long long ms, value, d;
    char line[256];
    *n = 0;
    cr_assert(f, "%s", path);
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%llu, %llu, %llu", &ms, &value, &d) == 3 && (int)d == dir) {
            sum += (double)value;
            ++*n;
        }
    }
    fclose(f);
    return sum;
}

static double series_mean(const struct series *s, double (*value)(const struct series *, size_t))
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += value(s, i);
    return sum / (double)s->n;
}

/* Both jobs' windows, summed, give the mean that fio states beside its results: iops_mean, bw_mean. */
Test(fio_log, windows_of_two_jobs_joined_to_their_result)
{
    struct collected c = {0};
    struct fio_log_set set = {0};
    import_with_logs(&c, &set, FOLDER "windows.json");
    cr_assert_eq(c.n_cells, 1);
    cr_expect_eq(joined(&set), 10, "%zu", joined(&set));
    for (int dir = DIR_READ; dir <= DIR_WRITE; dir++) {
        const struct direction *d = &c.cell[0]->dir[dir];
        size_t n1, n2;
        double logged = log_sum(FOLDER "windows_iops.1.log", dir, &n1) / 7 +
                        log_sum(FOLDER "windows_iops.2.log", dir, &n2) / 7;
        cr_assert(n1 == 7 && n2 == 7);
        cr_assert(d->series && d->series->n == 7, "%zu", d->series ? d->series->n : 0);
        cr_expect_float_eq(d->iops_mean, logged, 1e-3); /* fio's own figure is that of its logs */
        cr_expect_float_eq(series_mean(d->series, series_iops), d->iops_mean, 2);
        cr_expect_float_eq(series_mean(d->series, series_bw), d->bw_mean, 1024);
        cr_expect_null(d->lat[LAT_CLAT].hist);
        double lat = series_mean(d->series, series_lat_mean);
        cr_expect(lat > 0.5 * d->lat[LAT_LAT].mean && lat < 2 * d->lat[LAT_LAT].mean, "%g", lat);
    }
    cr_expect(strstr(c.cell[0]->extra, "\"series_latency\":\"lat\""));
    collect_release(&c);
    fio_log_set_release(&set);
}

/* Sections of one load on files of their own are one cell: all their logs, each of two jobs, are its series. */
Test(fio_log, logs_of_sections_joined_to_their_sum)
{
    struct collected c = {0};
    struct fio_log_set set = {0};
    import_with_logs(&c, &set, FOLDER "devices.json");
    cr_assert_eq(c.n_cells, 1);
    cr_expect_eq(joined(&set), 8, "%zu", joined(&set));
    const struct direction *d = &c.cell[0]->dir[DIR_READ];
    size_t n1, n2;
    double logged = log_sum(FOLDER "devices_one_iops.log", DIR_READ, &n1) / 5 +
                    log_sum(FOLDER "devices_two_iops.log", DIR_READ, &n2) / 5;
    cr_assert(n1 == 10 && n2 == 10);
    cr_expect_float_eq(d->iops_mean, logged, 1e-3);
    cr_assert(d->series && d->series->n == 5);
    cr_expect_float_eq(series_mean(d->series, series_iops), logged, 0.01 * logged);
    collect_release(&c);
    fio_log_set_release(&set);
}

/* One name for all logs: jobs are counted through the result, also where two sections are one cell. */
Test(fio_log, numbers_of_jobs_tell_whose_logs_they_are)
{
    static const double iops[] = {1000, 500}; /* two jobs together, then one: 500 each */
    struct collected c = {0};
    struct fio_log_set set = {0};
    import_with_logs(&c, &set, FOLDER "numbered/p.json");
    cr_assert_eq(c.n_cells, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct series *s = c.cell[i]->dir[DIR_READ].series;
        cr_assert_not_null(s);
        cr_expect_float_eq(series_mean(s, series_iops), iops[i], 0.02 * iops[i]);
    }
    for (size_t i = 0; i < set.n; i++)
        cr_expect(!strstr(set.entry[i].path, "numbered/") || set.entry[i].owner, "%s",
                  set.entry[i].path);
    collect_release(&c);
    fio_log_set_release(&set);
}

/* Every window of a single job is what stands in its line. */
Test(fio_log, windows_are_as_in_the_log)
{
    size_t n;
    char *text = scratch_read(FOLDER "l40_iops.1.log", &n);
    static const double expected[] = {11034, 7820, 10984, 11857, 10542};
    struct collected c = {0};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    cr_assert_eq(import_bytes(&importer_fio_log, &c, &outcome, "l40_iops.1.log", text, n, &err), 0,
                 "%s", err.message);
    const struct series *s = c.cell[0]->dir[DIR_READ].series;
    cr_assert(s && s->n == 5);
    for (size_t i = 0; i < 5; i++)
        cr_expect_eq(floor(series_iops(s, i)), expected[i], "%zu: %f", i, series_iops(s, i));
    cr_expect_float_eq(c.cell[0]->dir[DIR_READ].iops_mean,
                       (11034 + 7820 + 10984 + 11857 + 10542) / 5.0, 1e-6);
    free(text);
    collect_release(&c);
}

/* A line an I/O: counts and percentiles are those of fio's own result, to the digit. */
Test(fio_log, single_ios_give_the_percentiles_of_the_result)
{
    struct collected with = {0}, without = {0};
    struct fio_log_set set = {0};
    import_with_logs(&with, &set, FOLDER "each.json");
    import_with_logs(&without, NULL, FOLDER "each.json");
    cr_expect_eq(joined(&set), 5);
    for (int dir = DIR_READ; dir <= DIR_WRITE; dir++) {
        const struct direction *d = &with.cell[0]->dir[dir], *fio = &without.cell[0]->dir[dir];
        const struct lat *clat = &d->lat[LAT_CLAT], *stated = &fio->lat[LAT_CLAT];
        cr_assert(clat->hist && hist_n(clat->hist) == 150 && stated->n_reported > 10);
        for (size_t i = 0; i < stated->n_reported; i++) {
            uint64_t ns;
            cr_assert(lat_percentile(clat, stated->reported[i].p, &ns));
            uint64_t capped =
                stated->reported[i].ns < stated->max ? stated->reported[i].ns : stated->max;
            capped = capped > stated->min ? capped : stated->min;
            cr_expect_eq(ns, capped, "p%g: %ju, fio %ju", stated->reported[i].p, (uintmax_t)ns,
                         (uintmax_t)stated->reported[i].ns);
        }
        for (int k = 0; k < LAT_KIND_COUNT; k++) {
            cr_assert(d->lat[k].hist);
            cr_expect_float_eq(hist_mean(d->lat[k].hist), fio->lat[k].mean,
                               1e-3 * fio->lat[k].mean);
        }
        uint64_t ios = 0;
        for (size_t i = 0; d->series && i < d->series->n; i++)
            ios += d->series->point[i].ios;
        cr_expect(ios > 130 && ios <= 150, "%ju", (uintmax_t)ios);
    }
    collect_release(&with);
    collect_release(&without);
    fio_log_set_release(&set);
}

/* The histograms of windows have the I/Os of fio's own count, but for the last window. */
Test(fio_log, clat_hist)
{
    struct collected c = {0};
    struct fio_log_set set = {0};
    import_with_logs(&c, &set, FOLDER "hist.json");
    const struct direction *d = &c.cell[0]->dir[DIR_READ];
    cr_assert(d->series && d->series->n == 3 && d->series->hist);
    cr_expect(d->series->point[0].ios == 1005 && d->series->point[1].ios == 998 &&
              d->series->point[2].ios == 970);
    uint64_t p50, p99;
    cr_assert(lat_percentile(&d->lat[LAT_CLAT], 50, &p50) &&
              lat_percentile(&d->lat[LAT_CLAT], 99, &p99));
    cr_expect(d->series->point[1].lat_p50_ns > p50 / 2 && d->series->point[1].lat_p50_ns < p50 * 2);
    cr_expect(strstr(c.cell[0]->extra, "\"series_latency\":\"clat\""));
    collect_release(&c);
    fio_log_set_release(&set);
}

/* Sections that share a prefix: the number of the job tells their logs apart. */
Test(fio_log, sections_share_a_prefix)
{
    struct collected c = {0};
    struct fio_log_set set = {0};
    import_with_logs(&c, &set, FOLDER "two.json");
    cr_assert_eq(c.n_cells, 2);
    cr_expect_eq(joined(&set), 6);
    const struct direction *r = &c.cell[0]->dir[DIR_READ], *w = &c.cell[1]->dir[DIR_WRITE];
    cr_assert(r->lat[LAT_LAT].hist && w->lat[LAT_LAT].hist);
    cr_expect_float_eq(hist_mean(r->lat[LAT_LAT].hist), r->lat[LAT_LAT].mean, 1);
    cr_expect_float_eq(hist_mean(w->lat[LAT_LAT].hist), w->lat[LAT_LAT].mean, 1);
    cr_expect_null(c.cell[0]->dir[DIR_WRITE].lat[LAT_LAT].hist);
    collect_release(&c);
    fio_log_set_release(&set);
}

static void import_log(struct collected *c, const char *path, const char *text, size_t n,
                       int expected, struct error *err)
{
    struct import_outcome outcome;
    *c = (struct collected){0};
    error_clear(err);
    int rc = import_bytes(&importer_fio_log, c, &outcome, path, text, n, err);
    cr_assert_eq(rc, expected, "%s: %d %s", path, rc, err->message);
    cr_expect_eq(outcome.cells, c->n_cells);
}

/* Logs of another run under the same name stay out. */
Test(fio_log, logs_that_do_not_fit_are_not_joined)
{
    char *dir = scratch_make();
    size_t n;
    char *json = scratch_read(FOLDER "each.json", &n);
    char *path = scratch_path(dir, "each.json"), *log = scratch_path(dir, "each_iops.1.log");
    scratch_write(path, json, n);
    scratch_write(log, "1, 1, 0, 4096, 0\n9, 1, 0, 4096, 0\n", 34);
    struct collected c = {0};
    struct fio_log_set set = {0};
    import_with_logs(&c, &set, path);
    cr_expect(set.n == 1 && joined(&set) == 0);
    cr_expect_null(c.cell[0]->dir[DIR_READ].series);
    collect_release(&c);
    fio_log_set_release(&set);
    scratch_remove(dir);
    free(path);
    free(log);
    free(json);
}

/* A second run of the same job, with nearly the same figures. */
Test(fio_log, logs_of_a_run_that_is_much_alike_are_not_joined)
{
    char *dir = scratch_make();
    size_t n;
    char *path = scratch_path(dir, "windows.json"), *log = scratch_path(dir, "windows_iops.1.log");
    char *log2 = scratch_path(dir, "windows_iops.2.log");
    char *text = scratch_read(FOLDER "windows.json", &n);
    scratch_write(path, text, n);
    free(text);
    text = scratch_read(FOLDER "windows_iops.2.log", &n);
    scratch_write(log2, text, n);
    free(text);
    text = scratch_read(FOLDER "windows_iops.1.log", &n);
    for (int take = 0; take < 2; take++) {
        struct collected c = {0};
        struct fio_log_set set = {0};
        scratch_write(log, text, n);
        import_with_logs(&c, &set, path);
        cr_expect_eq(joined(&set), take ? 0 : 2, "%zu", joined(&set));
        collect_release(&c);
        fio_log_set_release(&set);
        char *rate = strstr(text, "2996");
        cr_assert(rate);
        rate[0] = '1'; /* 2996 in the first window becomes 1996: 2.4 % less in all */
    }
    free(text);
    free(path);
    free(log);
    free(log2);
    scratch_remove(dir);
}

/* Real logs without a result: what is known, and nothing else. */
Test(fio_log, alone)
{
    struct collected c;
    struct error err = ERROR_INIT;
    size_t n;
    char *text = scratch_read(FOLDER "d35_clat.1.log", &n);
    import_log(&c, "d35_clat.1.log", text, n, 0, &err);
    const struct cell *cell = c.cell[0];
    const struct lat *clat = &cell->dir[DIR_READ].lat[LAT_CLAT];
    cr_expect(cell->key.bs == 131072 && !IS_KNOWN(&cell->key, CELL_KEY, rw));
    cr_expect(cell->dir[DIR_READ].ios == 20 && cell->dir[DIR_READ].bytes == UINT64_C(20) * 131072);
    cr_expect(clat->n == 20 && clat->min == 2446689 && clat->max == 66297093);
    free(text);
    collect_release(&c);

    text = scratch_read(FOLDER "d32_clat_hist.1.log", &n); /* fio 2.17: us */
    import_log(&c, "d32_clat_hist.1.log", text, n, 0, &err);
    cr_expect_eq(c.cell[0]->dir[DIR_READ].lat[LAT_CLAT].n, 39663); /* awk over the columns */
    cr_assert_eq(c.cell[0]->dir[DIR_READ].series->n, 9);
    cr_expect_eq(c.cell[0]->dir[DIR_READ].series->point[0].ios, 8325);
    free(text);
    collect_release(&c);

    text = scratch_read(FOLDER "l43_unixepoch_clat.log", &n); /* two jobs after each other */
    import_log(&c, "l43_unixepoch_clat.log", text, n, 0, &err);
    cr_assert_eq(c.n_cells, 2);
    cr_expect_eq(c.cell[0]->started_ns, INT64_C(1796031352353000000));
    const struct series *s = c.cell[1]->dir[DIR_READ].series;
    cr_assert(s && s->n == 3 && s->missing == (SERIES_NO_IOS | SERIES_NO_BYTES));
    cr_expect(series_lat_mean(s, 0) == 97348 && series_lat_mean(s, 1) == 108168 &&
              series_lat_mean(s, 2) == 111975);
    free(text);
    collect_release(&c);
}

Test(fio_log, refused_or_partly)
{
    struct collected c;
    struct error err = ERROR_INIT;
    static const char text[] = "500, 100, 0, 0, 0\n1000, 200, 0, 0, 0\n1500, 3";
    import_log(&c, "results.txt", text, sizeof text - 1, -ERR_INPUT, &err);
    cr_expect(strstr(err.message, "only the name of a log says"), "%s", err.message);
    collect_release(&c);
    import_log(&c, "a_iops.1.log", text, sizeof text - 1, -ERR_INPUT, &err);
    cr_expect_str_eq(err.message, "a_iops.1.log: line 3: cut off: the line has no end");
    cr_assert(c.n_cells == 1 && c.cell[0]->status == STATUS_PARTIAL);
    cr_expect_eq(series_iops(c.cell[0]->dir[DIR_READ].series, 1), 200);
    collect_release(&c);
    /* four columns: fio 2 or 3? us or ns? */
    static const char old[] = "500, 100, 0, 0\n1000, 200, 0, 0\n1500, 300, 0, 0\n";
    import_log(&c, "a_lat.1.log", old, sizeof old - 1, -ERR_INPUT, &err);
    cr_expect(strstr(err.message, "ns or us?"), "%s", err.message);
    collect_release(&c);
    /* no I/O takes longer than its job has run: these are ns */
    static const char slow[] =
        "500, 100000000, 0, 0\n1000, 200000000, 0, 0\n1500, 300000000, 0, 0\n";
    import_log(&c, "a_lat.1.log", slow, sizeof slow - 1, 0, &err);
    cr_expect_eq(series_lat_mean(c.cell[0]->dir[DIR_READ].series, 1), 2e8);
    collect_release(&c);
    cr_expect_null(importer_for("words of any kind\n", 18));
    cr_expect_eq(importer_for(old, sizeof old - 1), &importer_fio_log);
}
