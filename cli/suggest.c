#include "cli/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>

#define NAME_MAX_LEN 40

static int fold(char c)
{
    return c == '_' ? '-' : tolower((unsigned char)c);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t suggest_distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    if (na > NAME_MAX_LEN || nb > NAME_MAX_LEN)
        return SIZE_MAX;
    size_t d[NAME_MAX_LEN + 1][NAME_MAX_LEN + 1];
    for (size_t i = 0; i <= na; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= nb; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        for (size_t j = 1; j <= nb; j++) {
            bool same = fold(a[i - 1]) == fold(b[j - 1]);
            d[i][j] = least(d[i - 1][j - 1] + (same ? 0 : 1), least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[na][nb];
}

static bool is_prefix(const char *prefix, const char *name)
{
    size_t i = 0;
    while (prefix[i] && name[i] && fold(prefix[i]) == fold(name[i]))
        i++;
    return i >= 2 && !prefix[i];
}

void suggest_init(struct suggest *s, const char *typed)
{
    *s = (struct suggest){.typed = typed};
}

void suggest_offer(struct suggest *s, const char *name)
{
    /* an abbreviation is as good as one slip; otherwise about one slip in three letters */
    size_t cost = is_prefix(s->typed, name) ? 1 : suggest_distance(s->typed, name);
    size_t allowed = 1 + strlen(s->typed) / 4;
    if (cost > allowed || cost >= strlen(name))
        return;
    size_t at = s->n;
    while (at > 0 && s->cost[at - 1] > cost)
        at--;
    size_t room = sizeof s->best / sizeof s->best[0];
    if (at == room)
        return;
    if (s->n < room)
        s->n++;
    for (size_t i = s->n - 1; i > at; i--) {
        s->best[i] = s->best[i - 1];
        s->cost[i] = s->cost[i - 1];
    }
    s->best[at] = name;
    s->cost[at] = cost;
}

void suggest_words(const struct suggest *s, struct strbuf *out)
{
    for (size_t i = 0; i < s->n; i++)
        strbuf_addf(out, "%s%s", i == 0 ? "" : i + 1 < s->n ? ", " : " or ", s->best[i]);
}
