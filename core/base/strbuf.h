/*
 * A growing string. `text` is always NUL-terminated (also when empty and never written), `len` does
 * not count that NUL; bytes may be any value. Init with STRBUF_INIT or strbuf_init, free with
 * strbuf_release. Callers may read text and len, and change them only through these functions.
 */
#ifndef CORE_BASE_STRBUF_H
#define CORE_BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf {
    char *text;
    size_t len;
    size_t room;
};

extern char strbuf_empty[1]; /* what text points to before anything is written */

#define STRBUF_INIT                                                                                \
    {                                                                                              \
        strbuf_empty, 0, 0                                                                         \
    }

void strbuf_init(struct strbuf *sb);
void strbuf_release(struct strbuf *sb);
/* Empties it and keeps the memory. */
void strbuf_reset(struct strbuf *sb);
/* Cuts it to n bytes (n <= len). */
void strbuf_truncate(struct strbuf *sb, size_t n);
void strbuf_add(struct strbuf *sb, const void *bytes, size_t n);
void strbuf_adds(struct strbuf *sb, const char *s);
void strbuf_addc(struct strbuf *sb, char c);
void strbuf_addu(struct strbuf *sb, uint64_t v); /* in decimal, and fast */
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_addv(struct strbuf *sb, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
/* Makes room for n more bytes and returns where they go; strbuf_advance then says how many came. */
char *strbuf_reserve(struct strbuf *sb, size_t n);
void strbuf_advance(struct strbuf *sb, size_t n);
/* Gives the string to the caller (free with free()); the strbuf is empty again. */
char *strbuf_detach(struct strbuf *sb);

#endif
