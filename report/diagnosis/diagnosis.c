#include "report/diagnosis/diagnosis.h"

#include <math.h>

#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "report/diagnosis/exceeded.h"
#include "report/diagnosis/rule.h"
#include "report/diagnosis/words_internal.h"

const char *const binds_names[BINDS_COUNT + 1] = {
    "unknown", "disk-iops", "disk-bw", "vm-iops", "vm-bw", "host-iops",   "host-bw",
    "rate",    "thinktime", "cpu",     "latency", "mix",   "unexplained", NULL,
};
const char *const binds_words[BINDS_COUNT + 1] = {
    "not known", "disk IOPS",       "disk throughput", "VM IOPS",    "VM throughput",
    "host IOPS", "host throughput", "own rate",        "own pauses", "generator CPU",
    "latency",   "other direction", "unexplained",     NULL,
};
const char *const confidence_names[CONFIDENCE_COUNT + 1] = {"unknown", "possible", "likely",
                                                            "certain", NULL};

/* At most so many patterns are in the verdict; all are in the claims. */
#define MAX_SENTENCES 3

struct owned {
    struct diagnosis pub; /* first: what callers see */
    const struct analysis *analysis;
    const struct run *run;
    struct arena *arena;
    struct regions regions; /* of all families, one after the other */
    size_t *first_region;   /* of family i; one more at the end */
    size_t claim_room;
};

static void evaluate(const struct rule_input *in, struct finding *f)
{
    *f = (struct finding){.facts = in->facts,
                          .row = in->facts->row,
                          .cap = NAN,
                          .share = NAN,
                          .sustained = NAN,
                          .exceeded = in->exceeded};
    if (!(in->facts->rate_now > 0))
        return;
    for (const struct rule *const *rule = rule_table; *rule; rule++) {
        if ((*rule)->evaluate(in, f))
            return;
    }
}

/* One device's share of a joint load is held by what holds the whole. */
static void inherit(const struct finding *whole, struct finding *share)
{
    share->binds = whole->binds;
    share->also = whole->also;
    share->confidence = whole->confidence;
    share->limit = whole->limit;
    share->exceeded = whole->exceeded;
}

static const double *counted(struct owned *d, const struct row *r)
{
    double *share = arena_array(d->arena, CAP_SLOTS, sizeof *share);
    return r->part == 0 && exceeded_find(share, r) ? share : NULL;
}

static void evaluate_all(struct owned *d)
{
    const struct analysis *a = d->analysis;
    struct passed *passed = d->run->n_limits > 0 ? passed_create(a, d->run) : NULL;
    struct explanation *e = explanation_create(a, d->run, passed);
    for (size_t i = 0; i < a->n_facts; i++) {
        struct rule_input in = {
            .facts = &a->facts[i], .exceeded = counted(d, a->facts[i].row), .passed = passed};
        if (e) {
            in.posterior = explanation_posterior(e, i);
            in.world = explanation_world(e);
        }
        evaluate(&in, &d->pub.finding[i]);
        const double *before = e ? explanation_posterior_before(e, i) : NULL;
        if (before)
            d->pub.finding[i].before = posterior_limit(in.facts, in.world, before);
    }
    explanation_destroy(e);
    passed_destroy(passed);
    same_rate_agree(a, d->pub.finding);
    mix_paced(d->pub.finding, a->n_facts);
    for (size_t i = 0; i < a->n_facts; i++) {
        const struct row *r = a->facts[i].row;
        for (size_t k = i; r->part > 0 && k-- > 0 && a->facts[k].row->cell == r->cell;) {
            const struct row *whole = a->facts[k].row;
            if (whole->part == 0 && whole->dir == r->dir)
                inherit(&d->pub.finding[k], &d->pub.finding[i]);
        }
    }
}

