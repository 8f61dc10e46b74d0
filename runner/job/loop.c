/* The I/O loop of a job. Nothing here allocates, locks, logs or formats. */
#include <errno.h>
#include <sys/resource.h>

#include "core/base/clock.h"
#include "runner/job/until_internal.h"

/* Longest wait in the kernel, so that the stop flag is seen in time. */
#define WAIT_MAX_NS (100 * NS_PER_MS)
/* Pause when the kernel takes nothing and has nothing of ours. */
#define NO_ROOM_WAIT_NS NS_PER_MS
/* Waking up takes the kernel about so long: the last bit before an I/O is due is spent looking. */
#define WAKE_UP_NS (50 * NS_PER_US)
/* Longest wait for a completion to begin or end the window with: the kernel's throttle has periods
 * of 100 ms. */
#define SLACK_MAX_NS (150 * NS_PER_MS)
/* Shorter pauses are not those of a throttle. */
#define BURST_PAUSE_NS (20 * NS_PER_MS)
/* The longest pause is that of the last period of this length. */
#define PAUSE_PERIOD_NS (300 * NS_PER_MS)
/* Of the reads that came back at the end of an interval, so many are looked at, and so much of each. */
#define SAMPLED_READS 8
#define SAMPLED_BYTES 4096
/* So many failures without a success between them: the device is as good as gone. */
#define FAILED_IN_A_ROW_MAX 1000

static uint64_t read_clock(struct job *j)
{
    return j->ops->now ? j->ops->now(j->engine) : clock_now_ns();
}

static bool means_gone(int errnum)
{
    return errnum == ENODEV || errnum == ENXIO || errnum == EBADF || errnum == ENOMEDIUM ||
           errnum == ENODATA;
}

/* ENODATA stands for a read that came back empty: the device is smaller than it was. */
static void failed(struct job *j, const struct io *io)
{
    int errnum = io->result < 0 ? -io->result : ENODATA;
    if (!j->first_errno)
        j->first_errno = errnum;
    j->failed_ios++;
    j->rec.dir[io->dir]->failed_ios += j->rec.recording;
    if (++j->failed_in_a_row >= FAILED_IN_A_ROW_MAX || means_gone(errnum))
        j->gone = true;
}

static void complete(struct job *j, struct io *io)
{
    io->complete = j->now;
    if (io->result > 0 || io->result == (int32_t)io->len) {
        j->failed_in_a_row = 0;
        j->rec.dir[io->dir]->short_ios += j->rec.recording && io->result != (int32_t)io->len;
        recorder_add(&j->rec, io, (uint32_t)io->result);
    } else {
        failed(j, io);
    }
    j->free[j->n_free++] = io;
    j->not_before = j->now + j->thinktime_ns;
}

/* When the next I/O may start; only asked when the job is paced. */
static uint64_t next_start(const struct job *j)
{
    if (j->thinktime_ns)
        return j->n_free == j->iodepth ? j->not_before : UINT64_MAX;
    return j->start + workload_due(j->load);
}

static void prepare(struct job *j)
{
    bool filled = false, open = j->arrivals.schedule != NULL;
    unsigned first = j->n_batch;
    if (j->held)
        workload_at(j->load, j->now > j->start ? j->now - j->start : 0);
    while (j->n_free && (!j->paced || next_start(j) <= j->now)) {
        struct workload_op op = workload_next(j->load);
        struct io *io = j->free[--j->n_free];
        io->offset = op.offset;
        io->len = op.len;
        io->dir = (uint8_t)op.dir;
        io->flags = op.datasync ? IO_DATASYNC : 0;
        io->start = open ? j->start + op.due : j->now;
        io->issue = j->now;
        io->complete = 0;
        if (op.dir == DIR_WRITE) {
            workload_fill(j->load, &op, io->buf);
            filled = true;
        }
        j->batch[j->n_batch++] = io;
    }
    if (!filled)
        return;
    /* filling is the generator's time, not the device's */
    j->now = read_clock(j);
    for (unsigned i = first; i < j->n_batch; i++) {
        struct io *io = j->batch[i];
        io->issue = j->now;
        io->start = open ? io->start : j->now;
    }
}

