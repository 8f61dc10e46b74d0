#include "store/import/json_reader.h"

#include "core/base/xalloc.h"
#include "store/import/json_lex_internal.h"

enum { FLAG_CHILDREN = 1, FLAG_OPEN = 2 };

struct level {
    json_id container;
    json_id last; /* newest child that has a node */
    bool any;     /* something stands in it: a comma comes before the next */
};

struct parser {
    struct json_doc *doc;
    size_t at;
    const char *fault;
    unsigned depth;
    struct level level[JSON_MAX_DEPTH];
};

void json_doc_init(struct json_doc *d, const char *text, size_t n)
{
    *d = (struct json_doc){.text = text, .n = n, .n_nodes = 1};
}

void json_doc_release(struct json_doc *d)
{
    free(d->node);
    *d = (struct json_doc){0};
}

void json_doc_clear(struct json_doc *d)
{
    d->n_nodes = 1;
}

static bool fail(struct parser *ps, const char *why)
{
    ps->fault = why;
    return false;
}

/* Adds a node as the last child of the innermost container. */
static json_id add_node(struct parser *ps, struct json_node node)
{
    struct json_doc *d = ps->doc;
    if (d->n_nodes > d->n / 4 + 1024 || d->n_nodes >= UINT32_MAX) {
        fail(ps, "too many values for a file of this size");
        return 0;
    }
    GROW(d->node, d->n_nodes + 1 < 256 ? 256 : d->n_nodes + 1, d->room);
    json_id id = (json_id)d->n_nodes++;
    d->node[id] = node;
    if (ps->depth == 0)
        return id;
    struct level *in = &ps->level[ps->depth - 1];
    if (in->last)
        d->node[in->last].next = id;
    else
        d->node[in->container].flags |= FLAG_CHILDREN;
    in->last = id;
    return id;
}

static bool at_word_end(const char *text, size_t n, size_t at)
{
    if (at >= n)
        return true;
    unsigned char c = (unsigned char)text[at];
    if (c == ',' || c < '+') /* nearly always */
        return true;
    return !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
           c != '.' && c != '+' && c != '-' && c != '_';
}

enum json_kind json_scan_word(const char *text, size_t n, size_t at, size_t *end)
{
    static const struct {
        const char *word;
        uint8_t len;
        enum json_kind kind;
    } words[] = {
        {"true", 4, JSON_TRUE}, {"false", 5, JSON_FALSE}, {"null", 4, JSON_NULL},
        {"nan", 3, JSON_NULL},  {"inf", 3, JSON_NULL},    {"infinity", 8, JSON_NULL},
    };
    if (at >= n)
        return JSON_NONE;
    size_t p = json_number_end(text, n, at);
    if (p > at) {
        *end = p;
        return at_word_end(text, n, p) ? JSON_NUMBER : JSON_NONE;
    }
    size_t first = at + (text[at] == '-');
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t len = words[i].len;
        if (n - first >= len && strncasecmp(text + first, words[i].word, len) == 0 &&
            at_word_end(text, n, first + len)) {
            *end = first + len;
            return words[i].kind;
        }
    }
    return JSON_NONE;
}

static bool read_string(struct parser *ps, struct json_node *node)
{
    const struct json_doc *d = ps->doc;
    size_t end = json_string_end(d->text, d->n, ps->at + 1);
    if (end >= d->n)
        return fail(ps, "a string without its closing quote");
    node->kind = JSON_STRING;
    node->at = (uint32_t)ps->at + 1;
    ps->at = end + 1;
    return true;
}

static json_id open_container(struct parser *ps, struct json_node node, char bracket)
{
    if (ps->depth == JSON_MAX_DEPTH) {
        fail(ps, "nested too deeply");
        return 0;
    }
    node.kind = bracket == '{' ? JSON_OBJECT : JSON_ARRAY;
    node.flags = FLAG_OPEN;
    json_id id = add_node(ps, node);
    if (id) {
        ps->level[ps->depth++] = (struct level){.container = id};
        ps->at++;
    }
    return id;
}