static const char *disproof_words(struct owned *d, const struct region *r)
{
    struct arena *a = d->arena;
    const struct finding *f = r->finding;
    if (f->also)
        return "With all of these caps raised at once it is no faster.";
    switch (f->binds) {
    case BINDS_RATE:
        return "The same job without its rate limit is no faster.";
    case BINDS_PAUSE:
        return "The same job without its pauses is no faster.";
    case BINDS_CPU:
        return "More jobs, each on a CPU of its own, are no faster.";
    case BINDS_LATENCY:
        return arena_printf(a, "%s is no faster than %s.", qd_words(a, f->row->depth * 2),
                            qd_words(a, f->row->depth));
    case BINDS_MIX:
        return arena_printf(a, "%ss without a mix are no faster.", capitalise(a, noun(f->row)));
    case BINDS_UNEXPLAINED:
        if (f->facts->offered > 0)
            return "The same job on a faster disk falls behind as well.";
        return f->facts->saturated.state == SATURATION_UNKNOWN ? "A run at another depth."
               : r->level == LEVEL_BEND
                   ? "A run at a deeper queue."
                   : "A documented cap of that size, or a faster result on the same device.";
    case BINDS_DISK_IOPS:
    case BINDS_DISK_BW:
        return "A larger disk on the same VM is no faster.";
    case BINDS_VM_IOPS:
    case BINDS_VM_BW:
        return f->limit && f->limit->path == PATH_CACHED
                   ? "The same disk with host caching off is no faster."
                   : "The same disk on a larger VM is no faster.";
    case BINDS_HOST_IOPS:
    case BINDS_HOST_BW:
        return "The same load without the host's limit is no faster.";
    default:
        return is_beside_others(f->row) ? "A run of this job alone." : "A run that completes.";
    }
}

/* The clause, but short where it would only repeat the columns beside it. */
static const char *claim_words(struct owned *d, const struct region *r)
{
    bool one_depth = r->finding->facts->saturated.state == SATURATION_UNKNOWN &&
                     !(r->finding->facts->offered > 0);
    if (r->finding->binds == BINDS_UNEXPLAINED && one_depth)
        return arena_printf(d->arena, "one depth (%s): a cap or latency",
                            qd_words(d->arena, r->finding->row->depth));
    if (r->finding->binds == BINDS_UNEXPLAINED && r->level == LEVEL_BEND)
        return arena_printf(d->arena, "a bend up to %s: a cap or latency",
                            qd_words(d->arena, r->finding->row->depth));
    return region_clause(d->arena, d->run, r);
}

static enum confidence least_sure(const struct region *r)
{
    enum confidence least = r->finding->confidence;
    for (size_t i = r->first; i <= r->last; i++) {
        enum confidence one = finding_at(r, i)->confidence;
        least = one < least ? one : least;
    }
    return least;
}

/* Of a budget that others have their part of, "3,048 of 4,361 IOPS": the share is that of all. */
static const char *rate_of_all(struct arena *a, const struct finding *f, bool bytes)
{
    double rate = f->facts->rate_now * (bytes ? (double)f->row->bs : 1);
    double share = f->limit ? row_share_of_budget(f->row, f->limit) : 1;
    const char *own = bytes ? bw_words(a, rate) : iops_words(a, rate);
    if (!(share < WHOLE_BUDGET))
        return own;
    const char *unit = strchr(own, ' ');
    return arena_printf(a, "%.*s of %s", unit ? (int)(unit - own) : (int)strlen(own), own,
                        bytes ? bw_words(a, rate / share) : iops_words(a, rate / share));
}

static void add_claim(struct owned *d, const struct region *r)
{
    struct arena *a = d->arena;
    const struct finding *f = r->finding;
    char buf[NUMFMT_MAX];
    bool bytes = f->limit ? f->limit->kind == CAP_BW : r->level == LEVEL_BW;
    GROW(d->pub.claim, d->pub.n_claims + 1, d->claim_room);
    d->pub.claim[d->pub.n_claims++] = (struct claim){
        .group = r->family->group,
        .range = range_words(a, r),
        .text = claim_words(d, r),
        .measured = rate_of_all(a, f, bytes),
        .cap = f->limit ? limit_value(a, f->limit, f->cap) : NULL,
        .share = f->limit ? arena_printf(a, "%s %%", fmt_number(buf, f->share * 100)) : NULL,
        .disproof = disproof_words(d, r),
        .finding = f,
        .confidence = least_sure(r),
    };
}

/* A list of names does not go on for ever. */
#define MAX_NAMES 3

/*
 * Names of the families whose sentence is that of family i, word for word; i first. "all 8 loads" when
 * they are many and there are no others.
 */
static const char *names_alike(struct owned *d, const char *const *text, size_t i,
                               const char *(*name)(struct owned *, const struct region *))
{
    struct arena *a = d->arena;
    const char *names[MAX_NAMES] = {""};
    size_t n = d->analysis->n_families, alike = 0, others = 0, listed = 0;
    for (size_t step = 0; step <= n; step++) {
        size_t k = step == 0 ? i : step - 1;
        if ((step > 0 && k == i) || !text[k])
            continue;
        if (strcmp(text[k], text[i]) != 0) {
            others++;
            continue;
        }
        const char *one = name(d, &d->regions.region[d->first_region[k]]);
        bool said = false; /* the same load on another device */
        for (size_t s = 0; s < listed; s++)
            said = said || strcmp(names[s], one) == 0;
        if (said)
            continue;
        if (listed < MAX_NAMES)
            names[listed++] = one;
        alike++;
    }
    if (alike > MAX_NAMES && others == 0)
        return arena_printf(a, "all %zu loads", alike);
    if (alike > MAX_NAMES)
        return arena_printf(a, "%s, %s and %zu other loads", names[0], names[1], alike - 2);
    const char *list = names[0];
    for (size_t s = 1; s < listed; s++)
        list = arena_printf(a, "%s%s%s", list, s + 1 == listed ? " and " : ", ", names[s]);
    return list;
}

