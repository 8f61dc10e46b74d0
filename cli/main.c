/*
 * From the command line to a command and back to an exit code. The commands are in commands.c; this
 * file knows none of them.
 */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/terminal.h"
#include "core/base/log.h"
#include "core/base/xalloc.h"

static void use_utf8(void)
{
    /* only the character type: numbers are read and written the same everywhere */
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        setlocale(LC_CTYPE, "C.UTF-8");
}

static void fill_context(struct cmd_ctx *ctx, const struct common_config *common,
                         const struct opt_set *common_set)
{
    ctx->html = common->format == FORMAT_HTML;
    ctx->format = ctx->html ? OUT_TABLE : (enum output_format)common->format;
    ctx->format_given = opt_given(common_opts, common_set->given, "format");
    ctx->quiet = common->quiet;
    ctx->verbose = common->verbose;
    ctx->colour = !common->no_color && terminal_has_colour(STDOUT_FILENO);
    ctx->colour_err = !common->no_color && terminal_has_colour(STDERR_FILENO);
    ctx->width = terminal_columns(STDOUT_FILENO);
    ctx->progress = progress_choices[common->progress];
}

/* What can only change a store must not make an empty one. */
static enum store_mode mode_for(enum cmd_need need, const char *path)
{
    bool read = need == NEED_STORE_READ || (need == NEED_STORE_EDIT && access(path, F_OK) != 0);
    return read ? STORE_READ : STORE_WRITE;
}

static int run_command(struct cmd_ctx *ctx, const struct cmd *cmd, void *config, const char *db,
                       const char **rest, size_t n_rest, struct error *err)
{
    char *default_path = db ? NULL : store_default_path();
    ctx->db_path = db ? db : default_path;
    int rc = 0;
    if (cmd->needs != NEED_NOTHING)
        rc = store_open(&ctx->store, ctx->db_path, mode_for(cmd->needs, ctx->db_path), err);
    if (rc == 0)
        rc = cmd->run(ctx, config, rest, n_rest, err);
    store_close(ctx->store);
    free(default_path);
    return rc;
}

/* argv[0] is the first word after the command's name. */
static int parse_and_run(struct cmd_ctx *ctx, const struct cmd *cmd, struct opt_set *common_set,
                         int argc, char **argv, struct error *err)
{
    struct common_config *common = common_set->config;
    void *config = xcalloc(1, cmd->config_size ? cmd->config_size : 1);
    if (cmd->config_init)
        memcpy(config, cmd->config_init, cmd->config_size);
    struct opt_set sets[] = {{cmd->opts, config, 0}, *common_set};
    const char **rest = NULL;
    size_t n_rest = 0;
    int rc = opt_parse(sets, 2, argc, argv, &rest, &n_rest, err);
    *common_set = sets[1];
    if (rc == 0) {
        log_set_level(common->verbose);
        fill_context(ctx, common, common_set);
        ctx->given = sets[0].given;
    }
    if (rc == 0 && common->help) {
        struct strbuf out = STRBUF_INIT;
        help_command(&out, cmd, ctx->width, ctx->colour);
        fputs(out.text, stdout);
        strbuf_release(&out);
    } else if (rc == 0 && ctx->html && !cmd->has_html) {
        rc = error_set(err, ERR_USAGE,
                       "%s has no --format html: choose table, json, csv or md; \"blkmatrix "
                       "report\" writes HTML",
                       cmd->name);
    } else if (rc == 0) {
        rc = run_command(ctx, cmd, config, common->db, rest, n_rest, err);
    }
    free(rest);
    opt_release(sets, 2);
    free(config);
    return rc;
}

/* Finds the command behind leading common options. *cmd stays NULL when only the program is asked for. */
static int find_command(struct opt_set *common_set, int *argc, char ***argv, const struct cmd **cmd,
                        struct error *err)
{
    int used = 0;
    int rc = opt_parse_leading(common_set, 1, *argc, *argv, &used, err);
    if (rc < 0)
        return rc;
    *argc -= used;
    *argv += used;
    if (*argc == 0)
        return 0;
    *cmd = cmd_find((*argv)[0]);
    if (!*cmd)
        return cmd_unknown((*argv)[0], err);
    (*argc)--;
    (*argv)++;
    return 0;
}

static int no_command(const struct common_config *common, struct error *err)
{
    if (!common->help)
        return error_set(err, ERR_USAGE, "which command?");
    struct strbuf out = STRBUF_INIT;
    help_overview(&out, terminal_columns(STDOUT_FILENO),
                  !common->no_color && terminal_has_colour(STDOUT_FILENO));
    fputs(out.text, stdout);
    strbuf_release(&out);
    return 0;
}

/* What was printed must have arrived; a reader that went away (a pager, head) is no failure. */
static int flush_results(struct error *err)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    if (errno == EPIPE)
        return 0;
    return error_errno(err, ERR_DEVICE, errno, "cannot write the results to the standard output");
}

static void print_error(const struct error *err, const struct cmd *cmd)
{
    bool about = cmd && strcmp(cmd->name, "help") != 0; /* not "help help" */
    bool colour = terminal_has_colour(STDERR_FILENO);
    fprintf(stderr, "%sblkmatrix:%s %s\n", colour ? "\033[31m" : "", colour ? "\033[0m" : "",
            err->message);
    if (err->code == ERR_USAGE)
        fprintf(stderr, "See: blkmatrix help%s%s\n", about ? " " : "", about ? cmd->name : "");
}

int main(int argc, char **argv)
{
    use_utf8();
    if (argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
        printf("blkmatrix %s\n", BLKMATRIX_VERSION);
        return fflush(stdout) == 0 ? 0 : ERR_DEVICE;
    }
    struct error err = ERROR_INIT;
    struct common_config common = {0};
    struct opt_set common_set = {common_opts, &common, 0};
    struct cmd_ctx ctx = {.argc = argc, .argv = argv};
    const struct cmd *cmd = NULL;
    int n = argc - 1;
    char **words = argv + 1;
    int rc = find_command(&common_set, &n, &words, &cmd, &err);
    if (rc == 0)
        rc =
            cmd ? parse_and_run(&ctx, cmd, &common_set, n, words, &err) : no_command(&common, &err);
    if (rc == 0)
        rc = flush_results(&err);
    else
        fflush(stdout);
    if (rc < 0 && err.message[0])
        print_error(&err, cmd);
    return rc < 0 ? -rc : 0;
}
