/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_SEGMENT_FLOW_H
#define MLV_RENDER_SEGMENT_FLOW_H
/*
 * Where segments and blocks lie in the picture of a segment map. Segments flow
 * like words: side by side in rows, one scale for all, a group of them under a
 * heading of its own. One that is longer than a row goes on in the next;
 * those narrower than three pixels stand in bars without gaps.
 *
 * A cell is what is drawn as one: a block at least a pixel wide, or all that
 * lies between two such, whose shares fill the height of its pixels. Edges are
 * rounded from exact sums, so cells tile their bar and every byte is in one.
 */
#include "replay/segment_map.h"

struct mlv_flow_cell {
	size_t row;
	int32_t x0, x1;           /* pixels from the left of the row; equal: too small to be seen */
	int32_t x_used;           /* of one allocated block: where what was requested ends */
	size_t first, blocks;     /* of the map; the first may have begun in another cell */
	struct mlv_map_sums sums; /* of the bytes in this cell */
	bool single;
};

/* A bar: a segment or a part of it, or neighbours without gaps. */
struct mlv_flow_bar {
	size_t row;
	int32_t x0, x1;
	size_t first, segments;   /* of the map */
	bool from_left, to_right; /* it goes on from the row before, to the row behind */
};

struct mlv_flow_row {
	int32_t y;     /* from the top of the area */
	uint64_t addr; /* of its first byte */
};

/* A heading, and the rows below it. */
struct mlv_flow_part {
	int32_t y;
	size_t first, groups; /* of `order` */
};

struct mlv_segment_flow {
	int32_t width, bar_height;
	double bytes_per_pixel;
	MLV_VEC(struct mlv_flow_cell) cells;
	MLV_VEC(struct mlv_flow_bar) bars;
	MLV_VEC(struct mlv_flow_row) rows;
	MLV_VEC(struct mlv_flow_part) parts;
	/* Groups of the map as they are drawn: those for which there was no room are in one part.
	 */
	size_t *order;
	uint64_t joined; /* segments in bars with others */
};

/* Room for a heading above the rows of a part. */
enum { MLV_FLOW_HEADING = 20 };

/* The finest scale that fits. MLV_E_USAGE if none does, MLV_E_NOMEM. */
enum mlv_rc mlv_segment_flow_init(struct mlv_segment_flow *f, const struct mlv_segment_map *m,
				  int32_t width, int32_t height, struct mlv_err *err);
void mlv_segment_flow_fini(struct mlv_segment_flow *f);

#endif
