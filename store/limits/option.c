/* The texts of --disk and --cap. */
#include <inttypes.h>
#include <math.h>
#include <strings.h>

#include "core/base/units.h"
#include "core/base/xalloc.h"
#include "store/limits/limits.h"

/* Calls fn for each NAME=VALUE of a comma list. */
static int each_pair(char *list, const char *option,
                     int (*fn)(const char *name, const char *value, void *arg, struct error *err),
                     void *arg, struct error *err)
{
    while (list) {
        char *comma = strchr(list, ','), *next = comma ? comma + 1 : NULL;
        if (comma)
            *comma = '\0';
        char *equals = strchr(list, '=');
        if (!equals || equals == list || equals[1] == '\0')
            return error_set(err, ERR_USAGE, "%s: \"%s\" is not NAME=VALUE", option, list);
        *equals = '\0';
        for (char *p = list; *p; p++)
            *p = *p == '_' ? '-' : *p;
        int rc = fn(list, equals + 1, arg, err);
        if (rc < 0)
            return error_prefix(err, ERR_USAGE, "%s: %s", option, list);
        list = next;
    }
    return 0;
}

/* ---- --disk ---- */

static int disk_cache(const char *value, enum limit_cache *out, struct error *err)
{
    static const struct {
        const char *name;
        enum limit_cache cache;
    } known[] = {{"none", CACHE_NONE},
                 {"ro", CACHE_RO},
                 {"rw", CACHE_RW},
                 {"readonly", CACHE_RO},
                 {"readwrite", CACHE_RW}}; /* as Azure spells them */
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcasecmp(value, known[i].name) == 0) {
            *out = known[i].cache;
            return 0;
        }
    }
    return error_set(err, ERR_USAGE, "\"%s\" is none of none, ro, rw", value);
}

static int disk_pair(const char *name, const char *value, void *arg, struct error *err)
{
    struct limit_disk *d = arg;
    if (strcmp(name, "size") == 0) {
        int rc = parse_size(value, &d->size, err);
        return rc == 0 && d->size == 0 ? error_set(err, ERR_USAGE, "a disk is larger than 0") : rc;
    }
    if (strcmp(name, "cache") == 0)
        return disk_cache(value, &d->cache, err);
    if (strcmp(name, "mbps") == 0)
        return parse_f64(value, 0, 1e9, &d->mbps, err);
    if (strcmp(name, "iops") == 0) {
        uint64_t n;
        int rc = parse_count(value, &n, err);
        if (rc == 0)
            d->iops = (double)n;
        return rc;
    }
    return error_set(err, ERR_USAGE, "there are iops, mbps, size, cache");
}

int limit_disk_parse(struct limit_disk *out, const char *text, struct error *err)
{
    *out = (struct limit_disk){.iops = NAN, .mbps = NAN};
    size_t n = strcspn(text, ",");
    if (n == 0)
        return error_set(err, ERR_USAGE, "--disk: the type of the disk comes first: gp3,size=100G");
    out->name = xstrndup(text, n);
    if (text[n] == '\0')
        return 0;
    char *list = xstrdup(text + n + 1);
    int rc = each_pair(list, "--disk", disk_pair, out, err);
    free(list);
    return rc;
}

/* ---- --cap ---- */

struct cap_name {
    enum limit_kind kind;
    enum limit_side side;
    enum limit_phase phase;
};

/* What one --cap says, before it becomes limits. */
struct cap {
    enum limit_owner owner;
    bool one_device;
    uint64_t device;
    bool given[CAP_COUNT][SIDE_COUNT][PHASE_COUNT];
    double value[CAP_COUNT][SIDE_COUNT][PHASE_COUNT];
    uint64_t io_size;          /* 0: not given */
    double credits[CAP_COUNT]; /* NaN: not given */
};

/* "read-burst-iops": the words before the kind in any order. */
static bool read_cap_name(const char *name, struct cap_name *out)
{
    *out = (struct cap_name){CAP_IOPS, SIDE_ANY, PHASE_BASE};
    for (;;) {
        if (strncmp(name, "read-", 5) == 0 && out->side == SIDE_ANY) {
            out->side = SIDE_READ;
            name += 5;
        } else if (strncmp(name, "write-", 6) == 0 && out->side == SIDE_ANY) {
            out->side = SIDE_WRITE;
            name += 6;
        } else if (strncmp(name, "burst-", 6) == 0 && out->phase == PHASE_BASE) {
            out->phase = PHASE_BURST;
            name += 6;
        } else {
            break;
        }
    }
    out->kind = strcmp(name, "bw") == 0 ? CAP_BW : CAP_IOPS;
    return strcmp(name, "bw") == 0 || strcmp(name, "iops") == 0;
}

