/* SPDX-License-Identifier: MIT */
/*
 * What a GPU itself says is in use, over what the model says: a thin line of
 * the page's own colour, so that it is seen on top of the line it should cover.
 */
#include <stdlib.h>

#include "render/frag_plot.h"
#include "render/page.h"

/* The pixels of one column: all that was measured in it, from what stood before. */
static struct mlv_strip column(const struct mlv_frag_plot *p, int32_t x, size_t *i, uint64_t *level)
{
	const struct mlv_frag_chart *chart = p->chart;
	const struct mlv_frag_series *s = chart->settings[0].series;
	uint64_t most = *level, least = *level;
	for (; *i < chart->device_samples; ++*i) {
		const struct mlv_gpu_sample *sample = &chart->device[*i];
		if (mlv_frag_event_x(p, s, sample->event) > x + 1)
			break;
		*level = sample->used * chart->device_scale;
		most = *level > most ? *level : most;
		least = *level < least ? *level : least;
	}
	return (struct mlv_strip){
		x, x + 1, (int32_t)(mlv_page_bytes_y(p->y, p->rows, p->top_bytes, most) + 0.5),
		(int32_t)(mlv_page_bytes_y(p->y, p->rows, p->top_bytes, least) + 0.5) + 1
	};
}

bool mlv_frag_device_draw(const struct mlv_frag_plot *p)
{
	const struct mlv_frag_chart *chart = p->chart;
	struct mlv_strip *strips = calloc((size_t)p->columns + 1, sizeof(*strips));
	size_t i = 0, n = 0;
	uint64_t level = 0;
	if (!strips)
		return false;
	double last = mlv_frag_event_x(p, chart->settings[0].series, chart->device_last);
	for (int32_t x = p->x; x < p->x + p->columns && x <= last; x++) {
		struct mlv_strip q = column(p, x, &i, &level);
		if (n && strips[n - 1].y0 == q.y0 && strips[n - 1].y1 == q.y1)
			strips[n - 1].x1 = q.x1;
		else
			strips[n++] = q;
	}
	struct mlv_ribbon r = { .strips = strips,
				.count = n,
				.color = chart->theme->text,
				.title = chart->hover ? "in use, by the GPU's own account" : NULL };
	mlv_canvas_ribbon(p->c, &r);
	free(strips);
	return true;
}
