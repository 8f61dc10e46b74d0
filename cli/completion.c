/*
 * Completion scripts. The values an option takes follow from its row: choices by name, files and
 * folders by the name of the argument (PATH, FILE, DIR), names of the catalogue of limits likewise
 * (VM, DISK), otherwise nothing is offered.
 */
#include "cli/help.h"

enum offer { OFFER_NONE, OFFER_CHOICES, OFFER_FILES, OFFER_FOLDERS, OFFER_VMS, OFFER_DISKS };

/* The program itself lists names of the catalogue: the user's file is in it. */
#define NAMES(of) "blkmatrix limits names " of "2>/dev/null"

static enum offer row_offer(const struct opt *row)
{
    if (row->choices)
        return OFFER_CHOICES;
    if (!row->arg)
        return OFFER_NONE;
    if (strstr(row->arg, "PATH") || strstr(row->arg, "FILE"))
        return OFFER_FILES;
    if (strcmp(row->arg, "VM") == 0)
        return OFFER_VMS;
    if (strncmp(row->arg, "DISK", 4) == 0)
        return OFFER_DISKS;
    return strcmp(row->arg, "DIR") == 0 ? OFFER_FOLDERS : OFFER_NONE;
}

static bool takes_value(const struct opt *row)
{
    return row->type != OPT_FLAG && row->type != OPT_TALLY;
}

static void add_choices(struct strbuf *out, const struct opt *row)
{
    for (size_t i = 0; row->choices[i]; i++)
        strbuf_addf(out, "%s%s", i ? " " : "", row->choices[i]);
}

/* Text inside single quotes of a shell. */
static void add_quoted(struct strbuf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            strbuf_adds(out, "'\\''");
        else
            strbuf_addc(out, *text);
    }
}

/* ---- bash ---- */

static void bash_row(struct strbuf *out, const char *cmd, const struct opt *row)
{
    enum offer offer = row_offer(row);
    if (!takes_value(row))
        return;
    strbuf_addf(out, "    %s,--%s) ", cmd, row->name);
    if (offer == OFFER_CHOICES) {
        strbuf_adds(out, "COMPREPLY=($(compgen -W '");
        add_choices(out, row);
        strbuf_adds(out, "' -- \"$cur\")); ");
    } else if (offer == OFFER_FILES) {
        strbuf_adds(out, "COMPREPLY=($(compgen -f -- \"$cur\")); ");
    } else if (offer == OFFER_FOLDERS) {
        strbuf_adds(out, "COMPREPLY=($(compgen -d -- \"$cur\")); ");
    } else if (offer == OFFER_VMS) {
        strbuf_adds(out, "COMPREPLY=($(compgen -W \"$(" NAMES("vm ") ")\" -- \"$cur\")); ");
    } else if (offer == OFFER_DISKS) {
        strbuf_adds(out, "COMPREPLY=($(compgen -W \"$(" NAMES("disk ") ")\" -- \"$cur\")); ");
    }
    strbuf_adds(out, "return ;;\n");
}

static void bash_names(struct strbuf *out, const struct opt *rows)
{
    for (const struct opt *row = rows; row && row->name; row++)
        strbuf_addf(out, " --%s", row->name);
}

