/* The diagnosis for programs: schemas/json/diagnose.schema.json. SI base units, unknown is null. */
#include "core/base/json.h"

#include <math.h>

#include "report/diagnosis/rule.h"

static void add_devices(cJSON *o, const struct row *r)
{
    cJSON *list = json_add_array(o, "devices");
    for (size_t i = 0; i < r->cell->n_devices; i++) {
        size_t at = r->cell->device[i];
        json_add_text(list, NULL, at < r->run->n_devices ? r->run->device[at].path : NULL);
    }
}

static void add_count(cJSON *o, const char *name, uint64_t v, bool known)
{
    if (known)
        json_add_u64(o, name, v);
    else
        json_add_null(o, name);
}

/* What was loaded: the members that say which result it is. */
static void add_load(cJSON *o, const struct row *r)
{
    const struct cell_key *key = &r->cell->key;
    add_devices(o, r);
    json_add_text(o, "direction", dir_names[r->dir]);
    json_add_text(o, "rw", field_get_text(&cell_key_fields, key, CELL_KEY_rw));
    add_count(o, "bs", r->bs, r->bs > 0);
    add_count(o, "iodepth", key->iodepth, IS_KNOWN(key, CELL_KEY, iodepth));
    add_count(o, "numjobs", key->numjobs, IS_KNOWN(key, CELL_KEY, numjobs));
}

static void add_cap(cJSON *o, const struct finding *f)
{
    if (!f->limit) {
        json_add_null(o, "cap");
        return;
    }
    json_add_f64(json_add_object(o, "cap"), cap_names[f->limit->kind], f->cap);
}

/* Of the caps that volumes can count; null when they did not. */
static void add_exceeded(cJSON *o, const struct finding *f)
{
    if (!f->exceeded) {
        json_add_null(o, "exceeded");
        return;
    }
    cJSON *shares = json_add_object(o, "exceeded");
    for (size_t slot = 0; slot < CAP_SLOT(OWNER_HOST, 0); slot++)
        json_add_f64(shares, binds_names[binds_of_slot[slot]], f->exceeded[slot]);
}

static void add_cell(cJSON *cells, const struct finding *f)
{
    cJSON *o = json_add_object(cells, NULL);
    add_load(o, f->row);
    json_add_text(o, "phase", f->limit ? phase_names[f->limit->phase] : "unknown");
    json_add_text(o, "binds", f->binds == BINDS_UNKNOWN ? NULL : binds_names[f->binds]);
    cJSON *also = json_add_array(o, "also");
    for (unsigned i = 0; i < BINDS_COUNT; i++) {
        if (f->also >> i & 1)
            json_add_text(also, NULL, binds_names[i]);
    }
    add_cap(o, f);
    cJSON *measured = json_add_object(o, "measured");
    double bytes = f->row->bw / f->row->iops;
    json_add_f64(measured, "iops", f->facts->rate_now);
    json_add_f64(measured, "bw", f->facts->rate_now * (f->row->bs ? (double)f->row->bs : bytes));
    json_add_f64(o, "share", f->share);
    json_add_text(o, "confidence", confidence_names[f->confidence]);
    add_exceeded(o, f);
}

static void add_burst(cJSON *list, const struct finding *f)
{
    const struct burst *b = &f->facts->timeline.burst;
    cJSON *o = json_add_object(list, NULL);
    add_load(o, f->row);
    json_add_f64(o, "at_s", f->facts->timeline.exhausted_s);
    json_add_f64(o, "burst_iops", b->rate);
    json_add_f64(o, "sustained_iops", b->sustained);
    json_add_f64(o, "credits", b->credits);
}

void shared_cap_to_json(cJSON *parent, const char *name, const struct shared_cap *s)
{
    if (!s->together) {
        json_add_null(parent, name);
        return;
    }
    cJSON *o = json_add_object(parent, name);
    json_add_f64(o, "ratio", s->ratio);
    if (s->sharing == SHARING_UNKNOWN)
        json_add_null(o, "shared");
    else
        json_add_bool(o, "shared", s->sharing == SHARING_YES);
}

static void add_verdict(cJSON *root, const struct diagnosis *d)
{
    struct strbuf sb = STRBUF_INIT;
    strbuf_addf(&sb, "%s%s%s", d->verdict, d->second ? " " : "", d->second ? d->second : "");
    json_add_text(root, "verdict", sb.text);
    strbuf_release(&sb);
}

cJSON *diagnosis_to_json(const struct diagnosis *d, const struct run *run)
{
    cJSON *root = json_add_object(NULL, NULL);
    if (run->id > 0)
        json_add_i64(root, "run", run->id);
    else
        json_add_null(root, "run");
    add_verdict(root, d);
    cJSON *cells = json_add_array(root, "cells"), *bursts = json_add_array(root, "burst");
    for (size_t i = 0; i < d->n_findings; i++) {
        const struct finding *f = &d->finding[i];
        if (f->row->part > 0) /* one device's share of the load on several */
            continue;
        add_cell(cells, f);
        if (f->facts->timeline.has_burst)
            add_burst(bursts, f);
    }
    shared_cap_to_json(root, "shared_cap", &d->shared);
    return root;
}
