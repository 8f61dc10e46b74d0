/*
 * What disks and virtual machines of a cloud are allowed to do: a catalogue
 * (schemas/limits/<cloud>.json, docs/limits.md) and files of the user in the same format, turned
 * into limits (core/model/limit.h) for one VM size, one disk, its size and its host caching; and
 * the texts of --disk and --cap.
 *
 * A catalogue belongs to one thread. Entries, and all texts in them, live as long as it does.
 */
#ifndef STORE_LIMITS_LIMITS_H
#define STORE_LIMITS_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/model/limit.h"

struct limit_list {
    struct limit *item;
    size_t n, room;
};

/* Adds an empty record; earlier pointers into the list become invalid. */
struct limit *limit_list_add(struct limit_list *list);
void limit_list_release(struct limit_list *list);

/* ---- The catalogue ----------------------------------------------------------------------------- */

/* What a cap is derived from; `iops` and `mbps` are those of the disk, mbps in its own unit. */
struct limit_formula {
    double base, per_gib, per_vcpu, per_iops, per_mbps; /* summed up */
    bool empty;                                         /* none of these is given */
    const struct limit_formula *min, *max;              /* bounds of the sum; NULL: none */
};

enum limit_bw_unit {
    BW_DECIMAL, /* MB/s, 10^6 bytes */
    BW_BINARY,  /* MiB/s, 2^20 bytes */
    BW_UNSURE,  /* published as MBps; may be either */
    BW_UNIT_COUNT,
};

struct limit_rule {
    enum limit_kind kind;
    enum limit_side side;
    enum limit_phase phase;
    enum limit_path path;
    enum limit_bw_unit unit; /* of bw */
    bool chosen;      /* the user sets it; value is the default, its bounds what can be set */
    const char *disk; /* holds for disks of this class only; NULL: for the others */
    struct limit_formula value;
    const struct limit_formula *credits; /* I/Os, or GiB for bw; NULL: see seconds */
    double seconds;                      /* the bucket lasts so long at full burst; 0: unknown */
};

struct limit_entry {
    enum limit_owner owner; /* OWNER_DISK or OWNER_VM */
    const char *cloud;
    const char *name;
    const char *type; /* disks: sold under this name, and the size tells which entry; or NULL */
    const char *disk_class;      /* disks: for limit_rule.disk; the name when not given */
    const char *series;          /* VMs: any of this series within the vCPUs; or NULL */
    const char *note;            /* or NULL */
    const char *where, *checked; /* source and its date */
    double gib_min, gib_max;     /* disks; 0 and 0: any */
    double vcpus_min, vcpus_max; /* 0: unknown, and without end */
    uint64_t io_size;            /* an I/O above it counts as several; 0: not known */
    bool local;                  /* of the VM itself: its limits for network disks do not hold */
    bool no_cache;               /* host caching is not possible */
    const struct limit_rule *rule;
    size_t n_rules;
};

struct limit_catalogue;

/* The built-in catalogue. Fails only when it is damaged (ERR_INPUT). */
int limit_catalogue_create(struct limit_catalogue **out, struct error *err);
/* Without entries; for tests and for files alone. */
struct limit_catalogue *limit_catalogue_empty(void);
/* Accepts NULL. */
void limit_catalogue_destroy(struct limit_catalogue *c);
/*
 * Adds the entries of a JSON text, in front: they take the place of earlier ones with the same name.
 * ERR_INPUT, with the entry and what is wrong, when it is not as limits.schema.json asks.
 */
int limit_catalogue_add(struct limit_catalogue *c, const char *text, size_t n, const char *origin,
                        struct error *err);
/* As limit_catalogue_add, from a file of at most 16 MiB. */
int limit_catalogue_add_file(struct limit_catalogue *c, const char *path, struct error *err);
/*
 * Adds what a cloud's tool printed as JSON: `aws ec2 describe-instance-types` (VM sizes), `aws ec2
 * describe-volumes` and `az disk show` (disks, under their ids or names, with their own figures),
 * and what limit_update() takes. ERR_INPUT.
 */
int limit_catalogue_add_cloud(struct limit_catalogue *c, const char *path, struct error *err);
/* $XDG_CONFIG_HOME/blkmatrix/limits.json, else ~/.config/...; free with free(). NULL without both. */
char *limit_user_file(void);

