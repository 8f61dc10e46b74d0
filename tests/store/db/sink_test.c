/* What goes into the store comes out again; nothing half done stays. */
#include <criterion/criterion.h>

#include "core/base/xalloc.h"
#include "store/db/store.h"
#include "tests/support/sample.h"
#include "tests/support/scratch.h"

static struct store *memory(void)
{
    struct store *s = NULL;
    struct error err = ERROR_INIT;
    cr_assert_eq(store_open(&s, NULL, STORE_MEMORY, &err), 0, "%s", err.message);
    return s;
}

/* Puts a run with n cells of ordinals 0 .. n-1; returns its id. */
static int64_t put(struct store *s, enum store_sink_mode mode, struct run *run, unsigned n)
{
    struct error err = ERROR_INIT;
    struct sink sink = store_sink(s, mode);
    cr_assert_eq(sink.begin(sink.self, run, &err), 0, "%s", err.message);
    for (unsigned i = 0; i < n; i++) {
        struct cell *c = sample_cell(i);
        SET(c, CELL, ordinal, i);
        SET(c, CELL, repeat, 1);
        cr_assert_eq(sink.cell(sink.self, c, &err), 0, "%s", err.message);
        cr_assert(c->id > 0 && c->run_id == run->id);
        cell_destroy(c);
    }
    SET(run, RUN, status, STATUS_COMPLETE);
    cr_assert_eq(sink.end(sink.self, run, &err), 0, "%s", err.message);
    return run->id;
}

static uint64_t cells(struct store *s, int64_t run)
{
    struct error err = ERROR_INIT;
    uint64_t n = 0;
    cr_assert_eq(store_count_cells(s, run, &n, &err), 0, "%s", err.message);
    return n;
}

static size_t runs(struct store *s)
{
    struct error err = ERROR_INIT;
    struct run_ids ids = {0};
    cr_assert_eq(store_all_runs(s, &ids, &err), 0, "%s", err.message);
    size_t n = ids.n;
    run_ids_release(&ids);
    return n;
}

Test(sink, run_comes_back_with_every_field)
{
    struct store *s = memory();
    struct error err = ERROR_INIT;
    struct run *in = sample_run(3), *out = NULL;
    int64_t id = put(s, SINK_DURABLE, in, 0);
    cr_assert_eq(store_load_run(s, id, &out, &err), 0, "%s", err.message);
    cr_assert_eq(out->id, id);
    cr_assert_null(sample_difference(&run_fields, in, out));
    cr_assert_null(sample_difference(&host_fields, &in->host, &out->host));
    cr_assert_eq(out->n_devices, 2);
    cr_assert_eq(out->n_limits, 2);
    cr_assert_eq(out->n_labels, 2);
    for (size_t i = 0; i < 2; i++) {
        cr_assert_null(sample_difference(&device_fields, &in->device[i], &out->device[i]));
        cr_assert_null(sample_difference(&limit_fields, &in->limit[i], &out->limit[i]));
        cr_assert_str_eq(run_label(out, in->label[i].key), in->label[i].value);
    }
    run_destroy(in);
    run_destroy(out);
    store_close(s);
}

static int compare(struct cell *c, void *arg)
{
    unsigned *n = arg;
    struct cell *want = sample_cell(*n);
    SET(want, CELL, ordinal, *n);
    SET(want, CELL, repeat, 1);
    cr_expect_str_eq(sample_cell_difference(want, c), "", "cell %u differs in %s", *n,
                     sample_cell_difference(want, c));
    cell_destroy(want);
    (*n)++;
    return 0;
}

Test(sink, cells_come_back_with_everything_and_in_order)
{
    struct store *s = memory();
    struct error err = ERROR_INIT;
    struct run *run = sample_run(0);
    int64_t id = put(s, SINK_DURABLE, run, 3);
    unsigned n = 0;
    cr_assert_eq(store_each_cell(s, id, LOAD_ALL, compare, &n, &err), 0, "%s", err.message);
    cr_assert_eq(n, 3);
    cr_assert_eq(store_verify(s, &err), 0, "%s", err.message);
    run_destroy(run);
    store_close(s);
}

static int expect_light(struct cell *c, void *arg)
{
    (void)arg;
    cr_expect_null(c->dir[DIR_READ].lat[LAT_CLAT].hist);
    cr_expect_null(c->dir[DIR_READ].series);
    cr_expect(IS_KNOWN(&c->dir[DIR_READ].lat[LAT_CLAT], LAT_F, mean));
    return 77;
}

