/* `blkmatrix plot`: one chart of stored runs, as SVG, PNG or PDF. */
#include <errno.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/out_file.h"
#include "cli/run_args.h"
#include "cli/suggest.h"
#include "cli/table_out.h"
#include "core/base/json.h"
#include "core/base/text_table.h"
#include "core/base/xalloc.h"
#include "report/chart/kinds/kind.h"

#define AT(member) offsetof(struct plot_config, member)

enum picture { PICTURE_BY_NAME, PICTURE_SVG, PICTURE_PNG, PICTURE_PDF };
static const char *const picture_choices[] = {"auto", "svg", "png", "pdf", NULL};

enum theme_choice { THEME_AUTO, THEME_ONLY_LIGHT, THEME_ONLY_DARK };
static const char *const theme_choices[] = {"auto", "light", "dark", NULL};

struct plot_config {
    const char *output;
    int picture;
    uint64_t scale;
    int theme;
    struct opt_list rw;
    struct range bs, depth;
    const char *device;
    bool list;
};

static const struct plot_config plot_init = {.scale = 2};

/* clang-format off */
static const struct opt plot_opts[] = {
    {.name = "output", .letter = 'o', .type = OPT_TEXT, .offset = AT(output), .arg = "FILE",
     .help = "where to: the name ends in .svg, .png or .pdf; - is the standard output (SVG)",
     .group = "Picture"},
    {.name = "type", .type = OPT_CHOICE, .offset = AT(picture), .arg = "TYPE", .def = "auto",
     .choices = picture_choices,
     .help = "kind of file, when the name does not say it"},
    {.name = "scale", .type = OPT_U64, .offset = AT(scale), .arg = "N", .def = "2", .min = 1, .max = 4,
     .help = "of a PNG: pixels a unit; 2 makes it 1600 wide"},
    {.name = "theme", .type = OPT_CHOICE, .offset = AT(theme), .arg = "THEME", .def = "auto",
     .choices = theme_choices,
     .help = "auto is light, and in SVG dark where the viewer prefers dark"},
    {.name = "list", .letter = 'l', .type = OPT_FLAG, .offset = AT(list),
     .help = "the kinds of charts, and what each is good for"},
    {.name = "rw", .type = OPT_CHOICES, .offset = AT(rw), .arg = "LIST", .choices = rw_names,
     .help = "only these patterns; several are drawn beside each other", .group = "Cells"},
    {.name = "bs", .alias = "blocksize", .type = OPT_SIZES, .offset = AT(bs), .arg = "SIZES",
     .min = 1, .max = INT64_MAX, .help = "only these block sizes"},
    {.name = "iodepth", .type = OPT_COUNTS, .offset = AT(depth), .arg = "DEPTHS", .min = 1,
     .max = UINT32_MAX, .help = "only these queue depths (all jobs together)"},
    {.name = "device", .alias = "dev filename", .type = OPT_TEXT, .offset = AT(device), .arg = "PATH",
     .help = "only cells on this device"},
    OPT_END};
/* clang-format on */

/* ---- the list of kinds ---- */

static void list_json(struct strbuf *out)
{
    cJSON *list = json_add_array(NULL, NULL);
    for (size_t i = 0; kind_table[i]; i++) {
        cJSON *o = json_add_object(list, NULL);
        json_add_text(o, "kind", kind_table[i]->name);
        json_add_text(o, "title", kind_table[i]->title);
        json_add_text(o, "help", kind_table[i]->help);
    }
    char *text = json_print(list, true);
    strbuf_addf(out, "%s\n", text);
    free(text);
    cJSON_Delete(list);
}

static void list_kinds(const struct cmd_ctx *ctx)
{
    struct strbuf out = STRBUF_INIT;
    struct text_table *t = text_table_create();
    text_table_column(t, "kind", 0);
    text_table_column(t, "shows", COL_WRAP);
    for (size_t i = 0; kind_table[i]; i++) {
        text_table_row(t);
        text_table_cell(t, kind_table[i]->name);
        text_table_cell(t, kind_table[i]->help);
    }
    if (ctx->format == OUT_JSON)
        list_json(&out);
    else
        table_out(&out, ctx, t);
    fputs(out.text, stdout);
    text_table_destroy(t);
    strbuf_release(&out);
}

