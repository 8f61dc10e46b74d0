#include "runner/device/safety_internal.h"

#include <stdarg.h>

#include "core/base/strbuf.h"
#include "core/base/xalloc.h"
#include "runner/device/usage_internal.h"

const char *const finding_names[FINDING_COUNT + 1] = {
    "mounted",         "swap",      "held",       "loop",      "open",     "read-only",
    "partition-table", "signature", "unreadable", "no-medium", "not-ours", NULL};

void finding_add(struct findings *f, enum finding_kind kind, const char *device, const char *fmt,
                 ...)
{
    struct strbuf text = STRBUF_INIT;
    va_list ap;
    va_start(ap, fmt);
    strbuf_addv(&text, fmt, ap);
    va_end(ap);
    GROW(f->item, f->n + 1, f->room);
    f->item[f->n++] =
        (struct finding){.kind = kind, .device = xstrdup(device), .text = strbuf_detach(&text)};
}

void findings_release(struct findings *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->item[i].device);
        free(f->item[i].text);
    }
    free(f->item);
    *f = (struct findings){0};
}

bool finding_can_be_overruled(enum finding_kind kind)
{
    return kind == FINDING_SIGNATURE || kind == FINDING_PARTITION_TABLE || kind == FINDING_NOT_OURS;
}

struct usage *usage_create(const struct sysroot *sr)
{
    struct usage *u = xcalloc(1, sizeof *u);
    u->sr = sr;
    mounts_collect(&u->mounts, sr);
    swap_collect(&u->swaps, sr);
    openers_of_blocks(&u->openers, sr);
    return u;
}

void usage_destroy(struct usage *u)
{
    if (!u)
        return;
    mounts_release(&u->mounts);
    names_release(&u->swaps);
    openers_release(&u->openers);
    free(u);
}

static bool is_file(const struct device_info *info)
{
    return info->type && strcmp(info->type, "file") == 0;
}

void safety_look(struct findings *out, const struct usage *u, const struct device_info *info,
                 int fd, bool claimed)
{
    if (is_file(info))
        look_at_file(out, u, info, fd);
    else
        look_at_block(out, u, info, fd, claimed);
}

void safety_inspect(struct findings *out, const struct usage *u, const struct device_info *info)
{
    safety_look(out, u, info, -1, false);
}

/*
 * Does the path itself say which device is meant? Those of the system do (/dev/sdb,
 * /dev/mapper/vg-data, /dev/disk/by-id/...); a link or a node that somebody made elsewhere says
 * nothing to those who read the command.
 */
static bool is_own_path(const char *path)
{
    return strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0 &&
           !strstr(path, "/../");
}

static bool is_named(const struct safety_permit *permit, const struct device_info *info)
{
    for (size_t i = 0; i < permit->n_destroy_data; i++) {
        const char *path = permit->destroy_data[i];
        if (info->resolved && strcmp(path, info->resolved) == 0)
            return true;
        if (strcmp(path, info->path) == 0 && (is_file(info) || is_own_path(path)))
            return true;
    }
    return false;
}

int safety_judge(const struct findings *f, const struct device_info *info,
                 const struct safety_permit *permit, struct error *err)
{
    enum { SHOWN_MAX = 10 };
    bool named = is_named(permit, info), fixed = false;
    struct strbuf list = STRBUF_INIT;
    size_t standing = 0;
    for (size_t i = 0; i < f->n; i++) {
        bool can = finding_can_be_overruled(f->item[i].kind);
        if (can && named)
            continue;
        fixed |= !can;
        if (standing++ < SHOWN_MAX)
            strbuf_addf(&list, "\n  %s", f->item[i].text);
    }
    if (standing > SHOWN_MAX)
        strbuf_addf(&list, "\n  and %zu more", standing - SHOWN_MAX);
    bool allowed = is_file(info) || permit->allow_write;
    if (standing > 0)
        error_set(err, ERR_REFUSED, "writing to %s is refused:%s", info->path, list.text);
    else if (!allowed)
        error_set(err, ERR_REFUSED, "writing to %s is refused without --allow-write", info->path);
    strbuf_release(&list);
    if (standing == 0 && allowed)
        return 0;
    if (!allowed)
        error_hint(err, "a writing pattern overwrites what is on the device: if that is meant, add "
                        "--allow-write");
    if (fixed)
        error_hint(err, "no option overrules this: choose another target, or free this one first");
    else if (standing > 0)
        error_hint(err, "if its content may be destroyed, say so with --destroy-data=%s",
                   is_file(info) || is_own_path(info->path) || !info->resolved ? info->path
                                                                               : info->resolved);
    return -ERR_REFUSED;
}
