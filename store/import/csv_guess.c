/* Headings as people write them: the unit apart, the direction apart, the rest looked up. */
#include <ctype.h>
#include <strings.h>

#include "core/base/units.h"
#include "store/import/csv_column.h"

enum { WORDS_MAX = 12, WORD_MAX = 24 };

struct heading {
    char word[WORDS_MAX][WORD_MAX];
    size_t n;
    double unit; /* 0: none given */
};

static void add_word(struct heading *h, const char *p, size_t n)
{
    if (n == 0 || n >= WORD_MAX || h->n == WORDS_MAX)
        return;
    memcpy(h->word[h->n], p, n);
    h->word[h->n++][n] = '\0';
}

/* Cuts at everything that is no part of a word or unit ("MiB/s", "99.9", "CPU%"). */
static void split(struct heading *h, const char *text)
{
    *h = (struct heading){0};
    for (const char *p = text; *p;) {
        size_t n = 0;
        while ((unsigned char)p[n] >= 0x80 || isalnum((unsigned char)p[n]) || p[n] == '/' ||
               p[n] == '.' || p[n] == '%')
            n++;
        add_word(h, p, n);
        p += n ? n : 1;
    }
}

static void remove_word(struct heading *h, size_t i)
{
    memmove(h->word[i], h->word[i + 1], (h->n - i - 1) * WORD_MAX);
    h->n--;
}

/* The last word that is a unit; a heading is not a unit alone. */
static void take_unit(struct heading *h)
{
    for (size_t i = h->n; i-- > 0 && h->n > 1;) {
        if (column_unit(h->word[i], &h->unit)) {
            remove_word(h, i);
            return;
        }
    }
}

static void lower(struct heading *h)
{
    for (size_t i = 0; i < h->n; i++) {
        for (char *p = h->word[i]; *p; p++)
            *p = (char)tolower((unsigned char)*p);
    }
}

/* -1: none. */
static int direction_of(const char *word)
{
    static const struct {
        const char *word;
        int dir;
    } words[] = {{"read", DIR_READ},    {"reads", DIR_READ}, {"write", DIR_WRITE},
                 {"writes", DIR_WRITE}, {"trim", DIR_TRIM},  {"mixed", DIR_MIXED},
                 {"total", DIR_MIXED},  {"r", DIR_READ},     {"w", DIR_WRITE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(word, words[i].word) == 0)
            return words[i].dir;
    }
    return -1;
}

static int take_direction(struct heading *h)
{
    for (size_t i = 0; i < h->n; i++) {
        int dir = direction_of(h->word[i]);
        if (dir >= 0 && h->n > 1) {
            remove_word(h, i);
            return dir;
        }
    }
    return -1;
}

/* Iometer's "MBps (Decimal)" and "MBps (Binary)": the latter are MiB/s. */
static void take_base(struct heading *h)
{
    for (size_t i = 1; i < h->n; i++) {
        bool binary = strcasecmp(h->word[i], "binary") == 0;
        char *unit = h->word[i - 1];
        size_t len = strlen(unit);
        if (!strstr(unit, "Bps") || (!binary && strcasecmp(h->word[i], "decimal") != 0))
            continue;
        if (binary && len > 1 && unit[1] == 'B' && len + 1 < WORD_MAX) {
            memmove(unit + 2, unit + 1, len);
            unit[1] = 'i';
        }
        remove_word(h, i);
        return;
    }
}

/* "MB/s" and "Read MB/s" are bandwidths, "kIOPS" are thousands. */
static void name_by_unit(struct heading *h)
{
    for (size_t i = 0; i < h->n; i++) {
        double unit;
        bool rate = (strstr(h->word[i], "/s") || strstr(h->word[i], "Bps")) &&
                    column_unit(h->word[i], &unit);
        if (rate && (h->n == 1 || (h->n == 2 && direction_of(h->word[1 - i]) >= 0))) {
            add_word(h, "bw", 2);
            return;
        }
        if (strcasecmp(h->word[i], "kiops") == 0) {
            memmove(h->word[i], h->word[i] + 1, strlen(h->word[i]));
            h->unit = 1000;
        }
    }
}

static bool has_word(struct heading *h, const char *const *words)
{
    for (size_t i = 0; i < h->n; i++) {
        for (const char *const *w = words; *w; w++) {
            if (strcmp(h->word[i], *w) == 0) {
                remove_word(h, i);
                return true;
            }
        }
    }
    return false;
}

/* "p99", "99th", "99.9", "99%" "p50 percentile" */
static bool take_percentile(struct heading *h, double *p)
{
    static const char *const noise[] = {"percentile", "pct", "perc", "%ile", NULL};
    for (size_t i = 0; i < h->n; i++) {
        const char *text = h->word[i] + (h->word[i][0] == 'p');
        char digits[WORD_MAX];
        size_t n = strspn(text, "0123456789.");
        const char *rest = text + n;
        bool marked = text != h->word[i] || strcmp(rest, "th") == 0 || strcmp(rest, "%") == 0;
        if (n == 0 || !marked || (*rest && strcmp(rest, "th") != 0 && strcmp(rest, "%") != 0))
            continue;
        memcpy(digits, text, n);
        digits[n] = '\0';
        if (parse_f64(digits, 0, 100, p, NULL) < 0 || *p <= 0)
            continue;
        remove_word(h, i);
        has_word(h, noise);
        return true;
    }
    return false;
}

