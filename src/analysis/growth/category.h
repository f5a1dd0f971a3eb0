/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_CATEGORY_H
#define MLV_ANALYSIS_GROWTH_CATEGORY_H
/*
 * What allocations are for, inferred from their frames, the phase in which
 * they were made and how long they live; and how much each category holds when
 * most is allocated. docs/verdicts.md has the rules.
 */
#include "analysis/growth/lifetime.h"

enum mlv_category {
	MLV_CATEGORY_UNKNOWN, /* no rule fits, or older than the recording */
	MLV_CATEGORY_PARAMETER,
	MLV_CATEGORY_GRADIENT,
	MLV_CATEGORY_OPTIMIZER_STATE,
	MLV_CATEGORY_ACTIVATION,
	MLV_CATEGORY_INPUT,
	MLV_CATEGORY_KV_CACHE,
	MLV_CATEGORY_TEMPORARY,
	MLV_CATEGORY_WORKSPACE,
	MLV_CATEGORY_RETAINED, /* grows from step to step, whatever it is */
	MLV_CATEGORIES,
};

/* Requested bytes of each category at a moment. */
struct mlv_category_bytes {
	uint64_t bytes[MLV_CATEGORIES], count[MLV_CATEGORIES];
};

struct mlv_categories {
	uint8_t *of;                    /* each allocation */
	struct mlv_category_bytes peak; /* when most is requested */
	/*
	 * The most that each holds within a step: its median over the steps after the first, and
	 * how far that median scatters.
	 */
	double usual[MLV_CATEGORIES], spread[MLV_CATEGORIES];
	int64_t peak_event; /* -1: the initial state */
	/* The most that is requested in each part of a step, as its median; 0: nothing is. */
	double part_peak[MLV_PARTS];
	uint64_t (
		*part_of_step)[MLV_PARTS]; /* the same of each step, and of what follows the last */
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_categories_init(struct mlv_categories *c, const struct mlv_lifetimes *l,
				struct mlv_err *err);
void mlv_categories_fini(struct mlv_categories *c);

/* "optimizer state" */
const char *mlv_category_name(enum mlv_category c);

#endif
