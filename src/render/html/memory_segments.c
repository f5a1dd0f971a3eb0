/* SPDX-License-Identifier: MIT */
/*
 * What the page needs to tell the allocator's state at any moment: the segments that were there
 * before the first event, the pools of those that came later, and how far each request was rounded
 * up, which only a replay tells.
 */
#include <stdlib.h>

#include "render/html/memory_rows.h"
#include "replay/recorded.h"

/* The replay as it goes, and the blocks that it has put allocations into. */
struct blocks {
	struct mlv_recorded replay;
	const struct mlv_history *h;
	uint32_t *extra; /* of each allocation: 1 + units of 512 bytes that its block has beyond its
			    request rounded up to them; 0: none was found */
};

static void note(struct blocks *b, uint32_t alloc)
{
	mlv_blockid id = b->replay.blocks[alloc];
	uint64_t unit = MLV_ALLOC_MIN_BLOCK, least = b->h->allocs[alloc].bytes;
	if (!id)
		return;
	uint64_t block = mlv_cache_at(&b->replay.allocator, id)->size / unit;
	least = least ? (least - 1) / unit + 1 : 1;
	if (block >= least && block - least < UINT32_MAX)
		b->extra[alloc] = (uint32_t)(block - least) + 1;
}

static void begin(void *state, const struct mlv_allocator *a)
{
	struct blocks *b = state;
	(void)a;
	for (size_t i = 0; i < b->h->initial; i++)
		note(b, (uint32_t)i);
}

static void after(void *state, const struct mlv_allocator *a, uint32_t event)
{
	struct blocks *b = state;
	uint32_t alloc = b->replay.origin.alloc_of[event];
	(void)a;
	if (alloc != MLV_NEVER && b->h->events[event].action == MLV_MEM_ALLOC)
		note(b, alloc);
}

enum { HIGH, LOW, KIND, NARROW, BYTES = NARROW, STREAM, POOL_OWNER, POOL_ID, WIDE };

static const char *const columns[] = { "segment_addr_high", "segment_addr_low",
				       "segment_kind",      "segment_bytes",
				       "segment_stream",    "segment_pool_owner",
				       "segment_pool_id" };

/* `kind`: 1 = of small blocks, 2 = expandable. */
static int64_t value(const struct mlv_run *run, const struct mlv_origin_segment *s, int column)
{
	bool pooled = s->pool < run->pools.len;
	switch (column) {
	case HIGH:
		return (int64_t)(s->addr >> 32);
	case LOW:
		return (int64_t)(s->addr & UINT32_MAX);
	case KIND:
		return (s->small ? 1 : 0) | (s->expandable ? 2 : 0);
	case BYTES:
		return mlv_page_bytes(s->bytes);
	case STREAM:
		return (int64_t)s->stream;
	case POOL_OWNER:
		return pooled ? run->pools.data[s->pool].owner : -1;
	default:
		return pooled ? run->pools.data[s->pool].id : -1;
	}
}

static bool write_segments(struct mlv_pack *pack, const struct mlv_history *h,
			   const struct mlv_origin *o)
{
	size_t n = o->segments.len;
	int64_t *wide = malloc((n + 1) * sizeof(*wide));
	uint32_t *narrow = malloc((n + 1) * sizeof(*narrow));
	bool ok = wide && narrow;
	for (int c = 0; ok && c < WIDE; c++) {
		for (size_t i = 0; i < n; i++) {
			wide[i] = value(h->run, &o->segments.data[i], c);
			narrow[i] = (uint32_t)wide[i];
		}
		if (c < NARROW)
			mlv_pack_u32(pack, columns[c], narrow, n);
		else
			mlv_pack_i64(pack, columns[c], wide, n);
	}
	free(wide);
	free(narrow);
	return ok;
}

/* Of the events that take memory; 0 of the others. */
static bool write_pools(struct mlv_pack *pack, const struct mlv_history *h,
			const struct mlv_origin *o)
{
	int64_t *owner = malloc((h->other_count + 1) * sizeof(*owner));
	int64_t *id = malloc((h->other_count + 1) * sizeof(*id));
	bool ok = owner && id;
	for (size_t i = 0; ok && i < h->other_count; i++) {
		uint32_t event = h->others[i];
		bool takes = mlv_reserved_delta(&h->events[event]) > 0;
		uint16_t pool = takes ? o->event_pool[event] : MLV_POOL_DEFAULT;
		bool pooled = pool < h->run->pools.len;
		owner[i] = pooled ? h->run->pools.data[pool].owner : 0;
		id[i] = pooled ? h->run->pools.data[pool].id : 0;
	}
	if (ok) {
		mlv_pack_i64(pack, "other_pool_owner", owner, h->other_count);
		mlv_pack_i64(pack, "other_pool_id", id, h->other_count);
	}
	free(owner);
	free(id);
	return ok;
}

static void write_words(struct mlv_json *j, const struct blocks *b)
{
	const struct mlv_recorded *r = &b->replay;
	mlv_json_key_object(j, "replay");
	mlv_json_key_bool(j, "exact", mlv_recorded_exact(r));
	mlv_json_key_uint(j, "inferred", r->origin.inferred);
	mlv_json_key_uint(j, "homeless", r->origin.homeless);
	mlv_json_key_uint(j, "outside", r->origin.outside);
	mlv_json_object_end(j);
}

/* Reports that tell no segments, as traces do, have none of this. */
enum mlv_rc mlv_memory_rows_segments(struct mlv_pack *pack, const struct mlv_history *h,
				     struct mlv_err *err)
{
	struct mlv_diags notes = { 0 };
	struct blocks b = { .h = h };
	if (h->device->bytes_are != MLV_BYTES_REQUESTED)
		return MLV_OK;
	struct mlv_alloc_conf conf = mlv_alloc_conf_of(h->run, &notes);
	mlv_diags_fini(&notes);
	b.extra = calloc(h->alloc_count + 1, sizeof(*b.extra));
	if (!b.extra)
		return mlv_err_nomem(err);
	struct mlv_replay_options o = { .lead = MLV_REPLAY_RECORDED,
					.watch = { begin, after, &b } };
	enum mlv_rc rc = mlv_recorded_init(&b.replay, h, &conf, &o, err);
	if (!rc) {
		bool ok = write_segments(pack, h, &b.replay.origin) &&
			  write_pools(pack, h, &b.replay.origin);
		mlv_pack_u32(pack, "extra", b.extra, h->alloc_count);
		write_words(&pack->meta, &b);
		mlv_recorded_fini(&b.replay);
		rc = ok ? MLV_OK : mlv_err_nomem(err);
	}
	free(b.extra);
	return rc;
}
