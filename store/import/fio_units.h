/*
 * Numbers as fio's option parser reads them (checked against fio 3.33): "4k" "4K" "4KB" "4Ki" and
 * "0x1000" are 4096, but "4KiB" is 4000: with kb_base=1024, the default, the full IEC suffix is the
 * decimal one. With kb_base=1000 it is the other way round. Counts and rates use the same suffixes.
 */
#ifndef STORE_IMPORT_FIO_UNITS_H
#define STORE_IMPORT_FIO_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* kb_base: 1024 or 1000. False when the n bytes are no such number (a percentage is none). */
bool fio_number(const char *text, size_t n, unsigned kb_base, uint64_t *v);

/* A time: number and us, ms, s, m, h, d; without suffix in units of `unit_ns`. */
bool fio_time(const char *text, uint64_t unit_ns, uint64_t *ns);

/*
 * "read,write,trim" values, by enum dir. One value is for all, two: trim is as write; an empty part
 * has no value: its bit in *given is 0. False when a part is no number.
 */
bool fio_triple(const char *text, unsigned kb_base, uint64_t v[3], unsigned *given);

#endif
