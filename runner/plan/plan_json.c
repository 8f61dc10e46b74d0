/* The plan as it is kept with the run: its axes. */
#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "runner/plan/plan.h"

#define PLAN_VERSION 1

static void add_range(cJSON *o, const char *name, const struct range *r)
{
    cJSON *list = json_add_array(o, name);
    for (size_t i = 0; i < r->n; i++)
        json_add_u64(list, NULL, r->value[i]);
}

char *plan_to_json(const struct plan *p)
{
    const struct plan_axes *a = &p->axes;
    cJSON *o = cJSON_CreateObject();
    json_add_u64(o, "version", PLAN_VERSION);
    cJSON *rw = json_add_array(o, "rw");
    for (size_t i = 0; i < a->n_rw; i++)
        json_add_text(rw, NULL, rw_names[a->rw[i]]);
    add_range(o, "rwmixread", &a->rwmixread);
    add_range(o, "bs", &a->bs);
    add_range(o, "iodepth", &a->iodepth);
    add_range(o, "numjobs", &a->numjobs);
    add_range(o, "curve", &a->curve);
    json_add_u64(o, "repeats", a->repeats);
    json_add_u64(o, "devices", a->n_devices);
    json_add_bool(o, "together", a->together);
    if (a->alone)
        json_add_bool(o, "alone", true);
    json_add_text(o, "order", plan_order_names[a->order]);
    json_add_u64(o, "seed", a->seed);
    json_add_u64(o, "runtime_ns", a->runtime_ns);
    json_add_u64(o, "ramp_ns", a->ramp_ns);
    json_add_u64(o, "interval_ns", a->interval_ns);
    if (a->until > 0)
        json_add_f64(o, "until", a->until);
    if (a->drain)
        json_add_bool(o, "drain", true);
    if (a->until > 0 || a->drain)
        json_add_u64(o, "min_runtime_ns", a->min_runtime_ns);
    if (a->budget_ns)
        json_add_u64(o, "budget_ns", a->budget_ns);
    if (a->steady)
        json_add_bool(o, "steady", true);
    if (a->suite)
        json_add_text(o, "suite", a->suite->name);
    if (a->histogram_rounds)
        json_add_u64(o, "histogram_rounds", a->histogram_rounds);
    /* as text: exact for every type, and read back by field_parse */
    cJSON *key = json_add_object(o, "key");
    for (size_t i = 0; i < cell_key_fields.n; i++) {
        if (!field_is_known(&cell_key_fields, &a->base, i))
            continue;
        struct strbuf text = STRBUF_INIT;
        field_format(&text, &cell_key_fields, &a->base, i);
        json_add_text(key, cell_key_fields.field[i].name, text.text);
        strbuf_release(&text);
    }
    char *text = json_print(o, false);
    cJSON_Delete(o);
    return text;
}

static int bad(struct error *err, const char *what)
{
    return error_set(err, ERR_STORE, "the stored plan cannot be read: %s is missing or wrong",
                     what);
}

static int get_u64(const cJSON *o, const char *name, uint64_t *v, struct error *err)
{
    const cJSON *item = name ? cJSON_GetObjectItemCaseSensitive(o, name) : o;
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || item->valuedouble > 0x1p53 ||
        item->valuedouble != (double)(uint64_t)item->valuedouble)
        return bad(err, name ? name : "a number");
    *v = (uint64_t)item->valuedouble;
    return 0;
}

static int get_range(const cJSON *o, const char *name, struct range *r, struct error *err)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(o, name);
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > RANGE_MAX_VALUES)
        return bad(err, name);
    r->value = xcalloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *r->value);
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        int rc = get_u64(item, NULL, &r->value[r->n], err);
        if (rc < 0)
            return rc;
        r->n++;
    }
    return 0;
}

static int get_patterns(const cJSON *o, struct plan_axes *a, struct error *err)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(o, "rw");
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        int rw = cJSON_IsString(item) ? rw_parse(item->valuestring) : -1;
        if (rw < 0 || a->n_rw == RW_COUNT)
            return bad(err, "rw");
        a->rw[a->n_rw++] = (enum rw)rw;
    }
    return 0;
}

static int get_order(const cJSON *o, struct plan_axes *a, struct error *err)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, "order");
    for (int i = 0; cJSON_IsString(item) && plan_order_names[i]; i++) {
        if (strcmp(item->valuestring, plan_order_names[i]) == 0) {
            a->order = (enum plan_order)i;
            return 0;
        }
    }
    return bad(err, "order");
}

