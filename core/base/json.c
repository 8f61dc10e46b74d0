#include "core/base/json.h"

#include <inttypes.h>

#include "core/base/json_internal.h"
#include "core/base/utf8.h"
#include "core/base/xalloc.h"

/* Adds the item; cJSON returns NULL only when memory ran out, which ends the program here. */
static cJSON *attach(cJSON *parent, const char *name, cJSON *item)
{
    if (!item)
        return xrealloc(NULL, SIZE_MAX, 2);
    cJSON_bool added =
        name ? cJSON_AddItemToObject(parent, name, item) : cJSON_AddItemToArray(parent, item);
    if (!added)
        cJSON_Delete(item);
    return added ? item : NULL;
}

void json_add_u64(cJSON *parent, const char *name, uint64_t v)
{
    char buf[24];
    snprintf(buf, sizeof buf, "%" PRIu64, v);
    attach(parent, name, cJSON_CreateRaw(buf));
}

void json_add_i64(cJSON *parent, const char *name, int64_t v)
{
    char buf[24];
    snprintf(buf, sizeof buf, "%" PRId64, v);
    attach(parent, name, cJSON_CreateRaw(buf));
}

void json_add_f64(cJSON *parent, const char *name, double v)
{
    struct strbuf sb = STRBUF_INIT;
    json_number(&sb, v);
    attach(parent, name, cJSON_CreateRaw(sb.text));
    strbuf_release(&sb);
}

void json_add_bool(cJSON *parent, const char *name, bool v)
{
    attach(parent, name, cJSON_CreateBool(v));
}

void json_add_null(cJSON *parent, const char *name)
{
    attach(parent, name, cJSON_CreateNull());
}

void json_add_text(cJSON *parent, const char *name, const char *text)
{
    if (!text) {
        json_add_null(parent, name);
        return;
    }
    struct strbuf sb = STRBUF_INIT;
    utf8_repair(&sb, text);
    attach(parent, name, cJSON_CreateString(sb.text));
    strbuf_release(&sb);
}

void json_add_raw(cJSON *parent, const char *name, const char *json)
{
    attach(parent, name, json && json_is_valid(json) ? cJSON_CreateRaw(json) : cJSON_CreateNull());
}

static cJSON *attach_or_root(cJSON *parent, const char *name, cJSON *item)
{
    return parent || !item ? attach(parent, name, item) : item;
}

cJSON *json_add_object(cJSON *parent, const char *name)
{
    return attach_or_root(parent, name, cJSON_CreateObject());
}

cJSON *json_add_array(cJSON *parent, const char *name)
{
    return attach_or_root(parent, name, cJSON_CreateArray());
}

/* A new line of the given depth; a blank (or nothing) when on one line. */
static void new_line(struct strbuf *out, bool pretty, int depth)
{
    if (!pretty)
        return;
    strbuf_addc(out, '\n');
    for (int i = 0; i < depth; i++)
        strbuf_adds(out, "  ");
}

static void print_value(struct strbuf *out, const cJSON *v, bool pretty, int depth);

static void print_members(struct strbuf *out, const cJSON *v, bool pretty, int depth)
{
    bool object = cJSON_IsObject(v);
    strbuf_addc(out, object ? '{' : '[');
    for (const cJSON *m = v->child; m; m = m->next) {
        new_line(out, pretty, depth + 1);
        if (object) {
            json_quote_text(out, m->string, false);
            strbuf_adds(out, pretty ? ": " : ":");
        }
        print_value(out, m, pretty, depth + 1);
        if (m->next)
            strbuf_addc(out, ',');
    }
    if (v->child)
        new_line(out, pretty, depth);
    strbuf_addc(out, object ? '}' : ']');
}

static void print_value(struct strbuf *out, const cJSON *v, bool pretty, int depth)
{
    if (cJSON_IsObject(v) || cJSON_IsArray(v))
        print_members(out, v, pretty, depth);
    else if (cJSON_IsString(v))
        json_quote_text(out, v->valuestring, false);
    else if (cJSON_IsRaw(v))
        strbuf_adds(out, v->valuestring);
    else if (cJSON_IsNumber(v))
        json_number(out, v->valuedouble);
    else if (cJSON_IsBool(v))
        strbuf_adds(out, cJSON_IsTrue(v) ? "true" : "false");
    else
        strbuf_adds(out, "null");
}

char *json_print(const cJSON *v, bool pretty)
{
    struct strbuf out = STRBUF_INIT;
    print_value(&out, v, pretty, 0);
    return strbuf_detach(&out);
}
