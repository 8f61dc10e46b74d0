#include <blkid/blkid.h>
#include <errno.h>
#include <unistd.h>

#include "runner/device/safety_internal.h"

static const char *value_of(blkid_probe probe, const char *name)
{
    const char *text = NULL;
    return blkid_probe_lookup_value(probe, name, &text, NULL) == 0 ? text : NULL;
}

/* A table whose protective MBR is gone is a table still: its copy at the end is enough to repair it. */
enum { TABLE_FLAGS = BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT };

/*
 * Number of partitions in the table, -1 when it cannot be read. With a probe of its own: asking for
 * it frees what the search has found so far.
 */
static int count_partitions(int fd)
{
    blkid_probe probe = blkid_new_probe();
    blkid_partlist list = NULL;
    if (probe && blkid_probe_set_device(probe, fd, 0, 0) == 0 &&
        blkid_probe_enable_partitions(probe, 1) == 0 &&
        blkid_probe_set_partitions_flags(probe, BLKID_PARTS_FORCE_GPT) == 0)
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
 * The first copy of the superblock of ext2, ext3 and ext4 is at the start of the second group, which
 * begins after eight times as many blocks as a block has bytes (kernel, filesystems/ext4: super,
 * blockgroup): magic 0xEF53 at 56, the size of a block as a power of two over 1024 at 24, its group, 1,
 * at 90. With it e2fsck repairs a filesystem whose start was overwritten, where libblkid sees nothing.
 */
static bool has_ext_copy(int fd)
{
    for (unsigned log = 0; log <= 2; log++) {
        uint64_t block = UINT64_C(1024) << log;
        /* with blocks of 1 KiB the first one is the boot block, and not counted */
        uint64_t offset = (8 * block + (log == 0)) * block;
        unsigned char s[92] = {0};
        if (pread(fd, s, sizeof s, (off_t)offset) == (ssize_t)sizeof s && s[56] == 0x53 &&
            s[57] == 0xEF && s[24] == log && s[25] + s[26] + s[27] == 0 && s[90] == 1 && s[91] == 0)
            return true;
    }
    return false;
}

/*
 * Every signature is looked for, not the most likely one (blkid_do_safeprobe gives up when there
 * are two), and those with a bad checksum count: somebody may want to repair what they name.
 */
void signature_look(struct findings *out, const char *title, int fd)
{
    blkid_probe probe = blkid_new_probe();
    size_t before = out->n;
    int rc = -1;
    if (probe && blkid_probe_set_device(probe, fd, 0, 0) == 0 &&
        blkid_probe_enable_superblocks(probe, 1) == 0 &&
        blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL |
                                                     BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_BADCSUM) ==
            0 &&
        blkid_probe_enable_partitions(probe, 1) == 0 &&
        blkid_probe_set_partitions_flags(probe, TABLE_FLAGS) == 0) {
        errno = 0;
        while ((rc = blkid_do_probe(probe)) == 0)
            add_result(out, title, probe, fd);
    }
    if (rc < 0)
        finding_add(out, FINDING_UNREADABLE, title, "%s could not be searched for signatures: %s",
                    title, errno ? strerror(errno) : "libblkid failed");
    if (out->n == before && has_ext_copy(fd))
        finding_add(out, FINDING_SIGNATURE, title,
                    "%s: copy of the superblock of an ext filesystem whose own is gone", title);
    blkid_free_probe(probe);
}
