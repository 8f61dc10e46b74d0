/*
 * What the host is, so that a result can be trusted later: a difference in any of this is listed
 * when two runs are compared. Read through a sysroot, save for what only system calls tell (clock
 * cost, limits, I/O priority, CPUID), which stays unknown for a recorded machine. No network: what
 * the cloud says about itself is another module's.
 */
#ifndef RUNNER_HOST_HOST_H
#define RUNNER_HOST_HOST_H

#include "core/base/sysroot.h"
#include "core/model/run.h"

/*
 * Fills *out (empty before); release with fields_release(&host_fields, out). Takes about a
 * millisecond (the clock is timed). An unlimited resource limit stays unknown.
 */
void host_describe(struct host_info *out, const struct sysroot *sr);

/*
 * Adds to the run a limit of owner "host" for every cgroup throttle that holds for this process on
 * a device of the run, or on one that it stands on: blkio.throttle of cgroup v1 (this group only,
 * as the kernel does it), io.max of cgroup v2 (this group and those around it).
 */
void host_add_limits(struct run *run, const struct sysroot *sr);

#endif
