/* The catalogue for people and programs. */
#include <fnmatch.h>
#include <math.h>

#include "cli/limits_internal.h"
#include "cli/show_internal.h"
#include "cli/table_out.h"
#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "core/model/run_json.h"

static bool fits_text(const char *pattern, const char *text)
{
    if (!text)
        return false;
    if (strpbrk(pattern, "*?["))
        return fnmatch(pattern, text, FNM_CASEFOLD) == 0;
    return strcasestr(text, pattern) != NULL;
}

static bool fits(const char *pattern, const struct limit_entry *e)
{
    return !pattern || fits_text(pattern, e->name) || fits_text(pattern, e->type) ||
           fits_text(pattern, e->cloud);
}

static void size_words(struct strbuf *out, const struct limit_entry *e)
{
    if (e->gib_max == 0)
        return;
    if (isinf(e->gib_max))
        strbuf_addf(out, "%.10g GiB or more", e->gib_min);
    else
        strbuf_addf(out, "%.10g to %.10g GiB", e->gib_min, e->gib_max);
}

static void add_row(struct text_table *t, const struct limit_entry *e)
{
    struct strbuf size = STRBUF_INIT, caps = STRBUF_INIT;
    size_words(&size, e);
    for (size_t i = 0; i < e->n_rules; i++) {
        strbuf_adds(&caps, i ? "; " : "");
        limit_cap_words(&caps, &e->rule[i]);
    }
    text_table_row(t);
    text_table_cell(t, e->cloud);
    text_table_cell(t, owner_names[e->owner]);
    text_table_cell(t, e->name);
    text_table_cell(t, e->type);
    text_table_cell(t, size.len ? size.text : NULL);
    text_table_cell(t, caps.len ? caps.text : NULL);
    strbuf_release(&size);
    strbuf_release(&caps);
}

static void entry_json(cJSON *obj, const struct limit_entry *e)
{
    json_add_text(obj, "cloud", e->cloud);
    json_add_text(obj, "owner", owner_names[e->owner]);
    json_add_text(obj, "name", e->name);
    json_add_text(obj, "type", e->type);
    json_add_text(obj, "note", e->note);
    json_add_text(obj, "source", e->where);
    json_add_text(obj, "checked", e->checked);
    cJSON *rules = json_add_array(obj, "rules");
    for (size_t i = 0; i < e->n_rules; i++) {
        struct strbuf words = STRBUF_INIT;
        limit_cap_words(&words, &e->rule[i]);
        json_add_text(rules, NULL, words.text);
        strbuf_release(&words);
    }
}

static void print_json(cJSON *root)
{
    char *text = json_print(root, true);
    puts(text);
    free(text);
    cJSON_Delete(root);
}

static size_t list_entries(const struct cmd_ctx *ctx, const struct limit_catalogue *c,
                           const char *pattern)
{
    static const char *const title[] = {"cloud", "what", "name", "type", "size", "limits"};
    cJSON *list = json_add_array(NULL, NULL);
    struct text_table *t = text_table_create();
    for (size_t i = 0; i < sizeof title / sizeof title[0]; i++)
        text_table_column(t, title[i], i == 5 ? COL_TRUNC : 0);
    const struct limit_entry *e;
    size_t n = 0;
    for (size_t i = 0; (e = limit_catalogue_entry(c, i)); i++) {
        if (!fits(pattern, e))
            continue;
        n++;
        if (ctx->format == OUT_JSON)
            entry_json(json_add_object(list, NULL), e);
        else
            add_row(t, e);
    }
    if (ctx->format == OUT_JSON) {
        text_table_destroy(t);
        print_json(list);
    } else {
        cJSON_Delete(list);
        table_out_print(ctx, t);
    }
    return n;
}

