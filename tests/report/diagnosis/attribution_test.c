/* The model of caps and credits against the reference implementation (tests/data/vectors). */
#include <criterion/criterion.h>
#include <math.h>

#include "report/diagnosis/attribution.h"
#include "tests/support/vectors.h"

#define POSTERIOR_TOLERANCE 0.02
#define MOST                16

static const struct counting as_one = {0, 1};

/* A vector: the figures of disk and VM in the order IOPS, bytes, burst IOPS, burst bytes. */
struct list {
    double disk[4];
    double vm[PATH_COUNT][4];
    double unit[OWNER_COUNT][2]; /* lower and upper reading of a megabyte */
    struct counting counting[OWNER_COUNT][MOST];
    double bs[MOST];
    struct observation o[MOST];
    size_t n;
};

static double counted(double bs, double size)
{
    return size > 0 ? fmax(1, ceil(bs / size)) : 1;
}

static void fill(struct predicted *out, enum limit_owner owner, const double v[4], double devices,
                 double unit, double bs, double size)
{
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        double iops = v[2 * phase], bw = v[2 * phase + 1];
        if (isfinite(iops))
            out->cap[CAP_SLOT(owner, CAP_IOPS)][phase] = devices * iops / counted(bs, size);
        if (isfinite(bw))
            out->cap[CAP_SLOT(owner, CAP_BW)][phase] = devices * bw * unit / bs;
    }
}

static void predict(void *arg, size_t i, const struct world *w, struct predicted *out)
{
    const struct list *l = arg;
    for (size_t s = 0; s < CAP_SLOTS; s++)
        out->cap[s][PHASE_BASE] = out->cap[s][PHASE_BURST] = INFINITY;
    fill(out, OWNER_DISK, l->disk, (double)l->o[i].devices,
         l->unit[OWNER_DISK][w->upper[OWNER_DISK]], l->bs[i], w->counted[OWNER_DISK]);
    fill(out, OWNER_VM, l->vm[w->path], 1, l->unit[OWNER_VM][w->upper[OWNER_VM]], l->bs[i],
         w->counted[OWNER_VM]);
}

static void read_figures(double out[4], const cJSON *array, bool *any)
{
    for (int i = 0; i < 4; i++) {
        const cJSON *v = cJSON_GetArrayItem(array, i);
        out[i] = cJSON_IsNumber(v) ? v->valuedouble : NAN;
        *any = *any || cJSON_IsNumber(v);
    }
}

static size_t read_pairs(double out[2], const cJSON *array)
{
    size_t n = 0;
    const cJSON *pair;
    cJSON_ArrayForEach(pair, array) out[n++] = cJSON_GetArrayItem(pair, 0)->valuedouble;
    return n;
}

static size_t read_countings(struct counting *out, const cJSON *array)
{
    size_t n = 0;
    const cJSON *pair;
    cJSON_ArrayForEach(pair, array)
    {
        out[n++] = (struct counting){cJSON_GetArrayItem(pair, 0)->valuedouble,
                                     cJSON_GetArrayItem(pair, 1)->valuedouble};
    }
    return n;
}

static enum limit_path path_of(const char *name)
{
    return strcmp(name, "cached") == 0     ? PATH_CACHED
           : strcmp(name, "uncached") == 0 ? PATH_UNCACHED
                                           : PATH_ANY;
}

static bool read_limits(struct list *l, struct worlds *w, const cJSON *limits)
{
    bool disk = false, vm = false;
    read_figures(l->disk, cJSON_GetObjectItem(limits, "disk"), &disk);
    const cJSON *path;
    cJSON_ArrayForEach(path, cJSON_GetObjectItem(limits, "vm"))
    {
        w->path[w->n_paths] = path_of(path->string);
        read_figures(l->vm[w->path[w->n_paths++]], path, &vm);
    }
    const struct {
        enum limit_owner owner;
        const char *units, *counted;
    } side[] = {{OWNER_DISK, "disk_units", "disk_accounting"},
                {OWNER_VM, "vm_units", "vm_accounting"}};
    w->counting[OWNER_HOST] = &as_one;
    w->n_countings[OWNER_HOST] = 1;
    for (int i = 0; i < 2; i++) {
        enum limit_owner o = side[i].owner;
        w->unsure_unit[o] = read_pairs(l->unit[o], cJSON_GetObjectItem(limits, side[i].units)) > 1;
        w->counting[o] = l->counting[o];
        w->n_countings[o] =
            read_countings(l->counting[o], cJSON_GetObjectItem(limits, side[i].counted));
    }
    return !disk || !vm;
}

