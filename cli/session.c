/* What `sweep` and `run` have in common from their begin to their end. */
#include <sys/random.h>
#include <sys/stat.h>

#include "cli/confirm.h"
#include "cli/detect.h"
#include "cli/shell.h"
#include "cli/sweep_internal.h"
#include "core/base/clock.h"
#include "core/base/utf8.h"
#include "core/base/xalloc.h"
#include "runner/host/host.h"
#include "runner/sweep/volumes.h"

enum { NAME_MAX_CHARACTERS = 100 };

int session_check_plan_format(const struct cmd_ctx *ctx, struct error *err)
{
    if (ctx->format != OUT_CSV && ctx->format != OUT_MD)
        return 0;
    return error_set(err, ERR_USAGE, "--dry-run has no --format %s: choose table or json",
                     ctx->format == OUT_CSV ? "csv" : "md");
}

uint64_t session_seed(void)
{
    uint64_t seed = clock_now_ns();
    if (getrandom(&seed, sizeof seed, 0) < 0)
        seed ^= (uint64_t)clock_wall_ns();
    return seed & PLAN_MAX_SEED;
}

/* True for what reads as a label where runs are chosen: a plain word and "=". */
static bool reads_as_label(const char *name)
{
    size_t word = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
    return word > 0 && name[word] == '=';
}

/* A name must be one that people can choose the run by, and that fits a table. */
int session_set_name(struct run *run, const char *name, struct error *err)
{
    if (!name)
        return 0;
    size_t characters = 0, digits = strspn(name, "0123456789"), n;
    bool clean = true, valid;
    for (const unsigned char *p = (const unsigned char *)name; *p; p += n, characters++) {
        n = utf8_next(p, &valid);
        clean = clean && valid && !utf8_is_control(p);
    }
    const char *why = NULL;
    if (!name[strspn(name, " ")])
        why = "is empty";
    else if (!clean)
        why = "has bytes that are no characters, or control characters";
    else if (characters > NAME_MAX_CHARACTERS)
        why = "has more than 100 characters";
    else if (*name == '@' || reads_as_label(name) || !name[digits])
        why = "would be taken for an id, @latest or a label where runs are chosen";
    if (why)
        return error_set(err, ERR_USAGE, "--name \"%s\" %s", name, why);
    field_set_text(&run_fields, run, RUN_name, name);
    return 0;
}

int session_set_labels(struct run *run, const struct opt_list *labels, struct error *err)
{
    for (size_t i = 0; i < labels->n; i++) {
        const char *text = labels->item[i], *equal = strchr(text, '=');
        if (!equal || equal == text)
            return error_set(err, ERR_USAGE, "--label: \"%s\" is not KEY=VALUE", text);
        char *key = xstrndup(text, (size_t)(equal - text));
        int rc = label_check(key, equal + 1, err);
        if (rc == 0)
            run_set_label(run, key, equal + 1);
        free(key);
        if (rc < 0)
            return error_prefix(err, ERR_USAGE, "--label");
    }
    return 0;
}

static char *command_text(int argc, char **argv)
{
    struct strbuf out = STRBUF_INIT;
    for (int i = 0; i < argc; i++) {
        strbuf_adds(&out, i ? " " : "");
        shell_quote(&out, argv[i]);
    }
    return strbuf_detach(&out);
}

int session_new_run(struct session *s, const struct session_run *r, struct error *err)
{
    struct run *run = s->run = run_create();
    char uuid[UUID_TEXT_MAX];
    char *command = command_text(s->ctx->argc, s->ctx->argv);
    field_set_text(&run_fields, run, RUN_uuid, uuid_random(uuid));
    field_set_text(&run_fields, run, RUN_tool, "blkmatrix " BLKMATRIX_VERSION);
    field_set_text(&run_fields, run, RUN_command, command);
    SET(run, RUN, seed, r->seed);
    SET(run, RUN, planned_cells, r->planned_cells);
    SET(run, RUN, started_ns, clock_wall_ns());
    free(command);
    int rc = session_set_name(run, r->name, err);
    return rc < 0 ? rc : session_set_labels(run, r->label, err);
}

