#include "store/import/repeats.h"

#include "core/base/xalloc.h"

struct repeat {
    uint64_t hash; /* 0: the slot is free */
    uint64_t times;
};

static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash ? hash : 1;
}

static struct repeat *find(struct repeat *slot, size_t room, uint64_t hash)
{
    size_t i = hash & (room - 1);
    while (slot[i].hash && slot[i].hash != hash)
        i = (i + 1) & (room - 1);
    return &slot[i];
}

static void grow(struct repeats *r)
{
    size_t room = r->room ? 2 * r->room : 16;
    struct repeat *slot = xcalloc(room, sizeof *slot);
    for (size_t i = 0; i < r->room; i++) {
        if (r->slot[i].hash)
            *find(slot, room, r->slot[i].hash) = r->slot[i];
    }
    free(r->slot);
    r->slot = slot;
    r->room = room;
}

uint64_t repeats_next(struct repeats *r, const char *text)
{
    if (2 * (r->n + 1) > r->room)
        grow(r);
    uint64_t hash = hash_of(text);
    struct repeat *slot = find(r->slot, r->room, hash);
    r->n += slot->hash == 0;
    slot->hash = hash;
    return ++slot->times;
}

void repeats_place(struct repeats *r, struct cell *cell, uint64_t ordinal)
{
    struct strbuf text = STRBUF_INIT;
    cell_key_text(&text, &cell->key);
    for (size_t i = 0; i < cell->n_devices; i++)
        strbuf_addf(&text, " %zu", cell->device[i]);
    SET(cell, CELL, ordinal, ordinal);
    SET(cell, CELL, repeat, repeats_next(r, text.text));
    strbuf_release(&text);
}

void repeats_release(struct repeats *r)
{
    free(r->slot);
    *r = (struct repeats){0};
}
