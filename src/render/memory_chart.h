/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_MEMORY_CHART_H
#define MLV_RENDER_MEMORY_CHART_H
/*
 * The allocation timeline: what was allocated, stacked over time, under the
 * line of what was reserved, with the peak, out-of-memory events, annotations
 * and a legend of what was alive at the peak. Several devices or files are
 * small multiples on one scale.
 */
#include "analysis/panel.h"
#include "analysis/stacking.h"
#include "render/canvas.h"
#include "render/page.h"

struct mlv_memory_chart {
	struct mlv_page page;
	const struct mlv_memory_panel *panels;
	size_t count;
	uint64_t capacity; /* bytes, 0 = no line */
	size_t top;        /* legend entries */
	bool by_time;
	bool hover; /* give shapes titles (SVG) */
};

/*
 * Draw on a canvas of the chart's size. MLV_E_USAGE if the panels do not fit
 * in that size, MLV_E_NOMEM.
 */
enum mlv_rc mlv_memory_chart_draw(struct mlv_canvas *c, const struct mlv_memory_chart *chart,
				  struct mlv_err *err);

/* ---- shared by the files of the chart ---- */

/* Colours of the classes of one panel; the same for the same class in all of them. */
struct mlv_class_colors {
	struct mlv_color *of_class;
};

struct mlv_legend_entry {
	uint64_t hash;
	uint32_t ordinal; /* of anything but call sites */
	struct mlv_color color;
	uint64_t bytes, count; /* alive at the peak, over all panels */
	char name[256], place[512];
};

struct mlv_legend {
	struct mlv_legend_entry *entries; /* the largest first */
	size_t count, shown;
	uint64_t reserved_gap; /* reserved and not requested at the peak */
	uint64_t pending_peak;
	uint32_t banded;
};

/*
 * memory_legend.c. `shown` of the legend is the number of entries that are
 * named and have a colour of their own; `height` is that of its area.
 */
enum mlv_rc mlv_legend_init(struct mlv_legend *l, const struct mlv_memory_chart *chart,
			    double height, struct mlv_err *err);
void mlv_legend_fini(struct mlv_legend *l);
enum mlv_rc mlv_legend_colors(const struct mlv_legend *l, const struct mlv_memory_chart *chart,
			      const struct mlv_classes *classes, struct mlv_class_colors *colors,
			      struct mlv_err *err);
void mlv_legend_draw(struct mlv_canvas *c, const struct mlv_legend *l,
		     const struct mlv_memory_chart *chart, struct mlv_rect area);

/* memory_plot.c: one panel within `area`, which holds its labels too. */
enum mlv_rc mlv_memory_plot_draw(struct mlv_canvas *c, const struct mlv_memory_chart *chart,
				 const struct mlv_memory_panel *panel,
				 const struct mlv_class_colors *colors, struct mlv_rect area,
				 uint64_t top_bytes, uint32_t *banded, struct mlv_err *err);

/*
 * annotation_lanes.c: bars of the panel's annotations, nested ones in the
 * lanes below; what is nested deeper than there are lanes is one thin band.
 */
struct mlv_annotation_bar;
struct mlv_annotation_lanes {
	struct mlv_annotation_bar *bars; /* those that the panel shows */
	size_t count;
	int32_t height;
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_annotation_lanes_init(struct mlv_annotation_lanes *l,
				      const struct mlv_memory_panel *panel, struct mlv_err *err);
void mlv_annotation_lanes_fini(struct mlv_annotation_lanes *l);
void mlv_annotation_lanes_draw(struct mlv_canvas *c, const struct mlv_memory_chart *chart,
			       const struct mlv_memory_panel *panel, const struct mlv_view *view,
			       const struct mlv_annotation_lanes *l, double x, double y);

#endif
