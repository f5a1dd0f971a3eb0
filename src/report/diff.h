/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_DIFF_H
#define MLV_REPORT_DIFF_H
/*
 * What `mlviz diff` says of two inputs: their devices, and what else they
 * share, gathered once; text, JSON and thresholds take the same figures.
 * [0] is A, [1] is B, and a change is B - A.
 */
#include "analysis/growth/classify.h"
#include "analysis/memory_diff.h"
#include "analysis/run_diff.h"
#include "analysis/same_process.h"
#include "base/buf.h"
#include "base/json_write.h"

/* Of one device of each. */
struct mlv_device_diff {
	struct mlv_history history[2];
	struct mlv_memory_diff memory;
	struct mlv_process_diff process; /* when they are said to be of one process */
};

/* Verdicts on what grows that belong together. */
struct mlv_verdict_pair {
	const struct mlv_verdict *side[2];
};

struct mlv_diff {
	const struct mlv_run *run[2]; /* borrowed */
	const char *ignore;           /* borrowed; NULL: nothing */
	bool same_process;
	struct mlv_sites sites[2];
	struct mlv_stack_keys keys[2];
	struct mlv_device_diff *devices;
	size_t device_count;
	size_t devices_only[2]; /* with no partner, or with bytes of another kind */
	bool counters_complete; /* no recording among them began in the middle */
	mlv_figures counters;   /* that inputs of unlike kinds both know; see diff_counters.c */
	struct mlv_verdicts verdicts[2];
	MLV_VEC(struct mlv_verdict_pair) phases; /* of reports and logs, rank by rank */
	struct mlv_run_diff rest;
};

struct mlv_diff_options {
	const char *ignore; /* names to leave out, separated by commas; NULL */
	int64_t device;     /* ordinal; -1: all */
	bool same_process;  /* two snapshots of one: what is alive is matched by address, too */
};

enum mlv_rc mlv_diff_init(struct mlv_diff *d, const struct mlv_run *a, const struct mlv_run *b,
			  const struct mlv_diff_options *o, struct mlv_err *err);
void mlv_diff_fini(struct mlv_diff *d);

/* Whether they have anything to compare, and whether something of it differs. */
bool mlv_diff_shares(const struct mlv_diff *d);
bool mlv_diff_differs(const struct mlv_diff *d);

/* Up to `top` rows of each ranking. */
void mlv_diff_text(const struct mlv_diff *d, size_t top, int width, struct mlv_buf *out);
/* One element of "pairs". */
void mlv_diff_json(const struct mlv_diff *d, size_t top, struct mlv_json *j);

/* ---- parts that both forms use ---- */

/* Where a stack allocates, for people: of B, where it is in both. */
void mlv_stack_diff_name(const struct mlv_memory_diff *m, const struct mlv_stack_diff *s, char *buf,
			 size_t size);
/* "+12.3 %"; "" where A is 0 or below. */
void mlv_relative_text(double a, double b, char *buf, size_t size);
/* A figure as a cell, and what it changed by. */
struct mlv_cell mlv_figure_cell(const struct mlv_figure *f, unsigned side);
struct mlv_cell mlv_figure_change_cell(const struct mlv_figure *f);
/* Of the value of a property; "-" for NULL. */
void mlv_property_text(const struct mlv_run *run, const struct mlv_property *p, char *buf,
		       size_t size);
/* The same for people, who do not see an empty text: ''. */
void mlv_property_words(const struct mlv_run *run, const struct mlv_property *p, char *buf,
			size_t size);

#endif
