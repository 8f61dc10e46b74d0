/* A made-up run under a diagnosis, for tests of what is said of it. */
#ifndef TESTS_SUPPORT_JUDGED_H
#define TESTS_SUPPORT_JUDGED_H

#include "report/diagnosis/diagnosis.h"
#include "tests/support/made.h"

struct judged {
    struct dataset *dataset;
    struct run *run; /* of the dataset */
    struct analysis *analysis;
    struct diagnosis *diagnosis;
};

/* run: made_run(), with limits where the test has some; the dataset takes it over. */
static inline struct judged judged_begin(struct run *run)
{
    struct judged j = {.dataset = dataset_create(), .run = run};
    dataset_add_run(j.dataset, run);
    return j;
}

/* Takes over what *c has. */
static inline void judged_add_cell(struct judged *j, struct cell *c)
{
    dataset_add_cell(j->dataset, 0, c);
}

static inline void judged_add(struct judged *j, struct made m)
{
    struct cell c = {0};
    made_cell(&c, &m);
    judged_add_cell(j, &c);
}

static inline void judged_judge(struct judged *j)
{
    j->analysis = analysis_create(j->dataset, 0);
    j->diagnosis = diagnosis_create(j->analysis, j->run);
}

static inline void judged_end(struct judged *j)
{
    diagnosis_destroy(j->diagnosis);
    analysis_destroy(j->analysis);
    dataset_destroy(j->dataset);
}

#endif
