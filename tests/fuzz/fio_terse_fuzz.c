/* The importer of fio's terse output over any bytes: see import_check.h. */
#include "tests/fuzz/import_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    return check_importer(&importer_fio_terse, "4k/randread-32-8.txt", data, n);
}
