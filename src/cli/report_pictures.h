/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_REPORT_PICTURES_H
#define MLV_CLI_REPORT_PICTURES_H
/*
 * The pictures of a report: of each input what its tables hold, and of all
 * together the collectives and the pair that changed most. Each is written as
 * SVG and PNG as soon as it is drawn, and listed in the report.
 */
#include "analysis/hang/hang.h"
#include "cli/load.h"
#include "cli/report_out.h"
#include "report/ci/report.h"
#include "report/diff.h"

struct mlv_report_pictures {
	struct mlv_report *report;
	struct mlv_report_out *out;
	uint64_t capacity;     /* of a device, drawn as a line; 0: none */
	const char *user_path; /* NULL */
	/* Of the pair that is most worth showing so far. */
	struct mlv_buf diff[2];
	int diff_kind;
	double diff_size;
};

void mlv_report_pictures_fini(struct mlv_report_pictures *p);

/* Of the input that the report gathered last. MLV_E_OUTPUT, MLV_E_NOMEM. */
enum mlv_rc mlv_report_pictures_input(struct mlv_report_pictures *p, const struct mlv_input *input,
				      struct mlv_err *err);
enum mlv_rc mlv_report_pictures_hang(struct mlv_report_pictures *p, struct mlv_hang *h,
				     struct mlv_err *err);
/* One pair: it is drawn if it is worth more than those before. */
enum mlv_rc mlv_report_pictures_diff(struct mlv_report_pictures *p, const struct mlv_diff *d,
				     struct mlv_err *err);
/* After all pairs. */
enum mlv_rc mlv_report_pictures_end(struct mlv_report_pictures *p, struct mlv_err *err);

#endif
