/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_REPORT_OUT_H
#define MLV_CLI_REPORT_OUT_H
/*
 * The directory that a report is written into. Each file appears whole or not
 * at all; report.json, which lists them, comes last; and files of an earlier
 * report of ours that this one does not have are removed.
 */
#include "cli/report_made.h"
#include "report/ci/report.h"

struct mlv_report_out {
	const char *directory; /* NULL: nothing is written */
	struct mlv_report *report;
	struct mlv_report_made before;
	struct mlv_arena paths;
	bool begun;
};

/* Nothing is created until the first file is written. MLV_E_NOMEM only. */
enum mlv_rc mlv_report_out_init(struct mlv_report_out *o, const char *directory,
				struct mlv_report *report, struct mlv_err *err);
void mlv_report_out_fini(struct mlv_report_out *o);

/* List one in the report, once, and sorted: what is to be written is known before the list is. */
enum mlv_rc mlv_report_out_list(struct mlv_report_out *o, const char *name, struct mlv_err *err);

/* Write one, and list it. `name` is that of a file in the directory. */
enum mlv_rc mlv_report_out_file(struct mlv_report_out *o, const char *name,
				const struct mlv_buf *data, struct mlv_err *err);

/* All are written: remove what an earlier report left. */
void mlv_report_out_tidy(struct mlv_report_out *o);

#endif
