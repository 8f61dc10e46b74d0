/*
 * The commands, in the order of `blkmatrix help`. A new one: its file, its two rows here, its line
 * in CMakeLists.txt.
 */
#include "cli/cmd.h"

extern const struct cmd cmd_delete;
extern const struct cmd cmd_devices;
extern const struct cmd cmd_diagnose;
extern const struct cmd cmd_export;
extern const struct cmd cmd_help;
extern const struct cmd cmd_import;
extern const struct cmd cmd_label;
extern const struct cmd cmd_limits;
extern const struct cmd cmd_list;
extern const struct cmd cmd_merge;
extern const struct cmd cmd_plot;
extern const struct cmd cmd_report;
extern const struct cmd cmd_run;
extern const struct cmd cmd_show;
extern const struct cmd cmd_sweep;
extern const struct cmd cmd_verify;

/* clang-format off */
const struct cmd *const cmd_table[] = {
    &cmd_devices,
    &cmd_sweep,
    &cmd_run,
    &cmd_import,
    &cmd_diagnose,
    &cmd_report,
    &cmd_plot,
    &cmd_list,
    &cmd_show,
    &cmd_limits,
    &cmd_export,
    &cmd_merge,
    &cmd_label,
    &cmd_delete,
    &cmd_verify,
    &cmd_help,
    NULL,
};
/* clang-format on */
