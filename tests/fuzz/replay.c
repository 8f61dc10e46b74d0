/*
 * Stands in for libFuzzer: runs a harness on files and on every file of folders, so that an ordinary build
 * replays the corpus. Usage: HARNESS PATH...
 */
#include <dirent.h>
#include <stdint.h>
#include <sys/stat.h>

#include "core/base/xalloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int run_file(const char *path)
{
    FILE *f = fopen(path, "rbe");
    if (!f) {
        fprintf(stderr, "cannot open %s\n", path);
        return -1;
    }
    uint8_t *bytes = NULL;
    size_t n = 0, room = 0, got;
    do {
        GROW(bytes, n + 65536, room);
        got = fread(bytes + n, 1, 65536, f);
        n += got;
    } while (got > 0);
    fclose(f);
    /* an exact copy, so that a sanitizer sees a read past the end */
    uint8_t *exact = xmalloc(n);
    memcpy(exact, bytes, n);
    LLVMFuzzerTestOneInput(exact, n);
    free(exact);
    free(bytes);
    return 1;
}

static int run_path(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return run_file(path);
    DIR *d = opendir(path);
    if (!d)
        return -1;
    int runs = 0;
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        char *child = xasprintf("%s/%s", path, e->d_name);
        int n = run_path(child);
        free(child);
        if (n < 0) {
            runs = -1;
            break;
        }
        runs += n;
    }
    closedir(d);
    return runs;
}

int main(int argc, char **argv)
{
    int total = 0;
    for (int i = 1; i < argc; i++) {
        int n = run_path(argv[i]);
        if (n <= 0) {
            fprintf(stderr, "nothing to replay in %s\n", argv[i]);
            return 1;
        }
        total += n;
    }
    printf("replayed %d inputs\n", total);
    return total > 0 ? 0 : 1;
}
