#include "core/base/embedded.h"

#include <stdint.h>

#include "core/base/xalloc.h"

/* Made by embed() in CMakeLists.txt; sorted by name, ends with a NULL name. */
struct embedded_file {
    const char *name;
    const char *bytes;
    uint64_t len;
};
extern const struct embedded_file embedded_table[];

/* Reads a file of the source tree named by $BLKMATRIX_DATA. Kept until the program ends. */
static const char *read_from_tree(const char *tree, const char *name, size_t *len)
{
    char *path = xasprintf("%s/%s", tree, name);
    FILE *f = fopen(path, "rbe");
    free(path);
    if (!f)
        return NULL;
    char *bytes = NULL;
    size_t n = 0, room = 0, got;
    do {
        GROW(bytes, n + 4097, room);
        got = fread(bytes + n, 1, 4096, f);
        n += got;
    } while (got > 0);
    bytes[n] = '\0';
    fclose(f);
    if (len)
        *len = n;
    return bytes;
}

const char *embedded_find(const char *name, size_t *len)
{
    const char *tree = getenv("BLKMATRIX_DATA");
    if (tree && *tree) {
        const char *bytes = read_from_tree(tree, name, len);
        if (bytes)
            return bytes;
    }
    for (const struct embedded_file *f = embedded_table; f->name; f++) {
        if (strcmp(f->name, name) == 0) {
            if (len)
                *len = (size_t)f->len;
            return f->bytes;
        }
    }
    return NULL;
}

const char *embedded_name(size_t i)
{
    for (size_t k = 0; embedded_table[k].name; k++)
        if (k == i)
            return embedded_table[k].name;
    return NULL;
}
