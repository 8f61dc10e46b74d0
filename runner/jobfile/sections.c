/* From text to sections: comments, variables, include. As fio's parser does it (init.c, options.c). */
#include "runner/jobfile/sections_internal.h"

#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>

#include "core/base/xalloc.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

enum { INCLUDE_DEPTH = 8, LINE_MAX_BYTES = 65536, NAME_MAX_BYTES = 255 };

struct reader {
    struct sections *out;
    const struct jobfile_source *source;
    bool in_global, in_section;
    unsigned depth;
    size_t bytes; /* read so far */
    /* where it is */
    const char *file;
    unsigned line;
};

static int read_file(void *arg, const char *path, struct strbuf *text, struct error *err)
{
    (void)arg;
    FILE *f = fopen(path, "re");
    if (!f)
        return error_errno(err, ERR_INPUT, errno, "%s: cannot be read", path);
    struct stat st;
    int rc = 0;
    if (fstat(fileno(f), &st) == 0 && !S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
        rc = error_set(err, ERR_INPUT, "%s is not a file", path);
    size_t n = 1;
    while (rc == 0 && n > 0 && text->len <= JOBFILE_MAX_BYTES) {
        n = fread(strbuf_reserve(text, 65536), 1, 65536, f);
        strbuf_advance(text, n);
    }
    if (rc == 0 && ferror(f))
        rc = error_errno(err, ERR_INPUT, errno, "%s: cannot be read", path);
    fclose(f);
    return rc;
}

static const char *environment(void *arg, const char *name)
{
    (void)arg;
    return getenv(name);
}

static int wrong(const struct reader *r, struct error *err, const char *what)
{
    return error_set(err, ERR_INPUT, "%s:%u: %s", r->file, r->line, what);
}

/* Cuts blanks from both ends, in place. */
static char *trim(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    size_t n = strlen(s);
    while (n > 0 && isspace((unsigned char)s[n - 1]))
        s[--n] = '\0';
    return s;
}

/* The value with its ${VARIABLES} filled in. */
static int expand(struct reader *r, struct strbuf *out, const char *value, struct error *err)
{
    for (const char *p = value; *p;) {
        const char *end = p[0] == '$' && p[1] == '{' ? strchr(p, '}') : NULL;
        if (!end) {
            strbuf_addc(out, *p++);
            continue;
        }
        char *name = xstrndup(p + 2, (size_t)(end - p - 2));
        const char *text = r->source->variable(r->source->arg, name);
        int rc = 0;
        if (text) {
            strbuf_adds(out, text);
        } else {
            rc = error_set(err, ERR_INPUT, "%s:%u: the variable %s is not set", r->file, r->line,
                           name);
            error_hint(err, "Set it: %s=... blkmatrix run %s", name, r->out->file[0]);
        }
        free(name);
        if (rc < 0)
            return rc;
        p = end + 1;
    }
    return out->len <= LINE_MAX_BYTES ? 0 : wrong(r, err, "the value is longer than 64 KiB");
}

static int begin_section(struct reader *r, char *line, struct error *err)
{
    size_t n = strlen(line);
    if (line[n - 1] != ']')
        return wrong(r, err, "a section looks like [name]; the ] is missing");
    line[n - 1] = '\0';
    const char *name = trim(line + 1);
    if (*name == '\0' || strlen(name) > NAME_MAX_BYTES)
        return wrong(r, err, "the name of a section has 1 to 255 bytes");
    r->in_section = true;
    r->in_global = strncmp(name, "global", 6) == 0; /* fio takes "globalX" for one too */
    if (r->in_global)
        return 0;
    struct sections *s = r->out;
    if (s->n == JOBFILE_MAX_JOBS)
        return wrong(r, err, "more than 1000 sections");
    GROW(s->section, s->n + 1, s->room);
    s->section[s->n++] = (struct section){
        .name = xstrdup(name), .file = r->file, .line = r->line, .n_global = s->n_global};
    return 0;
}

static int add_option(struct reader *r, char *line, struct error *err)
{
    if (!r->in_section)
        return wrong(r, err, "an option before the first [section]: this is no job file of fio");
    struct sections *s = r->out;
    if (s->n_options++ == JOBFILE_MAX_OPTIONS)
        return wrong(r, err, "more than 10,000 options");
    char *equal = strchr(line, '=');
    if (equal)
        *equal = '\0';
    const char *name = trim(line);
    if (*name == '\0')
        return wrong(r, err, "an option needs a name before the =");
    struct strbuf value = STRBUF_INIT;
    int rc = equal ? expand(r, &value, trim(equal + 1), err) : 0;
    if (rc < 0) {
        strbuf_release(&value);
        return rc;
    }
    struct job_option option = {
        .name = xstrdup(name), .value = strbuf_detach(&value), .file = r->file, .line = r->line};
    if (r->in_global) {
        GROW(s->global, s->n_global + 1, s->room_global);
        s->global[s->n_global++] = option;
        return 0;
    }
    struct section *in = &s->section[s->n - 1];
    GROW(in->option, in->n + 1, in->room);
    in->option[in->n++] = option;
    return 0;
}

/* A path in a file is relative to the file. */
static char *path_beside(const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    if (path[0] == '/' || !slash)
        return xstrdup(path);
    return xasprintf("%.*s/%s", (int)(slash - file), file, path);
}

static int read_text(struct reader *r, char *path, struct error *err);

static int include(struct reader *r, const char *path, struct error *err)
{
    if (*path == '\0')
        return wrong(r, err, "include needs the name of a file");
    if (r->depth == INCLUDE_DEPTH)
        return wrong(r, err, "files are included more than 8 deep; does one include itself?");
    if (r->out->n_files == JOBFILE_MAX_FILES)
        return wrong(r, err, "more than 64 files are included");
    const char *file = r->file;
    unsigned line = r->line;
    r->depth++;
    int rc = read_text(r, path_beside(file, path), err);
    r->depth--;
    r->file = file;
    r->line = line;
    return rc < 0 ? error_prefix(err, ERR_INPUT, "%s:%u: include", file, line) : 0;
}

static int read_line(struct reader *r, char *line, struct error *err)
{
    line[strcspn(line, ";#")] = '\0';
    line = trim(line);
    if (*line == '\0')
        return 0;
    if (*line == '[')
        return begin_section(r, line, err);
    if (strncmp(line, "include", 7) == 0 && (isspace((unsigned char)line[7]) || !line[7]))
        return include(r, trim(line + 7), err);
    return add_option(r, line, err);
}

static int check_text(const struct reader *r, const struct strbuf *text, struct error *err)
{
    if (text->len > JOBFILE_MAX_BYTES)
        return error_set(err, ERR_INPUT, "%s is larger than 1 MiB: no job file", r->file);
    if (r->bytes > 4 * JOBFILE_MAX_BYTES)
        return error_set(err, ERR_INPUT, "%s: more than 4 MiB with what it includes",
                         r->out->file[0]);
    const char *nul = memchr(text->text, '\0', text->len);
    if (nul)
        return error_set(err, ERR_INPUT, "%s: a zero byte at %zu: no text file", r->file,
                         (size_t)(nul - text->text));
    return 0;
}

/* Takes the path over. */
static int read_text(struct reader *r, char *path, struct error *err)
{
    struct sections *s = r->out;
    s->file = xrealloc(s->file, s->n_files + 1, sizeof *s->file);
    s->file[s->n_files++] = path;
    r->file = path;
    r->line = 0;
    struct strbuf text = STRBUF_INIT;
    int rc = r->source->read(r->source->arg, path, &text, err);
    r->bytes += text.len;
    if (rc == 0)
        rc = check_text(r, &text, err);
    if (rc == 0 && !s->text)
        s->text = xstrndup(text.text, text.len);
    char *rest = text.text, *line;
    if (rc == 0 && strncmp(rest, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0)
        rest += strlen(BYTE_ORDER_MARK); /* editors on Windows begin files with it */
    while (rc == 0 && (line = strsep(&rest, "\n")) != NULL) {
        r->line++;
        if (strlen(line) > LINE_MAX_BYTES)
            rc = wrong(r, err, "the line is longer than 64 KiB");
        else
            rc = read_line(r, line, err);
    }
    strbuf_release(&text);
    return rc;
}

int sections_read(struct sections *out, const char *path, const struct jobfile_source *source,
                  struct error *err)
{
    static const struct jobfile_source system_source = {.read = read_file, .variable = environment};
    struct sections s = {0};
    bool given = source && source->read;
    struct reader r = {.out = &s, .source = given ? source : &system_source};
    int rc = read_text(&r, xstrdup(path), err);
    if (rc == 0 && s.n == 0)
        rc = error_set(err, ERR_INPUT, "%s has no job: a [section] besides [global] is missing",
                       path);
    if (rc < 0) {
        sections_release(&s);
        return rc;
    }
    *out = s;
    return 0;
}

static void release_options(struct job_option *option, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(option[i].name);
        free(option[i].value);
    }
    free(option);
}

void sections_release(struct sections *s)
{
    release_options(s->global, s->n_global);
    for (size_t i = 0; i < s->n; i++) {
        free(s->section[i].name);
        release_options(s->section[i].option, s->section[i].n);
    }
    free(s->section);
    for (size_t i = 0; i < s->n_files; i++)
        free(s->file[i]);
    free(s->file);
    free(s->text);
    *s = (struct sections){0};
}
