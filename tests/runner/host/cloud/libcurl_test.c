/* What loads libcurl says why it cannot, and leaves nothing half done. */
#include <criterion/criterion.h>

#include "runner/host/cloud/libcurl_internal.h"

Test(libcurl, loads_what_it_was_built_with)
{
    struct libcurl lib;
    struct error err = ERROR_INIT;
    cr_assert(libcurl_load(&lib, LIBCURL_SONAME, &err) == 0, "%s", err.message);
    cr_expect_str_eq(lib.easy_strerror(CURLE_OK), "No error");
    struct curl_slist *list = lib.slist_append(NULL, "one");
    cr_expect_str_eq(list->data, "one");
    lib.slist_free_all(list);
}

Test(libcurl, is_not_there)
{
    struct libcurl lib;
    struct error err = ERROR_INIT;
    cr_expect_eq(libcurl_load(&lib, "libnothing.so.4", &err), -ERR_DEVICE);
    cr_expect(strstr(err.message, "libnothing.so.4"), "%s", err.message);
    cr_expect(strstr(err.message, "libcurl4"), "%s", err.message);
}

Test(libcurl, is_another_library)
{
    struct libcurl lib;
    struct error err = ERROR_INIT;
    cr_expect_eq(libcurl_load(&lib, "libc.so.6", &err), -ERR_DEVICE);
    cr_expect(strstr(err.message, "libc.so.6 has no curl_"), "%s", err.message);
}
