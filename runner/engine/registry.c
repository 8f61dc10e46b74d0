#include "runner/engine/engine.h"

const struct engine_ops *const engine_registry[] = {
    &engine_libaio, &engine_io_uring, &engine_psync, &engine_sim, &engine_fio, NULL,
};

const struct engine_ops *engine_find(const char *name)
{
    for (size_t i = 0; engine_registry[i]; i++) {
        if (strcmp(engine_registry[i]->name, name) == 0)
            return engine_registry[i];
    }
    return NULL;
}
