/* What the volumes counted, in words. */
#include <math.h>

#include "core/base/numfmt.h"
#include "core/base/strbuf.h"
#include "report/diagnosis/exceeded.h"
#include "report/diagnosis/rule.h"
#include "report/diagnosis/words_internal.h"

/* The finding with the largest share of a slot; NULL when it is counted for none. */
static const struct finding *most_of(const struct diagnosis *d, size_t slot)
{
    const struct finding *best = NULL;
    for (size_t i = 0; i < d->n_findings; i++) {
        const struct finding *f = &d->finding[i];
        if (f->row->part == 0 && f->exceeded && isfinite(f->exceeded[slot]) &&
            (!best || f->exceeded[slot] > best->exceeded[slot]))
            best = f;
    }
    return best;
}

static void add_exceeded(struct arena *a, struct strbuf *out, const struct finding *f, size_t slot)
{
    char share[NUMFMT_MAX], bs[NUMFMT_MAX];
    strbuf_addf(out, "%s above the %s cap %s of the time", out->len ? ", and" : "",
                binds_words[binds_of_slot[slot]], plain(a, fmt_share(share, f->exceeded[slot])));
    if (f->row->bs > 0)
        strbuf_addf(out, " at %s", fmt_bs(bs, f->row->bs));
    if (f->row->depth > 0)
        strbuf_addf(out, "%s %s", f->row->bs > 0 ? "," : " at", qd_words(a, f->row->depth));
}

const char *counted_sentence(struct arena *a, const struct diagnosis *d)
{
    struct strbuf held = STRBUF_INIT;
    bool any = false, of_vm = false;
    for (size_t slot = 0; slot < CAP_SLOTS; slot++) {
        const struct finding *f = most_of(d, slot);
        if (!f)
            continue;
        any = true;
        of_vm = of_vm || slot / CAP_COUNT == OWNER_VM;
        if (!exceeded_refutes(f->exceeded, slot))
            add_exceeded(a, &held, f, slot);
    }
    const char *text = NULL;
    if (held.len > 0)
        text = arena_printf(a, "By the volumes' own counters the load was%s.", held.text);
    else if (any)
        text = arena_printf(a, "By the volumes' own counters no cap of theirs%s was in the way.",
                            of_vm ? " or of the VM" : "");
    strbuf_release(&held);
    return text;
}
