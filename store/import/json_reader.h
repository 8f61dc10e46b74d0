/*
 * A reader for JSON as other programs really write it, over text that stays in memory. The result
 * is a flat tree of 16-byte nodes that point into the text: nothing is copied, numbers are turned
 * into values only when asked for, so integers of 64 bits stay exact.
 *
 * Beyond RFC 8259 it takes: nan, inf and their like (as null), control bytes and bytes that are not
 * UTF-8 inside strings, a key several times in an object (all kept, in order). A document that
 * breaks off leaves a tree of what was whole, with the containers that were open marked.
 *
 * Not thread-safe; a document belongs to one caller.
 */
#ifndef STORE_IMPORT_JSON_READER_H
#define STORE_IMPORT_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/strbuf.h"

/* fio nests 8 deep. */
#define JSON_MAX_DEPTH 64

enum json_kind {
    JSON_NONE,
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
};

/* Number of a node in its document; 0 is none. */
typedef uint32_t json_id;

struct json_node {
    uint32_t key;     /* where the name of a member starts in the text; 0: no member */
    uint32_t at;      /* where the value starts, for strings after the quote */
    json_id next;     /* next member or element */
    uint16_t key_len; /* bytes of the name as written; UINT16_MAX: that many or more */
    uint8_t kind;
    uint8_t flags;
};

struct json_doc {
    const char *text; /* n bytes and a NUL */
    size_t n;
    struct json_node *node;
    size_t n_nodes; /* node 0 is not used */
    size_t room;
};

/* Where and why reading stopped. */
struct json_fault {
    size_t at;       /* byte offset in the text */
    const char *why; /* static text: "',' or '}' expected" */
};

/* The text must stay until release; at most 4 GiB - 1 (parse refuses more). */
void json_doc_init(struct json_doc *d, const char *text, size_t n);
void json_doc_release(struct json_doc *d);
/* Forgets all nodes and keeps the memory. */
void json_doc_clear(struct json_doc *d);

/*
 * Reads one value at offset `at` and adds its nodes. True when it is whole; *end is the offset after
 * it. Otherwise false, *fault is filled and *end is fault->at. *root is the value's node, 0 when not
 * even its start could be read.
 * Refused: more than JSON_MAX_DEPTH levels; more nodes than a quarter of the bytes of the text plus
 * 1024 (no result file is that dense, and it bounds the memory to four times the text).
 */
bool json_parse(struct json_doc *d, size_t at, json_id *root, size_t *end,
                struct json_fault *fault);

static inline enum json_kind json_kind(const struct json_doc *d, json_id id)
{
    return id ? (enum json_kind)d->node[id].kind : JSON_NONE;
}

static inline json_id json_next(const struct json_doc *d, json_id id)
{
    return d->node[id].next;
}

/*
 * First member or element; 0 when there is none. Elements that are no containers have no nodes:
 * json_each_number reads those.
 */
json_id json_child(const struct json_doc *d, json_id id);
/* True when the text broke off inside this container. */
bool json_is_open(const struct json_doc *d, json_id id);

/* The first member of that name, 0 when there is none or `obj` is no object. */
json_id json_find(const struct json_doc *d, json_id obj, const char *name);
bool json_key_is(const struct json_doc *d, json_id id, const char *name);
/* The name as written (escapes not undone), not NUL-terminated. */
const char *json_key(const struct json_doc *d, json_id id, size_t *len);
/* The name with escapes undone; free with free(). */
char *json_key_text(const struct json_doc *d, json_id id);

/*
 * The value as a number. json_u64 takes 12 and 12.0, not -1 and not 1.5; false for everything that
 * is no number or does not fit. A string of a number is none.
 */
bool json_u64(const struct json_doc *d, json_id id, uint64_t *v);
bool json_i64(const struct json_doc *d, json_id id, int64_t *v);
bool json_f64(const struct json_doc *d, json_id id, double *v);

/*
 * A string with its escapes undone, or a number or truth value as written; NULL for others. NUL
 * bytes become U+FFFD, nothing else is changed. Free with free().
 */
char *json_text(const struct json_doc *d, json_id id);

/* Calls fn for each element of an array that is a number (nan and null: NaN). Stops when it returns
 * false. */
void json_each_number(const struct json_doc *d, json_id array, bool (*fn)(double v, void *arg),
                      void *arg);

/* Appends the value as strict JSON on one line; null for a container that is open or no value. */
void json_copy(struct strbuf *out, const struct json_doc *d, json_id id);

/* True when both values are whole and are the same but for blanks. */
bool json_equal(const struct json_doc *d, json_id a, json_id b);

/* Number (from 1) of the line that byte `at` of a text is on. */
size_t text_line(const char *text, size_t at);

#endif
