/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_REPORT_LOAD_H
#define MLV_CLI_REPORT_LOAD_H
/*
 * From the operands of `mlviz report` to a finished report: each input is read,
 * gathered, drawn and let go; those of a baseline stay until their partners
 * have come.
 */
#include "cli/report_gate.h"
#include "cli/report_page.h"
#include "cli/report_pictures.h"
#include "report/ci/gather.h"

struct mlv_report_job {
	struct mlv_report report, baseline;
	struct mlv_report_out out;
	struct mlv_gather_options options;
	const char *const *operands;
	int count;
	const char *baseline_path; /* NULL: none */
	const struct mlv_common *common;
	struct mlv_report_gate *gate; /* borrowed */

	/* ---- its own ---- */
	struct mlv_inputs in, base;
	bool *taken; /* of the baseline's inputs: they have their partner */
	struct mlv_report_pictures pictures;
	struct mlv_report_page page;
	struct mlv_evidence evidence;
	struct mlv_statements statements;
	struct mlv_err err; /* after which nothing more is gathered */
};

/* Afterwards in.exit_code is that of the inputs; a failure beside it is returned. */
enum mlv_rc mlv_report_job_run(struct mlv_report_job *j, struct mlv_err *err);
void mlv_report_job_fini(struct mlv_report_job *j);

/* "run-base" of "../runs/run-base/", into the report's texts. */
const char *mlv_report_title(struct mlv_report *r, const char *operand);

#endif
