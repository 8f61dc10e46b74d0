/*
 * Entries of a document that are one cell: without group_reporting fio writes an entry for each of
 * numjobs clones, and in client/server mode one for each host as well. Sections of one load that ran at
 * the same time are one cell, too: on the same files as clones, on files of their own as devices that
 * were loaded together.
 */
#ifndef STORE_IMPORT_FIO_GROUP_H
#define STORE_IMPORT_FIO_GROUP_H

#include "store/import/fio_options.h"
#include "store/import/fio_scan.h"

/* The entries of one host or, of sections that differ in their files only, of one section; else all of them. */
struct fio_host {
    char *name; /* "host", "host:port" where one host has several servers; NULL: not named */
    json_id *entry;
    size_t n, room;
    size_t section; /* whose files they are of: 0 the group's, k section k - 1 */
};

/* A section that was added to the one that the group began with. */
struct fio_section {
    struct fio_options options;
    json_id entry;            /* its first */
    uint64_t first_job, jobs; /* as of the group */
};

struct fio_group {
    struct fio_host *host;
    size_t n_hosts, room;
    json_id all; /* the entry "All clients", when it sums up exactly this group; else 0 */
    struct fio_options options;
    struct fio_section *section;
    size_t n_sections, section_room;
    size_t *device; /* indexes into run.device: those of the first host, of the second, ... */
    size_t n_devices;
    uint64_t
        first_job;  /* of its first section, counted through the document from 1; 0: not known */
    uint64_t jobs;  /* of that section, of all its hosts; 0: not known */
    uint64_t batch; /* groups of one batch ran at the same time, but for their delays */
    bool beside;    /* others ran at the same time */
    bool together;  /* its hosts are no hosts but sections, each with files of its own */
};

struct fio_groups {
    struct fio_group *group;
    size_t n, room;
};

/*
 * Sorts the entries into groups: the same group id, job name and options, or the same options at the
 * same time. In order of the first entry of each. "All clients" is in none.
 */
void fio_groups_make(struct fio_groups *g, const struct fio_document *doc);
void fio_groups_release(struct fio_groups *g);

/* Adds the entries of `from`, a section, host by host; nothing is left in it. */
void fio_group_add(struct fio_group *to, struct fio_group *from, const struct json_doc *d);
/* Adds the section `from`, of one host, as one with files of its own; nothing is left in it. */
void fio_group_add_device(struct fio_group *to, struct fio_group *from);

/*
 * With the options read: finds out which groups ran at the same time, and adds up those with the same
 * options but for names and files. What was added to another one has no hosts any more.
 */
void fio_groups_beside(struct fio_groups *g, const struct fio_document *doc);

/* The longest run time that its entries state. */
double fio_group_seconds(const struct fio_group *g, const struct json_doc *d);

/* True when its hosts have different numbers of entries. */
bool fio_group_is_uneven(const struct fio_group *g);
/*
 * True when jobs of the group are not in the document, as far as it shows: a host without all clones of
 * the option numjobs (0: not stated), or a document that breaks off while more of it was to come.
 */
bool fio_group_lacks_jobs(const struct fio_group *g, const struct fio_document *doc,
                          uint64_t numjobs);

#endif
