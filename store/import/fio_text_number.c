#include "store/import/fio_text_number.h"

#include "store/import/number.h"

const char *text_after(const char *line, const char *mark)
{
    const char *p = strstr(line, mark);
    return p ? p + strlen(mark) : NULL;
}

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t");
}

bool text_decimal(const char **p, double *v)
{
    const char *start = skip_blanks(*p);
    size_t n = strspn(start, "0123456789.");
    if (!number_f64(start, n, v))
        return false;
    *p = start + n;
    return true;
}

bool text_u64(const char **p, uint64_t *v)
{
    const char *start = skip_blanks(*p);
    size_t n = strspn(start, "0123456789");
    if (!number_u64(start, n, v))
        return false;
    *p = start + n;
    return true;
}

/* Powers of `base` by the letter at *p, which is passed: K is 1. */
static double power_of(const char **p, double base)
{
    static const char letters[] = "kmgtpe";
    char c = **p;
    if (c >= 'A' && c <= 'Z')
        c = (char)(c - 'A' + 'a');
    const char *hit = c ? strchr(letters, c) : NULL;
    double v = 1;
    if (!hit)
        return v;
    for (const char *l = letters; l <= hit; l++)
        v *= base;
    (*p)++;
    return v;
}

bool text_count(const char **p, double *v)
{
    if (!text_decimal(p, v))
        return false;
    *v *= power_of(p, 1000);
    return true;
}

bool text_bytes(const char **p, bool old, double *v)
{
    const char *at = *p;
    if (!text_decimal(&at, v))
        return false;
    at = skip_blanks(at);
    const char *letter = at;
    power_of(&at, 1);
    bool iec = at[0] == 'i' && at[1] == 'B';
    if (!iec && at[0] != 'B')
        return false;
    *v *= power_of(&letter, old || iec ? 1024 : 1000);
    *p = at + (iec ? 2 : 1);
    return true;
}

uint64_t text_time_unit(const char *p)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"(nsec)", 1}, {"(usec)", 1000}, {"(msec)", 1000000}, {"(sec)", 1000000000}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strncmp(p, units[i].name, strlen(units[i].name)) == 0)
            return units[i].ns;
    }
    return 0;
}
