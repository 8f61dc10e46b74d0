/* The options every command has, and finding a command. */
#include "cli/cmd.h"
#include "cli/suggest.h"

static const char *const formats[] = {"table", "json", "csv", "md", "html", NULL};
const char *const progress_choices[] = {"auto", "never", "plain", "json", NULL};

const struct opt common_opts[] = {
    {.name = "db",
     .type = OPT_TEXT,
     .offset = offsetof(struct common_config, db),
     .arg = "FILE",
     .def = "($BLKMATRIX_DB, else $XDG_DATA_HOME/blkmatrix/results.db, else "
            "~/.local/share/blkmatrix/results.db)",
     .help = "the result store",
     .group = "Common options"},
    {.name = "format",
     .type = OPT_CHOICE,
     .offset = offsetof(struct common_config, format),
     .arg = "FORMAT",
     .def = "table",
     .choices = formats,
     .help = "how results are printed; html is for reports"},
    {.name = "progress",
     .type = OPT_CHOICE,
     .offset = offsetof(struct common_config, progress),
     .arg = "WHEN",
     .def = "auto",
     .choices = progress_choices,
     .help = "progress on stderr: auto is a live line on a terminal and plain lines elsewhere"},
    {.name = "quiet",
     .letter = 'q',
     .type = OPT_FLAG,
     .offset = offsetof(struct common_config, quiet),
     .help = "no progress and no remarks on stderr; errors still come"},
    {.name = "verbose",
     .letter = 'v',
     .type = OPT_TALLY,
     .offset = offsetof(struct common_config, verbose),
     .help = "say more on stderr about what is done; twice for even more"},
    {.name = "no-color",
     .alias = "no-colour",
     .type = OPT_FLAG,
     .offset = offsetof(struct common_config, no_color),
     .help = "no colours; the environment variable NO_COLOR does the same"},
    {.name = "help",
     .letter = 'h',
     .type = OPT_FLAG,
     .offset = offsetof(struct common_config, help),
     .help = "this text"},
    OPT_END};

const struct cmd *cmd_find(const char *name)
{
    for (size_t i = 0; cmd_table[i]; i++)
        if (strcmp(cmd_table[i]->name, name) == 0)
            return cmd_table[i];
    return NULL;
}

int cmd_unknown(const char *name, struct error *err)
{
    struct suggest near;
    suggest_init(&near, name);
    for (size_t i = 0; cmd_table[i]; i++)
        suggest_offer(&near, cmd_table[i]->name);
    int rc = error_set(err, ERR_USAGE, "there is no command \"%s\"", name);
    if (near.n)
        error_hint(err, "Did you mean \"%s\"?", near.best[0]);
    return rc;
}