Test(sink, blobs_stay_out_unless_asked_for_and_fn_can_stop)
{
    struct store *s = memory();
    struct error err = ERROR_INIT;
    struct run *run = sample_run(0);
    int64_t id = put(s, SINK_ATOMIC, run, 2);
    cr_assert_eq(store_each_cell(s, id, 0, expect_light, NULL, &err), 77);
    run_destroy(run);
    store_close(s);
}

static int expect_unknown(struct cell *c, void *arg)
{
    (void)arg;
    cr_expect_eq(c->known & ~(UINT64_C(1) << CELL_ordinal), 0);
    cr_expect_eq(c->key.known, 0);
    for (int i = 0; i < DIR_COUNT; i++)
        cr_expect_eq(c->dir[i].known, 0);
    cr_expect_eq(c->n_devices + c->n_parts + c->n_buckets + c->n_disks, 0);
    return 0;
}

Test(sink, unknown_stays_unknown)
{
    struct store *s = memory();
    struct error err = ERROR_INIT;
    struct run *run = run_create(), *out = NULL;
    struct sink sink = store_sink(s, SINK_DURABLE);
    cr_assert_eq(sink.begin(sink.self, run, &err), 0, "%s", err.message);
    struct cell *c = cell_create();
    SET(c, CELL, ordinal, 0);
    cr_assert_eq(sink.cell(sink.self, c, &err), 0, "%s", err.message);
    cr_assert_eq(sink.end(sink.self, run, &err), 0, "%s", err.message);
    cr_assert_eq(store_each_cell(s, run->id, LOAD_ALL, expect_unknown, NULL, &err), 0);
    cr_assert_eq(store_load_run(s, run->id, &out, &err), 0);
    cr_assert_eq(out->known, 0);
    cr_assert_eq(out->host.known, 0);
    cell_destroy(c);
    run_destroy(run);
    run_destroy(out);
    store_close(s);
}

Test(sink, failed_import_leaves_nothing)
{
    struct store *s = memory();
    struct error err = ERROR_INIT;
    struct run *run = sample_run(0);
    struct cell *c = sample_cell(0);
    struct sink sink = store_sink(s, SINK_ATOMIC);
    cr_assert_eq(sink.begin(sink.self, run, &err), 0, "%s", err.message);
    cr_assert_eq(sink.cell(sink.self, c, &err), 0, "%s", err.message);
    SET(run, RUN, status, STATUS_FAILED);
    cr_assert_eq(sink.end(sink.self, run, &err), 0, "%s", err.message);
    cr_assert_eq(runs(s), 0);
    cell_destroy(c);
    run_destroy(run);
    store_close(s);
}

Test(sink, in_a_group_the_good_stay_and_the_failed_go)
{
    struct store *s = memory();
    struct error err = ERROR_INIT;
    cr_assert_eq(store_group_begin(s, &err), 0, "%s", err.message);
    struct run *good = sample_run(0), *bad = sample_run(1), *last = sample_run(2);
    int64_t first = put(s, SINK_ATOMIC, good, 2);
    struct sink sink = store_sink(s, SINK_ATOMIC);
    cr_assert_eq(sink.begin(sink.self, bad, &err), 0, "%s", err.message);
    SET(bad, RUN, status, STATUS_FAILED);
    cr_assert_eq(sink.end(sink.self, bad, &err), 0, "%s", err.message);
    int64_t second = put(s, SINK_ATOMIC, last, 1);
    cr_assert_eq(store_group_end(s, &err), 0, "%s", err.message);
    cr_assert_eq(runs(s), 2);
    cr_assert_eq(cells(s, first), 2);
    cr_assert_eq(cells(s, second), 1);
    run_destroy(good);
    run_destroy(bad);
    run_destroy(last);
    store_close(s);
}

