#include "core/model/run.h"

#include <criterion/criterion.h>

Test(run, labels)
{
    struct run *r = run_create();
    cr_expect_null(run_label(r, "release"));
    run_set_label(r, "release", "6.8");
    run_set_label(r, "host", "a");
    run_set_label(r, "release", "6.9");
    cr_expect_eq(r->n_labels, 2);
    cr_expect_str_eq(run_label(r, "release"), "6.9");
    run_set_label(r, "release", run_label(r, "release")); /* its own text */
    cr_expect_str_eq(run_label(r, "release"), "6.9");
    run_destroy(r);
    run_destroy(NULL);
}

static void expect_label(const char *key, const char *value, const char *part)
{
    struct error err = ERROR_INIT;
    int rc = label_check(key, value, &err);
    cr_expect_eq(rc, part ? -ERR_USAGE : 0, "%.20s=%.20s", key, value ? value : "");
    if (part)
        cr_expect(strstr(err.message, part), "expected \"%s\" in: %s", part, err.message);
}

Test(run, labels_have_a_length)
{
    char key[LABEL_KEY_MAX + 2], value[LABEL_VALUE_MAX + 2];
    memset(key, 'k', sizeof key);
    memset(value, 'v', sizeof value);
    key[LABEL_KEY_MAX + 1] = value[LABEL_VALUE_MAX + 1] = '\0';
    expect_label("release", value, "the value of the label \"release\" has 1025 bytes");
    expect_label(key, "6.9", "has 65 bytes");
    expect_label(key, NULL, NULL); /* one that is there already can be taken away */
    key[LABEL_KEY_MAX] = value[LABEL_VALUE_MAX] = '\0';
    expect_label(key, value, NULL);
    expect_label("release", "", NULL);
    expect_label("", "6.9", "cannot be the key");
    expect_label("a,b", NULL, "cannot be the key");
    expect_label("a=b", "c", "cannot be the key");
}

Test(run, devices_and_limits)
{
    struct run *r = run_create();
    for (int i = 0; i < 5; i++) {
        struct device_info *d = run_add_device(r);
        cr_expect_eq(d->known, 0);
        field_set_text(&device_fields, d, DEVICE_path, "/dev/sda");
        struct limit *l = run_add_limit(r);
        cr_expect_eq(l->known, 0);
        field_set_text(&limit_fields, l, LIMIT_name, "P6");
    }
    field_set_text(&host_fields, &r->host, HOST_kernel, "6.18");
    cr_expect_eq(r->n_devices, 5);
    cr_expect_eq(r->n_limits, 5);
    run_destroy(r);
}

static bool is_uuid(const char *s, char version)
{
    if (strlen(s) != 36 || s[14] != version || !strchr("89ab", s[19]))
        return false;
    for (int i = 0; i < 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? s[i] != '-' : !strchr("0123456789abcdef", s[i]))
            return false;
    }
    return true;
}

Test(run, uuids)
{
    char a[UUID_TEXT_MAX], b[UUID_TEXT_MAX];
    cr_expect(is_uuid(uuid_random(a), '4'), "%s", a);
    cr_expect_str_neq(a, uuid_random(b));
    cr_expect(is_uuid(uuid_from_text(a, "content"), '5'), "%s", a);
    cr_expect_str_eq(a, uuid_from_text(b, "content"));
    cr_expect_str_neq(a, uuid_from_text(b, "other content"));
}
