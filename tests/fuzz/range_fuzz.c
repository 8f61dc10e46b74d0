/* The parsers of what people type as sizes, times, numbers and ranges: bounds, and formatting as their inverse. */
#include <math.h>
#include <stdint.h>

#include "core/base/decimal.h"
#include "core/base/json.h"
#include "core/base/range.h"
#include "core/base/units.h"
#include "core/base/utf8.h"
#include "core/base/xalloc.h"
#include "core/model/cell_key.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool ok)
{
    if (!ok)
        abort();
}

/* A range that was read is printed and read again as the same values. */
static void try_range(const char *text, enum range_unit unit)
{
    struct range r = RANGE_INIT, back = RANGE_INIT;
    struct error err = ERROR_INIT;
    int rc = range_parse(&r, text, unit, 1, UINT64_MAX / 2, &err);
    if (rc < 0) {
        require(rc == -ERR_USAGE && err.message[0] != '\0' && r.value == NULL);
        return;
    }
    require(r.n >= 1 && r.n <= RANGE_MAX_VALUES);
    struct strbuf sb = STRBUF_INIT;
    range_format(&sb, &r, unit);
    require(range_parse(&back, sb.text, unit, 1, UINT64_MAX / 2, NULL) == 0 && back.n == r.n);
    for (size_t i = 0; i < r.n; i++)
        require(r.value[i] == back.value[i] && r.value[i] >= 1 && r.value[i] <= UINT64_MAX / 2);
    strbuf_release(&sb);
    range_release(&r);
    range_release(&back);
}

static void try_units(const char *text)
{
    uint64_t u = 0;
    double d = 0, percent = 0;
    bool b = false;
    struct error err = ERROR_INIT;
    parse_size(text, &u, &err);
    if (parse_size_or_percent(text, &u, &percent, &err) == 0)
        require(percent == -1 || (percent >= 0 && percent <= 100));
    if (parse_bandwidth(text, &d, &err) == 0)
        require(isfinite(d) && d >= 0);
    parse_time(text, &u, &err);
    parse_count(text, &u, &err);
    parse_bool(text, &b, &err);
    if (parse_u64(text, 5, 50, &u, &err) == 0)
        require(u >= 5 && u <= 50);
    if (parse_f64(text, -1, 1, &d, &err) == 0)
        require(d >= -1 && d <= 1);
    rw_parse(text);
}

/* Any bytes become valid JSON and clean text. */
static void try_text(const char *text)
{
    struct strbuf sb = STRBUF_INIT;
    json_quote(&sb, text);
    require(json_is_valid(sb.text) && !strpbrk(sb.text, "<>&"));
    strbuf_reset(&sb);
    utf8_clean(&sb, text);
    require(!strpbrk(sb.text, "\n\r\t\033\x7f"));
    strbuf_reset(&sb);
    double d;
    if (decimal_parse(text, &d)) {
        json_number(&sb, d);
        require(json_is_valid(sb.text));
    }
    strbuf_release(&sb);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n > 4096)
        return 0;
    char *text = xstrndup((const char *)data, n);
    try_range(text, RANGE_SIZE);
    try_range(text, RANGE_COUNT);
    try_units(text);
    try_text(text);
    free(text);
    return 0;
}
