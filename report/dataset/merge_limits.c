/* Limits of several runs as those of one. */
#include "report/dataset/merge_internal.h"

#include "core/base/numfmt.h"

/* Caps on the same thing: only one of them can hold. */
static bool are_of_one(const struct limit *a, const struct limit *b)
{
    return a->owner == b->owner && a->kind == b->kind && a->phase == b->phase &&
           a->path == b->path && a->side == b->side &&
           IS_KNOWN(a, LIMIT, device) == IS_KNOWN(b, LIMIT, device) && a->device == b->device;
}

static bool are_equal(const struct limit *a, const struct limit *b)
{
    return a->value >= b->value && a->value <= b->value;
}

static void add_once(struct run *to, struct limit *l)
{
    for (size_t i = 0; i < to->n_limits; i++) {
        if (are_of_one(&to->limit[i], l) && are_equal(&to->limit[i], l)) {
            fields_release(&limit_fields, l);
            return;
        }
    }
    *run_add_limit(to) = *l;
}

/* `each`: what a run says of its disks is said of each one of them. */
static void add_limits(struct run *to, const struct run *from, const size_t *device, bool each)
{
    for (size_t i = 0; i < from->n_limits; i++) {
        const struct limit *l = &from->limit[i];
        bool known = IS_KNOWN(l, LIMIT, device) && l->device < from->n_devices;
        bool spread = each && !known && l->owner == OWNER_DISK && from->n_devices > 0;
        for (size_t k = 0; k < (spread ? from->n_devices : 1); k++) {
            struct limit copy = {0};
            fields_copy(&limit_fields, &copy, l);
            if (known || spread)
                SET(&copy, LIMIT, device, device[known ? l->device : k]);
            add_once(to, &copy);
        }
    }
}

/* A limit of `from` for something that `to` has other ones for, and one of these in *other; NULL: none. */
static const struct limit *find_other(const struct run *to, const struct run *from,
                                      const struct limit **other)
{
    for (size_t i = 0; i < from->n_limits; i++) {
        bool same = false;
        *other = NULL;
        for (size_t k = 0; k < to->n_limits; k++) {
            if (!are_of_one(&to->limit[k], &from->limit[i]))
                continue;
            same = same || are_equal(&to->limit[k], &from->limit[i]);
            *other = &to->limit[k];
        }
        if (*other && !same)
            return &from->limit[i];
    }
    return NULL;
}

static const char *value_words(char buf[NUMFMT_MAX], const struct limit *l)
{
    return l->kind == CAP_IOPS ? fmt_iops(buf, l->value) : fmt_mb(buf, l->value);
}

static int tell(const struct run *first, const struct run *run, const struct limit *a,
                const struct limit *b, struct error *err)
{
    char x[NUMFMT_MAX], y[NUMFMT_MAX];
    int rc = error_set(
        err, ERR_USAGE,
        "runs %lld and %lld have different limits (%s %s: %s and %s), so they are no repeats of "
        "each other",
        (long long)first->id, (long long)run->id, owner_names[a->owner],
        a->kind == CAP_IOPS ? "IOPS" : "MB/s", value_words(x, a), value_words(y, b));
    error_hint(err, "Look at each by itself, or give both the same: blkmatrix limits set RUN ...");
    return rc;
}

/* With `each` runs on different devices may differ. */
static int merge(struct run *all, const struct dataset *d, size_t n, size_t *const *device,
                 bool each, struct error *err)
{
    int rc = 0;
    for (size_t r = 0; r < n && rc == 0; r++) {
        const struct run *run = d->run[r].run;
        struct run *own = run_create();
        add_limits(own, run, device[r], each);
        const struct limit *other, *l = find_other(all, own, &other);
        if (l)
            rc = tell(d->run[0].run, run, other, l, err);
        else
            add_limits(all, run, device[r], each);
        run_destroy(own);
    }
    return rc;
}

static void drop(struct run *run)
{
    for (size_t i = 0; i < run->n_limits; i++)
        fields_release(&limit_fields, &run->limit[i]);
    run->n_limits = 0;
}

int merge_limits(struct run *all, const struct dataset *d, size_t n, size_t *const *device,
                 struct error *err)
{
    if (merge(all, d, n, device, false, NULL) == 0)
        return 0;
    drop(all);
    return merge(all, d, n, device, true, err);
}
