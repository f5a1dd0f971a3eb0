/* SPDX-License-Identifier: MIT */
#include "cli/help.h"

#include <string.h>

#include "base/json_write.h"
#include "cli/exit.h"
#include "base/suggest.h"

enum { WIDTH = 80, HELP_COLUMN_MAX = 26 };

static const char about[] = "Reads what a training job left behind (memory snapshots and other "
			    "reports) and shows what happened: offline, and nothing in an input "
			    "is ever executed.";

static const char usage[] = "mlviz COMMAND [options] FILE...";

static const char examples[] = "mlviz info snapshot.pickle\n"
			       "mlviz timeline snapshot.pickle -o memory.svg";

static const struct {
	const char *name, *text;
} environment[] = {
	{ "COLUMNS", "width of text for the terminal" },
	{ "LC_ALL, LC_CTYPE, LANG", "a UTF-8 locale lets charts in text use block characters" },
	{ "NO_COLOR", "if it is not empty, no colour in text" },
	{ "TERM", "\"dumb\": no colour in text" },
};

/* ---- wrapped text ---------------------------------------------------- */

static size_t columns_of(const char *p, size_t n)
{
	size_t columns = 0;
	for (size_t i = 0; i < n; i++)
		columns += ((unsigned char)p[i] & 0xc0) != 0x80;
	return columns;
}

static void pad(struct mlv_buf *b, size_t n)
{
	while (n--)
		mlv_buf_putc(b, ' ');
}

/* Words from column `at` on; further lines begin at `indent`. "\n\n" begins a new paragraph. */
static void wrap(struct mlv_buf *b, const char *text, size_t indent, size_t at)
{
	bool line_empty = true;
	while (*text) {
		if (strncmp(text, "\n\n", 2) == 0) {
			mlv_buf_puts(b, "\n\n");
			pad(b, indent);
			at = indent;
			line_empty = true;
		}
		text += strspn(text, " \n");
		size_t n = strcspn(text, " \n");
		size_t columns = columns_of(text, n);
		if (!line_empty && at + 1 + columns > WIDTH) {
			mlv_buf_putc(b, '\n');
			pad(b, indent);
			at = indent;
			line_empty = true;
		}
		if (!line_empty)
			mlv_buf_putc(b, ' ');
		mlv_buf_add(b, text, n);
		at += columns + !line_empty;
		line_empty = false;
		text += n;
	}
	mlv_buf_putc(b, '\n');
}

static void heading(struct mlv_buf *b, const char *title)
{
	mlv_buf_printf(b, "\n%s:\n", title);
}

/* "  term      text", the text in its column. */
static void row(struct mlv_buf *b, const char *term, const char *text, size_t column)
{
	size_t n = columns_of(term, strlen(term));
	mlv_buf_printf(b, "  %s", term);
	if (n + 4 > column) {
		mlv_buf_putc(b, '\n');
		pad(b, column);
	} else {
		pad(b, column - n - 2);
	}
	wrap(b, text, column, column);
}

/* Lines as they are, two blanks further in. */
static void indented(struct mlv_buf *b, const char *lines)
{
	while (*lines) {
		size_t n = strcspn(lines, "\n");
		mlv_buf_puts(b, "  ");
		mlv_buf_add(b, lines, n);
		mlv_buf_putc(b, '\n');
		lines += n;
		lines += *lines == '\n';
	}
}

/* ---- sections -------------------------------------------------------- */

static void option_term(struct mlv_buf *b, const struct mlv_option *o)
{
	if (o->letter)
		mlv_buf_printf(b, "-%c, --%s", o->letter, o->name);
	else
		mlv_buf_printf(b, "    --%s", o->name);
	if (o->arg)
		mlv_buf_printf(b, " %s", o->arg);
}

static void option_text(struct mlv_buf *b, const struct mlv_option *o)
{
	mlv_buf_puts(b, o->help);
	if (o->kind == MLV_OPT_CHOICE) {
		for (int i = 0; o->choices[i]; i++)
			mlv_buf_printf(b, "%s%s", i ? ", " : ": ", o->choices[i]);
	}
	if (o->kind == MLV_OPT_LIMIT) {
		for (int i = 0; mlv_limit_names[i].name; i++)
			mlv_buf_printf(b, "%s%s", i ? ", " : ": ", mlv_limit_names[i].name);
	}
}

static void options_section(struct mlv_buf *b, const struct mlv_option *table)
{
	struct mlv_buf term = { 0 }, text = { 0 };
	size_t column = 0;
	for (const struct mlv_option *o = table; o->name; o++) {
		term.len = 0;
		option_term(&term, o);
		if (term.len + 4 > column && term.len + 4 <= HELP_COLUMN_MAX)
			column = term.len + 4;
	}
	heading(b, "Options");
	for (const struct mlv_option *o = table; o->name; o++) {
		term.len = text.len = 0;
		option_term(&term, o);
		option_text(&text, o);
		if (term.failed || text.failed)
			b->failed = true;
		else
			row(b, term.data, text.data, column);
	}
	mlv_buf_fini(&term);
	mlv_buf_fini(&text);
}

static void commands_section(struct mlv_buf *b)
{
	heading(b, "Commands");
	for (const struct mlv_command *const *c = mlv_commands; *c; c++)
		row(b, (*c)->name, (*c)->summary, 12);
}

