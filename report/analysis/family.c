/* Which families of cells speak for a run. */
#include "report/analysis/analysis.h"

static const struct row *first_row(const struct family *f)
{
    return f->n > 0 ? f->ladder[0].rung[0]->row : NULL;
}

bool family_is_share(const struct family *f)
{
    return f->n > 0 && first_row(f)->part > 0;
}

size_t family_devices(const struct family *f)
{
    return f->n > 0 ? first_row(f)->cell->n_devices : 0;
}

const struct family *analysis_main_family(const struct analysis *a)
{
    const struct family *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < a->n_families; i++) {
        const struct family *f = &a->family[i];
        size_t cells = 0;
        for (size_t k = 0; k < f->n; k++)
            cells += f->ladder[k].n;
        bool more =
            cells > most || (best && cells == most && family_devices(f) > family_devices(best));
        if (cells > 0 && more && !family_is_share(f)) {
            most = cells;
            best = f;
        }
    }
    return best;
}
