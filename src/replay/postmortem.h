/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_POSTMORTEM_H
#define MLV_REPLAY_POSTMORTEM_H
/*
 * Why a request failed: what was asked, what the limit was, what was free and
 * in which pieces, and one verdict with the figures that led to it.
 * docs/replay.md states the rules.
 */
#include "replay/free_space.h"
#include "replay/whatif.h"

enum mlv_oom_verdict {
	MLV_OOM_CAPACITY,      /* what is alive and the request exceed the limit */
	MLV_OOM_LEAK,          /* so they do, and what is alive had been growing all along */
	MLV_OOM_OTHER_MEMORY,  /* others hold memory without which the request would fit */
	MLV_OOM_FRAGMENTATION, /* enough is free or could be, in pieces that are too small */
};

/* How the limit is known. */
enum mlv_limit_kind {
	MLV_LIMIT_GIVEN,    /* by the user, or of the what-if */
	MLV_LIMIT_INFERRED, /* below what the device had: between two bounds */
	MLV_LIMIT_DEVICE,   /* reserved memory and what the device had free */
};

struct mlv_postmortem {
	uint32_t event;     /* of the recording */
	uint64_t at_alloc;  /* number of the request, from 0 */
	uint64_t requested; /* bytes; 0: only the rounded size was recorded */
	uint64_t rounded;   /* of the block */
	uint64_t segment;   /* bytes that were asked from the device for it */
	uint32_t pool;
	uint64_t stream;
	bool small;
	mlv_stackid stack;
	uint64_t device_free; /* by the device when it failed; UINT64_MAX: unknown */
	enum mlv_limit_kind limit_kind;
	uint64_t limit, limit_most; /* bytes; MLV_LIMIT_INFERRED: at least, and less than */
	uint64_t capacity;          /* of the device, as the user gave it; 0: unknown */
	uint64_t outside;           /* of that, held by others: capacity known only */
	struct mlv_alloc_stats at;  /* the allocator's counters at the failure */
	struct mlv_free_space space;
	uint64_t usable, usable_largest; /* free in the request's own pool and stream */
	/* Of each quarter of the recording before the failure: the least requested bytes, and the
	   most that they fell from a height before. */
	uint64_t floors[4], falls[4];
	enum mlv_oom_verdict verdict;
};

struct mlv_postmortem_setup {
	uint64_t limit;    /* set_per_process_memory_fraction in bytes; 0: unknown or none */
	uint64_t capacity; /* of the device; 0: unknown */
};

/* The events of history->device that are failed requests: the number'th, from 0. -1: none. */
int64_t mlv_oom_event(const struct mlv_history *h, uint32_t number);

/* Of a recorded failure. MLV_E_NOMEM only. */
enum mlv_rc mlv_postmortem_init(struct mlv_postmortem *p, const struct mlv_history *h,
				const struct mlv_alloc_conf *conf, uint32_t event,
				const struct mlv_postmortem_setup *setup, struct mlv_err *err);

/* Of a failure in a what-if, whose allocator stands as it stood then. */
enum mlv_rc mlv_postmortem_whatif(struct mlv_postmortem *p, const struct mlv_whatif *w,
				  const struct mlv_history *h, struct mlv_err *err);
void mlv_postmortem_fini(struct mlv_postmortem *p);

const char *mlv_oom_verdict_name(enum mlv_oom_verdict v); /* "fragmentation" */

#endif
