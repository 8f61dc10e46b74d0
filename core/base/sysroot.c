#include "core/base/sysroot.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <unistd.h>

#include "core/base/strbuf.h"
#include "core/base/units.h"
#include "core/base/xalloc.h"

#define READ_MAX (1024u * 1024u)

const struct sysroot sysroot_system = {.root = ""};

__attribute__((format(printf, 2, 0))) static char *full_path(const struct sysroot *sr,
                                                             const char *fmt, va_list ap)
{
    struct strbuf sb = STRBUF_INIT;
    strbuf_adds(&sb, sr->root);
    strbuf_addv(&sb, fmt, ap);
    return strbuf_detach(&sb);
}

/* Reads from fd to its end or READ_MAX; false on an error. */
static bool read_all(int fd, struct strbuf *sb)
{
    while (sb->len < READ_MAX) {
        ssize_t n = read(fd, strbuf_reserve(sb, 4096), 4096);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        if (n == 0)
            break;
        strbuf_advance(sb, (size_t)n);
    }
    return true;
}

/* Takes path over. O_NONBLOCK: a FIFO in the place of a file must not hang the program. */
static char *read_path(char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    free(path);
    if (fd < 0)
        return NULL;
    struct strbuf sb = STRBUF_INIT;
    bool ok = read_all(fd, &sb);
    close(fd);
    if (!ok) {
        strbuf_release(&sb);
        return NULL;
    }
    for (size_t i = 0; i < sb.len; i++)
        if (sb.text[i] == '\0')
            sb.text[i] = ' ';
    size_t n = sb.len;
    while (n > 0 && isspace((unsigned char)sb.text[n - 1]))
        n--;
    strbuf_truncate(&sb, n);
    return strbuf_detach(&sb);
}

char *sysroot_read(const struct sysroot *sr, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *path = full_path(sr, fmt, ap);
    va_end(ap);
    return read_path(path);
}

bool sysroot_read_u64(const struct sysroot *sr, uint64_t *v, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *path = full_path(sr, fmt, ap);
    va_end(ap);
    char *text = read_path(path);
    bool ok = text && parse_u64(text, 0, UINT64_MAX, v, NULL) == 0;
    free(text);
    return ok;
}

bool sysroot_exists(const struct sysroot *sr, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *path = full_path(sr, fmt, ap);
    va_end(ap);
    bool ok = access(path, F_OK) == 0;
    free(path);
    return ok;
}

char *sysroot_readlink(const struct sysroot *sr, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *path = full_path(sr, fmt, ap);
    va_end(ap);
    char target[PATH_MAX];
    ssize_t n = readlink(path, target, sizeof target);
    free(path);
    return n < 0 ? NULL : xstrndup(target, (size_t)n);
}

/* strverscmp treats leading zeros as fractions; here "a010" and "a10" differ only as a last resort. */
static int natural_order(const char *a, const char *b)
{
    const char *whole_a = a, *whole_b = b;
    while (*a && *b) {
        if (!isdigit((unsigned char)*a) || !isdigit((unsigned char)*b)) {
            if (*a != *b)
                return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
            a++;
            b++;
            continue;
        }
        a += strspn(a, "0");
        b += strspn(b, "0");
        size_t na = strspn(a, "0123456789"), nb = strspn(b, "0123456789");
        if (na != nb)
            return na < nb ? -1 : 1;
        int order = memcmp(a, b, na);
        if (order != 0)
            return order;
        a += na;
        b += nb;
    }
    if (*a || *b)
        return *a ? 1 : -1;
    return strcmp(whole_a, whole_b);
}

static int by_name(const void *a, const void *b)
{
    return natural_order(*(char *const *)a, *(char *const *)b);
}

char **sysroot_list(const struct sysroot *sr, size_t *n, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *path = full_path(sr, fmt, ap);
    va_end(ap);
    DIR *dir = opendir(path);
    free(path);
    *n = 0;
    if (!dir)
        return NULL;
    char **names = NULL;
    size_t room = 0;
    for (struct dirent *e; (e = readdir(dir));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        GROW(names, *n + 1, room);
        names[(*n)++] = xstrdup(e->d_name);
    }
    closedir(dir);
    if (!names)
        return xcalloc(1, sizeof *names); /* an empty folder is not a missing one */
    qsort(names, *n, sizeof *names, by_name);
    return names;
}

void sysroot_list_free(char **names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
}
