/* Imported cells as sections of a job file: the load that their source had. */
#include <criterion/criterion.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/jobfile/jobfile.h"

/* The section of an imported cell, whose source had these options (fio's JSON has them as texts; NULL: it lists none). */
static char *print_imported(const char *options, uint64_t lasted_ns)
{
    struct run *run = run_create();
    struct cell *cell = cell_create();
    char *extra = xasprintf("{\"options\":%s}", options ? options : "");
    field_set_text(&run_fields, run, RUN_source_format, "fio-json");
    field_set_text(&cell_fields, cell, CELL_extra, options ? extra : NULL);
    SET(&cell->key, CELL_KEY, rw, RW_RANDREAD);
    SET(cell, CELL, runtime_ns, lasted_ns);
    const struct jobfile_times times = {.runtime_ns = lasted_ns};
    struct strbuf out = STRBUF_INIT;
    jobfile_print(&out, run, cell, &times, false);
    free(extra);
    cell_destroy(cell);
    run_destroy(run);
    return strbuf_detach(&out);
}

Test(jobfile, imported_cells_lose_no_option_without_a_word)
{
    char *text = print_imported("{\"rw\":\"randread\",\"runtime\":\"2\",\"startdelay\":\"3\","
                                "\"loops\":\"2\",\"io_size\":\"10g\",\"cpus_allowed\":\"0-3\"}",
                                2001 * NS_PER_MS);
    cr_expect_str_eq(
        text, "[cell-1]\n; not known of the source, a default when it is run: bs, iodepth, "
              "numjobs, ioengine, direct\n; not taken over from the source: loops=2 io_size=10g\n"
              "startdelay=3\ncpus_allowed=0-3\nrw=randread\n"
              "time_based\nruntime=2\ngroup_reporting\n");
    free(text);
}

/* fio's text states no rates and no sizes. */
Test(jobfile, imported_cells_without_options_say_so)
{
    char *text = print_imported(NULL, NS_PER_S);
    cr_expect(strstr(text, "; the source lists no options"), "%s", text);
    free(text);
}

/* `sweep --engine fio`: job files know no such engine. */
Test(jobfile, cells_of_an_installed_fio_name_its_engine)
{
    struct run *run = run_create();
    struct cell *cell = cell_create();
    field_set_text(&cell_fields, cell, CELL_extra, "{\"options\":{\"ioengine\":\"libaio\"}}");
    field_set_text(&cell_key_fields, &cell->key, CELL_KEY_engine, "fio");
    const struct jobfile_times times = {.runtime_ns = NS_PER_S};
    struct strbuf out = STRBUF_INIT;
    jobfile_print(&out, run, cell, &times, false);
    cr_expect(strstr(out.text, "\nioengine=libaio\n"), "%s", out.text);
    strbuf_release(&out);
    cell_destroy(cell);
    run_destroy(run);
}

/* A key has sizes in bytes; read again, the load has to stay where it was on the device. */
Test(jobfile, imported_cells_keep_percentages)
{
    char *text = print_imported("{\"filename\":\"/dev/x\",\"size\":\"25%\",\"offset\":\"50%\","
                                "\"runtime\":\"1\"}",
                                NS_PER_S);
    cr_expect(strstr(text, "\nsize=25%\noffset=50%\n"), "%s", text);
    cr_expect_null(strstr(text, "not taken over"), "%s", text);
    free(text);
}

/* The sizes and threads of a section are for all its files; several sections that are one cell had them each. */
Test(jobfile, imported_cells_on_several_files_keep_their_load)
{
    static const struct {
        const char *options, *extra;
        size_t files;
        const char *want;
    } rows[] = {
        {"{\"filename\":\"/dev/a:/dev/b\"}", "", 2,
         "filename=/dev/a:/dev/b\nrw=randread\nnumjobs=3\nsize=6m\n"},
        {"{\"filename\":\"/dev/a\"}", "", 2,
         "filename=/dev/a:/dev/b\nrw=randread\nnumjobs=6\nsize=12m\n"},
        {"{\"filename\":\"/dev/a\"}", ",\"hosts\":[\"a\",\"b\"]", 2,
         "filename=/dev/a:/dev/b\nrw=randread\nnumjobs=3\nsize=6m\n"},
        {"{\"filename\":\"/dev/a\"}", ",\"hosts\":[\"a\"]", 2,
         "filename=/dev/a:/dev/b\nrw=randread\nnumjobs=6\nsize=12m\n"},
        {"{\"directory\":\"/dev/a\"}", "", 1,
         "directory=/dev/a\nrw=randread\nnumjobs=3\nsize=6m\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run *run = run_create();
        struct cell *cell = cell_create();
        char *extra = xasprintf("{\"options\":%s%s}", rows[i].options, rows[i].extra);
        field_set_text(&run_fields, run, RUN_source_format, "fio-json");
        field_set_text(&device_fields, run_add_device(run), DEVICE_path, "/dev/a");
        field_set_text(&device_fields, run_add_device(run), DEVICE_path, "/dev/b");
        field_set_text(&cell_fields, cell, CELL_extra, extra);
        size_t device[] = {0, 1};
        cell->device = device;
        cell->n_devices = rows[i].files;
        SET(&cell->key, CELL_KEY, rw, RW_RANDREAD);
        SET(&cell->key, CELL_KEY, numjobs, 3);
        SET(&cell->key, CELL_KEY, size, 6 << 20);
        const struct jobfile_times times = {.runtime_ns = NS_PER_S};
        struct strbuf out = STRBUF_INIT;
        jobfile_print(&out, run, cell, &times, false);
        cr_expect(strstr(out.text, rows[i].want), "%s\ngot %s", rows[i].options, out.text);
        cr_expect_null(strstr(out.text, "not taken over"), "%s", out.text);
        strbuf_release(&out);
        cell->device = NULL;
        cell->n_devices = 0;
        cell_destroy(cell);
        run_destroy(run);
        free(extra);
    }
}

/* As fio ran it: until its size was done, whichever came first, or for a time. */
Test(jobfile, imported_cells_end_as_their_source_did)
{
    char *text = print_imported("{\"size\":\"1m\",\"norandommap\":\"1\"}", 72 * NS_PER_MS);
    cr_expect_null(strstr(text, "time_based"), "%s", text);
    cr_expect_null(strstr(text, "runtime="), "%s", text);
    cr_expect(strstr(text, "\nnorandommap\n"), "%s", text);
    free(text);
    text = print_imported("{\"size\":\"1m\",\"runtime\":\"60\"}", 72 * NS_PER_MS);
    cr_expect_null(strstr(text, "time_based"), "%s", text);
    cr_expect(strstr(text, "runtime=60\n"), "%s", text);
    cr_expect_null(strstr(text, "norandommap"), "%s", text);
    free(text);
}
