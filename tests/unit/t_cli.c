/* SPDX-License-Identifier: MIT */
/* Options, suggestions, exit codes, the terminal, and outputs that appear whole or not at all. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/exit.h"
#include "cli/option.h"
#include "cli/output.h"
#include "base/suggest.h"
#include "cli/term.h"
#include "unit.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* ---- options --------------------------------------------------------- */

struct state {
	struct mlv_common common;
	int color;
	struct mlv_opt_size size;
	uint64_t capacity, top;
	int64_t device;
	const char *title;
};

static const char *const colors[] = { "stack", "size", "stream", NULL };

static const struct mlv_option table[] = {
	MLV_OPT_ONE_OF('c', "color", struct state, color, "BY", "", colors),
	MLV_OPT(0, "size", SIZE, struct state, size, "WxH", ""),
	MLV_OPT(0, "capacity", BYTES, struct state, capacity, "SIZE", ""),
	MLV_OPT('n', "top", UINT, struct state, top, "N", ""),
	MLV_OPT(0, "device", INT, struct state, device, "N", ""),
	MLV_OPT(0, "title", STRING, struct state, title, "TEXT", ""),
	MLV_COMMON_OPTIONS(struct state, common),
	MLV_OPT_END,
};

enum { ARGS_MAX = 16 };

static char line_text[256], *line_argv[ARGS_MAX + 1];
static int line_argc;
static struct state st;

/* Parse a command line, its arguments separated by blanks. */
static enum mlv_rc parse(const char *line, struct mlv_err *err)
{
	*err = MLV_ERR_INIT;
	memset(&st, 0, sizeof(st));
	mlv_common_init(&st.common);
	st.device = -1;
	snprintf(line_text, sizeof(line_text), "%s", line);
	line_argc = 0;
	char *rest = line_text, *word;
	while ((word = strsep(&rest, " ")) && line_argc < ARGS_MAX)
		line_argv[line_argc++] = word;
	line_argv[line_argc] = NULL;
	return mlv_options_parse(table, &st, &line_argc, line_argv, err);
}

static void parse_ok(const char *line, int operands)
{
	struct mlv_err err;
	ck_assert_msg(parse(line, &err) == MLV_OK, "%s: %s", line, err.msg);
	ck_assert_int_eq(line_argc, operands);
}

START_TEST(options_defaults)
{
	parse_ok("file", 1);
	ck_assert_str_eq(line_argv[0], "file");
	ck_assert(!st.common.json && !st.common.quiet && !st.common.strict && !st.common.help);
	ck_assert_ptr_null(st.common.output);
	ck_assert_int_eq(st.common.rank, -1);
	ck_assert_mem_eq(&st.common.limits, &mlv_limits_default, sizeof(struct mlv_limits));
}
END_TEST

START_TEST(options_values)
{
	parse_ok("--color stream --size 640x480 --capacity 80GiB --top 18446744073709551615 "
		 "--device 9223372036854775807 --title T",
		 0);
	ck_assert_int_eq(st.color, 2);
	ck_assert_int_eq(st.size.w, 640);
	ck_assert_int_eq(st.size.h, 480);
	ck_assert_uint_eq(st.capacity, UINT64_C(80) << 30);
	ck_assert_uint_eq(st.top, UINT64_MAX);
	ck_assert_int_eq(st.device, INT64_MAX);
	ck_assert_str_eq(st.title, "T");
}
END_TEST

