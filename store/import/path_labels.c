#include "store/import/path_labels.h"

#include "core/base/xalloc.h"

enum { SEGMENTS_MAX = 256 };

enum kind { TEXT, STAR, KEY };

struct piece {
    enum kind kind;
    char *text; /* the text, or the key */
    size_t n;
    size_t label; /* number of a KEY */
};

struct segment {
    struct piece *piece;
    size_t n, room;
};

struct path_pattern {
    struct segment *segment;
    size_t n, room;
    size_t n_labels;
    bool folders; /* it says nothing of the file name */
    bool rooted;
};

/* A part of a path, or what a key stands for. */
struct span {
    const char *text;
    size_t n;
};

void path_pattern_destroy(struct path_pattern *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < p->segment[i].n; k++)
            free(p->segment[i].piece[k].text);
        free(p->segment[i].piece);
    }
    free(p->segment);
    free(p);
}

static int wrong(const char *text, const char *why, struct error *err)
{
    int rc = error_set(err, ERR_USAGE, "the path pattern \"%s\" %s", text, why);
    error_hint(err, "For example: 'results/{release}/{disk}/' or 'fio-{disk}-*.json'");
    return rc;
}

static const struct piece *find_label(const struct path_pattern *p, size_t label)
{
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < p->segment[i].n; k++) {
            const struct piece *piece = &p->segment[i].piece[k];
            if (piece->kind == KEY && piece->label == label)
                return piece;
        }
    }
    return NULL;
}

size_t path_pattern_count(const struct path_pattern *p)
{
    return p->n_labels;
}

const char *path_pattern_key(const struct path_pattern *p, size_t i)
{
    return find_label(p, i)->text;
}

/* The piece at the start of text[0..n), which is not empty. Returns its length, 0 when it is wrong. */
static size_t next_piece(const char *text, size_t n, struct piece *out)
{
    if (*text == '*') {
        *out = (struct piece){.kind = STAR, .text = xstrdup("*"), .n = 1};
        return 1;
    }
    size_t len = 0;
    if (*text != '{') {
        while (len < n && !strchr("*{}", text[len]))
            len++;
        *out = (struct piece){.kind = TEXT, .text = xstrndup(text, len), .n = len};
        return len;
    }
    const char *end = memchr(text, '}', n);
    len = end ? (size_t)(end - text) - 1 : 0;
    *out = (struct piece){.kind = KEY, .text = xstrndup(text + 1, len), .n = len};
    return len > 0 && !strpbrk(out->text, "{=,") ? len + 2 : 0;
}

static int add_piece(struct path_pattern *p, struct segment *s, struct piece piece, const char *all,
                     struct error *err)
{
    bool twice = false;
    for (size_t i = 0; piece.kind == KEY && i < p->n_labels; i++)
        twice = twice || strcmp(find_label(p, i)->text, piece.text) == 0;
    bool beside = s->n > 0 && piece.kind != TEXT && s->piece[s->n - 1].kind != TEXT;
    GROW(s->piece, s->n + 1, s->room);
    s->piece[s->n++] = piece;
    if (twice)
        return wrong(all, "has a key twice", err);
    if (beside)
        return wrong(all, "has two wildcards with nothing between them", err);
    if (piece.kind == KEY)
        s->piece[s->n - 1].label = p->n_labels++;
    return 0;
}

static int add_segment(struct path_pattern *p, const char *text, size_t n, const char *all,
                       struct error *err)
{
    GROW(p->segment, p->n + 1, p->room);
    struct segment *s = &p->segment[p->n++];
    *s = (struct segment){0};
    int rc = 0;
    while (n > 0 && rc == 0) {
        struct piece piece = {0};
        size_t used = next_piece(text, n, &piece);
        if (used == 0) {
            free(piece.text);
            return wrong(all, "has a brace without a key: {key}, without \"=\" or \",\"", err);
        }
        rc = add_piece(p, s, piece, all, err);
        text += used;
        n -= used;
    }
    return rc;
}

