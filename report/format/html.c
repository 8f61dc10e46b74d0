/*
 * One HTML file that asks for nothing: style and script are inside, named by their hashes in a
 * Content-Security-Policy, so that nothing else can ever run in it.
 */
#include "core/base/embedded.h"
#include "core/base/sha256.h"
#include "report/format/format_internal.h"
#include "report/scene/scene.h"

/* Further rows come as JSON and are made when they are shown. */
#define HTML_ROWS 500
/* Longer tables under charts stay off paper: what is in them is in the table of all cells. */
#define MOST_PRINTED 24

#define FIELDS(...) ((const char *const[]){__VA_ARGS__, NULL})

const struct template_fields html_templates[] = {
    {"report.html", FIELDS("csp", "generator", "headline", "kind", "date", "css", "deck", "scope",
                           "facts", "caveats", "nav", "sections", "rows", "js")},
    {"fact.html", FIELDS("number", "word", "detail", "small")},
    {"caveats.html", FIELDS("items")},
    {"caveat.html", FIELDS("text")},
    {"link.html", FIELDS("id", "name")},
    {"section.html", FIELDS("id", "name", "title", "blocks")},
    {"paragraph.html", FIELDS("text")},
    {"command.html", FIELDS("text")},
    {"figure.html", FIELDS("title", "subtitle", "svg", "phone", "source", "long", "values")},
    {"table.html", FIELDS("id", "class", "caption", "label", "head", "body")},
    {NULL, NULL},
};

#define RENDER(out, file, err, ...)                                                                \
    template_render(out, file, (const struct value[]){__VA_ARGS__},                                \
                    sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value), err)

struct writer {
    const struct page *page;
    struct fonts *fonts;
    struct strbuf rows; /* JSON of the rows that are not in the HTML */
    struct error *err;
};

static void write_picture(struct writer *w, struct strbuf *out, const struct page_block *b,
                          enum chart_place place)
{
    const char *id =
        place == CHART_ON_PHONE ? arena_printf(w->page->arena, "%s-phone", b->id) : b->id;
    struct scene *scene = page_draw(b, place, w->fonts);
    scene_write_svg(out, scene, place == CHART_ON_PHONE ? SVG_TWIN : SVG_EMBEDDED, id);
    scene_destroy(scene);
}

static int write_chart(struct writer *w, struct strbuf *out, const struct page_block *b)
{
    struct strbuf svg = STRBUF_INIT, phone = STRBUF_INIT, values = STRBUF_INIT;
    write_picture(w, &svg, b, CHART_IN_PAGE);
    write_picture(w, &phone, b, CHART_ON_PHONE);
    bool is_long = b->table && b->table->n_rows > MOST_PRINTED;
    int rc = b->table ? html_table(&values, b->table, b->table->n_rows, w->err) : 0;
    if (!rc)
        rc = RENDER(out, "figure.html", w->err, {"title", b->title, NULL},
                    {"subtitle", b->subtitle, NULL}, {"svg", NULL, svg.text},
                    {"phone", NULL, phone.text}, {"source", b->source, NULL},
                    {"long", is_long ? "long" : NULL, NULL},
                    {"values", NULL, values.len ? values.text : NULL});
    strbuf_release(&svg);
    strbuf_release(&phone);
    strbuf_release(&values);
    return rc;
}

static int write_block(struct writer *w, struct strbuf *out, const struct page_block *b)
{
    switch (b->kind) {
    case BLOCK_CHART:
        return write_chart(w, out, b);
    case BLOCK_TABLE:
        if (b->table->sortable && b->table->n_rows > HTML_ROWS)
            html_rows_json(&w->rows, b->table, HTML_ROWS);
        return html_table(out, b->table, b->table->sortable ? HTML_ROWS : b->table->n_rows, w->err);
    case BLOCK_COMMAND:
        return RENDER(out, "command.html", w->err, {"text", b->text, NULL});
    default:
        return RENDER(out, "paragraph.html", w->err, {"text", b->text, NULL});
    }
}

static int write_sections(struct writer *w, struct strbuf *out)
{
    int rc = 0;
    for (size_t i = 0; i < w->page->n_sections && rc == 0; i++) {
        const struct section *s = &w->page->section[i];
        struct strbuf blocks = STRBUF_INIT;
        for (size_t k = 0; k < s->n_blocks && rc == 0; k++) {
            rc = write_block(w, &blocks, &s->block[k]);
            strbuf_addc(&blocks, '\n');
        }
        if (!rc)
            rc = RENDER(out, "section.html", w->err, {"id", s->id, NULL}, {"name", s->name, NULL},
                        {"title", s->title, NULL}, {"blocks", NULL, blocks.text});
        strbuf_addc(out, '\n');
        strbuf_release(&blocks);
    }
    return rc;
}

static int write_nav(struct writer *w, struct strbuf *out)
{
    int rc = 0;
    for (size_t i = 0; i < w->page->n_sections && rc == 0; i++) {
        const struct section *s = &w->page->section[i];
        rc = RENDER(out, "link.html", w->err, {"id", s->id, NULL}, {"name", s->name, NULL});
    }
    return rc;
}