/* The cloud, the VM and its volumes, with the limits that follow; --vm and --disk come later. */
static int detect_cloud(struct session *s, struct run *run, const struct limit_args *limits,
                        struct error *err)
{
    struct detected d;
    const struct detect_from from = detect_here();
    detect_run(&d, &from, run);
    int rc = 0;
    if (detect_needs_catalogue(&d) && !s->limits)
        rc = limit_args_catalogue(&s->limits, limits, err);
    if (rc == 0 && d.cloud) {
        detect_limits(&d, limits, s->limits, run);
        strbuf_adds(&s->warning, "Found: ");
        detect_summary(&s->warning, &d, run);
        strbuf_addf(&s->warning, "\n%s", d.unknown.text);
    }
    detect_release(&d);
    return rc;
}

int session_detect(struct session *s, struct run *run, const struct limit_args *limits,
                   struct error *err)
{
    host_add_limits(run, &sysroot_system);
    return detect_cloud(s, run, limits, err);
}

int session_describe(struct session *s, bool dry_run, bool no_detect,
                     const struct limit_args *limits, struct error *err)
{
    for (size_t i = 0; i < s->n_targets; i++)
        fields_copy(&device_fields, run_add_device(s->run), &s->target[i].info);
    if (dry_run)
        return 0;
    volumes_check(&s->warning, &sysroot_system, s->run->device, s->run->n_devices);
    host_describe(&s->run->host, &sysroot_system);
    return no_detect ? 0 : session_detect(s, s->run, limits, err);
}

int session_confirm(struct session *s, size_t target, struct error *err)
{
    const struct device_info *d = &s->target[target].info;
    bool ours = IS_KNOWN(d, DEVICE, made_here) && d->made_here;
    if (!s->target[target].device || ours)
        return 0;
    return confirm_destroy(&s->interrupt, d, err);
}

int session_begin(struct session *s, struct cmd_ctx *ctx, struct error *err)
{
    *s = (struct session){.ctx = ctx, .warning = STRBUF_INIT};
    int rc = interrupt_begin(&s->interrupt, err);
    if (rc == 0)
        s->progress = progress_create(ctx);
    return rc;
}

void session_end(struct session *s)
{
    progress_destroy(s->progress);
    interrupt_end(&s->interrupt);
    for (size_t i = 0; i < s->n_targets; i++)
        sweep_target_close(&s->target[i]);
    free(s->target);
    plan_destroy(s->plan);
    run_destroy(s->run);
    strbuf_release(&s->warning);
    store_close(s->store);
    limit_catalogue_destroy(s->limits);
}

bool session_same_path(const char *a, const char *b)
{
    struct stat x, y;
    if (strcmp(a, b) == 0)
        return true;
    if (stat(a, &x) != 0 || stat(b, &y) != 0)
        return false;
    bool node = S_ISBLK(x.st_mode) && S_ISBLK(y.st_mode) && x.st_rdev == y.st_rdev;
    return node || (x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

int session_not_a_target(const char *destroy_data, struct error *err)
{
    int rc =
        error_set(err, ERR_USAGE, "--destroy-data %s: this run does not work on it", destroy_data);
    error_hint(err, "It takes the path of a device or file that the run writes to.");
    return rc;
}

int session_check_permit(const struct session *s, const struct opt_list *destroy_data,
                         struct error *err)
{
    for (size_t i = 0; i < destroy_data->n; i++) {
        bool found = false;
        for (size_t k = 0; !found && k < s->n_targets; k++)
            found = session_same_path(destroy_data->item[i], s->target[k].path);
        if (!found)
            return session_not_a_target(destroy_data->item[i], err);
    }
    return 0;
}

int session_would_be_refused(const struct session *s, struct error *err)
{
    if (s->refused.code && err)
        *err = s->refused;
    return -s->refused.code;
}
