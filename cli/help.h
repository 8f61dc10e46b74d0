/* Help on the terminal, man pages and shell completion: all made from cmd_table and its rows. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/cmd.h"
#include "core/base/strbuf.h"

/* Appends what `blkmatrix help` prints. Width 0 is 80 columns. */
void help_overview(struct strbuf *out, size_t width, bool colour);
/* Appends what `blkmatrix help COMMAND` prints. */
void help_command(struct strbuf *out, const struct cmd *cmd, size_t width, bool colour);

/* Appends a man page (roff, section 1): of a command, or of the program when cmd is NULL. */
void man_page(struct strbuf *out, const struct cmd *cmd);

enum shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH };
extern const char *const shell_names[]; /* bash zsh fish, NULL-terminated */
/* Appends the completion script of a shell. */
void completion_script(struct strbuf *out, enum shell shell);

/* Writes all man pages and completions below a folder, as the build installs them. */
int help_generate(const char *folder, struct error *err);

/* What each exit code means, in order; code -1 ends the table. */
struct exit_code {
    int code;
    const char *meaning;
};
extern const struct exit_code exit_codes[];

#endif
