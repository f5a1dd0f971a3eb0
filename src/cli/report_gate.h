/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_REPORT_GATE_H
#define MLV_CLI_REPORT_GATE_H
/*
 * --budgets, --baseline and --update-baseline of `mlviz report`: which files
 * they are, and what is read of them before the inputs and written after.
 */
#include "cli/option.h"
#include "report/ci/gate.h"

struct mlv_report_gate_options {
	const char *budgets;  /* a file; NULL */
	const char *baseline; /* recordings, or a file of figures; NULL */
	bool update;          /* write the file of figures anew */
};

struct mlv_report_gate {
	struct mlv_ci_gate gate;
	bool active;            /* figures are gathered */
	const char *recordings; /* the baseline, where it is a run to read; NULL */
	const char *write;      /* the baseline, where it is to be written; NULL */
	char *texts[2];         /* files that were read: messages name them */
};

/*
 * Tells budgets from figures from recordings, and reads the first two. A
 * baseline that does not exist is told on standard error and is none: a first
 * run has nothing to be held against. MLV_E_USAGE, MLV_E_FORMAT, MLV_E_IO, …
 */
enum mlv_rc mlv_report_gate_init(struct mlv_report_gate *g, const struct mlv_report_gate_options *o,
				 const struct mlv_common *c, struct mlv_err *err);
void mlv_report_gate_fini(struct mlv_report_gate *g);

/* After judging: write the figures where that was asked for. MLV_E_OUTPUT, MLV_E_NOMEM. */
enum mlv_rc mlv_report_gate_end(struct mlv_report_gate *g, struct mlv_err *err);

#endif