static void exit_section(struct mlv_buf *b)
{
	heading(b, "Exit codes");
	for (const struct mlv_exit_text *e = mlv_exit_texts; e->text; e++) {
		mlv_buf_printf(b, "  %3d  ", (int)e->code);
		wrap(b, e->text, 7, 7);
	}
	mlv_buf_puts(
		b, "  Of several inputs the usable ones are still read; the greatest code wins.\n");
}

static void environment_section(struct mlv_buf *b)
{
	heading(b, "Environment");
	for (size_t i = 0; i < sizeof(environment) / sizeof(*environment); i++)
		row(b, environment[i].name, environment[i].text, HELP_COLUMN_MAX);
}

/* ---- pages ----------------------------------------------------------- */

static void usage_and_examples(struct mlv_buf *b, const char *how, const char *lines)
{
	mlv_buf_printf(b, "\nUsage: %s\n", how);
	heading(b, "Examples");
	indented(b, lines);
}

static void overview(struct mlv_buf *b)
{
	wrap(b, about, 0, 0);
	usage_and_examples(b, usage, examples);
	commands_section(b);
}

void mlv_help_short(struct mlv_buf *b)
{
	overview(b);
	mlv_buf_puts(b, "\n'mlviz help' tells more, 'mlviz help COMMAND' all about a command.\n");
}

void mlv_help_main(struct mlv_buf *b)
{
	mlv_buf_puts(b, "mlviz " MLV_VERSION "\n\n");
	overview(b);
	mlv_buf_puts(b, "\n'mlviz help COMMAND' tells all about a command.\n");
	heading(b, "Options");
	row(b, "-h, --help", "print this help, or that of the command beside it", 18);
	row(b, "    --version", "print the version", 18);
	exit_section(b);
	environment_section(b);
}

void mlv_help_command(struct mlv_buf *b, const struct mlv_command *cmd)
{
	mlv_buf_printf(b, "mlviz %s: %s\n", cmd->name, cmd->summary);
	usage_and_examples(b, cmd->usage, cmd->examples);
	mlv_buf_putc(b, '\n');
	wrap(b, cmd->details, 0, 0);
	options_section(b, cmd->options);
}

enum mlv_rc mlv_help_unknown(const char *name, struct mlv_err *err)
{
	struct mlv_suggestion s = mlv_suggest_for(name);
	for (const struct mlv_command *const *c = mlv_commands; *c; c++)
		mlv_suggest_try(&s, (*c)->name);
	if (s.best)
		return mlv_err_set(err, MLV_E_USAGE, "unknown command '%.80s'; did you mean '%s'?",
				   name, s.best);
	return mlv_err_set(err, MLV_E_USAGE, "unknown command '%.80s'", name);
}

/* ---- JSON ------------------------------------------------------------ */

static void json_option(struct mlv_json *j, const struct mlv_option *o)
{
	char letter[] = { '-', o->letter, '\0' };
	mlv_json_object(j);
	mlv_json_key_text(j, "name", o->name);
	mlv_json_key_text(j, "letter", o->letter ? letter + 1 : NULL);
	mlv_json_key_text(j, "value", o->arg);
	mlv_json_key_text(j, "help", o->help);
	if (o->kind == MLV_OPT_CHOICE) {
		mlv_json_key_array(j, "choices");
		for (int i = 0; o->choices[i]; i++)
			mlv_json_text(j, o->choices[i]);
		mlv_json_array_end(j);
	}
	mlv_json_object_end(j);
}

static void json_command(struct mlv_json *j, const struct mlv_command *cmd)
{
	mlv_json_object(j);
	mlv_json_key_text(j, "name", cmd->name);
	mlv_json_key_text(j, "summary", cmd->summary);
	mlv_json_key_text(j, "usage", cmd->usage);
	mlv_json_key_array(j, "options");
	for (const struct mlv_option *o = cmd->options; o->name; o++)
		json_option(j, o);
	mlv_json_array_end(j);
	mlv_json_object_end(j);
}

static void json_limits(struct mlv_json *j)
{
	mlv_json_key_array(j, "limits");
	for (const struct mlv_limit_name *l = mlv_limit_names; l->name; l++) {
		uint64_t value;
		memcpy(&value, (const char *)&mlv_limits_default + l->offset, sizeof(value));
		mlv_json_object(j);
		mlv_json_key_text(j, "name", l->name);
		mlv_json_key_text(j, "help", l->help);
		mlv_json_key_uint(j, "default", value);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void json_exit_codes(struct mlv_json *j)
{
	mlv_json_key_array(j, "exit_codes");
	for (const struct mlv_exit_text *e = mlv_exit_texts; e->text; e++) {
		mlv_json_object(j);
		mlv_json_key_int(j, "code", e->code);
		mlv_json_key_text(j, "text", e->text);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

void mlv_help_json(struct mlv_buf *b, const struct mlv_command *only)
{
	struct mlv_json j;
	mlv_json_document(&j, b, "mlviz.help/1");
	mlv_json_key_text(&j, "version", MLV_VERSION);
	mlv_json_key_array(&j, "commands");
	for (const struct mlv_command *const *c = mlv_commands; *c; c++) {
		if (!only || only == *c)
			json_command(&j, *c);
	}
	mlv_json_array_end(&j);
	json_limits(&j);
	json_exit_codes(&j);
	mlv_json_document_end(&j);
}