/* An empty list is an answer, no error; but it may be one to a slip. */
static void say_nothing_fits(const struct limit_catalogue *c, const char *pattern)
{
    struct strbuf line = STRBUF_INIT, near = STRBUF_INIT;
    strbuf_adds(&line, "no entry of the catalogue fits \"");
    utf8_clean(&line, pattern);
    strbuf_adds(&line, "\"\n");
    limit_args_near(c, OWNER_COUNT, pattern, &near);
    if (near.len > 0)
        strbuf_addf(&line, "Did you mean %s?\n", near.text);
    else
        strbuf_adds(&line,
                    "A pattern is a part of the name, the type or the cloud, or has * and ?: "
                    "blkmatrix limits list 'Standard_D*s_v5'\n");
    fputs(line.text, stderr);
    strbuf_release(&line);
    strbuf_release(&near);
}

int limits_list(const struct cmd_ctx *ctx, const struct limits_config *c, const char *pattern,
                struct error *err)
{
    struct limit_catalogue *catalogue;
    int rc = limit_args_catalogue(&catalogue, &c->limits, err);
    if (rc < 0)
        return rc;
    if (list_entries(ctx, catalogue, pattern) == 0 && !ctx->quiet)
        say_nothing_fits(catalogue, pattern ? pattern : "");
    limit_catalogue_destroy(catalogue);
    return 0;
}

/* Names of machine series have blanks, and stand for names that have none. */
static void print_name(const char *name)
{
    if (!strpbrk(name, " \t,"))
        puts(name);
}

int limits_names(const struct limits_config *c, const char *owner, struct error *err)
{
    bool disk = !owner || strcmp(owner, "disk") == 0, vm = !owner || strcmp(owner, "vm") == 0;
    if (!disk && !vm)
        return error_set(err, ERR_USAGE, "limits names: \"%s\" is neither disk nor vm", owner);
    struct limit_catalogue *catalogue;
    int rc = limit_args_catalogue(&catalogue, &c->limits, err);
    if (rc < 0)
        return rc;
    const struct limit_entry *e;
    const char *last_type = "";
    for (size_t i = 0; (e = limit_catalogue_entry(catalogue, i)); i++) {
        if (!(e->owner == OWNER_DISK ? disk : vm))
            continue;
        print_name(e->name);
        if (e->type && strcmp(e->type, last_type) != 0)
            print_name(last_type = e->type);
    }
    limit_catalogue_destroy(catalogue);
    return 0;
}

/* ---- show ---- */

/* What `show` is about: an entry, and the limits that follow when all they need is known. */
struct shown {
    const struct limit_entry *entry;
    struct run *run;      /* only to hold the limits */
    struct error why_not; /* code 0: they are complete */
};

static void take_limits(struct shown *s, struct limit_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        fields_copy(&limit_fields, run_add_limit(s->run), &list->item[i]);
}

static int find_disk(struct shown *s, const struct limit_catalogue *c, const struct limit_disk *d,
                     struct error *err)
{
    int rc = limit_find_disk(c, d, &s->entry, err);
    if (rc < 0)
        return rc;
    struct limit_list list = {0};
    if (limit_of_disk(c, d, &list, &s->why_not) == 0)
        take_limits(s, &list);
    limit_list_release(&list);
    return 0;
}

static int find_vm(struct shown *s, const struct limit_catalogue *c, const char *name,
                   const struct opt_list *disk, struct error *err)
{
    struct limit_disk d = {.iops = NAN, .mbps = NAN};
    struct limit_list list = {0};
    s->entry = limit_find(c, OWNER_VM, name);
    int rc = disk->n ? limit_disk_parse(&d, disk->item[0], err) : 0;
    if (rc == 0 && disk->n && !limit_is_known(c, OWNER_DISK, d.name))
        rc = limit_args_unknown(c, OWNER_DISK, d.name, err);
    if (rc == 0 && limit_of_vm(c, name, disk->n ? &d : NULL, &list, &s->why_not) == 0)
        take_limits(s, &list);
    limit_list_release(&list);
    limit_disk_release(&d);
    return rc;
}

