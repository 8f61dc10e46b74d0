#include "runner/sweep/outcome_internal.h"

#include "core/base/clock.h"
#include "core/base/xalloc.h"

void outcome_mark_failed(struct cell *cell, const struct error *err)
{
    SET(cell, CELL, status, STATUS_FAILED);
    SET(cell, CELL, started_ns, clock_wall_ns());
    field_set_text(&cell_fields, cell, CELL_error, err->message);
}

bool outcome_is_empty(const struct cell *cell)
{
    for (int d = 0; d < DIR_COUNT; d++)
        if (direction_is_used(&cell->dir[d]))
            return false;
    return true;
}

void outcome_count(struct sweep_outcome *o, const struct cell *cell)
{
    if (cell->status == STATUS_COMPLETE) {
        o->complete++;
        return;
    }
    if (cell->status == STATUS_PARTIAL)
        o->partial++;
    else
        o->failed++;
    if (o->first_failure[0] || !cell->error)
        return;
    struct strbuf words = STRBUF_INIT;
    cell_key_words(&words, &cell->key);
    snprintf(o->first_failure, sizeof o->first_failure, "%s: %s", words.text, cell->error);
    strbuf_release(&words);
}

int outcome_judge(const struct sweep_outcome *o, size_t planned, size_t begun, struct error *err)
{
    if (o->interrupted)
        return error_set(err, ERR_INTERRUPTED, "interrupted after %zu of %zu cells",
                         planned - o->left, planned);
    if (o->failed + o->partial == 0)
        return 0;
    int rc = error_set(err, ERR_DEVICE, "%zu of %zu cells failed or had failed I/Os",
                       o->failed + o->partial, begun);
    if (o->first_failure[0])
        error_hint(err, "The first: %s", o->first_failure);
    return rc;
}
