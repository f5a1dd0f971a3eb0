/* SPDX-License-Identifier: MIT */
/*
 * The command line from argv to a command's run(): which command, its
 * options, its help. Everything else is the commands' business.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/exit.h"
#include "cli/help.h"
#include "cli/output.h"

/* ---- the process ----------------------------------------------------- */

static void on_stop(int signal)
{
	mlv_output_discard();
	if (signal == SIGINT)
		_exit(MLV_EXIT_INTERRUPTED);
	raise(signal); /* SA_RESETHAND: now it ends the process as if it had not been caught */
}

/* A page of a mapped input that is no longer behind the file. Any other SIGBUS is a mistake of ours
 * and ends the process as usual. */
static void on_bus(int signal, siginfo_t *info, void *context)
{
	(void)context;
	static const char text[] = "mlviz: error: the input changed while it was being read\n";
	mlv_output_discard();
	if (info->si_code == BUS_ADRERR) {
		ssize_t ignored = write(STDERR_FILENO, text, sizeof(text) - 1);
		(void)ignored;
		_exit(MLV_EXIT_INPUT);
	}
	raise(signal);
}

static void set_signals(void)
{
	signal(SIGPIPE, SIG_IGN); /* a write error says it too, and can be reported */
	signal(SIGXFSZ, SIG_IGN);

	static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++) {
		struct sigaction was,
			now = { .sa_handler = on_stop, .sa_flags = (int)SA_RESETHAND };
		/* What nohup or a shell's background job ignores stays ignored. */
		if (sigaction(stops[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
			sigaction(stops[i], &now, NULL);
	}
	struct sigaction bus = { .sa_sigaction = on_bus,
				 .sa_flags = SA_SIGINFO | (int)SA_RESETHAND };
	sigaction(SIGBUS, &bus, NULL);
}

/* Were one of them closed, a file would be opened in its place and take what is printed. Opened the
 * wrong way round, using it still fails. */
static void reserve_standard_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) == -1 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			exit(MLV_EXIT_INTERNAL);
	}
}

/* ---- answers that need no command ------------------------------------ */

static int print(struct mlv_buf *b)
{
	struct mlv_err err = MLV_ERR_INIT;
	enum mlv_rc rc = mlv_output_buf(NULL, b, &err);
	mlv_buf_fini(b);
	if (rc)
		mlv_report_error(&err);
	return mlv_exit_of(rc);
}

static int print_help(const struct mlv_command *cmd)
{
	struct mlv_buf b = { 0 };
	if (cmd)
		mlv_help_command(&b, cmd);
	else
		mlv_help_main(&b);
	return print(&b);
}

static int print_version(void)
{
	struct mlv_buf b = { 0 };
	mlv_buf_puts(&b, "mlviz " MLV_VERSION "\n");
	return print(&b);
}

static int no_arguments(void)
{
	struct mlv_buf b = { 0 };
	mlv_help_short(&b);
	if (!b.failed)
		fwrite(b.data, 1, b.len, stderr);
	mlv_buf_fini(&b);
	return MLV_EXIT_USAGE;
}

/* `cmd` may be NULL. */
static int wrong_usage(const struct mlv_command *cmd, const struct mlv_err *err)
{
	mlv_report_error(err);
	fprintf(stderr, "See 'mlviz help%s%s'.\n", cmd ? " " : "", cmd ? cmd->name : "");
	return MLV_EXIT_USAGE;
}

static int not_a_command(const char *word)
{
	struct mlv_err err = MLV_ERR_INIT;
	if (word[0] == '-')
		mlv_err_set(&err, MLV_E_USAGE,
			    "option '%.80s' before the command: options follow it", word);
	else if (access(word, F_OK) == 0)
		mlv_err_set(&err, MLV_E_USAGE,
			    "'%.80s' is a file, not a command; did you mean 'mlviz info %.80s'?",
			    word, word);
	else
		mlv_help_unknown(word, &err);
	return wrong_usage(NULL, &err);
}

static bool is_help(const char *arg)
{
	return strcmp(arg, "-h") == 0 || strcmp(arg, "--help") == 0;
}

/* Help is what was asked for, whatever stands around it. */
static bool asks_for_help(int argc, char **argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (is_help(argv[i]))
			return true;
	}
	return false;
}

/* ---- a command ------------------------------------------------------- */

static enum mlv_rc check_operands(const struct mlv_command *cmd, int argc, char **argv,
				  struct mlv_err *err)
{
	if (argc < cmd->min_args)
		return mlv_err_set(err, MLV_E_USAGE, "an operand is missing: %s", cmd->usage);
	if (cmd->max_args >= 0 && argc > cmd->max_args)
		return mlv_err_set(err, MLV_E_USAGE, "unexpected operand '%.80s': %s",
				   argv[cmd->max_args], cmd->usage);
	return MLV_OK;
}

static int run_command(const struct mlv_command *cmd, int argc, char **argv)
{
	void *state = calloc(1, cmd->state_size);
	struct mlv_err err = MLV_ERR_INIT;
	if (!state) {
		mlv_err_nomem(&err);
		mlv_report_error(&err);
		return MLV_EXIT_INTERNAL;
	}
	struct mlv_common *common = (void *)((char *)state + cmd->common_offset);
	mlv_common_init(common);
	if (cmd->defaults)
		cmd->defaults(state);

	int code;
	if (mlv_options_parse(cmd->options, state, &argc, argv, &err) ||
	    (!common->help && check_operands(cmd, argc, argv, &err)))
		code = wrong_usage(cmd, &err);
	else if (common->help) /* in a cluster, such as -qh */
		code = print_help(cmd);
	else
		code = cmd->run(state, argc, argv);
	free(state);
	return code;
}

int main(int argc, char **argv)
{
	set_signals();
	reserve_standard_descriptors();
	if (argc < 2)
		return no_arguments();
	if (strcmp(argv[1], "--version") == 0)
		return print_version();
	if (is_help(argv[1]))
		return print_help(argc > 2 ? mlv_command_find(argv[2]) : NULL);

	const struct mlv_command *cmd = mlv_command_find(argv[1]);
	if (!cmd)
		return not_a_command(argv[1]);
	if (asks_for_help(argc - 2, argv + 2))
		return print_help(cmd);
	return run_command(cmd, argc - 2, argv + 2);
}
