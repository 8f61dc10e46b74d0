/*
 * The unit of latencies when no result file beside the logs states the version of fio. Nothing in a log names it, but
 * clat_hist has other buckets before 2.99; six columns came with 3.18; and no I/O takes longer than its job has run.
 */
#include "store/import/fio_log_read_internal.h"

/* Columns behind the block size: a priority (0 or 1) came with 3.18, an offset is older. */
static bool has_priority(const char *line, const char *end)
{
    const char *last = end;
    while (last > line && last[-1] != ',')
        last--;
    while (last < end && *last == ' ')
        last++;
    return end - last >= 1 && (*last == '0' || *last == '1') &&
           (end - last == 1 || last[1] == 'x' || last[1] == '\r');
}

static void look_at_hist(struct log_reading *r, struct fio_log_reader *reader)
{
    uint64_t count[HIST_BUCKETS];
    struct fio_log_row row;
    if (fio_log_next(reader, &row, count))
        r->unit = reader->microseconds ? FIO_LOG_UNIT_US : FIO_LOG_UNIT_NS;
}

static void look_at_values(struct log_reading *r, struct fio_log_reader *reader)
{
    struct fio_log_row row;
    bool priority = true;
    while (r->unit == FIO_LOG_UNIT_UNKNOWN && fio_log_next(reader, &row, NULL)) {
        const char *line = reader->at - 1, *end = line;
        while (line > reader->start && line[-1] != '\n')
            line--;
        priority = priority && reader->columns >= 5 && has_priority(line, end);
        bool too_long = r->out->origin_ms == 0 && row.value / 1000 > row.ms + 1;
        if (reader->columns >= 6 || too_long)
            r->unit = FIO_LOG_UNIT_NS;
    }
    if (r->unit == FIO_LOG_UNIT_UNKNOWN && reader->columns == 5 && priority) {
        r->unit = FIO_LOG_UNIT_NS;
        r->out->assumed_ns = true;
    }
}

void log_find_unit(struct log_reading *r)
{
    for (int hist = 1; hist >= 0; hist--) {
        for (size_t i = 0; i < r->n && r->unit == FIO_LOG_UNIT_UNKNOWN; i++) {
            struct fio_log_reader reader;
            bool is_hist = r->file[i].kind == FIO_LOG_HIST;
            if (is_hist != hist || (!hist && !log_is_latency(r->file[i].kind)) ||
                !log_open(r, &r->file[i], &reader, false))
                continue;
            if (hist)
                look_at_hist(r, &reader);
            else
                look_at_values(r, &reader);
        }
    }
}
