/* How much a plan writes, as far as that is known before it runs. */
#include "runner/plan/plan.h"

/* Share of the I/Os that write. */
static double write_share(const struct cell_key *k)
{
    if (!rw_writes(k->rw) || rw_trims(k->rw))
        return 0;
    return rw_is_mixed(k->rw) ? (double)(100 - k->rwmixread) / 100 : 1;
}

/* Bytes per second that one job may write; negative when nothing holds it back. */
static double written_rate(const struct cell_key *k, uint64_t bs)
{
    double write = (double)(IS_KNOWN(k, CELL_KEY, bs_write) ? k->bs_write : bs);
    double iops = cell_key_rate_iops(k, false), bw = cell_key_rate_bw(k, false);
    if (iops > 0)
        return iops * write;
    return bw > 0 ? bw : -1;
}

void plan_writes_add(struct plan_writes *w, const struct cell_key *key, uint64_t bs, uint64_t ns,
                     uint64_t percent)
{
    double share = write_share(key);
    if (share > 0) {
        double rate = written_rate(key, bs);
        w->ns += ns;
        if (rate < 0)
            w->open_ns += percent ? ns / 100 * percent : ns;
        if (rate > 0)
            w->bytes += rate * (double)key->numjobs * (double)ns / 1e9;
    }
    if (rw_trims(key->rw))
        w->trim_ns += ns;
}

static void add_cell(struct plan_writes *w, const struct plan *p, const struct plan_cell *cell)
{
    struct cell_key key = {0};
    plan_key(&key, p, cell);
    uint64_t ns = plan_rounds(p, cell) * (p->axes.ramp_ns + plan_runtime_ns(p, cell));
    plan_writes_add(w, &key, cell->bs, ns, cell->percent);
    fields_release(&cell_key_fields, &key);
}

static bool loads(const struct plan *p, const struct plan_cell *cell, size_t device)
{
    size_t first, n = plan_cell_devices(p, cell, &first);
    return device >= first && device < first + n;
}

void plan_writes(struct plan_writes *out, const struct plan *p, size_t device)
{
    *out = (struct plan_writes){0};
    for (size_t i = 0; i < p->n; i++)
        if (!p->cell[i].done && loads(p, &p->cell[i], device))
            add_cell(out, p, &p->cell[i]);
}
