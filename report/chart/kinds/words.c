/* Figures and facts in words, the same in every kind. */
#include <inttypes.h>
#include <math.h>

#include "core/base/clock.h"
#include "core/base/numfmt.h"
#include "report/chart/kinds/kind_internal.h"

const char *say_iops(struct chart *c, double iops)
{
    char buf[NUMFMT_MAX];
    return arena_strdup(c->arena, fmt_iops(buf, iops));
}

const char *say_mib(struct chart *c, double bytes)
{
    char buf[NUMFMT_MAX];
    return arena_strdup(c->arena, fmt_mib(buf, bytes));
}

const char *say_latency(struct chart *c, double ns)
{
    char buf[NUMFMT_MAX];
    return arena_strdup(c->arena, fmt_latency(buf, ns));
}

const char *say_bs(struct chart *c, uint64_t bs)
{
    char buf[NUMFMT_MAX];
    return arena_strdup(c->arena, fmt_bs(buf, bs));
}

const char *say_depth(struct chart *c, uint64_t depth)
{
    char buf[NUMFMT_MAX];
    return arena_strdup(c->arena, fmt_count(buf, depth));
}

const char *say_share(struct chart *c, double share)
{
    char buf[NUMFMT_MAX];
    return arena_strdup(c->arena, fmt_share(buf, share));
}

const char *say_sizes(struct chart *c, uint64_t from, uint64_t to)
{
    if (from == to)
        return say_bs(c, from);
    return arena_printf(c->arena, "%s to %s", say_bs(c, from), say_bs(c, to));
}

const char *say_block(struct chart *c, uint64_t bs)
{
    return bs ? arena_printf(c->arena, "block size %s", say_bs(c, bs)) : "";
}

const char *say_qd(struct chart *c, uint64_t depth)
{
    return depth ? arena_printf(c->arena, "QD %s", say_depth(c, depth)) : "";
}

const char *say_parts(struct chart *c, const char *const *part, size_t n)
{
    struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; i < n; i++)
        if (*part[i])
            strbuf_addf(&sb, "%s%s", sb.len ? ", " : "", part[i]);
    char *text = arena_strndup(c->arena, sb.text, sb.len);
    if (*text >= 'a' && *text <= 'z')
        *text = (char)(*text - 'a' + 'A');
    strbuf_release(&sb);
    return text;
}

const char *dir_plural(enum dir dir)
{
    static const char *const words[DIR_COUNT] = {"reads", "writes", "trims", "I/Os", "syncs"};
    return words[dir];
}

const char *dir_singular(enum dir dir)
{
    static const char *const words[DIR_COUNT] = {"read", "write", "trim", "I/O", "sync"};
    return words[dir];
}

const char *lat_words(const struct row *r)
{
    static const char *const words[LAT_KIND_COUNT + 1] = {
        "submission latency", "completion latency", "latency from the due time", "latency"};
    if (r->lat_kind == LAT_LAT && !row_is_from_due(r))
        return "total latency";
    return words[r->lat_kind];
}

const char *say_subject(struct chart *c, const struct selection *s)
{
    const struct curve *v = &s->curve[0];
    bool same_group = true, same_pattern = true, same_device = true;
    for (size_t i = 1; i < s->n; i++) {
        same_group = same_group && strcmp(s->curve[i].group, v->group) == 0;
        same_pattern = same_pattern && strcmp(s->curve[i].row[0]->pattern, v->row[0]->pattern) == 0;
        same_device = same_device && strcmp(s->curve[i].row[0]->device, v->row[0]->device) == 0;
    }
    struct strbuf sb = STRBUF_INIT;
    if (same_group || same_pattern)
        strbuf_adds(&sb, same_group ? v->group : v->row[0]->pattern);
    const char *device = v->row[0]->device;
    /* the group names the device when it is needed to tell groups apart */
    if (same_device && *device && !(same_group && strstr(v->group, device)))
        strbuf_addf(&sb, "%s%s", sb.len ? ", " : "", device);
    if (v->run->host.instance_type && sb.len)
        strbuf_addf(&sb, " on %s", v->run->host.instance_type);
    const char *text = arena_strndup(c->arena, sb.text, sb.len);
    strbuf_release(&sb);
    return text;
}

static void add_repeats(struct strbuf *sb, const struct selection *s)
{
    size_t lo = SIZE_MAX, hi = 0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->curve[i].n; j++) {
            size_t n = s->curve[i].row[j]->n_repeats;
            lo = n < lo ? n : lo;
            hi = n > hi ? n : hi;
        }
    if (hi == 1)
        strbuf_adds(sb, "1 run a cell: no interval");
    else if (lo == hi)
        strbuf_addf(sb, "%zu runs a cell: medians", lo);
    else
        strbuf_addf(sb, "%zu to %zu runs a cell: medians", lo, hi);
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Tool, host and days of all the runs; what differs between them is not said of all. */
static void add_origin(struct strbuf *sb, const struct selection *s)
{
    const struct run *first = s->curve[0].run;
    bool one_tool = true, one_host = true;
    int64_t from = INT64_MAX, to = INT64_MIN;
    for (size_t i = 0; i < s->n; i++) {
        const struct run *run = s->curve[i].run;
        one_tool = one_tool && is_same(run->tool, first->tool);
        one_host = one_host && is_same(run->host.hostname, first->host.hostname);
        if (IS_KNOWN(run, RUN, started_ns)) {
            from = run->started_ns < from ? run->started_ns : from;
            to = run->started_ns > to ? run->started_ns : to;
        }
    }
    strbuf_adds(sb, !one_tool              ? "Several tools"
                    : first->tool          ? first->tool
                    : first->source_format ? "Imported"
                                           : "Measured");
    if (one_host && first->host.hostname)
        strbuf_addf(sb, " on %s", first->host.hostname);
    char a[CLOCK_TEXT_MAX] = "", b[CLOCK_TEXT_MAX];
    if (from <= to)
        strbuf_addf(sb, ", %.10s", clock_rfc3339(a, from, false));
    if (from < to && strncmp(a, clock_rfc3339(b, to, false), 10) != 0)
        strbuf_addf(sb, " to %.10s", b);
}

