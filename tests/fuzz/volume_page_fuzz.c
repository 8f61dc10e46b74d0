/* Statistics pages of a volume: two readings, as a device may answer. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "runner/device/volume_page.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool ok)
{
    if (!ok)
        abort();
}

/* Counts are never more than what the later page holds, and texts are JSON. */
static void try_difference(const struct volume_page *before, const struct volume_page *after)
{
    struct volume_stat stat = {0};
    if (!volume_page_difference(&stat, before, after, UINT64_C(1000000000))) {
        require(stat.known == 0 && !stat.kind && !stat.read_hist && !stat.write_hist);
        return;
    }
    require(before->kind == after->kind && stat.read_ios <= after->count[VOLUME_READS]);
    require(!stat.read_hist || json_is_valid(stat.read_hist));
    require(!stat.write_hist || json_is_valid(stat.write_hist));
    require(IS_KNOWN(&stat, VOLUME_STAT, vm_iops_exceeded_ns) == (after->kind == VOLUME_EBS));
    fields_release(&volume_stat_fields, &stat);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct volume_page page, changed;
    if (volume_page_parse(&page, data, n, NULL) < 0)
        return 0;
    require(n >= VOLUME_PAGE_SIZE && page.read.n <= VOLUME_BINS_MAX &&
            page.write.n <= VOLUME_BINS_MAX);
    /* what follows the page is laid over it: the second reading */
    unsigned char second[VOLUME_PAGE_SIZE];
    size_t more = n - VOLUME_PAGE_SIZE;
    memcpy(second, data, sizeof second);
    memcpy(second + 8, data + VOLUME_PAGE_SIZE,
           more < sizeof second - 8 ? more : sizeof second - 8);
    try_difference(&page, &page);
    if (volume_page_parse(&changed, second, sizeof second, NULL) == 0)
        try_difference(&page, &changed);
    return 0;
}
