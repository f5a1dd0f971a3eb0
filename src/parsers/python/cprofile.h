/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_PYTHON_CPROFILE_H
#define MLV_PARSERS_PYTHON_CPROFILE_H
/*
 * What the readers of pstats' text and of .prof files share: the words for
 * their figures, so that both forms of one profile give the same metrics.
 */
#include "parsers/add.h"

#define MLV_CPROFILE_CALLS "ncalls"              /* all calls */
#define MLV_CPROFILE_PRIMITIVE "primitive calls" /* those not induced by recursion */
#define MLV_CPROFILE_TOTTIME "tottime"           /* without callees */
#define MLV_CPROFILE_CUMTIME "cumtime"
#define MLV_CPROFILE_TOT_PERCALL "tottime percall"
#define MLV_CPROFILE_CUM_PERCALL "cumtime percall"

/* "12" or "12/3" (all calls and primitive ones) as the two metrics. False if it is neither. */
bool mlv_cprofile_calls(struct mlv_str s, struct mlv_decimal *calls, struct mlv_decimal *primitive);

/*
 * print_callers and print_callees: a line within such a table. `width` is
 * where the arrow stands, `named` the function of the last line that began
 * with one, which the lines below it are about.
 */
struct mlv_cprofile_calls {
	bool callees; /* "->": the named function is the caller */
	size_t width; /* characters */
	mlv_strid named;
	bool has_named;
};
enum mlv_rc mlv_cprofile_call_line(struct mlv_cprofile_calls *c, struct mlv_metric_row *at,
				   struct mlv_str line, bool *mine, struct mlv_err *err);

/* The subject of a call: "caller -> callee". */
enum mlv_rc mlv_cprofile_edge(struct mlv_run *run, mlv_strid caller, mlv_strid callee,
			      mlv_strid *id, struct mlv_err *err);

/* A word up to the next blank at *i, behind blanks; how many those were. */
struct mlv_str mlv_cprofile_word(struct mlv_str s, size_t *i, size_t *blanks);

/* "0.004": digits, a point, digits; the seconds of pstats. */
bool mlv_cprofile_seconds(struct mlv_str s, struct mlv_decimal *d);

#endif
