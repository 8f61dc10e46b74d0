#include "core/model/cell.h"

#include <math.h>

#include "core/base/json.h"
#include "core/base/xalloc.h"

const char *const status_names[STATUS_COUNT + 1] = {"running", "complete", "partial", "failed",
                                                    NULL};

struct cell *cell_create(void)
{
    return xcalloc(1, sizeof(struct cell));
}

void cell_release(struct cell *c)
{
    fields_release(&cell_fields, c);
    fields_release(&cell_key_fields, &c->key);
    for (int d = 0; d < DIR_COUNT; d++)
        direction_release(&c->dir[d]);
    for (size_t i = 0; i < c->n_parts; i++)
        for (int d = 0; d < DIR_COUNT; d++)
            direction_release(&c->part[i].dir[d]);
    for (size_t i = 0; i < c->n_disks; i++)
        fields_release(&disk_stat_fields, &c->disk[i]);
    for (size_t i = 0; i < c->n_volumes; i++)
        fields_release(&volume_stat_fields, &c->volume[i]);
    free(c->device);
    free(c->part);
    free(c->bucket);
    free(c->disk);
    free(c->volume);
    *c = (struct cell){0};
}

void cell_destroy(struct cell *c)
{
    if (!c)
        return;
    cell_release(c);
    free(c);
}

static bool holds(const cJSON *array, const char *name)
{
    const cJSON *e;
    cJSON_ArrayForEach(e, array)
    {
        if (cJSON_IsString(e) && strcmp(e->valuestring, name) == 0)
            return true;
    }
    return false;
}

/* Adds name to a field that is a JSON array of texts, unless it is there. */
static void add_name(struct cell *c, size_t field, const char *name)
{
    const char *text = field_get_text(&cell_fields, c, field);
    cJSON *array = text ? cJSON_Parse(text) : NULL;
    if (!cJSON_IsArray(array)) {
        cJSON_Delete(array);
        array = cJSON_CreateArray();
    }
    if (!holds(array, name)) {
        json_add_text(array, NULL, name);
        char *printed = json_print(array, false);
        field_set_text(&cell_fields, c, field, printed);
        free(printed);
    }
    cJSON_Delete(array);
}

void cell_add_caveat(struct cell *c, const char *name)
{
    add_name(c, CELL_caveats, name);
}

void cell_add_assumed(struct cell *c, const char *field)
{
    add_name(c, CELL_assumed, field);
}

bool cell_has_caveat(const struct cell *c, const char *name)
{
    cJSON *array = c->caveats ? cJSON_Parse(c->caveats) : NULL;
    bool found = holds(array, name);
    cJSON_Delete(array);
    return found;
}

/* A rate of one direction, from its count where only that is known. */
static double rate_of(const struct direction *d, size_t rate, size_t count)
{
    if (field_is_known(&direction_fields, d, rate))
        return field_get_f64(&direction_fields, d, rate);
    if (!IS_KNOWN(d, DIRECTION, runtime_ns) || d->runtime_ns == 0)
        return NAN;
    return field_get_f64(&direction_fields, d, count) * 1e9 / (double)d->runtime_ns;
}

static double total_rate(const struct cell *c, size_t rate, size_t count)
{
    double sum = NAN;
    for (int d = DIR_READ; d <= DIR_TRIM; d++) {
        double v = rate_of(&c->dir[d], rate, count);
        if (!isnan(v))
            sum = isnan(sum) ? v : sum + v;
    }
    /* "mixed" is the sum of the others, and may stand beside them (unified_rw_reporting=both) */
    double mixed = rate_of(&c->dir[DIR_MIXED], rate, count);
    return isnan(sum) || sum == 0 ? fmax(sum, mixed) : sum;
}

double cell_iops(const struct cell *c)
{
    return total_rate(c, DIRECTION_iops, DIRECTION_ios);
}

double cell_bw(const struct cell *c)
{
    return total_rate(c, DIRECTION_bw, DIRECTION_bytes);
}

bool cell_is_rate_limited(const struct cell *c)
{
    const struct cell_key *k = &c->key;
    return (IS_KNOWN(k, CELL_KEY, rate_iops) && k->rate_iops > 0) ||
           (IS_KNOWN(k, CELL_KEY, rate_iops_write) && k->rate_iops_write > 0) ||
           (IS_KNOWN(k, CELL_KEY, rate_bw) && k->rate_bw > 0) ||
           (IS_KNOWN(k, CELL_KEY, rate_bw_write) && k->rate_bw_write > 0);
}
