/* How a sweep is told while it runs. */
#include <math.h>

#include "cli/sweep_internal.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/numfmt.h"

/* Columns below which the live line has room for one figure only. */
#define NARROW 64

/* "randread 4k QD 16", and what else is not as everywhere. */
static void add_cell_name(struct strbuf *out, const struct sweep_state *st)
{
    const struct plan_cell *c = st->cell;
    const struct plan_axes *a = &st->plan->axes;
    struct cell_key key = {0};
    char depth[NUMFMT_MAX];
    if (a->alone && c->device == a->n_devices)
        strbuf_adds(out, "together ");
    else if (a->n_devices > 1 && (a->alone || !a->together))
        strbuf_addf(out, "device %zu ", c->device + 1);
    plan_key(&key, st->plan, c);
    cell_key_pattern(out, &key);
    strbuf_addc(out, ' ');
    cell_key_sizes(out, &key);
    fields_release(&cell_key_fields, &key);
    strbuf_addf(out, " QD %s", fmt_count(depth, c->iodepth));
    if (c->numjobs > 1)
        strbuf_addf(out, " x %llu", (unsigned long long)c->numjobs);
    if (c->percent)
        strbuf_addf(out, " at %llu %%", (unsigned long long)c->percent);
    if (c->histogram)
        strbuf_adds(out, ", histogram");
}

/* Time left, in whole seconds: it is a guess. */
static void add_left(struct strbuf *out, const struct sweep_state *st)
{
    char buf[NUMFMT_MAX];
    uint64_t seconds = (st->left_ns + NS_PER_S - 1) / NS_PER_S;
    strbuf_addf(out, "%s left", fmt_duration(buf, seconds * NS_PER_S));
}

void sweep_add_rates(struct strbuf *out, double iops, double bw, uint64_t p99)
{
    char a[NUMFMT_MAX], b[NUMFMT_MAX];
    strbuf_addf(out, "%s IOPS, %s MiB/s", fmt_iops(a, iops), fmt_mib(b, bw));
    if (p99)
        strbuf_addf(out, ", p99 %s", fmt_latency(a, (double)p99));
}

static void add_cell_json(cJSON *o, const struct sweep_state *st)
{
    json_add_u64(o, "number", st->number);
    json_add_u64(o, "planned", st->planned);
    json_add_u64(o, "ordinal", st->cell->ordinal);
    json_add_u64(o, "repeat", st->cell->repeat);
    if (st->cell->device == st->plan->axes.n_devices)
        json_add_null(o, "device");
    else
        json_add_u64(o, "device", st->cell->device);
    json_add_text(o, "rw", rw_names[st->cell->rw]);
    json_add_u64(o, "bs", st->cell->bs);
    json_add_u64(o, "iodepth", st->cell->iodepth);
    json_add_u64(o, "numjobs", st->cell->numjobs);
    if (st->cell->percent)
        json_add_u64(o, "percent", st->cell->percent);
    else
        json_add_null(o, "percent");
    if (st->round)
        json_add_u64(o, "round", st->round);
    if (st->cell->histogram)
        json_add_text(o, "stage", STAGE_HISTOGRAM);
    json_add_u64(o, "left_ns", st->left_ns);
}

void sweep_print_json(struct session *s, cJSON *o, double iops, double bw, uint64_t p99)
{
    json_add_f64(o, "iops", iops);
    json_add_f64(o, "bw", bw);
    if (p99)
        json_add_u64(o, "p99_ns", p99);
    else
        json_add_null(o, "p99_ns");
    char *text = json_print(o, false);
    progress_line(s->progress, text);
    free(text);
    cJSON_Delete(o);
}

static cJSON *new_event(const char *name, const struct sweep_state *st)
{
    cJSON *o = cJSON_CreateObject();
    json_add_text(o, "event", name);
    add_cell_json(o, st);
    return o;
}

static void show_tick(struct session *s, const struct sweep_state *st, const struct job_progress *p)
{
    struct strbuf out = STRBUF_INIT;
    uint64_t all = st->elapsed_ns + st->left_ns;
    strbuf_addf(&out, "%zu/%zu  %.0f %%  ", st->number, st->planned,
                all ? floor(100 * (double)st->elapsed_ns / (double)all) : 0);
    add_left(&out, st);
    strbuf_adds(&out, "  ");
    if (progress_columns(s->progress) < NARROW) {
        char iops[NUMFMT_MAX];
        strbuf_addf(&out, "%s IOPS", fmt_iops(iops, p->iops));
    } else {
        add_cell_name(&out, st);
        if (st->round)
            strbuf_addf(&out, " round %llu", (unsigned long long)st->round);
        strbuf_adds(&out, p->ramping ? "  ramp: " : "  ");
        sweep_add_rates(&out, p->iops, p->bw, p->lat_p99_ns);
    }
    progress_live(s->progress, out.text);
    strbuf_release(&out);
}

