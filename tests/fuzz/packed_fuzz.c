/* Archives over any bytes, and the importer that what is in them asks for: see import_check.h. */
#include "store/import/packed.h"
#include "tests/fuzz/import_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { EARLY_MAX = 2000 };

struct seen {
    size_t failed, bytes, early;
};

/* About half of all names. */
static bool comes_first(void *self, const char *member)
{
    (void)self;
    return member[0] & 1;
}

static int on_file(void *self, const struct packed_file *f, struct error *err)
{
    struct seen *s = self;
    (void)err;
    s->bytes += f->n;
    s->early += f->early ? f->n : 0;
    require(s->early <= EARLY_MAX);
    require(f->path[0] && f->name[0] && f->bytes[f->n] == '\0');
    require(s->bytes <= PACKED_BYTES_MAX);
    const struct importer *importer = f->n < 100000 ? importer_for(f->bytes, f->n) : NULL;
    return importer ? check_importer(importer, f->name, (const uint8_t *)f->bytes, f->n) : 0;
}

static void on_failed(void *self, const char *path, const struct error *why)
{
    struct seen *s = self;
    s->failed++;
    require(path[0] && why->code == ERR_INPUT && why->message[0]);
}

static void on_skipped(void *self, const char *path, const char *reason)
{
    (void)self;
    require(path[0] && reason[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char *bytes = xmalloc(n + 1);
    if (n > 0)
        memcpy(bytes, data, n);
    bytes[n] = '\0';
    struct seen s = {0};
    const struct packed_visitor visitor = {.self = &s,
                                           .file = on_file,
                                           .failed = on_failed,
                                           .skipped = on_skipped,
                                           .first = comes_first,
                                           .first_max = EARLY_MAX};
    struct error err = ERROR_INIT;
    if (packed_is(bytes, n))
        require(packed_read("a.tar.gz", bytes, n, &visitor, &err) == 0);
    free(bytes);
    return 0;
}
