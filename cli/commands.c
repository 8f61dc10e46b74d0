/* The commands, in the order of `blkmatrix help`. A new one: its file, its row here, its line in CMakeLists.txt. */
#include "cli/help.h"

const struct cmd *const cmd_table[] = {
    &cmd_help,
    NULL,
};
