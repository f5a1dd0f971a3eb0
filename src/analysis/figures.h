/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_FIGURES_H
#define MLV_ANALYSIS_FIGURES_H
/* Single figures of two runs side by side: peaks, counts, what thresholds are set on. */
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/decimal.h"

struct mlv_figure {
	const char *key;   /* "reserved_peak", as in JSON and in thresholds; static */
	const char *label; /* "reserved, peak"; static */
	uint8_t unit;      /* enum mlv_unit: bytes, percent or none */
	bool known[2];
	int64_t value[2]; /* of percents in tenths */
};

typedef MLV_VEC(struct mlv_figure) mlv_figures;

static inline bool mlv_figure_comparable(const struct mlv_figure *f)
{
	return f->known[0] && f->known[1];
}

/* B - A, held within int64. */
static inline int64_t mlv_figure_change(const struct mlv_figure *f)
{
	int64_t d;
	return __builtin_sub_overflow(f->value[1], f->value[0], &d)
		       ? (f->value[1] > f->value[0] ? INT64_MAX : INT64_MIN)
		       : d;
}

#endif