static size_t part_length(const char *part)
{
    const char *end = strstr(part, ", ");
    return end ? (size_t)(end - part) : strlen(part);
}

/* Whether `name` has the part (n bytes) among those between its commas. */
static bool has_part(const char *name, const char *part, size_t n)
{
    for (;;) {
        size_t length = part_length(name);
        if (length == n && strncmp(name, part, n) == 0)
            return true;
        if (!name[length])
            return false;
        name += length + strlen(", ");
    }
}

static bool has_parts(const char *name, const char *parts)
{
    size_t n = part_length(parts);
    while (has_part(name, parts, n)) {
        if (!parts[n])
            return true;
        parts += n + strlen(", ");
        n = part_length(parts);
    }
    return false;
}

/* How many loads have all these parts in their names. */
static size_t loads_with(const struct owned *d, const char *parts)
{
    size_t n = 0;
    for (size_t i = 0; i < d->analysis->n_families; i++) {
        const struct family *f = &d->analysis->family[i];
        n += !family_is_share(f) && has_parts(f->group, parts);
    }
    return n;
}

/* As much of a load's name as tells it from the others. */
static const char *group_of(struct owned *d, const struct region *r)
{
    const char *part = r->family->group;
    size_t n = part_length(part);
    const char *words = arena_strndup(d->arena, part, n);
    while (part[n]) {
        part += n + strlen(", ");
        n = part_length(part);
        const char *more = arena_printf(d->arena, "%s, %.*s", words, (int)n, part);
        if (loads_with(d, more) < loads_with(d, words))
            words = more;
    }
    return words;
}

static const char *subjects_of(struct owned *d, const struct region *r)
{
    return subjects(d->arena, r->finding->row);
}

/* What has been said for all alike is not said again. */
static void forget_alike(const char **text, size_t n, size_t i)
{
    const char *said = text[i];
    for (size_t k = 0; k < n; k++) {
        if (text[k] && strcmp(text[k], said) == 0)
            text[k] = NULL;
    }
}

static const char **all_sentences(struct owned *d)
{
    size_t n = d->analysis->n_families;
    const char **text = arena_array(d->arena, n + 1, sizeof(const char *));
    for (size_t i = 0; i < n; i++) {
        size_t regions = d->first_region[i + 1] - d->first_region[i];
        if (regions > 0 && !family_is_share(&d->analysis->family[i]))
            text[i] =
                family_sentence(d->arena, d->run, &d->regions.region[d->first_region[i]], regions);
    }
    return text;
}

/* "118 MiB/s" or "3,420 IOPS and 13.4 MiB/s": what is known of the best row. */
static const char *best_words(struct owned *d, const struct row_facts *f)
{
    struct arena *a = d->arena;
    const char *bw = f->row->bw > 0 ? bw_words(a, f->row->bw) : NULL;
    if (!(f->rate_now > 0))
        return bw;
    const char *iops = iops_words(a, f->rate_now);
    return bw ? arena_printf(a, "%s and %s", iops, bw) : iops;
}

/* Nothing has both a block size and a depth: the best rate is all there is to say. */
static void say_without_ladder(struct owned *d)
{
    const struct row_facts *best = NULL, *most = NULL;
    bool measured = false;
    for (size_t i = 0; i < d->analysis->n_facts; i++) {
        const struct row_facts *f = &d->analysis->facts[i];
        measured = measured || f->row->n_repeats > 0;
        if (f->rate_now > 0 && (!best || f->rate_now > best->rate_now))
            best = f;
        if (f->row->bw > 0 && (!most || f->row->bw > most->row->bw))
            most = f;
    }
    best = best ? best : most;
    d->pub.headline = measured ? "No cell states a rate" : "No cell gave a result";
    d->pub.verdict =
        measured ? "Without IOPS or bandwidth nothing can be said about what limits the storage."
                 : "Nothing was measured, so nothing can be said about the storage.";
    if (!best)
        return;
    d->pub.headline =
        arena_printf(d->arena, "%s reach %s", capitalise(d->arena, subjects(d->arena, best->row)),
                     best_words(d, best));
    const struct finding *f = &d->pub.finding[best - d->analysis->facts];
    if (f->limit)
        d->pub.verdict = arena_printf(
            d->arena,
            "The highest rate is that of %s (%s); as block size or queue depth "
            "is not stated as one number, no more "
            "can be said about what limits it.",
            limit_name(d->arena, d->run, f->limit), limit_short(d->arena, f->limit, f->cap));
    else
        d->pub.verdict =
            "Block size or queue depth is not stated as one number, so nothing can be said "
            "about what limits it.";
}