/* Grouped runs have no savepoints, and share the fate of the group. */
Test(sink, a_group_is_kept_or_given_up_as_a_whole)
{
    char *folder = scratch_make(), *path = scratch_path(folder, "results.db");
    for (int keep = 0; keep <= 1; keep++) {
        struct store *s = NULL;
        struct error err = ERROR_INIT;
        cr_assert_eq(store_open(&s, path, STORE_WRITE, &err), 0, "%s", err.message);
        cr_assert_eq(store_group_begin(s, &err), 0, "%s", err.message);
        struct run *one = sample_run(0), *two = sample_run(1);
        put(s, SINK_GROUPED, one, 2);
        put(s, SINK_GROUPED, two, 1);
        if (keep)
            cr_assert_eq(store_group_end(s, &err), 0, "%s", err.message);
        store_close(s);
        cr_assert_eq(store_open(&s, path, STORE_WRITE, &err), 0, "%s", err.message);
        cr_expect_eq(runs(s), keep ? 2 : 0);
        cr_expect_eq(store_verify(s, &err), 0, "%s", err.message);
        store_close(s);
        run_destroy(one);
        run_destroy(two);
    }
    free(path);
    scratch_remove(folder);
}

Test(sink, a_resumed_run_replaces_the_cell_that_was_cut_short)
{
    struct store *s = memory();
    struct error err = ERROR_INIT;
    struct run *run = sample_run(0);
    int64_t id = put(s, SINK_DURABLE, run, 3);
    struct sink sink = store_sink(s, SINK_DURABLE);
    cr_assert_eq(sink.begin(sink.self, run, &err), 0, "%s", err.message);
    cr_assert_eq(run->id, id);
    struct cell *c = sample_cell(2);
    SET(c, CELL, ordinal, 2);
    SET(c, CELL, repeat, 1);
    cr_assert_eq(sink.cell(sink.self, c, &err), 0, "%s", err.message);
    SET(c, CELL, ordinal, 3);
    cr_assert_eq(sink.cell(sink.self, c, &err), 0, "%s", err.message);
    cr_assert_eq(sink.end(sink.self, run, &err), 0, "%s", err.message);
    cr_assert_eq(runs(s), 1);
    cr_assert_eq(cells(s, id), 4);
    cell_destroy(c);
    run_destroy(run);
    store_close(s);
}

static int note_round(struct cell *cell, void *arg)
{
    char *text = arg;
    size_t n = strlen(text);
    snprintf(text + n, 64 - n, "%llu ",
             IS_KNOWN(cell, CELL, round) ? (unsigned long long)cell->round : 0);
    return 0;
}

Test(sink, rounds_stand_aside_until_they_are_asked_for)
{
    struct store *s = memory();
    struct error err = ERROR_INIT;
    struct run *run = sample_run(0);
    int64_t id = put(s, SINK_DURABLE, run, 1);
    struct sink sink = store_sink(s, SINK_DURABLE);
    cr_assert_eq(sink.begin(sink.self, run, &err), 0, "%s", err.message);
    struct cell *c = sample_cell(0);
    SET(c, CELL, ordinal, 0);
    SET(c, CELL, repeat, 1);
    for (uint64_t round = 1; round <= 3; round++) {
        SET(c, CELL, round, round);
        cr_assert_eq(sink.cell(sink.self, c, &err), 0, "%s", err.message);
    }
    /* the same round again replaces that one, and no other */
    SET(c, CELL, round, 2);
    cr_assert_eq(sink.cell(sink.self, c, &err), 0, "%s", err.message);
    cr_assert_eq(sink.end(sink.self, run, &err), 0, "%s", err.message);
    cr_expect_eq(cells(s, id), 1);
    uint64_t n = 0;
    cr_assert_eq(store_count_cells(s, id, &n, &err), 0);
    cr_expect_eq(n, 1);
    cr_assert_eq(store_count_rounds(s, id, &n, &err), 0);
    cr_expect_eq(n, 3);
    char seen[64] = "";
    cr_assert_eq(store_each_cell(s, id, LOAD_ROUNDS, note_round, seen, &err), 0);
    cr_expect_str_eq(seen, "0 1 2 3 ");
    seen[0] = '\0';
    cr_assert_eq(store_each_round(s, id, 0, 2, 0, note_round, seen, &err), 0);
    cr_expect_str_eq(seen, "2 3 ");
    cell_destroy(c);
    run_destroy(run);
    store_close(s);
}

Test(sink, resuming_a_run_that_is_gone_is_an_error)
{
    struct store *s = memory();
    struct error err = ERROR_INIT;
    struct run *run = sample_run(0);
    run->id = 42;
    struct sink sink = store_sink(s, SINK_DURABLE);
    cr_assert_eq(sink.begin(sink.self, run, &err), -ERR_STORE);
    cr_assert(strstr(err.message, "run 42"));
    run_destroy(run);
    store_close(s);
}

