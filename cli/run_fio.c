/* `blkmatrix run --engine fio`: an installed fio runs the file, and what it prints is kept. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/confirm.h"
#include "cli/run_internal.h"
#include "core/base/clock.h"
#include "core/base/sha256.h"
#include "core/base/utf8.h"
#include "core/base/xalloc.h"
#include "runner/device/device.h"
#include "store/import/files.h"
#include "store/import/importer.h"

#define LOOK_NS (100 * NS_PER_MS)

extern char **environ;

/* ---- safety: the same questions as before writing ourselves ---- */

/*
 * Opens what will be written and keeps it open: a block device is claimed by that, so that nobody can
 * mount it while fio runs. A device that is not there would become a file in /dev.
 */
static int claim(struct job_run *r, const struct jobfile_use *use, struct error *err)
{
    const struct run_config *c = r->config;
    struct session *s = &r->s;
    struct stat st;
    if (stat(use->path, &st) != 0) {
        if (strncmp(use->path, "/dev/", 5) == 0)
            return error_set(err, ERR_USAGE, "%s does not exist", use->path);
        return 0;
    }
    /* fio makes a file anew also to read it, when it has not the size of the job */
    if (!use->written && !S_ISREG(st.st_mode))
        return 0;
    const struct device_request request = {
        .path = use->path,
        .write = true,
        .permit = {c->allow_write, c->destroy_data.item, c->destroy_data.n}};
    struct sweep_target opened;
    int rc = c->dry_run ? sweep_target_look(&opened, &engine_psync, &request, &s->refused, err)
                        : sweep_target_open(&opened, &engine_psync, &request, err);
    if (rc < 0)
        return rc;
    s->target = xrealloc(s->target, s->n_targets + 1, sizeof *s->target);
    s->target[s->n_targets++] = opened;
    bool ask = !c->dry_run && !c->yes && confirm_possible();
    return ask ? session_confirm(s, s->n_targets - 1, err) : 0;
}

static int check_permit(const struct opt_list *destroy_data, const struct jobfile_use *use,
                        size_t n, struct error *err)
{
    for (size_t i = 0; i < destroy_data->n; i++) {
        bool found = false;
        for (size_t k = 0; !found && k < n; k++)
            found = session_same_path(destroy_data->item[i], use[k].path);
        if (!found)
            return session_not_a_target(destroy_data->item[i], err);
    }
    return 0;
}

static void print_uses(const struct jobfile_use *use, size_t n)
{
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < n; i++) {
        strbuf_adds(&out, use[i].written ? "writes  " : "reads   ");
        utf8_clean(&out, use[i].path);
        strbuf_addc(&out, '\n');
    }
    fputs(out.text, stdout);
    strbuf_release(&out);
}

/* *text: what fio is to run. */
static int check_safety(struct job_run *r, struct strbuf *text, struct error *err)
{
    struct jobfile_use *use;
    size_t n;
    int rc = jobfile_uses(&use, &n, text, r->path, NULL, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = claim(r, &use[i], err);
    if (rc == 0)
        rc = check_permit(&r->config->destroy_data, use, n, err);
    if (rc == 0 && r->config->dry_run)
        print_uses(use, n);
    jobfile_uses_free(use, n);
    return rc;
}

/* ---- fio ---- */

/* Files in memory. */
struct fio_files {
    int input, output;
};

/* No shell; its complaints go to our stderr, its result to a file in memory. */
static int start(const struct fio_files *f, pid_t *pid, struct error *err)
{
    char to[64], path[64];
    snprintf(to, sizeof to, "--output=/proc/%d/fd/%d", (int)getpid(), f->output);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), f->input);
    char name[] = "fio", format[] = "--output-format=json+";
    char *const word[] = {name, format, to, path, NULL};
    posix_spawnattr_t attr;
    posix_spawnattr_init(&attr);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
    int rc = posix_spawnp(pid, "fio", NULL, &attr, word, environ);
    posix_spawnattr_destroy(&attr);
    if (rc == 0)
        return 0;
    rc = error_errno(err, ERR_USAGE, rc, "fio cannot be started");
    error_hint(err, "Is it installed? Without --engine fio the file is run by blkmatrix itself.");
    return rc;
}

/* A first Ctrl-C ends its jobs, and it still reports them. */
static int wait_for(struct job_run *r, pid_t pid)
{
    int status = 0;
    bool told = false;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (interrupt_poll(&r->s.interrupt) && !told) {
            kill(pid, SIGINT);
            told = true;
        }
        clock_sleep_until(clock_now_ns() + LOOK_NS);
    }
    return status;
}

/* ---- what it printed ---- */

struct keeper {
    struct job_run *r;
    struct sink store;
    int64_t run_id;
};

/* What this machine knows of the devices beside what fio says. */
static void complete_devices(struct run *run)
{
    for (size_t i = 0; i < run->n_devices; i++) {
        struct device_info here = {0};
        struct error none = ERROR_INIT;
        struct strbuf text = STRBUF_INIT;
        if (run->device[i].path &&
            device_describe(&here, &sysroot_system, run->device[i].path, 0, &none) == 0)
            for (size_t f = 0; f < device_fields.n; f++) {
                if (field_is_known(&device_fields, &run->device[i], f) ||
                    !field_is_known(&device_fields, &here, f))
                    continue;
                strbuf_reset(&text);
                field_format(&text, &device_fields, &here, f);
                field_parse(&device_fields, &run->device[i], f, text.text);
            }
        strbuf_release(&text);
        fields_release(&device_fields, &here);
    }
}

