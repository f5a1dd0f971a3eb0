/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_DIFF_PICTURE_H
#define MLV_CLI_DIFF_PICTURE_H
/*
 * The picture of `mlviz diff -o`: it shows one pair. Of memory both timelines,
 * their difference and the stacks that changed most; of reports their phases
 * side by side; of tables the rows that changed most.
 */
#include "analysis/diff_lines.h"
#include "cli/picture.h"
#include "report/diff.h"

/* How much a pair is worth showing: recordings before traces, reports and tables. */
struct mlv_diff_worth {
	int kind;    /* 0: there is nothing to draw */
	double size; /* of the change, among pairs of one kind */
};

struct mlv_diff_worth mlv_diff_worth_of(const struct mlv_diff *d);

struct mlv_diff_picture {
	struct mlv_picture picture; /* its title may be NULL */
	enum mlv_align align;
	bool by_time;
};

enum mlv_rc mlv_diff_draw(const struct mlv_diff *d, const struct mlv_diff_picture *o,
			  struct mlv_buf *out, struct mlv_err *err);

#endif
