/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HEAP_SUMS_H
#define MLV_ANALYSIS_HEAP_SUMS_H
/* The final heap of a device in three figures: how much of it is held for nothing. */
#include "analysis/history.h"

struct mlv_heap_sums {
	uint64_t reserved, active;
	uint64_t idle;         /* reserved and not active */
	uint64_t largest_free; /* block */
};

struct mlv_heap_sums mlv_heap_sums_of(const struct mlv_history *h);

#endif
