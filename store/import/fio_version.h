/* The version of fio that wrote a result: decides units and meanings that changed over time. */
#ifndef STORE_IMPORT_FIO_VERSION_H
#define STORE_IMPORT_FIO_VERSION_H

#include <stdbool.h>

/* "fio-3.33", "fio-3.19-44-g8dbd-dirty", "fio-2.2.10"; 0.0.0 when unknown. */
struct fio_version {
    unsigned major, minor, patch;
};

/* Finds the numbers in the text; NULL and other texts give 0.0.0. What follows them is ignored. */
struct fio_version fio_version_parse(const char *text);
bool fio_version_known(struct fio_version v);
/* Unknown versions are taken for new ones. */
bool fio_version_before(struct fio_version v, unsigned major, unsigned minor);

#endif
