/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_CLOCK_H
#define MLV_ANALYSIS_CLOCK_H
/*
 * Whether two recordings of one process may stand on one axis of time. That
 * both count from 1970 is what they state; that they agree is shown by what
 * both of them saw: an allocation at one address, once in a memory snapshot
 * and once in a trace of the profiler. What cannot be shown is said so.
 *
 * A witness is what is to be kept of a recording for that; it does not need
 * the run any more.
 */
#include "base/err.h"
#include "model/run.h"

enum mlv_clock {
	MLV_CLOCK_NONE, /* its rows have no times */
	MLV_CLOCK_OWN,  /* from a moment that only the recorder knew, or of a day not named */
	MLV_CLOCK_UNIX, /* nanoseconds since 1970 */
};

/* An allocation. Its size is rounded by one recorder and not by the other, so it says nothing. */
struct mlv_clock_seen {
	uint64_t addr;
	int64_t time;
};

struct mlv_clock_witness {
	/* By what the recording states, else by whether all its times can be of this century. */
	enum mlv_clock clock;
	int64_t first, last;                 /* times */
	MLV_VEC(struct mlv_clock_seen) seen; /* by address, then time */
};

/* MLV_E_NOMEM only; `fini` takes what is half done. */
enum mlv_rc mlv_clock_witness_init(struct mlv_clock_witness *w, const struct mlv_run *run,
				   struct mlv_err *err);
void mlv_clock_witness_fini(struct mlv_clock_witness *w);

enum mlv_clocks_state {
	MLV_CLOCKS_AGREE,   /* shown by what both saw */
	MLV_CLOCKS_STATED,  /* both count from 1970; nothing that both saw can show more */
	MLV_CLOCKS_APART,   /* both count from 1970, and have no moment in common */
	MLV_CLOCKS_DIFFER,  /* what both saw happened at unlike times */
	MLV_CLOCKS_UNKNOWN, /* at least one has no clock that others know */
};

struct mlv_clocks {
	enum mlv_clocks_state state;
	uint64_t compared; /* allocations of b at addresses that a saw */
	uint64_t near;     /* of these, within MLV_CLOCKS_NEAR of one of a */
	int64_t median_ns; /* of b - a over all that were compared */
};

/* Far less than the time between two allocations at one address that are not the same. */
#define MLV_CLOCKS_NEAR INT64_C(100000)

/* Whether they may share an axis. */
static inline bool mlv_clocks_comparable(const struct mlv_clocks *c)
{
	return c->state == MLV_CLOCKS_AGREE || c->state == MLV_CLOCKS_STATED;
}

/* Of one rank; the caller sees to that. MLV_E_NOMEM only. */
enum mlv_rc mlv_clocks_compare(const struct mlv_clock_witness *a, const struct mlv_clock_witness *b,
			       struct mlv_clocks *ret, struct mlv_err *err);

#endif
