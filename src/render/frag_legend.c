/* SPDX-License-Identifier: MIT */
/* The figures of each setting as a small table, which is the legend of the lines too. */
#include <stdio.h>

#include "base/num.h"
#include "render/frag_plot.h"
#include "render/page.h"

enum { ROW = 19, VALUE = 78 };

struct table {
	struct mlv_canvas *c;
	const struct mlv_frag_chart *chart;
	double x, w, y;
};

/* What a line looks like: of two settings in neither's colour. */
enum sample { NONE, THICK, THIN, FILLED };

static void draw_sample(const struct table *t, enum sample sample, enum mlv_frag_line line)
{
	const struct mlv_theme *theme = t->chart->theme;
	bool two = t->chart->count > 1;
	struct mlv_color color = two ? theme->text_dim : mlv_frag_color(t->chart, 0, line);
	if (sample == FILLED)
		mlv_canvas_rect(t->c, t->x, t->y - 10, 14, 11,
				mlv_frag_color(t->chart, 0, MLV_FRAG_ACTIVE), NULL);
	else if (sample != NONE)
		mlv_canvas_rect(t->c, t->x, t->y - 5, 14, sample == THICK ? 2 : 1, color, NULL);
}

static void draw_row(struct table *t, enum sample sample, enum mlv_frag_line line, const char *name,
		     char values[][MLV_NUM_SIZE])
{
	const struct mlv_theme *theme = t->chart->theme;
	struct mlv_font font = { 12, false };
	double right = t->x + t->w;
	char fitted[120];
	draw_sample(t, sample, line);
	for (size_t i = t->chart->count; i--; right -= VALUE) {
		struct mlv_color color = t->chart->count > 1
						 ? mlv_frag_color(t->chart, i, MLV_FRAG_RESERVED)
						 : theme->text;
		mlv_canvas_text(t->c, right, t->y, font, MLV_END, color, values[i]);
	}
	mlv_text_fit(font, name, right - t->x - 22, false, fitted, sizeof(fitted));
	mlv_canvas_text(t->c, t->x + 22, t->y, font, MLV_START, theme->text, fitted);
	t->y += ROW;
}

static void bytes_row(struct table *t, enum sample sample, enum mlv_frag_line line,
		      const char *name, uint64_t (*value)(const struct mlv_frag_series *s))
{
	char values[MLV_FRAG_SETTINGS][MLV_NUM_SIZE];
	for (size_t i = 0; i < t->chart->count; i++)
		mlv_fmt_bytes(values[i], sizeof(values[i]), value(t->chart->settings[i].series));
	draw_row(t, sample, line, name, values);
}

static void share_row(struct table *t, enum sample sample, enum mlv_frag_line line,
		      const char *name, float (*value)(const struct mlv_frag_series *s))
{
	char values[MLV_FRAG_SETTINGS][MLV_NUM_SIZE];
	for (size_t i = 0; i < t->chart->count; i++)
		snprintf(values[i], sizeof(values[i]), "%.0f %%",
			 (double)value(t->chart->settings[i].series) * 100);
	draw_row(t, sample, line, name, values);
}

static void count_row(struct table *t, const char *name,
		      uint64_t (*value)(const struct mlv_frag_series *s))
{
	char values[MLV_FRAG_SETTINGS][MLV_NUM_SIZE];
	for (size_t i = 0; i < t->chart->count; i++)
		mlv_fmt_count(values[i], sizeof(values[i]), value(t->chart->settings[i].series));
	draw_row(t, NONE, MLV_FRAG_RESERVED, name, values);
}

static uint64_t reserved_peak(const struct mlv_frag_series *s)
{
	return s->reserved_peak.bytes;
}

static uint64_t active_peak(const struct mlv_frag_series *s)
{
	return s->active_peak.bytes;
}

static uint64_t allocated_peak(const struct mlv_frag_series *s)
{
	return s->allocated_peak.bytes;
}

static uint64_t largest_at_end(const struct mlv_frag_series *s)
{
	return s->at_end.largest;
}

