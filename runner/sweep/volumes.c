#include "runner/sweep/volumes.h"

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/xalloc.h"
#include "runner/device/volume_page.h"
#include "runner/sweep/counters_internal.h"

#define ASK_EVERY_NS NS_PER_S

struct volume {
    char *name;
    bool has_page;
    bool is_measured; /* there are readings of the window that runs, or ended last */
    struct volume_page before, last;
    uint64_t before_ns, last_ns; /* when they were read; 0: not yet */
};

struct volumes {
    const struct sysroot *sr;
    struct volume *volume; /* every disk that was seen */
    size_t n, room;
};

struct volumes *volumes_create(const struct sysroot *sr)
{
    struct volumes *v = xcalloc(1, sizeof *v);
    v->sr = sr;
    return v;
}

void volumes_destroy(struct volumes *v)
{
    if (!v)
        return;
    for (size_t i = 0; i < v->n; i++)
        free(v->volume[i].name);
    free(v->volume);
    free(v);
}

static struct volume *find(struct volumes *v, const char *name)
{
    for (size_t i = 0; i < v->n; i++) {
        if (strcmp(v->volume[i].name, name) == 0)
            return &v->volume[i];
    }
    GROW(v->volume, v->n + 1, v->room);
    v->volume[v->n] =
        (struct volume){.name = xstrdup(name), .has_page = volume_has_page(v->sr, name)};
    return &v->volume[v->n++];
}

static bool is_fresh(const struct volume *volume)
{
    return volume->last_ns && clock_now_ns() - volume->last_ns < ASK_EVERY_NS;
}

/* On failure the last reading stays. */
static bool ask(struct volumes *v, struct volume *volume)
{
    uint64_t now = clock_now_ns();
    if (volume_page_read(&volume->last, v->sr, volume->name, NULL) < 0)
        return false;
    volume->last_ns = now;
    return true;
}

static void begin(struct volumes *v, struct volume *volume)
{
    volume->is_measured = volume->has_page && (is_fresh(volume) || ask(v, volume));
    volume->before = volume->last;
    volume->before_ns = volume->last_ns;
}

void volumes_begin(struct volumes *v, const struct counters *c, size_t n)
{
    for (size_t i = 0; i < v->n; i++)
        v->volume[i].is_measured = false;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < c[i].n_disks; k++)
            begin(v, find(v, c[i].disk[k].name));
    }
}

void volumes_end(struct volumes *v)
{
    for (size_t i = 0; i < v->n; i++) {
        struct volume *volume = &v->volume[i];
        volume->is_measured = volume->is_measured && !is_fresh(volume) && ask(v, volume);
    }
}

void volumes_to_cell(struct volumes *v, const struct counters *c, struct cell *cell)
{
    cell->volume = xcalloc(c->n_disks + 1, sizeof *cell->volume);
    for (size_t i = 0; i < c->n_disks; i++) {
        const struct volume *volume = find(v, c->disk[i].name);
        struct volume_stat *out = &cell->volume[cell->n_volumes];
        if (!volume->is_measured || !volume_page_difference(out, &volume->before, &volume->last,
                                                            volume->last_ns - volume->before_ns))
            continue;
        field_set_text(&volume_stat_fields, out, VOLUME_STAT_name, volume->name);
        cell->n_volumes++;
    }
}

void volumes_check(struct strbuf *warning, const struct sysroot *sr,
                   const struct device_info *device, size_t n)
{
    size_t mute = 0;
    struct error why = ERROR_INIT;
    struct strbuf first = STRBUF_INIT;
    for (size_t i = 0; i < n; i++) {
        struct counters c;
        counters_read(&c, sr, device, &i, 1);
        for (size_t k = 0; k < c.n_disks; k++) {
            struct volume_page page;
            if (!volume_has_page(sr, c.disk[k].name) ||
                volume_page_read(&page, sr, c.disk[k].name, mute ? NULL : &why) == 0)
                continue;
            if (mute++ == 0)
                strbuf_adds(&first, c.disk[k].name);
        }
        counters_release(&c);
    }
    if (mute == 1)
        strbuf_addf(warning, "%s counts when it exceeds its caps, but ", first.text);
    else if (mute > 1)
        strbuf_addf(warning, "%s and %zu more count when they exceed their caps, but ", first.text,
                    mute - 1);
    if (mute > 0)
        strbuf_addf(warning, "these statistics cannot be read: %s\n", why.message);
    strbuf_release(&first);
}