/* ---- what is asked for ---- */

static int find_kind(const struct kind **out, const char *name, struct error *err)
{
    *out = kind_find(name);
    if (*out)
        return 0;
    struct strbuf known = STRBUF_INIT;
    struct suggest near;
    suggest_init(&near, name);
    for (size_t i = 0; kind_table[i]; i++) {
        suggest_offer(&near, kind_table[i]->name);
        strbuf_addf(&known, "%s%s", i ? ", " : "", kind_table[i]->name);
    }
    int rc = error_set(err, ERR_USAGE, "there is no chart \"%s\"", name);
    if (near.n > 0)
        error_hint(err, "Did you mean \"%s\"?", near.best[0]);
    error_hint(err, "There are: %s. `blkmatrix plot --list` says what each is good for.",
               known.text);
    strbuf_release(&known);
    return rc;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcasecmp(text + n - m, end) == 0;
}

static int find_picture(enum picture *out, const struct plot_config *c, const char *kind,
                        struct error *err)
{
    if (!c->output || !*c->output)
        return error_set(err, ERR_USAGE, "where should the chart go? For example -o %s.svg", kind);
    bool piped = strcmp(c->output, "-") == 0;
    *out = (enum picture)c->picture;
    if (c->picture == PICTURE_BY_NAME)
        *out = ends_with(c->output, ".png")            ? PICTURE_PNG
               : ends_with(c->output, ".pdf")          ? PICTURE_PDF
               : ends_with(c->output, ".svg") || piped ? PICTURE_SVG
                                                       : PICTURE_BY_NAME;
    if (*out == PICTURE_BY_NAME)
        return error_set(err, ERR_USAGE,
                         "cannot tell the kind of picture from the name %s\n"
                         "Let it end in .svg, .png or .pdf, or say --type.",
                         c->output);
    if (piped && *out != PICTURE_SVG && isatty(STDOUT_FILENO))
        return error_set(err, ERR_USAGE,
                         "a %s is not text for a terminal: give -o FILE.%s, or a pipe",
                         picture_choices[*out], picture_choices[*out]);
    return 0;
}

static void add_once(struct run_ids *ids, int64_t id)
{
    for (size_t i = 0; i < ids->n; i++)
        if (ids->id[i] == id)
            return;
    ids->id = xrealloc(ids->id, ids->n + 1, sizeof *ids->id);
    ids->id[ids->n++] = id;
}

/* In the order of the words, since the first run is the baseline; the last run when there are none. */
static int select_runs(struct store *s, const char **word, size_t n, struct run_ids *out,
                       struct error *err)
{
    static const char *const last[] = {"@latest"};
    int rc = 0;
    for (size_t i = 0; i < (n ? n : 1) && rc == 0; i++) {
        struct run_ids some = {0};
        rc = store_select(s, n ? word[i] : last[0], &some, err);
        for (size_t k = 0; k < some.n && rc == 0; k++)
            add_once(out, some.id[k]);
        run_ids_release(&some);
    }
    return rc;
}

/* ---- drawing ---- */

static int encode(struct strbuf *out, const struct scene *s, const struct plot_config *c,
                  enum picture picture, const char *kind, struct error *err)
{
    static const enum svg_mode svg[] = {SVG_AUTO, SVG_LIGHT, SVG_DARK};
    enum theme theme = c->theme == THEME_ONLY_DARK ? THEME_DARK : THEME_LIGHT;
    switch (picture) {
    case PICTURE_PNG:
        return scene_write_png(out, s, theme, (double)c->scale, err);
    case PICTURE_PDF:
        return scene_write_pdf(out, s, theme, err);
    case PICTURE_SVG:
    case PICTURE_BY_NAME:
        break;
    }
    scene_write_svg(out, s, svg[c->theme], kind);
    return 0;
}

