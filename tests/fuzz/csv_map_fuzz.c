/* A map file over a table: the map, a line "====", the table. What reaches the sink is checked as in import_check.h. */
#include "tests/fuzz/import_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char cut[] = "====\n";
    const uint8_t *at = n > 0 ? memmem(data, n, cut, sizeof cut - 1) : NULL;
    size_t map_n = at ? (size_t)(at - data) : n, from = at ? map_n + sizeof cut - 1 : n;
    char *map = xstrndup(n > 0 ? (const char *)data : "", map_n), *table = xmalloc(n - from + 1);
    if (n > from)
        memcpy(table, data + from, n - from);
    table[n - from] = '\0';
    struct check_state s = {0};
    struct sink sink = {.self = &s, .begin = check_begin, .cell = check_cell, .end = check_end};
    struct import_source src = {
        .path = "a.csv", .bytes = table, .n = n - from, .sha256 = "00", .map = map};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    int rc = importer_csv.read(&src, &sink, &outcome, &err);
    require(rc == 0 || ((rc == -ERR_INPUT || rc == -ERR_USAGE) && err.message[0]));
    require(!s.open && outcome.runs == s.runs && outcome.cells == s.cells);
    free(map);
    free(table);
    return 0;
}
