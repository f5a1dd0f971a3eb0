/* SPDX-License-Identifier: MIT */
#include "replay/segment_map.h"

#include <string.h>

/* A segment by its first block. */
struct head {
	uint32_t pool; /* of the allocator: a row for each half */
	uint64_t stream, addr;
	mlv_blockid id;
};

static int by_place(const void *pa, const void *pb)
{
	const struct head *a = pa, *b = pb;
	return a->pool != b->pool       ? (a->pool < b->pool ? -1 : 1)
	       : a->stream != b->stream ? (a->stream < b->stream ? -1 : 1)
	       : a->addr != b->addr     ? (a->addr < b->addr ? -1 : 1)
					: (a->id > b->id) - (a->id < b->id);
}

typedef MLV_VEC(struct head) heads;

/* Rows that hold no block are those that were dropped; they are linked, not marked. */
static bool find_heads(const struct mlv_blocks *blocks, heads *found)
{
	bool *dropped = mlv_zeroed(blocks->rows.len + 1, sizeof(*dropped));
	bool ok = dropped;
	for (mlv_blockid id = ok ? blocks->spare : 0; id; id = mlv_block_at(blocks, id)->next)
		dropped[id] = true;
	for (mlv_blockid id = 1; ok && id < blocks->rows.len; id++) {
		const struct mlv_cache_block *b = mlv_block_at(blocks, id);
		struct head h = { b->pool, b->stream, b->addr, id };
		if (!dropped[id] && !b->prev)
			ok = mlv_vec_push(found, h);
	}
	free(dropped);
	if (ok && found->len)
		qsort(found->data, found->len, sizeof(*found->data), by_place);
	return ok;
}

void mlv_map_sums_add(struct mlv_map_sums *s, const struct mlv_map_block *b)
{
	switch (b->state) {
	case MLV_CACHE_FREE:
		s->free_bytes += b->bytes;
		break;
	case MLV_CACHE_UNMAPPED:
		s->unmapped += b->bytes;
		break;
	case MLV_CACHE_PENDING:
		s->pending += b->bytes;
		break;
	default:
		s->requested += b->requested;
		s->rounding += b->bytes - b->requested;
		break;
	}
}

/* The last block with memory: what lies behind it is not drawn, nor counted. */
static mlv_blockid last_mapped(const struct mlv_allocator *a, mlv_blockid first)
{
	mlv_blockid last = 0;
	for (mlv_blockid id = first; id; id = mlv_cache_at(a, id)->next)
		if (mlv_cache_at(a, id)->state != MLV_CACHE_UNMAPPED)
			last = id;
	return last;
}

static bool add_block(struct mlv_segment_map *m, struct mlv_map_segment *s, struct mlv_map_group *g,
		      const struct mlv_cache_block *b)
{
	struct mlv_map_block row = {
		.addr = b->addr, .bytes = b->size, .owner = b->owner, .state = b->state
	};
	bool is_free = b->state == MLV_CACHE_FREE;
	bool live = b->state == MLV_CACHE_ALLOCATED || b->state == MLV_CACHE_PENDING;
	if (live)
		row.requested = b->requested < b->size ? b->requested : b->size;
	if (is_free && (m->largest == SIZE_MAX || b->size > m->blocks.data[m->largest].bytes))
		m->largest = m->blocks.len;
	if (is_free && b->size > g->largest)
		g->largest = b->size;
	g->free_blocks += is_free;
	m->free_blocks += is_free;
	m->live_blocks += live;
	s->blocks++;
	s->bytes += b->size;
	s->mapped += b->state == MLV_CACHE_UNMAPPED ? 0 : b->size;
	s->free_bytes += is_free ? b->size : 0;
	mlv_map_sums_add(&m->sums, &row);
	return mlv_vec_push(&m->blocks, row);
}

static bool add_segment(struct mlv_segment_map *m, const struct mlv_allocator *a,
			const struct head *h)
{
	mlv_blockid last = last_mapped(a, h->id);
	if (!last)
		return true; /* addresses without any memory */
	struct mlv_map_group *g = &m->groups.data[m->groups.len - 1];
	struct mlv_map_segment s = { .addr = h->addr,
				     .first_block = m->blocks.len,
				     .expandable = mlv_cache_at(a, h->id)->range != MLV_NO_RANGE };
	for (mlv_blockid id = h->id;; id = mlv_cache_at(a, id)->next) {
		if (!add_block(m, &s, g, mlv_cache_at(a, id)))
			return false;
		if (id == last)
			break;
	}
	g->segments++;
	g->bytes += s.bytes;
	g->mapped += s.mapped;
	g->free_bytes += s.free_bytes;
	return mlv_vec_push(&m->segments, s);
}

static bool add_group(struct mlv_segment_map *m, const struct mlv_allocator *a,
		      const struct head *h)
{
	struct mlv_map_group g = { .pool = h->pool / 2,
				   .small = a->pools.data[h->pool].small,
				   .stream = h->stream,
				   .first_segment = m->segments.len };
	struct mlv_map_group *last = m->groups.len ? &m->groups.data[m->groups.len - 1] : NULL;
	if (last && last->pool == g.pool && last->small == g.small && last->stream == g.stream)
		return true;
	if (last && !last->segments)
		m->groups.len--;
	return mlv_vec_push(&m->groups, g);
}

enum mlv_rc mlv_segment_map_init(struct mlv_segment_map *m, const struct mlv_allocator *a,
				 struct mlv_err *err)
{
	heads found = { 0 };
	*m = (struct mlv_segment_map){ .largest = SIZE_MAX };
	bool ok = find_heads(&a->blocks, &found);
	for (size_t i = 0; ok && i < found.len; i++)
		ok = add_group(m, a, &found.data[i]) && add_segment(m, a, &found.data[i]);
	if (m->groups.len && !m->groups.data[m->groups.len - 1].segments)
		m->groups.len--;
	mlv_vec_free(&found);
	if (ok)
		return MLV_OK;
	mlv_segment_map_fini(m);
	return mlv_err_nomem(err);
}

void mlv_segment_map_fini(struct mlv_segment_map *m)
{
	mlv_vec_free(&m->blocks);
	mlv_vec_free(&m->segments);
	mlv_vec_free(&m->groups);
}
