#include "store/import/fio_text_run.h"

#include <ctype.h>
#include <math.h>

#include "core/base/xalloc.h"

enum { LINE_MAX_BYTES = 4096, RUNS_MAX = 10000, MESSAGES_MAX = 64 };

/* Where the next lines belong. */
struct place {
    struct fio_text_runs *runs;
    struct fio_text_job *job; /* the block that is open; NULL: none */
    enum dir dir;
    bool in_direction;
    struct lat *percentiles; /* of which the list is being read; NULL: none */
    uint64_t unit;
    bool in_disks, ended; /* "Disk stats" or a run status was seen: a new block is a new run */
    char *version;        /* stands before the blocks of a run, and may stand once for several */
    struct fio_text_job ignored; /* a block that sums up others */
    size_t line;
};

static void job_release(struct fio_text_job *j)
{
    cell_release(&j->cell);
    free(j->time);
}

static void run_release(struct fio_text_run *r)
{
    for (size_t i = 0; i < r->n_setups; i++)
        fio_text_setup_release(&r->setup[i]);
    for (size_t i = 0; i < r->n_jobs; i++)
        job_release(&r->job[i]);
    for (size_t i = 0; i < r->n_groups; i++)
        job_release(&r->group[i]);
    for (size_t i = 0; i < r->n_messages; i++)
        free(r->message[i]);
    free(r->setup);
    free(r->job);
    free(r->group);
    free(r->message);
    free(r->label);
    free(r->version);
    cell_release(&r->loose);
    *r = (struct fio_text_run){0};
}

void fio_text_runs_release(struct fio_text_runs *runs)
{
    for (size_t i = 0; i < runs->n; i++)
        run_release(&runs->run[i]);
    free(runs->run);
    *runs = (struct fio_text_runs){0};
}

static bool has_results(const struct fio_text_run *r)
{
    return r->n_jobs > 0 || r->n_groups > 0 || r->loose.n_buckets > 0 || r->loose.n_disks > 0;
}

static struct fio_text_run *new_run(struct place *p)
{
    struct fio_text_runs *runs = p->runs;
    GROW(runs->run, runs->n + 1, runs->room);
    struct fio_text_run *r = &runs->run[runs->n++];
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): GROW has made room */
    *r = (struct fio_text_run){.line = p->line};
    p->job = NULL;
    p->in_direction = false;
    p->percentiles = NULL;
    p->in_disks = p->ended = false;
    return r;
}

/* The run that lines belong to now; a new one when the last has results and must not get more. */
static struct fio_text_run *current(struct place *p, bool fresh)
{
    struct fio_text_run *last = p->runs->n ? &p->runs->run[p->runs->n - 1] : NULL;
    return !last || (fresh && has_results(last)) ? new_run(p) : last;
}

static void leave_block(struct place *p)
{
    p->job = NULL;
    p->in_direction = false;
    p->percentiles = NULL;
    p->in_disks = false;
}

static struct direction *open_direction(struct place *p)
{
    return p->job && p->in_direction ? &p->job->cell.dir[p->dir] : NULL;
}

static bool take_setup(struct place *p, const char *line)
{
    struct fio_text_setup s;
    if (!fio_text_read_setup(line, &s))
        return false;
    struct fio_text_run *r = current(p, true);
    leave_block(p);
    s.line = p->line;
    r->client |= s.of_server;
    GROW(r->setup, r->n_setups + 1, r->room_setups);
    r->setup[r->n_setups++] = s;
    return true;
}

static bool take_starting(struct place *p, const char *line)
{
    uint64_t jobs;
    if (!fio_text_read_starting(line, &jobs))
        return false;
    current(p, p->ended)->starting = jobs;
    return true;
}

static bool has_block(const struct fio_text_run *r, const struct fio_text_head *h)
{
    for (size_t i = 0; i < r->n_jobs; i++) {
        if (r->job[i].pid == h->pid && strcmp(r->job[i].cell.name, h->name) == 0)
            return true;
    }
    return false;
}

