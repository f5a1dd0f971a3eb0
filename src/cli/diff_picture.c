/* SPDX-License-Identifier: MIT */
#include "cli/diff_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/phase_pairs.h"
#include "base/arena.h"
#include "base/num.h"
#include "base/utf8.h"
#include "render/axis.h"
#include "render/change_bars.h"
#include "render/diff_chart.h"
#include "render/pair_bars.h"
#include "report/table_text.h"

enum { NOTHING, TABLES, PHASES, TRACES, RECORDINGS };
enum { MARGIN = 28, MOST_BARS = 40, RIGHT = 84 };

struct drawing {
	const struct mlv_diff *d;
	const struct mlv_diff_picture *o;
	struct mlv_page page;
	struct mlv_arena texts;
	struct mlv_change_bar bars[MOST_BARS];
	size_t bar_count, bar_total;
};

/* ------------------------------------------------------------------ what is worth drawing */

static const struct mlv_device_diff *device_of(const struct mlv_diff *d)
{
	const struct mlv_device_diff *best = NULL;
	uint64_t most = 0;
	for (size_t i = 0; i < d->device_count; i++) {
		const struct mlv_history *const h = d->devices[i].history;
		uint64_t a = h[0].requested.peak, b = h[1].requested.peak;
		uint64_t change = a > b ? a - b : b - a;
		if (h[0].count && h[1].count && (!best || change > most)) {
			best = &d->devices[i];
			most = change;
		}
	}
	return best;
}

static const struct mlv_table_diff *table_of(const struct mlv_diff *d, size_t n)
{
	for (size_t i = 0; i < d->rest.tables.len; i++) {
		const struct mlv_table_diff *t = &d->rest.tables.data[i];
		if (t->rows.len && t->columns.len && n-- == 0)
			return t;
	}
	return NULL;
}

static bool has_phases(const struct mlv_diff *d)
{
	bool both = true;
	for (unsigned s = 0; s < 2; s++) {
		bool any = false;
		for (size_t i = 0; !any && i < d->run[s]->samples.len; i++)
			any = d->run[s]->samples.data[i].phase.i != 0;
		both = both && any;
	}
	return both;
}

struct mlv_diff_worth mlv_diff_worth_of(const struct mlv_diff *d)
{
	struct mlv_diff_worth w = { NOTHING, 0 };
	const struct mlv_device_diff *dd = device_of(d);
	if (dd) {
		bool recorded = dd->history[0].device->bytes_are == MLV_BYTES_REQUESTED;
		w.kind = recorded ? RECORDINGS : TRACES;
		w.size = fabs((double)dd->history[1].requested.peak -
			      (double)dd->history[0].requested.peak);
	} else if (has_phases(d)) {
		w.kind = PHASES;
	} else if (table_of(d, 0)) {
		w.kind = TABLES;
	}
	return w;
}

/* ------------------------------------------------------------------ bars */

static const char *keep(struct drawing *g, const char *text)
{
	const char *copy = mlv_arena_strndup(&g->texts, text, strlen(text));
	return copy ? copy : "";
}

static void add_bar(struct drawing *g, const char *name, const char *value, double change)
{
	g->bar_total++;
	if (g->bar_count < MOST_BARS)
		g->bars[g->bar_count++] =
			(struct mlv_change_bar){ keep(g, name), keep(g, value), change };
}

static void stack_bars(struct drawing *g, const struct mlv_memory_diff *m)
{
	char name[MLV_NAME_SIZE], value[160], a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], z[MLV_NUM_SIZE];
	for (size_t i = 0; i < m->differing; i++) {
		const struct mlv_stack_diff *s = &m->stacks.data[i];
		int64_t change = mlv_stack_change(s, MLV_AMOUNT_PEAK);
		if (!change)
			continue;
		mlv_stack_diff_name(m, s, name, sizeof(name));
		if (mlv_ignores(g->d->ignore, mlv_str_of(name)))
			continue;
		snprintf(value, sizeof(value), "%s  (%s → %s)",
			 mlv_fmt_bytes_signed(z, sizeof(z), change),
			 mlv_fmt_bytes(a, sizeof(a), s->amount[0][MLV_AMOUNT_PEAK].bytes),
			 mlv_fmt_bytes(b, sizeof(b), s->amount[1][MLV_AMOUNT_PEAK].bytes));
		add_bar(g, name, value, (double)change);
	}
}