START_TEST(options_forms)
{
	parse_ok("a -qv b --json -vo out c -", 4);
	ck_assert(st.common.quiet && st.common.json);
	ck_assert_int_eq(st.common.verbose, 2);
	ck_assert_str_eq(st.common.output, "out");
	ck_assert_str_eq(line_argv[2], "c");
	ck_assert_str_eq(line_argv[3], "-");

	parse_ok("-oout -n5 -csize", 0);
	ck_assert_str_eq(st.common.output, "out");
	ck_assert_uint_eq(st.top, 5);
	ck_assert_int_eq(st.color, 1);

	parse_ok("--title= --title=--json --output=-", 0);
	ck_assert_str_eq(st.title, "--json");
	ck_assert_str_eq(st.common.output, "-");
	ck_assert(!st.common.json);

	/* What looks like no option of ours may be a value. */
	parse_ok("--title -x -o -", 0);
	ck_assert_str_eq(st.title, "-x");
	ck_assert_str_eq(st.common.output, "-");

	parse_ok("--json -- --json -q", 2);
	ck_assert(!st.common.quiet);
	ck_assert_str_eq(line_argv[0], "--json");

	/* The last one wins; limits add up. */
	parse_ok("--top 1 --top 2 --limit rows=10M --limit depth=7", 0);
	ck_assert_uint_eq(st.top, 2);
	ck_assert_uint_eq(st.common.limits.rows, 10 << 20);
	ck_assert_uint_eq(st.common.limits.depth, 7);
	ck_assert_uint_eq(st.common.limits.memo, mlv_limits_default.memo);
}
END_TEST

static const struct {
	const char *line, *says;
} wrong[] = {
	{ "--colour size", "unknown option '--colour'; did you mean '--color'?" },
	{ "--JSON", "did you mean '--json'?" },
	{ "--jsno=x", "unknown option '--jsno'; did you mean '--json'?" },
	{ "--nothing-like-it", "unknown option '--nothing-like-it'" },
	{ "--=x", "unknown option '--'" },
	{ "-x", "unknown option '-x'" },
	{ "-qx", "unknown option '-x'" },
	{ "-output x", "did you mean '--output'?" },
	{ "-json", "did you mean '--json'?" },
	{ "--json=yes", "--json takes no value" },
	{ "--verbose=2", "--verbose takes no value" },
	{ "--title", "--title needs a value: --title TEXT" },
	{ "-o", "--output needs a value: --output FILE" },
	{ "--size", "--size needs a value, for example --size 1600x900" },
	{ "--title --json", "--title=--json if that is the value" },
	{ "--title -- x", "needs a value, not the option '--'" },
	{ "-o -q", "needs a value, not the option '-q'" },
	{ "--color red", "'red' is not one of stack, size, stream; for example --color stack" },
	{ "--color", "for example --color stack" },
	{ "--size 640", "is not a size in pixels" },
	{ "--size 640x", "is not a size in pixels" },
	{ "--size x480", "is not a size in pixels" },
	{ "--size 0x480", "is not a size in pixels" },
	{ "--size 640x480x2", "is not a size in pixels" },
	{ "--size 32768x10", "is not a size in pixels" },
	{ "--size -1x10", "is not a size in pixels" },
	{ "--capacity much", "is not a number of bytes; for example --capacity 80GiB" },
	{ "--top 18446744073709551616", "is not a whole number from 0 on" },
	{ "--top 1.5", "is not a whole number from 0 on" },
	{ "--top=", "'' is not a whole number from 0 on" },
	{ "--device 9223372036854775808", "is not a whole number from 0 on" },
	{ "--rank -1", "'-1' is not a whole number from 0 on" },
	{ "--limit rows", "is not NAME=N with a NAME out of bytes, ratio" },
	{ "--limit lines=1", "is not NAME=N" },
	{ "--limit rows=many", "for example --limit rows=10M" },
};

START_TEST(options_wrong)
{
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct mlv_err err;
		ck_assert_msg(parse(wrong[i].line, &err) == MLV_E_USAGE, "%s", wrong[i].line);
		ck_assert_int_eq(err.rc, MLV_E_USAGE);
		ck_assert_msg(strstr(err.msg, wrong[i].says), "%s: %s", wrong[i].line, err.msg);
	}
}
END_TEST

