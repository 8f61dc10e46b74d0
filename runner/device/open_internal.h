/* The two ways to an open target; device_open() chooses. */
#ifndef RUNNER_DEVICE_OPEN_INTERNAL_H
#define RUNNER_DEVICE_OPEN_INTERNAL_H

#include "runner/device/device.h"

struct device {
    int fd;
    uint64_t size;
    bool mark_at_end; /* a scratch file that is written: marked again when it is closed */
    struct device_info info;
};

/* Each fills d->fd, d->size and what it learns into d->info (described already). */
int open_block(struct device *d, const struct device_request *r, struct error *err);
int open_file(struct device *d, const struct device_request *r, struct error *err);

/*
 * ERR_REFUSED unless the target behind fd may be written. What only says that others have it open
 * is looked at again for a second or two: udev and the like open a device for milliseconds, on a busy
 * machine for longer.
 */
int check_before_write(const struct device_info *info, int fd, bool claimed,
                       const struct safety_permit *permit, struct error *err);

/* ERR_DEVICE (or ERR_REFUSED for a busy device) with the reason open() gave and what to do. */
int open_failed(const struct device_info *info, int errnum, bool direct, struct error *err);

#endif