/* What a client prints at the end, the sum of all blocks of its servers. */
static bool is_sum(const struct fio_text_run *last, const struct fio_text_head *h)
{
    return last && last->n_jobs > 0 && h->pid == 0 && strcmp(h->name, "All clients") == 0;
}

static bool take_head(struct place *p, const char *line)
{
    struct fio_text_head h;
    if (!fio_text_read_head(line, &h))
        return false;
    const struct fio_text_run *last = p->runs->n ? &p->runs->run[p->runs->n - 1] : NULL;
    bool of_server = last && last->client && !has_block(last, &h);
    if (is_sum(last, &h)) {
        leave_block(p);
        job_release(&p->ignored);
        p->ignored = (struct fio_text_job){0};
        p->job = &p->ignored;
        fio_text_head_release(&h);
        return true;
    }
    struct fio_text_run *r = current(p, p->ended && !of_server);
    leave_block(p);
    GROW(r->job, r->n_jobs + 1, r->room_jobs);
    struct fio_text_job *j = &r->job[r->n_jobs++];
    *j = (struct fio_text_job){.group = h.group,
                               .jobs = h.jobs,
                               .pid = h.pid,
                               .line = p->line,
                               .cell.name = h.name,
                               .time = h.time,
                               .user = NAN,
                               .system = NAN};
    if (h.error != 0) {
        SET(&j->cell, CELL, error_code, h.error);
        j->cell.error = h.error_words;
    } else {
        free(h.error_words);
    }
    if (!r->version && p->version)
        r->version = xstrdup(p->version);
    p->job = j;
    return true;
}

static bool take_rates(struct place *p, const char *line)
{
    enum dir dir;
    struct direction d = {0};
    if (!p->job || !fio_text_read_rates(line, &dir, &d))
        return false;
    p->dir = dir;
    p->in_direction = true;
    p->percentiles = NULL;
    struct direction *to = &p->job->cell.dir[dir];
    direction_release(to); /* a second one under the same head replaces it */
    *to = d;
    return true;
}

static bool take_latency(struct place *p, const char *line)
{
    enum lat_kind kind;
    struct lat l = {0};
    struct direction *d = open_direction(p);
    if (!d)
        return false;
    if (fio_text_read_lat(line, &kind, &l)) {
        lat_release(&d->lat[kind]);
        d->lat[kind] = l;
        return true;
    }
    if (fio_text_read_percentile_head(line, &kind, &p->unit)) {
        p->percentiles = &d->lat[kind];
        return true;
    }
    return p->percentiles && fio_text_read_percentiles(line, p->unit, p->percentiles);
}

static bool is_new_fio(const char *version)
{
    return !version || (strncmp(version, "fio-2.", 6) != 0 && strncmp(version, "fio-1.", 6) != 0);
}

static bool take_buckets(struct place *p, const char *line)
{
    struct cell none = {0};
    if (!fio_text_read_buckets(line, true, &none))
        return false;
    cell_release(&none);
    struct fio_text_run *r = current(p, false);
    fio_text_read_buckets(line, is_new_fio(p->version), p->job ? &p->job->cell : &r->loose);
    return true;
}

static bool take_job_total(struct place *p, const char *line)
{
    struct fio_text_job *j = p->job;
    double user, system;
    uint64_t errors;
    if (!j)
        return false;
    if (fio_text_is_sync(line)) {
        p->dir = DIR_SYNC;
        p->in_direction = true;
        return true;
    }
    if (fio_text_read_issued(line, j->issued, j->shorts)) {
        j->has_issued = true;
        return true;
    }
    if (fio_text_read_cpu(line, &user, &system)) {
        j->user = user;
        j->system = system;
        return true;
    }
    if (!fio_text_read_errors(line, &errors))
        return false;
    j->errors = errors;
    return true;
}

