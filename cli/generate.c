/* Man pages and completion scripts as files, for the build to install. */
#include <errno.h>
#include <sys/stat.h>

#include "cli/help.h"
#include "core/base/xalloc.h"

static int make_folder(const char *path, struct error *err)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return 0;
    return error_errno(err, ERR_USAGE, errno, "cannot make the folder %s", path);
}

static int write_file(const char *path, const struct strbuf *text, struct error *err)
{
    FILE *f = fopen(path, "we");
    if (!f)
        return error_errno(err, ERR_USAGE, errno, "cannot write %s", path);
    size_t written = fwrite(text->text, 1, text->len, f);
    if (fclose(f) != 0 || written != text->len)
        return error_errno(err, ERR_USAGE, errno, "cannot write %s", path);
    return 0;
}

static int write_man(const char *folder, const struct cmd *cmd, struct error *err)
{
    char *path = xasprintf("%s/man1/blkmatrix%s%s.1", folder, cmd ? "-" : "", cmd ? cmd->name : "");
    struct strbuf text = STRBUF_INIT;
    man_page(&text, cmd);
    int rc = write_file(path, &text, err);
    strbuf_release(&text);
    free(path);
    return rc;
}

static int write_completion(const char *folder, enum shell shell, struct error *err)
{
    /* the names under which each shell looks for them */
    static const char *const file[] = {"blkmatrix", "_blkmatrix", "blkmatrix.fish"};
    char *dir = xasprintf("%s/%s", folder, shell_names[shell]);
    char *path = xasprintf("%s/%s", dir, file[shell]);
    struct strbuf text = STRBUF_INIT;
    completion_script(&text, shell);
    int rc = make_folder(dir, err);
    if (rc == 0)
        rc = write_file(path, &text, err);
    strbuf_release(&text);
    free(path);
    free(dir);
    return rc;
}

int help_generate(const char *folder, struct error *err)
{
    char *man = xasprintf("%s/man1", folder);
    int rc = make_folder(folder, err);
    if (rc == 0)
        rc = make_folder(man, err);
    free(man);
    if (rc == 0)
        rc = write_man(folder, NULL, err);
    for (size_t i = 0; rc == 0 && cmd_table[i]; i++)
        rc = write_man(folder, cmd_table[i], err);
    for (int shell = SHELL_BASH; rc == 0 && shell <= SHELL_FISH; shell++)
        rc = write_completion(folder, (enum shell)shell, err);
    return rc;
}