static void on_tick(void *arg, const struct sweep_state *st, const struct job_progress *p)
{
    struct session *s = arg;
    interrupt_poll(&s->interrupt);
    if (progress_mode(s->progress) == PROGRESS_JSON) {
        cJSON *o = new_event(p->ramping ? "ramp" : "measuring", st);
        json_add_u64(o, "elapsed_ns", p->elapsed_ns);
        json_add_u64(o, "total_ns", p->total_ns);
        sweep_print_json(s, o, p->iops, p->bw, p->lat_p99_ns);
    } else {
        show_tick(s, st, p);
    }
}

uint64_t sweep_cell_p99(const struct cell *cell)
{
    enum lat_kind kind = cell_is_rate_limited(cell) ? LAT_LAT : LAT_CLAT;
    uint64_t worst = 0;
    for (int d = 0; d <= DIR_TRIM; d++) {
        const struct hist *h = cell->dir[d].lat[kind].hist;
        uint64_t p99 = h && hist_supports(h, 99) ? hist_percentile(h, 99) : 0;
        worst = p99 > worst ? p99 : worst;
    }
    return worst;
}

void sweep_add_outcome(struct strbuf *out, const struct cell *cell)
{
    double iops = cell_iops(cell);
    if (!isnan(iops))
        sweep_add_rates(out, iops, cell_bw(cell), sweep_cell_p99(cell));
    if (cell->status != STATUS_COMPLETE)
        strbuf_addf(out, "%s%s%s%s", isnan(iops) ? "" : "; ", status_names[cell->status],
                    cell->error ? ": " : "", cell->error ? cell->error : "");
}

static void on_cell_end(void *arg, const struct sweep_state *st, const struct cell *cell)
{
    struct session *s = arg;
    interrupt_poll(&s->interrupt);
    double iops = cell_iops(cell), bw = cell_bw(cell);
    if (progress_mode(s->progress) == PROGRESS_JSON) {
        cJSON *o = new_event("cell", st);
        json_add_text(o, "status", status_names[cell->status]);
        json_add_text(o, "error", cell->error);
        sweep_print_json(s, o, iops, bw, sweep_cell_p99(cell));
        return;
    }
    /* on a terminal a finished cell is told only when something is wrong with it */
    if (progress_mode(s->progress) == PROGRESS_LIVE && cell->status == STATUS_COMPLETE)
        return;
    struct strbuf out = STRBUF_INIT;
    strbuf_addf(&out, "[%zu/%zu] ", st->number, st->planned);
    add_cell_name(&out, st);
    strbuf_adds(&out, ": ");
    sweep_add_outcome(&out, cell);
    if (st->number < st->planned) {
        strbuf_adds(&out, "; ");
        add_left(&out, st);
    }
    progress_line(s->progress, out.text);
    strbuf_release(&out);
}

/* "round 7 of randwrite 4k QD 32: range 12 % (at most 20), slope 14 % (at most 10): not steady" */
static void add_round(struct strbuf *out, const struct sweep_state *st, const double *value,
                      size_t n)
{
    struct steady steady;
    char now[NUMFMT_MAX], range[NUMFMT_MAX], slope[NUMFMT_MAX];
    const struct suite *suite = st->plan->axes.suite;
    struct cell_key key = {0};
    plan_key(&key, st->plan, st->cell);
    bool latency = suite_judges_latency(suite, &key);
    fields_release(&cell_key_fields, &key);
    steady_check(value, n, &steady);
    strbuf_addf(out, "round %zu of ", n);
    add_cell_name(out, st);
    strbuf_addf(out, ": %s%s",
                latency ? fmt_latency(now, value[n - 1]) : fmt_iops(now, value[n - 1]),
                latency ? "" : " IOPS");
    if (steady.known)
        strbuf_addf(out, "; last %d: range %s %% (at most %.0f), slope %s %% (at most %.0f): %s",
                    STEADY_WINDOW, fmt_beside(range, steady.range, STEADY_RANGE_MAX),
                    100 * STEADY_RANGE_MAX, fmt_beside(slope, steady.excursion, STEADY_SLOPE_MAX),
                    100 * STEADY_SLOPE_MAX,
                    steady.steady            ? "steady"
                    : n >= STEADY_ROUNDS_MAX ? "not steady, and no more rounds"
                                             : "not yet steady");
}

