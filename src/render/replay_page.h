/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_REPLAY_PAGE_H
#define MLV_RENDER_REPLAY_PAGE_H
/* The picture of a replay: fragmentation over time, the segments at a moment, or one above the
 * other. */
#include "render/frag_chart.h"
#include "render/page.h"
#include "render/segment_map_chart.h"

struct mlv_replay_page {
	struct mlv_page page;
	const struct mlv_frag_chart *frag;       /* NULL: only the map */
	const struct mlv_segment_map_chart *map; /* NULL: only what is over time */
};

/* Columns that a series for a page of this width needs at the most. */
uint32_t mlv_replay_page_columns(int width);

/* MLV_E_USAGE if the picture is too small, MLV_E_NOMEM. */
enum mlv_rc mlv_replay_page_draw(struct mlv_canvas *c, const struct mlv_replay_page *p,
				 struct mlv_err *err);

#endif
