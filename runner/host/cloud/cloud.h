/*
 * Which cloud this machine is in, which VM size it is, and which volume of the cloud a block device
 * is: from the firmware (DMI), from the metadata service of the cloud, and from sysfs and udev.
 *
 * The firmware is asked first, and only a machine that it names as one of the cloud's asks that
 * cloud's metadata service: nothing goes out on the network of any other. No credentials are ever
 * asked for: AWS's session token only opens the same metadata, and is kept nowhere.
 *
 * Everything a service says is text from outside: bounded, and taken only when it has the form that
 * is documented; what has not is unknown, and said. One thread.
 */
#ifndef RUNNER_HOST_CLOUD_CLOUD_H
#define RUNNER_HOST_CLOUD_CLOUD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/base/sysroot.h"
#include "core/model/device_info.h"

/* ---- Asking a metadata service ------------------------------------------------------------------ */

struct http_request {
    const char *method; /* GET or PUT, without a body */
    const char *path;   /* with its query, from the leading slash */
    const char *header; /* "Name: value", or NULL */
    const char *wanted; /* header of the answer to be returned, or NULL */
};

struct http_answer {
    int status;   /* 200, 404 ... */
    char *body;   /* NUL-terminated; free with http_answer_release */
    char *header; /* value of the wanted one; NULL: there was none */
};
void http_answer_release(struct http_answer *a);

/* How a request reaches the service: the network, or a recording. */
struct transport {
    void *self;
    /*
     * 0 with any status, redirects included (none is followed), or ERR_DEVICE with what went wrong:
     * no answer in time, an answer that is too large or no HTTP.
     */
    int (*ask)(void *self, const struct http_request *request, struct http_answer *out,
               struct error *err);
};

struct metadata_http; /* the network */

/*
 * For http://169.254.169.254, the address of every cloud. Within 1 s a request and 3 s in all; no
 * proxy, no redirects, no names to resolve, answers of at most 256 KiB. BLKMATRIX_METADATA_URL in
 * the environment, for tests, takes the place of the address when it is http://127.0.0.1:PORT: only
 * this machine can be named. ERR_DEVICE when it is something else, or libcurl is not there, or
 * was not when this was built.
 */
int metadata_http_create(struct metadata_http **out, struct error *err);
void metadata_http_destroy(struct metadata_http *h);
struct transport metadata_http_transport(struct metadata_http *h);

/* ---- What there is to know ---------------------------------------------------------------------- */

/* The firmware's words; each may be NULL. */
struct dmi {
    char *sys_vendor, *product_name, *board_vendor, *bios_vendor, *bios_version;
    char *chassis_asset_tag;
    char *product_serial;  /* only root may read it */
    char *hypervisor_uuid; /* Xen */
};
void dmi_read(struct dmi *out, const struct sysroot *sr);
void dmi_release(struct dmi *d);

enum cloud_disk_kind {
    CLOUD_DISK_UNKNOWN,
    CLOUD_DISK_NETWORK, /* a volume of the cloud: limits of the VM hold for it */
    CLOUD_DISK_LOCAL,   /* in the host itself */
};

/* A disk as the metadata service lists it, or as a device was found to be. Texts may be NULL. */
struct cloud_disk {
    enum cloud_disk_kind kind;
    char *id;          /* vol-..., the name of the disk or of its attachment */
    char *type;        /* as the cloud sells it: Premium_LRS, pd-ssd */
    char *cache;       /* none, ro, rw */
    char *device;      /* AWS: "sdf"; the kernel may have another name for it */
    char *where;       /* what says so: "sysfs model and serial", "metadata service, LUN 2" */
    int64_t lun;       /* Azure; -1: none, or the disk with the system */
    bool system;       /* Azure: the disk with the system */
    uint64_t size;     /* bytes; 0: unknown. Google: of all disks of this type */
    double iops, mbps; /* as set for the disk; NaN: unknown. mbps in 10^6 bytes */
};
void cloud_disk_init(struct cloud_disk *d);
void cloud_disk_release(struct cloud_disk *d);

struct cloud_facts {
    char *instance_type, *region, *image; /* region with its zone, where there is one */
    struct cloud_disk *disk;
    size_t n_disks, room;
};
struct cloud_disk *cloud_facts_add(struct cloud_facts *f);
void cloud_facts_release(struct cloud_facts *f);

/* ---- A provider --------------------------------------------------------------------------------- */

struct cloud_ops {
    const char *name;    /* aws, azure, gcp: as in the catalogue of limits */
    const char *title;   /* for people */
    bool dmi_names_size; /* the product of DMI is the VM size */
    /* True when the firmware says so; *why (cleared before) gets the words that did. */
    bool (*detect)(const struct dmi *dmi, struct strbuf *why);
    /*
     * Asks the service. Facts that came are in *out also on failure; ERR_DEVICE says what could not
     * be had and why.
     */
    int (*fetch)(const struct transport *t, struct cloud_facts *out, struct error *err);
    /*
     * Which disk the block device with this kernel name (a whole disk) is. False, and *out as it
     * was, when nothing is known of it.
     */
    bool (*match_volume)(const struct sysroot *sr, const char *disk,
                         const struct cloud_facts *facts, struct cloud_disk *out);
};

extern const struct cloud_ops cloud_aws, cloud_azure, cloud_gcp;
extern const struct cloud_ops *const cloud_registry[]; /* NULL-terminated */

/* The provider that the firmware names; NULL: none. *why as in detect. */
const struct cloud_ops *cloud_find(const struct dmi *dmi, struct strbuf *why);

/*
 * Kernel names of the whole disks that a device stands on, itself when it is one: partitions,
 * LVM, RAID and files are followed down. Free with sysroot_list_free().
 */
char **cloud_disks_below(size_t *n, const struct sysroot *sr, const struct device_info *info);

/* ---- Recordings --------------------------------------------------------------------------------- */

struct cloud_recording; /* questions and answers, in order */

/* A transport that passes on to `real` (NULL: nothing is asked, every answer is recorded already). */
struct cloud_recording *cloud_recording_create(const struct transport *real);
void cloud_recording_destroy(struct cloud_recording *r);
struct transport cloud_recording_transport(struct cloud_recording *r);
/* From, and to, JSON: [{"method", "path", "status", "header", "body"} or {..., "error"}]. ERR_INPUT. */
int cloud_recording_parse(struct cloud_recording **out, const char *text, const char *origin,
                          struct error *err);
char *cloud_recording_json(const struct cloud_recording *r); /* free() */

/*
 * Copies what detection reads of this machine into the folder, which must not exist: `sysroot/` with
 * DMI, block devices, links of udev, cgroup files; `metadata.json`, the recording (NULL: nothing was
 * asked); `README`, what is in it. `also` names further files, NULL-terminated. ERR_USAGE when it
 * cannot be made.
 */
int cloud_record_folder(const char *folder, const struct sysroot *sr,
                        const struct cloud_recording *metadata, const char *const *also,
                        struct error *err);

#endif
