/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_RECORDED_H
#define MLV_REPLAY_RECORDED_H
/*
 * A recording run through the model and compared with itself: allocations and
 * completed frees are fed, the model decides where each goes and what is taken
 * from the device and given back, and every address and every segment event
 * must be the recorded one.
 *
 * The device is the recording: it has memory when a segment event follows, and
 * has none when the recording shows memory being given back instead. With
 * MLV_REPLAY_PREDICT the limit alone decides, and the device is only asked
 * where new segments lie.
 */
#include <stdbool.h>
#include <stdint.h>

#include "replay/origin.h"

enum mlv_replay_lead { MLV_REPLAY_RECORDED, MLV_REPLAY_PREDICT };

/* Someone who looks on: `state` is the first argument of each; what is NULL is not called. */
struct mlv_replay_watch {
	/* Before the first event, and again where a replay starts anew from there. */
	void (*begin)(void *state, const struct mlv_allocator *a);
	/* After each event, or each request and free of a what-if: the allocator as it stands. */
	void (*after)(void *state, const struct mlv_allocator *a, uint32_t event);
	void *state;
};

struct mlv_replay_options {
	uint64_t allowed; /* by set_per_process_memory_fraction; 0: unknown, or not set */
	enum mlv_replay_lead lead;
	uint32_t events; /* only so many; 0: all. The allocator is left as it stands then */
	struct mlv_replay_watch watch;
};

/* What a program asked of the allocator: the same whatever the settings are. */
enum mlv_ask {
	MLV_ASK_MALLOC,
	MLV_ASK_FREE_REQUEST,
	MLV_ASK_FREE,
	MLV_ASK_EMPTY_CACHE,
	MLV_ASK_FAILED, /* a malloc that failed in the recording; bytes are rounded */
};

struct mlv_ask_row {
	uint32_t event; /* of the device */
	uint32_t alloc; /* row of history->allocs; of MLV_ASK_FAILED and EMPTY_CACHE: MLV_NEVER */
	uint8_t ask;    /* enum mlv_ask */
};

enum mlv_difference_kind {
	MLV_DIFFERENT_PLACE,   /* the block lies elsewhere */
	MLV_DIFFERENT_SEGMENT, /* another segment event, or one more, or one less */
	MLV_DIFFERENT_FAILURE, /* the request failed in one and not in the other */
};

/* Where model and recording first differ: what each did. */
struct mlv_difference {
	enum mlv_difference_kind kind;
	uint32_t event; /* of the device */
	uint64_t bytes; /* of the request */
	uint64_t stream;
	uint32_t pool;
	/* Segment events: actions of MLV_MEM_*, MLV_MEM_ACTIONS: none. */
	uint8_t recorded_action, model_action;
	uint64_t recorded_addr, recorded_bytes, model_addr, model_bytes;
};

struct mlv_recorded {
	const struct mlv_history *history; /* borrowed */
	struct mlv_alloc_conf conf;
	struct mlv_origin origin;
	struct mlv_allocator allocator; /* as it stands at the end */
	mlv_blockid *blocks;            /* of each allocation while it lives */
	MLV_VEC(struct mlv_ask_row) asks;
	uint64_t placements, placements_exact;
	uint64_t segment_events, segment_events_exact;
	uint64_t ooms, ooms_exact; /* recorded failures; how many failed in the model */
	uint64_t final_blocks, final_blocks_exact;
	uint64_t empty_caches; /* by the program */
	uint64_t slack; /* initial blocks enlarged since a later placement showed that they were */
	bool different;
	struct mlv_difference first; /* if different */
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_recorded_init(struct mlv_recorded *r, const struct mlv_history *h,
			      const struct mlv_alloc_conf *conf,
			      const struct mlv_replay_options *options, struct mlv_err *err);
void mlv_recorded_fini(struct mlv_recorded *r);

/* Whether every placement, segment event, failure and final block was the recorded one. */
bool mlv_recorded_exact(const struct mlv_recorded *r);

#endif