static void drop_from_batch(struct job *j, unsigned n)
{
    j->n_batch -= n;
    if (j->n_batch == 0)
        return;
    memmove(j->batch, j->batch + n, j->n_batch * sizeof(struct io *));
}

static void count_arrivals(struct job *j, unsigned taken)
{
    for (unsigned i = 0; i < taken; i++) {
        if (j->batch[i]->dir < WORKLOAD_DIRS)
            j->arrivals.issued[j->batch[i]->dir]++;
    }
    arrivals_update(&j->arrivals, j->now - j->start);
}

/* False when there was nothing to submit; else j->now is the instant the call returned. */
static bool submit(struct job *j)
{
    if (j->n_batch == 0)
        return false;
    uint64_t before = j->now;
    int n = j->ops->submit(j->engine, j->batch, j->n_batch);
    j->now = read_clock(j);
    unsigned taken = n < 0 ? 1 : (unsigned)n;
    if (j->arrivals.schedule)
        count_arrivals(j, taken);
    if (n < 0) {
        struct io *io = j->batch[0];
        io->result = n;
        io->issue = j->now;
        complete(j, io);
        drop_from_batch(j, 1);
        return true;
    }
    for (unsigned i = 0; i < taken && !j->rec.sync; i++) {
        struct io *io = j->batch[i];
        io->issue = io->flags & IO_BLOCKED ? before : j->now;
    }
    j->inflight += taken;
    drop_from_batch(j, taken);
    return true;
}

/* The window begins at an instant up to now; no I/O came back between them. */
static void begin(struct job *j, uint64_t at)
{
    j->first = at;
    j->looked_ns = 0;
    recorder_begin(&j->rec);
    if (j->arrivals.schedule)
        arrivals_begin(&j->arrivals, j->now - j->start);
    j->cpu = cpu_use_now(RUSAGE_THREAD);
    j->process_cpu = cpu_use_now(RUSAGE_SELF);
}

/* How long the oldest I/O in flight has been there: what a device keeps is in no latency. */
static uint64_t oldest_in_flight(const struct job *j, uint64_t at)
{
    uint64_t age = 0;
    for (unsigned i = 0; i < j->iodepth && j->inflight; i++) {
        const struct io *io = &j->io[i];
        if (io->issue && !io->complete && io->issue < at && at - io->issue > age)
            age = at - io->issue;
    }
    return age;
}

/* The window ended at an instant from j->first on. */
static void finish(struct job *j, uint64_t at)
{
    if (!j->rec.recording)
        return;
    j->runtime_ns = at - j->first;
    j->kept_ns = oldest_in_flight(j, at);
    j->cpu = cpu_use_since(&j->cpu, RUSAGE_THREAD);
    j->process_cpu = cpu_use_since(&j->process_cpu, RUSAGE_SELF);
    recorder_end(&j->rec);
    if (j->arrivals.schedule)
        arrivals_end(&j->arrivals, at - j->start);
}

/*
 * Without a completion to begin with: after the last one that was not counted, not before it was
 * time, so that arrivals that are far apart are not counted over less than their time. What is in
 * flight was due before.
 */
static uint64_t begin_without_completion(const struct job *j)
{
    if (j->arrivals.schedule && j->inflight)
        return j->now;
    return j->last_completion > j->begin ? j->last_completion : j->begin;
}

static uint64_t interval_end(const struct job *j)
{
    return j->begin + (j->rec.closed + 1) * j->run->interval_ns;
}

static void close_interval(struct job *j)
{
    recorder_close_interval(&j->rec, j->inflight);
    if (j->ops->now)
        until_look(j->run);
}

/* The samples are on the nominal grid, the same for all jobs; the last one ends with the window. */
static void close_intervals(struct job *j)
{
    while (j->rec.recording && interval_end(j) <= j->now && interval_end(j) <= j->end)
        close_interval(j);
}

