/* What weakens the results: said before any chart, and only when there is something. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>

#include "core/base/numfmt.h"
#include "core/model/caveat.h"
#include "report/page/page_internal.h"

#define NOISY_CV      0.25
#define STOLEN        0.05
#define REPEATS_APART 1.25

/* Counts cells (not rows) for which a test holds, and the first of them. */
struct count {
    size_t n;
    const struct cell *first;
};

static struct count count_cells(const struct page *p, bool (*test)(const struct cell *))
{
    struct count c = {0};
    for (size_t i = 0; i < dataset_n_cells(p->dataset, p->run_index); i++) {
        const struct cell *cell = dataset_cell(p->dataset, p->run_index, i);
        if (!test(cell))
            continue;
        c.n++;
        if (!c.first)
            c.first = cell;
    }
    return c;
}

static const char *cells_words(struct page *p, size_t n)
{
    size_t all = dataset_n_cells(p->dataset, p->run_index);
    if (n == all)
        return all == 1 ? "the only cell" : "all cells";
    return arena_printf(p->arena, "%zu of %zu cells", n, all);
}

static const char *key_words(struct page *p, const struct cell *c)
{
    struct strbuf sb = STRBUF_INIT;
    cell_key_words(&sb, &c->key);
    const char *text = arena_strndup(p->arena, sb.text, sb.len);
    strbuf_release(&sb);
    return text;
}

static bool failed(const struct cell *c)
{
    return c->status == STATUS_FAILED;
}

static bool partial(const struct cell *c)
{
    return c->status == STATUS_PARTIAL;
}

bool page_is_buffered(const struct cell_key *key)
{
    bool nothing_is_read = key->engine && strcmp(key->engine, "null") == 0;
    return IS_KNOWN(key, CELL_KEY, direct) && !key->direct && !nothing_is_read;
}

static bool buffered(const struct cell *c)
{
    return page_is_buffered(&c->key);
}

static bool stolen(const struct cell *c)
{
    return IS_KNOWN(c, CELL, steal) && c->steal > STOLEN;
}

/* Those that the runner saw itself are among the doubts. */
static bool depth_missed(const struct cell *c)
{
    return depth_was_missed(c) && !cell_has_caveat(c, "depth-not-reached");
}

static bool assumed(const struct cell *c)
{
    return c->assumed != NULL;
}

static void add_count(struct page *p, bool (*test)(const struct cell *), const char *what)
{
    struct count c = count_cells(p, test);
    if (c.n > 0)
        page_add_caveat(p, arena_printf(p->arena, "%s: %s.", what, cells_words(p, c.n)));
}

static void add_failures(struct page *p)
{
    struct count c = count_cells(p, failed);
    if (c.n > 0) {
        const char *which = key_words(p, c.first); /* nothing, where nothing of the load is known */
        const char *why = c.first->error ? c.first->error : "no reason recorded";
        page_add_caveat(
            p, *which ? arena_printf(p->arena, "Failed: %s. The first was %s: %s.",
                                     cells_words(p, c.n), which, why)
                      : arena_printf(p->arena, "Failed: %s: %s.", cells_words(p, c.n), why));
    }
    c = count_cells(p, partial);
    if (c.n > 0)
        page_add_caveat(p, arena_printf(p->arena,
                                        "Ended early or had errors, figures cover what was done: "
                                        "%s%s%s.",
                                        cells_words(p, c.n), c.first->error ? ". The first: " : "",
                                        c.first->error ? c.first->error : ""));
    size_t done = dataset_n_cells(p->dataset, p->run_index);
    bool missing = IS_KNOWN(p->run, RUN, planned_cells) && done < p->run->planned_cells;
    if (p->run->status == STATUS_RUNNING || (p->run->status == STATUS_PARTIAL && missing)) {
        const char *planned =
            IS_KNOWN(p->run, RUN, planned_cells)
                ? arena_printf(p->arena, " of %" PRIu64 " planned", p->run->planned_cells)
                : "";
        page_add_caveat(p, arena_printf(p->arena, "The run is not finished: %zu%s cells are here.",
                                        done, planned));
    }
}

