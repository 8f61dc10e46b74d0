/* Labels out of paths: which paths fit a pattern, and what they give. */
#include <criterion/criterion.h>

#include "core/base/strbuf.h"
#include "core/base/xalloc.h"
#include "store/import/path_labels.h"

/* "key=value,key=value", "no" when the path does not fit; of a pattern that is wrong the error. */
static char *labels(const char *pattern, const char *path)
{
    struct path_pattern *p = NULL;
    struct error err = ERROR_INIT;
    if (path_pattern_create(&p, pattern, &err) < 0) {
        cr_assert_eq(err.code, ERR_USAGE);
        return xstrdup(err.message);
    }
    size_t n = path_pattern_count(p);
    struct label *label = xcalloc(n, sizeof *label);
    struct strbuf out = STRBUF_INIT;
    if (path_pattern_match(p, path, label)) {
        for (size_t i = 0; i < n; i++) {
            strbuf_addf(&out, "%s%s=%s", i ? "," : "", label[i].key, label[i].value);
            free(label[i].key);
            free(label[i].value);
        }
    } else {
        strbuf_adds(&out, "no");
    }
    free(label);
    path_pattern_destroy(p);
    return strbuf_detach(&out);
}

Test(path_labels, fits)
{
    static const struct {
        const char *pattern, *path, *expected;
    } row[] = {
        {"results/{release}/{disk}/", "results/6.8/gp3/a.json", "release=6.8,disk=gp3"},
        {"results/{release}/{disk}/", "/home/me/results/6.8/gp3/deep/a.json",
         "release=6.8,disk=gp3"},
        {"results/{release}/{disk}/", "./results//6.8/./gp3/a.json", "release=6.8,disk=gp3"},
        {"./results/{release}/", "results/6.8/a.json", "release=6.8"},
        {"results/{release}/{disk}/", "results/6.8/a.json", "no"},
        {"results/{release}/{disk}/", "old/6.8/gp3/a.json", "no"},
        {"results/{release}/", "results.tar.gz/results/6.8/a.json", "release=6.8"},
        /* the outermost place that fits */
        {"{a}/", "x/y/z", "a=x"},
        {"r/{a}/", "r/r/1/z", "a=r"},
        /* the file name */
        {"fio-{disk}-*.json", "in/fio-gp3-1-2.json", "disk=gp3"},
        {"fio-{disk}-*.json", "in/fio-gp3.json", "no"},
        {"{disk}/fio-{qd}.json", "in/gp3/fio-32.json", "disk=gp3,qd=32"},
        {"{disk}/fio-{qd}.json", "fio-32.json", "no"},
        {"{disk}.json", "fio-gp3.json/other", "no"},
        {"*/{disk}_*.json", "x/nvme_a_b.json", "disk=nvme"},
        {"{a}-{b}.json", "1-2-3.json", "a=1,b=2-3"},
        {"{a}.json", ".json", "no"},
        {"a*b{c}b", "aXbYbZb", "c=YbZ"},
        {"*{c}", "x", "has two wildcards with nothing between them"},
        /* from the root */
        {"/data/{release}/", "/data/6.8/a.json", "release=6.8"},
        {"/data/{release}/", "/old/data/6.8/a.json", "no"},
        {"/data/{release}/", "data/6.8/a.json", "no"},
        {"/data/{name}.json", "/data/x/a.json", "no"},
        {"/data/{name}.json", "/data/a.json", "name=a"},
        /* values that no selector could name */
        {"{release}/", "6.8,rc1/a.json", "no"},
        {"{release}/", "6.8\n/a.json", "no"},
        {"{release}/", "6=8/a.json", "release=6=8"},
        {"{release}/", "\xc3\xa9/a.json", "release=\xc3\xa9"},
        /* patterns that cannot be */
        {"results/*/", "", "has no {key}"},
        {"", "", "has no {key}"},
        {"{a}/{a}/", "", "has a key twice"},
        {"{a}{b}/", "", "two wildcards"},
        {"{a/", "", "has a brace without a key"},
        {"a}/", "", "has a brace without a key"},
        {"{}/", "", "has a brace without a key"},
        {"{a=b}/", "", "has a brace without a key"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *got = labels(row[i].pattern, row[i].path);
        bool fits = strstr(got, "path pattern") ? strstr(got, row[i].expected) != NULL
                                                : strcmp(got, row[i].expected) == 0;
        cr_expect(fits, "%s on %s: \"%s\", expected \"%s\"", row[i].pattern, row[i].path, got,
                  row[i].expected);
        free(got);
    }
}

/* Time in proportion to the path, whatever stands in it. */
Test(path_labels, no_path_takes_long, .timeout = 100)
{
    struct strbuf path = STRBUF_INIT;
    for (int i = 0; i < 100000; i++)
        strbuf_adds(&path, "ab");
    char *got = labels("*a{x}a*a{y}a*a{z}c", path.text);
    cr_expect_str_eq(got, "no");
    free(got);
    strbuf_reset(&path);
    for (int i = 0; i < 100000; i++)
        strbuf_adds(&path, "a/");
    got = labels("{x}/b/", path.text);
    cr_expect_str_eq(got, "no");
    free(got);
    strbuf_release(&path);
}
