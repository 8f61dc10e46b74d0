/* From the text of an option to the value in its config struct. */
#include "cli/opt_internal.h"
#include "cli/suggest.h"
#include "core/base/units.h"
#include "core/base/xalloc.h"

/* Where the row's value lives. */
static void *place(const struct opt *row, void *config)
{
    return (char *)config + row->offset;
}

static bool is_bounded(const struct opt *row)
{
    return row->min || row->max;
}

static uint64_t upper(const struct opt *row)
{
    return is_bounded(row) ? row->max : UINT64_MAX;
}

bool opt_takes_value(const struct opt *row)
{
    return row->type != OPT_FLAG && row->type != OPT_TALLY;
}

bool opt_takes_default(const struct opt *row)
{
    if (row->type == OPT_FLAG || row->type == OPT_TALLY || row->type == OPT_TEXT ||
        row->type == OPT_LIST)
        return false;
    return row->def && row->def[0] != '(';
}

void opt_value_release(const struct opt *row, void *config)
{
    if (row->type == OPT_LIST || row->type == OPT_CHOICES) {
        struct opt_list *list = place(row, config);
        free(list->item);
        *list = (struct opt_list){0};
    } else if (row->type == OPT_SIZES || row->type == OPT_COUNTS) {
        range_release(place(row, config));
        *(struct range *)place(row, config) = (struct range)RANGE_INIT;
    }
}

static void list_add(struct opt_list *list, const char *item)
{
    list->item = xrealloc(list->item, list->n + 1, sizeof *list->item);
    list->item[list->n++] = item;
}

/* Index of the first n bytes of text in the choices, -1 when it is none of them. */
static int choice_index(const struct opt *row, const char *text, size_t n)
{
    for (int i = 0; row->choices[i]; i++)
        if (opt_name_equal(text, n, row->choices[i]))
            return i;
    return -1;
}

static int not_a_choice(const struct opt *row, const char *text, size_t n, struct error *err)
{
    char *typed = xstrndup(text, n);
    struct suggest near;
    suggest_init(&near, typed);
    for (size_t i = 0; row->choices[i]; i++)
        suggest_offer(&near, row->choices[i]);
    int rc = near.n ? error_set(err, ERR_USAGE, "\"%s\" is not known; did you mean %s?", typed,
                                near.best[0])
                    : error_set(err, ERR_USAGE, "\"%s\" is not known", typed);
    free(typed);
    return rc;
}

static int set_choice(const struct opt *row, int *out, const char *text, struct error *err)
{
    int i = choice_index(row, text, strlen(text));
    if (i < 0)
        return not_a_choice(row, text, strlen(text), err);
    *out = i;
    return 0;
}

static int set_choices(const struct opt *row, struct opt_list *out, const char *text,
                       struct error *err)
{
    for (;;) {
        size_t n = strcspn(text, ",");
        int i = choice_index(row, text, n);
        if (i < 0)
            return not_a_choice(row, text, n, err);
        bool known = false;
        for (size_t k = 0; k < out->n; k++)
            known = known || out->item[k] == row->choices[i];
        if (!known)
            list_add(out, row->choices[i]);
        if (!text[n])
            return 0;
        text += n + 1;
    }
}

static int set_size(struct opt_size *out, const char *text, struct error *err)
{
    struct opt_size size = {0};
    int rc = parse_size_or_percent(text, &size.bytes, &size.percent, err);
    if (rc < 0)
        return rc;
    size.given = true;
    *out = size;
    return 0;
}

static int set_percent(struct opt_size *out, const char *text, struct error *err)
{
    struct opt_size share = {.given = true};
    int rc = parse_size_or_percent(text, &share.bytes, &share.percent, err);
    if (rc < 0 && strchr(text, '%'))
        return rc;
    if (rc < 0 || share.percent < 0)
        return error_set(err, ERR_USAGE, "\"%s\" is not a percentage: write it as 2%%", text);
    *out = share;
    return 0;
}

static int set_time(const struct opt *row, uint64_t *out, const char *text, struct error *err)
{
    uint64_t ns = 0;
    int rc = parse_time(text, &ns, err);
    if (rc < 0)
        return rc;
    if (ns < row->min || ns > upper(row))
        return error_set(err, ERR_USAGE, "\"%s\" is too %s", text,
                         ns < row->min ? "short" : "long");
    *out = ns;
    return 0;
}

static int set_range(const struct opt *row, struct range *out, const char *text, struct error *err)
{
    struct range range = RANGE_INIT;
    int rc = range_parse(&range, text, row->type == OPT_SIZES ? RANGE_SIZE : RANGE_COUNT, row->min,
                         upper(row), err);
    if (rc < 0)
        return rc;
    range_release(out);
    *out = range;
    return 0;
}

static int set_any(const struct opt *row, void *at, const char *text, struct error *err)
{
    switch (row->type) {
    case OPT_FLAG:
        *(bool *)at = true;
        return 0;
    case OPT_TALLY:
        (*(int *)at)++;
        return 0;
    case OPT_TEXT:
        *(const char **)at = text;
        return 0;
    case OPT_LIST:
        list_add(at, text);
        return 0;
    case OPT_U64:
        return parse_u64(text, row->min, upper(row), at, err);
    case OPT_F64:
        return parse_f64(text, is_bounded(row) ? (double)row->min : -1e300,
                         is_bounded(row) ? (double)row->max : 1e300, at, err);
    case OPT_BOOL:
        return parse_bool(text, at, err);
    case OPT_SIZE:
        return set_size(at, text, err);
    case OPT_PERCENT:
        return set_percent(at, text, err);
    case OPT_TIME:
        return set_time(row, at, text, err);
    case OPT_SIZES:
    case OPT_COUNTS:
        return set_range(row, at, text, err);
    case OPT_CHOICE:
        return set_choice(row, at, text, err);
    case OPT_CHOICES:
        return set_choices(row, at, text, err);
    }
    return error_set(err, ERR_USAGE, "option of unknown type %d", (int)row->type);
}

int opt_value_set(const struct opt *row, void *config, const char *spelled, const char *text,
                  struct error *err)
{
    int rc = set_any(row, place(row, config), text, err);
    if (rc == 0)
        return 0;
    rc = error_prefix(err, ERR_USAGE, "%s", spelled);
    struct strbuf allowed = STRBUF_INIT;
    opt_allowed(&allowed, row);
    if (allowed.len)
        error_hint(err, "Allowed: %s.", allowed.text);
    strbuf_release(&allowed);
    return rc;
}
