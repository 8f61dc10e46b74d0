#include "core/model/suite_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/xalloc.h"

const char *const suite_measure_names[SUITE_MEASURES] = {"iops", "mean_ns", "p99_9_ns",
                                                         "p99_999_ns", "max_ns"};
const char *const suite_measure_titles[SUITE_MEASURES] = {
    "IOPS", "Average latency", "99.9 % latency", "99.999 % latency", "Maximum latency"};

void suite_results_begin(struct suite_results *r, const struct run *run)
{
    *r = (struct suite_results){.suite = suite_of_run(run)};
}

static struct suite_result *result_of(struct suite_results *r, const struct cell *c)
{
    uint64_t repeat = IS_KNOWN(c, CELL, repeat) ? c->repeat : 1;
    size_t bytes = c->n_devices * sizeof *c->device;
    for (size_t i = 0; i < r->n; i++) {
        struct suite_result *s = &r->result[i];
        if (s->repeat == repeat && s->n_devices == c->n_devices &&
            (bytes == 0 || memcmp(s->device, c->device, bytes) == 0))
            return s;
    }
    GROW(r->result, r->n + 1, r->room);
    struct suite_result *s = &r->result[r->n++];
    *s = (struct suite_result){.repeat = repeat,
                               .n_devices = c->n_devices,
                               .device = xcalloc(c->n_devices + 1, sizeof *c->device)};
    if (bytes)
        memcpy(s->device, c->device, bytes);
    return s;
}

/* Latencies of all directions together. */
static void take_latency(struct suite_point *p, const struct cell *cell)
{
    enum lat_kind kind = cell_is_rate_limited(cell) ? LAT_LAT : LAT_CLAT;
    struct hist *all = xmalloc(sizeof *all);
    hist_init(all);
    double max = NAN;
    for (int d = 0; d < DIR_SYNC; d++) {
        const struct lat *l = &cell->dir[d].lat[kind];
        if (l->hist)
            hist_merge(all, l->hist);
        if (IS_KNOWN(l, LAT_F, max))
            max = fmax(max, (double)l->max);
    }
    bool any = hist_n(all) > 0;
    p->value[SUITE_MEAN] = any ? hist_mean(all) : NAN;
    p->value[SUITE_P99_9] =
        any && hist_supports(all, 99.9) ? (double)hist_percentile(all, 99.9) : NAN;
    p->value[SUITE_P99_999] =
        any && hist_supports(all, 99.999) ? (double)hist_percentile(all, 99.999) : NAN;
    p->value[SUITE_MAX] = max;
    free(all);
}

static struct suite_point point_of(const struct cell *cell)
{
    const struct cell_key *k = &cell->key;
    struct suite_point p = {.bs = k->bs, .reads = rw_reads(k->rw) ? 100 : 0};
    if (rw_is_mixed(k->rw))
        p.reads = (unsigned)k->rwmixread;
    p.value[SUITE_IOPS] = cell_iops(cell);
    take_latency(&p, cell);
    return p;
}

static void take_rounds(struct suite_result *r, const struct cell *cell)
{
    cJSON *values = cell->round_values ? cJSON_Parse(cell->round_values) : NULL;
    const cJSON *e;
    r->n_rounds = 0;
    cJSON_ArrayForEach(e, values)
    {
        if (cJSON_IsNumber(e) && r->n_rounds < STEADY_ROUNDS_MAX)
            r->round[r->n_rounds++] = e->valuedouble;
    }
    cJSON_Delete(values);
    steady_check(r->round, r->n_rounds, &r->steady);
}

static void take_histogram(struct suite_histogram *h, const struct cell *cell)
{
    *h = (struct suite_histogram){
        .known = true, .runtime_ns = cell->runtime_ns, .point = point_of(cell)};
    for (int d = 0; d < DIR_SYNC; d++)
        h->ios += cell->dir[d].ios;
}

void suite_results_add(struct suite_results *r, const struct cell *cell)
{
    if (!r->suite || cell->status != STATUS_COMPLETE || IS_KNOWN(cell, CELL, round))
        return;
    struct suite_result *s = result_of(r, cell);
    if (cell->stage) {
        if (strcmp(cell->stage, STAGE_HISTOGRAM) == 0)
            take_histogram(&s->histogram, cell);
        return;
    }
    GROW(s->point, s->n_points + 1, s->point_room);
    s->point[s->n_points++] = point_of(cell);
    if (suite_follows(r->suite, cell->key.rw, cell->key.bs))
        take_rounds(s, cell);
}

