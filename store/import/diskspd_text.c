#include "store/import/diskspd_text.h"

#include <ctype.h>
#include <math.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "store/import/number.h"

enum { LINE_MAX_BYTES = 1024, COLUMNS_MAX = 12 };

/* Where the reader stands within a run. */
struct position {
    struct spd_run *run;
    struct spd_span *span; /* that settings or results belong to */
    enum { IN_NOTHING, IN_TOTALS, IN_PERCENTILES } in;
    int dir;
    int column[COLUMNS_MAX]; /* of the table: what each is */
    size_t n_columns;
};

void spd_reader_init(struct spd_reader *r, const char *text, size_t n)
{
    *r = (struct spd_reader){.at = text, .end = text + n};
}

void spd_reader_release(struct spd_reader *r)
{
    free(r->next_command);
    *r = (struct spd_reader){0};
}

static void forget_spans(struct spd_run *run)
{
    for (size_t i = 0; i < run->n; i++) {
        struct spd_span *s = &run->span[i];
        for (size_t t = 0; t < s->n_targets; t++)
            free(s->target[t].path);
        for (int dir = 0; dir < DIR_COUNT; dir++)
            direction_release(&s->dir[dir]);
        free(s->target);
    }
    run->n = 0; /* the room stays */
}

void spd_run_release(struct spd_run *run)
{
    forget_spans(run);
    free(run->span);
    free(run->command);
    free(run->host);
    *run = (struct spd_run){0};
}

/* The next line without blanks around it; what is longer than a line of diskspd is cut. */
static bool next_line(struct spd_reader *r, char line[LINE_MAX_BYTES])
{
    if (r->at >= r->end)
        return false;
    const char *start = r->at, *stop = memchr(start, '\n', (size_t)(r->end - start));
    r->at = stop ? stop + 1 : r->end;
    r->line++;
    stop = stop ? stop : r->end;
    while (start < stop && (isspace((unsigned char)*start) || *start == '>'))
        start++;
    while (stop > start && isspace((unsigned char)stop[-1]))
        stop--;
    size_t n =
        (size_t)(stop - start) < LINE_MAX_BYTES ? (size_t)(stop - start) : LINE_MAX_BYTES - 1;
    n = strnlen(start, n);
    memcpy(line, start, n);
    line[n] = '\0';
    return true;
}

/* What stands behind "name", without blanks; NULL when the line begins otherwise. */
static const char *behind(const char *line, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(line, name, n) != 0)
        return NULL;
    return line + n + strspn(line + n, " \t");
}

static bool read_size(const char *text, uint64_t *bytes)
{
    static const struct {
        const char *unit;
        uint64_t factor;
    } units[] = {{"", 1}, {"B", 1}, {"KiB", 1024}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
    size_t n = strspn(text, "0123456789");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(text + n, units[i].unit) == 0)
            return number_u64(text, n, bytes) &&
                   !__builtin_mul_overflow(*bytes, units[i].factor, bytes) && *bytes > 0;
    }
    return false;
}

static bool read_seconds(const char *text, uint64_t *ns)
{
    size_t n = strspn(text, "0123456789.");
    double v;
    if (strcmp(text + n, "s") != 0 || !number_f64(text, n, &v) || v >= 1e9)
        return false;
    *ns = (uint64_t)llround(v * 1e9);
    return true;
}

static uint64_t read_count(const char *text)
{
    uint64_t v;
    return number_u64(text, strspn(text, "0123456789"), &v) ? v : 0;
}

/* "2023/08/04 12:31:07 UTC" */
static int64_t read_time(const char *text)
{
    struct tm tm = {0};
    const char *end = strptime(text, "%Y/%m/%d %H:%M:%S", &tm);
    if (!end || strcmp(end + strspn(end, " "), "UTC") != 0)
        return 0;
    time_t t = timegm(&tm);
    return t > 0 && t < INT64_MAX / (int64_t)NS_PER_S ? (int64_t)t * (int64_t)NS_PER_S : 0;
}

