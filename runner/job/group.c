/* Starts the jobs of cells that run at the same time, watches them, and joins them. */
#include <signal.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/job/job_internal.h"
#include "runner/job/progress_internal.h"
#include "runner/job/until_internal.h"

#define TICK_NS     (50 * NS_PER_MS)
#define PROGRESS_NS (250 * NS_PER_MS)
/* A job's own waiting ends after hang_ns; a thread that needs this much more is blocked. */
#define BLOCKED_NS (5 * NS_PER_S)
/* Who asked twice does not want to wait for it. */
#define HARD_STOP_NS (200 * NS_PER_MS)

/* One cell of the group while it runs. */
struct member {
    const struct job_spec *spec;
    struct cell *cell;
    struct cell_run *run;
    struct progress_state progress;
    uint64_t window;   /* when the ramp is over */
    uint64_t deadline; /* jobs that are not back by then are blocked */
    int stop;          /* enum stop: as far as the deadline knows */
    bool over, in_window;
    unsigned missing; /* blocked jobs */
};

struct group {
    struct member *member;
    unsigned n;
};

static void open_gate(struct cell_run *run, enum gate gate, uint64_t now)
{
    pthread_mutex_lock(&run->lock);
    run->start = now;
    run->gate = gate;
    pthread_cond_broadcast(&run->cond);
    pthread_mutex_unlock(&run->lock);
}

static void join_all(struct cell_run *run, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        pthread_join(run->job[i].thread, NULL);
}

/* Jobs take no signals: they belong to the thread that called. */
static int start_threads(struct cell_run *run, struct error *err)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    unsigned n = 0;
    int rc = 0;
    while (n < run->n_jobs && rc == 0) {
        rc = pthread_create(&run->job[n].thread, NULL, job_thread, &run->job[n]);
        n += rc == 0;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);

    pthread_mutex_lock(&run->lock);
    while (run->n_ready < n)
        pthread_cond_wait(&run->cond, &run->lock);
    pthread_mutex_unlock(&run->lock);

    if (rc)
        rc = error_errno(err, ERR_DEVICE, rc, "cannot start job %u of %u", n + 1, run->n_jobs);
    for (unsigned i = 0; i < n && rc == 0; i++) {
        const struct error *e = &run->job[i].err;
        if (e->code) {
            rc = error_set(err, e->code, "%s", e->message);
        }
    }
    if (rc) {
        open_gate(run, GATE_ABORTED, 0);
        join_all(run, n);
    }
    return rc;
}

/* Until `until`, or until a job of this cell finishes. */
static void wait_tick(struct cell_run *run, uint64_t until)
{
    struct timespec ts = {.tv_sec = (time_t)(until / NS_PER_S),
                          .tv_nsec = (long)(until % NS_PER_S)};
    pthread_mutex_lock(&run->lock);
    if (run->n_finished < run->n_jobs)
        pthread_cond_timedwait(&run->cond, &run->lock, &ts);
    pthread_mutex_unlock(&run->lock);
}

static unsigned finished_jobs(struct cell_run *run)
{
    pthread_mutex_lock(&run->lock);
    unsigned n = run->n_finished;
    pthread_mutex_unlock(&run->lock);
    return n;
}

static bool any_gone(const struct cell_run *run)
{
    for (unsigned i = 0; i < run->n_jobs; i++) {
        if (atomic_load(&run->job[i].finished) && run->job[i].gone)
            return true;
    }
    return false;
}

/* Passes a stop on to the jobs. */
static void pass_on_stop(struct cell_run *run, const struct job_spec *spec)
{
    int asked = spec->stop ? atomic_load(spec->stop) : 0;
    int stop = asked == 0 ? STOP_NO : asked == 1 ? STOP_SOON : STOP_HARD;
    if (stop < STOP_NOW && any_gone(run))
        stop = STOP_NOW;
    if (stop > atomic_load(&run->stop))
        atomic_store(&run->stop, stop);
}

/* Looks after one cell: true when all its jobs are finished, or those left are blocked. */
static bool is_over(struct member *m)
{
    struct cell_run *run = m->run;
    unsigned n = finished_jobs(run);
    if (n == run->n_jobs)
        return true;
    pass_on_stop(run, m->spec);
    if (!run->ops->now)
        until_look(run);
    uint64_t now = clock_now_ns();
    int stop = atomic_load(&run->stop);
    if (stop > m->stop) {
        uint64_t end = now + (stop < STOP_HARD ? run->hang_ns + BLOCKED_NS : HARD_STOP_NS);
        m->deadline = end < m->deadline ? end : m->deadline;
        m->stop = stop;
    }
    if (now < m->deadline || run->ops->now)
        return false;
    m->missing = run->n_jobs - n;
    return true;
}

