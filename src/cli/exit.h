/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_EXIT_H
#define MLV_CLI_EXIT_H
/* Exit codes, and how errors and diagnostics are told on standard error. */
#include "base/diag.h"
#include "base/err.h"

enum mlv_exit {
	MLV_EXIT_OK = 0,
	MLV_EXIT_THRESHOLD = 1, /* a threshold given by the user was passed */
	MLV_EXIT_USAGE = 2,
	MLV_EXIT_INPUT = 3, /* nothing usable in an input, or damage under --strict */
	MLV_EXIT_LIMIT = 4,
	MLV_EXIT_OUTPUT = 5,
	MLV_EXIT_DEVICE = 6,
	MLV_EXIT_INTERNAL = 70, /* a bug, or no memory */
	MLV_EXIT_INTERRUPTED = 130,
};

/* One row of the table behind the help on exit codes; a NULL text ends it. */
struct mlv_exit_text {
	enum mlv_exit code;
	const char *text;
};
extern const struct mlv_exit_text mlv_exit_texts[];

int mlv_exit_of(enum mlv_rc rc);

/* The worse of two codes is the greater number: what kept a result from being made outranks a
 * threshold, and an interruption outranks all. */
int mlv_exit_worst(int a, int b);

/*
 * "mlviz: error: FILE: offset N: message" on standard error, safe for
 * terminals. An error without a message prints nothing.
 */
void mlv_report_error(const struct mlv_err *err);

/*
 * The diagnostics of one input on standard error: notes with `verbose` > 0
 * only, nothing at all when it is negative (--quiet). The most severe come last.
 */
void mlv_report_diags(const char *file, const struct mlv_diags *d, int verbose);

#endif
