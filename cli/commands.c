/*
 * The commands, in the order of `blkmatrix help`. A new one: its file, its two rows here, its line
 * in CMakeLists.txt.
 */
#include "cli/cmd.h"

extern const struct cmd cmd_devices;
extern const struct cmd cmd_help;
extern const struct cmd cmd_list;
extern const struct cmd cmd_show;
extern const struct cmd cmd_sweep;

/* clang-format off */
const struct cmd *const cmd_table[] = {
    &cmd_devices,
    &cmd_sweep,
    &cmd_list,
    &cmd_show,
    &cmd_help,
    NULL,
};
/* clang-format on */