static int write_facts(struct writer *w, struct strbuf *out)
{
    int rc = 0;
    for (size_t i = 0; i < PAGE_FACTS && rc == 0; i++) {
        const struct fact *f = &w->page->fact[i];
        rc = RENDER(out, "fact.html", w->err, {"number", f->number, NULL}, {"word", f->word, NULL},
                    {"detail", f->detail, NULL}, {"small", f->small, NULL});
        strbuf_addc(out, '\n');
    }
    return rc;
}

static int write_caveats(struct writer *w, struct strbuf *out)
{
    struct strbuf items = STRBUF_INIT;
    int rc = 0;
    for (size_t i = 0; i < w->page->n_caveats && rc == 0; i++) {
        rc = RENDER(&items, "caveat.html", w->err, {"text", w->page->caveat[i], NULL});
        strbuf_addc(&items, '\n');
    }
    if (!rc && w->page->n_caveats > 0) {
        rc = RENDER(out, "caveats.html", w->err, {"items", NULL, items.text});
        strbuf_addc(out, '\n');
    }
    strbuf_release(&items);
    return rc;
}

static unsigned nibble(char hex)
{
    return (unsigned)(hex <= '9' ? hex - '0' : hex - 'a' + 10);
}

/* 'sha256-BASE64', as a Content-Security-Policy names an inline style or script. */
static void add_hash(struct strbuf *out, const struct strbuf *text)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char hex[SHA256_TEXT_MAX];
    sha256_hex(hex, text->text, text->len);
    unsigned char raw[33] = {0}; /* 32 bytes, and a zero to fill the last group of three */
    for (size_t i = 0; i < 32; i++)
        raw[i] = (unsigned char)(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]));
    strbuf_adds(out, "'sha256-");
    for (size_t i = 0; i < 33; i += 3) {
        unsigned v = (unsigned)raw[i] << 16 | (unsigned)raw[i + 1] << 8 | raw[i + 2];
        strbuf_addc(out, digit[v >> 18]);
        strbuf_addc(out, digit[v >> 12 & 63]);
        strbuf_addc(out, digit[v >> 6 & 63]);
        strbuf_addc(out, i < 30 ? digit[v & 63] : '=');
    }
    strbuf_addc(out, '\'');
}

static void add_policy(struct strbuf *out, const struct strbuf *css, const struct strbuf *js)
{
    strbuf_adds(out, "default-src 'none'; style-src ");
    add_hash(out, css);
    strbuf_adds(out, "; script-src ");
    add_hash(out, js);
    strbuf_adds(out, "; img-src data:; base-uri 'none'; form-action 'none'");
}

static int add_file(struct strbuf *out, const char *name, struct error *err)
{
    size_t len;
    const char *text = embedded_find(name, &len);
    if (!text)
        return error_set(err, ERR_USAGE, "%s is not in this program; this is a bug in blkmatrix",
                         name);
    strbuf_add(out, text, len);
    return 0;
}

/* The parts of the page, as fragments. */
struct parts {
    struct strbuf css, js, csp, facts, caveats, nav, sections;
};

static int make_parts(struct writer *w, struct parts *p)
{
    svg_page_css(&p->css);
    int rc = add_file(&p->css, "templates/report.css", w->err);
    if (!rc)
        rc = add_file(&p->js, "templates/report.js", w->err);
    if (!rc)
        rc = write_facts(w, &p->facts);
    if (!rc)
        rc = write_caveats(w, &p->caveats);
    if (!rc)
        rc = write_nav(w, &p->nav);
    if (!rc)
        rc = write_sections(w, &p->sections);
    add_policy(&p->csp, &p->css, &p->js);
    return rc;
}

static int put_together(struct writer *w, const struct parts *p, struct strbuf *out)
{
    const struct page *page = w->page;
    return RENDER(
        out, "report.html", w->err, {"csp", p->csp.text, NULL},
        {"generator", "blkmatrix " BLKMATRIX_VERSION, NULL}, {"headline", page->headline, NULL},
        {"kind", page->kind, NULL}, {"date", page->date, NULL}, {"css", NULL, p->css.text},
        {"deck", page->deck, NULL}, {"scope", page->scope, NULL}, {"facts", NULL, p->facts.text},
        {"caveats", NULL, p->caveats.len ? p->caveats.text : NULL}, {"nav", NULL, p->nav.text},
        {"sections", NULL, p->sections.text}, {"rows", NULL, w->rows.len ? w->rows.text : NULL},
        {"js", NULL, p->js.text});
}

static int write(struct strbuf *out, const struct page *page, struct error *err)
{
    struct writer w = {page, fonts_create(METRICS_PANGO), STRBUF_INIT, err};
    struct parts p = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT,
                      STRBUF_INIT, STRBUF_INIT, STRBUF_INIT};
    int rc = make_parts(&w, &p);
    if (!rc)
        rc = put_together(&w, &p, out);
    strbuf_addc(out, '\n');
    struct strbuf *all[] = {&p.css, &p.js, &p.csp, &p.facts, &p.caveats, &p.nav, &p.sections};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        strbuf_release(all[i]);
    strbuf_release(&w.rows);
    fonts_destroy(w.fonts);
    return rc;
}

const struct format format_html = {"html", ".html", write};
