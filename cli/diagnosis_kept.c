#include "cli/diagnosis_kept.h"

#include "core/base/json.h"

/* Through a second connection: this one may be open for reading only. */
static void save(struct store *store, int64_t run_id, const char *document)
{
    struct error ignored = {0};
    struct store *writer = NULL;
    if (store_open(&writer, store_path(store), STORE_WRITE, &ignored) == 0)
        store_save_diagnosis(writer, run_id, DIAGNOSIS_VERSION, document, &ignored);
    store_close(writer);
}

static char *text_of(const struct diagnosis *d, const struct run *run)
{
    cJSON *root = diagnosis_to_json(d, run);
    char *text = json_print(root, true);
    cJSON_Delete(root);
    return text;
}

void diagnosis_keep(struct store *store, const struct diagnosis *d, const struct run *run)
{
    struct error ignored = {0};
    char *kept = NULL;
    if (run->id <= 0) /* several runs as one */
        return;
    if (store_load_diagnosis(store, run->id, DIAGNOSIS_VERSION, &kept, &ignored) == 0 && !kept) {
        char *text = text_of(d, run);
        save(store, run->id, text);
        free(text);
    }
    free(kept);
}

int diagnosis_document(char **out, struct store *store, int64_t run_id, struct error *err)
{
    int rc = store_load_diagnosis(store, run_id, DIAGNOSIS_VERSION, out, err);
    if (rc < 0 || *out)
        return rc;
    struct dataset *data = NULL;
    rc = dataset_load(&data, store, &run_id, 1, LOAD_HIST | LOAD_SERIES, err);
    if (rc == 0) {
        struct analysis *a = analysis_create(data, 0);
        struct diagnosis *d = diagnosis_create(a, dataset_run(data, 0));
        *out = text_of(d, dataset_run(data, 0));
        save(store, run_id, *out);
        diagnosis_destroy(d);
        analysis_destroy(a);
    }
    dataset_destroy(data);
    return rc;
}
