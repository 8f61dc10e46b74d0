#include "cli/run_args.h"

#include "core/base/xalloc.h"

static int by_id(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void add_ids(struct run_ids *to, const struct run_ids *from)
{
    to->id = xrealloc(to->id, to->n + from->n, sizeof *to->id);
    memcpy(to->id + to->n, from->id, from->n * sizeof *from->id);
    to->n += from->n;
}

int run_args_select(struct store *store, const char **word, size_t n, struct run_ids *out,
                    struct error *err)
{
    struct run_ids all = {0};
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct run_ids ids = {0};
        rc = store_select(store, word[i], &ids, err);
        if (rc == 0)
            add_ids(&all, &ids);
        run_ids_release(&ids);
    }
    if (rc < 0) {
        run_ids_release(&all);
        return rc;
    }
    if (all.n)
        qsort(all.id, all.n, sizeof *all.id, by_id);
    size_t kept = 0;
    for (size_t i = 0; i < all.n; i++)
        if (kept == 0 || all.id[i] != all.id[kept - 1])
            all.id[kept++] = all.id[i];
    all.n = kept;
    *out = all;
    return 0;
}
