#include "cli/help.h"

#include "cli/wrap.h"
#include "core/base/xalloc.h"

const struct exit_code exit_codes[] = {
    {0, "done"},
    {2, "wrong usage"},
    {3, "refused for the safety of data"},
    {4, "the device or the host failed; what was measured is kept and marked"},
    {5, "an input file is bad"},
    {6, "the result store failed"},
    {130, "interrupted; finished cells are kept and the run can be resumed"},
    {-1, NULL},
};

static void heading(struct strbuf *out, const char *text, bool colour)
{
    strbuf_addf(out, "\n%s%s:%s\n", colour ? "\033[1m" : "", text, colour ? "\033[0m" : "");
}

/* The commands of the group that cmd_table[first] begins. */
static void group_commands(struct strbuf *out, size_t first, size_t width)
{
    for (size_t i = first; cmd_table[i]; i++) {
        if (strcmp(cmd_table[i]->group, cmd_table[first]->group) != 0)
            continue;
        strbuf_addf(out, "  %-10s", cmd_table[i]->name);
        wrap_text(out, cmd_table[i]->summary, 14, 12, width);
    }
}

static bool group_is_new(size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(cmd_table[i]->group, cmd_table[at]->group) == 0)
            return false;
    return true;
}

void help_overview(struct strbuf *out, size_t width, bool colour)
{
    wrap_text(
        out,
        "blkmatrix measures block storage over a matrix (block size x queue depth x pattern x "
        "device), keeps every result in one SQLite file, and says what limits the storage.",
        0, 0, width);
    strbuf_adds(out, "\nUsage: blkmatrix COMMAND [OPTION...]\n");
    for (size_t i = 0; cmd_table[i]; i++) {
        if (!group_is_new(i))
            continue;
        heading(out, cmd_table[i]->group, colour);
        group_commands(out, i, width);
    }
    opt_help(out, common_opts, width, colour);
    strbuf_addc(out, '\n');
    wrap_text(
        out,
        "\"blkmatrix help COMMAND\" says more; \"blkmatrix --version\" says which one this is.", 0,
        0, width);
}

void help_command(struct strbuf *out, const struct cmd *cmd, size_t width, bool colour)
{
    char *usage = xasprintf("Usage: blkmatrix %s [OPTION...]%s%s", cmd->name,
                            *cmd->usage ? " " : "", cmd->usage);
    wrap_text(out, usage, 0, 0, width);
    free(usage);
    strbuf_addc(out, '\n');
    wrap_text(out, cmd->description, 0, 0, width);
    opt_help(out, cmd->opts, width, colour);
    opt_help(out, common_opts, width, colour);
    heading(out, "Examples", colour);
    wrap_text(out, cmd->examples, 2, 0, width);
}

struct help_config {
    bool man;
    int completion;
    const char *generate;
};

const char *const shell_names[] = {"bash", "zsh", "fish", NULL};

static const struct opt help_opts[] = {
    {.name = "man",
     .type = OPT_FLAG,
     .offset = offsetof(struct help_config, man),
     .help = "print the man page (roff) of the command, or of the program"},
    {.name = "completion",
     .type = OPT_CHOICE,
     .offset = offsetof(struct help_config, completion),
     .arg = "SHELL",
     .choices = shell_names,
     .help = "print the completion script of a shell"},
    {.name = "generate",
     .type = OPT_TEXT,
     .offset = offsetof(struct help_config, generate),
     .arg = "DIR",
     .help = "write all man pages and completion scripts below DIR, as the build installs them"},
    OPT_END};

static const struct help_config help_init = {.completion = -1};

static int help_run(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                    struct error *err)
{
    const struct help_config *h = config;
    if (h->generate)
        return help_generate(h->generate, err);
    if (n_rest > 1)
        return error_set(err, ERR_USAGE, "help takes one command, not %zu", n_rest);
    const struct cmd *cmd = n_rest ? cmd_find(rest[0]) : NULL;
    if (n_rest && !cmd)
        return cmd_unknown(rest[0], err);
    struct strbuf out = STRBUF_INIT;
    if (h->completion >= 0)
        completion_script(&out, (enum shell)h->completion);
    else if (h->man)
        man_page(&out, cmd);
    else if (cmd)
        help_command(&out, cmd, ctx->width, ctx->colour);
    else
        help_overview(&out, ctx->width, ctx->colour);
    fputs(out.text, stdout);
    strbuf_release(&out);
    return 0;
}

const struct cmd cmd_help = {
    .name = "help",
    .summary = "explains a command; man pages and shell completion",
    .group = "About",
    .usage = "[COMMAND]",
    .description = "Explains the program, or one command with all its options and examples.",
    .examples = "blkmatrix help sweep\n"
                "    the options of sweep\n"
                "blkmatrix help --completion bash\n"
                "    completion for this shell: source <(blkmatrix help --completion bash)\n",
    .opts = help_opts,
    .config_size = sizeof(struct help_config),
    .config_init = &help_init,
    .needs = NEED_NOTHING,
    .run = help_run,
};
