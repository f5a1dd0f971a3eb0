/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <string.h>

/* clang-format off */
const struct mlv_command *const mlv_commands[] = {
	&mlv_cmd_info,
	&mlv_cmd_timeline,
	&mlv_cmd_diff,
	&mlv_cmd_classify,
	&mlv_cmd_replay,
	&mlv_cmd_hang,
	&mlv_cmd_top,
	&mlv_cmd_show,
	&mlv_cmd_report,
	&mlv_cmd_flame,
	&mlv_cmd_export,
	&mlv_cmd_explain,
	&mlv_cmd_formats,
	&mlv_cmd_help,
	NULL,
};
/* clang-format on */

const struct mlv_command *mlv_command_find(const char *name)
{
	for (const struct mlv_command *const *c = mlv_commands; *c; c++) {
		if (strcmp((*c)->name, name) == 0)
			return *c;
	}
	return NULL;
}