static int by_reads(const void *a, const void *b)
{
    const unsigned *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int by_bytes(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void make_axes(struct suite_result *r)
{
    r->reads = xcalloc(r->n_points + 1, sizeof *r->reads);
    r->bs = xcalloc(r->n_points + 1, sizeof *r->bs);
    for (size_t i = 0; i < r->n_points; i++) {
        const struct suite_point *p = &r->point[i];
        bool reads = false, bs = false;
        for (size_t k = 0; k < i; k++) {
            reads = reads || r->point[k].reads == p->reads;
            bs = bs || r->point[k].bs == p->bs;
        }
        if (!reads)
            r->reads[r->n_reads++] = p->reads;
        if (!bs)
            r->bs[r->n_bs++] = p->bs;
    }
    qsort(r->reads, r->n_reads, sizeof *r->reads, by_reads);
    qsort(r->bs, r->n_bs, sizeof *r->bs, by_bytes);
}

void suite_results_end(struct suite_results *r)
{
    for (size_t i = 0; i < r->n; i++)
        make_axes(&r->result[i]);
}

void suite_results_release(struct suite_results *r)
{
    for (size_t i = 0; i < r->n; i++) {
        free(r->result[i].device);
        free(r->result[i].point);
        free(r->result[i].reads);
        free(r->result[i].bs);
    }
    free(r->result);
    *r = (struct suite_results){0};
}

double suite_result_at(const struct suite_result *r, enum suite_measure m, unsigned reads,
                       uint64_t bs)
{
    for (size_t i = 0; i < r->n_points; i++)
        if (r->point[i].reads == reads && r->point[i].bs == bs)
            return r->point[i].value[m];
    return NAN;
}

static void results_to_json(cJSON *list, const struct suite_result *r)
{
    cJSON *o = json_add_object(list, NULL), *devices = json_add_array(o, "devices");
    for (size_t i = 0; i < r->n_devices; i++)
        json_add_u64(devices, NULL, r->device[i]);
    json_add_u64(o, "repeat", r->repeat);
    if (r->steady.known) {
        cJSON *s = json_add_object(o, "steady");
        json_add_bool(s, "reached", r->steady.steady);
        json_add_u64(s, "rounds", r->n_rounds);
        json_add_f64(s, "mean", r->steady.mean);
        json_add_f64(s, "range", r->steady.range);
        json_add_f64(s, "slope", r->steady.excursion);
        json_add_f64(s, "slope_per_round", r->steady.slope);
        cJSON *values = json_add_array(s, "round_values");
        for (size_t i = 0; i < r->n_rounds; i++)
            json_add_f64(values, NULL, r->round[i]);
    } else {
        json_add_null(o, "steady");
    }
    cJSON *cells = json_add_array(o, "table");
    for (size_t i = 0; i < r->n_reads * r->n_bs; i++) {
        unsigned reads = r->reads[i % r->n_reads];
        uint64_t bs = r->bs[i / r->n_reads];
        cJSON *p = json_add_object(cells, NULL);
        json_add_u64(p, "bs", bs);
        json_add_u64(p, "reads", reads);
        for (enum suite_measure m = 0; m < SUITE_MEASURES; m++)
            json_add_f64(p, suite_measure_names[m], suite_result_at(r, m, reads, bs));
    }
    if (!r->histogram.known) {
        json_add_null(o, "histogram");
        return;
    }
    cJSON *h = json_add_object(o, "histogram");
    json_add_u64(h, "ios", r->histogram.ios);
    json_add_u64(h, "runtime_ns", r->histogram.runtime_ns);
    for (enum suite_measure m = 0; m < SUITE_MEASURES; m++)
        json_add_f64(h, suite_measure_names[m], r->histogram.point.value[m]);
}

void suite_results_to_json(cJSON *obj, const struct suite_results *r)
{
    if (!r->suite) {
        json_add_null(obj, "suite");
        return;
    }
    cJSON *o = json_add_object(obj, "suite");
    json_add_text(o, "name", r->suite->name);
    json_add_text(o, "style", "PTS-style");
    struct strbuf followed = STRBUF_INIT;
    suite_followed_words(&followed, r->suite);
    json_add_text(o, "followed", followed.text);
    strbuf_release(&followed);
    cJSON *list = json_add_array(o, "results");
    for (size_t i = 0; i < r->n; i++)
        results_to_json(list, &r->result[i]);
}
