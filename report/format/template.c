#include "report/format/format_internal.h"

#include "core/base/embedded.h"

#define NAME_MAX_LEN 63

struct tag_text {
    char kind; /* 0, '?' or '/' */
    char name[NAME_MAX_LEN + 1];
    char context[8]; /* "", "attr", "html" */
};

struct renderer {
    struct strbuf *out;
    const char *file;
    const struct value *value;
    size_t n;
    struct error *err;
};

static int bad(const struct renderer *r, const char *what, const char *name)
{
    return error_set(r->err, ERR_USAGE, "template %s: %s \"%s\"; this is a bug in blkmatrix",
                     r->file, what, name);
}

static const struct value *find(const struct renderer *r, const char *name)
{
    for (size_t i = 0; i < r->n; i++) {
        if (strcmp(r->value[i].name, name) == 0)
            return &r->value[i];
    }
    return NULL;
}

/* Reads what stands between {{ and }}; p is behind the {{. NULL when it is no placeholder. */
static const char *read_tag(const char *p, struct tag_text *t)
{
    const char *end = strstr(p, "}}");
    *t = (struct tag_text){0};
    if (!end)
        return NULL;
    if (*p == '?' || *p == '/')
        t->kind = *p++;
    const char *colon = memchr(p, ':', (size_t)(end - p));
    size_t len = (size_t)((colon ? colon : end) - p);
    size_t context = colon ? (size_t)(end - colon - 1) : 0;
    if (len > NAME_MAX_LEN || context >= sizeof t->context)
        return NULL;
    memcpy(t->name, p, len);
    if (colon)
        memcpy(t->context, colon + 1, context);
    return end + 2;
}

static int put(const struct renderer *r, const struct tag_text *t)
{
    const struct value *v = find(r, t->name);
    bool wants_html = strcmp(t->context, "html") == 0;
    bool attr = strcmp(t->context, "attr") == 0;
    if (!v)
        return bad(r, "unknown placeholder", t->name);
    if (*t->context && !wants_html && !attr)
        return bad(r, "unknown context of", t->name);
    if (wants_html ? v->text != NULL : v->html != NULL)
        return bad(r, wants_html ? "text put as HTML:" : "HTML put as text:", t->name);
    if (wants_html)
        strbuf_adds(r->out, v->html ? v->html : "");
    else if (v->text)
        (attr ? html_attr : html_text)(r->out, v->text);
    return 0;
}

/* Renders up to end; parts recurse with their own end. */
static int render(const struct renderer *r, const char *p, const char *end)
{
    while (p < end) {
        const char *open = strstr(p, "{{");
        if (!open || open >= end) {
            strbuf_add(r->out, p, (size_t)(end - p));
            return 0;
        }
        strbuf_add(r->out, p, (size_t)(open - p));
        struct tag_text t;
        const char *after = read_tag(open + 2, &t);
        if (!after || t.kind == '/')
            return bad(r, "stray tag near", t.name);
        p = after;
        if (t.kind == 0) {
            int rc = put(r, &t);
            if (rc)
                return rc;
            continue;
        }
        char closing[NAME_MAX_LEN + 8];
        snprintf(closing, sizeof closing, "{{/%s}}", t.name);
        const char *close = strstr(p, closing);
        const struct value *v = find(r, t.name);
        if (!v || !close || close >= end)
            return bad(r, v ? "part without end:" : "unknown part", t.name);
        int rc = v->text || v->html ? render(r, p, close) : 0;
        if (rc)
            return rc;
        p = close + strlen(closing);
    }
    return 0;
}

int template_render(struct strbuf *out, const char *name, const struct value *v, size_t n,
                    struct error *err)
{
    struct strbuf path = STRBUF_INIT;
    strbuf_addf(&path, "templates/%s", name);
    size_t len;
    const char *text = embedded_find(path.text, &len);
    strbuf_release(&path);
    struct renderer r = {out, name, v, n, err};
    if (!text)
        return bad(&r, "missing file", name);
    if (len > 0 && text[len - 1] == '\n')
        len--;
    return render(&r, text, text + len);
}
