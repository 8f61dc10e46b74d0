/*
 * The importer of fio's logs over any bytes: see import_check.h. The kind of a log is in its name, so the first byte chooses
 * it.
 */
#include "store/import/fio_log_name.h"
#include "tests/fuzz/import_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char path[64];
    unsigned kind = n > 0 ? (unsigned)(data[0] - '0') % FIO_LOG_KINDS : 0;
    snprintf(path, sizeof path, "a_%s.1.log", fio_log_kind_names[kind]);
    return check_importer(&importer_fio_log, path, data + (n > 0), n - (n > 0));
}
