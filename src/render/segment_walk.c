/* SPDX-License-Identifier: MIT */
#include "render/segment_walk.h"

static int32_t pixels(const struct mlv_segment_walk *w, uint64_t bytes)
{
	double n = (double)bytes / w->scale + 0.5;
	return n > w->f->width ? w->f->width + 1 : (int32_t)n;
}

static bool new_row(struct mlv_segment_walk *w)
{
	w->rows++;
	w->x = 0;
	return !w->keep || mlv_vec_push(&w->f->rows, (struct mlv_flow_row){ 0 });
}

static bool keep_cell(struct mlv_segment_walk *w, struct mlv_flow_cell c)
{
	c.row = w->rows - 1;
	return mlv_vec_push(&w->f->cells, c);
}

static bool end_together(struct mlv_segment_walk *w, int32_t x)
{
	struct mlv_flow_cell c = w->together;
	c.x1 = c.x_used = x;
	w->together.blocks = 0;
	return !c.blocks || keep_cell(w, c);
}

/* `take` bytes of the next block, at x0 to x1. */
static bool keep_block(struct mlv_segment_walk *w, uint64_t take, int32_t x0, int32_t x1)
{
	const struct mlv_map_block *b = &w->m->blocks.data[w->block];
	struct mlv_map_block part = { .state = b->state, .bytes = take };
	if (b->requested > w->done)
		part.requested = b->requested - w->done < take ? b->requested - w->done : take;
	if (x1 > x0 && (double)take >= w->scale) {
		struct mlv_flow_cell c = { .x0 = x0,
					   .x1 = x1,
					   .x_used = x1,
					   .first = w->block,
					   .blocks = 1,
					   .single = true };
		if (b->state == MLV_CACHE_ALLOCATED)
			c.x_used = x0 + pixels(w, part.requested);
		c.x_used = c.x_used > x1 ? x1 : c.x_used;
		mlv_map_sums_add(&c.sums, &part);
		return end_together(w, x0) && keep_cell(w, c);
	}
	if (!w->together.blocks)
		w->together = (struct mlv_flow_cell){ .x0 = x0, .first = w->block };
	w->together.blocks++;
	mlv_map_sums_add(&w->together.sums, &part);
	return true;
}

/* The next `bytes`, in a bar from w->x to x1. */
static bool keep_bar(struct mlv_segment_walk *w, struct mlv_flow_bar bar, uint64_t bytes)
{
	struct mlv_flow_row *row = &w->f->rows.data[w->rows - 1];
	if (w->x == 0)
		row->addr = w->m->blocks.data[w->block].addr + w->done;
	bar.row = w->rows - 1;
	bar.x0 = w->x;
	if (!mlv_vec_push(&w->f->bars, bar))
		return false;
	for (uint64_t at = 0; at < bytes;) {
		uint64_t left = w->m->blocks.data[w->block].bytes - w->done;
		uint64_t take = left < bytes - at ? left : bytes - at;
		int32_t x0 = bar.x0 + pixels(w, at), x1 = bar.x0 + pixels(w, at + take);
		if (!keep_block(w, take, x0 > bar.x1 ? bar.x1 : x0, x1 > bar.x1 ? bar.x1 : x1))
			return false;
		at += take;
		w->done += take;
		if (take == left) {
			w->block++;
			w->done = 0;
		}
	}
	return end_together(w, bar.x1);
}

/* A segment, or `n` without gaps. */
static bool flow(struct mlv_segment_walk *w, size_t first, size_t n, uint64_t bytes)
{
	int32_t width = w->f->width, wanted = n == 1 ? pixels(w, bytes) : MLV_FLOW_NARROW;
	uint64_t round = 1;
	/* Rows begin at round addresses, as long as that moves nothing by a pixel. */
	while ((double)round * 2 <= w->scale)
		round *= 2;
	w->block = w->m->segments.data[first].first_block;
	w->done = 0;
	wanted = wanted < 1 ? 1 : wanted;
	if (w->x && w->x + wanted > width && !new_row(w))
		return false;
	for (uint64_t at = 0; at < bytes && w->rows <= w->most;) {
		uint64_t room = (uint64_t)((width - w->x) * w->scale) / round * round;
		uint64_t part = bytes - at;
		part = part < room ? part : room;
		int32_t x1 = w->x + (part ? pixels(w, part) : 0);
		x1 = x1 <= w->x ? w->x + 1 : x1 > width ? width : x1;
		struct mlv_flow_bar bar = { .x1 = x1,
					    .first = first,
					    .segments = n,
					    .from_left = at > 0,
					    .to_right = at + part < bytes };
		if (w->keep && !keep_bar(w, bar, part))
			return false;
		at += part;
		w->x = x1 + MLV_FLOW_GAP;
		if (at < bytes && !new_row(w))
			return false;
	}
	return true;
}

static bool flow_group(struct mlv_segment_walk *w, const struct mlv_map_group *g)
{
	uint64_t bytes = 0;
	size_t n = 0;
	for (size_t i = 0; i < g->segments && w->rows <= w->most; i++) {
		const struct mlv_map_segment *s = &w->m->segments.data[g->first_segment + i];
		bool narrow = (double)s->bytes < MLV_FLOW_NARROW * w->scale;
		if (narrow) {
			n++;
			bytes += s->bytes;
		}
		if (n && (!narrow || i + 1 == g->segments)) {
			size_t behind = g->first_segment + i + narrow;
			if (!flow(w, behind - n, n, bytes))
				return false;
			w->f->joined += w->keep && n > 1 ? n : 0;
			n = 0;
			bytes = 0;
		}
		if (!narrow && !flow(w, g->first_segment + i, 1, s->bytes))
			return false;
	}
	return true;
}

bool mlv_segment_walk_all(struct mlv_segment_walk *w)
{
	w->rows = 0;
	for (size_t i = 0; i < w->f->parts.len && w->rows <= w->most; i++) {
		struct mlv_flow_part *p = &w->f->parts.data[i];
		/* While rows have no place yet, the part keeps the number of its first one. */
		p->y = (int32_t)w->rows;
		if (!new_row(w))
			return false;
		for (size_t k = 0; k < p->groups; k++)
			if (!flow_group(w, &w->m->groups.data[w->f->order[p->first + k]]))
				return false;
	}
	return true;
}
