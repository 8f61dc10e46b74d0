/*
 * Limits of anybody: a catalogue file, and the texts of --disk and --cap. The input is one after the
 * other: up to the first NUL a catalogue, then the options, a NUL between them.
 */
#include <math.h>
#include <stdint.h>

#include "core/base/xalloc.h"
#include "store/limits/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool ok)
{
    if (!ok)
        abort();
}

static void check(const struct limit_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct limit *l = &list->item[i];
        require(IS_KNOWN(l, LIMIT, value) && isfinite(l->value) && l->value >= 0);
        require(l->owner < OWNER_COUNT && l->kind < CAP_COUNT && l->source);
        require(!IS_KNOWN(l, LIMIT, credits) || l->credits > 0);
    }
}

/* Every entry is asked for, with and without a size. */
static void try_entries(const struct limit_catalogue *c)
{
    const struct limit_entry *e;
    for (size_t i = 0; i < 8 && (e = limit_catalogue_entry(c, i)); i++) {
        struct limit_list list = {0};
        struct limit_disk d = {.name = (char *)e->name, .iops = NAN, .mbps = NAN};
        for (int k = 0; k < 2; k++) {
            d.size = k ? UINT64_C(100) << 30 : 0;
            struct error err = ERROR_INIT;
            int rc = e->owner == OWNER_DISK ? limit_of_disk(c, &d, &list, &err)
                                            : limit_of_vm(c, e->name, NULL, &list, &err);
            require(rc == 0 || err.message[0] != '\0');
        }
        check(&list);
        limit_list_release(&list);
    }
}

static void try_options(const struct limit_catalogue *c, const char *text)
{
    struct limit_disk d;
    struct limit_list list = {0};
    struct error err = ERROR_INIT;
    if (limit_disk_parse(&d, text, &err) == 0) {
        require(d.name[0] != '\0');
        limit_of_disk(c, &d, &list, &err);
    }
    limit_disk_release(&d);
    if (limit_cap_parse(&list, text, &err) < 0)
        require(err.message[0] != '\0');
    check(&list);
    limit_list_release(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n > 65536)
        return 0;
    char *all = xmalloc(n + 1);
    memcpy(all, data, n);
    all[n] = '\0';
    struct limit_catalogue *c = limit_catalogue_empty();
    struct error err = ERROR_INIT;
    int rc = limit_catalogue_add(c, all, strlen(all), "fuzz", &err);
    require(rc == 0 || (rc == -ERR_INPUT && err.message[0] != '\0'));
    try_entries(c);
    for (size_t at = strlen(all) + 1; at < n; at += strlen(all + at) + 1)
        try_options(c, all + at);
    limit_catalogue_destroy(c);
    free(all);
    return 0;
}
