/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_OPTION_H
#define MLV_CLI_OPTION_H
/*
 * Table-driven options. A command lists its options once; the table parses
 * them into the command's struct by offset, prints its --help and its --json
 * description, and is what the man pages are checked against.
 *
 * Rules: options stand before, between or behind operands; "--" ends them;
 * "-" alone is an operand; --name VALUE, --name=VALUE, -n VALUE and -nVALUE
 * are the same; flags of one letter may be clustered; names are never
 * abbreviated; the last of a repeated option wins (--limit adds up). Rows may
 * share a name where no value fits both: --limit 20GiB and --limit rows=10M.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/limits.h"
#include "parsers/parser.h"

enum mlv_opt_kind {
	MLV_OPT_FLAG,   /* bool */
	MLV_OPT_COUNT,  /* int: how often it was given */
	MLV_OPT_STRING, /* const char *, borrowed from argv */
	MLV_OPT_INT,    /* int64_t, 0 or more: a default below 0 says that it was not given */
	MLV_OPT_UINT,   /* uint64_t */
	MLV_OPT_BYTES,  /* uint64_t: "80G", "512MiB", "1048576" */
	MLV_OPT_CHOICE, /* int: index into `choices` */
	MLV_OPT_SIZE,   /* struct mlv_opt_size: "1600x900" */
	MLV_OPT_LIMIT,  /* struct mlv_limits: "rows=10M" changes one of them */
};

struct mlv_opt_size {
	int w, h;
};

struct mlv_option {
	char letter;      /* 0 = none */
	const char *name; /* without the dashes; NULL ends a table */
	enum mlv_opt_kind kind;
	size_t offset;
	const char *arg;            /* name of the value in help; NULL where there is none */
	const char *help;           /* one sentence, without a full stop */
	const char *const *choices; /* CHOICE: ends with NULL */
};

/* What every command takes; the second half where it reads inputs. */
struct mlv_common {
	bool json;
	const char *output; /* NULL = the command's own default */
	bool quiet;
	int verbose;
	bool help;
	bool strict;
	bool deep;          /* directories stand for all that lies below them; no option */
	const char *format; /* NULL = probe */
	int64_t rank;       /* -1 = not given */
	struct mlv_limits limits;
	struct mlv_parse_options parse;
};

/* A row of a table: MLV_OPT('q', "quiet", FLAG, struct state, common.quiet, NULL, "…"). */
#define MLV_OPT(letter, name, kind, type, field, arg, help)                                        \
	{                                                                                          \
		letter, name, MLV_OPT_##kind, offsetof(type, field), arg, help, NULL               \
	}
#define MLV_OPT_ONE_OF(letter, name, type, field, arg, help, choices)                              \
	{                                                                                          \
		letter, name, MLV_OPT_CHOICE, offsetof(type, field), arg, help, choices            \
	}
#define MLV_OPT_END                                                                                \
	{                                                                                          \
		0, NULL, MLV_OPT_FLAG, 0, NULL, NULL, NULL                                         \
	}

/* clang-format off */
#define MLV_INPUT_OPTIONS(type, c)                                                                 \
	MLV_OPT(0, "format", STRING, type, c.format, "NAME",                                       \
		"read the inputs as format NAME instead of judging by their content"),             \
	MLV_OPT(0, "rank", INT, type, c.rank, "N",                                                 \
		"rank of an input whose content does not tell it"),                                \
	MLV_OPT(0, "time-format", STRING, type, c.parse.time_format, "STRING",                     \
		"the -f string that GNU time was given, such as '%M'"),                            \
	MLV_OPT(0, "limit", LIMIT, type, c.limits, "NAME=N",                                       \
		"change a limit on what an input may take"),                                       \
	MLV_OPT(0, "strict", FLAG, type, c.strict, NULL,                                           \
		"fail when any part of an input is damaged")

#define MLV_OUTPUT_OPTIONS(type, c)                                                                \
	MLV_OPT(0, "json", FLAG, type, c.json, NULL,                                               \
		"print one JSON object instead of text"),                                          \
	MLV_OPT('o', "output", STRING, type, c.output, "FILE",                                     \
		"write the result to FILE; - is standard output"),                                 \
	MLV_OPT('q', "quiet", FLAG, type, c.quiet, NULL,                                           \
		"print results and errors only"),                                                  \
	MLV_OPT('v', "verbose", COUNT, type, c.verbose, NULL,                                      \
		"print notes as well"),                                                            \
	MLV_OPT('h', "help", FLAG, type, c.help, NULL,                                             \
		"print this help")

/* Of a command that reads files. `c` is the struct mlv_common within `type`. */
#define MLV_COMMON_OPTIONS(type, c) MLV_INPUT_OPTIONS(type, c), MLV_OUTPUT_OPTIONS(type, c)
/* clang-format on */

void mlv_common_init(struct mlv_common *c);

/*
 * Parse argv[0..*argc) into `state`. Operands are moved, in order, to the front
 * of argv and *argc becomes their number. A failure is MLV_E_USAGE with a
 * message that says what was expected.
 */
enum mlv_rc mlv_options_parse(const struct mlv_option *table, void *state, int *argc, char **argv,
			      struct mlv_err *err);

#endif