/* A message never runs over, however long the word. */
START_TEST(options_long_words)
{
	char line[200];
	struct mlv_err err;
	memset(line, 'a', sizeof(line));
	line[sizeof(line) - 1] = '\0';
	memcpy(line, "--", 2);
	ck_assert_int_eq(parse(line, &err), MLV_E_USAGE);
	memcpy(line, "--color ", 8);
	ck_assert_int_eq(parse(line, &err), MLV_E_USAGE);
	ck_assert_ptr_nonnull(strstr(err.msg, "is not one of"));
}
END_TEST

/* ---- suggestions ----------------------------------------------------- */

static const struct {
	const char *a, *b;
	unsigned distance;
} distances[] = {
	{ "", "", 0 },
	{ "", "abc", 3 },
	{ "abc", "", 3 },
	{ "info", "info", 0 },
	{ "INFO", "info", 0 },
	{ "inof", "info", 1 },
	{ "timelien", "timeline", 1 },
	{ "timelin", "timeline", 1 },
	{ "ttimeline", "timeline", 1 },
	{ "timelime", "timeline", 1 },
	{ "kitten", "sitting", 3 },
	/* Optimal string alignment: no part is edited twice. */
	{ "ca", "abc", 3 },
};

START_TEST(suggest_distance)
{
	for (size_t i = 0; i < COUNT(distances); i++) {
		const char *a = distances[i].a, *b = distances[i].b;
		ck_assert_uint_eq(mlv_edit_distance(a, b), distances[i].distance);
		ck_assert_uint_eq(mlv_edit_distance(b, a), distances[i].distance);
	}
}
END_TEST

START_TEST(suggest_nearest)
{
	static const struct {
		const char *word, *best;
	} rows[] = {
		{ "timelnie", "timeline" }, { "ti", "timeline" }, { "form", "formats" },
		{ "halp", "help" },         { "x", NULL },        { "", NULL },
		{ "zzzz", NULL },           { "ino", "info" },
	};
	static const char *const names[] = { "info", "timeline", "formats", "help" };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct mlv_suggestion s = mlv_suggest_for(rows[i].word);
		for (size_t k = 0; k < COUNT(names); k++)
			mlv_suggest_try(&s, names[k]);
		if (rows[i].best)
			ck_assert_pstr_eq(s.best, rows[i].best);
		else
			ck_assert_ptr_null(s.best);
	}
	char longest[100];
	memset(longest, 'a', sizeof(longest));
	longest[99] = '\0';
	ck_assert_uint_eq(mlv_edit_distance(longest, "a"), UINT_MAX);
	longest[63] = '\0';
	ck_assert_uint_eq(mlv_edit_distance(longest, "a"), 62);
}
END_TEST

/* ---- exit codes, the terminal ---------------------------------------- */

START_TEST(exit_codes)
{
	ck_assert_int_eq(mlv_exit_of(MLV_OK), 0);
	ck_assert_int_eq(mlv_exit_of(MLV_E_USAGE), 2);
	ck_assert_int_eq(mlv_exit_of(MLV_E_IO), 3);
	ck_assert_int_eq(mlv_exit_of(MLV_E_FORMAT), 3);
	ck_assert_int_eq(mlv_exit_of(MLV_E_UNSUPPORTED), 3);
	ck_assert_int_eq(mlv_exit_of(MLV_E_LIMIT), 4);
	ck_assert_int_eq(mlv_exit_of(MLV_E_OUTPUT), 5);
	ck_assert_int_eq(mlv_exit_of(MLV_E_DEVICE), 6);
	ck_assert_int_eq(mlv_exit_of(MLV_E_NOMEM), 70);
	ck_assert_int_eq(mlv_exit_of(MLV_E_INTERRUPTED), 130);
	ck_assert_int_eq(mlv_exit_worst(0, 3), 3);
	ck_assert_int_eq(mlv_exit_worst(4, 3), 4);
	ck_assert_int_eq(mlv_exit_worst(1, 3), 3);
	ck_assert_int_eq(mlv_exit_worst(130, 5), 130);
}
END_TEST

