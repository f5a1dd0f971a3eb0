/* SPDX-License-Identifier: MIT */
/* What a browser shows when the pointer rests on a block of a segment map. */
#include <inttypes.h>

#include "base/num.h"
#include "render/memory_hover.h"
#include "render/segment_map_chart.h"

static void bytes_of(struct mlv_buf *out, const char *before, uint64_t bytes, const char *behind)
{
	char n[MLV_NUM_SIZE];
	mlv_buf_printf(out, "%s%s%s", before, mlv_fmt_bytes(n, sizeof(n), bytes), behind);
}

/* Several blocks that share their pixels. */
static void together(const struct mlv_flow_cell *cell, struct mlv_buf *out)
{
	const struct mlv_map_sums *s = &cell->sums;
	char n[MLV_NUM_SIZE];
	mlv_fmt_count_of(n, sizeof(n), cell->blocks, "block", "blocks");
	mlv_buf_printf(out, "%s, each narrower than a pixel", n);
	bytes_of(out, "\n", s->requested, " requested");
	bytes_of(out, ", ", s->rounding, " rounding");
	if (s->pending)
		bytes_of(out, ", ", s->pending, " awaiting a stream");
	bytes_of(out, ", ", s->free_bytes, " free");
}

static void age(const struct mlv_segment_map_chart *chart, const struct mlv_alloc *a,
		struct mlv_buf *out)
{
	char n[MLV_NUM_SIZE], past[MLV_NUM_SIZE];
	if (a->born == MLV_NEVER) {
		mlv_buf_puts(out, "\nallocated before the recording");
		return;
	}
	mlv_buf_printf(out, "\nallocated by event %s", mlv_fmt_count(n, sizeof(n), a->born));
	if (chart->event > (int64_t)a->born)
		mlv_buf_printf(out, ", %s before",
			       mlv_fmt_count_of(past, sizeof(past),
						(uint64_t)(chart->event - (int64_t)a->born),
						"event", "events"));
}

static void live(const struct mlv_segment_map_chart *chart, const struct mlv_map_block *b,
		 struct mlv_buf *out)
{
	const struct mlv_alloc *a = mlv_map_alloc(chart, b);
	bytes_of(out, "\n", b->requested, " requested");
	mlv_buf_printf(out, " (%" PRIu64 " bytes)", b->requested);
	if (b->state == MLV_CACHE_PENDING)
		mlv_buf_puts(out, "\nfreed by the program, awaiting a stream");
	if (!a)
		return;
	age(chart, a, out);
	mlv_hover_stack(chart->classes, chart->classes->of_alloc[b->owner], a, out);
}

void mlv_segment_hover(const struct mlv_segment_map_chart *chart, const struct mlv_flow_cell *cell,
		       struct mlv_buf *out)
{
	const struct mlv_map_block *b = &chart->map->blocks.data[cell->first];
	out->len = 0;
	if (!cell->single) {
		together(cell, out);
		return;
	}
	bytes_of(out, "", b->bytes, b->state == MLV_CACHE_FREE ? " free" : " block");
	if (b->state == MLV_CACHE_UNMAPPED)
		mlv_buf_puts(out, ", unmapped: addresses without memory");
	mlv_buf_printf(out, " (%" PRIu64 " bytes) at 0x%" PRIx64, b->bytes, b->addr);
	if (cell->first == chart->map->largest)
		mlv_buf_puts(out, "\nthe largest free block");
	if (b->state == MLV_CACHE_ALLOCATED || b->state == MLV_CACHE_PENDING)
		live(chart, b, out);
}
