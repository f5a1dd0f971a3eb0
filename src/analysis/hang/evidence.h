/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HANG_EVIDENCE_H
#define MLV_ANALYSIS_HANG_EVIDENCE_H
/*
 * What is known of a job's collectives, gathered from the runs of all ranks:
 * flight-recorder dumps, watchdog text in logs, failures, stacks. A run is
 * only read while it is added, and may be freed then: a thousand dumps of
 * two thousand entries are more than fits as runs, and little as calls.
 *
 * mlv_evidence_init, mlv_evidence_add for each run in any order,
 * mlv_evidence_finish; from then on it is read only. Ranks, groups and lanes
 * are in one order whatever the order of the files was.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/run.h"

#define MLV_NOT_KNOWN (-1)

enum mlv_call_kind {
	MLV_CALL_COLLECTIVE,
	MLV_CALL_SEND,
	MLV_CALL_RECV,
	MLV_CALL_COALESCED, /* the end of a coalesced group, which has no tensors of its own */
};

/* One call that a rank handed to its communication library. */
struct mlv_call {
	int64_t seq;     /* of collectives in this group; -1 not known */
	int64_t p2p_seq; /* of sends and receives of this rank in this group */
	int64_t op_id;
	int64_t start_ns, end_ns; /* by the clock of its host; MLV_NO_TIME */
	int64_t duration_ns;      /* on the device; -1 not recorded */
	int64_t timeout_ms;       /* 0 not known */
	uint32_t lane;
	mlv_strid name; /* "all_reduce", "send 0->1" */
	mlv_strid in_sizes, out_sizes, in_dtypes, out_dtypes;
	mlv_stackid stack;
	int32_t peer; /* of p2p, its place in the group; -1 */
	uint8_t kind; /* enum mlv_call_kind */
	bool done, started;
	bool sized;    /* its shapes were recorded */
	bool from_log; /* watchdog text: sizes are "[[N]]" of all its elements */
	bool grouped;  /* part of a coalesced group, which ends as one */
};

struct mlv_job_group {
	mlv_strid name, description;
	mlv_strid members_text; /* "0,1,2"; empty: not known */
	uint32_t first_lane, lanes;
	bool members_known;
	bool p2p; /* its members also send and receive: counters of status are mixed */
};

/* What one rank did, or did not do, in one group. */
struct mlv_job_lane {
	uint32_t rank, group; /* rows */
	uint32_t place;       /* within the group: what "send 0->1" counts */
	bool seen;            /* a dump or a log tells of this rank in this group */
	bool status;          /* the three below were stated */
	int64_t last_enqueued, last_started, last_completed;
	/* Its calls in program order: indices into calls by way of lane_calls. */
	uint32_t first_call, calls;
	/* Its collectives, one slot for each sequence number, ascending. */
	uint32_t first_slot, slots;
	/* What follows from calls and status; MLV_NOT_KNOWN. */
	int64_t enqueued; /* the greatest sequence number that it joined; 0: none */
	int64_t completed;
};

/* The calls of one lane that share a sequence number: one, or those of a coalesced group. */
struct mlv_slot {
	int64_t seq;
	uint32_t first, calls; /* into calls: they stand one behind the other */
	bool done;
};

enum mlv_rank_fate {
	MLV_FATE_UNKNOWN,
	MLV_FATE_FINISHED,   /* its program came to its end */
	MLV_FATE_TERMINATED, /* alive until the launcher ended it */
	MLV_FATE_FAILED,     /* ended by itself: see chain.h for why */
};

struct mlv_job_rank {
	int64_t rank;
	bool dump; /* a flight-recorder dump was read */
	mlv_strid file, version;
	uint64_t entries;
	bool whole;                 /* its ring buffer begins with the first call of the process */
	uint32_t first_call, calls; /* into calls, in program order */
	enum mlv_rank_fate fate;
	int64_t last_ns; /* the latest time in its dump: when it was written, or just before */
};

/* A collective of a trace of the profiler, on the device. */
struct mlv_kernel {
	int64_t start_ns, duration_ns;
	int64_t seq; /* that the trace states; -1 */
	int64_t rank;
	mlv_strid group, name;
};

/* A finding, with the rank and file that it is of. */
struct mlv_fact {
	uint32_t finding; /* of store.findings */
	mlv_strid file;
	int64_t rank; /* -1 unknown */
};

struct mlv_evidence {
	struct mlv_run store; /* strings, stacks, attributes and findings of all runs */
	MLV_VEC(struct mlv_job_rank) ranks;
	MLV_VEC(struct mlv_job_group) groups;
	MLV_VEC(struct mlv_job_lane) lanes;
	MLV_VEC(struct mlv_call) calls;
	MLV_VEC(uint32_t) lane_calls;
	MLV_VEC(struct mlv_slot) slots;
	MLV_VEC(struct mlv_kernel) kernels;
	MLV_VEC(struct mlv_fact) facts;
	struct mlv_map lane_ids; /* row of group << 32 | row of rank */
	struct mlv_raw *raw;     /* owned: as the files have it, until finish */
	size_t dumps, logs, traces;
	size_t nameless;   /* dumps whose rank nothing tells: left out */
	bool mixed_runs;   /* a rank has dumps of two runs */
	size_t quiet_logs; /* logs of ranks in which nothing was found */
	struct mlv_diags notes;
};

enum mlv_rc mlv_evidence_init(struct mlv_evidence *e, struct mlv_err *err);
void mlv_evidence_fini(struct mlv_evidence *e);
enum mlv_rc mlv_evidence_add(struct mlv_evidence *e, const struct mlv_run *run,
			     struct mlv_err *err);
enum mlv_rc mlv_evidence_finish(struct mlv_evidence *e, struct mlv_err *err);

/* The lane of a rank in a group, or UINT32_MAX. Rows, not numbers of ranks. */
uint32_t mlv_lane_of(const struct mlv_evidence *e, uint32_t group, uint32_t rank);
/* The row of a rank, UINT32_MAX if nothing names it. */
uint32_t mlv_rank_row(const struct mlv_evidence *e, int64_t rank);
/* The slot of a sequence number, NULL if the lane has none. */
const struct mlv_slot *mlv_slot_of(const struct mlv_evidence *e, const struct mlv_job_lane *lane,
				   int64_t seq);

static inline struct mlv_call *mlv_lane_call(const struct mlv_evidence *e,
					     const struct mlv_job_lane *lane, uint32_t i)
{
	return &e->calls.data[e->lane_calls.data[lane->first_call + i]];
}

static inline struct mlv_str mlv_evidence_str(const struct mlv_evidence *e, mlv_strid id)
{
	return mlv_run_str(&e->store, id);
}

#endif
