/* SPDX-License-Identifier: MIT */
/* The segments at one moment of a replay as JSON; docs/json.md lists the fields. */
#include <stdio.h>

#include "report/replay.h"

static void address(struct mlv_json *j, uint64_t addr)
{
	char text[24];
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)addr);
	mlv_json_key_text(j, "address", text);
}

static void block(struct mlv_json *j, const struct mlv_history *h, const struct mlv_map_block *b)
{
	static const char *const states[] = { [MLV_CACHE_FREE] = "free",
					      [MLV_CACHE_UNMAPPED] = "unmapped",
					      [MLV_CACHE_ALLOCATED] = "allocated",
					      [MLV_CACHE_PENDING] = "pending" };
	bool live = b->state == MLV_CACHE_ALLOCATED || b->state == MLV_CACHE_PENDING;
	mlv_json_object(j);
	address(j, b->addr);
	mlv_json_key_uint(j, "bytes", b->bytes);
	mlv_json_key_text(j, "state", states[b->state]);
	if (live) {
		uint32_t born = b->owner < h->alloc_count ? h->allocs[b->owner].born : MLV_NEVER;
		mlv_json_key_uint(j, "requested_bytes", b->requested);
		mlv_json_key(j, "event");
		if (born == MLV_NEVER)
			mlv_json_null(j);
		else
			mlv_json_uint(j, born);
	}
	mlv_json_object_end(j);
}

static void segment(struct mlv_json *j, const struct mlv_history *h,
		    const struct mlv_segment_map *map, const struct mlv_map_group *g,
		    const struct mlv_map_segment *s)
{
	mlv_json_object(j);
	address(j, s->addr);
	mlv_json_key_uint(j, "bytes", s->bytes);
	mlv_json_key_uint(j, "mapped_bytes", s->mapped);
	mlv_json_key_bool(j, "expandable", s->expandable);
	mlv_json_key_uint(j, "pool", g->pool);
	mlv_json_key_bool(j, "small", g->small);
	mlv_json_key_uint(j, "stream", g->stream);
	mlv_json_key_array(j, "blocks");
	for (size_t i = 0; i < s->blocks; i++)
		block(j, h, &map->blocks.data[s->first_block + i]);
	mlv_json_array_end(j);
	mlv_json_object_end(j);
}

void mlv_map_moment_json(const struct mlv_map_moment *m, const struct mlv_history *h,
			 struct mlv_json *j)
{
	const struct mlv_segment_map *map = m->map;
	const struct mlv_map_sums *s = &map->sums;
	uint64_t allocated = s->requested + s->rounding;
	mlv_json_object(j);
	mlv_json_key_uint(j, "event", m->event);
	mlv_json_key_bool(j, "what_if", m->whatif);
	mlv_json_key_bool(j, "ended", m->ended);
	mlv_json_key_uint(j, "failed_request_bytes", m->request);
	mlv_json_key_uint(j, "requested_bytes", s->requested);
	mlv_json_key_uint(j, "allocated_bytes", allocated);
	mlv_json_key_uint(j, "pending_bytes", s->pending);
	mlv_json_key_uint(j, "free_bytes", s->free_bytes);
	mlv_json_key_uint(j, "reserved_bytes", allocated + s->pending + s->free_bytes);
	mlv_json_key_uint(j, "largest_free_bytes",
			  map->largest == SIZE_MAX ? 0 : map->blocks.data[map->largest].bytes);
	mlv_json_key_array(j, "segments");
	for (size_t i = 0; i < map->groups.len; i++) {
		const struct mlv_map_group *g = &map->groups.data[i];
		for (size_t k = 0; k < g->segments; k++)
			segment(j, h, map, g, &map->segments.data[g->first_segment + k]);
	}
	mlv_json_array_end(j);
	mlv_json_object_end(j);
}
