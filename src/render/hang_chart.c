/* SPDX-License-Identifier: MIT */
#include "render/hang_chart.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/hang_plot.h"
#include "render/palette.h"

enum { MOST_RANKS = 64, WINDOW = 24, COLUMN_MAX = 96, FOOT = 64 };

/* "send 0->1" and "send 2->3" are one operation. */
static struct mlv_str operation(const struct mlv_evidence *e, const struct mlv_hang_cell *cell)
{
	struct mlv_str name = mlv_evidence_str(e, e->calls.data[cell->call].name);
	const char *blank = memchr(name.p, ' ', name.n);
	name.n = blank ? (size_t)(blank - name.p) : name.n;
	return name;
}

/* Colours by name, and no two the same: an operation has nearly always the same one. */
static void choose_colors(struct mlv_hang_plot *p)
{
	uint64_t hashes[MLV_HANG_OPERATIONS];
	uint32_t index[MLV_HANG_OPERATIONS];
	for (size_t i = 0; i < p->columns.cells.len && p->names < MLV_HANG_OPERATIONS; i++) {
		struct mlv_str name =
			operation(p->chart->hang->evidence, &p->columns.cells.data[i]);
		size_t k = 0;
		while (k < p->names && !mlv_str_eq(p->name[k], name))
			k++;
		if (k < p->names)
			continue;
		uint64_t hash = UINT64_C(14695981039346656037);
		for (size_t at = 0; at < name.n; at++)
			hash = (hash ^ (unsigned char)name.p[at]) * UINT64_C(1099511628211);
		hashes[p->names] = hash;
		p->name[p->names++] = name;
	}
	mlv_palette_assign(hashes, p->names, index);
	for (size_t i = 0; i < p->names; i++)
		p->color[i] = mlv_palette_color(index[i]);
}

static struct mlv_color color_of(const struct mlv_hang_plot *p, struct mlv_str name)
{
	for (size_t i = 0; i < p->names; i++) {
		if (mlv_str_eq(p->name[i], name))
			return p->color[i];
	}
	return p->chart->page.theme->other;
}

static void hover(struct mlv_hang_plot *p, const struct mlv_call *c, struct mlv_buf *out)
{
	const struct mlv_evidence *e = p->chart->hang->evidence;
	char line[600];
	out->len = 0;
	mlv_buf_safe(out, mlv_evidence_str(e, c->name));
	if (c->kind == MLV_CALL_COLLECTIVE)
		mlv_buf_printf(out, " #%" PRId64, c->seq);
	mlv_buf_printf(out, " of group %s\n",
		       mlv_evidence_str(e, e->groups.data[e->lanes.data[c->lane].group].name).p);
	mlv_buf_safe(out, mlv_evidence_str(e, c->in_sizes));
	mlv_buf_putc(out, ' ');
	mlv_buf_safe(out, mlv_evidence_str(e, c->in_dtypes));
	mlv_call_line(p->chart->hang, c, line, sizeof(line));
	mlv_buf_printf(out, "\n%s\n%s",
		       c->done      ? "ended"
		       : c->started ? "started"
				    : "scheduled",
		       line);
}

static void draw_cell(struct mlv_hang_plot *p, const struct mlv_hang_cell *cell,
		      struct mlv_buf *title)
{
	const struct mlv_evidence *e = p->chart->hang->evidence;
	const struct mlv_call *call = &e->calls.data[cell->call];
	const struct mlv_hang_row *row = mlv_hang_plot_row(p, cell);
	struct mlv_str name = mlv_evidence_str(e, call->name);
	if (!row)
		return;
	double x = p->x + cell->column * p->step;
	struct mlv_strip strip = { (int32_t)x + 2, (int32_t)(x + p->step) - 2, (int32_t)row->y + 2,
				   (int32_t)(row->y + row->h) - 2 };
	if (p->chart->hover)
		hover(p, call, title);
	struct mlv_color color = color_of(p, operation(e, cell));
	struct mlv_ribbon r = { .strips = &strip,
				.count = 1,
				.color = color,
				.fill = call->done ? MLV_FILL_SOLID : MLV_FILL_HATCH,
				.title = p->chart->hover && !title->failed ? title->data : NULL };
	if (strip.x1 <= strip.x0)
		strip.x1 = strip.x0 + 1;
	if (strip.y1 <= strip.y0)
		strip.y1 = strip.y0 + 1;
	mlv_canvas_ribbon(p->c, &r);
	struct mlv_font font = { 10, false };
	char text[160], fitted[160];
	double width = strip.x1 - strip.x0 - 6;
	if (row->h < 15 || width < 14)
		return;
	snprintf(text, sizeof(text), "%.100s", name.p);
	if (call->kind == MLV_CALL_COLLECTIVE)
		snprintf(text, sizeof(text), "#%" PRId64 " %.100s", call->seq, name.p);
	mlv_text_fit(font, text, width, false, fitted, sizeof(fitted));
	mlv_canvas_text(p->c, strip.x0 + 3, row->y + row->h / 2 + 4, font, MLV_START,
			call->done ? mlv_color_text_on(color) : p->chart->page.theme->text, fitted);
}