/* Finds the command, which common options may precede; before it, commands are offered. */
static void bash_find_command(struct strbuf *out)
{
    strbuf_adds(out, "# bash completion of blkmatrix\n_blkmatrix()\n{\n"
                     "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                     "    local cmd= word commands='");
    for (size_t i = 0; cmd_table[i]; i++)
        strbuf_addf(out, "%s%s", i ? " " : "", cmd_table[i]->name);
    strbuf_adds(out, "'\n"
                     "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
                     "        case \" $commands \" in *\" $word \"*) cmd=$word; break ;; esac\n"
                     "    done\n"
                     "    COMPREPLY=()\n"
                     "    case $cmd,$prev in\n");
}

/* The first word of a command with actions, and the name behind the one that takes one. */
static void bash_actions(struct strbuf *out, const struct cmd *cmd)
{
    if (!cmd->actions)
        return;
    if (cmd->of_limit)
        strbuf_addf(out,
                    "    %s,%s) COMPREPLY=($(compgen -W \"$(" NAMES("") ")\" -- \"$cur\")); "
                                                                        "return ;;\n",
                    cmd->name, cmd->of_limit);
    strbuf_addf(out,
                "    %s,%s) [ \"${cur#-}\" = \"$cur\" ] && "
                "COMPREPLY=($(compgen -W '%s' -- \"$cur\")) && return ;;\n",
                cmd->name, cmd->name, cmd->actions);
}

static void bash_script(struct strbuf *out)
{
    bash_find_command(out);
    for (size_t i = 0; cmd_table[i]; i++) {
        bash_actions(out, cmd_table[i]);
        for (const struct opt *row = cmd_table[i]->opts; row && row->name; row++)
            bash_row(out, cmd_table[i]->name, row);
    }
    for (const struct opt *row = common_opts; row->name; row++)
        bash_row(out, "*", row);
    strbuf_adds(out, "    esac\n    if [ -z \"$cmd\" ] && [ \"${cur#-}\" = \"$cur\" ]; then\n"
                     "        COMPREPLY=($(compgen -W \"$commands\" -- \"$cur\"))\n        return\n"
                     "    fi\n"
                     "    if [ \"${cur#-}\" = \"$cur\" ]; then\n"
                     "        COMPREPLY=($(compgen -f -- \"$cur\"))\n        return\n    fi\n"
                     "    local names=\"");
    bash_names(out, common_opts);
    strbuf_adds(out, "\"\n    case $cmd in\n");
    for (size_t i = 0; cmd_table[i]; i++) {
        strbuf_addf(out, "    %s) names=\"$names", cmd_table[i]->name);
        bash_names(out, cmd_table[i]->opts);
        strbuf_adds(out, "\" ;;\n");
    }
    strbuf_adds(out, "    esac\n    COMPREPLY=($(compgen -W \"$names\" -- \"$cur\"))\n}\n"
                     "complete -o filenames -o bashdefault -F _blkmatrix blkmatrix\n");
}

/* ---- zsh ---- */

/* Text of a description inside '...[...]' of _arguments. */
static void zsh_text(struct strbuf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            strbuf_adds(out, "'\\''");
        else if (strchr("[]:\\", *text))
            strbuf_addf(out, "\\%c", *text);
        else if (*text == '\n')
            strbuf_addc(out, ' ');
        else
            strbuf_addc(out, *text);
    }
}

#define ZSH_NAMES(of) "{compadd -- ${(f)\"$(" NAMES(of) ")\"}}"

static void zsh_row(struct strbuf *out, const struct opt *row)
{
    bool many = row->type == OPT_LIST || row->type == OPT_TALLY || row->type == OPT_CHOICES;
    strbuf_addf(out, "            '%s--%s%s[", many ? "*" : "", row->name,
                takes_value(row) ? "=" : "");
    zsh_text(out, row->help);
    strbuf_addc(out, ']');
    if (takes_value(row)) {
        strbuf_addc(out, ':');
        zsh_text(out, row->arg ? row->arg : "VALUE");
        strbuf_addc(out, ':');
        if (row_offer(row) == OFFER_CHOICES) {
            strbuf_addc(out, '(');
            add_choices(out, row);
            strbuf_addc(out, ')');
        } else if (row_offer(row) == OFFER_FILES) {
            strbuf_adds(out, "_files");
        } else if (row_offer(row) == OFFER_FOLDERS) {
            strbuf_adds(out, "_files -/");
        } else if (row_offer(row) == OFFER_VMS) {
            strbuf_adds(out, ZSH_NAMES("vm "));
        } else if (row_offer(row) == OFFER_DISKS) {
            strbuf_adds(out, ZSH_NAMES("disk "));
        }
    }
    strbuf_adds(out, "' \\\n");
}

/* The words that are no options. */
static void zsh_words(struct strbuf *out, const struct cmd *cmd)
{
    if (cmd->actions)
        strbuf_addf(out, "            '1:action:(%s)' \\\n", cmd->actions);
    if (cmd->of_limit)
        strbuf_adds(out, "            '2:name:" ZSH_NAMES("") "' \\\n");
    strbuf_adds(out, "            '*:file:_files'\n        ;;\n");
}

