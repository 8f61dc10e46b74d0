/* cJSON's parser lets through what JSON does not (raw control characters, "01"), so checking is ours. */
#include "core/base/json.h"

#include "core/base/utf8.h"

#define DEPTH_MAX 64

/* Each check_ function returns the end of what it accepts, NULL when it is not there. */
static const char *check_value(const char *p, int depth);

static const char *skip_space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static const char *check_word(const char *p, const char *word)
{
    size_t n = strlen(word);
    return strncmp(p, word, n) == 0 ? p + n : NULL;
}

static const char *check_escape(const char *p)
{
    if (*p != 'u')
        return *p && strchr("\"\\/bfnrt", *p) ? p + 1 : NULL;
    return strspn(p + 1, "0123456789abcdefABCDEF") >= 4 ? p + 5 : NULL;
}

static const char *check_string(const char *p)
{
    if (*p++ != '"')
        return NULL;
    while (*p != '"') {
        bool valid;
        if ((unsigned char)*p < 0x20) /* the NUL too */
            return NULL;
        if (*p == '\\') {
            p = check_escape(p + 1);
            if (!p)
                return NULL;
            continue;
        }
        p += utf8_next((const unsigned char *)p, &valid);
        if (!valid)
            return NULL;
    }
    return p + 1;
}

static const char *check_digits(const char *p)
{
    size_t n = strspn(p, "0123456789");
    return n > 0 ? p + n : NULL;
}

static const char *check_number(const char *p)
{
    p += *p == '-';
    p = *p == '0' ? p + 1 : check_digits(p);
    if (p && *p == '.')
        p = check_digits(p + 1);
    if (p && (*p == 'e' || *p == 'E')) {
        p++;
        p = check_digits(p + (*p == '+' || *p == '-'));
    }
    return p;
}

/* Members between the brackets; p is behind the opening one. */
static const char *check_members(const char *p, char close, int depth)
{
    p = skip_space(p);
    if (*p == close)
        return p + 1;
    for (;;) {
        if (close == '}') {
            p = check_string(skip_space(p));
            if (!p)
                return NULL;
            p = skip_space(p);
            if (*p++ != ':')
                return NULL;
        }
        p = check_value(p, depth + 1);
        if (!p)
            return NULL;
        p = skip_space(p);
        if (*p == close)
            return p + 1;
        if (*p++ != ',')
            return NULL;
    }
}

static const char *check_value(const char *p, int depth)
{
    if (depth > DEPTH_MAX)
        return NULL;
    p = skip_space(p);
    switch (*p) {
    case '{':
        return check_members(p + 1, '}', depth);
    case '[':
        return check_members(p + 1, ']', depth);
    case '"':
        return check_string(p);
    case 't':
        return check_word(p, "true");
    case 'f':
        return check_word(p, "false");
    case 'n':
        return check_word(p, "null");
    default:
        return check_number(p);
    }
}

bool json_is_valid(const char *text)
{
    const char *end = check_value(text, 1);
    return end && *skip_space(end) == '\0';
}
