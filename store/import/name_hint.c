#include "store/import/name_hint.h"

#include <ctype.h>

#include "core/base/units.h"

enum { WORDS_MAX = 32, WORD_MAX = 32 };

struct words {
    char word[WORDS_MAX][WORD_MAX];
    size_t n;
};

/* The runs of letters and digits, in lower case; long ones are cut and match nothing. */
static void split(struct words *w, const char *name)
{
    w->n = 0;
    for (const char *p = name; *p && w->n < WORDS_MAX;) {
        size_t len = 0;
        while (*p && !isalnum((unsigned char)*p))
            p++;
        for (; isalnum((unsigned char)*p); p++) {
            if (len < WORD_MAX - 1)
                w->word[w->n][len++] = (char)tolower((unsigned char)*p);
        }
        w->word[w->n][len] = '\0';
        w->n += len > 0;
    }
}

static int rw_of_pair(bool random, const char *word)
{
    static const struct {
        const char *word;
        enum rw random, sequential;
    } rows[] = {
        {"read", RW_RANDREAD, RW_READ},  {"write", RW_RANDWRITE, RW_WRITE},
        {"trim", RW_RANDTRIM, RW_TRIM},  {"rw", RW_RANDRW, RW_RW},
        {"readwrite", RW_RANDRW, RW_RW},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(word, rows[i].word) == 0)
            return (int)(random ? rows[i].random : rows[i].sequential);
    }
    return -1;
}

/* The pattern: "randread" in one word or "random" "read" in two; *at is its last word. */
static int find_rw(const struct words *w, size_t *at)
{
    static const char *const prefixes[] = {"random", "rand", "rnd", "sequential", "seq"};
    for (size_t i = 0; i < w->n; i++) {
        for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
            size_t len = strlen(prefixes[p]);
            if (strncmp(w->word[i], prefixes[p], len) != 0)
                continue;
            bool alone = w->word[i][len] == '\0';
            if (alone && i + 1 == w->n)
                continue;
            *at = i + alone;
            int rw = rw_of_pair(prefixes[p][0] == 'r', alone ? w->word[i + 1] : w->word[i] + len);
            if (rw >= 0)
                return rw;
        }
    }
    return -1;
}

static uint64_t small_number(const char *text)
{
    uint64_t v = 0;
    if (!*text)
        return 0;
    for (; isdigit((unsigned char)*text) && v < 1000000; text++)
        v = v * 10 + (uint64_t)(*text - '0');
    return *text ? 0 : v;
}

/* "qd32" or "qd" "32". */
static uint64_t number_after(const struct words *w, size_t i, const char *const *names)
{
    for (; *names; names++) {
        size_t len = strlen(*names);
        if (strncmp(w->word[i], *names, len) != 0)
            continue;
        if (w->word[i][len])
            return small_number(w->word[i] + len);
        return i + 1 < w->n ? small_number(w->word[i + 1]) : 0;
    }
    return 0;
}

void name_hint_add(struct name_hint *hint, const char *name)
{
    static const char *const depth_names[] = {"iodepth", "qd", NULL};
    static const char *const jobs_names[] = {"numjobs", "nj", "jobs", NULL};
    struct words w = {.n = 0};
    split(&w, name);
    size_t at = 0;
    int rw = find_rw(&w, &at);
    uint64_t depth = 0, jobs = 0;
    for (size_t i = 0; i < w.n; i++) {
        depth = depth ? depth : number_after(&w, i, depth_names);
        jobs = jobs ? jobs : number_after(&w, i, jobs_names);
    }
    if (rw >= 0 && !depth && !jobs && at + 2 < w.n && small_number(w.word[at + 1]) &&
        small_number(w.word[at + 2])) {
        depth = small_number(w.word[at + 1]);
        jobs = small_number(w.word[at + 2]);
        hint->layout = true;
    }
    hint->rw = hint->rw >= 0 ? hint->rw : rw;
    hint->iodepth = hint->iodepth ? hint->iodepth : depth;
    hint->numjobs = hint->numjobs ? hint->numjobs : jobs;
}

void name_hint_add_folder(struct name_hint *hint, const char *name, size_t n)
{
    char word[WORD_MAX];
    uint64_t bytes;
    if (n == 0 || n >= sizeof word)
        return;
    memcpy(word, name, n);
    word[n] = '\0';
    const char *rw = strncmp(word, "rand", 4) == 0 ? word + 4 : word;
    uint64_t share = strncmp(rw, "rw", 2) == 0 ? small_number(rw + 2) : 0;
    if (share > 0 && share <= 100)
        hint->rwmixread = (int)share;
    else if (isdigit((unsigned char)word[0]) && parse_size(word, &bytes, NULL) == 0 &&
             bytes >= 512 && bytes % 512 == 0)
        hint->bs = bytes;
}
