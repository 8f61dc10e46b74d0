#include "store/import/number.h"

#include "core/base/decimal.h"

bool number_u64(const char *text, size_t n, uint64_t *v)
{
    if (n == 0)
        return false;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned digit = (unsigned)(unsigned char)text[i] - '0';
        if (digit > 9 || __builtin_mul_overflow(sum, 10, &sum) ||
            __builtin_add_overflow(sum, digit, &sum))
            return false;
    }
    *v = sum;
    return true;
}

bool number_i64(const char *text, size_t n, int64_t *v)
{
    bool minus = n > 0 && text[0] == '-';
    uint64_t sum;
    if (!number_u64(text + minus, n - minus, &sum) || sum > (uint64_t)INT64_MAX + minus)
        return false;
    *v = minus ? (int64_t)(~sum + 1) : (int64_t)sum;
    return true;
}

/*
 * Up to 19 digits whose value is below 2^53, divided by a power of ten that is a double itself: one
 * rounding, so the result is the nearest double. Nearly every number fio prints is of this kind.
 */
static bool short_decimal(const char *text, size_t n, double *v)
{
    static const double power[] = {1e0, 1e1, 1e2, 1e3,  1e4,  1e5, 1e6,
                                   1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
    bool minus = n > 0 && text[0] == '-';
    uint64_t digits = 0;
    size_t n_digits = 0, after_point = 0;
    bool point = false;
    for (size_t i = minus; i < n; i++) {
        unsigned digit = (unsigned)(unsigned char)text[i] - '0';
        if (digit <= 9) {
            digits = digits * 10 + digit;
            n_digits++;
            after_point += point;
        } else if (text[i] == '.' && !point && n_digits > 0) {
            point = true;
        } else {
            return false;
        }
    }
    if (n_digits == 0 || n_digits > 19 || digits >> 53 ||
        after_point >= sizeof power / sizeof *power)
        return false;
    double value = (double)digits / power[after_point];
    *v = minus ? -value : value;
    return true;
}

bool number_f64(const char *text, size_t n, double *v)
{
    char copy[512]; /* "%f" of the largest double has 317 bytes */
    if (short_decimal(text, n, v))
        return true;
    if (n >= sizeof copy)
        return false;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return decimal_parse(copy, v);
}
