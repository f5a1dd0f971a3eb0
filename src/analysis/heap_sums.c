/* SPDX-License-Identifier: MIT */
#include "analysis/heap_sums.h"

struct mlv_heap_sums mlv_heap_sums_of(const struct mlv_history *h)
{
	struct mlv_heap_sums sum = { 0 };
	const struct mlv_device *dev = h->device;
	for (size_t i = 0; i < dev->segments; i++) {
		const struct mlv_segment *s = &h->run->segments.data[dev->first_segment + i];
		sum.reserved += s->bytes;
		for (size_t k = 0; k < s->blocks; k++) {
			const struct mlv_block *b = &h->run->blocks.data[s->first_block + k];
			if (b->state != MLV_BLOCK_INACTIVE)
				sum.active += b->bytes;
			else if (b->bytes > sum.largest_free)
				sum.largest_free = b->bytes;
		}
	}
	/* A damaged file may hold blocks that are larger than their segments. */
	sum.idle = sum.reserved > sum.active ? sum.reserved - sum.active : 0;
	return sum;
}
