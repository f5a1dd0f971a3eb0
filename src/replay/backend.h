/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_BACKEND_H
#define MLV_REPLAY_BACKEND_H
/*
 * What stands below the allocator: a device that gives and takes memory. A
 * recording that answers as the device did, a model of the driver, or a GPU.
 *
 * The functions that take memory return false when the device has none left;
 * the allocator then goes the way that PyTorch goes. `state` is the first
 * argument of each.
 */
#include <stdbool.h>
#include <stdint.h>

struct mlv_backend {
	void *state;
	/* cudaMalloc. */
	bool (*alloc)(void *state, uint64_t bytes, uint64_t stream, uint64_t *addr);
	void (*free)(void *state, uint64_t addr, uint64_t bytes);
	/* Addresses for an expandable segment, whose parts are mapped in granules. */
	bool (*reserve)(void *state, uint64_t granule, uint64_t stream, uint64_t *addr,
			uint64_t *bytes);
	void (*release)(void *state, uint64_t addr, uint64_t bytes);
	/* Memory for a part of such addresses: all of it, or none. */
	bool (*map)(void *state, uint64_t addr, uint64_t bytes);
	void (*unmap)(void *state, uint64_t addr, uint64_t bytes);
	/*
	 * Whether garbage collection goes on, where the limit that decides is unknown
	 * (MLV_LIMIT_UNKNOWN). NULL: it does not.
	 */
	bool (*collecting)(void *state);
};

#endif
