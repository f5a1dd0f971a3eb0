/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_COUNTERS_H
#define MLV_REPLAY_COUNTERS_H
/*
 * Allocated bytes, which no recording states: requests are rounded up to
 * blocks, and how far depends on where they land. A replay tells, and vouches
 * for it by being exact. It can run beside other work.
 */
#include <pthread.h>

#include "replay/recorded.h"

struct mlv_counters {
	bool known; /* the replay was exact */
	struct mlv_alloc_stats stats;
	uint64_t allocated_at; /* after the event that was asked for */
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_counters_of(struct mlv_counters *c, const struct mlv_history *h,
			    struct mlv_err *err);

/* The same, and what was allocated after an event. */
enum mlv_rc mlv_counters_at(struct mlv_counters *c, const struct mlv_history *h, uint32_t event,
			    struct mlv_err *err);

/* The same; allocated[e] becomes what was allocated after event e, *start before the first. */
enum mlv_rc mlv_counters_series(struct mlv_counters *c, const struct mlv_history *h,
				uint64_t *start, uint64_t *allocated, struct mlv_err *err);

struct mlv_counting {
	const struct mlv_history *history;
	struct mlv_counters counters;
	enum mlv_rc rc;
	pthread_t thread;
	bool threaded;
};

/* Begin, on a thread of its own if there can be one. `c` and the history stay where they are. */
void mlv_counting_begin(struct mlv_counting *c, const struct mlv_history *h);
/* Wait for it. MLV_E_NOMEM only. Counters that were never begun are unknown. */
enum mlv_rc mlv_counting_end(struct mlv_counting *c, struct mlv_err *err);

#endif
