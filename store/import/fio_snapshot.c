#include "store/import/fio_snapshot.h"

static bool same(const struct fio_document *a, json_id in_a, const struct fio_document *b,
                 json_id in_b, const char *name)
{
    char *x = json_text(&a->json, json_find(&a->json, in_a, name));
    char *y = json_text(&b->json, json_find(&b->json, in_b, name));
    bool equal = x && y ? strcmp(x, y) == 0 : x == y;
    free(x);
    free(y);
    return equal;
}

static bool number(const struct fio_document *doc, json_id obj, const char *name, uint64_t *v)
{
    return json_u64(&doc->json, json_find(&doc->json, obj, name), v);
}

/* When the process began, ms: time of the report less what had passed, which is whole seconds. */
static bool process_start(const struct fio_document *doc, int64_t *ms, int64_t *error)
{
    uint64_t now, elapsed;
    if (!number(doc, doc->entry[0], "elapsed", &elapsed) || elapsed > UINT32_MAX)
        return false;
    *error = 1000;
    if (!number(doc, doc->root, "timestamp_ms", &now)) {
        if (!number(doc, doc->root, "timestamp", &now) || now > UINT32_MAX)
            return false;
        now *= 1000;
        *error = 2000;
    }
    if (now > INT64_MAX / 2)
        return false;
    *ms = (int64_t)(now - elapsed * 1000);
    return true;
}

static bool same_process(const struct fio_document *a, const struct fio_document *b)
{
    uint64_t x, y;
    if (number(a, a->entry[0], "job_start", &x) && number(b, b->entry[0], "job_start", &y))
        return x == y;
    int64_t start_a, start_b, error_a, error_b;
    if (!process_start(a, &start_a, &error_a) || !process_start(b, &start_b, &error_b))
        return false;
    int64_t apart = start_a > start_b ? start_a - start_b : start_b - start_a;
    return apart <= (error_a > error_b ? error_a : error_b);
}

/* A job's figures go on: nothing got smaller; with no more running time nothing changed at all. */
static bool direction_continues(const struct fio_document *a, json_id in_a,
                                const struct fio_document *b, json_id in_b, const char *name)
{
    json_id x = json_find(&a->json, in_a, name), y = json_find(&b->json, in_b, name);
    if (!x || !y)
        return !x && !y;
    static const char *const counts[] = {"runtime", "io_bytes", "total_ios"};
    bool ran = false;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint64_t before = 0, after = 0;
        number(a, x, counts[i], &before);
        number(b, y, counts[i], &after);
        if (after < before || (i > 0 && after > before && !ran))
            return false;
        ran |= after > before;
    }
    return true;
}

static bool entry_continues(const struct fio_document *a, json_id in_a,
                            const struct fio_document *b, json_id in_b)
{
    static const char *const directions[] = {"read", "write", "trim", "mixed"};
    if (!same(a, in_a, b, in_b, "jobname") || !same(a, in_a, b, in_b, "groupid"))
        return false;
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
        if (!direction_continues(a, in_a, b, in_b, directions[i]))
            return false;
    }
    return true;
}

bool fio_snapshot_continues(const struct fio_document *earlier, const struct fio_document *later)
{
    if (earlier->broken || earlier->client != later->client || later->n_entries == 0 ||
        earlier->n_entries != later->n_entries || !same_process(earlier, later))
        return false;
    for (size_t i = 0; i < later->n_entries; i++) {
        if (!entry_continues(earlier, earlier->entry[i], later, later->entry[i]))
            return false;
    }
    return true;
}