Test(sink, the_same_run_twice_names_the_first)
{
    struct store *s = memory();
    struct error err = ERROR_INIT;
    struct run *run = sample_run(0);
    put(s, SINK_ATOMIC, run, 1);
    struct sink sink = store_sink(s, SINK_ATOMIC);
    cr_assert_eq(sink.begin(sink.self, run, &err), -ERR_STORE);
    cr_assert(strstr(err.message, "run 1"), "%s", err.message);
    cr_assert_eq(runs(s), 1);
    run_destroy(run);
    store_close(s);
}

static int expect_dropped(struct cell *c, void *arg)
{
    (void)arg;
    cr_expect(!IS_KNOWN(&c->dir[DIR_READ], DIRECTION, bytes));
    cr_expect(cell_has_caveat(c, "number-too-large"));
    cr_expect_eq(c->dir[DIR_READ].ios, INT64_MAX);
    return 0;
}

Test(sink, numbers_beyond_sqlite_become_unknown_and_say_so)
{
    struct store *s = memory();
    struct error err = ERROR_INIT;
    struct run *run = run_create();
    struct cell *c = cell_create();
    SET(&c->dir[DIR_READ], DIRECTION, bytes, UINT64_MAX);
    SET(&c->dir[DIR_READ], DIRECTION, ios, INT64_MAX);
    struct sink sink = store_sink(s, SINK_ATOMIC);
    cr_assert_eq(sink.begin(sink.self, run, &err), 0);
    cr_assert_eq(sink.cell(sink.self, c, &err), 0, "%s", err.message);
    cr_assert_eq(sink.end(sink.self, run, &err), 0);
    cr_assert_eq(store_each_cell(s, run->id, 0, expect_dropped, NULL, &err), 0);
    SET(run, RUN, seed, UINT64_MAX);
    cr_assert_eq(sink.begin(sink.self, run, &err), -ERR_USAGE);
    cr_assert(strstr(err.message, "seed"));
    cell_destroy(c);
    run_destroy(run);
    store_close(s);
}

Test(sink, find_source_knows_what_was_imported)
{
    struct store *s = memory();
    struct error err = ERROR_INIT;
    struct run *run = sample_run(0);
    char *sha = xstrdup(run->source_sha256);
    int64_t id = put(s, SINK_ATOMIC, run, 0), found = -1;
    cr_assert_eq(store_find_source(s, sha, &found, &err), 0);
    cr_assert_eq(found, id);
    cr_assert_eq(store_find_source(s, "other", &found, &err), 0);
    cr_assert_eq(found, 0);
    char *path = xstrdup(run->source_path);
    cr_assert_eq(store_find_changed(s, path, "other", &found, &err), 0);
    cr_expect_eq(found, id);
    cr_assert_eq(store_find_changed(s, path, sha, &found, &err), 0);
    cr_expect_eq(found, 0);
    cr_assert_eq(store_find_changed(s, "elsewhere", "other", &found, &err), 0);
    cr_expect_eq(found, 0);
    free(path);
    free(sha);
    run_destroy(run);
    store_close(s);
}

Test(sink, labels_limits_and_runs_can_be_changed_and_removed)
{
    struct store *s = memory();
    struct error err = ERROR_INIT;
    struct run *run = sample_run(0), *out = NULL;
    int64_t id = put(s, SINK_DURABLE, run, 2);
    cr_assert_eq(store_set_label(s, id, "release", "7.0", &err), 0);
    cr_assert_eq(store_set_label(s, id, "odd key", NULL, &err), 0);
    cr_assert_eq(store_set_label(s, id, "a=b", "x", &err), -ERR_USAGE);
    cr_assert_eq(store_set_limits(s, id, run->limit, 1, &err), 0);
    cr_assert_eq(store_load_run(s, id, &out, &err), 0);
    cr_assert_eq(out->n_labels, 1);
    cr_assert_str_eq(run_label(out, "release"), "7.0");
    cr_assert_eq(out->n_limits, 1);
    cr_assert_eq(store_delete_runs(s, &(struct run_ids){&id, 1}, &err), 0);
    cr_assert_eq(runs(s), 0);
    cr_assert_eq(cells(s, id), 0);
    cr_assert_eq(store_delete_runs(s, &(struct run_ids){&id, 1}, &err), -ERR_USAGE);
    cr_assert_eq(store_verify(s, &err), 0, "%s", err.message);
    run_destroy(run);
    run_destroy(out);
    store_close(s);
}
