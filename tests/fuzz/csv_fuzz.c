/* The importers of tables over any bytes: see import_check.h. */
#include "tests/fuzz/import_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    check_importer(&importer_csv, "a.csv", data, n);
    return check_importer(&importer_pairs, "a.txt", data, n);
}
