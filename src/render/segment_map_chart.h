/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_SEGMENT_MAP_CHART_H
#define MLV_RENDER_SEGMENT_MAP_CHART_H
/*
 * The segments of an allocator at one moment, to scale: what is in use and by
 * whom, what is lost to rounding, what waits for a stream, and in which pieces
 * the rest is free.
 */
#include "analysis/classes.h"
#include "render/canvas.h"
#include "render/segment_flow.h"
#include "render/theme.h"

/* All pointers are borrowed. */
struct mlv_segment_map_chart {
	const struct mlv_theme *theme;
	const struct mlv_segment_map *map;
	const struct mlv_classes *classes; /* call sites */
	bool by_site;                      /* colours tell them; else the state alone */
	const struct mlv_history *history;
	const char *title; /* "recorded, after event 7 007" */
	int64_t event;     /* the map is of the moment behind it; -1: the initial state */
	uint64_t request;  /* bytes that could not be had, shown to scale; 0: none */
	size_t top;        /* call sites in the legend */
	bool hover;        /* give blocks titles (SVG) */
};

/* The map in `area`, its legend in `side`, if that has a width. MLV_E_USAGE if it is too small,
 * MLV_E_NOMEM. */
enum mlv_rc mlv_segment_map_draw(struct mlv_canvas *c, const struct mlv_segment_map_chart *chart,
				 struct mlv_rect area, struct mlv_rect side, struct mlv_err *err);

/* ---- between the files of the chart ---- */

/* segment_sites.c: call sites by what they hold in the map. */
struct mlv_map_site {
	uint32_t cls;
	struct mlv_color color;
	uint64_t bytes, blocks;
};

struct mlv_map_sites {
	struct mlv_map_site *list; /* the largest first */
	size_t count, named;       /* those that the legend names have colours of their own */
	struct mlv_color *of_class;
};

/* MLV_E_NOMEM only; nothing is there where colours tell the state alone. */
enum mlv_rc mlv_map_sites_init(struct mlv_map_sites *s, const struct mlv_segment_map_chart *chart,
			       size_t named, struct mlv_err *err);
void mlv_map_sites_fini(struct mlv_map_sites *s);

/* The colour of a live block. */
struct mlv_color mlv_map_color(const struct mlv_segment_map_chart *chart,
			       const struct mlv_map_sites *sites, const struct mlv_map_block *b);
/* Its row of history->allocs; NULL: none. */
const struct mlv_alloc *mlv_map_alloc(const struct mlv_segment_map_chart *chart,
				      const struct mlv_map_block *b);

/* segment_bars.c */
void mlv_segment_bars_draw(struct mlv_canvas *c, const struct mlv_segment_map_chart *chart,
			   const struct mlv_segment_flow *flow, const struct mlv_map_sites *sites,
			   int32_t x, int32_t y);
/* A frame around what is free in one piece, and no other is larger. */
void mlv_segment_largest_frame(struct mlv_canvas *c, const struct mlv_theme *theme, int32_t x0,
			       int32_t x1, int32_t y, int32_t height);

/* segment_hover.c: replaces what `out` holds. */
void mlv_segment_hover(const struct mlv_segment_map_chart *chart, const struct mlv_flow_cell *cell,
		       struct mlv_buf *out);

/* segment_legend.c */
void mlv_segment_legend_draw(struct mlv_canvas *c, const struct mlv_segment_map_chart *chart,
			     const struct mlv_segment_flow *flow, const struct mlv_map_sites *sites,
			     struct mlv_rect side);

#endif
