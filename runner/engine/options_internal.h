/* Reading "name=value,name=value" into an engine's configuration by its option rows. */
#ifndef RUNNER_ENGINE_OPTIONS_INTERNAL_H
#define RUNNER_ENGINE_OPTIONS_INTERNAL_H

#include "runner/engine/engine.h"

/*
 * Sets the members of config named in the text (a later one wins) and leaves the others. ERR_USAGE
 * naming the option and what there is.
 */
int engine_parse_options(const struct engine_ops *ops, const char *text, void *config,
                         struct error *err);

#endif
