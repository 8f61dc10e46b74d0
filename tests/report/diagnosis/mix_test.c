/* One direction of a mix at its cap paces the other one. */
#include <criterion/criterion.h>

#include "report/diagnosis/diagnosis.h"
#include "tests/support/made.h"

/* 70 reads to 30 writes; the device delivers what it is told. rate: of the reads alone; 0: none. */
static void add_mix(struct dataset *d, uint64_t depth, double reads, double writes, double rate)
{
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDRW, .bs = 4096, .depth = depth, .iops = reads});
    struct direction *w = &c.dir[DIR_WRITE];
    w->iops = writes;
    w->bw = writes * 4096;
    for (size_t i = 0; i < w->series->n; i++)
        w->series->point[i].ios = (uint64_t)writes;
    if (rate > 0) {
        SET(&c.key, CELL_KEY, rate_iops, rate);
        SET(&c.key, CELL_KEY, rate_iops_write, 0);
    }
    dataset_add_cell(d, 0, &c);
}

static void limit_sides(struct run *run)
{
    for (enum limit_side side = SIDE_READ; side <= SIDE_WRITE; side++) {
        struct limit *l = made_limit(run, OWNER_HOST, CAP_IOPS, PHASE_BASE, PATH_ANY, 3500, "3500");
        l->side = side;
    }
}

/* Binding of the writes at the deeper queue; *d and *a are for the caller to free. */
static const struct finding *judge(struct dataset *data, double writes, struct analysis **a,
                                   struct diagnosis **d)
{
    struct run *run = made_run();
    limit_sides(run);
    dataset_add_run(data, run);
    add_mix(data, 4, 3493, writes, 0);
    add_mix(data, 16, 3493, writes, 0);
    *a = analysis_create(data, 0);
    *d = diagnosis_create(*a, run);
    const struct finding *f = &(*d)->finding[(*d)->n_findings - 1];
    cr_assert_eq(f->row->dir, DIR_WRITE);
    cr_assert_eq((f - 1)->binds, BINDS_HOST_IOPS);
    return f;
}

static void expect(double writes, enum binds binds)
{
    struct dataset *data = dataset_create();
    struct analysis *a;
    struct diagnosis *d;
    const struct finding *f = judge(data, writes, &a, &d);
    cr_assert_eq(f->binds, binds, "%s", binds_names[f->binds]);
    const char *said = strstr(d->verdict, "The reads of the mix pace the writes.");
    cr_assert_eq(said != NULL, binds == BINDS_MIX, "%s", d->verdict);
    diagnosis_destroy(d);
    analysis_destroy(a);
    dataset_destroy(data);
}

Test(mix, writes_in_their_share_are_paced_by_the_reads)
{
    expect(3493.0 * 30 / 70, BINDS_MIX);
}

/* Half of what their share would be: the reads that came cannot explain that. */
Test(mix, writes_out_of_their_share_are_not)
{
    expect(750, BINDS_UNEXPLAINED);
}

/* Reads at a rate of their own, writes free to take all that is left: they are not paced. */
Test(mix, writes_beside_reads_with_a_rate_are_not)
{
    struct dataset *data = dataset_create();
    struct run *run = made_run();
    dataset_add_run(data, run);
    for (uint64_t depth = 4; depth <= 16; depth *= 4)
        add_mix(data, depth, 3500, 1500, 3500);
    struct analysis *a = analysis_create(data, 0);
    struct diagnosis *d = diagnosis_create(a, run);
    for (size_t i = 0; i < d->n_findings; i++) {
        const struct finding *f = &d->finding[i];
        cr_expect_eq(f->binds, f->row->dir == DIR_READ ? BINDS_RATE : BINDS_UNEXPLAINED, "%s",
                     binds_names[f->binds]);
    }
    cr_expect_eq(d->n_findings, 4);
    diagnosis_destroy(d);
    analysis_destroy(a);
    dataset_destroy(data);
}
