#include "tests/support/vectors.h"

#include <errno.h>

#include "core/base/xalloc.h"

cJSON *vectors_load(const char *name)
{
    char *path = xasprintf("%s/vectors/%s.json", TEST_DATA, name);
    FILE *f = fopen(path, "rbe");
    if (!f) {
        fprintf(stderr, "cannot open %s: %s\n", path, strerror(errno));
        abort();
    }
    fseek(f, 0, SEEK_END);
    size_t n = (size_t)ftell(f);
    rewind(f);
    char *text = xcalloc(n + 1, 1);
    if (fread(text, 1, n, f) != n)
        abort();
    fclose(f);
    cJSON *v = cJSON_Parse(text);
    if (!v) {
        fprintf(stderr, "%s is not JSON\n", path);
        abort();
    }
    free(text);
    free(path);
    return v;
}

double *vectors_doubles(const cJSON *array, size_t *n)
{
    *n = (size_t)cJSON_GetArraySize(array);
    double *v = xcalloc(*n, sizeof *v);
    size_t i = 0;
    const cJSON *e;
    cJSON_ArrayForEach(e, array) v[i++] = e->valuedouble;
    return v;
}

double vectors_number(const cJSON *object, const char *name)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!cJSON_IsNumber(v)) {
        fprintf(stderr, "a vector has no number \"%s\"\n", name);
        abort();
    }
    return v->valuedouble;
}

uint64_t vectors_whole(const cJSON *object, const char *name)
{
    return (uint64_t)vectors_number(object, name);
}
