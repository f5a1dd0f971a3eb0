/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_RUN_COUNTERS_H
#define MLV_REPORT_RUN_COUNTERS_H
/*
 * What an input of any kind says of PyTorch's own counters of memory: a
 * snapshot, a trace, memory_stats() and a memory report know some of them
 * each.
 */
#include "base/err.h"
#include "model/run.h"

enum mlv_run_counter {
	MLV_REQUESTED_PEAK,
	MLV_REQUESTED_END,
	MLV_ALLOCATED_PEAK,
	MLV_ALLOCATED_END,
	MLV_RESERVED_PEAK,
	MLV_RESERVED_END,
	MLV_RUN_COUNTERS
};

struct mlv_run_counters {
	bool incomplete; /* the recording began in the middle, or was cut */
	bool known[MLV_RUN_COUNTERS];
	int64_t value[MLV_RUN_COUNTERS];
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_run_counters_of(struct mlv_run_counters *c, const struct mlv_run *run,
				struct mlv_err *err);

#endif
