#include "runner/host/cloud/libcurl_internal.h"

#include <dlfcn.h>
#include <stddef.h>

#define FUNCTION(member)                                                                           \
    {                                                                                              \
        "curl_" #member, offsetof(struct libcurl, member)                                          \
    }

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
    FUNCTION(global_init),   FUNCTION(global_cleanup), FUNCTION(easy_init),
    FUNCTION(easy_cleanup),  FUNCTION(easy_reset),     FUNCTION(easy_perform),
    FUNCTION(easy_strerror), FUNCTION(slist_append),   FUNCTION(slist_free_all),
    FUNCTION(easy_setopt),   FUNCTION(easy_getinfo),
};

int libcurl_load(struct libcurl *out, const char *soname, struct error *err)
{
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        int rc = error_set(err, ERR_DEVICE, "cannot ask the metadata service: %s", dlerror());
        error_hint(err, "Debian, Ubuntu: install libcurl4.");
        return rc;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        /* POSIX: an address of dlsym is one of a function, though C has no cast for it */
        void *at = dlsym(library, functions[i].name);
        if (!at) {
            dlclose(library);
            return error_set(err, ERR_DEVICE, "cannot ask the metadata service: %s has no %s",
                             soname, functions[i].name);
        }
        memcpy((char *)out + functions[i].offset, &at, sizeof at);
    }
    return 0;
}
