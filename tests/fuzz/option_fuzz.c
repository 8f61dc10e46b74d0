/*
 * Command lines as people and scripts may type them: words separated by newlines, parsed by the
 * options of every command. Must neither crash nor leak, and must say something when it refuses.
 */
#include <stdint.h>

#include "cli/cmd.h"
#include "core/base/xalloc.h"

#define MAX_WORDS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int split(char *text, char **word)
{
    int count = 0;
    char *save = NULL;
    for (char *w = strtok_r(text, "\n", &save); w && count < MAX_WORDS;
         w = strtok_r(NULL, "\n", &save))
        word[count++] = w;
    return count;
}

static void try_command(const struct cmd *cmd, int argc, char **argv)
{
    void *config = xcalloc(1, cmd->config_size + 1);
    if (cmd->config_init)
        memcpy(config, cmd->config_init, cmd->config_size);
    struct common_config common = {0};
    struct opt_set sets[] = {{cmd->opts, config, 0}, {common_opts, &common, 0}};
    const char **rest = NULL;
    size_t n_rest = 0;
    struct error err = ERROR_INIT;
    int rc = opt_parse(sets, 2, argc, argv, &rest, &n_rest, &err);
    if (rc < 0 ? rc != -ERR_USAGE || !err.message[0] : n_rest > (size_t)argc)
        abort();
    opt_release(sets, 2);
    free(rest);
    free(config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char *text = xstrndup((const char *)data, n);
    char *word[MAX_WORDS];
    int argc = split(text, word);
    for (size_t i = 0; cmd_table[i]; i++)
        try_command(cmd_table[i], argc, word);
    if (argc > 0) {
        struct error err = ERROR_INIT;
        if (!cmd_find(word[0]) && cmd_unknown(word[0], &err) != -ERR_USAGE)
            abort();
    }
    free(text);
    return 0;
}
