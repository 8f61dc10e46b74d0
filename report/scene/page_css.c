/* The style rules a page needs so that embedded charts have their colours, in both themes. */
#include "report/scene/scene.h"

static void add_variables(struct strbuf *out, enum theme theme)
{
    strbuf_adds(out, theme == THEME_DARK ? "color-scheme:dark" : "color-scheme:light");
    for (int c = COLOUR_NONE + 1; c < COLOUR_COUNT; c++)
        strbuf_addf(out, ";--%s:#%06X", colour_class((enum colour)c),
                    (unsigned)colour_rgb((enum colour)c, theme));
    strbuf_addc(out, '}');
}

void svg_page_css(struct strbuf *out)
{
    strbuf_adds(out, ":root{");
    add_variables(out, THEME_LIGHT);
    strbuf_adds(out,
                "\n@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){");
    add_variables(out, THEME_DARK);
    strbuf_adds(out, "}\n@media screen{:root[data-theme=dark]{");
    add_variables(out, THEME_DARK);
    strbuf_adds(out, "}\n");
    for (int c = COLOUR_NONE + 1; c < COLOUR_COUNT; c++) {
        const char *class = colour_class((enum colour)c);
        strbuf_addf(out, ".f-%s{fill:var(--%s)}.s-%s{stroke:var(--%s)}", class, class, class,
                    class);
    }
    strbuf_adds(out, "\n.h{paint-order:stroke;stroke-width:4px}\n"
                     ".chart text{letter-spacing:-.012em;font-feature-settings:\"tnum\",\"calt\" "
                     "0}\n");
}
