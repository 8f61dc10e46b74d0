#include "tests/support/scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <unistd.h>

#include "core/base/xalloc.h"

static void die(const char *what, const char *path)
{
    fprintf(stderr, "cannot %s %s: %s\n", what, path, strerror(errno));
    abort();
}

char *scratch_make(void)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = xasprintf("%s/blkmatrix-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        die("make", folder);
    return folder;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

void scratch_remove(char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(folder);
}

char *scratch_path(const char *folder, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *name = NULL;
    if (vasprintf(&name, fmt, ap) < 0)
        abort();
    va_end(ap);
    char *path = xasprintf("%s/%s", folder, name);
    free(name);
    return path;
}

void scratch_write(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wbe");
    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0)
        die("write", path);
}

char *scratch_read(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rbe");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    *n = (size_t)ftell(f);
    rewind(f);
    char *bytes = xcalloc(*n + 1, 1);
    if (fread(bytes, 1, *n, f) != *n)
        die("read", path);
    fclose(f);
    return bytes;
}
