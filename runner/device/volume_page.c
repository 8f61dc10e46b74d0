#include "runner/device/volume_page.h"

#include <endian.h>
#include <string.h>

#include "core/base/json.h"

const char *const volume_kind_names[VOLUME_KIND_COUNT + 1] = {"ebs", "instance-store", NULL};

#define MAGIC_EBS            0x3C23B510u
#define MAGIC_INSTANCE_STORE 0xEC2C0D7Eu

/* Places in the page; everything is little-endian. */
enum {
    AT_MAGIC = 0,
    AT_COUNTS = 8,
    AT_QUEUE = 88,
    AT_READ_HIST = 512,
    AT_WRITE_HIST = 2056,
    /* of a histogram: number of bins, bins; of a bin: from, to, count, 4 bytes of nothing */
    HIST_BINS = 8,
    BIN_SIZE = 24,
};

static uint32_t le32(const unsigned char *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return le32toh(v);
}

static uint64_t le64(const unsigned char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return le64toh(v);
}

static int parse_hist(struct volume_hist *out, const unsigned char *p, const char *which,
                      struct error *err)
{
    uint64_t n = le64(p);
    if (n > VOLUME_BINS_MAX)
        return error_set(err, ERR_DEVICE,
                         "the volume's statistics page is damaged: %llu bins in its "
                         "histogram of %s, which has room for %d",
                         (unsigned long long)n, which, VOLUME_BINS_MAX);
    out->n = (size_t)n;
    p += HIST_BINS;
    for (size_t i = 0; i < out->n; i++, p += BIN_SIZE)
        out->bin[i] = (struct volume_bin){le64(p), le64(p + 8), le32(p + 16)};
    return 0;
}

/* The store's own cap has the place of EBS's cap of the VM. */
static void move_store_counts(uint64_t count[VOLUME_COUNTS])
{
    count[VOLUME_DISK_IOPS_US] = count[VOLUME_VM_IOPS_US];
    count[VOLUME_DISK_BW_US] = count[VOLUME_VM_BW_US];
    count[VOLUME_VM_IOPS_US] = count[VOLUME_VM_BW_US] = 0;
}

int volume_page_parse(struct volume_page *out, const unsigned char *bytes, size_t n,
                      struct error *err)
{
    if (n < VOLUME_PAGE_SIZE)
        return error_set(err, ERR_DEVICE,
                         "the volume's statistics page has %zu bytes in place of %d", n,
                         VOLUME_PAGE_SIZE);
    uint32_t magic = le32(bytes + AT_MAGIC);
    if (magic != MAGIC_EBS && magic != MAGIC_INSTANCE_STORE)
        return error_set(err, ERR_DEVICE,
                         "log page D0h is not a volume's statistics: it begins with %08x", magic);
    struct volume_page page = {.kind = magic == MAGIC_EBS ? VOLUME_EBS : VOLUME_INSTANCE_STORE,
                               .queue = le64(bytes + AT_QUEUE)};
    for (size_t i = 0; i < VOLUME_COUNTS; i++)
        page.count[i] = le64(bytes + AT_COUNTS + 8 * i);
    int rc = 0;
    if (page.kind == VOLUME_INSTANCE_STORE)
        move_store_counts(page.count);
    else
        rc = parse_hist(&page.read, bytes + AT_READ_HIST, "reads", err);
    if (rc == 0 && page.kind == VOLUME_EBS)
        rc = parse_hist(&page.write, bytes + AT_WRITE_HIST, "writes", err);
    if (rc == 0)
        *out = page;
    return rc;
}

/* ---- between two readings ---- */

#define NS_PER_US 1000

static const struct {
    size_t field;
    uint64_t factor; /* to the unit of the field */
} stat_of[VOLUME_COUNTS] = {
    [VOLUME_READS] = {VOLUME_STAT_read_ios, 1},
    [VOLUME_WRITES] = {VOLUME_STAT_write_ios, 1},
    [VOLUME_READ_BYTES] = {VOLUME_STAT_read_bytes, 1},
    [VOLUME_WRITE_BYTES] = {VOLUME_STAT_write_bytes, 1},
    [VOLUME_READ_US] = {VOLUME_STAT_read_ns, NS_PER_US},
    [VOLUME_WRITE_US] = {VOLUME_STAT_write_ns, NS_PER_US},
    [VOLUME_DISK_IOPS_US] = {VOLUME_STAT_disk_iops_exceeded_ns, NS_PER_US},
    [VOLUME_DISK_BW_US] = {VOLUME_STAT_disk_bw_exceeded_ns, NS_PER_US},
    [VOLUME_VM_IOPS_US] = {VOLUME_STAT_vm_iops_exceeded_ns, NS_PER_US},
    [VOLUME_VM_BW_US] = {VOLUME_STAT_vm_bw_exceeded_ns, NS_PER_US},
};

static void add_bin(cJSON *bins, const struct volume_bin *bin, uint32_t n)
{
    cJSON *item = json_add_array(bins, NULL);
    const uint64_t bound[] = {bin->from_us, bin->to_us};
    for (size_t i = 0; i < 2; i++) {
        uint64_t ns;
        if (__builtin_mul_overflow(bound[i], NS_PER_US, &ns))
            json_add_null(item, NULL); /* no bound */
        else
            json_add_u64(item, NULL, ns);
    }
    json_add_u64(item, NULL, n);
}

/* Unknown when the bins are others now or one went down: its 32 bits may be full. */
static void set_hist(struct volume_stat *out, size_t field, const struct volume_hist *before,
                     const struct volume_hist *after)
{
    bool same = after->n > 0 && before->n == after->n;
    for (size_t i = 0; same && i < after->n; i++) {
        const struct volume_bin *a = &before->bin[i], *b = &after->bin[i];
        same = a->from_us == b->from_us && a->to_us == b->to_us && a->n <= b->n;
    }
    if (!same)
        return;
    cJSON *bins = json_add_array(NULL, NULL);
    for (size_t i = 0; i < after->n; i++) {
        uint32_t n = after->bin[i].n - before->bin[i].n;
        if (n > 0)
            add_bin(bins, &after->bin[i], n);
    }
    char *text = json_print(bins, false);
    field_set_text(&volume_stat_fields, out, field, text);
    free(text);
    cJSON_Delete(bins);
}

bool volume_page_difference(struct volume_stat *out, const struct volume_page *before,
                            const struct volume_page *after, uint64_t span_ns)
{
    uint64_t d[VOLUME_COUNTS];
    if (before->kind != after->kind)
        return false;
    for (size_t i = 0; i < VOLUME_COUNTS; i++) {
        if (__builtin_sub_overflow(after->count[i], before->count[i], &d[i]) ||
            __builtin_mul_overflow(d[i], stat_of[i].factor, &d[i]))
            return false;
    }
    size_t n = after->kind == VOLUME_EBS ? VOLUME_COUNTS : VOLUME_VM_IOPS_US;
    for (size_t i = 0; i < n; i++)
        field_set_u64(&volume_stat_fields, out, stat_of[i].field, d[i]);
    field_set_text(&volume_stat_fields, out, VOLUME_STAT_kind, volume_kind_names[after->kind]);
    SET(out, VOLUME_STAT, span_ns, span_ns);
    SET(out, VOLUME_STAT, queue, after->queue);
    set_hist(out, VOLUME_STAT_read_hist, &before->read, &after->read);
    set_hist(out, VOLUME_STAT_write_hist, &before->write, &after->write);
    return true;
}
