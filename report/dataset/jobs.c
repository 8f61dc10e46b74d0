/*
 * Where the number of jobs is a step of depth: loads that differ in it alone, at one iodepth for each job, are
 * one ladder, as the depth of a row is that of all its jobs together.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/strbuf.h"
#include "core/base/xalloc.h"
#include "report/dataset/dataset_internal.h"

/* A cell as a step of the ladder that it may be on. */
struct step {
    const char *load;
    uint64_t bs, jobs, iodepth;
    size_t run;
};

/* All that tells a load from others but block size, depth and jobs. */
static const char *load_of(struct arena *arena, const struct cell *c)
{
    struct cell_key key = c->key;
    UNSET(&key, CELL_KEY, bs);
    UNSET(&key, CELL_KEY, bs_write);
    UNSET(&key, CELL_KEY, iodepth);
    UNSET(&key, CELL_KEY, numjobs);
    struct strbuf sb = STRBUF_INIT;
    cell_key_text(&sb, &key);
    for (size_t i = 0; i < c->n_devices; i++)
        strbuf_addf(&sb, ",%zu", c->device[i]);
    if (c->stage)
        strbuf_addf(&sb, ",%s", c->stage);
    const char *text = arena_strndup(arena, sb.text, sb.len);
    strbuf_release(&sb);
    return text;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_load(const void *a, const void *b)
{
    const struct step *x = a, *y = b;
    int order = strcmp(x->load, y->load);
    if (order == 0)
        order = compare(x->run, y->run);
    if (order == 0)
        order = compare(x->bs, y->bs);
    return order ? order : compare(x->jobs, y->jobs);
}

/* Steps of one load: one iodepth, and jobs that differ at a block size of a run. */
static bool is_ladder(const struct step *s, size_t n)
{
    bool differ = false;
    for (size_t i = 0; i < n; i++) {
        if (s[i].jobs == 0 || s[i].iodepth == 0 || s[i].iodepth != s[0].iodepth)
            return false;
        differ = differ || (i > 0 && s[i].run == s[i - 1].run && s[i].bs == s[i - 1].bs &&
                            s[i].jobs != s[i - 1].jobs);
    }
    return differ;
}

/* A rate that each job keeps is no depth: more jobs offer more. */
static bool is_free(const struct cell *c)
{
    return IS_KNOWN(&c->key, CELL_KEY, numjobs) && !cell_is_rate_limited(c);
}

void job_ladders_find(struct job_ladders *out, const struct dataset *d)
{
    struct step *step = NULL;
    size_t n = 0, room = 0;
    *out = (struct job_ladders){0};
    for (size_t r = 0; r < d->n_runs; r++) {
        for (size_t i = 0; i < d->run[r].n; i++) {
            const struct cell *c = d->run[r].cell[i];
            const struct cell_key *key = &c->key;
            GROW(step, n + 1, room);
            step[n++] = (struct step){
                .load = load_of(d->arena, c),
                .bs = IS_KNOWN(key, CELL_KEY, bs) ? key->bs : 0,
                .jobs = is_free(c) ? key->numjobs : 0,
                .iodepth = IS_KNOWN(key, CELL_KEY, iodepth) ? key->iodepth : 0,
                .run = r,
            };
        }
    }
    if (n > 0)
        qsort(step, n, sizeof *step, by_load);
    out->load = arena_array(d->arena, n + 1, sizeof *out->load);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && strcmp(step[end].load, step[i].load) == 0;)
            end++;
        if (is_ladder(step + i, end - i))
            out->load[out->n++] = step[i].load;
    }
    free(step);
}

static int by_text(const void *key, const void *load)
{
    return strcmp(key, *(const char *const *)load);
}

bool is_on_job_ladder(const struct job_ladders *l, struct arena *arena, const struct cell *c)
{
    return l->n > 0 && bsearch(load_of(arena, c), l->load, l->n, sizeof *l->load, by_text);
}

/* Of a result of several hosts the importer names them; a sweep has no such list. */
bool cell_is_of_hosts(const struct cell *c)
{
    cJSON *extra = c->extra ? cJSON_Parse(c->extra) : NULL;
    const cJSON *hosts = cJSON_GetObjectItemCaseSensitive(extra, "hosts");
    bool is = cJSON_IsArray(hosts) && (size_t)cJSON_GetArraySize(hosts) == c->n_parts;
    cJSON_Delete(extra);
    return is;
}

uint64_t row_jobs(const struct row *r)
{
    const struct cell *c = r->cell;
    if (!IS_KNOWN(&c->key, CELL_KEY, numjobs))
        return 0;
    if (r->part == 0 || !cell_is_of_hosts(c))
        return c->key.numjobs;
    if (c->key.numjobs % c->n_parts != 0 || cell_has_caveat(c, "jobs-missing") ||
        cell_has_caveat(c, "hosts-differ"))
        return 0;
    return c->key.numjobs / c->n_parts;
}
