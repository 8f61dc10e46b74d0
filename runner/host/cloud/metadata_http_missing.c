/* In place of metadata_http.c where libcurl was not there at build time. */
#include "runner/host/cloud/cloud.h"

int metadata_http_create(struct metadata_http **out, struct error *err)
{
    (void)out;
    int rc =
        error_set(err, ERR_DEVICE, "this build cannot ask the metadata service: it has no libcurl");
    error_hint(err, "Debian, Ubuntu: install libcurl4-openssl-dev, then run cmake again.");
    return rc;
}

void metadata_http_destroy(struct metadata_http *h)
{
    (void)h;
}

struct transport metadata_http_transport(struct metadata_http *h)
{
    (void)h;
    return (struct transport){NULL, NULL};
}
