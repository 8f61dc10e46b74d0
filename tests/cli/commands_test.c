/* Every command and option is documented, and what the documentation shows works. */
#include <ctype.h>

#include <criterion/criterion.h>

#include "cli/help.h"
#include "core/base/xalloc.h"

static void check_row(const char *cmd, const struct opt *row)
{
    const char *at = xasprintf("%s --%s", cmd, row->name);
    cr_assert(row->help && *row->help, "%s has no help", at);
    cr_assert(islower((unsigned char)row->help[0]) || !isalpha((unsigned char)row->help[1]) ||
                  isupper((unsigned char)row->help[1]),
              "%s: help begins like a sentence: %s", at, row->help);
    cr_assert_neq(row->help[strlen(row->help) - 1], '.', "%s: help ends with a full stop", at);
    for (const char *p = row->name; *p; p++)
        cr_assert(islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '-',
                  "%s: names are lower case with hyphens", at);
    bool flag = row->type == OPT_FLAG || row->type == OPT_TALLY;
    cr_assert_eq(row->arg == NULL, flag, "%s: %s", at,
                 flag ? "a flag has no value" : "the value has no name");
    cr_assert_eq(row->choices != NULL, row->type == OPT_CHOICE || row->type == OPT_CHOICES,
                 "%s: choices", at);
    free((void *)at);
}

static bool names_clash(const struct opt *a, const struct opt *b)
{
    return strcmp(a->name, b->name) == 0 || (a->letter && a->letter == b->letter);
}

static size_t check_rows(const char *cmd, const struct opt *rows)
{
    size_t n = 0;
    for (; rows && rows[n].name; n++) {
        check_row(cmd, &rows[n]);
        for (size_t i = 0; i < n; i++)
            cr_assert_not(names_clash(&rows[i], &rows[n]), "%s: --%s and --%s clash", cmd,
                          rows[i].name, rows[n].name);
        for (const struct opt *common = common_opts; rows != common_opts && common->name; common++)
            cr_assert_not(names_clash(common, &rows[n]), "%s --%s hides a common option", cmd,
                          rows[n].name);
    }
    cr_assert_leq(n, OPT_MAX_ROWS, "%s has too many options", cmd);
    return n;
}

Test(commands, are_documented)
{
    check_rows("common", common_opts);
    for (size_t i = 0; cmd_table[i]; i++) {
        const struct cmd *c = cmd_table[i];
        cr_assert(c->name && c->summary && c->group && c->usage && c->description && c->examples,
                  "command %zu (%s) lacks a text", i, c->name ? c->name : "?");
        cr_assert_neq(c->summary[strlen(c->summary) - 1], '.', "%s: summary", c->name);
        cr_assert(c->run, "%s does nothing", c->name);
        cr_assert_lt(strlen(c->name), 12);
        check_rows(c->name, c->opts);
    }
}

/* Splits a command line at blanks; the examples need no quotes. */
static int split(char *line, char **word, int room)
{
    int n = 0;
    for (char *save = NULL, *w = strtok_r(line, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        cr_assert_lt(n, room);
        word[n++] = w;
    }
    return n;
}

static void check_example(const struct cmd *own, const char *text, size_t n)
{
    char *line = xstrndup(text, n), *words[64];
    /* what follows a pipe or && is the shell's */
    char *end = strpbrk(line, "|&;>");
    if (end)
        *end = 0;
    int argc = split(line, words, 64);
    cr_assert_geq(argc, 2, "%s: example is no command: %.*s", own->name, (int)n, text);
    const struct cmd *c = cmd_find(words[1]);
    cr_assert(c, "%s: example of unknown command: %.*s", own->name, (int)n, text);
    struct common_config common = {0};
    void *config = xcalloc(1, c->config_size + 1);
    if (c->config_init)
        memcpy(config, c->config_init, c->config_size);
    struct opt_set sets[] = {{c->opts, config, 0}, {common_opts, &common, 0}};
    const char **rest = NULL;
    size_t n_rest;
    struct error err = ERROR_INIT;
    cr_assert_eq(opt_parse(sets, 2, argc - 2, words + 2, &rest, &n_rest, &err), 0,
                 "%s: example \"%.*s\": %s", own->name, (int)n, text, err.message);
    opt_release(sets, 2);
    free(rest);
    free(config);
    free(line);
}

Test(commands, examples_parse_and_are_explained)
{
    for (size_t i = 0; cmd_table[i]; i++) {
        size_t commands = 0, words = 0;
        const char *p = cmd_table[i]->examples;
        for (size_t n; *p; p += n + (p[n] == '\n')) {
            n = strcspn(p, "\n");
            if (strncmp(p, "blkmatrix ", 10) == 0) {
                check_example(cmd_table[i], p, n);
                commands++;
            } else if (*p == ' ') {
                words++;
            }
        }
        cr_assert_gt(commands, 0, "%s has no example", cmd_table[i]->name);
        cr_assert_geq(words, commands, "%s: an example is not explained", cmd_table[i]->name);
    }
}

/* Every option must be in the help, the man page and each completion script. */
static void must_have(const struct strbuf *text, const char *what, const char *cmd,
                      const struct opt *rows, bool roff)
{
    for (; rows && rows->name; rows++) {
        struct strbuf name = STRBUF_INIT;
        for (const char *p = rows->name; *p; p++) {
            if (roff && *p == '-')
                strbuf_addc(&name, '\\');
            strbuf_addc(&name, *p);
        }
        cr_assert(strstr(text->text, name.text), "--%s of %s is not in the %s", rows->name, cmd,
                  what);
        strbuf_release(&name);
    }
}

Test(commands, every_option_is_in_help_man_and_completion)
{
    struct strbuf scripts[3] = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT};
    for (int s = 0; s < 3; s++)
        completion_script(&scripts[s], (enum shell)s);
    for (size_t i = 0; cmd_table[i]; i++) {
        const struct cmd *c = cmd_table[i];
        struct strbuf help = STRBUF_INIT, man = STRBUF_INIT;
        help_command(&help, c, 80, false);
        man_page(&man, c);
        must_have(&help, "help", c->name, c->opts, false);
        must_have(&help, "help", c->name, common_opts, false);
        must_have(&man, "man page", c->name, c->opts, true);
        must_have(&man, "man page", c->name, common_opts, true);
        for (int s = 0; s < 3; s++)
            must_have(&scripts[s], shell_names[s], c->name, c->opts, false);
        strbuf_release(&help);
        strbuf_release(&man);
    }
    for (int s = 0; s < 3; s++)
        strbuf_release(&scripts[s]);
}
