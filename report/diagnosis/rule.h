/*
 * A rule looks at one row and either explains what holds it or passes. Rules are tried in the order
 * of the registry; the first that fires decides. To add one: a file beside this, a row in
 * registry.c, a line in report/CMakeLists.txt and a fixture in tests/report/diagnosis/.
 */
#ifndef REPORT_DIAGNOSIS_RULE_H
#define REPORT_DIAGNOSIS_RULE_H

#include "report/diagnosis/diagnosis.h"
#include "report/diagnosis/explain_internal.h"

/* The listed cap that a posterior is about, at one half or more; NULL: it is about none. */
const struct limit *posterior_limit(const struct row_facts *f, const struct world *w,
                                    const double *posterior);

extern const enum binds binds_of_slot[CAP_SLOTS]; /* what binds when a cap of the slot does */

struct rule_input {
    const struct row_facts *facts;
    const double *posterior;     /* of the attribution, LABEL_COUNT of them; NULL: not observed */
    const struct world *world;   /* with it */
    const double *exceeded;      /* of exceeded_find(); NULL: not counted */
    const struct passed *passed; /* NULL: no limits */
};

struct rule {
    const char *id;
    const char *title; /* what it says when it fires */
    /* finding->facts and row are set, everything else is unknown; true when it fires. */
    bool (*evaluate)(const struct rule_input *in, struct finding *finding);
};

extern const struct rule *const rule_table[]; /* NULL-terminated, strongest first */

extern const struct rule rule_rate_limited;
extern const struct rule rule_counted_cap;
extern const struct rule rule_pauses;
extern const struct rule rule_cpu_bound;
extern const struct rule rule_known_cap;
extern const struct rule rule_beside_others;
extern const struct rule rule_depth_too_low;
extern const struct rule rule_short_cell;
extern const struct rule rule_level;

/* Words for posteriors, from how often each range was right in simulation. */
enum confidence confidence_of(double posterior);

/* At the deepest queue that was tried the rate still grew, and latency as well: the next one would tell. */
bool is_bend(const struct row_facts *f);

/* How sure it can be at most that no known cap holds a row. */
enum confidence unlisted_at_most(const struct rule_input *in);

/*
 * A cap that one depth of a ladder meets is met at every depth that has the same rate; where the deepest of
 * them show that the rate is under it, it is under it at all of them.
 */
void same_rate_agree(const struct analysis *a, struct finding *finding);

/*
 * What the rules left unexplained in one direction of a mix is put down to the other direction where that
 * is held by something known: a mix keeps its share, so the slower direction paces both.
 */
void mix_paced(struct finding *f, size_t n);

#endif