static int save(const struct strbuf *bytes, const char *path, struct error *err)
{
    if (strcmp(path, "-") != 0)
        return out_file_write(path, "chart", bytes, err);
    if (fwrite(bytes->text, 1, bytes->len, stdout) != bytes->len || fflush(stdout) != 0)
        return error_errno(err, ERR_DEVICE, errno, "cannot write to the standard output");
    return 0;
}

static int draw(struct cmd_ctx *ctx, const struct plot_config *c, const struct kind *kind,
                enum picture picture, struct dataset *d, struct error *err)
{
    const struct kind_query query = {
        .rw = c->rw.item,
        .n_rw = c->rw.n,
        .bs = c->bs.value,
        .n_bs = c->bs.n,
        .depth = c->depth.value,
        .n_depth = c->depth.n,
        .device = c->device,
    };
    struct fonts *fonts = fonts_create(METRICS_PANGO);
    struct chart *chart = kind_build(kind, d, &query);
    struct scene *scene = chart_draw(chart, CHART_STANDALONE, fonts);
    struct strbuf bytes = STRBUF_INIT;
    int rc = encode(&bytes, scene, c, picture, kind->name, err);
    if (rc == 0)
        rc = save(&bytes, c->output, err);
    if (rc == 0 && !ctx->quiet)
        fprintf(stderr, "%s\n", chart->empty ? chart->empty : chart->title);
    strbuf_release(&bytes);
    scene_destroy(scene);
    chart_destroy(chart);
    fonts_destroy(fonts);
    return rc;
}

static int plot_cmd(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                    struct error *err)
{
    const struct plot_config *c = config;
    if (c->list) {
        list_kinds(ctx);
        return 0;
    }
    if (n_rest == 0)
        return error_set(err, ERR_USAGE,
                         "which chart? For example `blkmatrix plot roofline @latest -o "
                         "roofline.svg`; `blkmatrix plot --list` names all");
    const struct kind *kind;
    enum picture picture = PICTURE_BY_NAME;
    int rc = find_kind(&kind, rest[0], err);
    if (rc == 0)
        rc = find_picture(&picture, c, kind->name, err);
    if (rc < 0)
        return rc;
    struct store *s = NULL;
    struct run_ids ids = {0};
    struct dataset *d = NULL;
    rc = store_open(&s, ctx->db_path, STORE_READ, err);
    if (rc == 0)
        rc = select_runs(s, rest + 1, n_rest - 1, &ids, err);
    if (rc == 0)
        rc = dataset_load(&d, s, ids.id, ids.n, LOAD_HIST | (kind->needs_series ? LOAD_SERIES : 0),
                          err);
    if (rc == 0)
        rc = draw(ctx, c, kind, picture, d, err);
    dataset_destroy(d);
    run_ids_release(&ids);
    store_close(s);
    return rc;
}

const struct cmd cmd_plot = {
    .name = "plot",
    .summary = "draws one chart of one or several runs",
    .group = "Results",
    .usage = "KIND [RUN...]",
    .description =
        "KIND is what the chart shows: `blkmatrix plot --list` tells what there is and what each "
        "is good for. Without a RUN it is that of the last one. Several runs are drawn into the "
        "same chart, the first as the baseline A; more than five get a small panel each.\n"
        "\n" RUN_ARGS_HELP "\n"
        "The title says what was found, by rule, from the data; it goes to the standard error, "
        "too. A chart without data is written as a picture that says why.\n",
    .examples = "blkmatrix plot roofline @latest -o roofline.svg\n"
                "    which cap binds at which block size\n"
                "blkmatrix plot qd 17 --bs 4k -o depth.png --scale 3\n"
                "    how deep a queue pays\n"
                "blkmatrix plot percentile release=6.8 release=6.9 -o tail.pdf\n"
                "    two runs over each other\n"
                "blkmatrix plot --list\n"
                "    the kinds of charts\n",
    .opts = plot_opts,
    .config_size = sizeof(struct plot_config),
    .config_init = &plot_init,
    .needs = NEED_NOTHING,
    .run = plot_cmd,
};
