/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_SEGMENT_WALK_H
#define MLV_RENDER_SEGMENT_WALK_H
/* Between the files of the segment map's layout: segments set into rows at a given scale. */
#include "render/segment_flow.h"

enum {
	MLV_FLOW_GAP = 3,    /* between bars, with the edges of both */
	MLV_FLOW_NARROW = 3, /* segments below are joined */
};

/* One way through all segments: to count rows, or to keep what is drawn. */
struct mlv_segment_walk {
	struct mlv_segment_flow *f;
	const struct mlv_segment_map *m;
	double scale; /* bytes per pixel */
	size_t rows, most;
	int32_t x;
	bool keep;
	/* The block that comes next, and how much of it has been drawn. */
	size_t block;
	uint64_t done;
	struct mlv_flow_cell together; /* what is too small to stand alone */
};

/* All parts; each begins in a new row. Stops where there are too many rows. */
bool mlv_segment_walk_all(struct mlv_segment_walk *w);

#endif
