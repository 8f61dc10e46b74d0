/* The diagnosis of a run as it is kept in the store: made once, and again when it is out of date. */
#ifndef CLI_DIAGNOSIS_KEPT_H
#define CLI_DIAGNOSIS_KEPT_H

#include "report/diagnosis/diagnosis.h"
#include "store/db/store.h"

/*
 * Keeps it, unless it is there already or the store (open for reading) cannot be written: then it is
 * merely made again the next time.
 */
void diagnosis_keep(struct store *store, const struct diagnosis *d, const struct run *run);
/* The document of a run, kept or made now (and kept); free with free(). */
int diagnosis_document(char **out, struct store *store, int64_t run_id, struct error *err);

#endif
