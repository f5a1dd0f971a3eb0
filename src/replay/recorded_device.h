/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_RECORDED_DEVICE_H
#define MLV_REPLAY_RECORDED_DEVICE_H
/*
 * A recording as the device below the model: the segment events that were
 * recorded within one call answer, one after the other, what the model asks.
 */
#include "replay/recorded.h"

struct mlv_recorded_device {
	struct mlv_recorded *result;
	enum mlv_replay_lead lead;
	MLV_VEC(uint32_t) pending; /* segment events of the present call, in their order */
	size_t at;                 /* the next of them */
	MLV_VEC(uint32_t) late;    /* frees that complete when the call waits for the device */
	bool failing;              /* the present call failed in the recording */
	/* The present call, for differences. */
	uint32_t event;
	uint64_t bytes, stream;
	uint32_t pool;
	uint64_t invented; /* addresses for what the recording does not have */
};

struct mlv_backend mlv_recorded_backend(struct mlv_recorded_device *d);

/* The frees in `late` complete; `state` is a struct mlv_recorded_device. */
void mlv_recorded_complete_frees(void *state);

/* Note a difference, if it is the first. */
void mlv_recorded_differ(struct mlv_recorded_device *d, struct mlv_difference what);

/* The call is over: what the model did not ask for is a difference each. */
void mlv_recorded_done(struct mlv_recorded_device *d);

#endif
