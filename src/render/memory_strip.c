/* SPDX-License-Identifier: MIT */
#include "render/memory_strip.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/time_columns.h"
#include "base/num.h"

enum { STRIP = 72, GAP = 16 };

double mlv_memory_strips_height(const struct mlv_memory_strips *s)
{
	return (double)s->count * (STRIP + GAP);
}

/* Takes over the history: into the list, in place of a lower one, or out. */
static void offer(struct mlv_memory_strips *s, struct mlv_history *h, size_t most)
{
	if (s->count < most) {
		s->list[s->count++] = *h;
		return;
	}
	s->hidden++;
	size_t least = 0;
	for (size_t i = 1; i < s->count; i++) {
		if (s->list[i].requested.peak < s->list[least].requested.peak)
			least = i;
	}
	if (!s->count || h->requested.peak <= s->list[least].requested.peak) {
		mlv_history_fini(h);
		return;
	}
	mlv_history_fini(&s->list[least]);
	memmove(&s->list[least], &s->list[least + 1], (s->count - least - 1) * sizeof(*s->list));
	s->list[s->count - 1] = *h;
}

enum mlv_rc mlv_memory_strips_init(struct mlv_memory_strips *s, const struct mlv_run *const *runs,
				   size_t count, double height, struct mlv_err *err)
{
	size_t most = height < 0 ? 0 : (size_t)(height / (STRIP + GAP));
	memset(s, 0, sizeof(*s));
	most = most < MLV_STRIPS ? most : MLV_STRIPS;
	for (size_t r = 0; r < count; r++) {
		for (size_t i = 0; i < runs[r]->devices.len; i++) {
			struct mlv_history h;
			enum mlv_rc rc = mlv_history_init(&h, runs[r], i, err);
			if (rc) {
				mlv_memory_strips_fini(s);
				return rc;
			}
			if (h.count && h.has_times && h.requested.peak)
				offer(s, &h, most);
			else
				mlv_history_fini(&h);
		}
	}
	return MLV_OK;
}

void mlv_memory_strips_fini(struct mlv_memory_strips *s)
{
	for (size_t i = 0; i < s->count; i++)
		mlv_history_fini(&s->list[i]);
	s->count = 0;
}

/* Two lines at the left: whose memory, and the most of it. */
static void draw_label(struct mlv_canvas *c, const struct mlv_history *h, bool ranks,
		       const struct mlv_theme *theme, const struct mlv_strips_place *place,
		       double y)
{
	struct mlv_font font = { 11, false };
	char name[64], whole[128], fitted[128], peak[MLV_NUM_SIZE];
	mlv_device_name(h->run, h->device, name, sizeof(name));
	if (ranks && h->run->rank >= 0)
		snprintf(whole, sizeof(whole), "rank %" PRId64 " \u00b7 %s", h->run->rank, name);
	else
		snprintf(whole, sizeof(whole), "%s", name);
	mlv_text_fit(font, whole, place->labels, true, fitted, sizeof(fitted));
	mlv_canvas_text(c, place->x - 10, y + 12, font, MLV_END, theme->text_dim, fitted);
	snprintf(whole, sizeof(whole), "%s, peak %s", mlv_bytes_are_name(h->device->bytes_are),
		 mlv_fmt_bytes(peak, sizeof(peak), h->requested.peak));
	mlv_canvas_text(c, place->x - 10, y + 27, font, MLV_END, theme->text_dim, whole);
}

static enum mlv_rc draw_strip(struct mlv_canvas *c, const struct mlv_history *h, uint64_t top,
			      const struct mlv_theme *theme, const struct mlv_strips_place *place,
			      double y)
{
	uint64_t *most = mlv_time_columns(h, place->from, place->to, place->columns);
	struct mlv_strip *strips = calloc((size_t)place->columns, sizeof(*strips));
	int32_t base = (int32_t)y + STRIP;
	size_t n = 0;
	for (int32_t x = 0; most && strips && x < place->columns; x++) {
		int32_t high = (int32_t)((double)most[x] / (double)top * (STRIP - 2) + 0.5);
		int32_t left = (int32_t)place->x + x;
		if (most[x] && !high)
			high = 1;
		if (n && strips[n - 1].y0 == base - high && strips[n - 1].x1 == left)
			strips[n - 1].x1++;
		else if (high)
			strips[n++] = (struct mlv_strip){ left, left + 1, base - high, base };
	}
	bool ok = most && strips;
	struct mlv_ribbon r = { .strips = strips, .count = n, .color = theme->band };
	if (ok && n)
		mlv_canvas_ribbon(c, &r);
	mlv_canvas_rect(c, place->x, base, place->columns, 1, theme->axis, NULL);
	free(most);
	free(strips);
	return ok ? MLV_OK : MLV_E_NOMEM;
}

enum mlv_rc mlv_memory_strips_draw(struct mlv_canvas *c, const struct mlv_memory_strips *s,
				   const struct mlv_theme *theme,
				   const struct mlv_strips_place *place, struct mlv_err *err)
{
	uint64_t top = 1;
	bool ranks = false;
	for (size_t i = 0; i < s->count; i++) {
		top = s->list[i].requested.peak > top ? s->list[i].requested.peak : top;
		ranks = ranks || s->list[i].run != s->list[0].run;
	}
	for (size_t i = 0; i < s->count; i++) {
		double y = place->y + (double)i * (STRIP + GAP) + GAP;
		draw_label(c, &s->list[i], ranks, theme, place, y);
		if (draw_strip(c, &s->list[i], top, theme, place, y))
			return mlv_err_nomem(err);
	}
	return MLV_OK;
}
