/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_DIFF_THRESHOLDS_H
#define MLV_REPORT_DIFF_THRESHOLDS_H
/*
 * What a user allows a run to change by: "peak>+5%,reserved>+256MiB,growth>+1MiB".
 * A name is a figure of memory or a column of a table; "unknown" fails where
 * something cannot be judged. Thresholds own their results, over all pairs.
 */
#include "report/diff.h"

enum mlv_threshold_state {
	MLV_THRESHOLD_KEPT,
	MLV_THRESHOLD_PASSED,
	MLV_THRESHOLD_UNKNOWN, /* the evidence is not complete */
	MLV_THRESHOLD_NOISE,   /* passed, but within the spread of repeated runs */
};

struct mlv_threshold {
	char name[80];
	bool above;    /* '>': fails when the change is more; '<': when it is less */
	bool relative; /* in percent of A */
	double limit;  /* percent, bytes, seconds or a number */
	enum mlv_quantity quantity;
	char text[100];    /* as given */
	size_t judged;     /* how often its name was found */
	size_t other_unit; /* how often of these in a unit that the limit cannot be held against */
	bool by_memory;    /* as a figure of a recording: what else is called so is not meant */
};

struct mlv_threshold_result {
	size_t threshold;
	enum mlv_threshold_state state;
	int64_t rank;
	const char *format; /* of what was judged */
	char subject[160];
	char change[160];
	char why[120]; /* of unknown */
};

struct mlv_thresholds {
	MLV_VEC(struct mlv_threshold) list;
	MLV_VEC(struct mlv_threshold_result) results;
	bool fail_unknown;
};

/* MLV_E_USAGE says what is wrong with the text; MLV_E_NOMEM. */
enum mlv_rc mlv_thresholds_parse(struct mlv_thresholds *t, const char *text, struct mlv_err *err);
void mlv_thresholds_fini(struct mlv_thresholds *t);

/* Hold them against one pair. False when memory runs out. */
bool mlv_thresholds_judge(struct mlv_thresholds *t, const struct mlv_diff *d);

/*
 * After all pairs, for each input without a partner: what was judged of its
 * kind is unknown of it. False when memory runs out.
 */
bool mlv_thresholds_lone(struct mlv_thresholds *t, const struct mlv_run *run, unsigned side);

/* At the end: MLV_E_USAGE if a name was found nowhere, or in other units only. */
enum mlv_rc mlv_thresholds_check(const struct mlv_thresholds *t, struct mlv_err *err);

/* Whether the run fails. */
bool mlv_thresholds_failed(const struct mlv_thresholds *t);

void mlv_thresholds_text(const struct mlv_thresholds *t, struct mlv_buf *out);
/* The key "thresholds" with an array. */
void mlv_thresholds_json(const struct mlv_thresholds *t, struct mlv_json *j);

#endif
