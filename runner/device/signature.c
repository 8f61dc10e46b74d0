#include <blkid/blkid.h>
#include <errno.h>

#include "runner/device/safety_internal.h"

static const char *value_of(blkid_probe probe, const char *name)
{
    const char *text = NULL;
    return blkid_probe_lookup_value(probe, name, &text, NULL) == 0 ? text : NULL;
}

/*
 * Number of partitions in the table, -1 when it cannot be read. With a probe of its own: asking for
 * it frees what the search has found so far.
 */
static int count_partitions(int fd)
{
    blkid_probe probe = blkid_new_probe();
    blkid_partlist list = NULL;
    if (probe && blkid_probe_set_device(probe, fd, 0, 0) == 0 &&
        blkid_probe_enable_partitions(probe, 1) == 0)
        list = blkid_probe_get_partitions(probe);
    int n = list ? blkid_partlist_numof_partitions(list) : -1;
    blkid_free_probe(probe);
    return n;
}

static void add_table(struct findings *out, const char *title, const char *type, int fd)
{
    int n = count_partitions(fd);
    const char *name = strcmp(type, "dos") == 0 ? "dos (MBR)" : type;
    if (n < 0)
        finding_add(out, FINDING_PARTITION_TABLE, title, "%s: %s partition table", title, name);
    else
        finding_add(out, FINDING_PARTITION_TABLE, title,
                    "%s: %s partition table with %d partition%s", title, name, n,
                    n == 1 ? "" : "s");
}

static void add_result(struct findings *out, const char *title, blkid_probe probe, int fd)
{
    const char *type = value_of(probe, "TYPE");
    const char *label = value_of(probe, "LABEL");
    const char *table = value_of(probe, "PTTYPE");
    if (type && label && *label)
        finding_add(out, FINDING_SIGNATURE, title, "%s: %s signature \"%s\"", title, type, label);
    else if (type)
        finding_add(out, FINDING_SIGNATURE, title, "%s: %s signature", title, type);
    else if (table)
        add_table(out, title, table, fd);
}

/*
 * Every signature is looked for, not the most likely one (blkid_do_safeprobe gives up when there
 * are two), and those with a bad checksum count: somebody may want to repair what they name.
 */
void signature_look(struct findings *out, const char *title, int fd)
{
    blkid_probe probe = blkid_new_probe();
    int rc = -1;
    if (probe && blkid_probe_set_device(probe, fd, 0, 0) == 0 &&
        blkid_probe_enable_superblocks(probe, 1) == 0 &&
        blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL |
                                                     BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_BADCSUM) ==
            0 &&
        blkid_probe_enable_partitions(probe, 1) == 0 &&
        blkid_probe_set_partitions_flags(probe, BLKID_PARTS_MAGIC) == 0) {
        errno = 0;
        while ((rc = blkid_do_probe(probe)) == 0)
            add_result(out, title, probe, fd);
    }
    if (rc < 0)
        finding_add(out, FINDING_UNREADABLE, title, "%s could not be searched for signatures: %s",
                    title, errno ? strerror(errno) : "libblkid failed");
    blkid_free_probe(probe);
}
