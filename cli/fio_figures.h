/* What joins runner/fio_exec, which runs fio, with store/import, which can read its output. */
#ifndef CLI_FIO_FIGURES_H
#define CLI_FIO_FIGURES_H

#include "core/base/error.h"
#include "core/model/cell.h"

/* A fio_reader (runner/fio_exec/fio_exec.h): the figures of the one cell in fio's JSON. */
int fio_figures_read(struct cell *cell, const char *bytes, size_t n, struct error *err);

#endif
