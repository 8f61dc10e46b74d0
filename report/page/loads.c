/*
 * Loads in tables: a load is called by its pattern and its settings, "random read, 8 jobs, sync". What all
 * loads of a page share after their pattern stands once, in captions, and a row says only what differs.
 */
#include "report/page/page_internal.h"

#define GAP ", "

/* Length of the first part of a load's words. */
static size_t part_length(const char *words)
{
    const char *end = strstr(words, GAP);
    return end ? (size_t)(end - words) : strlen(words);
}

/* The part after this one, NULL when it is the last. */
static const char *next_part(const char *part)
{
    size_t n = part_length(part);
    return part[n] ? part + n + strlen(GAP) : NULL;
}

static bool has_part(const char *words, const char *part)
{
    size_t n = part_length(part);
    for (const char *p = next_part(words); p; p = next_part(p))
        if (part_length(p) == n && memcmp(p, part, n) == 0)
            return true;
    return false;
}

static bool all_have(const struct page *p, const char *part)
{
    for (size_t i = 0; i < p->analysis->n_facts; i++)
        if (!has_part(p->analysis->facts[i].row->group, part))
            return false;
    return true;
}

void page_find_shared_load(struct page *p)
{
    const char *first = p->analysis->n_facts ? p->analysis->facts[0].row->group : "";
    struct strbuf sb = STRBUF_INIT;
    for (const char *part = next_part(first); part; part = next_part(part))
        if (all_have(p, part))
            strbuf_addf(&sb, "%s%.*s", sb.len ? GAP : "", (int)part_length(part), part);
    /* begins with a part of its own, as the words of a load do */
    p->shared_load = arena_printf(p->arena, "%s%s", sb.len ? GAP : "", sb.len ? sb.text : "");
    strbuf_release(&sb);
}

const char *page_load_words(struct page *p, const char *group)
{
    struct strbuf sb = STRBUF_INIT;
    strbuf_add(&sb, group, part_length(group));
    for (const char *part = next_part(group); part; part = next_part(part))
        if (!has_part(p->shared_load, part))
            strbuf_addf(&sb, GAP "%.*s", (int)part_length(part), part);
    const char *words = arena_strndup(p->arena, sb.text, sb.len);
    strbuf_release(&sb);
    return words;
}

const char *page_load_caption(struct page *p, const char *caption)
{
    if (!*p->shared_load)
        return caption;
    return arena_printf(p->arena, "%s%s All loads: %s.", caption,
                        caption[strlen(caption) - 1] == '.' ? "" : ".",
                        p->shared_load + strlen(GAP));
}