static int find_limits(struct job_run *r, struct run *run, struct error *err)
{
    if (r->config->no_detect)
        return 0;
    complete_devices(run);
    int rc = session_detect(&r->s, run, &r->config->limits, err);
    if (rc == 0 && !r->s.ctx->quiet)
        fputs(r->s.warning.text, stderr);
    return rc;
}

static int keep_begin(void *self, struct run *run, struct error *err)
{
    struct keeper *k = self;
    const struct run_config *c = k->r->config;
    int rc = session_set_name(run, c->name, err);
    if (rc == 0)
        rc = session_set_labels(run, &c->label, err);
    if (rc == 0)
        rc = find_limits(k->r, run, err);
    if (rc == 0)
        rc = limit_args_apply(&c->limits, k->r->s.limits, run, err);
    if (rc == 0)
        rc = k->store.begin(k->store.self, run, err);
    k->run_id = rc == 0 ? run->id : k->run_id;
    return rc;
}

static int keep_cell(void *self, struct cell *cell, struct error *err)
{
    struct keeper *k = self;
    return k->store.cell(k->store.self, cell, err);
}

static void keep_skip(void *self, const char *place, const char *reason)
{
    (void)self;
    struct strbuf out = STRBUF_INIT;
    utf8_clean(&out, place);
    strbuf_adds(&out, ": ");
    utf8_clean(&out, reason);
    fprintf(stderr, "%s\n", out.text);
    strbuf_release(&out);
}

static int keep_end(void *self, struct run *run, struct error *err)
{
    struct keeper *k = self;
    return k->store.end(k->store.self, run, err);
}

static int keep_output(struct job_run *r, int output, struct error *err)
{
    char path[64], sha256[SHA256_TEXT_MAX];
    snprintf(path, sizeof path, "/proc/self/fd/%d", output);
    struct import_bytes bytes = {0};
    int rc = import_bytes_read(&bytes, path, err);
    struct keeper k = {.r = r, .store = store_sink(r->s.store, SINK_ATOMIC)};
    if (rc == 0) {
        const struct import_source src = {.path = r->path,
                                          .bytes = bytes.bytes,
                                          .n = bytes.n,
                                          .sha256 = sha256_hex(sha256, bytes.bytes, bytes.n)};
        struct sink sink = {&k, keep_begin, keep_cell, keep_skip, keep_end};
        struct import_outcome outcome = {0};
        rc = importer_fio_json.read(&src, &sink, &outcome, err);
    }
    import_bytes_release(&bytes);
    if (rc < 0)
        return error_prefix(err, ERR_INPUT, "what fio printed");
    rc = store_load_run(r->s.store, k.run_id, &r->s.run, err);
    return rc < 0 ? rc : sweep_print_result(&r->s, err);
}

static int ended_badly(const struct job_run *r, int status, struct error *err)
{
    if (atomic_load(&r->s.interrupt.count))
        return error_set(err, ERR_INTERRUPTED, "interrupted");
    if (WIFSIGNALED(status))
        return error_set(err, ERR_DEVICE, "fio was ended by signal %d", WTERMSIG(status));
    return error_set(err, ERR_DEVICE, "fio ended with exit status %d", WEXITSTATUS(status));
}

static int run_and_keep(struct job_run *r, const struct fio_files *f, struct error *err)
{
    pid_t pid;
    int rc = start(f, &pid, err);
    if (rc < 0)
        return rc;
    int status = wait_for(r, pid);
    bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (well && !atomic_load(&r->s.interrupt.count))
        return keep_output(r, f->output, err);
    /* what there is of it is kept too, and why there is not more is the error */
    rc = ended_badly(r, status, err);
    if (keep_output(r, f->output, NULL) == 0)
        error_hint(err, "What fio reported is kept as run %" PRId64 ".", r->s.run->id);
    return rc;
}

static int run_text(struct job_run *r, const struct strbuf *text, struct error *err)
{
    int rc = store_open(&r->s.store, r->s.ctx->db_path, STORE_WRITE, err);
    if (rc < 0)
        return rc;
    struct fio_files f = {memfd_create("fio-input", MFD_CLOEXEC),
                          memfd_create("fio-output", MFD_CLOEXEC)};
    if (f.input < 0 || f.output < 0 || write(f.input, text->text, text->len) != (ssize_t)text->len)
        rc = error_errno(err, ERR_DEVICE, errno, "cannot keep what fio reads and prints");
    else
        rc = run_and_keep(r, &f, err);
    close(f.input);
    close(f.output);
    return rc;
}

int run_with_fio(struct job_run *r, struct error *err)
{
    const struct run_config *c = r->config;
    if (c->runtime || c->engine_options)
        return error_set(err, ERR_USAGE,
                         "with --engine fio the file alone says what is done: leave out --%s",
                         c->runtime ? "runtime" : "engine-options");
    int rc = limit_args_open(&r->s.limits, &c->limits, 0, err);
    struct strbuf text = STRBUF_INIT;
    if (rc == 0)
        rc = check_safety(r, &text, err);
    if (rc == 0 && !c->dry_run)
        rc = run_text(r, &text, err);
    strbuf_release(&text);
    return rc < 0 || !c->dry_run ? rc : session_would_be_refused(&r->s, err);
}
