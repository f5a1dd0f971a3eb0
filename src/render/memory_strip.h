/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_MEMORY_STRIP_H
#define MLV_RENDER_MEMORY_STRIP_H
/*
 * The memory of the devices, and of the processes on the host, as strips
 * below the lanes of a trace: on the same time axis, all on one scale. What
 * it was allocated by, `mlviz timeline` of a snapshot shows.
 */
#include "analysis/history.h"
#include "render/canvas.h"
#include "render/theme.h"

enum { MLV_STRIPS = 4 };

struct mlv_memory_strips {
	struct mlv_history
		list[MLV_STRIPS]; /* those that reach highest, in the order of the runs */
	size_t count;
	size_t hidden; /* devices that found no place */
};

/*
 * Of the devices of the runs whose events have times, those with the highest
 * peaks, as many as fit into `height`. MLV_E_NOMEM, and nothing to finish then.
 */
enum mlv_rc mlv_memory_strips_init(struct mlv_memory_strips *s, const struct mlv_run *const *runs,
				   size_t count, double height, struct mlv_err *err);
void mlv_memory_strips_fini(struct mlv_memory_strips *s);

double mlv_memory_strips_height(const struct mlv_memory_strips *s);

/* From x, y on, for the times of [from, to]; labels end left of x. */
struct mlv_strips_place {
	double x, y;
	int32_t columns;
	int64_t from, to;
	double labels; /* their width */
};
enum mlv_rc mlv_memory_strips_draw(struct mlv_canvas *c, const struct mlv_memory_strips *s,
				   const struct mlv_theme *theme,
				   const struct mlv_strips_place *place, struct mlv_err *err);

#endif
