/*
 * libcurl, loaded when a metadata service is to be asked. It brings 24 more libraries along (TLS,
 * Kerberos, LDAP ...), which took half of the start of every command that asks nobody.
 */
#ifndef RUNNER_HOST_CLOUD_LIBCURL_INTERNAL_H
#define RUNNER_HOST_CLOUD_LIBCURL_INTERNAL_H

#include <curl/curl.h>

#include "core/base/error.h"

/* Since 2006; a change of the binary interface would change it. */
#define LIBCURL_SONAME "libcurl.so.4"

/* Only what is called; named and typed as in <curl/curl.h>. */
struct libcurl {
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_global_cleanup) *global_cleanup;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_easy_reset) *easy_reset;
    __typeof__(curl_easy_perform) *easy_perform;
    __typeof__(curl_easy_strerror) *easy_strerror;
    __typeof__(curl_slist_append) *slist_append;
    __typeof__(curl_slist_free_all) *slist_free_all;
    CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
    CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
};

/*
 * Fills *out. The library stays loaded until the process ends, since those it brings along do not
 * all bear to be taken out. ERR_DEVICE when there is no such library, or it lacks a function.
 */
int libcurl_load(struct libcurl *out, const char *soname, struct error *err);

#endif
