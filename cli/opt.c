#include "cli/opt.h"

#include <ctype.h>

#include "cli/opt_internal.h"
#include "cli/suggest.h"
#include "core/base/xalloc.h"

/* A row in its set. */
struct found {
    struct opt_set *set;
    size_t row;
};

static int fold(char c)
{
    return c == '_' ? '-' : tolower((unsigned char)c);
}

static bool same_name(const char *a, size_t na, const char *b, size_t nb)
{
    if (na != nb)
        return false;
    for (size_t i = 0; i < na; i++)
        if (fold(a[i]) != fold(b[i]))
            return false;
    return true;
}

bool opt_name_equal(const char *a, size_t n, const char *b)
{
    return same_name(a, n, b, strlen(b));
}

/* Calls through the blank-separated aliases: the next one at *s, its length; 0 at the end. */
static size_t next_alias(const char **s)
{
    *s += strspn(*s, " ");
    return strcspn(*s, " ");
}

static bool row_has_name(const struct opt *row, const char *name, size_t n)
{
    if (opt_name_equal(name, n, row->name))
        return true;
    const char *alias = row->alias ? row->alias : "";
    for (size_t len; (len = next_alias(&alias)) > 0; alias += len)
        if (same_name(alias, len, name, n))
            return true;
    return false;
}

bool opt_given(const struct opt *rows, uint64_t given, const char *name)
{
    for (size_t i = 0; rows && rows[i].name; i++)
        if (strcmp(rows[i].name, name) == 0)
            return (given >> i & 1) != 0;
    return false;
}

static bool find_long(struct opt_set *sets, size_t n_sets, const char *name, size_t n,
                      struct found *out)
{
    for (size_t s = 0; s < n_sets; s++) {
        for (size_t i = 0; sets[s].rows && sets[s].rows[i].name; i++) {
            if (row_has_name(&sets[s].rows[i], name, n)) {
                *out = (struct found){&sets[s], i};
                return true;
            }
        }
    }
    return false;
}

static bool find_letter(struct opt_set *sets, size_t n_sets, char letter, struct found *out)
{
    for (size_t s = 0; s < n_sets; s++) {
        for (size_t i = 0; sets[s].rows && sets[s].rows[i].name; i++) {
            if (sets[s].rows[i].letter == letter) {
                *out = (struct found){&sets[s], i};
                return true;
            }
        }
    }
    return false;
}

static int unknown_option(struct opt_set *sets, size_t n_sets, const char *name, size_t n,
                          struct error *err)
{
    char *typed = xstrndup(name, n);
    struct suggest near;
    suggest_init(&near, typed);
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; sets[s].rows && sets[s].rows[i].name; i++)
            suggest_offer(&near, sets[s].rows[i].name);
    int rc = error_set(err, ERR_USAGE, "there is no option --%s", typed);
    if (near.n == 1)
        error_hint(err, "Did you mean --%s?", near.best[0]);
    else if (near.n > 1)
        error_hint(err, "Did you mean --%s or --%s?", near.best[0], near.best[1]);
    free(typed);
    return rc;
}

/* Stores one occurrence; text is NULL when the word had no value of its own. */
static int take(const struct found *f, const char *spelled, const char *text, struct error *err)
{
    const struct opt *row = &f->set->rows[f->row];
    if (!(f->set->given >> f->row & 1))
        opt_value_release(row, f->set->config);
    f->set->given |= UINT64_C(1) << f->row;
    return opt_value_set(row, f->set->config, spelled, text, err);
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1];
}

/* The words of the command line, read one by one. */
struct words {
    char **argv;
    int argc;
    int at;
};

static int need_value(const struct opt *row, const char *spelled, struct words *w,
                      const char **text, struct error *err)
{
    const char *next = w->at < w->argc ? w->argv[w->at] : NULL;
    if (row->alone && (!next || is_option(next))) {
        *text = row->alone;
        return 0;
    }
    /* a word that is an option is a forgotten value, not a value; --name=--value still says so */
    if (!next || (strncmp(next, "--", 2) == 0 && next[2])) {
        int rc = error_set(err, ERR_USAGE, "%s needs a value: %s %s", spelled, spelled,
                           row->arg ? row->arg : "VALUE");
        struct strbuf allowed = STRBUF_INIT;
        opt_allowed(&allowed, row);
        if (allowed.len)
            error_hint(err, "Allowed: %s.", allowed.text);
        strbuf_release(&allowed);
        return rc;
    }
    *text = next;
    w->at++;
    return 0;
}

