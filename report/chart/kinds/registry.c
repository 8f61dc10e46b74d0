#include "report/chart/kinds/kind_internal.h"

const struct kind *const kind_table[] = {
    &kind_roofline,   &kind_bs,      &kind_qd,   &kind_hockey, &kind_matrix,
    &kind_percentile, &kind_latency, &kind_time, NULL,
};

const struct kind *kind_find(const char *name)
{
    for (size_t i = 0; kind_table[i]; i++)
        if (strcmp(kind_table[i]->name, name) == 0)
            return kind_table[i];
    return NULL;
}

struct chart *kind_build(const struct kind *k, struct dataset *d, const struct kind_query *q)
{
    struct chart *c = chart_create(k->name);
    k->build(c, d, q);
    return c;
}
