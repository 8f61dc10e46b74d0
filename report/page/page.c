#include "report/page/page_internal.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/numfmt.h"
#include "core/base/sha256.h"
#include "core/base/xalloc.h"

const struct page_section *const page_section_table[] = {
    &section_suite, &section_caps,   &section_load,  &section_time,
    &section_cells, &section_method, &section_again, NULL,
};

const char *page_bs_words(struct page *p, uint64_t bs)
{
    char buf[NUMFMT_MAX];
    return bs ? arena_strdup(p->arena, fmt_bs(buf, bs)) : "–";
}

static const char *words_with(struct page *p, const char *load, const struct row *r)
{
    const char *bs = r->bs ? page_bs_words(p, r->bs) : r->cell->key.bs_text;
    char buf[NUMFMT_MAX];
    const char *depth = r->depth ? arena_printf(p->arena, ", QD %s", fmt_count(buf, r->depth)) : "";
    return arena_printf(p->arena, "%s%s%s%s", load, bs ? ", " : "", bs ? bs : "", depth);
}

const char *page_row_words(struct page *p, const struct row *r)
{
    return words_with(p, r->group, r);
}

const char *page_mix_words(struct page *p, const struct row *r)
{
    const char *rest = r->group + strlen(r->pattern);
    return words_with(
        p, arena_printf(p->arena, "%.*s%s", (int)strcspn(r->pattern, ","), r->pattern, rest), r);
}

const char *page_short_words(struct page *p, const struct row *r)
{
    return words_with(p, page_load_words(p, r->group), r);
}

enum tag page_tag(enum binds binds)
{
    switch (binds) {
    case BINDS_DISK_IOPS:
    case BINDS_DISK_BW:
        return TAG_DISK;
    case BINDS_VM_IOPS:
    case BINDS_VM_BW:
        return TAG_VM;
    case BINDS_HOST_IOPS:
    case BINDS_HOST_BW:
        return TAG_HOST;
    case BINDS_RATE:
        return TAG_RATE;
    default:
        return TAG_NONE;
    }
}

/* "12 May 2026": the day of the run, UTC. */
static const char *date_words(struct page *p)
{
    static const char *const month[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
    if (!IS_KNOWN(p->run, RUN, started_ns))
        return NULL;
    time_t seconds = (time_t)(p->run->started_ns / (int64_t)NS_PER_S);
    struct tm tm;
    if (!gmtime_r(&seconds, &tm))
        return NULL;
    return arena_printf(p->arena, "%d %s %d", tm.tm_mday, month[tm.tm_mon], tm.tm_year + 1900);
}

static const char *content_hash(struct page *p)
{
    const struct page_table *t = p->data;
    struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        strbuf_adds(&sb, t->cell[i].text);
        strbuf_addc(&sb, (i + 1) % t->n_columns ? '\t' : '\n');
    }
    char hex[SHA256_TEXT_MAX];
    const char *text = arena_strdup(p->arena, sha256_hex(hex, sb.text, sb.len));
    strbuf_release(&sb);
    return text;
}

static const char *deck_words(struct page *p)
{
    const struct diagnosis *d = p->diagnosis;
    return d->second ? arena_printf(p->arena, "%s %s", d->verdict, d->second) : d->verdict;
}

static void add_section(struct page *p, const struct page_section *def)
{
    struct section s = {.id = def->id, .name = def->name};
    def->build(p, &s);
    if (s.n_blocks == 0) {
        free(s.block);
        return;
    }
    GROW(p->section, p->n_sections + 1, p->section_room);
    p->section[p->n_sections++] = s;
}

/* Runs taken together are an import when each of them is. */
static bool is_import(const struct dataset *d, size_t run)
{
    size_t n = 0, imported = 0;
    for (size_t i = 0; i < dataset_n_runs(d); i++) {
        if (i == run)
            continue;
        n++;
        imported += dataset_run(d, i)->source_format != NULL;
    }
    return dataset_run(d, run)->source_format || (n > 0 && imported == n);
}

struct page *page_create(struct dataset *d, size_t run, const char *command)
{
    struct page *p = xcalloc(1, sizeof *p);
    p->arena = arena_create();
    p->dataset = d;
    p->run_index = run;
    p->run = dataset_run(d, run);
    p->analysis = analysis_create(d, run);
    p->diagnosis = diagnosis_create(p->analysis, p->run);
    p->kind = is_import(d, run) ? "Import" : "Sweep";
    p->date = date_words(p);
    p->headline = p->diagnosis->headline;
    page_find_shared_load(p);
    p->deck = deck_words(p);
    p->scope = page_scope(p);
    p->report_command = arena_strdup(p->arena, command);
    p->data = page_data_table(p);
    p->content_hash = content_hash(p);
    page_fill_facts(p);
    page_fill_caveats(p);
    for (const struct page_section *const *s = page_section_table; *s; s++)
        add_section(p, *s);
    return p;
}

void page_destroy(struct page *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n_sections; i++) {
        for (size_t k = 0; k < p->section[i].n_blocks; k++)
            chart_destroy(p->section[i].block[k].chart);
        free(p->section[i].block);
    }
    free(p->section);
    free(p->caveat);
    diagnosis_destroy(p->diagnosis);
    analysis_destroy(p->analysis);
    arena_destroy(p->arena);
    free(p);
}
