/* SPDX-License-Identifier: MIT */
/*
 * Ranges of a recording of expandable segments. It does not say where a range
 * of addresses begins and ends, but all that was ever mapped of it is known:
 * what touches is one range here, so that blocks, which lie in mapped memory,
 * never reach from one range into another.
 */
#include "replay/gpu/gpu_run.h"

struct part {
	uint64_t addr, bytes;
	bool small;
};

struct parts {
	MLV_VEC(struct part) rows;
};

static bool add(struct parts *p, struct part part)
{
	uint64_t end;
	if (!part.bytes || __builtin_add_overflow(part.addr, part.bytes, &end))
		return true;
	return mlv_vec_push(&p->rows, part);
}

static bool collect(struct parts *p, const struct mlv_recorded *r)
{
	for (size_t i = 0; i < r->origin.segments.len; i++) {
		const struct mlv_origin_segment *s = &r->origin.segments.data[i];
		if (s->expandable && !add(p, (struct part){ s->addr, s->bytes, s->small }))
			return false;
	}
	for (size_t i = 0; i < r->history->count; i++) {
		const struct mlv_mem_event *e = &r->history->events[i];
		if (e->action == MLV_MEM_SEGMENT_MAP &&
		    !add(p, (struct part){ e->addr, e->bytes, false }))
			return false;
	}
	return true;
}

static int by_addr(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* All that touches, from row `i` on; the row behind it in *i. */
static struct mlv_gpu_island next(const struct parts *p, uint64_t large, size_t *i)
{
	struct mlv_gpu_island island = { p->rows.data[*i].addr, 0, large };
	for (; *i < p->rows.len && p->rows.data[*i].addr - island.addr <= island.bytes; (*i)++) {
		const struct part *part = &p->rows.data[*i];
		uint64_t offset = part->addr - island.addr;
		if (offset + part->bytes > island.bytes)
			island.bytes = offset + part->bytes;
		if (part->small || offset % large || part->bytes % large)
			island.cell = MLV_ALLOC_BUFFER;
	}
	return island;
}

bool mlv_gpu_expect_islands(struct mlv_gpu_run *g)
{
	struct parts p = { 0 };
	bool ok = collect(&p, g->recorded);
	if (ok && p.rows.len)
		qsort(p.rows.data, p.rows.len, sizeof(*p.rows.data), by_addr);
	for (size_t i = 0; ok && i < p.rows.len;)
		ok = mlv_gpu_space_expect(&g->space, next(&p, g->recorded->conf.large_segment, &i));
	mlv_vec_free(&p.rows);
	if (!ok)
		mlv_err_nomem(&g->gpu.err);
	return ok;
}
