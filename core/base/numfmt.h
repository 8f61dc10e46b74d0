/*
 * Numbers as people read them: one rule for the terminal, charts and reports (docs/numbers.md).
 * Three significant digits, integers under 10,000 whole; U+2212 minus, U+00A0 before a unit, comma
 * for thousands, point for decimals, never the locale. Unknown (NaN) is "–". Each returns buf.
 */
#ifndef CORE_BASE_NUMFMT_H
#define CORE_BASE_NUMFMT_H

#include <stdint.h>

#define NUMFMT_MAX 48

/* 0.53, 63.9, 3,498, 12.8k, 1.25M; no unit. */
char *fmt_iops(char buf[NUMFMT_MAX], double iops);
/* MiB/s without the unit: 1.53, 63.9, 512, 2,048. Argument in bytes/s. */
char *fmt_mib(char buf[NUMFMT_MAX], double bytes_per_s);
/* MB/s (10^6) without the unit, same digits. Argument in bytes/s. */
char *fmt_mb(char buf[NUMFMT_MAX], double bytes_per_s);
/* 412 ns, 9.13 ms, 1.20 s with its unit. Argument in ns. */
char *fmt_latency(char buf[NUMFMT_MAX], double ns);
/* The unit that fits a typical value (ns, µs, ms, s) and its length in ns: one unit a table column.
 */
const char *latency_unit(double ns, double *unit_ns);
/* The value in that unit without naming it: three significant digits. */
char *fmt_latency_in(char buf[NUMFMT_MAX], double ns, double unit_ns);
/* 4k, 64k, 1M, 1.5k, 512: block sizes, short, k = KiB. */
char *fmt_bs(char buf[NUMFMT_MAX], uint64_t bytes);
/* 64 GiB, 512 MiB, 1.86 TiB, 512 B: sizes of devices and amounts, with unit. */
char *fmt_bytes(char buf[NUMFMT_MAX], uint64_t bytes);
/* 1,234,567 */
char *fmt_count(char buf[NUMFMT_MAX], uint64_t v);
/* Change of new against old given as ratio new/old: −0.7 %, +50 %, ×4.4, ÷3.1. */
char *fmt_change(char buf[NUMFMT_MAX], double ratio);
/* A share 0..1: 6.00 %, 26.4 %, 99.7 %; under 0.01 % "1 in 25,000"; 0 is "0 %". */
char *fmt_share(char buf[NUMFMT_MAX], double share);
/* A factor as words: 2.27 times, 1,000 times, 0.0366 times; under 0.001 "<0.001 times". */
char *fmt_times(char buf[NUMFMT_MAX], double factor);
/* A share as percent without the sign, beside the most it may be: 9.9, 12.3; 10.004 where 10.0 would hide it. */
char *fmt_beside(char buf[NUMFMT_MAX], double share, double most);
/* 45 s, 2 min 5 s, 1 h 12 min, 3 d 4 h; under a second 350 ms. */
char *fmt_duration(char buf[NUMFMT_MAX], uint64_t ns);
/* Three significant digits, no unit. */
char *fmt_number(char buf[NUMFMT_MAX], double v);

#endif
