#include "cli/import_claim.h"

static size_t samples_of(const struct cell *cell)
{
    size_t n = 0;
    for (int dir = 0; dir < DIR_COUNT; dir++)
        n += cell->dir[dir].series ? cell->dir[dir].series->n : 0;
    return n;
}

static int add_kept(struct cell *cell, void *arg)
{
    struct import_claim *c = arg;
    c->kept += samples_of(cell);
    return 0;
}

static int claim_begin(void *self, struct run *run, struct error *err)
{
    struct import_claim *c = self;
    c->told = c->kept = 0;
    return store_find_uuid(c->store, run->uuid, &c->run, err);
}

static int claim_cell(void *self, struct cell *cell, struct error *err)
{
    struct import_claim *c = self;
    (void)err;
    c->told += samples_of(cell);
    return 0;
}

static int claim_end(void *self, struct run *run, struct error *err)
{
    struct import_claim *c = self;
    (void)run;
    if (c->run == 0 || c->told == 0)
        return 0;
    int rc = store_each_cell(c->store, c->run, LOAD_SERIES, add_kept, c, err);
    if (rc == 0 && c->kept < c->told && c->lacks == 0)
        c->lacks = c->run;
    return rc;
}

struct sink import_claim_sink(struct import_claim *c)
{
    return (struct sink){c, claim_begin, claim_cell, NULL, claim_end};
}
