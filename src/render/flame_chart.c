/* SPDX-License-Identifier: MIT */
#include "render/flame_chart.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/flame/flame_layout.h"
#include "base/num.h"
#include "render/flame_colors.h"
#include "render/flame_data.h"
#include "render/palette.h"

enum {
	LEFT = 84,
	RIGHT = 28,
	ABOVE = 14,
	BELOW = 34,
	ROW = 18,
	HEIGHT_LEAST = 240,
	HEIGHT_MOST = 3000
};

struct drawing {
	struct mlv_canvas *c;
	const struct mlv_flame_chart *chart;
	struct mlv_flame_layout layout;
	double top;
	uint32_t rows;
	struct mlv_buf name, hover;
};

int mlv_flame_chart_height(const struct mlv_flame *flame, bool notice)
{
	double rows = (double)flame->deepest + 1;
	double height = (notice ? 96 : 76) + ABOVE + rows * ROW + BELOW;
	return height > HEIGHT_MOST    ? HEIGHT_MOST
	       : height < HEIGHT_LEAST ? HEIGHT_LEAST
				       : (int)height;
}

static double row_y(const struct drawing *d, uint32_t row)
{
	uint32_t from_top = d->chart->inverted ? row : d->rows - 1 - row;
	return d->top + (double)from_top * ROW;
}

/* The name of a bar, and what a reader sees who rests on it. */
static void put_texts(struct drawing *d, const struct mlv_flame_bar *bar)
{
	const struct mlv_flame *f = d->chart->flame;
	char value[MLV_NUM_SIZE], share[MLV_NUM_SIZE];
	d->name.len = d->hover.len = 0;
	if (bar->hidden)
		mlv_buf_printf(&d->name, "%" PRIu32 " narrower", bar->hidden);
	else if (bar->node == MLV_FLAME_ROOT)
		mlv_buf_puts(&d->name, "all");
	else
		mlv_flame_name(f, bar->node, &d->name);
	mlv_buf_putc(&d->name, '\0');
	mlv_buf_safe(&d->hover, (struct mlv_str){ d->name.data, d->name.len - 1 });
	mlv_buf_printf(&d->hover, "\n%s, %s",
		       mlv_flame_value_text(d->chart->value, bar->value, value, sizeof(value)),
		       mlv_flame_share_text(f, bar->value, share, sizeof(share)));
	if (bar->cut)
		mlv_buf_puts(&d->hover, "\nwhat it calls lies deeper than the picture is high");
}

static void draw_bar(struct drawing *d, const struct mlv_flame_bar *bar)
{
	const struct mlv_theme *theme = d->chart->page.theme;
	struct mlv_font font = { 11, false };
	struct mlv_color color =
		bar->hidden ? theme->band : mlv_flame_color(d->chart->flame, bar->node, theme);
	double x = LEFT + bar->x0, y = row_y(d, bar->row), w = bar->x1 - bar->x0;
	char fitted[512];
	put_texts(d, bar);
	if (d->name.failed || d->hover.failed)
		return;
	/* A hair of space keeps neighbours apart. */
	mlv_canvas_rect(d->c, x, y, w > 3 ? w - 1 : w, ROW - 1, color, d->hover.data);
	if (bar->cut && w > 6)
		mlv_canvas_rect(d->c, x, d->chart->inverted ? y + ROW - 3 : y, w - 1, 2,
				theme->warning, NULL);
	if (w < 26)
		return;
	struct mlv_color ink = bar->hidden ? theme->text_dim : mlv_color_text_on(color);
	mlv_text_fit(font, d->name.data, w - 8, false, fitted, sizeof(fitted));
	if (strlen(fitted) > 4 || strcmp(fitted, d->name.data) == 0)
		mlv_canvas_text(d->c, x + 4, y + 12.5, font, MLV_START, ink, fitted);
}

/* What is not there to be seen, and the scale. */
static void draw_foot(struct drawing *d, double base)
{
	const struct mlv_page *page = &d->chart->page;
	struct mlv_font font = { 11, false };
	char text[160], a[MLV_NUM_SIZE];
	uint64_t total = d->chart->flame->nodes.data[MLV_FLAME_ROOT].total;
	snprintf(text, sizeof(text), "the whole width is %s",
		 mlv_flame_value_text(d->chart->value, total, a, sizeof(a)));
	mlv_canvas_text(d->c, LEFT, base + 20, font, MLV_START, page->theme->text_dim, text);
	if (!d->layout.cut)
		return;
	snprintf(text, sizeof(text), "%" PRIu32 " bars with a line call what lies deeper than this",
		 d->layout.cut);
	mlv_canvas_text(d->c, page->width - RIGHT, base + 20, font, MLV_END, page->theme->warning,
			text);
}

static enum mlv_rc draw(struct drawing *d, struct mlv_err *err)
{
	const struct mlv_flame_chart *chart = d->chart;
	d->top = mlv_page_headings(d->c, &chart->page) + ABOVE;
	double room = chart->page.height - BELOW - d->top;
	struct mlv_flame_space space = { .columns = chart->page.width - LEFT - RIGHT,
					 .rows = room > ROW ? (uint32_t)(room / ROW) : 0,
					 .least = chart->least };
	if (!space.rows || space.columns < 60)
		return mlv_err_set(err, MLV_E_USAGE,
				   "the picture is too small for a flame graph; choose a larger "
				   "--size");
	enum mlv_rc rc = mlv_flame_layout_init(&d->layout, chart->flame, &space, err);
	if (rc)
		return rc;
	d->rows = d->layout.rows > 1 ? d->layout.rows : 1;
	mlv_canvas_group(d->c, "flame");
	for (size_t i = 0; i < d->layout.bars.len; i++)
		draw_bar(d, &d->layout.bars.data[i]);
	mlv_canvas_group_end(d->c);
	draw_foot(d, d->top + d->rows * ROW);
	if (!chart->interactive)
		return MLV_OK;
	struct mlv_flame_place place = { .x = LEFT,
					 .y = d->top,
					 .width = space.columns,
					 .row = ROW,
					 .rows = d->rows,
					 .right = chart->page.width - RIGHT,
					 .foot = d->top + d->rows * ROW + 20,
					 .least = chart->least,
					 .inverted = chart->inverted };
	return mlv_flame_data(d->c, chart->flame, chart->value, chart->page.theme, &place, err);
}

enum mlv_rc mlv_flame_chart_draw(struct mlv_canvas *c, const struct mlv_flame_chart *chart,
				 struct mlv_err *err)
{
	struct drawing d = { .c = c, .chart = chart };
	enum mlv_rc rc = draw(&d, err);
	if (!rc && (d.name.failed || d.hover.failed))
		rc = mlv_err_nomem(err);
	mlv_flame_layout_fini(&d.layout);
	mlv_buf_fini(&d.name);
	mlv_buf_fini(&d.hover);
	return rc;
}
