#include "core/base/error.h"

#include <errno.h>
#include <stdbool.h>

#include "core/base/utf8.h"

#undef error_set /* here are the functions behind the macros */
#undef error_errno

/*
 * Copies text to dst (size n): what is no character, and control characters but newline, byte by
 * byte as \xNN. Ends with "..." when it does not fit.
 */
static void copy_clean(char *dst, size_t n, const char *text)
{
    static const char hex[] = "0123456789abcdef";
    static const char more[] = "...";
    size_t used = 0, len;
    for (const unsigned char *p = (const unsigned char *)text; *p; p += len) {
        bool valid;
        len = utf8_next(p, &valid);
        bool clean = *p == '\n' || (valid && !utf8_is_control(p));
        if (used + (clean ? len : 4 * len) + sizeof more > n) {
            memcpy(dst + used, more, sizeof more);
            return;
        }
        for (size_t i = 0; i < len; i++) {
            if (clean) {
                dst[used++] = (char)p[i];
                continue;
            }
            dst[used++] = '\\';
            dst[used++] = 'x';
            dst[used++] = hex[p[i] >> 4];
            dst[used++] = hex[p[i] & 15];
        }
    }
    dst[used] = '\0';
}

__attribute__((format(printf, 3, 0))) static void set_v(struct error *err, int code,
                                                        const char *fmt, va_list ap)
{
    char raw[ERROR_MESSAGE_MAX * 2];
    vsnprintf(raw, sizeof raw, fmt, ap);
    err->code = code;
    copy_clean(err->message, sizeof err->message, raw);
}

int error_set(struct error *err, int code, const char *fmt, ...)
{
    if (err) {
        va_list ap;
        va_start(ap, fmt);
        set_v(err, code, fmt, ap);
        va_end(ap);
    }
    return -code;
}

int error_errno(struct error *err, int code, int errnum, const char *fmt, ...)
{
    if (err) {
        va_list ap;
        va_start(ap, fmt);
        set_v(err, code, fmt, ap);
        va_end(ap);
        char why[128];
        char raw[ERROR_MESSAGE_MAX + sizeof why + 4];
        snprintf(raw, sizeof raw, "%s: %s", err->message,
                 strerror_r(errnum, why, sizeof why)); /* the GNU variant, see feature macros */
        copy_clean(err->message, sizeof err->message, raw);
    }
    return -code;
}

int error_prefix(struct error *err, int fallback, const char *fmt, ...)
{
    if (!err)
        return -fallback;
    char head[ERROR_MESSAGE_MAX];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(head, sizeof head, fmt, ap);
    va_end(ap);
    char raw[ERROR_MESSAGE_MAX * 2 + 4];
    snprintf(raw, sizeof raw, "%s: %s", head, err->message);
    copy_clean(err->message, sizeof err->message, raw);
    if (!err->code)
        err->code = fallback;
    return -err->code;
}

void error_hint(struct error *err, const char *fmt, ...)
{
    if (!err)
        return;
    char hint[ERROR_MESSAGE_MAX];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(hint, sizeof hint, fmt, ap);
    va_end(ap);
    char raw[ERROR_MESSAGE_MAX * 2 + 4];
    snprintf(raw, sizeof raw, "%s\n%s", err->message, hint);
    copy_clean(err->message, sizeof err->message, raw);
}

void error_clear(struct error *err)
{
    if (err) {
        err->code = 0;
        err->message[0] = '\0';
    }
}

const char *error_code_name(int code)
{
    switch (code) {
    case 0:
        return "none";
    case ERR_REGRESSION:
        return "regression";
    case ERR_USAGE:
        return "usage";
    case ERR_REFUSED:
        return "refused";
    case ERR_DEVICE:
        return "device";
    case ERR_INPUT:
        return "input";
    case ERR_STORE:
        return "store";
    case ERR_INTERRUPTED:
        return "interrupted";
    default:
        return "unknown";
    }
}
