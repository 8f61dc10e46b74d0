/* What a sweep or a job file would write, for those who are asked or only look. */
#include "cli/sweep_internal.h"
#include "cli/wrap.h"
#include "core/base/json.h"
#include "core/base/numfmt.h"
#include "core/base/utf8.h"
#include "core/base/xalloc.h"

#define MIB     1048576
#define HEADING 11 /* columns before what a line of a plan says */

void session_fill_lines(const struct session *s, struct strbuf *out, const char *lines)
{
    if (!s->ctx->width) {
        strbuf_adds(out, lines);
        return;
    }
    for (size_t n; *lines; lines += lines[n] ? n + 1 : n) {
        n = strcspn(lines, "\n");
        size_t heading = n < HEADING ? n : HEADING;
        char *text = xstrndup(lines + heading, n - heading);
        strbuf_add(out, lines, heading);
        wrap_text(out, text, HEADING, heading, s->ctx->width);
        free(text);
    }
}

/* What the device is in for: bytes where rates say so, else the time and a measure for it. */
static void add_writes(const struct session *s, size_t device, const struct plan_writes *w,
                       struct strbuf *out)
{
    char a[NUMFMT_MAX], b[NUMFMT_MAX], times[NUMFMT_MAX];
    double size = (double)s->target[device].size;
    if (w->ns == 0 && w->trim_ns == 0)
        return;
    strbuf_addf(out, "%-10s ", "writes");
    if (s->n_targets > 1) {
        utf8_clean(out, s->target[device].path);
        strbuf_adds(out, ": ");
    }
    const char *also = "";
    const char *most =
        s->plan && plan_left_least_ns(s->plan) < plan_left_ns(s->plan) ? "up to " : "";
    if (w->bytes > 0) {
        strbuf_addf(out, "at most %s (%s the device) by the rates",
                    fmt_bytes(a, (uint64_t)w->bytes), fmt_times(times, w->bytes / size));
        also = "; ";
    }
    if (w->open_ns > 0) {
        double each = 100.0 * MIB * (double)w->open_ns / 1e9;
        strbuf_addf(out, "%sfor %s%s as fast as it can: each 100 MiB/s makes %s (%s the device)",
                    also, most, fmt_duration(a, w->open_ns), fmt_bytes(b, (uint64_t)each),
                    fmt_times(times, each / size));
        also = "; ";
    }
    if (w->trim_ns > 0)
        strbuf_addf(out, "%strims for %s%s", also, most, fmt_duration(a, w->trim_ns));
    strbuf_addc(out, '\n');
}

void session_print_writes(const struct session *s, size_t device, const struct plan_writes *w,
                          struct strbuf *out)
{
    struct strbuf lines = STRBUF_INIT;
    add_writes(s, device, w, &lines);
    session_fill_lines(s, out, lines.text);
    strbuf_release(&lines);
}

void session_writes_json(const struct session *s, size_t device, const struct plan_writes *w,
                         cJSON *list)
{
    cJSON *o = json_add_object(list, NULL);
    json_add_u64(o, "device", device);
    json_add_u64(o, "device_bytes", s->target[device].size);
    json_add_u64(o, "ns", w->ns);
    json_add_u64(o, "trim_ns", w->trim_ns);
    if (w->open_ns)
        json_add_null(o, "bytes_max");
    else
        json_add_u64(o, "bytes_max", (uint64_t)w->bytes);
}
