#include "store/import/text_input.h"

#include <stdint.h>

#include "core/base/xalloc.h"
#include "store/import/utf8_internal.h"

static uint32_t unit16(const unsigned char *p, bool big)
{
    return big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

static void convert_utf16(struct text_input *in, const char *bytes, size_t n, bool big)
{
    const unsigned char *p = (const unsigned char *)bytes;
    char *out = xmalloc(n / 2 * 3 + 1); /* a unit becomes at most 3 bytes, a pair 4 */
    size_t len = 0;
    for (size_t i = 0; i + 1 < n; i += 2) {
        uint32_t c = unit16(p + i, big);
        if (c >= 0xd800 && c <= 0xdbff && i + 3 < n) {
            uint32_t low = unit16(p + i + 2, big);
            if (low >= 0xdc00 && low <= 0xdfff) {
                c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
                i += 2;
            }
        }
        if (c >= 0xd800 && c <= 0xdfff)
            c = 0xfffd;
        len += utf8_put(out + len, c);
    }
    out[len] = '\0';
    in->owned = out;
    in->text = out;
    in->n = len;
    in->converted = true;
}

void text_input_init(struct text_input *in, const char *bytes, size_t n)
{
    *in = (struct text_input){.text = bytes, .n = n};
    const unsigned char *b = (const unsigned char *)bytes;
    if (n >= 3 && b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf) {
        in->text += 3;
        in->n -= 3;
        in->skipped = 3;
    } else if (n >= 2 && ((b[0] == 0xff && b[1] == 0xfe) || (b[0] == 0xfe && b[1] == 0xff))) {
        convert_utf16(in, bytes + 2, n - 2, b[0] == 0xfe);
    } else if (n >= 4 && b[0] && !b[1] && b[2] && !b[3]) {
        convert_utf16(in, bytes, n, false);
    } else if (n >= 4 && !b[0] && b[1] && !b[2] && b[3]) {
        convert_utf16(in, bytes, n, true);
    }
}

void text_input_release(struct text_input *in)
{
    free(in->owned);
    *in = (struct text_input){0};
}