static int parse_long(struct opt_set *sets, size_t n_sets, struct words *w, struct error *err)
{
    const char *name = w->argv[w->at++] + 2;
    size_t n = strcspn(name, "=");
    struct found f;
    if (!find_long(sets, n_sets, name, n, &f))
        return unknown_option(sets, n_sets, name, n, err);
    const struct opt *row = &f.set->rows[f.row];
    char *spelled = xasprintf("--%.*s", (int)n, name);
    const char *text = name[n] == '=' ? name + n + 1 : NULL;
    int rc = 0;
    if (text && !opt_takes_value(row))
        rc = error_set(err, ERR_USAGE, "%s takes no value, and got \"%s\"", spelled, text);
    else if (!text && opt_takes_value(row))
        rc = need_value(row, spelled, w, &text, err);
    if (rc == 0)
        rc = take(&f, spelled, text, err);
    free(spelled);
    return rc;
}

/* -q, -qv, -o FILE, -oFILE */
static int parse_letters(struct opt_set *sets, size_t n_sets, struct words *w, struct error *err)
{
    const char *word = w->argv[w->at++];
    for (const char *p = word + 1; *p; p++) {
        struct found f;
        if (!find_letter(sets, n_sets, *p, &f)) {
            int rc = error_set(err, ERR_USAGE, "there is no option -%c", *p);
            struct found whole;
            if (find_long(sets, n_sets, word + 1, strcspn(word + 1, "="), &whole))
                error_hint(err, "Did you mean -%s?", word); /* "-dev" for "--dev" */
            return rc;
        }
        const struct opt *row = &f.set->rows[f.row];
        char spelled[3] = {'-', *p, 0};
        if (!opt_takes_value(row)) {
            int rc = take(&f, spelled, NULL, err);
            if (rc < 0)
                return rc;
            continue;
        }
        const char *text = p + 1;
        int rc = *text ? 0 : need_value(row, spelled, w, &text, err);
        return rc < 0 ? rc : take(&f, spelled, text, err);
    }
    return 0;
}

static int parse_one(struct opt_set *sets, size_t n_sets, struct words *w, struct error *err)
{
    if (w->argv[w->at][1] == '-')
        return parse_long(sets, n_sets, w, err);
    return parse_letters(sets, n_sets, w, err);
}

int opt_parse_leading(struct opt_set *sets, size_t n_sets, int argc, char **argv, int *used,
                      struct error *err)
{
    struct words w = {argv, argc, 0};
    while (w.at < argc && is_option(argv[w.at]) && strcmp(argv[w.at], "--") != 0) {
        int rc = parse_one(sets, n_sets, &w, err);
        if (rc < 0)
            return rc;
    }
    *used = w.at;
    return 0;
}

static int fill_defaults(struct opt_set *sets, size_t n_sets, struct error *err)
{
    for (size_t s = 0; s < n_sets; s++) {
        for (size_t i = 0; sets[s].rows && sets[s].rows[i].name; i++) {
            const struct opt *row = &sets[s].rows[i];
            if ((sets[s].given >> i & 1) || !opt_takes_default(row))
                continue;
            opt_value_release(row, sets[s].config);
            int rc = opt_value_set(row, sets[s].config, row->name, row->def, err);
            if (rc < 0)
                return error_prefix(err, ERR_USAGE, "the default of an option");
        }
    }
    return 0;
}

int opt_parse(struct opt_set *sets, size_t n_sets, int argc, char **argv, const char ***rest,
              size_t *n_rest, struct error *err)
{
    struct words w = {argv, argc, 0};
    const char **others = xcalloc((size_t)argc + 1, sizeof *others);
    size_t n = 0;
    int rc = 0;
    bool ended = false;
    while (rc == 0 && w.at < argc) {
        if (!ended && strcmp(argv[w.at], "--") == 0) {
            ended = true;
            w.at++;
        } else if (!ended && is_option(argv[w.at])) {
            rc = parse_one(sets, n_sets, &w, err);
        } else {
            others[n++] = argv[w.at++];
        }
    }
    if (rc == 0)
        rc = fill_defaults(sets, n_sets, err);
    if (rc < 0) {
        free(others);
        return rc;
    }
    *rest = others;
    *n_rest = n;
    return 0;
}

void opt_release(const struct opt_set *sets, size_t n_sets)
{
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; sets[s].rows && sets[s].rows[i].name; i++)
            opt_value_release(&sets[s].rows[i], sets[s].config);
}