/* Bands between the lanes of one collective: from each lane that has it to the next one below. */
static void draw_bands(struct mlv_hang_plot *p)
{
	struct mlv_color color = p->chart->page.theme->axis;
	const struct mlv_hang_row **last = calloc(p->columns.nodes + 1, sizeof(*last));
	color.a = 60;
	for (size_t i = 0; last && i < p->columns.cells.len; i++) {
		const struct mlv_hang_cell *cell = &p->columns.cells.data[i];
		const struct mlv_hang_row *row = mlv_hang_plot_row(p, cell);
		const struct mlv_hang_row *above = last[cell->node];
		if (!row)
			continue;
		if (above && above->rank != row->rank) {
			double w = p->step * 0.3, y = above->y + above->h - 2;
			double x = p->x + cell->column * p->step + (p->step - w) / 2;
			if (row->y + 2 > y)
				mlv_canvas_rect(p->c, x, y, w, row->y + 2 - y, color, NULL);
		}
		last[cell->node] = row;
	}
	free(last);
}

/* Which colour is which operation, below the lanes. */
static void draw_legend(struct mlv_hang_plot *p)
{
	const struct mlv_theme *t = p->chart->page.theme;
	struct mlv_font font = { 11, false };
	double x = p->x, y = p->bottom + 34;
	for (size_t i = 0; i < p->names; i++) {
		char text[80];
		snprintf(text, sizeof(text), "%.*s", p->name[i].n < 70 ? (int)p->name[i].n : 70,
			 p->name[i].p);
		double w = mlv_text_width(font, text) + 34;
		if (x + w > p->x + p->w)
			break;
		mlv_canvas_rect(p->c, x, y - 10, 12, 12, p->color[i], NULL);
		mlv_canvas_text(p->c, x + 18, y, font, MLV_START, t->text, text);
		x += w;
	}
	mlv_canvas_text(p->c, p->x, y + 20, font, MLV_START, t->text_dim,
			"Columns are an order, not a time. Hatched: has not ended. Bands: one "
			"collective. Narrow hatched bars: waiting.");
}

static bool lay_out(struct mlv_hang_plot *p, double top, struct mlv_err *err)
{
	const struct mlv_page *page = &p->chart->page;
	p->x = MLV_HANG_LABELS;
	p->w = page->width - MLV_HANG_LABELS - MLV_HANG_RIGHT;
	p->top = top + 30;
	p->bottom = page->height - FOOT - 24;
	if (p->w < 100 || p->bottom - p->top < 20) {
		mlv_err_set(err, MLV_E_USAGE, "the picture is too small for a lane");
		return false;
	}
	size_t most = (size_t)((p->bottom - p->top) / 11);
	if (!mlv_hang_plot_ranks(p, most < MOST_RANKS ? most : MOST_RANKS) ||
	    mlv_columns_init(&p->columns, &p->chart->hang->waits, p->ranks, p->rank_count, WINDOW,
			     err) ||
	    !mlv_hang_plot_rows(p))
		return false;
	p->step = p->columns.columns ? p->w / p->columns.columns : p->w;
	p->step = p->step > COLUMN_MAX ? COLUMN_MAX : p->step;
	return true;
}

enum mlv_rc mlv_hang_chart_draw(struct mlv_canvas *c, const struct mlv_hang_chart *chart,
				struct mlv_err *err)
{
	struct mlv_hang_plot p = { .c = c, .chart = chart };
	struct mlv_buf title = { 0 };
	struct mlv_page page = chart->page;
	char notice[120] = "";
	size_t ranks = chart->hang->evidence->ranks.len;
	if (ranks > MOST_RANKS)
		snprintf(notice, sizeof(notice), "the culprits and some of %zu ranks are drawn",
			 ranks);
	page.notice = *notice ? notice : NULL;
	enum mlv_rc rc = lay_out(&p, mlv_page_headings(c, &page), err) ? MLV_OK
			 : err->rc                                     ? err->rc
								       : mlv_err_nomem(err);
	if (!rc) {
		choose_colors(&p);
		mlv_hang_plot_labels(&p);
		draw_bands(&p);
		mlv_hang_plot_waits(&p);
		for (size_t i = 0; i < p.columns.cells.len; i++)
			draw_cell(&p, &p.columns.cells.data[i], &title);
		mlv_hang_plot_ends(&p);
		mlv_hang_plot_marks(&p);
		draw_legend(&p);
	}
	mlv_buf_fini(&title);
	mlv_columns_fini(&p.columns);
	mlv_vec_free(&p.rows);
	free(p.ranks);
	return rc;
}
