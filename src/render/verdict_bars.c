/* SPDX-License-Identifier: MIT */
/* Beside the plot of a verdict: its components, and why. */
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "render/palette.h"
#include "render/verdict_panel.h"

enum { ROW = 40, LINE = 16, WORD = 240 };

struct mlv_verdict_colors mlv_verdict_colors_of(const struct mlv_theme *theme)
{
	return (struct mlv_verdict_colors){ mlv_palette_color(0), mlv_palette_color(2), theme->oom,
					    theme->text_dim };
}

struct mlv_color mlv_verdict_color(const struct mlv_theme *theme, enum mlv_growth g)
{
	struct mlv_verdict_colors k = mlv_verdict_colors_of(theme);
	switch (g) {
	case MLV_GROWTH_ACTIVATION:
		return k.activation;
	case MLV_GROWTH_PERSISTENT:
		return k.state;
	case MLV_GROWTH_CUMULATIVE:
		return k.growth;
	default:
		return k.base;
	}
}

static void bar(struct mlv_canvas *c, const struct mlv_theme *t, struct mlv_rect r, double share,
		struct mlv_color color, const char *name, const char *value, bool bold)
{
	struct mlv_font font = { 13, bold };
	mlv_canvas_text(c, r.x, r.y + 13, font, MLV_START, t->text, name);
	mlv_canvas_text(c, r.x + r.w, r.y + 13, font, MLV_END, t->text, value);
	mlv_canvas_rect(c, r.x, r.y + 19, r.w, 8, t->grid, NULL);
	if (share > 0)
		mlv_canvas_rect(c, r.x, r.y + 19, r.w * (share > 1 ? 1 : share), 8, color, NULL);
}

/* A text over several lines; returns the y below, or the limit. */
static double words(struct mlv_canvas *c, const struct mlv_theme *t, const char *text, double x,
		    double w, double y, double limit)
{
	struct mlv_font font = { 12, false };
	const char *at = text;
	while (*at && y + LINE <= limit) {
		char line[WORD + 1];
		size_t n = 0, fit = 0;
		for (size_t k = 0; at[k] && k < WORD; k++) {
			if (at[k] != ' ' && at[k + 1])
				continue;
			size_t end = at[k + 1] ? k : k + 1;
			memcpy(line, at, end);
			line[end] = '\0';
			if (fit && mlv_text_width(font, line) > w)
				break;
			fit = end;
		}
		n = fit ? fit : strlen(at) < WORD ? strlen(at) : WORD;
		memcpy(line, at, n);
		line[n] = '\0';
		bool last = y + 2 * LINE > limit && strlen(at) > n;
		char cut[WORD * 4];
		if (last) {
			mlv_text_fit(font, at, w, false, cut, sizeof(cut));
			mlv_canvas_text(c, x, y + 12, font, MLV_START, t->text_dim, cut);
			return limit;
		}
		mlv_canvas_text(c, x, y + 12, font, MLV_START, t->text_dim, line);
		y += LINE;
		for (at += n; *at == ' ';)
			at++;
	}
	return y + 5;
}

void mlv_verdict_bars_draw(struct mlv_canvas *c, const struct mlv_theme *theme,
			   const struct mlv_verdict *v, struct mlv_rect area)
{
	struct mlv_verdict_colors k = mlv_verdict_colors_of(theme);
	int64_t most = v->activation_bytes > v->persistent_bytes ? v->activation_bytes
								 : v->persistent_bytes;
	char text[MLV_NUM_SIZE], per_step[MLV_NUM_SIZE + 16];
	struct mlv_rect r = { area.x, area.y, area.w, ROW };
	if (v->cumulative_bytes > most)
		most = v->cumulative_bytes;
	double scale = most > 0 ? (double)most : 1;
	mlv_fmt_bytes(text, sizeof(text), (uint64_t)v->activation_bytes);
	bar(c, theme, r, (double)v->activation_bytes / scale, k.activation, "activations", text,
	    v->growth == MLV_GROWTH_ACTIVATION);
	r.y += ROW;
	mlv_fmt_bytes(text, sizeof(text), (uint64_t)v->persistent_bytes);
	bar(c, theme, r, (double)v->persistent_bytes / scale, k.state, "optimizer state", text,
	    v->growth == MLV_GROWTH_PERSISTENT);
	r.y += ROW;
	mlv_fmt_bytes(text, sizeof(text), (uint64_t)v->cumulative_bytes);
	snprintf(per_step, sizeof(per_step), "%s a step", text);
	bar(c, theme, r, (double)v->cumulative_bytes / scale, k.growth, "growth", per_step,
	    v->growth == MLV_GROWTH_CUMULATIVE);
	double y = r.y + ROW;
	for (size_t i = 0; i < v->evidence.len && y + LINE <= area.y + area.h; i++)
		y = words(c, theme, v->evidence.data[i], area.x, area.w, y, area.y + area.h);
}