/* The next part of a path that is not empty or "."; false at the end. */
static bool next_part(const char **at, struct span *out)
{
    do {
        *at += strspn(*at, "/");
        *out = (struct span){*at, strcspn(*at, "/")};
        *at += out->n;
    } while (out->n == 1 && out->text[0] == '.');
    return out->n > 0;
}

int path_pattern_create(struct path_pattern **out, const char *text, struct error *err)
{
    struct path_pattern *p = xcalloc(1, sizeof *p);
    size_t len = strlen(text);
    p->folders = len > 0 && text[len - 1] == '/';
    p->rooted = *text == '/';
    struct span part;
    int rc = 0;
    for (const char *at = text; rc == 0 && next_part(&at, &part);)
        rc = add_segment(p, part.text, part.n, text, err);
    if (rc == 0 && p->n_labels == 0)
        rc = wrong(text, "has no {key} that names a label", err);
    if (rc < 0)
        path_pattern_destroy(p);
    else
        *out = p;
    return rc;
}

/* Where the text of the pieces from k on begins at or after `from`; the last one ends the part. */
static const char *find_text(const struct segment *s, size_t k, const char *from, const char *end)
{
    if (k == s->n)
        return end;
    const struct piece *text = &s->piece[k];
    if ((size_t)(end - from) < text->n)
        return NULL;
    if (k + 1 == s->n)
        return memcmp(end - text->n, text->text, text->n) == 0 ? end - text->n : NULL;
    return memmem(from, (size_t)(end - from), text->text, text->n);
}

/*
 * Text after a wildcard is taken where it stands first: what stands further left takes as little as it
 * can, which leaves most to the rest, so there is no need to try again.
 */
static bool match_segment(const struct segment *s, struct span part, struct span *value)
{
    const char *at = part.text, *end = part.text + part.n;
    for (size_t k = 0; k < s->n; k++) {
        const struct piece *piece = &s->piece[k];
        if (piece->kind == TEXT) {
            if ((size_t)(end - at) < piece->n || memcmp(at, piece->text, piece->n) != 0)
                return false;
            at += piece->n;
            continue;
        }
        const char *from = at + (piece->kind == KEY); /* a value is not empty */
        const char *stop = from <= end ? find_text(s, k + 1, from, end) : NULL;
        if (!stop)
            return false;
        if (piece->kind == KEY)
            value[piece->label] = (struct span){at, (size_t)(stop - at)};
        at = stop;
    }
    return at == end;
}

static bool match_at(const struct path_pattern *p, const struct span *part, struct span *value)
{
    for (size_t i = 0; i < p->n; i++) {
        if (!match_segment(&p->segment[i], part[i], value))
            return false;
    }
    return true;
}

static bool match_path(const struct path_pattern *p, const char *path, struct span *value)
{
    struct span part[SEGMENTS_MAX];
    size_t n = 0;
    const char *at = path;
    while (n < SEGMENTS_MAX && next_part(&at, &part[n]))
        n++;
    if (n == SEGMENTS_MAX || n < p->n + p->folders || (p->rooted && *path != '/'))
        return false;
    size_t first = p->folders || p->rooted ? 0 : n - p->n;
    size_t last = p->rooted ? 0 : n - p->n - p->folders;
    if (p->rooted && !p->folders && n != p->n)
        return false;
    for (size_t i = first; i <= last; i++) {
        if (match_at(p, part + i, value))
            return true;
    }
    return false;
}

static bool can_be_chosen(struct span value)
{
    for (size_t i = 0; i < value.n; i++) {
        unsigned char c = (unsigned char)value.text[i];
        if (c < ' ' || c == 0x7f || c == ',')
            return false;
    }
    return true;
}

bool path_pattern_match(const struct path_pattern *p, const char *path, struct label *label)
{
    struct span *value = xcalloc(p->n_labels, sizeof *value);
    bool fits = match_path(p, path, value);
    for (size_t i = 0; fits && i < p->n_labels; i++)
        fits = can_be_chosen(value[i]);
    for (size_t i = 0; fits && i < p->n_labels; i++)
        label[i] =
            (struct label){xstrdup(path_pattern_key(p, i)), xstrndup(value[i].text, value[i].n)};
    free(value);
    return fits;
}
