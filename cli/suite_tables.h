/* The tables of a suite for people. */
#ifndef CLI_SUITE_TABLES_H
#define CLI_SUITE_TABLES_H

#include "cli/view.h"
#include "core/model/run.h"
#include "core/model/suite_result.h"

/* Sections on what the suite came to, on each device and repeat; nothing without results. */
void suite_tables_show(struct view *v, const struct run *run, const struct suite_results *results);

#endif
