#include "store/export/exporter.h"

const struct exporter *const exporter_registry[] = {&exporter_json, &exporter_csv, NULL};

const struct exporter *exporter_find(const char *name)
{
    for (size_t i = 0; exporter_registry[i]; i++)
        if (strcmp(exporter_registry[i]->name, name) == 0)
            return exporter_registry[i];
    return NULL;
}
