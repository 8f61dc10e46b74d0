/* The vocabulary of the sentences. All texts are made in the arena, with plain blanks. */
#ifndef REPORT_DIAGNOSIS_WORDS_INTERNAL_H
#define REPORT_DIAGNOSIS_WORDS_INTERNAL_H

#include "core/base/arena.h"
#include "report/diagnosis/diagnosis.h"

/* How a ceiling without an owner shows itself. */
enum level {
    LEVEL_IOPS,
    LEVEL_BW,
    LEVEL_SOFT, /* fixed cost and transfer time: no throttle */
    LEVEL_BEND, /* none yet, see is_bend() */
};

/* Neighbouring block sizes of a family, at the depth that shows what holds them, held by the same thing. */
struct region {
    const struct family *family;
    size_t first, last;            /* ladders */
    const struct finding *finding; /* of the first */
    const struct finding *all;     /* of all facts, in their order */
    const struct row_facts *facts; /* the first of those */
    enum level level;
};

struct regions {
    struct region *region; /* free() */
    size_t n, room;
};

/* Adds the ranges of one family. findings are one for each of facts, in their order. */
void regions_add(struct regions *all, const struct family *f, const struct finding *findings,
                 const struct row_facts *facts);

/* No-break spaces become plain ones: these sentences are searched and printed on terminals. */
const char *plain(struct arena *a, const char *text);
/* Less of a budget is one direction, or one device, of several. */
#define WHOLE_BUDGET 0.99

const char *qd_words(struct arena *a, uint64_t depth);                         /* "QD 1,024" */
const char *iops_words(struct arena *a, double iops);                          /* "71.2k IOPS" */
const char *bw_words(struct arena *a, double bytes_per_s);                     /* "1,940 MiB/s" */
const char *limit_value(struct arena *a, const struct limit *l, double total); /* "64 MB/s" */
/* The same for a sentence that says IOPS already: "3,500". */
const char *limit_short(struct arena *a, const struct limit *l, double total);
const char *limit_name(struct arena *a, const struct run *run,
                       const struct limit *l); /* "the disk's burst IOPS cap" */
/* "disk", with ties "disk or VM": whose caps are at the same place. f->limit is not NULL. */
const char *owners_words(struct arena *a, const struct finding *f);
const char *subjects(struct arena *a, const struct row *r); /* "random reads" */
const char *noun(const struct row *r);                      /* "read", "write", "trim", "I/O" */
/* The other direction of a mix: "write" of reads. */
const char *other_noun(const struct row *r);
/* The cap that binds, also where no figure of it is listed. */
const char *cap_name(struct arena *a, const struct run *run, const struct finding *f);
/* With its ties: "the disk's IOPS cap or the VM's IOPS cap". */
const char *tied_name(struct arena *a, const struct run *run, const struct finding *f);
/* "4k", "4k to 16k", "32k up", "every block size"; with "at" or "from" in front. */
const char *range_words(struct arena *a, const struct region *r);
const char *capitalise(struct arena *a, const char *text);

/* The row at the deepest queue of ladder i. */
const struct row_facts *deepest(const struct family *f, size_t i);
/*
 * The row that speaks for a ladder of a region: the deepest, unless that fell below a shallower one and nothing
 * known holds it there. And its finding.
 */
const struct row_facts *spoken(const struct region *r, size_t ladder);
const struct finding *finding_at(const struct region *r, size_t ladder);
/* The deepest queue is not what speaks: it fell below. */
bool is_fallen(const struct region *r, size_t ladder);
/* "3,500 IOPS at 4k"; large blocks by their throughput. */
const char *measured_words(struct arena *a, const struct row_facts *f);
/* Medians over the block sizes of a region. */
double region_iops(const struct region *r);
double region_bw(const struct region *r);
/* What the region says, without its range: a clause, and a few words for a title. */
const char *region_clause(struct arena *a, const struct run *run, const struct region *r);
const char *region_phrase(struct arena *a, const struct run *run, const struct region *r);

/*
 * True when so many ranges take turns, none of them at a listed cap, that a sentence of them says
 * less than that there is no clear ceiling.
 */
bool is_unclear(const struct region *r, size_t n);

/* One sentence for all loads where each was measured at the same one depth; else NULL. */
const char *one_depth_sentence(struct arena *a, const struct regions *all);
/* Sentence, headline and second sentence of one family's regions (at least one). */
const char *family_sentence(struct arena *a, const struct run *run, const struct region *r,
                            size_t n);
/* who: "random reads", of one family or of several alike. */
const char *family_headline(struct arena *a, const struct run *run, const struct region *r,
                            size_t n, const char *who);
const char *burst_sentence(struct arena *a, const struct region *r, size_t n);
/* "A burst at 3,500 IOPS, held by the disk's burst IOPS cap, ran out after 40 s at 4k: ..."; NULL when none was seen. */
const char *seen_burst_sentence(struct arena *a, const struct run *run, const struct region *r,
                                size_t n);
/* "At 4k and this rate the burst bucket is empty after 31 min; this cell ran 60 s."; NULL. */
const char *outlook_sentence(struct arena *a, const struct region *r, size_t n);

/* "Random reads at 4k are 20 % above the disk's IOPS cap (3,000): ..."; NULL when none is. */
const char *above_sentence(struct arena *a, const struct run *run, const struct region *r,
                           size_t n);

/* Of all findings of d; and its sentence, NULL when it was not tested. */
void shared_cap_find(const struct diagnosis *d, struct shared_cap *out);
const char *shared_cap_sentence(struct arena *a, const struct shared_cap *s);
/* "By the volumes' own counters the load was above ..."; NULL when nothing was counted. */
const char *counted_sentence(struct arena *a, const struct diagnosis *d);

#endif
