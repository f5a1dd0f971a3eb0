/* SPDX-License-Identifier: MIT */
/*
 * What two inputs of unlike kinds both say of the memory of a device: a
 * snapshot, a trace, memory_stats() and a memory report know PyTorch's own
 * counters, each some of them. Unlike bytes are never compared: requested
 * with requested, allocated with allocated, reserved with reserved.
 */
#include "report/diff_parts.h"
#include "report/run_counters.h"

enum mlv_rc mlv_diff_counters(struct mlv_diff *d, struct mlv_err *err)
{
	static const char *const names[MLV_RUN_COUNTERS][2] = {
		{ "requested_peak", "requested, peak" }, { "requested_end", "requested, end" },
		{ "allocated_peak", "allocated, peak" }, { "allocated_end", "allocated, end" },
		{ "reserved_peak", "reserved, peak" },   { "reserved_end", "reserved, end" },
	};
	struct mlv_run_counters c[2];
	enum mlv_rc rc = MLV_OK;
	for (unsigned s = 0; !rc && s < 2; s++)
		rc = mlv_run_counters_of(&c[s], d->run[s], err);
	d->counters_complete = !rc && !c[0].incomplete && !c[1].incomplete;
	for (unsigned i = 0; !rc && i < MLV_RUN_COUNTERS; i++) {
		struct mlv_figure f = { .key = names[i][0],
					.label = names[i][1],
					.unit = MLV_UNIT_BYTES,
					.known = { true, true },
					.value = { c[0].value[i], c[1].value[i] } };
		if (c[0].known[i] && c[1].known[i] && !mlv_vec_push(&d->counters, f))
			rc = mlv_err_nomem(err);
	}
	return rc;
}