/* A report's many digits of a size say nothing in a picture. */
static void short_text(struct mlv_cell cell, bool change, char *buf, size_t size)
{
	int64_t bytes;
	enum mlv_quantity q = mlv_unit_quantity((enum mlv_unit)cell.value.unit);
	if (cell.present && q == MLV_BYTE_COUNT && mlv_decimal_bytes(cell.value, &bytes) &&
	    (change || bytes >= 0)) {
		if (change)
			mlv_fmt_bytes_signed(buf, size, bytes);
		else
			mlv_fmt_bytes(buf, size, (uint64_t)bytes);
		return;
	}
	mlv_cell_text(cell, change, buf, size);
}

static void row_bars(struct drawing *g, const struct mlv_table_diff *t)
{
	for (size_t i = 0; i < t->rows.len; i++) {
		const struct mlv_cell_diff *c = mlv_cell_diff_at(t, i, t->by);
		char name[400], value[240], a[64], b[64], change[64];
		if (!c->change.present || !c->change.value.mantissa)
			continue;
		short_text(c->side[0], false, a, sizeof(a));
		short_text(c->side[1], false, b, sizeof(b));
		short_text(c->change, true, change, sizeof(change));
		mlv_utf8_fit(name, sizeof(name), t->rows.data[i].subject.p,
			     t->rows.data[i].subject.n);
		snprintf(value, sizeof(value), "%s  (%s → %s)%s", change, a, b,
			 c->noise == MLV_NOISE_WITHIN ? " within the spread" : "");
		add_bar(g, name, value, mlv_decimal_value(c->change.value));
	}
}

static enum mlv_rc draw_bars(struct drawing *g, struct mlv_canvas *c, const char *title,
			     const char *note, struct mlv_rect area, struct mlv_err *err)
{
	struct mlv_change_bars chart = { .theme = g->page.theme,
					 .title = title,
					 .note = note,
					 .bars = g->bars,
					 .count = g->bar_count };
	return mlv_change_bars_draw(c, &chart, area, err);
}

/* ------------------------------------------------------------------ kinds of pictures */

static struct mlv_rect part(const struct drawing *g, double y, double from, double to)
{
	double w = g->page.width;
	return (struct mlv_rect){ w * from, y, w * (to - from), g->page.height - y - 8 };
}

static enum mlv_rc draw_memory(struct drawing *g, struct mlv_canvas *c, double y,
			       struct mlv_err *err)
{
	const struct mlv_device_diff *dd = device_of(g->d);
	struct mlv_diff_chart chart = {
		.theme = g->page.theme,
		.history = { &dd->history[0], &dd->history[1] },
		.name = { g->d->run[0]->file, g->d->run[1]->file },
		.align = g->o->align,
		.by_time = g->o->by_time,
	};
	enum mlv_rc rc = mlv_diff_chart_draw(c, &chart, part(g, y, 0, 0.62), err);
	struct mlv_rect right = part(g, y + 8, 0.64, 1);
	right.w -= MARGIN;
	stack_bars(g, &dd->memory);
	return rc ? rc
		  : draw_bars(g, c, "What was alive at the peak, by stack: B − A",
			      "each run at its own peak of requested memory", right, err);
}

static void quantity_text(enum mlv_quantity q, double v, char *buf, size_t size)
{
	if (q == MLV_BYTE_COUNT && v >= 0 && v < 9e18)
		mlv_fmt_bytes(buf, size, (uint64_t)(v + 0.5));
	else if (q == MLV_DURATION && fabs(v) < 9e9)
		mlv_fmt_duration(buf, size, (int64_t)(v * 1e9));
	else
		snprintf(buf, size, "%.6g", v);
}

static enum mlv_rc draw_phases(struct drawing *g, struct mlv_canvas *c, double y,
			       struct mlv_err *err)
{
	struct mlv_phase_pairs pairs;
	enum mlv_rc rc = mlv_phase_pairs_init(&pairs, g->d->run, err);
	if (rc)
		return rc;
	struct mlv_pair_bar *bars = calloc(pairs.list.len + 1, sizeof(*bars));
	char title[200], text[64];
	for (size_t i = 0; bars && i < pairs.list.len; i++) {
		const struct mlv_phase_pair *p = &pairs.list.data[i];
		bars[i].name = p->phase.p;
		for (unsigned s = 0; s < 2; s++) {
			quantity_text(pairs.quantity, p->most[s], text, sizeof(text));
			bars[i].present[s] = p->present[s];
			bars[i].value[s] = p->most[s];
			bars[i].text[s] = keep(g, text);
		}
	}
	snprintf(title, sizeof(title), "%.100s by phase, the most of all steps", pairs.metric.p);
	struct mlv_pair_bars chart = { .theme = g->page.theme,
				       .title = title,
				       .side = { g->d->run[0]->file, g->d->run[1]->file },
				       .bars = bars,
				       .count = pairs.list.len };
	rc = bars ? mlv_pair_bars_draw(c, &chart, part(g, y + 8, 0, 0.58), err)
		  : mlv_err_nomem(err);
	free(bars);
	mlv_phase_pairs_fini(&pairs);
	return rc;
}

