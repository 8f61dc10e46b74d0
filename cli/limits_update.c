/* `limits update`: newer figures from a cloud's own tool, into the user's file. */
#include <unistd.h>

#include "cli/limits_internal.h"
#include "cli/table_out.h"
#include "cli/view.h"
#include "core/base/json.h"
#include "core/base/xalloc.h"

static void print_table(const struct cmd_ctx *ctx, const struct limit_update *u)
{
    static const char *const title[] = {"", "what", "name", "was", "is"};
    struct text_table *t = text_table_create();
    for (size_t i = 0; i < sizeof title / sizeof title[0]; i++)
        text_table_column(t, title[i], i > 2 ? COL_WRAP : 0);
    for (size_t i = 0; i < u->n; i++) {
        const struct limit_change *c = &u->change[i];
        text_table_row(t);
        text_table_cell(t, c->before ? "changed" : "added");
        text_table_cell(t, owner_names[c->owner]);
        text_table_cell(t, c->name);
        text_table_cell(t, c->before);
        text_table_cell(t, c->after);
    }
    if (u->n > 0 || ctx->format != OUT_TABLE)
        table_out_print(ctx, t);
    else
        text_table_destroy(t);
}

static void print_json(const struct limit_update *u, const char *file)
{
    cJSON *root = json_add_object(NULL, NULL);
    json_add_text(root, "what", u->what);
    json_add_text(root, "date", u->date);
    json_add_text(root, "file", file);
    cJSON *changes = json_add_array(root, "changes");
    for (size_t i = 0; i < u->n; i++) {
        cJSON *o = json_add_object(changes, NULL);
        json_add_text(o, "owner", owner_names[u->change[i].owner]);
        json_add_text(o, "name", u->change[i].name);
        json_add_text(o, "before", u->change[i].before);
        json_add_text(o, "after", u->change[i].after);
    }
    json_add_u64(root, "unchanged", u->unchanged);
    char *text = json_print(root, true);
    puts(text);
    free(text);
    cJSON_Delete(root);
}

static void tell(const struct cmd_ctx *ctx, const struct limit_update *u, const char *file)
{
    size_t added = 0;
    for (size_t i = 0; i < u->n; i++)
        added += u->change[i].before == NULL;
    if (ctx->format == OUT_JSON)
        print_json(u, file);
    else
        print_table(ctx, u);
    if (ctx->quiet)
        return;
    fprintf(stderr, "%s of %s: %zu added, %zu changed, %zu as known", u->what, u->date, added,
            u->n - added, u->unchanged);
    if (u->n > 0)
        fprintf(stderr, "; written to %s", file);
    fputc('\n', stderr);
}

int limits_update(const struct cmd_ctx *ctx, const struct limits_config *c, struct error *err)
{
    if (!c->from) {
        int rc = error_set(err, ERR_USAGE, "limits update: from what? Give --from FILE");
        error_hint(err, "A file with the JSON of `aws ec2 describe-instance-types`, `az vm "
                        "list-skus`, `gcloud compute machine-types list --format json`.");
        return rc;
    }
    char *file = c->limits.file ? xstrdup(c->limits.file) : limit_user_file();
    if (!file)
        return error_set(err, ERR_USAGE,
                         "limits update: where to? Neither XDG_CONFIG_HOME nor "
                         "HOME is set; give --limits FILE");
    struct limit_catalogue *catalogue = NULL;
    struct limit_update u = {0};
    int rc = limit_catalogue_create(&catalogue, err);
    if (rc == 0 && access(file, F_OK) == 0) /* else it will be made */
        rc = limit_catalogue_add_file(catalogue, file, err);
    if (rc == 0)
        rc = limit_update(&u, catalogue, file, c->from, err);
    if (rc == 0)
        tell(ctx, &u, file);
    limit_update_release(&u);
    limit_catalogue_destroy(catalogue);
    free(file);
    return rc;
}