/* When a cell ends, where it is not its runtime. */
static int get_ends(const cJSON *o, struct plan_axes *a, struct error *err)
{
    const cJSON *until = cJSON_GetObjectItemCaseSensitive(o, "until");
    const cJSON *suite = cJSON_GetObjectItemCaseSensitive(o, "suite");
    a->steady = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(o, "steady"));
    if (suite) {
        a->suite = cJSON_IsString(suite) ? suite_find(suite->valuestring) : NULL;
        if (!a->suite)
            return bad(err, "suite");
    }
    if (suite && cJSON_HasObjectItem(o, "histogram_rounds")) {
        int rc = get_u64(o, "histogram_rounds", &a->histogram_rounds, err);
        if (rc < 0)
            return rc;
    }
    if (cJSON_HasObjectItem(o, "budget_ns")) {
        int rc = get_u64(o, "budget_ns", &a->budget_ns, err);
        if (rc < 0)
            return rc;
    }
    a->drain = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(o, "drain"));
    if (!until)
        return a->drain ? get_u64(o, "min_runtime_ns", &a->min_runtime_ns, err) : 0;
    if (!cJSON_IsNumber(until) || !(until->valuedouble > 0))
        return bad(err, "until");
    a->until = until->valuedouble;
    return get_u64(o, "min_runtime_ns", &a->min_runtime_ns, err);
}

static int get_key(const cJSON *o, struct plan_axes *a, struct error *err)
{
    const cJSON *item, *key = cJSON_GetObjectItemCaseSensitive(o, "key");
    if (!cJSON_IsObject(key)) /* members of an array have no names */
        return bad(err, "key");
    cJSON_ArrayForEach(item, key)
    {
        size_t i = field_find(&cell_key_fields, item->string);
        if (i == cell_key_fields.n || !cJSON_IsString(item) ||
            !field_parse(&cell_key_fields, &a->base, i, item->valuestring))
            return bad(err, "key");
    }
    return 0;
}

static int get_axes(const cJSON *o, struct plan_axes *a, struct error *err)
{
    uint64_t version = 0, devices = 0;
    int rc = get_u64(o, "version", &version, err);
    if (rc == 0 && version != PLAN_VERSION)
        rc = error_set(err, ERR_STORE,
                       "the stored plan is of version %llu, and this program knows version %d; use "
                       "the program that made the run, or a newer one",
                       (unsigned long long)version, PLAN_VERSION);
    const struct {
        const char *name;
        uint64_t *v;
    } numbers[] = {{"repeats", &a->repeats}, {"devices", &devices},
                   {"seed", &a->seed},       {"runtime_ns", &a->runtime_ns},
                   {"ramp_ns", &a->ramp_ns}, {"interval_ns", &a->interval_ns}};
    for (size_t i = 0; rc == 0 && i < sizeof numbers / sizeof numbers[0]; i++)
        rc = get_u64(o, numbers[i].name, numbers[i].v, err);
    const struct {
        const char *name;
        struct range *r;
    } ranges[] = {{"rwmixread", &a->rwmixread},
                  {"bs", &a->bs},
                  {"iodepth", &a->iodepth},
                  {"numjobs", &a->numjobs},
                  {"curve", &a->curve}};
    for (size_t i = 0; rc == 0 && i < sizeof ranges / sizeof ranges[0]; i++)
        rc = get_range(o, ranges[i].name, ranges[i].r, err);
    a->n_devices = (size_t)devices;
    a->together = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(o, "together"));
    a->alone = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(o, "alone"));
    if (rc == 0)
        rc = get_patterns(o, a, err);
    if (rc == 0)
        rc = get_order(o, a, err);
    if (rc == 0)
        rc = get_ends(o, a, err);
    if (rc == 0)
        rc = get_key(o, a, err);
    return rc;
}

int plan_from_json(struct plan **out, const char *json, struct error *err)
{
    cJSON *o = cJSON_Parse(json);
    if (!cJSON_IsObject(o)) {
        cJSON_Delete(o);
        return error_set(err, ERR_STORE, "the stored plan cannot be read: it is no JSON object");
    }
    struct plan_axes axes = {0};
    int rc = get_axes(o, &axes, err);
    cJSON_Delete(o);
    if (rc < 0) {
        plan_axes_release(&axes);
        return rc;
    }
    rc = plan_create(out, &axes, err);
    return rc < 0 ? error_prefix(err, ERR_STORE, "the stored plan") : 0;
}
