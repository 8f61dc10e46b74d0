/* What the rows say to people: allowed values, descriptions, the list of options. */
#include <inttypes.h>

#include "cli/opt_internal.h"
#include "cli/wrap.h"
#include "core/base/numfmt.h"
#include "core/base/xalloc.h"

static void add_choices(struct strbuf *out, const struct opt *row)
{
    for (size_t i = 0; row->choices && row->choices[i]; i++)
        strbuf_addf(out, "%s%s", i ? ", " : "", row->choices[i]);
}

/* A bound in the row's own unit. */
static void add_bound(struct strbuf *out, const struct opt *row, uint64_t v)
{
    char text[NUMFMT_MAX];
    if (row->type == OPT_SIZES)
        strbuf_adds(out, fmt_bs(text, v));
    else if (row->type == OPT_TIME)
        strbuf_adds(out, fmt_duration(text, v));
    else
        strbuf_addf(out, "%" PRIu64, v);
}

static void add_bounds(struct strbuf *out, const struct opt *row)
{
    if (!row->min && !row->max)
        return;
    if (row->max == UINT64_MAX) {
        strbuf_adds(out, ", at least ");
        add_bound(out, row, row->min);
        return;
    }
    strbuf_adds(out, ", from ");
    add_bound(out, row, row->min);
    strbuf_adds(out, " to ");
    add_bound(out, row, row->max);
}

void opt_allowed(struct strbuf *out, const struct opt *row)
{
    switch (row->type) {
    case OPT_FLAG:
    case OPT_TALLY:
    case OPT_TEXT:
    case OPT_LIST:
        return;
    case OPT_U64:
        strbuf_adds(out, "a whole number");
        break;
    case OPT_F64:
        strbuf_adds(out, "a number");
        break;
    case OPT_BOOL:
        strbuf_adds(out, "0 or 1, no or yes");
        return;
    case OPT_SIZE:
        strbuf_adds(out, "a size such as 64k, 1G, or a share such as 25%");
        return;
    case OPT_PERCENT:
        strbuf_adds(out, "a percentage such as 2%");
        return;
    case OPT_TIME:
        strbuf_adds(out, "a time such as 500ms, 60, 60s, 10m, 2h");
        break;
    case OPT_SIZES:
        strbuf_adds(out, "sizes such as 4k, 4k,64k,1M, 4k..1M (doubling), 4k..1M/x4");
        break;
    case OPT_COUNTS:
        strbuf_adds(out, "numbers such as 8, 1,4,16, 1..64 (doubling), 1..64/x4, 16..64/+16");
        break;
    case OPT_CHOICE:
        strbuf_adds(out, "one of ");
        add_choices(out, row);
        return;
    case OPT_CHOICES:
        strbuf_adds(out, "one or more, with commas, of ");
        add_choices(out, row);
        return;
    }
    add_bounds(out, row);
}

void opt_describe(struct strbuf *out, const struct opt *row)
{
    strbuf_adds(out, row->help);
    if (row->type == OPT_CHOICE || row->type == OPT_CHOICES) {
        strbuf_adds(out, row->type == OPT_CHOICE ? "; one of " : "; of ");
        add_choices(out, row);
    }
    if (row->def && row->def[0] == '(')
        strbuf_addf(out, " %s", row->def);
    else if (row->def)
        strbuf_addf(out, " (default %s)", row->def);
    const char *alias = row->alias ? row->alias : "";
    for (size_t n, i = 0; alias += strspn(alias, " "), (n = strcspn(alias, " ")) > 0; alias += n)
        strbuf_addf(out, "%s --%.*s", i++ ? "," : "; also", (int)n, alias);
}

void opt_help(struct strbuf *out, const struct opt *rows, size_t width, bool colour)
{
    if (width == 0)
        width = 80;
    size_t indent = width >= 60 ? 28 : 8;
    const char *group = NULL;
    for (const struct opt *row = rows; row && row->name; row++) {
        if (row->group && (!group || strcmp(group, row->group) != 0)) {
            group = row->group;
            strbuf_addf(out, "\n%s%s:%s\n", colour ? "\033[1m" : "", group,
                        colour ? "\033[0m" : "");
        }
        char letter[5] = "    ";
        if (row->letter)
            snprintf(letter, sizeof letter, "-%c, ", row->letter);
        char *left = xasprintf("  %s--%s%s%s", letter, row->name, row->arg ? " " : "",
                               row->arg ? row->arg : "");
        strbuf_adds(out, left);
        size_t column = text_columns(left, strlen(left));
        free(left);
        if (column + 2 > indent) {
            strbuf_addc(out, '\n');
            column = 0;
        }
        struct strbuf text = STRBUF_INIT;
        opt_describe(&text, row);
        wrap_text(out, text.text, indent, column, width);
        strbuf_release(&text);
    }
}
