/* SPDX-License-Identifier: MIT */
/* The segments at the end of a recording as columns. */
#include <stdlib.h>

#include "render/html/memory_rows.h"

enum { HIGH, LOW, KIND, STACK, NARROW, BYTES = NARROW, STREAM, POOL_OWNER, POOL_ID, WIDE };

static const char *const columns[] = { "segment_addr_high",  "segment_addr_low", "segment_kind",
				       "segment_stack",      "segment_bytes",    "segment_stream",
				       "segment_pool_owner", "segment_pool_id" };

/* `kind`: 1 = of small blocks, 2 = expandable. */
static int64_t value(const struct mlv_run *run, const struct mlv_segment *s,
		     const struct mlv_stack_table *t, int column)
{
	bool pooled = s->pool < run->pools.len;
	switch (column) {
	case HIGH:
		return (int64_t)(s->addr >> 32);
	case LOW:
		return (int64_t)(s->addr & UINT32_MAX);
	case KIND:
		return (s->small ? 1 : 0) | (s->expandable ? 2 : 0);
	case STACK:
		return mlv_stack_table_id(t, s->stack);
	case BYTES:
		return mlv_page_bytes(s->bytes);
	case STREAM:
		return s->track.i < run->tracks.len ? run->tracks.data[s->track.i].number : -1;
	case POOL_OWNER:
		return pooled ? run->pools.data[s->pool].owner : -1;
	default:
		return pooled ? run->pools.data[s->pool].id : -1;
	}
}

enum mlv_rc mlv_memory_rows_segments(struct mlv_pack *pack, const struct mlv_history *h,
				     const struct mlv_stack_table *t, struct mlv_err *err)
{
	size_t n = h->device->segments;
	int64_t *wide = malloc((n + 1) * sizeof(*wide));
	uint32_t *narrow = malloc((n + 1) * sizeof(*narrow));
	bool ok = wide && narrow;
	for (int c = 0; ok && c < WIDE; c++) {
		for (size_t i = 0; i < n; i++) {
			const struct mlv_segment *s =
				&h->run->segments.data[h->device->first_segment + i];
			wide[i] = value(h->run, s, t, c);
			narrow[i] = (uint32_t)wide[i];
		}
		if (c < NARROW)
			mlv_pack_u32(pack, columns[c], narrow, n);
		else
			mlv_pack_i64(pack, columns[c], wide, n);
	}
	free(wide);
	free(narrow);
	return ok ? MLV_OK : mlv_err_nomem(err);
}