static int real_stderr, captured_stderr;

static void capture_begin(void)
{
	FILE *f = tmpfile();
	ck_assert_ptr_nonnull(f);
	captured_stderr = dup(fileno(f));
	fclose(f);
	real_stderr = dup(STDERR_FILENO);
	dup2(captured_stderr, STDERR_FILENO);
}

static const char *capture_end(void)
{
	static char text[1000];
	dup2(real_stderr, STDERR_FILENO);
	close(real_stderr);
	ssize_t n = pread(captured_stderr, text, sizeof(text) - 1, 0);
	close(captured_stderr);
	ck_assert_int_ge(n, 0);
	text[n] = '\0';
	return text;
}

START_TEST(report_error)
{
	struct mlv_err err = MLV_ERR_INIT;
	mlv_err_at(&err, MLV_E_FORMAT, 18231, "odd \x1b[31m name\n");
	mlv_err_file(&err, "dir/file");
	capture_begin();
	mlv_report_error(&err);
	ck_assert_str_eq(capture_end(),
			 "mlviz: error: dir/file: offset 18231: odd \xef\xbf\xbd[31m name \n");

	struct mlv_err silent = MLV_ERR_INIT;
	silent.rc = MLV_E_OUTPUT;
	capture_begin();
	mlv_report_error(&silent);
	ck_assert_str_eq(capture_end(), "");
}
END_TEST

/* Repeats are counted, the most severe come last, notes only when they are asked for. */
START_TEST(report_diags)
{
	struct mlv_diags d = { 0 };
	mlv_diag_add(&d, MLV_DAMAGE, "cut", 7, "cut off");
	mlv_diag_add(&d, MLV_NOTE, "seen", MLV_NO_OFFSET, "an old version");
	for (int i = 0; i < 3; i++)
		mlv_diag_add(&d, MLV_WARNING, "gap", MLV_NO_OFFSET, "gap %d", i);

	capture_begin();
	mlv_report_diags("f", &d, 0);
	ck_assert_str_eq(capture_end(), "mlviz: warning: f: gap 0 (and 2 more of this kind)\n"
					"mlviz: damage: f: offset 7: cut off\n");
	capture_begin();
	mlv_report_diags("f", &d, 1);
	ck_assert_str_eq(capture_end(), "mlviz: note: f: an old version\n"
					"mlviz: warning: f: gap 0 (and 2 more of this kind)\n"
					"mlviz: damage: f: offset 7: cut off\n");
	capture_begin();
	mlv_report_diags("f", &d, -1);
	ck_assert_str_eq(capture_end(), "");
	mlv_diags_fini(&d);
}
END_TEST

START_TEST(terminal)
{
	int ends[2];
	ck_assert_int_eq(pipe(ends), 0);
	unsetenv("COLUMNS");
	ck_assert_int_eq(mlv_term_width(ends[1]), 80);
	setenv("COLUMNS", "132", 1);
	ck_assert_int_eq(mlv_term_width(ends[1]), 132);
	setenv("COLUMNS", "3", 1);
	ck_assert_int_eq(mlv_term_width(ends[1]), 20);
	setenv("COLUMNS", "wide", 1);
	ck_assert_int_eq(mlv_term_width(ends[1]), 80);

	unsetenv("NO_COLOR");
	setenv("TERM", "xterm", 1);
	ck_assert(!mlv_term_color(ends[1]));

	unsetenv("LC_ALL");
	unsetenv("LC_CTYPE");
	unsetenv("LANG");
	ck_assert(!mlv_term_utf8());
	setenv("LANG", "de_DE.UTF-8", 1);
	ck_assert(mlv_term_utf8());
	setenv("LC_CTYPE", "C", 1);
	ck_assert(!mlv_term_utf8());
	setenv("LC_ALL", "C.utf8", 1);
	ck_assert(mlv_term_utf8());
}
END_TEST

