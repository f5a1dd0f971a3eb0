/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_COMMAND_H
#define MLV_CLI_COMMAND_H
/*
 * A command is one const struct in its own file cmd_NAME.c, listed in
 * command_table.c. main.c prepares its state (zeroed, the common options at
 * their defaults, then `defaults`), parses the options and runs it; help and
 * man pages come from the same struct.
 */
#include <stddef.h>

#include "cli/option.h"

struct mlv_command {
	const char *name;
	const char *summary;  /* one line, without a full stop */
	const char *usage;    /* "mlviz timeline [options] FILE..." */
	const char *details;  /* paragraphs, separated by "\n\n"; wrapped when printed */
	const char *examples; /* lines, printed as they are, two blanks further in */
	const struct mlv_option *options;
	size_t state_size;
	void (*defaults)(void *state); /* may be NULL */
	size_t common_offset;          /* of struct mlv_common in the state */
	int min_args, max_args;        /* operands; -1 = any number */
	/* Returns the exit code. argv holds the operands only. */
	int (*run)(void *state, int argc, char **argv);
};

extern const struct mlv_command mlv_cmd_info;
extern const struct mlv_command mlv_cmd_timeline;
extern const struct mlv_command mlv_cmd_classify;
extern const struct mlv_command mlv_cmd_diff;
extern const struct mlv_command mlv_cmd_replay;
extern const struct mlv_command mlv_cmd_hang;
extern const struct mlv_command mlv_cmd_top;
extern const struct mlv_command mlv_cmd_show;
extern const struct mlv_command mlv_cmd_flame;
extern const struct mlv_command mlv_cmd_export;
extern const struct mlv_command mlv_cmd_report;
extern const struct mlv_command mlv_cmd_explain;
extern const struct mlv_command mlv_cmd_formats;
extern const struct mlv_command mlv_cmd_help;

/* All of them, in the order of help; ends with NULL. */
extern const struct mlv_command *const mlv_commands[];

/* NULL when there is none of that name. */
const struct mlv_command *mlv_command_find(const char *name);

#endif
