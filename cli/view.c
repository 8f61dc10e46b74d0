#include "cli/view.h"

#include <stdarg.h>

#include "cli/wrap.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/numfmt.h"
#include "core/base/utf8.h"
#include "core/base/xalloc.h"

#define NAME_WIDTH 16

void view_init(struct view *v, const struct cmd_ctx *ctx)
{
    *v = (struct view){.out = STRBUF_INIT,
                       .markdown = ctx->format == OUT_MD,
                       .width = ctx->width,
                       .colour = ctx->colour};
}

void view_print(struct view *v)
{
    fputs(v->out.text, stdout);
    strbuf_release(&v->out);
}

/* Text in a Markdown table must not end its cell. */
static void add_clean(struct view *v, const char *text)
{
    struct strbuf clean = STRBUF_INIT;
    utf8_clean(&clean, text);
    for (const char *p = clean.text; *p; p++) {
        if (v->markdown && strchr("|\\`*_<>[]", *p))
            strbuf_addc(&v->out, '\\');
        strbuf_addc(&v->out, *p);
    }
    strbuf_release(&clean);
}

void view_heading(struct view *v, int level, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct strbuf text = STRBUF_INIT;
    strbuf_addv(&text, fmt, ap);
    va_end(ap);
    if (v->out.len)
        strbuf_addc(&v->out, '\n');
    if (v->markdown)
        strbuf_adds(&v->out, level == 1 ? "# " : "## ");
    else if (v->colour)
        strbuf_adds(&v->out, "\033[1m");
    if (v->markdown || v->width == 0) { /* a pipe: a line stays a line */
        add_clean(v, text.text);
    } else {
        struct strbuf clean = STRBUF_INIT;
        utf8_clean(&clean, text.text);
        wrap_text(&v->out, clean.text, 0, 0, v->width);
        strbuf_truncate(&v->out, v->out.len - 1); /* the end of the line: colours end before it */
        strbuf_release(&clean);
    }
    if (!v->markdown && v->colour)
        strbuf_adds(&v->out, "\033[0m");
    strbuf_adds(&v->out, v->markdown ? "\n\n" : "\n");
    strbuf_release(&text);
}

void view_line(struct view *v, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    if (v->markdown) {
        strbuf_addf(&v->out, "- %s: ", name);
        add_clean(v, value);
        strbuf_addc(&v->out, '\n');
        return;
    }
    strbuf_addf(&v->out, "  %-*s  ", NAME_WIDTH, name);
    if (v->width == 0) { /* a pipe: a line stays a line */
        add_clean(v, value);
        strbuf_addc(&v->out, '\n');
        return;
    }
    struct strbuf clean = STRBUF_INIT;
    utf8_clean(&clean, value);
    wrap_text(&v->out, clean.text, NAME_WIDTH + 4, NAME_WIDTH + 4, v->width);
    strbuf_release(&clean);
}

void view_linef(struct view *v, const char *name, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct strbuf text = STRBUF_INIT;
    strbuf_addv(&text, fmt, ap);
    va_end(ap);
    view_line(v, name, text.text);
    strbuf_release(&text);
}

void view_text(struct view *v, const char *text)
{
    strbuf_adds(&v->out, v->markdown ? "\n" : "  ");
    add_clean(v, text);
    strbuf_addc(&v->out, '\n');
}

void view_paragraph(struct view *v, const char *text)
{
    if (v->markdown || v->width == 0) { /* a pipe: a line stays a line */
        bool apart = v->out.len < 2 || strcmp(v->out.text + v->out.len - 2, "\n\n") == 0;
        strbuf_adds(&v->out, v->markdown && !apart ? "\n" : "");
        add_clean(v, text);
        strbuf_addc(&v->out, '\n');
        return;
    }
    struct strbuf clean = STRBUF_INIT;
    utf8_clean(&clean, text);
    wrap_text(&v->out, clean.text, 0, 0, v->width);
    strbuf_release(&clean);
}

void view_table(struct view *v, struct text_table *t)
{
    if (v->markdown)
        text_table_markdown(t, &v->out);
    else
        text_table_print(t, &v->out, v->width, v->colour);
    text_table_destroy(t);
}

static void add_duration(struct strbuf *out, double ns)
{
    char buf[NUMFMT_MAX];
    strbuf_adds(out, ns < 10e9 ? fmt_latency(buf, ns) : fmt_duration(buf, (uint64_t)ns));
}

