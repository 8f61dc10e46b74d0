/*
 * What cloud volumes count about themselves while a cell runs (runner/device/volume_page.h), beside
 * the kernel's counters. A volume is asked at most once a second, as its makers want: where it was
 * asked less than a second before a window begins, that reading stands, with its own time.
 *
 * Thread rule: one object, one thread.
 */
#ifndef RUNNER_SWEEP_VOLUMES_H
#define RUNNER_SWEEP_VOLUMES_H

#include "core/base/strbuf.h"
#include "core/base/sysroot.h"
#include "core/model/cell.h"
#include "core/model/device_info.h"

/*
 * Appends a sentence to *warning when volumes below the devices have statistics that cannot be read:
 * one for all of them, with the reason. Nothing where there are no such volumes.
 */
void volumes_check(struct strbuf *warning, const struct sysroot *sr,
                   const struct device_info *device, size_t n);

struct counters;
struct volumes;

/* sr must outlive it. */
struct volumes *volumes_create(const struct sysroot *sr);
/* Accepts NULL. */
void volumes_destroy(struct volumes *v);
/*
 * A measured window begins, of n cells at once: those among the disks of c[0..n) that are such volumes
 * are asked. Called once more before volumes_end() it begins again.
 */
void volumes_begin(struct volumes *v, const struct counters *c, size_t n);
/* It is over: they are asked again. */
void volumes_end(struct volumes *v);
/*
 * Adds to cell->volume what those among the disks of c counted meanwhile. A volume that could not be
 * asked, was attached anew, or whose window was shorter than a second is not in it.
 */
void volumes_to_cell(struct volumes *v, const struct counters *c, struct cell *cell);

#endif
