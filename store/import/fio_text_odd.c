#include <ctype.h>
#include <string.h>

#include "store/import/fio_text_line.h"

/* Names of jobs stand in front of these, and may hold anything. */
static const char *behind_name(const char *line)
{
    const char *setup = strstr(line, ": (g="), *head = strstr(line, ": (groupid=");
    return setup ? setup : head ? head : line;
}

/* Behind "=", "[", "/" or "(R)": a minus sign and a digit. Ranges ("4096B-4096B") have theirs elsewhere. */
static bool is_negative(const char *p)
{
    if (!strchr("=[/)", *p))
        return false;
    p += 1 + strspn(p + 1, " ");
    return p[0] == '-' && isdigit((unsigned char)p[1]);
}

static bool is_none(const char *from, const char *p)
{
    static const char *const names[] = {" jobs", " iodepth"};
    if (strncmp(p, "=0", 2) != 0 || isalnum((unsigned char)p[2]))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if ((size_t)(p - from) >= n && strncmp(p - n, names[i], n) == 0)
            return true;
    }
    return false;
}

/* With the word in front of it: "min=-491", "99.00th=[   -5", "bs=(R) -4096B". */
static void copy_odd(char out[FIO_TEXT_ODD_MAX], const char *from, const char *p)
{
    const char *before = *p == ')' ? " " : " ,(", *end = p + 1 + strspn(p + 1, " ");
    end += strcspn(end, " ,)]");
    while (p > from && !strchr(before, p[-1]))
        p--;
    size_t n = (size_t)(end - p);
    snprintf(out, FIO_TEXT_ODD_MAX, "%.*s", n < FIO_TEXT_ODD_MAX ? (int)n : FIO_TEXT_ODD_MAX - 1,
             p);
}

void fio_text_find_odd(const char *line, size_t number, struct fio_text_odd *odd)
{
    const char *from = behind_name(line);
    for (const char *p = from; *p; p++) {
        if (!is_negative(p) && !is_none(from, p))
            continue;
        if (odd->n++ == 0) {
            odd->line = number;
            copy_odd(odd->first, from, p);
        }
    }
}

void fio_text_say_odd(const struct fio_text_odd *odd, struct strbuf *note)
{
    if (odd->n > 0)
        strbuf_addf(note, "%s%zu impossible number%s left unknown: %s in line %zu%s",
                    note->len ? "; " : "", odd->n, odd->n == 1 ? "" : "s", odd->first, odd->line,
                    odd->n > 1 ? ", ..." : "");
}