static enum mlv_rc draw_table(struct drawing *g, struct mlv_canvas *c,
			      const struct mlv_table_diff *t, struct mlv_rect area,
			      struct mlv_err *err)
{
	char title[400], fitted[400];
	struct mlv_font bold = { 13, true };
	g->bar_count = g->bar_total = 0;
	row_bars(g, t);
	snprintf(title, sizeof(title), "%.200s, %.100s: B − A", t->title,
		 t->columns.data[t->by].name);
	mlv_text_fit(bold, title, area.w, true, fitted, sizeof(fitted));
	return draw_bars(g, c, fitted, NULL, area, err);
}

/* The first table that differs, and beside it the second. */
static enum mlv_rc draw_tables(struct drawing *g, struct mlv_canvas *c, double y, double from,
			       struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	const struct mlv_table_diff *first = table_of(g->d, 0), *second = table_of(g->d, 1);
	struct mlv_rect area = part(g, y + 8, from, 1);
	if (from <= 0) {
		area.x = RIGHT;
		area.w -= RIGHT + MARGIN;
	} else {
		second = NULL;
		area.w -= MARGIN;
		/* Beside phases, the samples that they are of. */
		for (size_t i = 0; i < g->d->rest.tables.len; i++) {
			const struct mlv_table_diff *t = &g->d->rest.tables.data[i];
			if (strcmp(t->title, "samples") == 0 && t->rows.len)
				first = t;
		}
	}
	if (second)
		area.w = (area.w - 40) / 2;
	if (first)
		rc = draw_table(g, c, first, area, err);
	area.x += area.w + 40;
	if (!rc && second)
		rc = draw_table(g, c, second, area, err);
	return rc;
}

static enum mlv_rc draw(const void *context, struct mlv_canvas *c, struct mlv_err *err)
{
	/* It keeps texts while it draws. */
	struct drawing g = *(const struct drawing *)context;
	double y = mlv_page_headings(c, &g.page);
	enum mlv_rc rc;
	switch (mlv_diff_worth_of(g.d).kind) {
	case RECORDINGS:
	case TRACES:
		rc = draw_memory(&g, c, y, err);
		break;
	case PHASES:
		rc = draw_phases(&g, c, y, err);
		if (!rc)
			rc = draw_tables(&g, c, y, 0.6, err);
		break;
	default:
		rc = draw_tables(&g, c, y, 0, err);
		break;
	}
	mlv_arena_fini(&g.texts);
	return rc;
}

/* The file's name; with its folder before it where both have the same. */
static struct mlv_str name_of(const struct mlv_diff *d, unsigned side)
{
	struct mlv_str path = mlv_str_of(d->run[side]->file);
	struct mlv_str name = mlv_str_basename(path);
	if (!mlv_str_eq(name, mlv_str_basename(mlv_str_of(d->run[!side]->file))))
		return name;
	struct mlv_str folder = { path.p, path.n - name.n };
	if (folder.n)
		folder.n--;
	size_t n = mlv_str_basename(folder).n;
	return n ? (struct mlv_str){ name.p - n - 1, name.n + n + 1 } : name;
}

static void subtitle(const struct mlv_diff *d, char *buf, size_t size)
{
	const struct mlv_run *a = d->run[0], *b = d->run[1];
	size_t n = (size_t)snprintf(buf, size, "%s", a->format);
	if (strcmp(a->format, b->format) != 0)
		n += (size_t)snprintf(buf + n, size - n, " against %s", b->format);
	if (b->rank >= 0 && a->rank == b->rank)
		n += (size_t)snprintf(buf + n, size - n, " · rank %" PRId64, b->rank);
	snprintf(buf + n, size - n, " · what changed is B − A: blue less, orange more");
}

enum mlv_rc mlv_diff_draw(const struct mlv_diff *d, const struct mlv_diff_picture *o,
			  struct mlv_buf *out, struct mlv_err *err)
{
	struct mlv_picture p = o->picture;
	struct drawing g = { .d = d, .o = o };
	struct mlv_buf title = { 0 };
	char sub[300];
	if (!p.title) {
		for (unsigned s = 0; s < 2; s++) {
			mlv_buf_puts(&title, s ? " → " : "");
			mlv_buf_str(&title, name_of(d, s));
		}
		p.title = title.data ? title.data : "";
	}
	subtitle(d, sub, sizeof(sub));
	g.page = mlv_picture_page(&p, sub, NULL);
	enum mlv_rc rc = mlv_picture_draw(&p, draw, &g, out, err);
	mlv_buf_fini(&title);
	return rc;
}