static struct spd_span *add_span(struct spd_run *run, uint64_t number)
{
    if (run->n == SPD_SPANS_MAX)
        return &run->span[run->n - 1];
    GROW(run->span, run->n + 1, run->room);
    run->span[run->n] = (struct spd_span){.number = number};
    return &run->span[run->n++];
}

static struct spd_span *find_span(struct spd_run *run, uint64_t number)
{
    for (size_t i = 0; i < run->n; i++) {
        if (run->span[i].number == number)
            return &run->span[i];
    }
    return add_span(run, number);
}

static struct spd_target *add_target(struct spd_span *s, const char *text)
{
    if (s->n_targets == SPD_TARGETS_MAX)
        return NULL;
    size_t n = strlen(text);
    bool quoted = n >= 2 && text[0] == '\'' && text[n - 1] == '\'';
    GROW(s->target, s->n_targets + 1, s->room_targets);
    struct spd_target *t = &s->target[s->n_targets++];
    *t = (struct spd_target){.path = quoted ? xstrndup(text + 1, n - 2) : xstrdup(text),
                             .random = -1,
                             .write_pct = -1,
                             .direct = -1};
    return t;
}

/* "(read/write ratio: 60/40)"; older versions print writes of a hundred, "(write/read ratio: 40/100)". */
static int read_mix(const char *text)
{
    const char *v = strstr(text, "ratio: ");
    const char *slash = v ? strchr(v, '/') : NULL;
    if (!slash)
        return -1;
    uint64_t a = read_count(v + strlen("ratio: ")), b = read_count(slash + 1);
    if (strstr(text, "(write/read"))
        return b == 100 && a <= 100 ? (int)a : -1;
    return a <= 100 && b <= 100 && a + b == 100 ? (int)b : -1;
}

static void read_target_line(struct spd_target *t, const char *line)
{
    const char *v;
    if ((v = behind(line, "block size:")))
        t->bs = read_size(v, &t->bs) ? t->bs : 0;
    else if (behind(line, "using random I/O"))
        t->random = 1;
    else if (behind(line, "using sequential I/O"))
        t->random = 0;
    else if (behind(line, "performing read test"))
        t->write_pct = 0;
    else if (behind(line, "performing write test"))
        t->write_pct = 100;
    else if (behind(line, "performing mix test"))
        t->write_pct = read_mix(line);
    else if ((v = behind(line, "number of outstanding I/O operations per thread:")) ||
             (v = behind(line, "number of outstanding I/O operations:")))
        t->iodepth = read_count(v);
    else if ((v = behind(line, "threads per file:")))
        t->threads = read_count(v);
    else if (behind(line, "software cache disabled") ||
             behind(line, "software and hardware cache disabled"))
        t->direct = 1;
    else if (behind(line, "using software cache"))
        t->direct = 0;
    else if (behind(line, "using I/O Completion Ports"))
        t->completion_ports = true;
}

static void read_setting(struct position *p, const char *line)
{
    const char *v;
    if ((v = behind(line, "timespan:"))) {
        p->span = find_span(p->run, read_count(v));
    } else if ((v = behind(line, "computer name:")) && !p->run->host) {
        p->run->host = xstrdup(v);
    } else if ((v = behind(line, "start time:")) && p->run->started_ns == 0) {
        p->run->started_ns = read_time(v);
    } else if (p->span && p->span->line == 0) {
        if ((v = behind(line, "path:")))
            add_target(p->span, v);
        else if ((v = behind(line, "warm up time:")))
            read_seconds(v, &p->span->warmup_ns);
        else if (p->span->n_targets > 0)
            read_target_line(&p->span->target[p->span->n_targets - 1], line);
    }
}

/* Columns of both tables. */
enum { C_NONE, C_BYTES, C_IOS, C_LAT_MEAN, C_LAT_STDDEV, C_READ, C_WRITE, C_TOTAL };