static bool take_group(struct place *p, const char *line)
{
    uint64_t group;
    enum dir dir;
    struct direction d = {0};
    if (fio_text_read_group(line, &group)) {
        struct fio_text_run *r = current(p, false);
        for (size_t i = 0; i < r->n_groups; i++) {
            if (r->group[i].group == group && !r->client) { /* again: another output */
                r = new_run(p);
                break;
            }
        }
        leave_block(p);
        p->ended = true;
        GROW(r->group, r->n_groups + 1, r->room_groups);
        r->group[r->n_groups++] = (struct fio_text_job){.group = group, .user = NAN, .system = NAN};
        return true;
    }
    struct fio_text_run *r = p->runs->n ? &p->runs->run[p->runs->n - 1] : NULL;
    if (!r || r->n_groups == 0 || p->job || !fio_text_read_group_rates(line, &dir, &d))
        return false;
    struct direction *to = &r->group[r->n_groups - 1].cell.dir[dir];
    direction_release(to);
    *to = d;
    return true;
}

static bool take_disk(struct place *p, const char *line)
{
    enum { DISKS_MAX = 1024 };
    if (fio_text_is_disk_head(line)) {
        leave_block(p);
        p->in_disks = p->ended = true;
        return true;
    }
    struct disk_stat disk;
    if (!p->in_disks || !fio_text_read_disk(line, &disk))
        return false;
    struct fio_text_run *r = current(p, false);
    if (r->loose.n_disks == DISKS_MAX) {
        fields_release(&disk_stat_fields, &disk);
        return true;
    }
    r->loose.disk = xrealloc(r->loose.disk, r->loose.n_disks + 1, sizeof disk);
    r->loose.disk[r->loose.n_disks++] = disk;
    return true;
}

static bool take_version(struct place *p, const char *line)
{
    char *version = fio_text_version(line);
    if (!version)
        return false;
    free(p->version);
    p->version = version;
    struct fio_text_run *r = current(p, true);
    leave_block(p);
    free(r->version);
    r->version = xstrdup(version);
    return true;
}

/* One word and a colon alone on a line: people write the name of a device or test over an output. */
static bool take_heading(struct place *p, const char *line)
{
    size_t from = strspn(line, " \t#*"), n = strcspn(line + from, ": \t");
    const char *colon = line + from + n;
    if (n == 0 || n > 64 || *colon != ':' || colon[1 + strspn(colon + 1, " \t\r*")] != '\0')
        return false;
    struct fio_text_run *r = current(p, true);
    leave_block(p);
    free(r->label);
    r->label = xstrndup(line + from, n);
    return true;
}

static void take_message(struct place *p, const char *line)
{
    if (strncmp(line, "fio: ", 5) != 0)
        return;
    struct fio_text_run *r = current(p, p->ended);
    if (r->n_messages == MESSAGES_MAX)
        return;
    GROW(r->message, r->n_messages + 1, r->room_messages);
    r->message[r->n_messages++] = xstrdup(line);
}

static void take_line(struct place *p, const char *line)
{
    static bool (*const takers[])(struct place *, const char *) = {
        take_setup, take_head, take_rates,   take_latency,  take_buckets, take_job_total,
        take_group, take_disk, take_version, take_starting, take_heading,
    };
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
        if (!takers[i](p, line))
            continue;
        fio_text_find_odd(line, p->line, &p->runs->odd);
        return;
    }
    if (p->job && strstr(line, " issued ")) /* whose counts could not be read */
        fio_text_find_odd(line, p->line, &p->runs->odd);
    take_message(p, line);
}

/* The last line of a text that ends within the block of an announced job may be half a line. */
static bool is_torn(const struct place *p)
{
    return p->job && !p->job->has_issued && p->runs->run[p->runs->n - 1].n_setups > 0;
}

/* Copies a line without colours and other sequences of a terminal. */
static void clean_line(char *out, const char *line, size_t n)
{
    size_t len = 0;
    for (size_t i = 0; i < n && len < LINE_MAX_BYTES - 1; i++) {
        if (line[i] == '\033' && i + 1 < n && line[i + 1] == '[') {
            for (i += 2; i < n && !isalpha((unsigned char)line[i]);)
                i++;
        } else if (line[i] != '\0') {
            out[len++] = line[i];
        }
    }
    out[len] = '\0';
}

