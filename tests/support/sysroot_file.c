#include "tests/support/sysroot_file.h"

#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/strbuf.h"
#include "core/base/xalloc.h"

static void die(const char *what, const char *on)
{
    fprintf(stderr, "sysroot recording: %s %s: %s\n", what, on, strerror(errno));
    abort();
}

static void make_folders(const char *path)
{
    char *copy = xstrdup(path);
    for (char *p = copy + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        if (mkdir(copy, 0700) != 0 && errno != EEXIST)
            die("mkdir", copy);
        *p = '/';
    }
    free(copy);
}

/* Appends text with \xNN and \\ turned back into bytes. */
static void add_unescaped(struct strbuf *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        unsigned byte;
        if (p[0] == '\\' && p[1] == 'x' && sscanf(p + 2, "%2x", &byte) == 1) {
            strbuf_addc(out, (char)byte);
            p += 3;
        } else {
            p += p[0] == '\\' && p[1] == '\\';
            strbuf_addc(out, *p);
        }
    }
}

static void write_file(const char *root, const char *name, const struct strbuf *content)
{
    char *path = xasprintf("%s%s", root, name);
    make_folders(path);
    FILE *f = fopen(path, "w");
    if (!f || fwrite(content->text, 1, content->len, f) != content->len || fclose(f) != 0)
        die("write", path);
    free(path);
}

static void make_link(const char *root, const char *name, const char *target)
{
    char *path = xasprintf("%s%s", root, name);
    make_folders(path);
    if (symlink(target, path) != 0)
        die("symlink", path);
    free(path);
}

/* One entry; the lines of a file of several lines follow it, each behind a tab. */
static void unpack_entry(const char *root, char *line, FILE *in)
{
    char *arrow = strstr(line, " -> "), *colon = strstr(line, ":\n");
    char *text = strstr(line, ": ");
    struct strbuf content = STRBUF_INIT;
    if (arrow) {
        line[strcspn(line, "\n")] = '\0';
        *arrow = '\0';
        make_link(root, line, arrow + 4);
    } else if (text) {
        *text = '\0';
        add_unescaped(&content, text + 2);
        write_file(root, line, &content);
    } else if (colon) {
        *colon = '\0';
        char *more = NULL;
        size_t room = 0;
        int c;
        while ((c = getc(in)) == '\t') {
            if (getline(&more, &room, in) < 0)
                die("read", line);
            add_unescaped(&content, more);
        }
        ungetc(c, in);
        write_file(root, line, &content);
        free(more);
    }
    strbuf_release(&content);
}

struct sysroot sysroot_file_unpack(const char *name)
{
    char *file = xasprintf("%s/sysroot/%s.txt", TEST_DATA, name);
    char *root = xstrdup("/tmp/blkmatrix-sysroot-XXXXXX"), *line = NULL;
    size_t room = 0;
    FILE *in = fopen(file, "r");
    if (!in)
        die("open", file);
    if (!mkdtemp(root))
        die("mkdtemp", root);
    while (getline(&line, &room, in) > 0) {
        if (line[0] == '/')
            unpack_entry(root, line, in);
    }
    fclose(in);
    free(line);
    free(file);
    return (struct sysroot){.root = root};
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

void sysroot_file_remove(struct sysroot *sr)
{
    char *root; /* ours, const only for readers */
    memcpy(&root, &sr->root, sizeof root);
    nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(root);
    sr->root = NULL;
}
