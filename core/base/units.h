/*
 * Reading the sizes, times and numbers that people type (product: words). All parsers take the
 * whole string, refuse trailing text, signs, overflow and empty strings, and are independent of the
 * locale.
 */
#ifndef CORE_BASE_UNITS_H
#define CORE_BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"

/*
 * A size in bytes: a whole or decimal number and k, M, G, T, P (any case, with or without i, B or
 * iB), always powers of 1024, as fio's default does for k and kB. "4k" 4096, "1.5M" 1572864. A
 * result that is not a whole number of bytes is an error (ERR_USAGE).
 */
int parse_size(const char *text, uint64_t *bytes, struct error *err);

/* As parse_size, or a percentage "25%" (0 to 100, decimals allowed): then *percent is set, else -1.
 */
int parse_size_or_percent(const char *text, uint64_t *bytes, double *percent, struct error *err);

/*
 * A bandwidth in bytes/s: as parse_size, with "/s" or "ps" allowed at the end; here kB MB GB
 * (capital B) are powers of 1000, and k M G KiB MiB GiB of 1024. "250MB" 250000000, "64M" 67108864.
 */
int parse_bandwidth(const char *text, double *bytes_per_s, struct error *err);

/* A time in ns: number and ns, us, ms, s (default), m, h, d. "500ms", "10m", "1.5h", "60". */
int parse_time(const char *text, uint64_t *ns, struct error *err);

/* A whole number without unit, min <= v <= max. */
int parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *v, struct error *err);

/* A finite decimal number, min <= v <= max. */
int parse_f64(const char *text, double min, double max, double *v, struct error *err);

/* A count with optional decimal k, M (powers of 1000), as IOPS are written: "3500", "12k". */
int parse_count(const char *text, uint64_t *v, struct error *err);

/* yes/no: 0 1 true false yes no on off. */
int parse_bool(const char *text, bool *v, struct error *err);

#endif
