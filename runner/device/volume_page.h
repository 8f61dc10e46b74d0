/*
 * What a volume of Amazon EC2 counts about itself: I/Os, bytes, latencies, and for how long the load
 * asked for more than the volume, or the VM, may do. It is the vendor's log page D0h of the NVMe
 * controller, of EBS volumes and of instance stores on Nitro.
 *
 * Sources: EBS User Guide, "Amazon EBS detailed performance statistics"; EC2 User Guide, the same for
 * instance store volumes; amazon-ec2-utils (ebsnvme); nvme-cli (plugins/amzn). Counters run from the
 * attachment of the volume on and are of this attachment; the guides ask for at most one reading a
 * second. Of an instance store's page only the counters are taken: public readers disagree on the rest.
 *
 * No state is kept; any thread.
 */
#ifndef RUNNER_DEVICE_VOLUME_PAGE_H
#define RUNNER_DEVICE_VOLUME_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/sysroot.h"
#include "core/model/volume_stat.h"

enum { VOLUME_PAGE_SIZE = 4096, VOLUME_BINS_MAX = 64 };

enum volume_kind { VOLUME_EBS, VOLUME_INSTANCE_STORE, VOLUME_KIND_COUNT };
extern const char *const volume_kind_names[VOLUME_KIND_COUNT + 1]; /* "ebs", "instance-store" */

/* The counters in the order of the page; times in us. */
enum volume_count {
    VOLUME_READS,
    VOLUME_WRITES,
    VOLUME_READ_BYTES,
    VOLUME_WRITE_BYTES,
    VOLUME_READ_US,
    VOLUME_WRITE_US,
    VOLUME_DISK_IOPS_US, /* demand was above what the volume may do */
    VOLUME_DISK_BW_US,
    VOLUME_VM_IOPS_US, /* above what the VM may do on all its volumes; EBS only */
    VOLUME_VM_BW_US,
    VOLUME_COUNTS,
};

/* I/Os that took from_us <= t < to_us. */
struct volume_bin {
    uint64_t from_us, to_us;
    uint32_t n;
};

struct volume_hist {
    struct volume_bin bin[VOLUME_BINS_MAX];
    size_t n; /* 0: not known */
};

struct volume_page {
    enum volume_kind kind;
    uint64_t count[VOLUME_COUNTS]; /* those of the VM are 0 for an instance store */
    uint64_t queue;                /* I/Os waiting at this moment */
    struct volume_hist read, write;
};

/* The page out of its bytes. ERR_DEVICE when it is shorter, or is not one of the two. */
int volume_page_parse(struct volume_page *out, const unsigned char *bytes, size_t n,
                      struct error *err);

/*
 * What happened between two readings of one volume, span_ns apart; *out must be empty and has no name
 * yet. False, and *out as it was, when a counter went down: the volume was attached anew.
 */
bool volume_page_difference(struct volume_stat *out, const struct volume_page *before,
                            const struct volume_page *after, uint64_t span_ns);

/* By the model that the NVMe disk with this kernel name reports: true when it should have the page. */
bool volume_has_page(const struct sysroot *sr, const char *name);
/*
 * Asks /dev/NAME, which only root may. Below another root the bytes are read from a file beside it,
 * dev/NAME.log-d0. ERR_DEVICE with the reason and what to do.
 */
int volume_page_read(struct volume_page *out, const struct sysroot *sr, const char *name,
                     struct error *err);

#endif
