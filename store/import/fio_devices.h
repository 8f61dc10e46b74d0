/* The devices and files of fio's jobs, from the options that name them. */
#ifndef STORE_IMPORT_FIO_DEVICES_H
#define STORE_IMPORT_FIO_DEVICES_H

#include "core/model/run.h"
#include "store/import/fio_group.h"

struct fio_paths {
    char **path;
    size_t n, room;
};

/*
 * What the options name, each once: files, else an image of an object store (rbd:pool/image), else the
 * folder that the job makes its files in. Release with fio_paths_release.
 */
void fio_paths_read(struct fio_paths *p, const struct fio_options *o);
void fio_paths_release(struct fio_paths *p);

/*
 * Lists the devices of every group in the run, each once, and their indexes in the group. Of several
 * hosts each has its own: "host:/dev/sdb". A job whose options name nothing has no device.
 */
void fio_devices_read(struct run *run, struct fio_groups *groups);

#endif