void say_source(struct chart *c, const struct selection *s, const char *more)
{
    struct strbuf sb = STRBUF_INIT;
    add_origin(&sb, s);
    strbuf_adds(&sb, ". ");
    add_repeats(&sb, s);
    strbuf_addc(&sb, '.');
    if (more && *more)
        strbuf_addf(&sb, " %s", more);
    if (s->failed > 0)
        strbuf_addf(&sb, " %zu failed cell%s left out.", s->failed, s->failed == 1 ? "" : "s");
    if (c->small_multiples && s->n > MULTIPLES_MOST)
        strbuf_addf(&sb, " %d of %zu are shown.", MULTIPLES_MOST, s->n);
    if (s->others > 0)
        strbuf_addf(&sb, " Not shown: %s%s.", s->example, s->others > 1 ? " and others" : "");
    c->source = arena_strndup(c->arena, sb.text, sb.len);
    strbuf_release(&sb);
}

const char *say_cell(struct chart *c, const struct curve *v, const struct row *r)
{
    const char *const part[] = {v->letter ? v->letter : "", r->bs > 0 ? say_bs(c, r->bs) : "",
                                say_qd(c, r->depth)};
    struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (*part[i])
            strbuf_addf(&sb, "%s%s", sb.len ? ", " : "", part[i]);
    const char *text = arena_strndup(c->arena, sb.text, sb.len);
    strbuf_release(&sb);
    return text;
}

const char *say_row(struct chart *c, const struct curve *v, const struct row *r)
{
    const char *cell = say_cell(c, v, r);
    struct strbuf sb = STRBUF_INIT;
    strbuf_addf(&sb, "%s%s%s IOPS", cell, *cell ? ": " : "", say_iops(c, r->iops));
    if (isfinite(r->bw))
        strbuf_addf(&sb, ", %s MiB/s", say_mib(c, r->bw));
    double p50 = row_percentile(r, 50), p99 = row_percentile(r, 99);
    if (isfinite(p50))
        strbuf_addf(&sb, ", p50 %s", say_latency(c, p50));
    if (isfinite(p99))
        strbuf_addf(&sb, ", p99 %s", say_latency(c, p99));
    const char *text = arena_strndup(c->arena, sb.text, sb.len);
    strbuf_release(&sb);
    return text;
}

const char *curve_label(struct chart *c, const struct curve *v)
{
    return v->letter ? arena_printf(c->arena, "%s %s", v->letter, v->name) : v->name;
}

const char *title_of_several(struct chart *c, const struct selection *s, const char *what)
{
    if (s->n == 2)
        return arena_printf(c->arena, "%s: %s and %s", what, s->curve[0].name, s->curve[1].name);
    bool one_run = s->curve[0].run_index == s->curve[s->n - 1].run_index;
    return arena_printf(c->arena, "%s: %zu %s", what, s->n, one_run ? "patterns" : "runs");
}

const char *say_depths(struct chart *c, const struct selection *s)
{
    uint64_t *depth;
    size_t n = depths_of(c, s->curve, s->n, &depth);
    if (n == 0)
        return "";
    if (n == 1)
        return say_qd(c, depth[0]);
    return arena_printf(c->arena, "QD %s to %s", say_depth(c, depth[0]),
                        say_depth(c, depth[n - 1]));
}

static void table_cell_latency(struct chart *c, double ns)
{
    chart_table_cell(c, isfinite(ns) ? say_latency(c, ns) : "–");
}

void table_of_rows(struct chart *c, const struct selection *s)
{
    if (s->n > 1)
        chart_table_column(c, "Run", false);
    chart_table_column(c, "Block size", true);
    chart_table_column(c, "QD", true);
    chart_table_column(c, "IOPS", true);
    chart_table_column(c, "MiB/s", true);
    chart_table_column(c, "p50", true);
    chart_table_column(c, "p99", true);
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->curve[i].n; j++) {
            const struct row *r = s->curve[i].row[j];
            if (s->n > 1)
                chart_table_cell(c, curve_label(c, &s->curve[i]));
            chart_table_cell(c, r->bs ? say_bs(c, r->bs) : "–");
            chart_table_cell(c, r->depth ? say_depth(c, r->depth) : "–");
            chart_table_cell(c, say_iops(c, r->iops));
            chart_table_cell(c, isfinite(r->bw) ? say_mib(c, r->bw) : "–");
            table_cell_latency(c, row_percentile(r, 50));
            table_cell_latency(c, row_percentile(r, 99));
        }
}