static void on_round_end(void *arg, const struct sweep_state *st, const double *value, size_t n)
{
    struct session *s = arg;
    interrupt_poll(&s->interrupt);
    if (progress_mode(s->progress) == PROGRESS_JSON) {
        struct steady steady;
        steady_check(value, n, &steady);
        cJSON *o = new_event("round", st);
        json_add_f64(o, "value", value[n - 1]);
        json_add_f64(o, "range", steady.range);
        json_add_f64(o, "slope", steady.excursion);
        json_add_bool(o, "steady", steady.steady);
        sweep_print_json(s, o, NAN, NAN, 0);
        return;
    }
    struct strbuf out = STRBUF_INIT;
    add_round(&out, st, value, n);
    progress_line(s->progress, out.text);
    strbuf_release(&out);
}

static void on_cell_begin(void *arg, const struct sweep_state *st)
{
    struct session *s = arg;
    (void)st;
    interrupt_poll(&s->interrupt);
}

struct sweep_watch sweep_watch_progress(struct session *s)
{
    return (struct sweep_watch){.cell_begins = on_cell_begin,
                                .tick = on_tick,
                                .cell_ends = on_cell_end,
                                .round_ends = on_round_end,
                                .precondition = sweep_precondition_progress,
                                .arg = s};
}

void sweep_tell(struct session *s, const char *text)
{
    if (s->ctx->quiet || !*text)
        return;
    if (progress_mode(s->progress) != PROGRESS_JSON) {
        fputs(text, stderr);
        return;
    }
    cJSON *o = cJSON_CreateObject();
    json_add_text(o, "event", "remark");
    json_add_text(o, "text", text);
    char *line = json_print(o, false);
    progress_line(s->progress, line);
    free(line);
    cJSON_Delete(o);
}

static void print_filling_json(struct session *s, const struct sweep_filling *f)
{
    cJSON *o = cJSON_CreateObject();
    json_add_text(o, "event", "precondition");
    json_add_text(o, "path", f->path);
    json_add_u64(o, "done", f->done);
    json_add_u64(o, "total", f->total);
    json_add_u64(o, "elapsed_ns", f->elapsed_ns);
    char *text = json_print(o, false);
    progress_line(s->progress, text);
    free(text);
    cJSON_Delete(o);
}

/* "preconditioning /dev/sdb: 12 GiB of 64 GiB, 18 %, 250 MiB/s, 3 min 32 s left" */
static void add_filling(struct strbuf *out, const struct sweep_filling *f)
{
    char a[NUMFMT_MAX], b[NUMFMT_MAX];
    strbuf_adds(out, "preconditioning ");
    utf8_clean(out, f->path);
    strbuf_addf(out, ": %s of %s, %.0f %%", fmt_bytes(a, f->done), fmt_bytes(b, f->total),
                f->total ? floor(100 * (double)f->done / (double)f->total) : 100);
    if (f->done == 0 || f->elapsed_ns == 0)
        return;
    double rate = (double)f->done / (double)f->elapsed_ns; /* bytes a ns */
    strbuf_addf(out, ", %s MiB/s", fmt_mib(a, rate * 1e9));
    uint64_t left = (uint64_t)((double)(f->total - f->done) / rate);
    if (f->done < f->total)
        strbuf_addf(out, ", %s left", fmt_duration(a, (left + NS_PER_S - 1) / NS_PER_S * NS_PER_S));
}

void sweep_precondition_progress(void *session, const struct sweep_filling *f)
{
    struct session *s = session;
    interrupt_poll(&s->interrupt);
    if (progress_mode(s->progress) == PROGRESS_JSON) {
        print_filling_json(s, f);
        return;
    }
    struct strbuf out = STRBUF_INIT;
    add_filling(&out, f);
    if (f->done == f->total)
        progress_line(s->progress, out.text);
    else
        progress_live(s->progress, out.text);
    strbuf_release(&out);
}

bool sweep_fill_progress(void *session, uint64_t done, uint64_t total)
{
    struct session *s = session;
    char a[NUMFMT_MAX], b[NUMFMT_MAX], text[128];
    if (!s->told_filling && progress_mode(s->progress) == PROGRESS_PLAIN) {
        snprintf(text, sizeof text, "filling the file with %s of random data", fmt_bytes(b, total));
        progress_line(s->progress, text);
    }
    s->told_filling = true;
    snprintf(text, sizeof text, "filling the file: %s of %s", fmt_bytes(a, done),
             fmt_bytes(b, total));
    progress_live(s->progress, text);
    return !interrupt_poll(&s->interrupt);
}
