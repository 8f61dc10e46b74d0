/* The importer of diskspd's text over any bytes: see import_check.h. */
#include "tests/fuzz/import_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    return check_importer(&importer_diskspd, "a.txt", data, n);
}
