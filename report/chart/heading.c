/* What stands above and below the picture: title, subtitle, source; or the sentence instead of it. */
#include "core/base/xalloc.h"
#include "report/chart/chart_internal.h"

#define TITLE_SIZE    19.0
#define SUBTITLE_SIZE 13.0
#define SOURCE_SIZE   11.0

enum { SUBTITLE_MOST = 3 }; /* a long path may take a line of its own */

/* Bytes of `text` up to the last blank at which the line still fits; at least one word. */
static size_t line_length(struct scene *s, const char *text, double size, int weight, double width)
{
    size_t fits = 0;
    for (size_t end = strcspn(text, " ");; end += 1 + strcspn(text + end + 1, " ")) {
        char *part = xstrndup(text, end);
        double w =
            scene_text_width(s, &(struct text){.text = part, .size = size, .weight = weight});
        free(part);
        if (fits > 0 && w > width)
            return fits;
        fits = end;
        if (text[end] == '\0' || w > width)
            return fits;
    }
}

size_t wrap_words(struct scene *s, const char *text, double size, int weight, double width,
                  const char **line, size_t max)
{
    size_t n = 0;
    while (*text && n < max) {
        size_t len = line_length(s, text, size, weight, width);
        bool rest_follows = text[len] != '\0';
        if (n + 1 == max && rest_follows)
            len = strlen(text);
        char *part = xstrndup(text, len);
        line[n++] = scene_fit(s, part, size, weight, width);
        free(part);
        text += len;
        text += strspn(text, " ");
    }
    return n;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* As wrap_words, with two lines of about the same length: no last word alone. */
static size_t wrap_balanced(struct scene *s, const char *text, double size, int weight,
                            double width, const char **line)
{
    size_t n = wrap_words(s, text, size, weight, width, line, 2);
    double all = scene_text_width(s, &(struct text){.text = text, .size = size, .weight = weight});
    const char *even[2];
    /* narrower as long as nothing is cut: the longer line is at least half of all */
    for (double w = all / 2; n == 2 && all < 2 * width && w < width; w += width / 16)
        if (wrap_words(s, text, size, weight, w, even, 2) == 2 && ends_with(text, even[1])) {
            line[0] = even[0];
            line[1] = even[1];
            break;
        }
    return n;
}

double heading_draw(struct canvas *k, double top)
{
    double width = k->right - k->left;
    scene_rect(k->s, k->left, top, 44, 4, &(struct paint){.fill = COLOUR_INK});
    double y = top + 30;
    const char *line[SUBTITLE_MOST];
    size_t n = wrap_balanced(k->s, k->c->title, TITLE_SIZE, 700, width, line);
    for (size_t i = 0; i < n; i++, y += 24)
        scene_text(k->s, &(struct text){.x = k->left,
                                        .y = y,
                                        .text = line[i],
                                        .size = TITLE_SIZE,
                                        .weight = 700,
                                        .colour = COLOUR_INK});
    y -= 2;
    n = wrap_words(k->s, k->c->subtitle, SUBTITLE_SIZE, 400, width, line, SUBTITLE_MOST);
    for (size_t i = 0; i < n; i++, y += 18)
        scene_text(k->s, &(struct text){.x = k->left,
                                        .y = y,
                                        .text = line[i],
                                        .size = SUBTITLE_SIZE,
                                        .colour = COLOUR_INK2});
    return y - 18;
}

double source_draw(struct canvas *k, double top)
{
    const struct text mark = {.x = k->right,
                              .y = top,
                              .text = "blkmatrix",
                              .size = SOURCE_SIZE,
                              .weight = 600,
                              .colour = COLOUR_INK3,
                              .anchor = ANCHOR_END};
    double width = k->right - k->left - scene_text_width(k->s, &mark) - 24;
    scene_text(k->s, &mark);
    const char *line[3];
    size_t n = wrap_words(k->s, k->c->source, SOURCE_SIZE, 400, width, line, 3);
    for (size_t i = 0; i < n; i++)
        scene_text(k->s, &(struct text){.x = k->left,
                                        .y = top + 15 * (double)i,
                                        .text = line[i],
                                        .size = SOURCE_SIZE,
                                        .colour = COLOUR_INK3});
    return top + 15 * (double)(n > 1 ? n - 1 : 0);
}

double empty_draw(struct canvas *k, double top)
{
    const double height = 120;
    double width = k->right - k->left;
    scene_rect(k->s, k->left, top, width, height, &(struct paint){.fill = COLOUR_SURFACE});
    const char *line[2];
    size_t n = wrap_words(k->s, k->c->empty, SUBTITLE_SIZE, 400, width - 48, line, 2);
    double y = top + height / 2 + 5 - 10 * (double)(n - 1 + (k->c->command ? 1 : 0));
    for (size_t i = 0; i < n; i++, y += 20)
        scene_text(k->s, &(struct text){.x = k->left + 24,
                                        .y = y,
                                        .text = line[i],
                                        .size = SUBTITLE_SIZE,
                                        .colour = COLOUR_INK2});
    if (k->c->command)
        scene_text(k->s, &(struct text){.x = k->left + 24,
                                        .y = y,
                                        .text = scene_fit(k->s, k->c->command, 12, 600, width - 48),
                                        .weight = 600,
                                        .colour = COLOUR_INK});
    return top + height;
}
