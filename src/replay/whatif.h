/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_WHATIF_H
#define MLV_REPLAY_WHATIF_H
/*
 * What a recorded program would have taken from the device under other
 * settings, another limit, or on another device: the same requests and frees,
 * everything else decided by the model, addresses by a driver profile. It ends
 * with the first request that fails: the program would have gone another way
 * from there.
 */
#include "replay/driver.h"
#include "replay/recorded.h"

/*
 * A device to run it on in place of the model of one. `backend.state` is the first argument of
 * each; those that answer say by false that the device is lost.
 */
struct mlv_whatif_device {
	struct mlv_backend backend;
	/* A segment that is older than the recording. */
	bool (*adopt)(void *state, const struct mlv_origin_segment *s);
	/* A block is placed, and is about to be freed: row of history->allocs. */
	bool (*placed)(void *state, uint32_t alloc, uint64_t addr, uint64_t bytes);
	bool (*leaves)(void *state, uint32_t alloc, uint64_t addr, uint64_t bytes);
	/* Before each event: whether the device still answers, and the run is to go on. */
	bool (*next)(void *state, uint32_t event);
};

struct mlv_whatif_setup {
	struct mlv_alloc_conf conf;
	uint64_t limit;    /* set_per_process_memory_fraction in bytes; 0: none */
	uint64_t capacity; /* the device's own memory that can be taken; 0: no end */
	enum mlv_driver_profile profile;
	/*
	 * Go on behind a request that failed in the recording and is met here, as if the program
	 * had given it back at once; else end there.
	 */
	bool go_on;
	uint32_t events; /* only what was asked in so many events of the recording; 0: in all */
	struct mlv_replay_watch watch;          /* its events are those of the recording */
	const struct mlv_whatif_device *device; /* NULL: a driver by `profile` and `capacity` */
};

struct mlv_whatif {
	struct mlv_whatif_setup setup;
	struct mlv_allocator allocator; /* as it stands at the end; its device is gone */
	uint64_t allocs;                /* requests that were met */
	int64_t oom_at_alloc;           /* number of the request that failed, from 0; -1: none */
	uint32_t oom_event;             /* in the recording, where the request stood */
	uint64_t oom_bytes;             /* of that request */
	bool survived_recorded;         /* a request that failed in the recording was met */
	bool lost;                      /* setup.device ended it */
	uint64_t driver_bytes;          /* taken from the model's device at the end */
};

/* `r` must outlive the result. MLV_E_NOMEM only. */
enum mlv_rc mlv_whatif_init(struct mlv_whatif *w, const struct mlv_recorded *r,
			    const struct mlv_whatif_setup *setup, struct mlv_err *err);
void mlv_whatif_fini(struct mlv_whatif *w);

#endif
