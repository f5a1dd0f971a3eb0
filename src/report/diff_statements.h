/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_DIFF_STATEMENTS_H
#define MLV_REPORT_DIFF_STATEMENTS_H
/*
 * What a reader of a diff should know first, over all pairs of a run: what
 * grows outranks what differs once, causes outrank figures. Statements of
 * several ranks that say the same of the same thing are one, with the value
 * of each rank.
 */
#include "report/diff.h"

enum mlv_statement_kind {
	MLV_STATE_OOM,
	MLV_STATE_GROWTH,
	MLV_STATE_WRAPPER,
	MLV_STATE_RESERVED,
	MLV_STATE_PEAK,
	MLV_STATE_STACK,
	MLV_STATE_SETTING,
	MLV_STATE_TABLE,
};

struct mlv_statement {
	enum mlv_statement_kind kind;
	int64_t rank;
	double weight;   /* the larger ones of a kind come first */
	double from, to; /* the figures that it is about; 0 where it is about none */
	char subject[400];
	char value[240];
};

struct mlv_statements {
	MLV_VEC(struct mlv_statement) list;
};

/* Add those of one pair. False when memory runs out. */
bool mlv_statements_add(struct mlv_statements *s, const struct mlv_diff *d);
void mlv_statements_fini(struct mlv_statements *s);

/* Call before printing: the first `most` things are printed. */
void mlv_statements_sort(struct mlv_statements *s);
void mlv_statements_text(const struct mlv_statements *s, size_t most, struct mlv_buf *out);
/* The key "statements" with an array. */
void mlv_statements_json(const struct mlv_statements *s, struct mlv_json *j);

#endif