/* A bare number is bytes, and no disk is held to so few of them: MB were meant. */
#define FEWEST_BYTES 65536

static int rate(const char *value, enum limit_kind kind, double *out, struct error *err)
{
    int rc;
    if (kind == CAP_BW) {
        rc = parse_bandwidth(value, out, err);
        bool bare = value[strspn(value, "0123456789.")] == '\0';
        if (rc == 0 && bare && *out > 0 && *out < FEWEST_BYTES)
            return error_set(err, ERR_USAGE,
                             "%s bytes a second? Give the unit: %sM (MiB/s) or %sMB/s", value,
                             value, value);
    } else {
        uint64_t n = 0;
        rc = parse_count(value, &n, err);
        *out = (double)n;
    }
    return rc == 0 && !(*out > 0) ? error_set(err, ERR_USAGE, "a cap is more than 0") : rc;
}

static int cap_pair(const char *name, const char *value, void *arg, struct error *err)
{
    struct cap *cap = arg;
    struct cap_name what;
    if (read_cap_name(name, &what)) {
        bool *given = &cap->given[what.kind][what.side][what.phase];
        if (*given)
            return error_set(err, ERR_USAGE, "it is given twice");
        *given = true;
        return rate(value, what.kind, &cap->value[what.kind][what.side][what.phase], err);
    }
    if (strcmp(name, "io-size") == 0) {
        int rc = parse_size(value, &cap->io_size, err);
        return rc == 0 && cap->io_size == 0 ? error_set(err, ERR_USAGE, "it is more than 0") : rc;
    }
    if (strcmp(name, "credits") == 0)
        return rate(value, CAP_IOPS, &cap->credits[CAP_IOPS], err);
    if (strcmp(name, "byte-credits") == 0) {
        uint64_t bytes = 0;
        int rc = parse_size(value, &bytes, err);
        cap->credits[CAP_BW] = (double)bytes;
        return rc == 0 && bytes == 0 ? error_set(err, ERR_USAGE, "a bucket is more than 0") : rc;
    }
    return error_set(err, ERR_USAGE,
                     "there are iops, bw (each with read-, write-, burst- before it), io-size, "
                     "credits, byte-credits");
}

/* "disk", "vm", "host", "disk[1]"; n bytes of text. */
static int read_owner(struct cap *cap, const char *text, size_t n, struct error *err)
{
    size_t word = strcspn(text, "[:");
    const char *const *name = owner_names;
    while (*name && (strlen(*name) != word || strncmp(*name, text, word) != 0))
        name++;
    if (!*name)
        return error_set(err, ERR_USAGE, "--cap: \"%.*s\" is none of disk, vm, host", (int)n, text);
    cap->owner = (enum limit_owner)(name - owner_names);
    if (word == n)
        return 0;
    cap->one_device = true;
    char *index = xstrndup(text + word + 1, n - word - 1);
    size_t len = strlen(index);
    int rc = -ERR_USAGE;
    if (len > 1 && index[len - 1] == ']') {
        index[len - 1] = '\0';
        rc = parse_u64(index, 0, 65535, &cap->device, NULL);
    }
    free(index);
    if (rc < 0 || cap->owner == OWNER_VM)
        return error_set(err, ERR_USAGE,
                         "--cap: \"%.*s\": one of several devices is disk[0], disk[1] ...", (int)n,
                         text);
    return 0;
}

static bool any_given(const struct cap *cap, enum limit_kind kind, enum limit_phase phase)
{
    return cap->given[kind][SIDE_ANY][phase] || cap->given[kind][SIDE_READ][phase] ||
           cap->given[kind][SIDE_WRITE][phase];
}

/* A burst is more than its base. */
static int check_bursts(const struct cap *cap, struct error *err)
{
    static const char *const word[] = {"iops", "bw"}, *const of[] = {"", "read-", "write-"};
    for (size_t kind = 0; kind < CAP_COUNT; kind++) {
        for (size_t side = 0; side < SIDE_COUNT; side++) {
            const bool *given = cap->given[kind][side];
            const double *value = cap->value[kind][side];
            if (given[PHASE_BASE] && given[PHASE_BURST] && value[PHASE_BURST] <= value[PHASE_BASE])
                return error_set(err, ERR_USAGE,
                                 "--cap: %sburst-%s is not above %s%s, so it is no burst", of[side],
                                 word[kind], of[side], word[kind]);
        }
    }
    return 0;
}

