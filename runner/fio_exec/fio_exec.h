/*
 * Runs one cell with an installed fio (the engine "fio") in place of runner/job: the key becomes the
 * options of one job section, fio opens the descriptor that was checked and is held here, and what
 * it prints (JSON+) comes back through a reader that the caller has, as reading fio's formats is
 * not the runner's business.
 *
 * No shell is involved. fio runs in a process group of its own, so that Ctrl-C is ours to pass on,
 * and is killed by the kernel when this program dies.
 *
 * Thread rule: as job_run_cell; a stop is passed on to fio as SIGINT, upon which it ends its job
 * and reports what it has.
 */
#ifndef RUNNER_FIO_EXEC_FIO_EXEC_H
#define RUNNER_FIO_EXEC_FIO_EXEC_H

#include "runner/job/job.h"

/*
 * Fills in the figures of the cell (not its key, place and devices) from what fio printed. ERR_INPUT
 * when there is no such cell in it.
 */
typedef int (*fio_reader)(struct cell *cell, const char *bytes, size_t n, struct error *err);

/*
 * As job_run_cell, for one target; of the spec ramp, runtime, run_seed, hang, stop and progress count
 * (there are no rates in the progress). ERR_USAGE for what cannot be said in fio's options, ERR_DEVICE
 * when fio cannot be started; what fio itself complains about is the error of a failed cell.
 */
int fio_run_cell(const struct job_spec *spec, struct cell *cell, fio_reader read,
                 struct error *err);

#endif