static void write_sentences(struct owned *d)
{
    struct arena *a = d->arena;
    const struct family *main = analysis_main_family(d->analysis);
    size_t n = d->analysis->n_families, said = 0;
    size_t first = main ? (size_t)(main - d->analysis->family) : 0;
    const char **text = all_sentences(d);
    if (n == 0 || !text[first]) {
        say_without_ladder(d);
        return;
    }
    const struct region *r = &d->regions.region[d->first_region[first]];
    size_t regions = d->first_region[first + 1] - d->first_region[first];
    d->pub.headline =
        family_headline(a, d->run, r, regions, names_alike(d, text, first, subjects_of));
    const char *burst = burst_sentence(a, r, regions);
    const char *seen = seen_burst_sentence(a, d->run, r, regions);
    d->pub.second = burst ? burst : seen ? seen : above_sentence(a, d->run, r, regions);
    const struct region *all = d->regions.region;
    for (size_t i = 0; i < n && !d->pub.second; i++)
        d->pub.second = above_sentence(a, d->run, all + d->first_region[i],
                                       d->first_region[i + 1] - d->first_region[i]);
    d->pub.outlook = outlook_sentence(a, r, regions);
    size_t texts = 0;
    for (size_t i = 0; i < n; i++)
        texts += text[i] != NULL;
    const char *one = texts > MAX_SENTENCES ? one_depth_sentence(a, &d->regions) : NULL;
    if (one) {
        d->pub.verdict = one;
        return;
    }
    bool prefixed = texts > 1;
    struct strbuf sb = STRBUF_INIT;
    for (size_t k = 0; k <= n && said < MAX_SENTENCES; k++) {
        size_t i = k == 0 ? first : k - 1;
        if (!text[i])
            continue;
        if (prefixed)
            strbuf_addf(&sb, "%s%s: ", said ? " " : "",
                        capitalise(a, names_alike(d, text, i, group_of)));
        strbuf_adds(&sb, text[i]);
        forget_alike(text, n, i);
        said++;
    }
    size_t left = 0;
    for (size_t i = 0; i < n; i++)
        left += text[i] != NULL;
    if (left > 0)
        strbuf_addf(&sb, " %zu other load%s: see the table.", left, left == 1 ? "" : "s");
    d->pub.verdict = arena_strdup(a, sb.text);
    strbuf_release(&sb);
}

struct diagnosis *diagnosis_create(const struct analysis *a, const struct run *run)
{
    struct owned *d = xcalloc(1, sizeof *d);
    d->arena = arena_create();
    d->analysis = a;
    d->run = run;
    d->pub.n_findings = a->n_facts;
    d->pub.finding = arena_array(d->arena, a->n_facts + 1, sizeof *d->pub.finding);
    evaluate_all(d);
    d->first_region = xcalloc(a->n_families + 2, sizeof *d->first_region);
    for (size_t i = 0; i < a->n_families; i++) {
        d->first_region[i] = d->regions.n;
        regions_add(&d->regions, &a->family[i], d->pub.finding, a->facts);
        d->first_region[i + 1] = d->regions.n;
    }
    for (size_t i = 0; i < d->regions.n; i++) {
        if (!family_is_share(d->regions.region[i].family))
            add_claim(d, &d->regions.region[i]);
    }
    write_sentences(d);
    shared_cap_find(&d->pub, &d->pub.shared);
    d->pub.together = shared_cap_sentence(d->arena, &d->pub.shared);
    d->pub.counted = counted_sentence(d->arena, &d->pub);
    return &d->pub;
}

void diagnosis_destroy(struct diagnosis *pub)
{
    struct owned *d = (struct owned *)pub;
    if (!d)
        return;
    free(d->pub.claim);
    free(d->regions.region);
    free(d->first_region);
    arena_destroy(d->arena);
    free(d);
}

const struct finding *diagnosis_of_row(const struct diagnosis *d, const struct row *r)
{
    /* the rows of one run are neighbours */
    const struct row *first = d->n_findings ? d->finding[0].row : NULL;
    if (!first || r < first || r >= first + d->n_findings)
        return NULL;
    return &d->finding[r - first];
}
