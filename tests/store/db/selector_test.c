/* Choosing runs: every form, ambiguity, and what is said when nothing matches. */
#include <criterion/criterion.h>

#include "store/db/store.h"

static struct store *s;

static int64_t add(const char *uuid, const char *name, const char *release, const char *disk)
{
    struct error err = ERROR_INIT;
    struct run *run = run_create();
    field_set_text(&run_fields, run, RUN_uuid, uuid);
    field_set_text(&run_fields, run, RUN_name, name);
    if (release)
        run_set_label(run, "release", release);
    if (disk)
        run_set_label(run, "disk", disk);
    struct sink sink = store_sink(s, SINK_ATOMIC);
    cr_assert_eq(sink.begin(sink.self, run, &err), 0, "%s", err.message);
    SET(run, RUN, status, STATUS_COMPLETE);
    cr_assert_eq(sink.end(sink.self, run, &err), 0, "%s", err.message);
    int64_t id = run->id;
    run_destroy(run);
    return id;
}

static void fill(void)
{
    struct error err = ERROR_INIT;
    cr_assert_eq(store_open(&s, NULL, STORE_MEMORY, &err), 0, "%s", err.message);
    add("3f2a0000-1111-4222-8333-444444444444", "first", "6.8", "gp3");           /* 1 */
    add("3f2b0000-1111-4222-8333-444444444444", "twice", "6.8", "a,b c'\"%_\\ä"); /* 2 */
    add("00030000-1111-4222-8333-444444444444", "twice", "6.9", "gp3");           /* 3 */
    add("abcdef00-1111-4222-8333-444444444444", "release=6.7", NULL, NULL);       /* 4 */
    add("12340000-1111-4222-8333-444444444444", "2", NULL, NULL);                 /* 5 */
}

static void drop(void)
{
    store_close(s);
}

TestSuite(selector, .init = fill, .fini = drop);

/* Runs of a selector as text "1 2", or the error message. */
static const char *chosen(const char *selector)
{
    static char text[ERROR_MESSAGE_MAX + 16];
    struct error err = ERROR_INIT;
    struct run_ids ids = {0};
    text[0] = '\0';
    int rc = store_select(s, selector, &ids, &err);
    if (rc < 0)
        snprintf(text, sizeof text, "%d %s", -rc, err.message);
    for (size_t i = 0, n = 0; i < ids.n; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%lld", i ? " " : "",
                              (long long)ids.id[i]);
    run_ids_release(&ids);
    return text;
}

static void expect_error(const char *selector, const char *part)
{
    const char *text = chosen(selector);
    cr_expect(strncmp(text, "2 ", 2) == 0 && strstr(text, part), "%s: %s", selector, text);
}

Test(selector, an_id)
{
    cr_expect_str_eq(chosen("1"), "1");
    expect_error("99", "no run matches \"99\" (5 runs");
    expect_error("99999999999999999999", "no run matches");
    expect_error("-1", "no run matches");
}

Test(selector, a_uuid_prefix)
{
    cr_expect_str_eq(chosen("3f2a"), "1");
    cr_expect_str_eq(chosen("3F2B0000-11"), "2");
    cr_expect_str_eq(chosen("abcdef001111"), "4");
    cr_expect_str_eq(chosen("1234"), "5");
    cr_expect_str_eq(chosen("abcdef00-1111-4222-8333-444444444444"), "4");
    expect_error("3f2", "no run matches");
    expect_error("abcdef00-1111-4222-8333-4444444444445", "no run matches");
}

Test(selector, the_latest_and_those_before)
{
    cr_expect_str_eq(chosen("@latest"), "5");
    cr_expect_str_eq(chosen("@-1"), "4");
    cr_expect_str_eq(chosen("@-4"), "1");
    expect_error("@-5", "no run matches");
    expect_error("@newest", "after @ comes latest");
    expect_error("@", "after @ comes latest");
    expect_error("@-x", "after @ comes latest");
}

Test(selector, labels)
{
    cr_expect_str_eq(chosen("release=6.8"), "1 2");
    cr_expect_str_eq(chosen("release=6.8,disk=gp3"), "1");
    cr_expect_str_eq(chosen("disk=gp3"), "1 3");
    expect_error("release=7", "Values of release: 6.8, 6.9");
    expect_error("kernel=7", "there are: disk, release");
    expect_error("release=", "no run matches");
    expect_error("=", "no run matches");
    expect_error("release=6.9,disk=none", "no run matches");
}

Test(selector, label_values_with_odd_characters)
{
    cr_expect_str_eq(chosen("disk=a,b c'\"%_\\ä"), "2");
    cr_expect_str_eq(chosen("disk=a,b c'\"%_\\ä,release=6.8"), "2");
    cr_expect_str_eq(chosen("release=6.8,disk=a,b c'\"%_\\ä"), "2");
    expect_error("disk=%", "no run matches");
}

Test(selector, a_name)
{
    cr_expect_str_eq(chosen("first"), "1");
    cr_expect_str_eq(chosen("release=6.7"), "4");
    expect_error("firs", "no run matches");
    expect_error("", "no run matches");
}

Test(selector, ambiguity_lists_the_candidates)
{
    expect_error("twice", "names 2 runs");
    expect_error("twice", "3f2b0000-1111");
    expect_error("twice", "00030000-1111");
    expect_error("2", "names 2 runs"); /* the id of one, the name of another */
    struct error err = ERROR_INIT;
    int64_t id = 0;
    cr_expect_eq(store_select_one(s, "release=6.8", &id, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "names 2 runs") && strstr(err.message, "first"), "%s",
              err.message);
    cr_expect_eq(store_select_one(s, "release=6.9", &id, &err), 0);
    cr_expect_eq(id, 3);
}

Test(selector, many_candidates_are_cut)
{
    for (int i = 0; i < 12; i++)
        add(NULL, "many", NULL, NULL);
    expect_error("many", "names 12 runs");
    expect_error("many", "and 2 more");
}

Test(selector, an_empty_store_says_so)
{
    drop();
    struct error err = ERROR_INIT;
    cr_assert_eq(store_open(&s, NULL, STORE_MEMORY, &err), 0, "%s", err.message);
    expect_error("@latest", "no runs in the store");
    expect_error("1", "no runs in the store");
}
