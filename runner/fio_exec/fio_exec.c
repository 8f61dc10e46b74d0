#include "runner/fio_exec/fio_exec.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/fio_exec/fio_args_internal.h"

#define LOOK_NS      (50 * NS_PER_MS)
#define PROGRESS_NS  (250 * NS_PER_MS)
#define HANG_NS      (60 * NS_PER_S)
#define OUTPUT_MAX   (UINT64_C(256) << 20)
#define NOT_STARTED  127
#define COMPLAIN_MAX 400

/* A fio that runs. */
struct child {
    pid_t pid;
    int out, err; /* memory files behind its standard output and error */
    int status;   /* of waitpid */
    bool stopped; /* we asked it to end */
    bool hung;    /* and it did not, or did not end by itself */
};

/* Between fork and exec: only calls that are safe there. */
static void become_fio(const struct child *c, char *const *word, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before prctl */
        _exit(NOT_STARTED);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(c->out, STDOUT_FILENO) < 0 || dup2(c->err, STDERR_FILENO) < 0)
        _exit(NOT_STARTED);
    execvp(word[0], word);
    _exit(NOT_STARTED);
}

static int start(struct child *c, char *const *word, struct error *err)
{
    c->out = memfd_create("fio-output", MFD_CLOEXEC);
    c->err = memfd_create("fio-errors", MFD_CLOEXEC);
    if (c->out < 0 || c->err < 0)
        return error_errno(err, ERR_DEVICE, errno, "cannot keep what fio prints");
    pid_t parent = getpid();
    c->pid = fork();
    if (c->pid < 0)
        return error_errno(err, ERR_DEVICE, errno, "cannot start fio");
    if (c->pid == 0)
        become_fio(c, word, parent);
    return 0;
}

static void tell(const struct job_spec *spec, uint64_t began, uint64_t now)
{
    const struct job_progress p = {.elapsed_ns = now - began,
                                   .total_ns = spec->ramp_ns + spec->runtime_ns,
                                   .ramping = now - began < spec->ramp_ns,
                                   .iops = NAN,
                                   .bw = NAN};
    if (spec->progress)
        spec->progress(spec->progress_arg, &p);
}

/* Until fio has ended. A stop is passed on; what does not end in time is killed. */
static void wait_for(struct child *c, const struct job_spec *spec)
{
    uint64_t hang = spec->hang_ns ? spec->hang_ns : HANG_NS;
    uint64_t began = clock_now_ns(), due = began + PROGRESS_NS;
    uint64_t deadline = began + spec->ramp_ns + spec->runtime_ns + hang;
    while (waitpid(c->pid, &c->status, WNOHANG) == 0) {
        uint64_t now = clock_now_ns();
        if (!c->stopped && spec->stop && atomic_load(spec->stop)) {
            kill(c->pid, SIGINT);
            c->stopped = true;
            deadline = now + hang;
        }
        if (now >= deadline && !c->hung) {
            kill(c->pid, SIGKILL);
            c->hung = true;
        }
        if (now >= due) {
            tell(spec, began, now);
            due = now + PROGRESS_NS;
        }
        clock_sleep_until(now + LOOK_NS);
    }
}

/* All of a memory file, and a NUL after it; empty when there is nothing or too much. */
static char *contents(int fd, size_t *n)
{
    struct stat st;
    *n = 0;
    bool fine = fstat(fd, &st) == 0 && st.st_size > 0 && (uint64_t)st.st_size <= OUTPUT_MAX;
    size_t size = fine ? (size_t)st.st_size : 0;
    char *text = xmalloc(size + 1);
    while (*n < size) {
        ssize_t got = pread(fd, text + *n, size - *n, (off_t)*n);
        if (got <= 0)
            break;
        *n += (size_t)got;
    }
    text[*n] = '\0';
    return text;
}

static void fail(struct cell *cell, int errnum, const char *why)
{
    SET(cell, CELL, status, STATUS_FAILED);
    if (errnum)
        SET(cell, CELL, error_code, errnum);
    field_set_text(&cell_fields, cell, CELL_error, why);
}

/* Lines of fio's complaint as one, "fio: ..." */
static char *complaint(const char *text, int status)
{
    struct strbuf out = STRBUF_INIT;
    for (const char *p = text; *p && out.len < COMPLAIN_MAX; p++)
        strbuf_addc(&out, *p == '\n' ? ' ' : *p);
    while (out.len && out.text[out.len - 1] == ' ')
        strbuf_truncate(&out, out.len - 1);
    struct strbuf why = STRBUF_INIT;
    strbuf_adds(&why, strncmp(out.text, "fio", 3) == 0 ? "" : "fio: ");
    if (out.len)
        strbuf_adds(&why, out.text);
    else if (WIFSIGNALED(status))
        strbuf_addf(&why, "ended by signal %d", WTERMSIG(status));
    else
        strbuf_addf(&why, "ended with exit status %d and said nothing", WEXITSTATUS(status));
    strbuf_release(&out);
    return strbuf_detach(&why);
}

static void take_result(struct cell *cell, const struct child *c, fio_reader read)
{
    size_t n, n_errors;
    char *output = contents(c->out, &n), *errors = contents(c->err, &n_errors);
    struct error bad = ERROR_INIT;
    bool well = WIFEXITED(c->status) && WEXITSTATUS(c->status) == 0;
    int rc = read(cell, output, n, &bad);
    char *why = complaint(n_errors ? errors : rc < 0 ? output : "", c->status);
    if (c->hung)
        fail(cell, ETIMEDOUT, "fio did not end in time and was killed");
    else if (rc < 0)
        fail(cell, 0, well ? bad.message : why);
    else if (c->stopped || (!well && cell->status == STATUS_COMPLETE))
        SET(cell, CELL, status, STATUS_PARTIAL);
    if (rc == 0 && !well && !c->stopped && (!cell->error || n_errors))
        field_set_text(&cell_fields, cell, CELL_error, why);
    free(why);
    free(output);
    free(errors);
}

static int run(const struct job_spec *spec, struct cell *cell, char *const *word, fio_reader read,
               struct error *err)
{
    struct child c = {.out = -1, .err = -1};
    SET(cell, CELL, started_ns, clock_wall_ns() + (int64_t)spec->ramp_ns);
    SET(cell, CELL, ramp_ns, spec->ramp_ns);
    int rc = start(&c, word, err);
    if (rc == 0) {
        wait_for(&c, spec);
        if (WIFEXITED(c.status) && WEXITSTATUS(c.status) == NOT_STARTED)
            rc = error_set(err, ERR_DEVICE, "fio could not be started");
        else
            take_result(cell, &c, read);
    }
    if (c.out >= 0)
        close(c.out);
    if (c.err >= 0)
        close(c.err);
    return rc;
}

int fio_run_cell(const struct job_spec *spec, struct cell *cell, fio_reader read, struct error *err)
{
    if (spec->n_targets != 1)
        return error_set(err, ERR_USAGE,
                         "engine fio loads one device at a time; leave out --together");
    if (!read)
        return error_set(err, ERR_USAGE, "engine fio: there is nothing to read its output with");
    /* through the descriptor that was checked: the path may lead elsewhere by now */
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), spec->target->fd);
    struct fio_args args;
    int rc = fio_args_make(&args, spec, cell, path, err);
    if (rc < 0)
        return rc;
    rc = run(spec, cell, args.word, read, err);
    fio_args_release(&args);
    return rc;
}