static int column_named(const char *text, size_t n)
{
    static const struct {
        const char *name;
        int column;
    } names[] = {{"bytes", C_BYTES},          {"I/Os", C_IOS},       {"AvgLat", C_LAT_MEAN},
                 {"LatStdDev", C_LAT_STDDEV}, {"Read (ms)", C_READ}, {"Write (ms)", C_WRITE},
                 {"Total (ms)", C_TOTAL}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) == n && memcmp(text, names[i].name, n) == 0)
            return names[i].column;
    }
    return C_NONE;
}

/* The next cell of a line "a | b | c" without blanks; NULL at the end. */
static const char *next_cell(const char **at, size_t *n)
{
    if (!*at)
        return NULL;
    const char *start = *at + strspn(*at, " \t"), *bar = strchr(start, '|');
    const char *stop = bar ? bar : start + strlen(start);
    *at = bar ? bar + 1 : NULL;
    while (stop > start && isspace((unsigned char)stop[-1]))
        stop--;
    *n = (size_t)(stop - start);
    return start;
}

/* The columns behind the first one of a heading. */
static void read_heading(struct position *p, const char *line)
{
    size_t n;
    const char *cell;
    next_cell(&line, &n);
    p->n_columns = 0;
    while ((cell = next_cell(&line, &n)) && p->n_columns < COLUMNS_MAX)
        p->column[p->n_columns++] = column_named(cell, n);
}

static bool read_ms(const char *text, size_t n, double *ns)
{
    if (!number_f64(text, n, ns) || *ns < 0 || *ns >= 1e12)
        return false;
    *ns *= 1e6;
    return true;
}

static void set_total(struct direction *d, int column, const char *text, size_t n)
{
    struct lat *lat = &d->lat[LAT_LAT];
    uint64_t count;
    double ns;
    if (column == C_BYTES && number_u64(text, n, &count))
        SET(d, DIRECTION, bytes, count);
    else if (column == C_IOS && number_u64(text, n, &count))
        SET(d, DIRECTION, ios, count);
    else if (column == C_LAT_MEAN && read_ms(text, n, &ns))
        SET(lat, LAT_F, mean, ns);
    else if (column == C_LAT_STDDEV && read_ms(text, n, &ns))
        SET(lat, LAT_F, stddev, ns);
}

/* "total:  bytes | I/Os | ...": the first column has no cell of its own. */
static void read_totals(struct position *p, const char *cells)
{
    struct direction *d = &p->span->dir[p->dir];
    const char *cell;
    size_t n;
    for (size_t i = 0; i < p->n_columns && (cell = next_cell(&cells, &n)); i++)
        set_total(d, p->column[i], cell, n);
    p->in = IN_NOTHING;
}

/* "25th", "3-nines"; 0: neither. */
static double percentile_named(const char *text, size_t n)
{
    char *end;
    char name[16];
    if (n == 0 || n >= sizeof name || !isdigit((unsigned char)*text))
        return 0;
    memcpy(name, text, n);
    name[n] = '\0';
    unsigned long v = strtoul(name, &end, 10);
    if (strcmp(end, "-nines") == 0 && v >= 1 && v <= 9)
        return 100 - 100 * pow(10, -(double)v);
    bool ordinal = strcmp(end, "th") == 0 || strcmp(end, "st") == 0 || strcmp(end, "nd") == 0 ||
                   strcmp(end, "rd") == 0;
    return ordinal && v > 0 && v < 100 ? (double)v : 0;
}

static void add_percentile(struct lat *lat, double p, uint64_t ns)
{
    if (lat->n_reported > 0 && lat->reported[lat->n_reported - 1].p >= p)
        return;
    lat->reported = xrealloc(lat->reported, lat->n_reported + 1, sizeof *lat->reported);
    lat->reported[lat->n_reported++] = (struct lat_point){p, ns};
}

