/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_HEAP_VERDICT_H
#define MLV_ANALYSIS_GROWTH_HEAP_VERDICT_H
/* The verdict on one device whose allocations were recorded, by their lives. */
#include "analysis/callsite.h"
#include "analysis/growth/category.h"
#include "analysis/growth/verdict.h"

/*
 * Of run->devices[device]. `capacity`: of the device, 0: not known.
 * MLV_E_NOMEM only; `v` is to be finished in any case.
 */
enum mlv_rc mlv_heap_verdict(struct mlv_verdict *v, const struct mlv_run *run, size_t device,
			     uint64_t capacity, struct mlv_err *err);

#endif
