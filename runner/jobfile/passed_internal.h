/* What an installed fio is given of a job file. */
#ifndef RUNNER_JOBFILE_PASSED_INTERNAL_H
#define RUNNER_JOBFILE_PASSED_INTERNAL_H

#include "runner/jobfile/sections_internal.h"

/*
 * *canonical: fio's own name of the option. ERR_REFUSED when by it fio could write, read or run what
 * the file does not name, or change the system, or when that is not known.
 */
int passed_check(const char **canonical, const struct job_option *o, struct error *err);

/* The same for the name of the section. */
int passed_check_section(const struct section *in, struct error *err);

/* The sections as fio reads them to the same options: one a line, nothing left to fill in or cut. */
void passed_print(struct strbuf *out, const struct sections *s);

#endif