/* The instant from which on something but I/O is to be done. */
static uint64_t next_edge(const struct job *j)
{
    if (!j->rec.recording)
        return j->begin;
    return interval_end(j) < j->end ? interval_end(j) : j->end;
}

/*
 * The window begins with a completion after its nominal begin, which is not counted, and ends with
 * one after its nominal end, which is: so a rate is measured from completion to completion. A
 * throttle lets I/Os through in bursts, and a cut in the middle of one would be off by a part of
 * it; where there are such pauses, the completion must come after one (3/4 of the longest seen
 * lately), that is, at the start of a burst. When there is none within `slack`, any will do; when
 * there is none in another `slack` either, the device stands still, and the instant itself.
 * False when the window is over.
 */
static bool pass_window(struct job *j, bool completed)
{
    uint64_t edge = j->rec.recording ? j->end : j->begin;
    j->edge = next_edge(j);
    if (j->now < edge)
        return true;
    bool bursts = j->pause_before >= BURST_PAUSE_NS && j->now < edge + j->slack;
    bool fits = completed && (!bursts || j->pause >= j->pause_before / 4 * 3);
    if (!fits && j->now < edge + 2 * j->slack)
        return true;
    if (!j->rec.recording) {
        begin(j, fits ? j->now : begin_without_completion(j));
        j->edge = next_edge(j);
        return true;
    }
    /* not beyond the last one that was counted, not before the time was over */
    finish(j, j->last_completion > j->end ? j->last_completion : j->end);
    return false;
}

/* Keeps the longest pause between completions; called after each batch. */
static void note_pause(struct job *j)
{
    j->pause = j->now - j->last_completion;
    j->last_completion = j->now;
    if (j->pause > j->pause_longest)
        j->pause_longest = j->pause;
    if (j->now >= j->pause_period_end) {
        j->pause_before = j->pause_longest;
        j->pause_longest = 0;
        j->pause_period_end = j->now + PAUSE_PERIOD_NS;
    }
}

/* How long reap may wait; 0: look and come back. Past an edge it is a completion that is awaited. */
static uint64_t wait_time(const struct job *j)
{
    uint64_t until = j->now + WAIT_MAX_NS;
    if (j->edge > j->now && j->edge < until)
        until = j->edge;
    if (j->inflight == 0 && (j->n_batch || !j->paced))
        return NO_ROOM_WAIT_NS;
    if (!j->paced || j->n_free == 0)
        return until - j->now;
    uint64_t next = next_start(j);
    if (next >= until)
        return until - j->now;
    if (next <= j->now)
        return 0;
    uint64_t wait = next - j->now;
    if (j->ops->now)
        return wait;
    return wait > WAKE_UP_NS ? wait - WAKE_UP_NS : 0;
}

/*
 * Finished I/Os into done. What is there at once needs no wait to be worked out, and no call of the
 * kernel in an engine with a shared ring. A synchronous I/O was finished when submit returned.
 */
static unsigned collect(struct job *j, bool just_submitted)
{
    int n = just_submitted ? j->ops->reap(j->engine, j->done, 0, j->iodepth, 0) : 0;
    if (n == 0) {
        uint64_t wait = wait_time(j), before = j->now;
        n = j->ops->reap(j->engine, j->done, 1, j->iodepth, wait);
        j->now = read_clock(j);
        j->looked_ns += wait == 0 ? j->now - before : 0;
    } else if (!j->rec.sync) {
        j->now = read_clock(j);
    }
    if (n < 0 && n != -EINTR) {
        j->first_errno = -n;
        j->gone = true;
    }
    return n > 0 ? (unsigned)n : 0;
}

static bool is_zero(const char *p, size_t n)
{
    return p[0] == 0 && memcmp(p, p + 1, n - 1) == 0;
}