/* All cells together; the p99 is that of the slowest. */
static void tell(struct group *g, uint64_t now)
{
    struct job_progress sum = {.ramping = true};
    for (unsigned i = 0; i < g->n; i++) {
        struct job_progress p;
        progress_read(&p, g->member[i].run, &g->member[i].progress, now);
        for (int d = 0; d < DIR_COUNT; d++) {
            sum.ios[d] += p.ios[d];
            sum.bytes[d] += p.bytes[d];
        }
        sum.iops += p.iops;
        sum.bw += p.bw;
        sum.lat_p99_ns = p.lat_p99_ns > sum.lat_p99_ns ? p.lat_p99_ns : sum.lat_p99_ns;
        sum.elapsed_ns = p.elapsed_ns;
        sum.total_ns = p.total_ns > sum.total_ns ? p.total_ns : sum.total_ns;
        sum.ramping = sum.ramping && p.ramping;
    }
    const struct job_spec *first = g->member[0].spec;
    first->progress(first->progress_arg, &sum);
}

/* Tells of windows that begin; the instant of the next tick, which is that of the next of them. */
static uint64_t pass_windows(struct group *g, uint64_t now)
{
    uint64_t next = now + TICK_NS;
    for (unsigned i = 0; i < g->n; i++) {
        struct member *m = &g->member[i];
        if (m->in_window)
            continue;
        m->in_window = now >= m->window;
        /* where nothing comes before the window it began with the job, and now is later */
        bool told = m->run->delay_ns + m->run->ramp_ns > 0;
        if (m->in_window && told && m->spec->window_begins)
            m->spec->window_begins(m->spec->progress_arg);
        if (!m->in_window && m->window < next)
            next = m->window;
    }
    return next;
}

/* Until every cell is over. */
static void watch(struct group *g)
{
    uint64_t due = g->member[0].run->start + PROGRESS_NS;
    for (unsigned left = g->n; left > 0;) {
        struct member *waiting = NULL;
        left = 0;
        for (unsigned i = 0; i < g->n; i++) {
            struct member *m = &g->member[i];
            m->over = m->over || is_over(m);
            waiting = m->over ? waiting : m;
            left += !m->over;
        }
        if (!waiting)
            return;
        uint64_t now = clock_now_ns();
        wait_tick(waiting->run, pass_windows(g, now));
        now = clock_now_ns();
        if (g->member[0].spec->progress && now >= due) {
            tell(g, now);
            due = now + PROGRESS_NS;
        }
    }
}

/* All gates open at one instant. */
static void begin(struct group *g)
{
    uint64_t now = clock_now_ns();
    for (unsigned i = 0; i < g->n; i++) {
        struct member *m = &g->member[i];
        uint64_t before = m->run->delay_ns + m->run->ramp_ns;
        SET(m->cell, CELL, started_ns, clock_wall_ns() + (int64_t)before);
        m->progress = (struct progress_state){.last_ns = now};
        m->window = now + before;
        m->deadline = now + before + m->run->runtime_ns + m->run->hang_ns + BLOCKED_NS;
        open_gate(m->run, GATE_OPEN, now);
    }
}

/* What one cell came to. A thread that is blocked may come back any time: what it uses stays. */
static void finish(struct member *m)
{
    struct cell_run *run = m->run;
    result_fill(m->cell, run, m->spec, m->missing);
    if (m->missing) {
        for (unsigned i = 0; i < run->n_jobs; i++)
            pthread_detach(run->job[i].thread);
        xabandon(run);
        return;
    }
    join_all(run, run->n_jobs);
    cell_run_destroy(run);
}

/* Takes back the cells that have been started, or only made. */
static void give_up(struct group *g, unsigned n_started)
{
    for (unsigned i = 0; i < g->n; i++) {
        struct cell_run *run = g->member[i].run;
        if (!run)
            continue;
        if (i < n_started) {
            open_gate(run, GATE_ABORTED, 0);
            join_all(run, run->n_jobs);
        }
        cell_run_destroy(run);
    }
}

static int run_group(struct group *g, struct error *err)
{
    unsigned n_jobs = 0;
    for (unsigned i = 0; i < g->n; i++) {
        struct member *m = &g->member[i];
        int rc = cell_run_create(&m->run, m->spec, m->cell, err);
        if (rc) {
            give_up(g, 0);
            return rc;
        }
        m->run->first_job = n_jobs;
        m->run->alone = g->n == 1;
        n_jobs += m->run->n_jobs;
    }
    for (unsigned i = 0; i < g->n; i++) {
        int rc = start_threads(g->member[i].run, err);
        if (rc) {
            give_up(g, i);
            return rc;
        }
    }
    begin(g);
    watch(g);
    for (unsigned i = 0; i < g->n; i++)
        finish(&g->member[i]);
    return 0;
}

int job_run_group(const struct job_spec *spec, struct cell *const *cell, unsigned n,
                  struct error *err)
{
    struct group g = {.member = xcalloc(n, sizeof *g.member), .n = n};
    for (unsigned i = 0; i < n; i++)
        g.member[i] = (struct member){.spec = &spec[i], .cell = cell[i]};
    int rc = run_group(&g, err);
    free(g.member);
    return rc;
}

int job_run_cell(const struct job_spec *spec, struct cell *cell, struct error *err)
{
    return job_run_group(spec, &cell, 1, err);
}
