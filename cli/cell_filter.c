#include "cli/cell_filter.h"

#include "core/base/units.h"
#include "core/base/xalloc.h"

/* Where a name leads; beside the fields there are two words for what stands outside the key. */
struct target {
    const struct field_set *set; /* NULL: device or direction */
    size_t field;
};

static bool is_word(const char *word, const char *name)
{
    size_t n = strlen(name);
    return strncmp(word, name, n) == 0 && word[n] == '=';
}

static bool find_target(struct target *out, const char *word)
{
    const struct field_set *const sets[] = {&cell_key_fields, &cell_fields};
    size_t n = strcspn(word, "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)n, word);
    for (size_t k = 0; k < 2; k++) {
        size_t i = field_find(sets[k], name);
        if (n < sizeof name && i < sets[k]->n) {
            *out = (struct target){sets[k], i};
            return true;
        }
    }
    *out = (struct target){NULL, 0};
    return is_word(word, "device") || is_word(word, "direction");
}

static void list_names(struct strbuf *out)
{
    strbuf_adds(out, "device, direction");
    for (size_t i = 0; i < cell_key_fields.n; i++)
        strbuf_addf(out, ", %s", cell_key_fields.field[i].name);
    for (size_t i = 0; i < cell_fields.n; i++)
        strbuf_addf(out, ", %s", cell_fields.field[i].name);
}

int cell_filter_parse(struct cell_filter *out, const char **word, size_t n, struct error *err)
{
    struct cell_filter f = {.word = xcalloc(n, sizeof *f.word)};
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        uint64_t id;
        struct target target;
        if (!strchr(word[i], '=')) {
            rc = parse_u64(word[i], 1, INT64_MAX, &id, NULL);
            if (rc < 0)
                error_set(err, ERR_USAGE,
                          "\"%s\" chooses no cells: give the id of a cell, or what it measured, as "
                          "in bs=4k rw=randread",
                          word[i]);
            f.id = (int64_t)id;
        } else if (find_target(&target, word[i])) {
            f.word[f.n++] = word[i];
        } else {
            struct strbuf names = STRBUF_INIT;
            list_names(&names);
            rc = error_set(err, ERR_USAGE,
                           "\"%s\" chooses no cells: there is no %.*s\nThere are: %s", word[i],
                           (int)strcspn(word[i], "="), word[i], names.text);
            strbuf_release(&names);
        }
    }
    if (rc < 0)
        cell_filter_release(&f);
    else
        *out = f;
    return rc;
}

void cell_filter_release(struct cell_filter *f)
{
    free(f->word);
    *f = (struct cell_filter){0};
}

/* One value of a field against what was written: the same text, or the same number or size. */
static bool value_is(const struct field_set *set, const void *rec, size_t i, const char *value)
{
    if (!field_is_known(set, rec, i))
        return false;
    struct strbuf text = STRBUF_INIT;
    field_format(&text, set, rec, i);
    bool same = strcmp(text.text, value) == 0;
    strbuf_release(&text);
    uint64_t number;
    if (set->field[i].type == FIELD_U64 && parse_size(value, &number, NULL) == 0)
        same = same || field_get_u64(set, rec, i) == number;
    bool truth;
    if (set->field[i].type == FIELD_BOOL && parse_bool(value, &truth, NULL) == 0)
        same = same || (field_get_u64(set, rec, i) != 0) == truth;
    int rw = set->field[i].names == rw_names ? rw_parse(value) : -1;
    return same || (rw >= 0 && field_get_i64(set, rec, i) == rw);
}

static bool has_device(const struct cell *cell, const struct run *run, const char *path)
{
    for (size_t i = 0; i < cell->n_devices; i++) {
        const struct device_info *d =
            cell->device[i] < run->n_devices ? &run->device[cell->device[i]] : NULL;
        if (d && ((d->path && strcmp(d->path, path) == 0) ||
                  (d->resolved && strcmp(d->resolved, path) == 0)))
            return true;
    }
    return false;
}

static bool has_direction(const struct cell *cell, const char *name)
{
    for (int i = 0; i < DIR_COUNT; i++)
        if (strcmp(dir_names[i], name) == 0)
            return direction_is_used(&cell->dir[i]);
    return false;
}

static bool one_value_matches(const char *word, const char *value, const struct cell *cell,
                              const struct run *run)
{
    struct target target;
    find_target(&target, word);
    if (target.set)
        return value_is(target.set,
                        target.set == &cell_fields ? (const void *)cell : (const void *)&cell->key,
                        target.field, value);
    return is_word(word, "device") ? has_device(cell, run, value) : has_direction(cell, value);
}

/* Calls `matches` for each value of the list in a word; a value with a comma is tried whole, too. */
static bool word_matches(const char *word, const struct cell *cell, const struct run *run)
{
    const char *list = strchr(word, '=') + 1;
    bool found = one_value_matches(word, list, cell, run);
    for (const char *p = list; !found && *p;) {
        size_t n = strcspn(p, ",");
        char *value = xstrndup(p, n);
        found = one_value_matches(word, value, cell, run);
        free(value);
        p += n + (p[n] == ',');
    }
    return found;
}

bool cell_filter_matches(const struct cell_filter *f, const struct cell *cell,
                         const struct run *run)
{
    if (f->id && f->id != cell->id)
        return false;
    for (size_t i = 0; i < f->n; i++)
        if (!word_matches(f->word[i], cell, run))
            return false;
    return true;
}

bool cell_filter_has_direction(const struct cell_filter *f, enum dir dir)
{
    for (size_t i = 0; i < f->n; i++) {
        if (!is_word(f->word[i], "direction"))
            continue;
        bool found = false;
        const char *name = dir_names[dir];
        for (const char *p = strchr(f->word[i], '=') + 1; *p; p += strcspn(p, ","), p += *p == ',')
            found = found || (strncmp(p, name, strlen(name)) == 0 &&
                              (p[strlen(name)] == ',' || !p[strlen(name)]));
        if (!found)
            return false;
    }
    return true;
}
