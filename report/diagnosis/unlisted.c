/* What speaks against being sure that no known cap holds a row. */
#include "core/base/xalloc.h"
#include "report/diagnosis/rule.h"

/* Its figures are not those of the load as a cap sees it. */
static bool is_blurred(const struct row *r)
{
    static const char *const caveat[] = {"requests-split", "io-uring-workers", "figures-disagree"};
    for (size_t i = 0; i < sizeof caveat / sizeof *caveat; i++) {
        if (cell_has_caveat(r->cell, caveat[i]))
            return true;
    }
    return r->run->n_limits > 0 && saved_up(r) >= SAVED_UP_SHORT;
}

/* It went past a cap itself: then the list is wrong about one cap at least. */
static bool is_past_a_cap(const struct row_facts *f)
{
    struct passed_cap *cap = xcalloc(f->row->run->n_limits + 1, sizeof *cap);
    size_t n = caps_passed(f->row, f->rate_now, passed_factor(f->se), cap);
    free(cap);
    return n > 0;
}

enum confidence unlisted_at_most(const struct rule_input *in)
{
    if (is_blurred(in->facts->row))
        return CONFIDENCE_POSSIBLE;
    enum confidence most =
        in->posterior ? confidence_of(in->posterior[LABEL_UNEXPLAINED]) : CONFIDENCE_CERTAIN;
    return is_past_a_cap(in->facts) && most > CONFIDENCE_LIKELY ? CONFIDENCE_LIKELY : most;
}
