#include "store/import/importer.h"

const struct importer *const importer_registry[] = {
    &importer_fio_json, &importer_fio_text, &importer_fio_terse, &importer_fio_log,
    &importer_diskspd,  &importer_csv,      &importer_pairs,     NULL,
};

const struct importer *importer_for(const char *bytes, size_t n)
{
    const struct importer *best = NULL;
    int best_score = 0;
    for (size_t i = 0; importer_registry[i] && best_score < SNIFF_SURE; i++) {
        int score = importer_registry[i]->sniff(bytes, n);
        if (score > best_score) {
            best_score = score;
            best = importer_registry[i];
        }
    }
    return best;
}

bool importer_takes_map(const struct importer *importer)
{
    return importer == &importer_csv || importer == &importer_pairs;
}

const struct importer *importer_find(const char *name)
{
    for (size_t i = 0; importer_registry[i]; i++) {
        if (strcmp(importer_registry[i]->name, name) == 0)
            return importer_registry[i];
    }
    return NULL;
}
