#include "store/import/fio_units.h"

#include <ctype.h>

#include "core/base/clock.h"
#include "store/import/number.h"

/* Length of the digits at the start of the text, hexadecimal ones too; their value in *v. */
static size_t read_digits(const char *text, size_t n, uint64_t *v)
{
    size_t len = 0;
    if (n > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        uint64_t sum = 0;
        for (len = 2; len < n && isxdigit((unsigned char)text[len]); len++) {
            char c = (char)tolower((unsigned char)text[len]);
            if (sum >> 60)
                return 0;
            sum = sum << 4 | (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
        }
        *v = sum;
        return len > 2 ? len : 0;
    }
    while (len < n && isdigit((unsigned char)text[len]))
        len++;
    return number_u64(text, len, v) ? len : 0;
}

bool fio_number(const char *text, size_t n, unsigned kb_base, uint64_t *v)
{
    static const char powers[] = "kmgtp";
    uint64_t value;
    size_t len = read_digits(text, n, &value);
    if (len == 0)
        return false;
    const char *suffix = text + len;
    size_t rest = n - len;
    if (rest == 0 || (rest == 1 && (*suffix == 'b' || *suffix == 'B'))) {
        *v = value;
        return true;
    }
    const char *hit = strchr(powers, tolower((unsigned char)*suffix));
    if (!*suffix || !hit)
        return false;
    bool iec = rest == 3 && strncasecmp(suffix + 1, "ib", 2) == 0;
    bool plain = rest == 1 || (rest == 2 && strchr("bBiI", suffix[1]));
    if (!iec && !plain)
        return false;
    uint64_t factor = (kb_base == 1000) == iec ? 1024 : 1000;
    for (const char *p = powers; p <= hit; p++) {
        if (__builtin_mul_overflow(value, factor, &value))
            return false;
    }
    *v = value;
    return true;
}

bool fio_time(const char *text, uint64_t unit_ns, uint64_t *ns)
{
    static const struct {
        const char *suffix;
        uint64_t ns;
    } units[] = {
        {"us", NS_PER_US},    {"usec", NS_PER_US},    {"ms", NS_PER_MS},
        {"msec", NS_PER_MS},  {"s", NS_PER_S},        {"sec", NS_PER_S},
        {"m", 60 * NS_PER_S}, {"h", 3600 * NS_PER_S}, {"d", 86400 * NS_PER_S},
    };
    uint64_t value;
    size_t len = read_digits(text, strlen(text), &value);
    if (len == 0)
        return false;
    uint64_t unit = text[len] == '\0' ? unit_ns : 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcasecmp(text + len, units[i].suffix) == 0)
            unit = units[i].ns;
    }
    return unit > 0 && !__builtin_mul_overflow(value, unit, ns);
}

bool fio_triple(const char *text, unsigned kb_base, uint64_t v[3], unsigned *given)
{
    *given = 0;
    unsigned part = 0;
    for (const char *p = text; part < 3; part++) {
        size_t n = strcspn(p, ",");
        if (n > 0) {
            if (!fio_number(p, n, kb_base, &v[part]))
                return false;
            *given |= 1u << part;
        }
        p += n;
        if (*p == '\0')
            break;
        p++;
    }
    for (unsigned next = part + 1; next < 3 && *given >> part & 1; next++) {
        v[next] = v[part];
        *given |= 1u << next;
    }
    return *given != 0;
}