/* A later output of the same process: the first job has the same name and process number. */
static bool continues(const struct fio_text_run *earlier, const struct fio_text_run *later)
{
    if (earlier->n_jobs == 0 || later->n_jobs != earlier->n_jobs || later->n_setups > 0)
        return false;
    const struct fio_text_job *a = &earlier->job[0], *b = &later->job[0];
    return a->pid > 0 && a->pid == b->pid && strcmp(a->cell.name, b->cell.name) == 0;
}

static void drop_snapshots(struct fio_text_runs *runs)
{
    size_t kept = 0;
    for (size_t i = 0; i < runs->n; i++) {
        struct fio_text_run *r = &runs->run[i];
        if (i + 1 < runs->n && continues(r, &runs->run[i + 1])) {
            struct fio_text_run *next = &runs->run[i + 1];
            struct fio_text_setup *setup = r->setup; /* only printed before the first */
            next->setup = setup;
            next->n_setups = r->n_setups;
            next->room_setups = r->room_setups;
            next->starting = r->starting;
            r->setup = NULL;
            r->n_setups = 0;
            run_release(r);
            continue;
        }
        if (kept != i)
            runs->run[kept] = *r;
        kept++;
    }
    runs->n = kept;
}

/* Moves what the fragment has and the run lacks. */
static void join(struct fio_text_run *to, struct fio_text_run *from)
{
    if (to->n_groups == 0) {
        struct fio_text_job *group = to->group;
        to->group = from->group;
        to->n_groups = from->n_groups;
        from->group = group;
        from->n_groups = 0;
    }
    if (to->loose.n_buckets == 0) {
        to->loose.bucket = from->loose.bucket;
        to->loose.n_buckets = from->loose.n_buckets;
        from->loose.bucket = NULL;
        from->loose.n_buckets = 0;
    }
    if (to->loose.n_disks == 0) {
        to->loose.disk = from->loose.disk;
        to->loose.n_disks = from->loose.n_disks;
        from->loose.disk = NULL;
        from->loose.n_disks = 0;
    }
    run_release(from);
}

/* Fragments (no blocks) under the same heading, where one has what the other lacks. */
static bool fits(const struct fio_text_run *a, const struct fio_text_run *b)
{
    if (!a->label || !b->label || strcmp(a->label, b->label) != 0 || a->n_jobs || b->n_jobs)
        return false;
    return !(a->n_groups && b->n_groups) && !(a->loose.n_buckets && b->loose.n_buckets);
}

static void join_fragments(struct fio_text_runs *runs)
{
    size_t kept = 0;
    for (size_t i = 0; i < runs->n; i++) {
        size_t k = 0;
        while (k < kept && !fits(&runs->run[k], &runs->run[i]))
            k++;
        if (k < kept) {
            join(&runs->run[k], &runs->run[i]);
        } else {
            if (kept != i)
                runs->run[kept] = runs->run[i];
            kept++;
        }
    }
    runs->n = kept;
}

static void drop_empty(struct fio_text_runs *runs)
{
    size_t kept = 0;
    for (size_t i = 0; i < runs->n; i++) {
        struct fio_text_run *r = &runs->run[i];
        if (r->n_jobs == 0 && r->n_groups == 0 && r->loose.n_buckets == 0 && r->n_setups == 0)
            run_release(r);
        else
            runs->run[kept++] = *r;
    }
    runs->n = kept;
}

void fio_text_runs_read(struct fio_text_runs *runs, const char *text, size_t n)
{
    char line[LINE_MAX_BYTES];
    struct place p = {.runs = runs};
    p.line = 1;
    for (size_t at = 0, end; at < n && runs->n < RUNS_MAX; at = end + 1) {
        /* progress lines end with a CR, and the next line follows at once */
        for (end = at; end < n && text[end] != '\n' && text[end] != '\r';)
            end++;
        clean_line(line, text + at, end - at);
        if (end < n || !is_torn(&p))
            take_line(&p, line);
        p.line += end < n && text[end] == '\n';
    }
    free(p.version);
    job_release(&p.ignored);
    drop_snapshots(runs);
    join_fragments(runs);
    drop_empty(runs);
}