static void add_findings(struct page *p)
{
    size_t cpu = 0, noisy = 0, unexplained = 0, one_depth = 0, apart = 0, judged = 0;
    for (size_t i = 0; i < p->diagnosis->n_findings; i++) {
        const struct finding *f = &p->diagnosis->finding[i];
        if (f->row->part > 0 || f->binds == BINDS_UNKNOWN)
            continue;
        judged++;
        cpu += f->binds == BINDS_CPU;
        noisy += f->facts->cv > NOISY_CV;
        apart += f->row->iops_hi > REPEATS_APART * f->row->iops_lo;
        unexplained +=
            f->binds == BINDS_UNEXPLAINED && f->facts->saturated.state != SATURATION_UNKNOWN;
        one_depth += f->facts->saturated.state == SATURATION_UNKNOWN;
    }
    if (cpu > 0)
        page_add_caveat(p, arena_printf(p->arena,
                                        "The load generator's CPU was full in %zu of %zu results: "
                                        "the device may do more.",
                                        cpu, judged));
    if (noisy > 0)
        page_add_caveat(p, arena_printf(p->arena,
                                        "The rate of %zu of %zu results varied by more than a "
                                        "quarter from second to second.",
                                        noisy, judged));
    if (apart > 0)
        page_add_caveat(p, arena_printf(p->arena,
                                        "Repeats of %zu of %zu results lie more than a quarter "
                                        "apart: burst credits, or another load.",
                                        apart, judged));
    if (unexplained > 0 && p->run->n_limits > 0)
        page_add_caveat(p, arena_printf(p->arena,
                                        "%zu of %zu results level off where no listed cap is.",
                                        unexplained, judged));
    if (one_depth > 0 && one_depth < judged)
        page_add_caveat(p, "Some block sizes were measured at one depth only: there, latency and a "
                           "cap cannot be told apart.");
}

/* Seconds of the longest measurement; NaN when no cell says. */
static double longest_cell(const struct page *p)
{
    double longest = NAN;
    for (size_t i = 0; i < dataset_n_cells(p->dataset, p->run_index); i++) {
        const struct cell *c = dataset_cell(p->dataset, p->run_index, i);
        if (IS_KNOWN(c, CELL, runtime_ns))
            longest = fmax(longest, (double)c->runtime_ns / 1e9);
        for (enum dir d = 0; d < DIR_COUNT; d++) {
            if (IS_KNOWN(&c->dir[d], DIRECTION, runtime_ns))
                longest = fmax(longest, (double)c->dir[d].runtime_ns / 1e9);
        }
    }
    return longest;
}

#define LONG_CELL 30

/* Burst figures are on the list, and no cell ran long enough to see one end. */
static void add_short_runs(struct page *p)
{
    bool listed = false, tested = false;
    for (size_t i = 0; i < p->run->n_limits; i++)
        listed = listed || p->run->limit[i].phase == PHASE_BURST;
    for (size_t i = 0; i < p->analysis->n_facts; i++)
        tested = tested || p->analysis->facts[i].timeline.is_tested;
    if (!listed || tested)
        return;
    page_add_caveat(p, longest_cell(p) < LONG_CELL
                           ? "No cell ran for 30 s or more: too short to see a burst end."
                           : "No cell has its rate second by second: the end of a burst would not "
                             "be seen.");
}

/* Short names of doubts that the runner or an importer left with its cells. */
static void add_doubts(struct page *p)
{
    size_t n = dataset_n_cells(p->dataset, p->run_index);
    cJSON *seen = cJSON_CreateObject();
    for (size_t i = 0; i < n; i++) {
        const struct cell *c = dataset_cell(p->dataset, p->run_index, i);
        cJSON *names = c->caveats ? cJSON_Parse(c->caveats) : NULL;
        const cJSON *name;
        cJSON_ArrayForEach(name, names)
        {
            if (!cJSON_IsString(name) || strcmp(name->valuestring, "buffered") == 0)
                continue;
            cJSON *count = cJSON_GetObjectItemCaseSensitive(seen, name->valuestring);
            if (count)
                cJSON_SetNumberValue(count, count->valuedouble + 1);
            else
                cJSON_AddNumberToObject(seen, name->valuestring, 1);
        }
        cJSON_Delete(names);
    }
    const cJSON *doubt;
    cJSON_ArrayForEach(doubt, seen)
    {
        const char *known = caveat_words(doubt->string);
        char *words = arena_strdup(p->arena, known ? known : doubt->string);
        words[0] = (char)toupper((unsigned char)words[0]);
        page_add_caveat(p, arena_printf(p->arena, "%s: %s.", words,
                                        cells_words(p, (size_t)doubt->valuedouble)));
    }
    cJSON_Delete(seen);
}

void page_fill_caveats(struct page *p)
{
    add_failures(p);
    add_findings(p);
    add_count(p, depth_missed,
              "The queue was not kept as deep as asked, so the rate is no property of the device");
    add_count(p, buffered, "Went through the page cache, not directly to the device");
    add_count(p, stolen, "Lost more than 5 % of the CPU time to the hypervisor");
    add_short_runs(p);
    add_doubts(p);
    add_count(p, assumed, "Settings that the source did not state were assumed");
}
