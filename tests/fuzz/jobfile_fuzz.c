/*
 * Job files: any text is read or refused with a reason. An include gets the same text again, so that
 * every loop is tried; a job that was read is printed and read again as the same load.
 */
#include <stdint.h>
#include <stdlib.h>

#include "core/base/xalloc.h"
#include "runner/jobfile/jobfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool ok)
{
    if (!ok)
        abort();
}

struct input {
    const void *bytes;
    size_t n;
};

static int read_input(void *arg, const char *path, struct strbuf *text, struct error *err)
{
    const struct input *in = arg;
    (void)path;
    (void)err;
    strbuf_add(text, in->bytes, in->n);
    return 0;
}

static const char *no_variable(void *arg, const char *name)
{
    (void)arg;
    return name[0] == 'N' ? "16" : NULL;
}

static void print_and_read_again(const struct jobfile_job *job)
{
    struct run *run = run_create();
    struct cell *cell = cell_create();
    cell->n_devices = job->n_files;
    cell->device = xcalloc(job->n_files, sizeof *cell->device);
    for (size_t i = 0; i < job->n_files; i++) {
        cell->device[i] = i;
        field_set_text(&device_fields, run_add_device(run), DEVICE_path, job->file[i]);
    }
    fields_copy(&cell_key_fields, &cell->key, &job->key);
    field_set_text(&cell_fields, cell, CELL_name, job->name);
    const struct jobfile_times times = {job->delay_ns, job->ramp_ns, job->runtime_ns, 0};
    struct strbuf text = STRBUF_INIT;
    jobfile_print(&text, run, cell, &times, true);
    struct input in = {text.text, text.len};
    const struct jobfile_source source = {NULL, read_input, no_variable, &in};
    struct jobfile *again = NULL;
    struct error err = ERROR_INIT;
    int rc = jobfile_read(&again, "again", &source, &err);
    require(rc == 0 || (rc == -ERR_INPUT && err.message[0]));
    require(rc < 0 || again->n == 1);
    jobfile_destroy(again);
    strbuf_release(&text);
    cell_destroy(cell);
    run_destroy(run);
}

static void list_uses(const struct jobfile_source *source)
{
    struct jobfile_use *use = NULL;
    size_t n = 0;
    struct error err = ERROR_INIT;
    struct strbuf text = STRBUF_INIT;
    int rc = jobfile_uses(&use, &n, &text, "input.fio", source, &err);
    require(rc == 0 || ((rc == -ERR_INPUT || rc == -ERR_REFUSED) && err.message[0]));
    jobfile_uses_free(use, n);
    strbuf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n > 16384)
        return 0;
    struct input in = {data, n};
    const struct jobfile_source source = {NULL, read_input, no_variable, &in};
    list_uses(&source);
    struct jobfile *f = NULL;
    struct error err = ERROR_INIT;
    int rc = jobfile_read(&f, "input.fio", &source, &err);
    if (rc < 0) {
        require(rc == -ERR_INPUT && err.code == ERR_INPUT && err.message[0] && !f);
        return 0;
    }
    require(f->n >= 1 && f->n <= JOBFILE_MAX_JOBS && f->n_groups >= 1);
    for (size_t i = 0; i < f->n; i++) {
        const struct jobfile_job *job = &f->job[i];
        require(job->n_files >= 1 && job->group < f->n_groups);
        require(job->key.numjobs >= 1 && job->key.iodepth >= 1);
        if (i < 4)
            print_and_read_again(job);
    }
    jobfile_destroy(f);
    return 0;
}