static bool read_percentile(struct position *p, const char *line)
{
    size_t n;
    const char *cell = next_cell(&line, &n);
    if (!cell)
        return false;
    bool min = n == 3 && memcmp(cell, "min", 3) == 0, max = n == 3 && memcmp(cell, "max", 3) == 0;
    double at = percentile_named(cell, n), ns;
    if (!line || (!min && !max && at <= 0))
        return false;
    for (size_t i = 0; i < p->n_columns && (cell = next_cell(&line, &n)); i++) {
        int dir = p->column[i] == C_READ    ? DIR_READ
                  : p->column[i] == C_WRITE ? DIR_WRITE
                  : p->column[i] == C_TOTAL ? DIR_MIXED
                                            : -1;
        if (dir < 0 || !read_ms(cell, n, &ns))
            continue; /* "N/A" where there were no I/Os */
        struct lat *lat = &p->span->dir[dir].lat[LAT_LAT];
        uint64_t whole = (uint64_t)llround(ns);
        if (min)
            SET(lat, LAT_F, min, whole);
        else if (max)
            SET(lat, LAT_F, max, whole);
        else
            add_percentile(lat, at, whole);
    }
    return true;
}

/* Tables that stand alone, as people paste them, are results without settings; a second one is another. */
static void begin_table(struct position *p, int dir, size_t line)
{
    bool again = p->span && p->span->line > 0 && IS_KNOWN(&p->span->dir[dir], DIRECTION, ios);
    if (!p->span || again)
        p->span = add_span(p->run, 0);
    if (p->span->line == 0)
        p->span->line = line;
    p->dir = dir;
    p->in = IN_TOTALS;
    p->n_columns = 0;
}

static void read_result_line(struct position *p, const char *line, size_t number)
{
    const char *v;
    if (strcmp(line, "Total IO") == 0)
        begin_table(p, DIR_MIXED, number);
    else if (strcmp(line, "Read IO") == 0)
        begin_table(p, DIR_READ, number);
    else if (strcmp(line, "Write IO") == 0)
        begin_table(p, DIR_WRITE, number);
    else if (p->in == IN_TOTALS && behind(line, "thread") && strchr(line, '|'))
        read_heading(p, line);
    else if (p->in == IN_TOTALS && (v = behind(line, "total:")))
        read_totals(p, v);
    else if (p->span && p->span->line > 0 && behind(line, "%-ile") && strchr(line, '|')) {
        read_heading(p, line);
        p->in = IN_PERCENTILES;
    } else if (p->in == IN_PERCENTILES && line[0] != '-' && !read_percentile(p, line)) {
        p->in = IN_NOTHING;
    }
}

static bool has_results(const struct spd_run *run)
{
    for (size_t i = 0; i < run->n; i++) {
        if (run->span[i].line > 0)
            return true;
    }
    return false;
}

static void read_line(struct position *p, const char *line, size_t number)
{
    const char *v;
    if ((v = behind(line, "Results for timespan"))) {
        p->span = find_span(p->run, read_count(v));
        if (p->span->line > 0)
            p->span = add_span(p->run, 0);
        p->span->line = number;
        p->in = IN_NOTHING;
    } else if (p->span && (v = behind(line, "actual test time:"))) {
        read_seconds(v, &p->span->runtime_ns);
    } else {
        read_result_line(p, line, number);
        read_setting(p, line);
    }
}

bool spd_read(struct spd_reader *r, struct spd_run *out)
{
    char line[LINE_MAX_BYTES];
    *out = (struct spd_run){.command = r->next_command};
    r->next_command = NULL;
    struct position p = {.run = out};
    while (next_line(r, line)) {
        const char *command = behind(line, "Command Line:");
        if (!command) {
            read_line(&p, line, r->line);
            continue;
        }
        if (has_results(out)) {
            r->next_command = xstrdup(command);
            return true;
        }
        /* settings without results */
        free(out->command);
        free(out->host);
        out->command = xstrdup(command);
        out->host = NULL;
        out->started_ns = 0;
        forget_spans(out);
        p = (struct position){.run = out};
    }
    if (has_results(out))
        return true;
    spd_run_release(out);
    return false;
}