/* Numbers by their unit; false when the field has none. */
static bool add_with_unit(struct strbuf *out, const struct field *f, double v)
{
    char a[NUMFMT_MAX], b[NUMFMT_MAX];
    switch (f->unit) {
    case UNIT_BYTES:
        strbuf_adds(out, fmt_bytes(a, (uint64_t)v));
        return true;
    case UNIT_BYTES_PER_S:
        strbuf_addf(out, "%s MiB/s (%s MB/s)", fmt_mib(a, v), fmt_mb(b, v));
        return true;
    case UNIT_IOPS:
        strbuf_adds(out, fmt_iops(a, v));
        return true;
    case UNIT_NS:
        add_duration(out, v);
        return true;
    case UNIT_RATIO:
        strbuf_adds(out, fmt_share(a, v));
        return true;
    case UNIT_PERCENT:
        strbuf_addf(out, "%s %%", fmt_number(a, v));
        return true;
    case UNIT_CELSIUS:
        strbuf_addf(out, "%s °C", fmt_number(a, v));
        return true;
    case UNIT_COUNT:
        if (f->type == FIELD_F64)
            strbuf_adds(out, fmt_number(a, v));
        else
            strbuf_adds(out, fmt_count(a, (uint64_t)v));
        return true;
    case UNIT_NONE:
    case UNIT_INSTANT:
        break;
    }
    return false;
}

/* As it is, with a blank behind each comma between values: there a line may end. */
static void add_json(struct strbuf *out, const char *json)
{
    bool in_text = false;
    for (const char *p = json; *p; p++) {
        strbuf_addc(out, *p);
        if (in_text && *p == '\\' && p[1])
            strbuf_addc(out, *++p);
        else if (*p == '"')
            in_text = !in_text;
        else if (*p == ',' && !in_text && p[1] != ' ')
            strbuf_addc(out, ' ');
    }
}

/* JSON of one level as words: "a, b" or "name: value; name: value"; anything deeper stays JSON. */
static void add_json_words(struct strbuf *out, const char *json)
{
    cJSON *v = cJSON_Parse(json);
    size_t start = out->len;
    bool object = cJSON_IsObject(v), plain = object || cJSON_IsArray(v);
    const cJSON *e;
    cJSON_ArrayForEach(e, v)
    {
        plain = plain && cJSON_IsString(e);
        if (!plain)
            break;
        strbuf_adds(out, out->len == start ? "" : object ? "; " : ", ");
        if (object)
            strbuf_addf(out, "%s: ", e->string);
        strbuf_adds(out, e->valuestring);
    }
    if (!plain) {
        strbuf_truncate(out, start);
        add_json(out, json);
    }
    cJSON_Delete(v);
}

void view_value(struct strbuf *out, const struct field_set *set, const void *rec, size_t i)
{
    const struct field *f = &set->field[i];
    char text[CLOCK_TEXT_MAX];
    if (!field_is_known(set, rec, i))
        strbuf_adds(out, "–");
    else if (f->unit == UNIT_INSTANT)
        strbuf_adds(out, clock_rfc3339(text, field_get_i64(set, rec, i), false));
    else if (f->type == FIELD_BOOL)
        strbuf_adds(out, field_get_u64(set, rec, i) ? "yes" : "no");
    else if (f->type == FIELD_JSON)
        add_json_words(out, field_get_text(set, rec, i));
    else if (f->type == FIELD_TEXT || f->type == FIELD_ENUM ||
             !add_with_unit(out, f, field_get_f64(set, rec, i)))
        field_format(out, set, rec, i);
}

void view_fields(struct view *v, const struct field_set *set, const void *rec, uint64_t skip)
{
    for (size_t i = 0; i < set->n; i++) {
        if (skip >> i & 1 || !field_is_known(set, rec, i))
            continue;
        const struct field *f = &set->field[i];
        char name[64];
        size_t n = strlen(f->name), cut = n > 3 && strcmp(f->name + n - 3, "_ns") == 0 ? 3 : 0;
        snprintf(name, sizeof name, "%.*s", (int)(n - cut), f->name);
        struct strbuf value = STRBUF_INIT;
        view_value(&value, set, rec, i);
        view_line(v, name, value.text);
        strbuf_release(&value);
    }
}
