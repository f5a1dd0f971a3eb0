/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_HELP_H
#define MLV_CLI_HELP_H
/* Help, made from the tables of commands, options and exit codes; wrapped at 80 columns. */
#include "base/buf.h"
#include "cli/command.h"

/* For `mlviz` alone: what it is, two examples, the commands. */
void mlv_help_short(struct mlv_buf *b);
/* `mlviz help` and `mlviz --help`. */
void mlv_help_main(struct mlv_buf *b);
/* `mlviz help CMD` and `mlviz CMD --help`. */
void mlv_help_command(struct mlv_buf *b, const struct mlv_command *cmd);

/* The same as JSON, "mlviz.help/1": all commands, or the one that is not NULL. */
void mlv_help_json(struct mlv_buf *b, const struct mlv_command *only);

/* "unknown command 'x'; did you mean 'y'?" as MLV_E_USAGE. */
enum mlv_rc mlv_help_unknown(const char *name, struct mlv_err *err);

#endif