static uint64_t outside_peak(const struct mlv_frag_series *s)
{
	return s->outside_peak.bytes;
}

static float scattered_at_end(const struct mlv_frag_series *s)
{
	return s->at_end.scattered;
}

static float idle_at_end(const struct mlv_frag_series *s)
{
	return s->at_end.idle;
}

static uint64_t retries(const struct mlv_frag_series *s)
{
	return s->retries;
}

static uint64_t ooms(const struct mlv_frag_series *s)
{
	return s->ooms;
}

/* Which colour is whose. */
static void draw_settings(struct table *t)
{
	struct mlv_font font = { 12, true };
	char fitted[256];
	for (size_t i = 0; i < t->chart->count; i++) {
		struct mlv_color color = mlv_frag_color(t->chart, i, MLV_FRAG_RESERVED);
		mlv_canvas_rect(t->c, t->x, t->y - 6, 14, 3, color, NULL);
		mlv_text_fit(font, t->chart->settings[i].name, t->w - 22, true, fitted,
			     sizeof(fitted));
		mlv_canvas_text(t->c, t->x + 22, t->y, font, MLV_START, color, fitted);
		t->y += ROW - 1;
	}
	t->y += 4;
}

/* The GPU's own account stands beside no setting: it is one line of its own. */
static void draw_device(struct table *t)
{
	struct mlv_font font = { 12, false };
	const struct mlv_theme *theme = t->chart->theme;
	char peak[MLV_NUM_SIZE];
	mlv_canvas_rect(t->c, t->x, t->y - 5, 14, 1, theme->text, NULL);
	mlv_canvas_text(t->c, t->x + 22, t->y, font, MLV_START, theme->text,
			"in use on the GPU, peak");
	mlv_canvas_text(
		t->c, t->x + t->w, t->y, font, MLV_END, theme->text,
		mlv_fmt_bytes(peak, sizeof(peak), t->chart->device_peak * t->chart->device_scale));
	t->y += ROW;
}

static void draw_notes(struct table *t, double bottom)
{
	static const char *const notes[] = {
		"active as recorded: settings change its rounding",
		"scattered: free outside of the largest free block",
		"idle: reserved and not active",
		"lines: the worst of each column; pale: its range",
	};
	size_t first = t->chart->count > 1 ? 0 : 1;
	t->y += 2;
	for (size_t i = first; i < sizeof(notes) / sizeof(notes[0]); i++) {
		if (t->y > bottom)
			return;
		t->y = mlv_page_legend_note(t->c, t->chart->theme, t->x, t->y, notes[i]);
	}
}

void mlv_frag_legend_draw(struct mlv_canvas *c, const struct mlv_frag_chart *chart,
			  struct mlv_rect area)
{
	struct table t = { c, chart, area.x, area.w, area.y };
	bool two = chart->count > 1;
	t.y = mlv_page_legend_heading(c, chart->theme, area.x, area.y + 12, "Over the replay");
	if (two)
		draw_settings(&t);
	bytes_row(&t, THICK, MLV_FRAG_RESERVED, "reserved, peak", reserved_peak);
	if (chart->device_samples)
		draw_device(&t);
	bytes_row(&t, FILLED, MLV_FRAG_ACTIVE, "active, peak", active_peak);
	bytes_row(&t, two ? NONE : THIN, MLV_FRAG_ALLOCATED, "allocated, peak", allocated_peak);
	bytes_row(&t, THIN, MLV_FRAG_LARGEST, "largest free, end", largest_at_end);
	bytes_row(&t, NONE, MLV_FRAG_LARGEST, "scattered, peak", outside_peak);
	share_row(&t, THICK, MLV_FRAG_SCATTERED, "scattered, end", scattered_at_end);
	share_row(&t, THICK, MLV_FRAG_IDLE, "idle, end", idle_at_end);
	count_row(&t, "retries", retries);
	count_row(&t, "out of memory", ooms);
	draw_notes(&t, area.y + area.h);
}