/* The i-th entry, those added last first; NULL after the last. Replaced entries are not among them. */
const struct limit_entry *limit_catalogue_entry(const struct limit_catalogue *c, size_t i);
/* An entry by its name (case does not count), or a VM by the series of its name; NULL: none. */
const struct limit_entry *limit_find(const struct limit_catalogue *c, enum limit_owner owner,
                                     const char *name);
/* True when limit_find finds it or it is the type of disks. */
bool limit_is_known(const struct limit_catalogue *c, enum limit_owner owner, const char *name);

/* ---- From a catalogue to limits ---------------------------------------------------------------- */

enum limit_cache { CACHE_UNKNOWN, CACHE_NONE, CACHE_RO, CACHE_RW };

/* A disk as the user describes it. */
struct limit_disk {
    char *name;
    uint64_t size;     /* bytes; 0: unknown */
    double iops, mbps; /* as set; NaN: unknown. mbps in the unit of the type */
    enum limit_cache cache;
};
void limit_disk_release(struct limit_disk *d);

/* "NAME[,iops=N,mbps=N,size=SIZE,cache=none|ro|rw]". *out is to be released also on failure. */
int limit_disk_parse(struct limit_disk *out, const char *text, struct error *err);

/* The entry of a disk: by name, or by type and size. ERR_USAGE: none fits, or the size is needed. */
int limit_find_disk(const struct limit_catalogue *c, const struct limit_disk *disk,
                    const struct limit_entry **out, struct error *err);
/* Adds the limits of the disk. ERR_USAGE: something is missing or cannot be set so. */
int limit_of_disk(const struct limit_catalogue *c, const struct limit_disk *disk,
                  struct limit_list *out, struct error *err);
/*
 * Adds the limits of the VM that hold for the disk (NULL: for disks in general). With caching "none"
 * its cached limits do not hold. A name that is unknown is ERR_USAGE. Nothing is added when no limits
 * of this VM are known.
 */
int limit_of_vm(const struct limit_catalogue *c, const char *vm, const struct limit_disk *disk,
                struct limit_list *out, struct error *err);

/*
 * The class of disk by which the limits of this VM differ for that disk; NULL: those for disks in
 * general hold. Two disks with the same have the same limits of the VM.
 */
const char *limit_vm_class(const struct limit_entry *vm, const struct limit_entry *disk);

/* Appends a formula in words: "1 per GiB". */
void limit_formula_words(struct strbuf *out, const struct limit_formula *f);
/* Appends a rule in words: "3 per GiB, at least 100, at most 16000 IOPS". */
void limit_rule_words(struct strbuf *out, const struct limit_rule *rule);
extern const char *const limit_bw_units[BW_UNIT_COUNT + 1]; /* MB/s MiB/s MBps */
/* Appends all of a rule: "burst cached read 3500 IOPS, bucket of 5868000 I/Os (disks: pd-ssd)". */
void limit_cap_words(struct strbuf *out, const struct limit_rule *rule);

/* ---- Bringing it up to date ---------------------------------------------------------------------- */

struct limit_change {
    enum limit_owner owner;
    char *name;
    char *before; /* caps in words; NULL: it is new */
    char *after;
};

struct limit_update {
    const char *what; /* the tool whose output it was */
    const char *cloud;
    char date[11]; /* of the file */
    struct limit_change *change;
    size_t n, room;
    size_t unchanged;
};
void limit_update_release(struct limit_update *u);

/*
 * Takes over what a cloud's tool printed (`aws ec2 describe-instance-types`, `az vm list-skus`,
 * `gcloud compute machine-types list`, `disk-types list`): entries that c (the built-in ones and
 * those of `file`) has not, or has with other figures, are written into `file`, with their source
 * and the date of `from`. Everything else in it stays. The file is replaced as a whole, or, on an
 * error, not at all. ERR_INPUT: `from` or `file` is bad; ERR_USAGE: it cannot be written.
 */
int limit_update(struct limit_update *out, const struct limit_catalogue *c, const char *file,
                 const char *from, struct error *err);

/* ---- Limits by hand ---------------------------------------------------------------------------- */

/*
 * "OWNER:NAME=VALUE,..." as limits: OWNER is disk, vm, host, or disk[0] for the first device alone;
 * NAMEs are iops and bw, each with read- or write- and with burst- before it, and io-size, credits,
 * byte-credits. They take the place of limits in the list of the same owner, kind and phase.
 */
int limit_cap_parse(struct limit_list *out, const char *text, struct error *err);

#endif