static void show_entry(const struct cmd_ctx *ctx, const struct shown *s)
{
    const struct limit_entry *e = s->entry;
    struct view v;
    view_init(&v, ctx);
    view_heading(&v, 1, "%s", e->name);
    struct strbuf size = STRBUF_INIT;
    size_words(&size, e);
    view_line(&v, "what", e->owner == OWNER_DISK ? "disk" : "VM size");
    view_line(&v, "cloud", e->cloud);
    view_line(&v, "type", e->type);
    view_line(&v, "size", size.text);
    if (e->io_size > 0)
        view_linef(&v, "I/O counted", "one for each %g KiB", (double)e->io_size / 1024);
    view_line(&v, "note", e->note);
    view_line(&v, "source", e->where);
    view_line(&v, "checked", e->checked);
    for (size_t i = 0; i < e->n_rules; i++) {
        struct strbuf words = STRBUF_INIT;
        limit_cap_words(&words, &e->rule[i]);
        view_line(&v, i ? "" : "rules", words.text);
        strbuf_release(&words);
    }
    show_limits(&v, s->run);
    view_print(&v);
    strbuf_release(&size);
}

static void print_shown(const struct cmd_ctx *ctx, const struct shown *s)
{
    if (ctx->format == OUT_JSON) {
        cJSON *root = json_add_object(NULL, NULL);
        entry_json(json_add_object(root, "entry"), s->entry);
        cJSON *limits = json_add_array(root, "limits");
        for (size_t i = 0; i < s->run->n_limits; i++)
            fields_to_json(json_add_object(limits, NULL), &limit_fields, &s->run->limit[i]);
        print_json(root);
    } else {
        show_entry(ctx, s);
    }
    if (s->why_not.code && !ctx->quiet)
        fprintf(stderr, "no figures: %s\n", s->why_not.message);
}

static int disk_for_a_disk(const struct limit_disk *d, const char *given, struct error *err)
{
    int rc = error_set(err, ERR_USAGE, "limits show: %s is a disk; --disk is for a VM", d->name);
    size_t name = strcspn(given, ",");
    error_hint(err, "What was set for it comes with its name: limits show %s%s", d->name,
               given[name] ? given + name : ",size=64G");
    return rc;
}

/* A type of which the size is not known: all its sizes. */
static bool is_whole_type(const struct limit_catalogue *c, const struct limit_disk *d)
{
    return d->size == 0 && !limit_find(c, OWNER_DISK, d->name) &&
           limit_is_known(c, OWNER_DISK, d->name);
}

static int show_name(const struct cmd_ctx *ctx, const struct limits_config *config,
                     const struct limit_catalogue *c, const char *name, struct error *err)
{
    struct limit_disk d;
    struct shown s = {.run = run_create()};
    int rc = limit_disk_parse(&d, name, err);
    if (rc == 0 && config->size.given && config->size.percent < 0)
        d.size = config->size.bytes;
    const struct opt_list *disk = &config->limits.disk;
    if (rc == 0 && disk->n && limit_is_known(c, OWNER_DISK, d.name))
        rc = disk_for_a_disk(&d, disk->item[0], err);
    if (rc == 0 && is_whole_type(c, &d)) {
        list_entries(ctx, c, d.name);
    } else if (rc == 0) {
        if (limit_is_known(c, OWNER_DISK, d.name))
            rc = find_disk(&s, c, &d, err);
        else if (limit_is_known(c, OWNER_VM, name))
            rc = find_vm(&s, c, name, disk, err);
        else
            rc = limit_args_unknown(c, OWNER_COUNT, name, err);
        if (rc == 0 && !s.entry)
            rc = limit_args_unknown(c, OWNER_COUNT, name, err);
        else if (rc == 0)
            print_shown(ctx, &s);
    }
    limit_disk_release(&d);
    run_destroy(s.run);
    return rc;
}

int limits_show(const struct cmd_ctx *ctx, const struct limits_config *c, const char *name,
                struct error *err)
{
    struct limit_catalogue *catalogue;
    int rc = limit_args_catalogue(&catalogue, &c->limits, err);
    if (rc < 0)
        return rc;
    rc = show_name(ctx, c, catalogue, name, err);
    limit_catalogue_destroy(catalogue);
    return rc;
}
