/*
 * Labels out of the places of files: 'results/{release}/{disk}/' makes release=6.8 and disk=gp3 of
 * "old/results/6.8/gp3/a.json".
 *
 * A pattern is a path whose parts are text, '*' (any text, also none) and '{key}' (some text, which
 * becomes the value of that label), mixed at will inside a part: 'fio-{disk}-*.json'. None of them goes
 * across a '/'. Where text could be shared out in several ways, what stands further left takes as
 * little as it can. A pattern that ends in '/' speaks of folders: it fits wherever its parts are folders one after
 * the other above the file, the outermost first. Any other pattern fits the end of the path, file name
 * included. With a '/' in front it fits from the root only.
 */
#ifndef STORE_IMPORT_PATH_LABELS_H
#define STORE_IMPORT_PATH_LABELS_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/model/run.h"

struct path_pattern;

/*
 * ERR_USAGE with what is wrong: no {key} at all, a key that cannot be one or stands twice, a brace
 * without its other, two wildcards with nothing between them.
 */
int path_pattern_create(struct path_pattern **out, const char *text, struct error *err);
void path_pattern_destroy(struct path_pattern *p); /* NULL is accepted */

size_t path_pattern_count(const struct path_pattern *p);
const char *path_pattern_key(const struct path_pattern *p, size_t i);

/*
 * Fills label[0..count-1] (free key and value of each) and returns true; false when the path does not
 * fit, or a value could not be asked for later: one with a comma or a control character.
 */
bool path_pattern_match(const struct path_pattern *p, const char *path, struct label *label);

#endif
