/*
 * The bytes of a file as text: without a byte order mark, UTF-16 (as PowerShell's > writes it) turned
 * into UTF-8. Other bytes stay as they are.
 */
#ifndef STORE_IMPORT_TEXT_INPUT_H
#define STORE_IMPORT_TEXT_INPUT_H

#include <stdbool.h>
#include <stddef.h>

struct text_input {
    const char *text; /* n bytes and a NUL */
    size_t n;
    size_t skipped; /* bytes of the mark: add to offsets in text to get those in the file */
    bool converted; /* from UTF-16: offsets are those of the UTF-8 text */
    char *owned;    /* NULL: text points into the bytes given */
};

/* `bytes` (n of them and a NUL) must stay until release. */
void text_input_init(struct text_input *in, const char *bytes, size_t n);
void text_input_release(struct text_input *in);

#endif