/* Blocks that were never written read as zeros, and fast: a few reads an interval show it. */
static void sample_reads(struct job *j, unsigned n)
{
    if (j->ops->flags & ENGINE_NO_DEVICE)
        return;
    for (unsigned i = 0; i < n && i < SAMPLED_READS; i++) {
        const struct io *io = j->done[i];
        if (io->dir != DIR_READ || io->result <= 0)
            continue;
        size_t len = (size_t)io->result;
        j->sampled_reads++;
        j->zero_reads += is_zero(io->buf, len < SAMPLED_BYTES ? len : SAMPLED_BYTES);
    }
}

/* False when the window is over. */
static bool reap(struct job *j, bool just_submitted)
{
    unsigned n = collect(j, just_submitted);
    bool at_edge = j->now >= j->edge;
    if (at_edge)
        close_intervals(j);
    j->inflight -= n;
    for (unsigned i = 0; i < n; i++)
        complete(j, j->done[i]);
    if (at_edge)
        sample_reads(j, n);
    recorder_publish(&j->rec);
    if (n)
        note_pause(j);
    return !at_edge || pass_window(j, n > 0);
}

static int stop_asked(const struct job *j)
{
    return atomic_load_explicit(&j->run->stop, memory_order_relaxed);
}

/*
 * False when the loop is to end here. Asked to end with the interval, a job ends its window with the running
 * interval, but does not begin one.
 */
static bool goes_on(struct job *j)
{
    int stop = stop_asked(j);
    if (stop == STOP_NO && !j->gone)
        return true;
    if (stop == STOP_ENOUGH && !j->gone) {
        if (j->end > j->now)
            j->end = j->edge = j->now;
        return true;
    }
    if (j->gone || stop >= STOP_NOW || !j->rec.recording) {
        j->cut = true;
        finish(j, j->now);
        return false;
    }
    uint64_t end = j->now + NS_PER_S;
    end = interval_end(j) < end ? interval_end(j) : end;
    if (!j->cut && end < j->end) {
        j->cut = true;
        j->end = end;
        j->edge = next_edge(j);
    }
    return true;
}

/* Nothing is in flight: reap is how a job waits. */
static void wait_for_delay(struct job *j)
{
    while (j->now < j->start && stop_asked(j) == STOP_NO) {
        uint64_t wait = j->start - j->now < WAIT_MAX_NS ? j->start - j->now : WAIT_MAX_NS;
        j->ops->reap(j->engine, j->done, 1, j->iodepth, wait);
        j->now = read_clock(j);
    }
}

/* Short next to the window, and to a sample. */
static uint64_t slack(const struct cell_run *run)
{
    uint64_t max = run->runtime_ns / 10;
    max = run->interval_ns / 2 < max ? run->interval_ns / 2 : max;
    return max < SLACK_MAX_NS ? max : SLACK_MAX_NS;
}

void job_loop(struct job *j)
{
    struct cell_run *run = j->run;
    j->now = j->ops->now ? read_clock(j) : run->start;
    j->start = j->now + run->delay_ns;
    if (run->delay_ns)
        wait_for_delay(j);
    j->begin = j->start + run->ramp_ns;
    j->end = j->begin + run->runtime_ns;
    j->slack = slack(run);
    j->last_completion = j->start;
    /* a load with a rate begins with a completion in any case: its first I/O and the one at the end are
     * due as far apart as the window is long, and only one of them is in it */
    if (run->ramp_ns == 0 && j->now >= j->start && !j->arrivals.schedule)
        begin(j, j->now);
    j->edge = next_edge(j);
    do {
        if (!goes_on(j))
            return;
        prepare(j);
    } while (reap(j, submit(j)));
}

void job_drain(struct job *j)
{
    uint64_t now = read_clock(j), end = now + j->run->hang_ns;
    while (j->inflight && now < end && stop_asked(j) < STOP_HARD) {
        uint64_t wait = end - now < WAIT_MAX_NS ? end - now : WAIT_MAX_NS;
        int n = j->ops->reap(j->engine, j->done, 1, j->iodepth, wait);
        if (n > 0)
            j->inflight -= (unsigned)n;
        else if (n < 0 && n != -EINTR)
            break;
        now = read_clock(j);
    }
    j->stuck = j->inflight;
}
