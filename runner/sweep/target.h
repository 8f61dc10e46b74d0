/*
 * What a sweep measures: open devices and files, or the disks of a simulated device. Everything is
 * opened, and checked for safety, before the first cell starts, and stays open until the end.
 */
#ifndef RUNNER_SWEEP_TARGET_H
#define RUNNER_SWEEP_TARGET_H

#include "runner/device/device.h"
#include "runner/engine/engine.h"

struct sweep_target {
    struct device *device; /* NULL: simulated, or only looked at */
    uint64_t size;         /* usable bytes */
    char *path;            /* as given; owned */
    struct device_info info;
};

/* Size of a simulated disk when none is asked for. */
#define SIM_DISK_SIZE (UINT64_C(64) << 30)

/*
 * Opens what the request names; an engine that needs no device gets a simulated disk of that name
 * and size. The errors are those of device_open().
 */
int sweep_target_open(struct sweep_target *out, const struct engine_ops *engine,
                      const struct device_request *request, struct error *err);
/*
 * The same without opening or making anything, for a plan that is only shown. A target that would be
 * refused for writing is no error here: *refused is filled then, unless it is already.
 */
int sweep_target_look(struct sweep_target *out, const struct engine_ops *engine,
                      const struct device_request *request, struct error *refused,
                      struct error *err);
void sweep_target_close(struct sweep_target *t);

/*
 * Bytes to ask for (device_request.size) where `size` bytes are used from a share of the target on:
 * 0, that is all there is, of what exists, as the share is one of the whole; else the size in which
 * the target is to be made so that the rest behind the share is large enough.
 */
uint64_t sweep_target_size(const char *path, uint64_t size, double offset_percent);

#endif
