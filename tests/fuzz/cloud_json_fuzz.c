/*
 * What a cloud's tool printed, up to the first NUL; behind it the user's file that `limits update`
 * brings up to date.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/xalloc.h"
#include "store/limits/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static char folder[] = "/tmp/blkmatrix-fuzz.XXXXXX";
static struct limit_catalogue *known;

/* A few entries of each kind are enough, and quick to make. */
static const char few[] =
    "{\"cloud\":\"own\",\"sources\":{\"s\":{\"where\":\"w\",\"checked\":\"2026\"}},\"disks\":["
    "{\"name\":\"gp3\",\"size\":[1,16384],\"io_size\":262144,\"source\":\"s\",\"caps\":["
    "{\"cap\":\"iops\",\"set\":\"iops\",\"base\":3000,\"max\":{\"per_gib\":500}},"
    "{\"cap\":\"bw\",\"unit\":\"MiB/"
    "s\",\"set\":\"mbps\",\"base\":125,\"max\":{\"per_iops\":0.25}}]},"
    "{\"name\":\"gp2\",\"source\":\"s\",\"caps\":[{\"cap\":\"iops\",\"per_gib\":3,\"min\":100},"
    "{\"cap\":\"iops\",\"phase\":\"burst\",\"base\":3000,\"credits\":{\"per_gib\":1}}]},"
    "{\"name\":\"P6\",\"type\":\"Premium_LRS\",\"size\":[33,64],\"source\":\"s\",\"caps\":["
    "{\"cap\":\"iops\",\"base\":240},{\"cap\":\"bw\",\"unit\":\"MBps\",\"base\":50}]}],\"vms\":["
    "{\"name\":\"Standard_DS2_v2\",\"source\":\"s\",\"caps\":[{\"cap\":\"bw\",\"unit\":\"MBps\","
    "\"path\":\"cached\",\"base\":64}]},"
    "{\"name\":\"N2\",\"series\":\"n2\",\"vcpus\":[8,15],\"source\":\"s\",\"caps\":[]}]}";

static struct limit_catalogue *small_catalogue(void)
{
    struct limit_catalogue *c = limit_catalogue_empty();
    struct error err = ERROR_INIT;
    if (limit_catalogue_add(c, few, sizeof few - 1, "few", &err) < 0)
        abort();
    return c;
}

static void require(bool ok)
{
    if (!ok)
        abort();
}

static void remove_folder(void)
{
    char *path = xasprintf("rm -rf %s", folder);
    if (system(path) != 0)
        perror(folder);
    free(path);
    limit_catalogue_destroy(known);
}

static void begin(void)
{
    if (known)
        return;
    require(mkdtemp(folder) != NULL);
    known = small_catalogue();
    atexit(remove_folder);
}

static void write_file(const char *path, const uint8_t *data, size_t n)
{
    FILE *f = fopen(path, "w");
    require(f && fwrite(data, 1, n, f) == n && fclose(f) == 0);
}

/* Every disk and VM that came can be asked for its limits. */
static void try_entries(const struct limit_catalogue *c)
{
    const struct limit_entry *e;
    for (size_t i = 0; i < 8 && (e = limit_catalogue_entry(c, i)); i++) {
        struct limit_list list = {0};
        struct error err = ERROR_INIT;
        struct limit_disk d = {.name = (char *)e->name, .iops = NAN, .mbps = NAN};
        if (e->owner == OWNER_DISK)
            limit_of_disk(c, &d, &list, &err);
        else
            limit_of_vm(c, e->name, NULL, &list, &err);
        for (size_t k = 0; k < list.n; k++)
            require(isfinite(list.item[k].value) && list.item[k].value >= 0);
        limit_list_release(&list);
    }
}

static void try_catalogue(const char *from)
{
    struct limit_catalogue *c = small_catalogue();
    struct error err = ERROR_INIT;
    if (limit_catalogue_add_cloud(c, from, &err) < 0)
        require(err.message[0] != '\0');
    try_entries(c);
    limit_catalogue_destroy(c);
}

/* What was written is a file of its format, and what came is known from then on. */
static void try_update(const char *file, const char *from)
{
    struct limit_update u = {0};
    struct error err = ERROR_INIT;
    struct limit_catalogue *own = limit_catalogue_empty();
    bool good = access(file, F_OK) != 0 || limit_catalogue_add_file(own, file, &err) == 0;
    if (limit_update(&u, good ? own : known, file, from, &err) < 0) {
        require(err.message[0] != '\0');
    } else if (u.n > 0) {
        struct limit_catalogue *now = limit_catalogue_empty();
        require(limit_catalogue_add_file(now, file, &err) == 0);
        limit_update_release(&u);
        require(limit_update(&u, now, file, from, &err) == 0);
        require(u.n == 0 || !good);
        limit_catalogue_destroy(now);
    }
    limit_update_release(&u);
    limit_catalogue_destroy(own);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    begin();
    const uint8_t *nul = n > 0 ? memchr(data, 0, n) : NULL;
    size_t first = nul ? (size_t)(nul - data) : n;
    char *from = xasprintf("%s/from.json", folder), *file = xasprintf("%s/own.json", folder);
    write_file(from, data, first);
    unlink(file);
    if (nul)
        write_file(file, nul + 1, n - first - 1);
    try_catalogue(from);
    try_update(file, from);
    free(from);
    free(file);
    return 0;
}
