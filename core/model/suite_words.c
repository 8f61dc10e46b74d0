/* The results of a suite for people. */
#include <math.h>

#include "core/model/suite_result.h"

size_t suite_tables(const struct suite *suite, enum suite_measure table[SUITE_MEASURES])
{
    static const enum suite_measure latency[] = {SUITE_MEAN, SUITE_P99_9, SUITE_P99_999, SUITE_MAX,
                                                 SUITE_IOPS};
    size_t n = suite->follows_latency ? sizeof latency / sizeof *latency : 1;
    table[0] = SUITE_IOPS;
    for (size_t i = 0; i < n && suite->follows_latency; i++)
        table[i] = latency[i];
    return n;
}

bool suite_knows(const struct suite_result *r, enum suite_measure m)
{
    for (size_t i = 0; i < r->n_points; i++)
        if (!isnan(r->point[i].value[m]))
            return true;
    return false;
}

void suite_left_out(struct strbuf *out, const struct suite *suite, const struct suite_result *r)
{
    enum suite_measure table[SUITE_MEASURES];
    size_t n = suite_tables(suite, table);
    for (size_t i = 0; i < n; i++)
        if (!suite_knows(r, table[i]))
            strbuf_addf(
                out,
                "%sThere is no table of the %s: in none of the loads do 10 or more I/Os lie "
                "beyond it.",
                out->len ? " " : "", suite_measure_titles[table[i]]);
}

void suite_histogram_words(struct strbuf *out, const struct suite_histogram *h)
{
    static const char *const before[SUITE_MEASURES] = {
        "", ". Latency on average ", ", 99.9 % within ", ", 99.999 % within ", ", at most "};
    char time[NUMFMT_MAX], number[NUMFMT_MAX];
    strbuf_addf(out, "Long run after the rounds, for the histogram of the latencies: %s, %s I/Os",
                fmt_duration(time, h->runtime_ns), fmt_count(number, h->ios));
    for (enum suite_measure m = SUITE_MEAN; m < SUITE_MEASURES; m++)
        if (!isnan(h->point.value[m]))
            strbuf_addf(out, "%s%s", before[m], suite_format(number, m, h->point.value[m]));
    strbuf_addc(out, '.');
}

char *suite_format(char buf[NUMFMT_MAX], enum suite_measure m, double value)
{
    if (isnan(value)) {
        snprintf(buf, NUMFMT_MAX, "–");
        return buf;
    }
    return m == SUITE_IOPS ? fmt_iops(buf, value) : fmt_latency(buf, value);
}

void suite_followed_words(struct strbuf *out, const struct suite *suite)
{
    char bs[NUMFMT_MAX];
    strbuf_addf(out, "%s of %s %s", suite->follows_latency ? "mean latency" : "IOPS",
                rw_names[suite->followed_rw], fmt_bs(bs, suite->followed_bs));
}

bool suite_window(const struct suite_result *r, size_t *first, size_t *last)
{
    *last = r->n_rounds;
    *first = r->n_rounds < STEADY_WINDOW ? 0 : r->n_rounds - STEADY_WINDOW + 1;
    return r->steady.known;
}

#define LEVEL 0.0005 /* of the mean over the window: what "slope 0.0 %" says already */

/* IOPS, or µs where latency is followed: the slope may be below 0, and both must have one unit. */
static void add_fit(struct strbuf *out, const struct suite *suite, const struct suite_result *r)
{
    size_t first, last;
    suite_window(r, &first, &last);
    double unit_ns = 1;
    const char *unit = "IOPS";
    if (suite->follows_latency)
        unit = latency_unit(r->steady.mean, &unit_ns);
    double slope = r->steady.slope / unit_ns;
    double middle = (double)(first + last) / 2;
    double start = r->steady.mean / unit_ns - slope * middle;
    char a[NUMFMT_MAX], b[NUMFMT_MAX];
    if (r->steady.excursion < LEVEL)
        strbuf_addf(out, "level at %s %s", fmt_number(a, r->steady.mean / unit_ns), unit);
    else
        strbuf_addf(out, "%s x round %s %s %s", fmt_number(a, slope), start < 0 ? "−" : "+",
                    fmt_number(b, fabs(start)), unit);
}

void suite_verdict(struct strbuf *out, const struct suite *suite, const struct suite_result *r)
{
    size_t first, last;
    char mean[NUMFMT_MAX], range[NUMFMT_MAX], slope[NUMFMT_MAX];
    if (!suite_window(r, &first, &last)) {
        strbuf_adds(out, "There is no result of the load that is followed: nothing is said about a "
                         "steady state.");
        return;
    }
    if (r->steady.steady)
        strbuf_addf(out, "Steady state was reached after %zu rounds", last);
    else
        strbuf_addf(out, "Steady state was not achieved within %zu rounds", last);
    strbuf_adds(out, " (PTS-style, SNIA's rule). The ");
    suite_followed_words(out, suite);
    strbuf_addf(
        out,
        " in the window, rounds %zu to %zu: mean %s, range %s %% of it (at most %.0f %%), slope "
        "%s %% over the window "
        "(at most %.0f %%), fitted line ",
        first, last,
        suite_format(mean, suite->follows_latency ? SUITE_MEAN : SUITE_IOPS, r->steady.mean),
        fmt_beside(range, r->steady.range, STEADY_RANGE_MAX), 100 * STEADY_RANGE_MAX,
        fmt_beside(slope, r->steady.excursion, STEADY_SLOPE_MAX), 100 * STEADY_SLOPE_MAX);
    add_fit(out, suite, r);
    strbuf_adds(out, ".");
}
