/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/help.h"
#include "cli/output.h"

struct state {
	struct mlv_common common;
};

static const struct mlv_option options[] = {
	MLV_OUTPUT_OPTIONS(struct state, common),
	MLV_OPT_END,
};

static int run(void *opaque, int argc, char **argv)
{
	const struct state *st = opaque;
	const struct mlv_command *cmd = argc ? mlv_command_find(argv[0]) : NULL;
	struct mlv_buf b = { 0 };
	if (argc && !cmd) {
		struct mlv_err err = MLV_ERR_INIT;
		enum mlv_rc rc = mlv_help_unknown(argv[0], &err);
		mlv_report_error(&err);
		return mlv_exit_of(rc);
	}
	if (st->common.json)
		mlv_help_json(&b, cmd);
	else if (cmd)
		mlv_help_command(&b, cmd);
	else
		mlv_help_main(&b);
	return mlv_command_end(st->common.output, &b, MLV_EXIT_OK);
}

const struct mlv_command mlv_cmd_help = {
	.name = "help",
	.summary = "show this overview, or all about one command",
	.usage = "mlviz help [options] [COMMAND]",
	.details = "Prints what a command does, its options and examples. Without COMMAND: all "
		   "commands, the exit codes and the environment variables that are heeded.",
	.examples = "mlviz help timeline\n"
		    "mlviz help --json",
	.options = options,
	.state_size = sizeof(struct state),
	.common_offset = offsetof(struct state, common),
	.max_args = 1,
	.run = run,
};