static void zsh_script(struct strbuf *out)
{
    strbuf_adds(out,
                "#compdef blkmatrix\n_blkmatrix()\n{\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; cmd_table[i]; i++) {
        strbuf_addf(out, "        '%s:", cmd_table[i]->name);
        zsh_text(out, cmd_table[i]->summary);
        strbuf_adds(out, "'\n");
    }
    strbuf_adds(out, "    )\n    if (( CURRENT == 2 )); then\n"
                     "        _describe command commands\n        return\n    fi\n"
                     "    local cmd=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
                     "    case $cmd in\n");
    for (size_t i = 0; cmd_table[i]; i++) {
        strbuf_addf(out, "    %s)\n        _arguments -s \\\n", cmd_table[i]->name);
        for (const struct opt *row = cmd_table[i]->opts; row && row->name; row++)
            zsh_row(out, row);
        for (const struct opt *row = common_opts; row->name; row++)
            zsh_row(out, row);
        zsh_words(out, cmd_table[i]);
    }
    strbuf_adds(out, "    esac\n}\n_blkmatrix \"$@\"\n");
}

/* ---- fish ---- */

static void fish_row(struct strbuf *out, const char *cmd, const struct opt *row)
{
    strbuf_adds(out, "complete -c blkmatrix");
    if (cmd)
        strbuf_addf(out, " -n '__fish_seen_subcommand_from %s'", cmd);
    if (row->letter)
        strbuf_addf(out, " -s %c", row->letter);
    strbuf_addf(out, " -l %s", row->name);
    if (takes_value(row) && row_offer(row) == OFFER_CHOICES) {
        strbuf_adds(out, " -x -a '");
        add_choices(out, row);
        strbuf_addc(out, '\'');
    } else if (row_offer(row) == OFFER_VMS) {
        strbuf_adds(out, " -x -a '(" NAMES("vm ") ")'");
    } else if (row_offer(row) == OFFER_DISKS) {
        strbuf_adds(out, " -x -a '(" NAMES("disk ") ")'");
    } else if (takes_value(row)) {
        strbuf_adds(out, row_offer(row) == OFFER_NONE ? " -x" : " -r -F");
    }
    strbuf_adds(out, " -d '");
    add_quoted(out, row->help);
    strbuf_adds(out, "'\n");
}

static void fish_actions(struct strbuf *out, const struct cmd *cmd)
{
    static const char rule[] =
        "complete -c blkmatrix -n '__fish_seen_subcommand_from %s%s%s' -f -a '%s'\n";
    if (cmd->actions)
        strbuf_addf(out, rule, cmd->name, "; and not __fish_seen_subcommand_from ", cmd->actions,
                    cmd->actions);
    if (cmd->of_limit)
        strbuf_addf(out, rule, cmd->name, "; and __fish_seen_subcommand_from ", cmd->of_limit,
                    "(" NAMES("") ")");
}

static void fish_script(struct strbuf *out)
{
    strbuf_adds(out, "# fish completion of blkmatrix\n");
    for (size_t i = 0; cmd_table[i]; i++) {
        strbuf_addf(out, "complete -c blkmatrix -n __fish_use_subcommand -f -a %s -d '",
                    cmd_table[i]->name);
        add_quoted(out, cmd_table[i]->summary);
        strbuf_adds(out, "'\n");
    }
    for (size_t i = 0; cmd_table[i]; i++) {
        fish_actions(out, cmd_table[i]);
        for (const struct opt *row = cmd_table[i]->opts; row && row->name; row++)
            fish_row(out, cmd_table[i]->name, row);
    }
    for (const struct opt *row = common_opts; row->name; row++)
        fish_row(out, NULL, row);
}

void completion_script(struct strbuf *out, enum shell shell)
{
    if (shell == SHELL_BASH)
        bash_script(out);
    else if (shell == SHELL_ZSH)
        zsh_script(out);
    else
        fish_script(out);
}
