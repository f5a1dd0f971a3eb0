/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_MEMORY_FACTS_H
#define MLV_ANALYSIS_MEMORY_FACTS_H
/*
 * What can be said of the memory of one device beside its history: streams,
 * pools, stacks, times, failures, and why the history is not complete. Reports
 * put it into words.
 */
#include "analysis/callsite.h"
#include "analysis/history.h"

/* An allocation that failed, and what was in use then. */
struct mlv_memory_oom {
	uint32_t event;
	uint64_t requested, reserved; /* sums after the event */
};

struct mlv_memory_facts {
	uint32_t ordinal;
	struct mlv_history history;
	size_t segments;
	size_t streams;
	size_t private_pools;
	uint64_t with_python, without_python, without_stack; /* of the allocations */
	int64_t first_ns, last_ns;                           /* MLV_NO_TIME: none */
	struct mlv_memory_oom *ooms;
	size_t oom_count;
};

/* Borrows the run; `sites` is of the same run. MLV_E_NOMEM only, and nothing to finish then. */
enum mlv_rc mlv_memory_facts_init(struct mlv_memory_facts *f, const struct mlv_run *run,
				  size_t device, struct mlv_sites *sites, struct mlv_err *err);
void mlv_memory_facts_fini(struct mlv_memory_facts *f);

enum mlv_history_state {
	MLV_HISTORY_COMPLETE,
	MLV_HISTORY_CUT,        /* the file ends within the trace */
	MLV_HISTORY_UNREAD,     /* no events, and the file is damaged */
	MLV_HISTORY_FINAL_ONLY, /* no events in the file, although they were recorded */
	MLV_HISTORY_OFF,        /* nothing was recorded */
	MLV_HISTORY_OVERLAPS,   /* it contradicts itself */
	/* From here on: incomplete, because … */
	MLV_HISTORY_ONE_EVENT,          /* it holds one only */
	MLV_HISTORY_OLDEST_LOST,        /* the ring buffer was full, or recording was restarted */
	MLV_HISTORY_LATE,               /* recording began later than the program */
	MLV_HISTORY_OLDEST_LOST_LIKELY, /* its length is a round number */
	MLV_HISTORY_LATE_OR_LOST,       /* one of these, and nothing tells which */
};

enum mlv_history_state mlv_history_state(const struct mlv_history *h);

#endif