/*
 * Reads the value at ps->at; a container is only opened. Plain elements of arrays get no node. The
 * node given holds the key. Returns 0 when no node was made, and sets ps->fault when there was no
 * value.
 */
static json_id read_value(struct parser *ps, struct json_node node)
{
    const struct json_doc *d = ps->doc;
    if (ps->at >= d->n) {
        fail(ps, "the text ends where a value should stand");
        return 0;
    }
    char c = d->text[ps->at];
    node.at = (uint32_t)ps->at;
    if (c == '{' || c == '[')
        return open_container(ps, node, c);
    if (c == '"') {
        if (!read_string(ps, &node))
            return 0;
    } else {
        size_t end = ps->at;
        enum json_kind kind = json_scan_word(d->text, d->n, ps->at, &end);
        if (kind == JSON_NONE) {
            fail(ps, "no value");
            return 0;
        }
        node.kind = (uint8_t)kind;
        ps->at = end;
    }
    bool element = ps->depth > 0 && !node.key;
    return element ? 0 : add_node(ps, node);
}

static bool read_key(struct parser *ps, struct json_node *node)
{
    const struct json_doc *d = ps->doc;
    if (ps->at >= d->n)
        return fail(ps, "the text ends inside an object");
    if (d->text[ps->at] != '"')
        return fail(ps, "no \"name\" of a member");
    size_t end = json_string_end(d->text, d->n, ps->at + 1);
    if (end >= d->n)
        return fail(ps, "a name without its closing quote");
    size_t len = end - ps->at - 1;
    size_t colon = json_skip_blanks(d->text, d->n, end + 1);
    if (colon >= d->n || d->text[colon] != ':') {
        ps->at = colon < d->n ? colon : d->n;
        return fail(ps, "no ':' after a name");
    }
    node->key = (uint32_t)ps->at + 1;
    node->key_len = len < UINT16_MAX ? (uint16_t)len : UINT16_MAX;
    ps->at = json_skip_blanks(d->text, d->n, colon + 1);
    return true;
}

/* Reads the next member or element of the innermost container, or closes it. */
static bool read_part(struct parser *ps)
{
    struct json_doc *d = ps->doc;
    struct level *in = &ps->level[ps->depth - 1];
    bool object = d->node[in->container].kind == JSON_OBJECT;
    ps->at = json_skip_blanks(d->text, d->n, ps->at);
    if (ps->at >= d->n)
        return fail(ps, "the text ends inside an object or array");
    if (d->text[ps->at] == (object ? '}' : ']')) {
        d->node[in->container].flags &= (uint8_t)~FLAG_OPEN;
        ps->at++;
        ps->depth--;
        return true;
    }
    if (in->any) {
        if (d->text[ps->at] != ',')
            return fail(ps, object ? "neither ',' nor '}' after a member"
                                   : "neither ',' nor ']' after an element");
        ps->at = json_skip_blanks(d->text, d->n, ps->at + 1);
    }
    in->any = true;
    struct json_node node = {0};
    if (object && !read_key(ps, &node))
        return false;
    read_value(ps, node);
    return !ps->fault;
}

bool json_parse(struct json_doc *d, size_t at, json_id *root, size_t *end, struct json_fault *fault)
{
    struct parser ps;
    ps.doc = d;
    ps.at = at;
    ps.fault = NULL;
    ps.depth = 0;
    if (d->n >= UINT32_MAX)
        fail(&ps, "larger than 4 GiB");
    *root = ps.fault ? 0 : read_value(&ps, (struct json_node){0});
    while (!ps.fault && ps.depth > 0)
        read_part(&ps);
    *end = ps.at;
    if (ps.fault)
        *fault = (struct json_fault){.at = ps.at, .why = ps.fault};
    return !ps.fault;
}

json_id json_child(const struct json_doc *d, json_id id)
{
    return id && d->node[id].flags & FLAG_CHILDREN ? id + 1 : 0;
}

bool json_is_open(const struct json_doc *d, json_id id)
{
    return (d->node[id].flags & FLAG_OPEN) != 0;
}
