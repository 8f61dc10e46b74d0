/* Looking at what json_parse has read: members, numbers, texts. */
#include "store/import/json_reader.h"

#include <math.h>

#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "store/import/json_lex_internal.h"
#include "store/import/number.h"
#include "store/import/utf8_internal.h"

bool json_key_is(const struct json_doc *d, json_id id, const char *name)
{
    const struct json_node *node = &d->node[id];
    size_t len = strlen(name);
    return node->key && node->key_len == len && memcmp(d->text + node->key, name, len) == 0;
}

json_id json_find(const struct json_doc *d, json_id obj, const char *name)
{
    if (json_kind(d, obj) != JSON_OBJECT)
        return 0;
    size_t len = strlen(name);
    for (json_id id = json_child(d, obj); id; id = d->node[id].next) {
        const struct json_node *node = &d->node[id];
        const char *key = d->text + node->key;
        if (node->key_len == len && key[0] == name[0] && memcmp(key, name, len) == 0)
            return id;
    }
    return 0;
}

const char *json_key(const struct json_doc *d, json_id id, size_t *len)
{
    const struct json_node *node = &d->node[id];
    *len = node->key_len < UINT16_MAX ? node->key_len
                                      : json_string_end(d->text, d->n, node->key) - node->key;
    return d->text + node->key;
}

/* The text of a number, its length in *n. */
static const char *number(const struct json_doc *d, json_id id, size_t *n)
{
    size_t at = d->node[id].at;
    *n = json_number_end(d->text, d->n, at) - at;
    return d->text + at;
}

/* The same of a number or word. */
static const char *word(const struct json_doc *d, json_id id, size_t *n)
{
    size_t at = d->node[id].at;
    size_t end = at;
    json_scan_word(d->text, d->n, at, &end);
    *n = end - at;
    return d->text + at;
}

bool json_f64(const struct json_doc *d, json_id id, double *v)
{
    if (json_kind(d, id) != JSON_NUMBER)
        return false;
    size_t n;
    const char *text = number(d, id, &n);
    return number_f64(text, n, v);
}

bool json_u64(const struct json_doc *d, json_id id, uint64_t *v)
{
    if (json_kind(d, id) != JSON_NUMBER)
        return false;
    size_t n;
    const char *text = number(d, id, &n);
    if (number_u64(text, n, v))
        return true;
    double f;
    if (memchr(text, '.', n) == NULL || !number_f64(text, n, &f) || f < 0 || f >= 0x1p53 ||
        f != floor(f))
        return false;
    *v = (uint64_t)f;
    return true;
}

bool json_i64(const struct json_doc *d, json_id id, int64_t *v)
{
    uint64_t u;
    if (json_kind(d, id) != JSON_NUMBER)
        return false;
    size_t n;
    const char *text = number(d, id, &n);
    if (number_i64(text, n, v))
        return true;
    if (!json_u64(d, id, &u) || u > INT64_MAX)
        return false;
    *v = (int64_t)u;
    return true;
}

void json_each_number(const struct json_doc *d, json_id array, bool (*fn)(double v, void *arg),
                      void *arg)
{
    if (json_kind(d, array) != JSON_ARRAY || json_is_open(d, array))
        return;
    size_t at = d->node[array].at + 1;
    for (;;) {
        at = json_skip_blanks(d->text, d->n, at);
        size_t end = at;
        enum json_kind kind = json_scan_word(d->text, d->n, at, &end);
        if (kind != JSON_NUMBER && kind != JSON_NULL)
            return;
        double v = NAN;
        if (kind == JSON_NUMBER && !number_f64(d->text + at, end - at, &v))
            v = NAN;
        if (!fn(v, arg))
            return;
        at = json_skip_blanks(d->text, d->n, end);
        if (d->text[at] != ',')
            return;
        at++;
    }
}

static void add_code_point(struct strbuf *out, uint32_t c)
{
    char bytes[4];
    strbuf_add(out, bytes, utf8_put(bytes, c));
}

/* Four hex digits, or -1. */
static int32_t hex4(const char *text, size_t n)
{
    int32_t v = 0;
    if (n < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = text[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        v = v * 16 + digit;
    }
    return v;
}

/* Undoes "\uXXXX" (text is after the u), with a second half of a surrogate pair when one follows.
 * Returns the bytes used; 0 when it is none. */
static size_t add_unicode_escape(struct strbuf *out, const char *text, size_t n)
{
    int32_t c = hex4(text, n);
    if (c < 0)
        return 0;
    size_t used = 4;
    if (c >= 0xd800 && c <= 0xdbff && n >= 10 && text[4] == '\\' && text[5] == 'u') {
        int32_t low = hex4(text + 6, n - 6);
        if (low >= 0xdc00 && low <= 0xdfff) {
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            used = 10;
        }
    }
    bool bad = c == 0 || (c >= 0xd800 && c <= 0xdfff);
    add_code_point(out, bad ? 0xfffd : (uint32_t)c);
    return used;
}

/* Undoes the escape whose character (after the backslash) is text[0]. Returns the bytes used. */
static size_t add_escape(struct strbuf *out, const char *text, size_t n)
{
    static const char from[] = "bfnrt";
    static const char to[] = "\b\f\n\r\t";
    char c = text[0];
    const char *hit = c ? strchr(from, c) : NULL;
    size_t used = c == 'u' ? add_unicode_escape(out, text + 1, n - 1) : 0;
    if (used > 0)
        return used + 1;
    if (hit) {
        strbuf_addc(out, to[hit - from]);
    } else if (c == '"' || c == '\\' || c == '/') {
        strbuf_addc(out, c);
    } else { /* early fio writes backslashes as they are: keep them */
        strbuf_addc(out, '\\');
        return 0;
    }
    return 1;
}

static char *unescape(const char *text, size_t n)
{
    if (!memchr(text, '\\', n) && !memchr(text, '\0', n))
        return xstrndup(text, n);
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < n;) {
        if (text[i] == '\\' && i + 1 < n) {
            i++;
            i += add_escape(&out, text + i, n - i);
        } else if (text[i] == '\0') {
            add_code_point(&out, 0xfffd);
            i++;
        } else {
            strbuf_addc(&out, text[i++]);
        }
    }
    return strbuf_detach(&out);
}

