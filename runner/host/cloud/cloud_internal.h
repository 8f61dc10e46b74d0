/* What the providers share. */
#ifndef RUNNER_HOST_CLOUD_CLOUD_INTERNAL_H
#define RUNNER_HOST_CLOUD_CLOUD_INTERNAL_H

#include <cjson/cJSON.h>

#include "runner/host/cloud/cloud.h"

/* The files of DMI and Xen that dmi_read() looks at, NULL-terminated. */
extern const char *const dmi_files[];

/*
 * A copy of text when it is a name as clouds have them: 1 to max printable ASCII characters, no
 * blank among them; white space at its end is cut. NULL otherwise, and for NULL.
 */
char *cloud_name(const char *text, size_t max);
/* The same of the part behind the last slash: "projects/1/zones/us-east1-b". */
char *cloud_last_part(const char *text, size_t max);
/* cloud_name of a member of an object. */
char *cloud_member(const cJSON *object, const char *name);
/* A member that is a number, or the text of one as Azure writes them; NaN: none, or negative. */
double cloud_number(const cJSON *object, const char *name);

/*
 * Asks with GET; *body is the text of an answer with status 200 (free()). ERR_DEVICE otherwise. A
 * missing `wanted` header means that it is another service that answers.
 */
int cloud_get(const struct transport *t, const char *path, const char *header, const char *wanted,
              char **body, struct error *err);
/* What a status other than 200 means, as an error. */
int cloud_bad_status(const struct http_request *request, const struct http_answer *answer,
                     struct error *err);
/* cloud_get, then one name. */
int cloud_get_name(const struct transport *t, const char *path, const char *header, char **out,
                   struct error *err);
/* JSON of an answer, NULL when it is none; cJSON_Delete. */
cJSON *cloud_json(const char *body);

/* A text of the disk: /sys/class/block/DISK/FILE with blanks around it cut; NULL: none. free(). */
char *cloud_disk_text(const struct sysroot *sr, const char *disk, const char *file);
/* True when the link LINK (in a folder of /dev/disk) leads to the disk. */
bool cloud_link_leads_to(const struct sysroot *sr, const char *link, const char *disk);

#endif