/* Latencies: a kind, a statistic, and nothing else. */
static bool guess_latency(struct column *c, struct heading h)
{
    static const char *const slat[] = {"slat", "submission", NULL}, *const clat[] = {
                                                                        "clat", "completion", NULL};
    static const char *const lat[] = {"lat", "latency", "latencies", NULL};
    static const char *const means[] = {"mean", "avg", "average", NULL}, *const mins[] = {"min",
                                                                                          "minimum",
                                                                                          NULL};
    static const char *const maxs[] = {"max", "maximum", NULL}, *const medians[] = {"median", NULL};
    static const char *const devs[] = {"stddev", "stdev", "dev", "std", NULL};
    bool of_slat = has_word(&h, slat), of_clat = has_word(&h, clat);
    bool any = has_word(&h, lat) || of_slat || of_clat;
    c->lat = of_slat ? LAT_SLAT : of_clat ? LAT_CLAT : LAT_LAT;
    bool percentile = take_percentile(&h, &c->p);
    if (!percentile && any && has_word(&h, medians)) {
        percentile = true;
        c->p = 50;
    }
    if (percentile) {
        c->kind = COLUMN_PERCENTILE;
        return h.n == 0;
    }
    if (!any)
        return false;
    c->kind = COLUMN_LATENCY;
    c->field = has_word(&h, mins)   ? LAT_F_min
               : has_word(&h, maxs) ? LAT_F_max
               : has_word(&h, devs) ? LAT_F_stddev
                                    : LAT_F_mean;
    if (c->field == LAT_F_mean)
        has_word(&h, means);
    return h.n == 0;
}

/* Headings that tables also have for other things. */
static bool is_weak(const char *heading)
{
    static const char *const words[] = {"block", "type", "test type"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(heading, words[i]) == 0)
            return true;
    }
    return false;
}

/* The words of a heading joined by blanks, to the words of a map file. */
static bool guess_plain(struct column *c, const struct heading *h)
{
    static const struct {
        const char *heading, *target;
    } known[] = {
        {"block", "bs"},
        {"type", "rw"},
        {"test type", "rw"},
        {"block size", "bs"},
        {"blocksize", "bs"},
        {"io size", "bs"},
        {"queue depth", "iodepth"},
        {"queuedepth", "iodepth"},
        {"qd", "iodepth"},
        {"io depth", "iodepth"},
        {"depth", "iodepth"},
        {"jobs", "numjobs"},
        {"threads", "numjobs"},
        {"num jobs", "numjobs"},
        {"pattern", "rw"},
        {"access pattern", "rw"},
        {"workload", "rw"},
        {"mode", "rw"},
        {"io pattern", "rw"},
        {"readwrite", "rw"},
        {"ioengine", "engine"},
        {"io engine", "engine"},
        {"direct io", "direct"},
        {"disk", "device"},
        {"filename", "device"},
        {"volume", "device"},
        {"drive", "device"},
        {"job", "name"},
        {"jobname", "name"},
        {"job name", "name"},
        {"test", "name"},
        {"duration", "runtime"},
        {"bandwidth", "bw"},
        {"throughput", "bw"},
        {"rwmix", "rwmixread"},
    };
    char text[WORDS_MAX * WORD_MAX] = "", underscored[sizeof text];
    size_t len = 0;
    for (size_t i = 0; i < h->n; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", i ? " " : "", h->word[i]);
    const char *target = text;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(text, known[i].heading) == 0)
            target = known[i].target;
    }
    for (size_t i = 0; i <= strlen(target); i++)
        underscored[i] = target[i] == ' ' ? '_' : target[i];
    bool found = column_parse(c, underscored);
    c->weak = is_weak(text);
    return found;
}

bool column_own(struct column *c, const char *heading)
{
    char name[128];
    if (strncmp(heading, "run_", 4) == 0 && strcmp(heading, "run_id") != 0 &&
        strcmp(heading, "run_labels") != 0)
        snprintf(name, sizeof name, "run.%s", heading + 4);
    else if (strncmp(heading, "cell_", 5) == 0 && strcmp(heading, "cell_id") != 0)
        snprintf(name, sizeof name, "%s", heading + 5);
    else
        snprintf(name, sizeof name, "%s", heading);
    if (!column_parse(c, name))
        return false;
    if (heading[0] == 'c' && strncmp(heading, "cell_", 5) == 0 && c->kind != COLUMN_CELL_ID) {
        c->kind = COLUMN_CELL; /* cell_runtime_ns is not the runtime of a direction */
        c->field = field_find(&cell_fields, heading + 5);
        return c->field < cell_fields.n;
    }
    if (strcmp(heading, "runtime_ns") == 0) {
        c->kind = COLUMN_DIRECTION;
        c->field = DIRECTION_runtime_ns;
    }
    return true;
}

/* A latency or bandwidth means nothing without its unit: if the heading has none, the value must. */
static void require_unit(struct column *c)
{
    const struct field *f = column_field(c);
    bool needed =
        c->kind == COLUMN_PERCENTILE || (f && (f->unit == UNIT_NS || f->unit == UNIT_BYTES_PER_S));
    if (needed && c->unit == 0)
        c->unit = -1;
}

bool column_guess(struct column *c, const char *heading)
{
    struct heading h;
    split(&h, heading);
    take_base(&h);
    name_by_unit(&h);
    take_unit(&h);
    double unit = h.unit;
    lower(&h);
    struct heading whole = h;
    *c = (struct column){.dir = -1};
    if (h.n > 0 && guess_plain(c, &whole)) {
        c->unit = unit;
        require_unit(c);
        return true;
    }
    int dir = take_direction(&h);
    *c = (struct column){.dir = -1};
    bool found = guess_latency(c, h) || (h.n > 0 && guess_plain(c, &h));
    c->dir = dir;
    c->unit = unit;
    if (found)
        require_unit(c);
    return found && (dir < 0 || column_is_figure(c));
}