/* ---- outputs --------------------------------------------------------- */

static char scratch[32];

/* The tests below work in an empty directory, and leave it empty. */
static void enter_scratch(void)
{
	strcpy(scratch, "/tmp/mlviz-t_cli-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(scratch));
	ck_assert_int_eq(chdir(scratch), 0);
}

static void leave_scratch(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(rmdir(scratch), 0); /* fails if a file is left */
}

static size_t read_file(const char *path, char *buf, size_t size)
{
	FILE *f = fopen(path, "rb");
	ck_assert_ptr_nonnull(f);
	size_t n = fread(buf, 1, size, f);
	fclose(f);
	return n;
}

START_TEST(output_replaces)
{
	enter_scratch();
	struct mlv_err err = MLV_ERR_INIT;
	char buf[16];
	ck_assert_int_eq(mlv_output_write("f", "one two", 7, &err), MLV_OK);
	ck_assert_int_eq(mlv_output_write("./f", "3\0", 2, &err), MLV_OK);
	ck_assert_uint_eq(read_file("f", buf, sizeof(buf)), 2);
	ck_assert_mem_eq(buf, "3\0", 2);
	ck_assert_int_eq(mlv_output_write("f", NULL, 0, &err), MLV_OK);
	ck_assert_uint_eq(read_file("f", buf, sizeof(buf)), 0);
	ck_assert_int_eq(unlink("f"), 0);
	leave_scratch();
}
END_TEST

START_TEST(output_errors)
{
	enter_scratch();
	static const char *const paths[] = { "/dev/full", "no/f", ".", "f/" };
	for (size_t i = 0; i < COUNT(paths); i++) {
		struct mlv_err err = MLV_ERR_INIT;
		ck_assert_int_eq(mlv_output_write(paths[i], "x", 1, &err), MLV_E_OUTPUT);
		ck_assert_str_eq(err.file, paths[i]);
		ck_assert_uint_gt(strlen(err.msg), 0);
	}
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_buf failed = { .failed = true };
	ck_assert_int_eq(mlv_output_buf("f", &failed, &err), MLV_E_NOMEM);
	leave_scratch();
}
END_TEST

/* Returns what the limit was. */
static rlim_t limit_file_size(rlim_t bytes)
{
	struct rlimit limit;
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	rlim_t was = limit.rlim_cur;
	limit.rlim_cur = bytes;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	return was;
}

/* The disk fills up in the middle: neither a part of the file nor a temporary one stays. */
START_TEST(output_too_large)
{
	enter_scratch();
	static char data[10000];
	struct mlv_err err = MLV_ERR_INIT;
	signal(SIGXFSZ, SIG_IGN);
	rlim_t was = limit_file_size(4096);
	ck_assert_int_eq(mlv_output_write("f", data, sizeof(data), &err), MLV_E_OUTPUT);
	limit_file_size(was);
	ck_assert_ptr_nonnull(strstr(err.msg, strerror(EFBIG)));
	leave_scratch();
}
END_TEST

static void on_signal(int signal)
{
	(void)signal;
	mlv_output_discard();
	_exit(0);
}

/* A signal that arrives in the middle of writing. SIGXFSZ does so reliably. */
START_TEST(output_discard)
{
	enter_scratch();
	static char data[10000];
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		struct mlv_err err = MLV_ERR_INIT;
		signal(SIGXFSZ, on_signal);
		limit_file_size(4096);
		mlv_output_write("f", data, sizeof(data), &err);
		_exit(1); /* the signal did not come */
	}
	int status;
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
	mlv_output_discard(); /* without a write under way it does nothing */
	leave_scratch();
}
END_TEST

UNIT_MAIN("cli", options_defaults, options_values, options_forms, options_wrong, options_long_words,
	  suggest_distance, suggest_nearest, exit_codes, report_error, report_diags, terminal,
	  output_replaces, output_errors, output_too_large, output_discard)
