#include "core/base/embedded.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "core/base/xalloc.h"

/* Made by embed() in CMakeLists.txt; sorted by name, ends with a NULL name. */
struct embedded_file {
    const char *name;
    const char *bytes;
    uint64_t len;
};
extern const struct embedded_file embedded_table[];

/*
 * Reads a file of the source tree named by $BLKMATRIX_DATA into pages of its own, which nobody
 * frees: like the bytes inside the binary they last as long as the program.
 */
static const char *read_from_tree(const char *tree, const char *name, size_t *len)
{
    char *path = xasprintf("%s/%s", tree, name);
    FILE *f = fopen(path, "rbe");
    free(path);
    if (!f)
        return NULL;
    struct stat st;
    char *bytes = NULL;
    if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode)) {
        size_t n = (size_t)st.st_size;
        void *pages = mmap(NULL, n + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages != MAP_FAILED) {
            bytes = pages;
            n = fread(bytes, 1, n, f);
            if (len)
                *len = n;
        }
    }
    fclose(f);
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
