#include "report/diagnosis/exceeded.h"

#include <math.h>

/* Shares from which on a cap held the load, and up to which it did not; and their weights (tuned). */
#define MUCH              0.2
#define NOTHING           0.02
#define WEIGHT_CONFIRMED  20
#define WEIGHT_REFUTED    0.1
#define WEIGHT_NOT_LISTED 0.1

static const struct {
    size_t slot, field;
} counter[] = {{CAP_SLOT(OWNER_DISK, CAP_IOPS), VOLUME_STAT_disk_iops_exceeded_ns},
               {CAP_SLOT(OWNER_DISK, CAP_BW), VOLUME_STAT_disk_bw_exceeded_ns},
               {CAP_SLOT(OWNER_VM, CAP_IOPS), VOLUME_STAT_vm_iops_exceeded_ns},
               {CAP_SLOT(OWNER_VM, CAP_BW), VOLUME_STAT_vm_bw_exceeded_ns}};

/* Of one cell and counter; NaN unknown. A volume that did not answer may be the one that was held. */
static double share_of(const struct cell *c, size_t field)
{
    double most = NAN;
    size_t answers = 0, devices = c->n_devices ? c->n_devices : 1;
    for (size_t i = 0; i < c->n_volumes; i++) {
        const struct volume_stat *s = &c->volume[i];
        double ns = field_get_f64(&volume_stat_fields, s, field);
        if (isnan(ns) || !IS_KNOWN(s, VOLUME_STAT, span_ns) || s->span_ns == 0)
            continue;
        answers++;
        most = fmax(most, fmin(ns / (double)s->span_ns, 1));
    }
    return most >= MUCH || answers >= devices ? most : NAN;
}

bool exceeded_find(double share[CAP_SLOTS], const struct row *r)
{
    bool any = false;
    for (size_t slot = 0; slot < CAP_SLOTS; slot++)
        share[slot] = NAN;
    for (size_t i = 0; i < sizeof counter / sizeof *counter; i++) {
        double sum = 0;
        for (size_t k = 0; k < r->n_repeats; k++)
            sum += share_of(r->repeat[k], counter[i].field);
        share[counter[i].slot] = r->n_repeats ? sum / (double)r->n_repeats : NAN;
        any = any || isfinite(share[counter[i].slot]);
    }
    return any;
}

bool exceeded_confirms(const double *share, size_t slot)
{
    return share && share[slot] >= MUCH;
}

bool exceeded_refutes(const double *share, size_t slot)
{
    return share && share[slot] <= NOTHING;
}

double exceeded_hit(const double *share, size_t slot)
{
    if (exceeded_confirms(share, slot))
        return WEIGHT_CONFIRMED;
    return exceeded_refutes(share, slot) ? WEIGHT_REFUTED : 1;
}

size_t exceeded_most(const double *share)
{
    size_t best = CAP_SLOTS;
    for (size_t slot = 0; slot < CAP_SLOTS; slot++) {
        if (exceeded_confirms(share, slot) && (best == CAP_SLOTS || share[slot] > share[best]))
            best = slot;
    }
    return best;
}

double exceeded_unlisted(const double *share)
{
    return exceeded_most(share) < CAP_SLOTS ? WEIGHT_NOT_LISTED : 1;
}