char *json_text(const struct json_doc *d, json_id id)
{
    size_t n;
    switch (json_kind(d, id)) {
    case JSON_STRING:
        n = json_string_end(d->text, d->n, d->node[id].at) - d->node[id].at;
        return unescape(d->text + d->node[id].at, n);
    case JSON_NUMBER:
    case JSON_TRUE:
    case JSON_FALSE: {
        const char *text = word(d, id, &n);
        return xstrndup(text, n);
    }
    default:
        return NULL;
    }
}

char *json_key_text(const struct json_doc *d, json_id id)
{
    size_t n;
    const char *key = json_key(d, id, &n);
    return unescape(key, n);
}

/* One token of whole JSON text: a punctuation byte, a string, or a word. */
struct token {
    enum json_kind kind; /* JSON_NONE: punctuation */
    const char *text;
    size_t n;
};

static struct token next_token(const struct json_doc *d, size_t *at)
{
    size_t p = json_skip_blanks(d->text, d->n, *at);
    struct token t = {JSON_NONE, d->text + p, 1};
    if (d->text[p] == '"') {
        size_t end = json_string_end(d->text, d->n, p + 1);
        t = (struct token){JSON_STRING, d->text + p + 1, end - p - 1};
        *at = end + 1;
        return t;
    }
    size_t end = p;
    t.kind = json_scan_word(d->text, d->n, p, &end);
    if (t.kind != JSON_NONE)
        t.n = end - p;
    *at = p + t.n;
    return t;
}

/* Change of the nesting depth by a token. */
static int nesting(const struct token *t)
{
    if (t->kind != JSON_NONE)
        return 0;
    return (*t->text == '{' || *t->text == '[') - (*t->text == '}' || *t->text == ']');
}

static size_t value_start(const struct json_doc *d, json_id id)
{
    return d->node[id].at - (d->node[id].kind == JSON_STRING);
}

/* The reader takes numbers such as 007 and 1. that strict JSON does not know. */
static bool is_strict(const char *text, size_t n)
{
    size_t first = text[0] == '-';
    bool zeros = n - first > 1 && text[first] == '0' && text[first + 1] != '.' &&
                 text[first + 1] != 'e' && text[first + 1] != 'E';
    const char *point = memchr(text, '.', n);
    bool bare_point = point && (point + 1 == text + n || point[1] < '0' || point[1] > '9');
    return !zeros && !bare_point;
}

static void copy_token(struct strbuf *out, const struct token *t)
{
    double v = 0;
    if (t->kind == JSON_STRING) {
        char *text = unescape(t->text, t->n);
        json_quote(out, text);
        free(text);
    } else if (t->kind == JSON_NULL || (t->kind == JSON_NUMBER && !number_f64(t->text, t->n, &v))) {
        strbuf_adds(out, "null");
    } else if (t->kind == JSON_NUMBER && !is_strict(t->text, t->n)) {
        json_number(out, v);
    } else if (t->kind == JSON_TRUE || t->kind == JSON_FALSE) {
        strbuf_adds(out, t->kind == JSON_TRUE ? "true" : "false");
    } else {
        strbuf_add(out, t->text, t->n);
    }
}

void json_copy(struct strbuf *out, const struct json_doc *d, json_id id)
{
    if (!id || json_is_open(d, id)) {
        strbuf_adds(out, "null");
        return;
    }
    size_t at = value_start(d, id);
    int depth = 0;
    do {
        struct token t = next_token(d, &at);
        copy_token(out, &t);
        depth += nesting(&t);
    } while (depth > 0);
}

bool json_equal(const struct json_doc *d, json_id a, json_id b)
{
    if (!a || !b || json_is_open(d, a) || json_is_open(d, b))
        return false;
    size_t at_a = value_start(d, a);
    size_t at_b = value_start(d, b);
    int depth = 0;
    do {
        struct token s = next_token(d, &at_a);
        struct token t = next_token(d, &at_b);
        if (s.kind != t.kind || s.n != t.n || memcmp(s.text, t.text, s.n) != 0)
            return false;
        depth += nesting(&s);
    } while (depth > 0);
    return true;
}

size_t text_line(const char *text, size_t at)
{
    size_t line = 1;
    const char *p = text;
    const char *end = text + at;
    while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
        line++;
        p++;
    }
    return line;
}
