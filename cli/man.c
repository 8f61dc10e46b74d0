/* Man pages from the command table, in the man(7) macros every man reads. */
#include <ctype.h>

#include "cli/help.h"

/* Text with roff's special characters made harmless. */
static void add_escaped(struct strbuf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\\')
            strbuf_adds(out, "\\e");
        else if (text[i] == '-')
            strbuf_adds(out, "\\-");
        else if ((text[i] == '.' || text[i] == '\'') && (i == 0 || text[i - 1] == '\n'))
            strbuf_addf(out, "\\&%c", text[i]);
        else
            strbuf_addc(out, text[i]);
    }
}

static void add_text(struct strbuf *out, const char *text)
{
    add_escaped(out, text, strlen(text));
}

/* Paragraphs; lines that begin with blanks stay as they are. */
static void add_paragraphs(struct strbuf *out, const char *text)
{
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        if (n == 0) {
            strbuf_adds(out, ".PP\n");
            continue;
        }
        if (*text == ' ')
            strbuf_adds(out, ".br\n");
        add_escaped(out, text, n);
        strbuf_addc(out, '\n');
    }
}

static void add_option(struct strbuf *out, const struct opt *row)
{
    strbuf_adds(out, ".TP\n");
    if (row->letter)
        strbuf_addf(out, "\\fB\\-%c\\fR, ", row->letter);
    strbuf_adds(out, "\\fB\\-\\-");
    add_text(out, row->name);
    strbuf_adds(out, "\\fR");
    if (row->arg) {
        strbuf_adds(out, " \\fI");
        add_text(out, row->arg);
        strbuf_adds(out, "\\fR");
    }
    strbuf_addc(out, '\n');
    struct strbuf text = STRBUF_INIT;
    opt_describe(&text, row);
    add_text(out, text.text);
    strbuf_release(&text);
    strbuf_addc(out, '\n');
}

static void add_options(struct strbuf *out, const struct opt *rows)
{
    const char *group = NULL;
    for (const struct opt *row = rows; row && row->name; row++) {
        if (row->group && (!group || strcmp(group, row->group) != 0)) {
            group = row->group;
            strbuf_adds(out, ".SS ");
            add_text(out, group);
            strbuf_addc(out, '\n');
        }
        add_option(out, row);
    }
}

static void add_examples(struct strbuf *out, const char *text)
{
    strbuf_adds(out, ".SH EXAMPLES\n");
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        size_t blanks = strspn(text, " ");
        if (blanks == 0) {
            strbuf_adds(out, ".TP\n\\fB");
            add_escaped(out, text, n);
            strbuf_adds(out, "\\fR\n");
        } else if (blanks < n) {
            add_escaped(out, text + blanks, n - blanks);
            strbuf_addc(out, '\n');
        }
    }
}

static void add_exit_codes(struct strbuf *out)
{
    strbuf_adds(out, ".SH EXIT STATUS\n");
    for (const struct exit_code *e = exit_codes; e->meaning; e++) {
        strbuf_addf(out, ".TP\n\\fB%d\\fR\n", e->code);
        add_text(out, e->meaning);
        strbuf_addc(out, '\n');
    }
}

static void add_environment(struct strbuf *out)
{
    static const struct {
        const char *name, *meaning;
    } variable[] = {
        {"BLKMATRIX_DB", "the result store, unless --db names one"},
        {"XDG_DATA_HOME", "else the store is blkmatrix/results.db below it"},
        {"NO_COLOR", "no colours, as --no-color"},
        {"BLKMATRIX_DATA",
         "folder of the sources: templates and schemas are read from there and not "
         "from the program (for work on them)"},
    };
    strbuf_adds(out, ".SH ENVIRONMENT\n");
    for (size_t i = 0; i < sizeof variable / sizeof variable[0]; i++) {
        strbuf_addf(out, ".TP\n\\fB%s\\fR\n", variable[i].name);
        add_text(out, variable[i].meaning);
        strbuf_addc(out, '\n');
    }
}

static void add_title(struct strbuf *out, const char *name, const char *summary)
{
    strbuf_adds(out, ".TH ");
    for (const char *p = name; *p; p++)
        strbuf_addf(out, "%c", toupper((unsigned char)*p));
    strbuf_addf(out, " 1 \"\" \"blkmatrix %s\" \"blkmatrix manual\"\n.SH NAME\n",
                BLKMATRIX_VERSION);
    add_text(out, name);
    strbuf_adds(out, " \\- ");
    add_text(out, summary);
    strbuf_addc(out, '\n');
}

static void program_page(struct strbuf *out)
{
    add_title(out, "blkmatrix", "measures block storage over a whole matrix");
    strbuf_adds(out, ".SH SYNOPSIS\n.B blkmatrix\n\\fICOMMAND\\fR [\\fIOPTION\\fR...]\n"
                     ".SH DESCRIPTION\n");
    add_paragraphs(out,
                   "Measures block storage over a matrix (block size x queue depth x pattern x "
                   "device), keeps every result in one SQLite file together with what is needed "
                   "to trust it later, and says in plain words what limits the storage.\n");
    strbuf_adds(out, ".SH COMMANDS\n");
    for (size_t i = 0; cmd_table[i]; i++) {
        strbuf_adds(out, ".TP\n\\fBblkmatrix\\-");
        add_text(out, cmd_table[i]->name);
        strbuf_adds(out, "\\fR(1)\n");
        add_text(out, cmd_table[i]->summary);
        strbuf_addc(out, '\n');
    }
    strbuf_adds(out, ".SH OPTIONS\n");
    add_options(out, common_opts);
    add_environment(out);
    add_exit_codes(out);
}

static void command_page(struct strbuf *out, const struct cmd *cmd)
{
    struct strbuf name = STRBUF_INIT;
    strbuf_addf(&name, "blkmatrix-%s", cmd->name);
    add_title(out, name.text, cmd->summary);
    strbuf_release(&name);
    strbuf_adds(out, ".SH SYNOPSIS\n\\fBblkmatrix ");
    add_text(out, cmd->name);
    strbuf_adds(out, "\\fR [\\fIOPTION\\fR...] ");
    add_text(out, cmd->usage);
    strbuf_adds(out, "\n.SH DESCRIPTION\n");
    add_paragraphs(out, cmd->description);
    strbuf_adds(out, ".SH OPTIONS\n");
    add_options(out, cmd->opts);
    add_options(out, common_opts);
    add_examples(out, cmd->examples);
    add_exit_codes(out);
    strbuf_adds(out, ".SH SEE ALSO\n\\fBblkmatrix\\fR(1)\n");
}

void man_page(struct strbuf *out, const struct cmd *cmd)
{
    if (cmd)
        command_page(out, cmd);
    else
        program_page(out);
}