static void read_observation(struct list *l, const cJSON *o, const char *name)
{
    const char *saturated = cJSON_GetObjectItem(o, "saturated")->valuestring;
    double cpu = 0.2;
    if (strcmp(name, "generator_cpu_bound") == 0)
        cpu = l->n == 0 ? 0.99 : 0.3; /* as the reference was run */
    l->bs[l->n] = cJSON_GetObjectItem(o, "bs")->valuedouble;
    l->o[l->n++] = (struct observation){
        .iops = cJSON_GetObjectItem(o, "iops")->valuedouble,
        .se = 0.003,
        .latency_weight = strcmp(saturated, "unknown") == 0 ? 0.3 : 0,
        .cpu = cpu,
        .devices = (size_t)cJSON_GetObjectItem(o, "devices")->valuedouble,
    };
}

static size_t label_of(const char *name)
{
    static const char *const slot[] = {"disk_iops", "disk_bw", "vm_iops", "vm_bw"};
    for (size_t i = 0; i < 4; i++) {
        size_t n = strlen(slot[i]);
        if (strncmp(name, slot[i], n) == 0)
            return CAP_LABEL(i, strcmp(name + n, "_burst") == 0 ? PHASE_BURST : PHASE_BASE);
    }
    if (strcmp(name, "cpu") == 0)
        return LABEL_CPU;
    return strcmp(name, "latency") == 0 ? LABEL_LATENCY : LABEL_UNEXPLAINED;
}

static void compare(const struct attribution *a, const cJSON *c, const char *name)
{
    const cJSON *o;
    size_t i = 0;
    cJSON_ArrayForEach(o, cJSON_GetObjectItem(c, "observations"))
    {
        const char *label = cJSON_GetObjectItem(o, "label")->valuestring;
        double want = cJSON_GetObjectItem(o, "posterior")->valuedouble;
        double got = a->posterior[i][label_of(label)], sum = 0;
        cr_assert(fabs(got - want) <= POSTERIOR_TOLERANCE, "%s %zu %s: got %.4f, want %.4f", name,
                  i, label, got, want);
        const char *second = cJSON_GetObjectItem(o, "second")->valuestring;
        want = cJSON_GetObjectItem(o, "second_posterior")->valuedouble;
        got = a->posterior[i][label_of(second)];
        cr_assert(fabs(got - want) <= POSTERIOR_TOLERANCE, "%s %zu second %s: got %.4f, want %.4f",
                  name, i, second, got, want);
        for (size_t k = 0; k < LABEL_COUNT; k++)
            sum += a->posterior[i][k];
        cr_assert_float_eq(sum, 1, 1e-9);
        i++;
    }
    const cJSON *path;
    cJSON_ArrayForEach(path, cJSON_GetObjectItem(c, "path"))
        cr_assert(fabs(a->path_weight[path_of(path->string)] - path->valuedouble) <= 0.005,
                  "%s: path %s", name, path->string);
}

Test(attribution, reference_cases)
{
    cJSON *v = vectors_load("attribution");
    const cJSON *c, *o;
    int cases = 0;
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(v, "cases"))
    {
        const char *name = cJSON_GetObjectItem(c, "name")->valuestring;
        struct list l = {0};
        struct worlds w = {0};
        bool missing = read_limits(&l, &w, cJSON_GetObjectItem(c, "limits"));
        cJSON_ArrayForEach(o, cJSON_GetObjectItem(c, "observations")) read_observation(&l, o, name);
        struct attribution a;
        attribute(&a, l.o, l.n, &w, missing, predict, &l);
        compare(&a, c, name);
        attribution_release(&a);
        cases++;
    }
    cr_assert_eq(cases, 8);
    cJSON_Delete(v);
}

Test(attribution, nothing_to_explain)
{
    struct worlds w = {
        .n_paths = 1, .counting = {&as_one, &as_one, &as_one}, .n_countings = {1, 1, 1}};
    struct attribution a;
    attribute(&a, NULL, 0, &w, true, predict, NULL);
    cr_assert_eq(a.n, 0);
    attribution_release(&a);
}
