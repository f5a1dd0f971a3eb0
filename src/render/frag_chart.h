/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_FRAG_CHART_H
#define MLV_RENDER_FRAG_CHART_H
/*
 * Fragmentation over a replay: what was reserved, active and allocated and the
 * largest free block by event, and below it how much of what is reserved is
 * not active and how much of what is free lies outside of the largest block.
 * A recording and a what-if of it lie over each other.
 *
 * A line shows the worst of each column (of the largest free block the least,
 * of all else the most), a pale band all that it was in it.
 */
#include "replay/frag_series.h"
#include "replay/gpu/gpu_meter.h"
#include "render/canvas.h"
#include "render/theme.h"

struct mlv_frag_setting {
	const struct mlv_frag_series *series;
	const char *name; /* "recorded", or the settings */
};

enum { MLV_FRAG_SETTINGS = 2 };

/* All pointers are borrowed. The series show the same events. */
struct mlv_frag_chart {
	const struct mlv_theme *theme;
	const struct mlv_history *history;
	const struct mlv_frag_setting *settings;
	size_t count;   /* 1 or 2 */
	uint64_t limit; /* bytes that can be reserved at the most, 0 = no line */
	int64_t moment; /* event that is marked, since a map shows it; -1: none */
	bool hover;     /* give shapes titles (SVG) */
	/* What a GPU said was in use, in the order of events; 0: there is none. */
	const struct mlv_gpu_sample *device;
	size_t device_samples;
	uint32_t device_last;  /* event up to which the last sample holds */
	uint64_t device_peak;  /* bytes */
	uint32_t device_scale; /* its bytes stand for so many times as many */
};

/* In `area`, which holds axes and labels too, of which MLV_FRAG_LEFT pixels stand at the left. */
enum { MLV_FRAG_LEFT = 128, MLV_FRAG_RIGHT = 84 };

/* How many columns a series for an area of this width needs at the most. */
uint32_t mlv_frag_chart_columns(double width);

/* MLV_E_USAGE if the area is too small, MLV_E_NOMEM. */
enum mlv_rc mlv_frag_chart_draw(struct mlv_canvas *c, const struct mlv_frag_chart *chart,
				struct mlv_rect area, struct mlv_err *err);

/* frag_legend.c: the figures of each setting, and what is drawn how. */
void mlv_frag_legend_draw(struct mlv_canvas *c, const struct mlv_frag_chart *chart,
			  struct mlv_rect area);

#endif