/* What stands beside a rate needs that rate. */
static int check_cap(const struct cap *cap, struct error *err)
{
    if (!isnan(cap->credits[CAP_IOPS]) && !any_given(cap, CAP_IOPS, PHASE_BURST))
        return error_set(err, ERR_USAGE, "--cap: credits are of a burst: give burst-iops too");
    if (!isnan(cap->credits[CAP_BW]) && !any_given(cap, CAP_BW, PHASE_BURST))
        return error_set(err, ERR_USAGE, "--cap: byte-credits are of a burst: give burst-bw too");
    if (cap->io_size && !any_given(cap, CAP_IOPS, PHASE_BASE) &&
        !any_given(cap, CAP_IOPS, PHASE_BURST))
        return error_set(err, ERR_USAGE,
                         "--cap: io-size tells how I/Os are counted: give iops too");
    return check_bursts(cap, err);
}

static bool is_by_hand(const struct limit *l)
{
    return IS_KNOWN(l, LIMIT, source) && strncmp(l->source, "--cap ", 6) == 0;
}

/* One cap has one value: two of the same thing cannot both hold. */
static int check_not_given(const struct limit_list *list, const struct cap *cap, const char *text,
                           struct error *err)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct limit *l = &list->item[i];
        bool one = IS_KNOWN(l, LIMIT, device);
        if (is_by_hand(l) && l->owner == cap->owner && cap->given[l->kind][l->side][l->phase] &&
            one == cap->one_device && (!one || l->device == cap->device))
            return error_set(err, ERR_USAGE, "--cap %s: what \"%s\" says is given twice", text,
                             l->source);
    }
    return 0;
}

/* Whether one given by hand takes the place of an earlier one. */
static bool is_replaced(const struct limit *l, const struct cap *cap)
{
    return !is_by_hand(l) && l->owner == cap->owner && any_given(cap, l->kind, l->phase) &&
           (!cap->one_device || (IS_KNOWN(l, LIMIT, device) && l->device == cap->device));
}

static void drop_replaced(struct limit_list *list, const struct cap *cap)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->n; i++) {
        if (is_replaced(&list->item[i], cap))
            fields_release(&limit_fields, &list->item[i]);
        else
            list->item[kept++] = list->item[i];
    }
    list->n = kept;
}

static void add_cap(struct limit_list *out, const struct cap *cap, const char *text,
                    struct cap_name what)
{
    if (!cap->given[what.kind][what.side][what.phase])
        return;
    struct limit *l = limit_list_add(out);
    SET(l, LIMIT, owner, cap->owner);
    if (cap->one_device)
        SET(l, LIMIT, device, cap->device);
    SET(l, LIMIT, kind, what.kind);
    SET(l, LIMIT, side, what.side);
    SET(l, LIMIT, phase, what.phase);
    SET(l, LIMIT, path, PATH_ANY);
    SET(l, LIMIT, value, cap->value[what.kind][what.side][what.phase]);
    if (what.kind == CAP_IOPS && cap->io_size)
        SET(l, LIMIT, io_size, cap->io_size);
    if (what.phase == PHASE_BURST && !isnan(cap->credits[what.kind]))
        SET(l, LIMIT, credits, cap->credits[what.kind]);
    char *source = xasprintf("--cap %s", text);
    field_set_text(&limit_fields, l, LIMIT_source, source);
    free(source);
}

int limit_cap_parse(struct limit_list *out, const char *text, struct error *err)
{
    struct cap cap = {.credits = {NAN, NAN}};
    const char *colon = strchr(text, ':');
    if (!colon || colon == text || colon[1] == '\0')
        return error_set(err, ERR_USAGE, "--cap: \"%s\" is not OWNER:NAME=VALUE: disk:iops=3500",
                         text);
    int rc = read_owner(&cap, text, (size_t)(colon - text), err);
    if (rc == 0) {
        char *list = xstrdup(colon + 1);
        rc = each_pair(list, "--cap", cap_pair, &cap, err);
        free(list);
    }
    if (rc == 0)
        rc = check_cap(&cap, err);
    if (rc == 0)
        rc = check_not_given(out, &cap, text, err);
    if (rc < 0)
        return rc;
    drop_replaced(out, &cap);
    for (int kind = 0; kind < CAP_COUNT; kind++)
        for (int side = 0; side < SIDE_COUNT; side++)
            for (int phase = 0; phase < PHASE_COUNT; phase++)
                add_cap(out, &cap, text,
                        (struct cap_name){(enum limit_kind)kind, (enum limit_side)side,
                                          (enum limit_phase)phase});
    return 0;
}
