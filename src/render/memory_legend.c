/* SPDX-License-Identifier: MIT */
/* Who is alive at the peak, and the colours that say so in the plots. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/growth/lifetime.h"
#include "base/num.h"
#include "render/memory_chart.h"
#include "render/palette.h"

static struct mlv_legend_entry *entry_of(struct mlv_legend *l, struct mlv_map *ids, uint64_t hash,
					 bool *fresh)
{
	struct mlv_map_slot *slot = mlv_map_find(ids, hash);
	*fresh = !slot;
	if (slot)
		return &l->entries[slot->value];
	if (!mlv_map_set(ids, hash, (uint32_t)l->count))
		return NULL;
	return &l->entries[l->count++];
}

/* Add what the panel holds at its peak. */
static enum mlv_rc add_panel(struct mlv_legend *l, struct mlv_map *ids,
			     const struct mlv_memory_panel *p, struct mlv_err *err)
{
	struct mlv_rank *ranks;
	size_t n;
	enum mlv_rc rc =
		mlv_classes_rank(p->classes, p->history->requested.peak_event, &ranks, &n, err);
	if (rc)
		return rc;
	void *more = realloc(l->entries, (l->count + n + 1) * sizeof(*l->entries));
	if (!more) {
		free(ranks);
		return mlv_err_nomem(err);
	}
	l->entries = more;
	for (size_t i = 0; i < n; i++) {
		bool fresh;
		uint64_t hash = mlv_class_hash(p->classes, ranks[i].cls);
		struct mlv_legend_entry *e = entry_of(l, ids, hash, &fresh);
		if (!e) {
			rc = mlv_err_nomem(err);
			break;
		}
		if (fresh) {
			memset(e, 0, sizeof(*e));
			e->hash = hash;
			e->ordinal = mlv_class_ordinal(p->classes, ranks[i].cls);
			mlv_class_name(p->classes, ranks[i].cls, e->name, sizeof(e->name), e->place,
				       sizeof(e->place));
		} else if (p->classes->kind == MLV_BY_STREAM && e->ordinal) {
			/* Each device has its own handle for it. */
			snprintf(e->name, sizeof(e->name), "stream %" PRIu32, e->ordinal);
		}
		e->bytes += ranks[i].bytes;
		e->count += ranks[i].count;
	}
	free(ranks);
	return rc;
}

static int by_bytes(const void *pa, const void *pb)
{
	const struct mlv_legend_entry *a = pa, *b = pb;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return (a->hash > b->hash) - (a->hash < b->hash);
}

/* Reserved bytes after the event of the peak. */
static uint64_t reserved_at_peak(const struct mlv_history *h)
{
	uint64_t reserved = h->reserved.start;
	for (size_t k = 0; k < h->other_count && h->others[k] <= h->requested.peak_event; k++)
		reserved += (uint64_t)mlv_reserved_delta(&h->events[h->others[k]]);
	return reserved;
}

/* What grows is red, as a failure is. */
static struct mlv_color life_color(const struct mlv_theme *theme, enum mlv_life life)
{
	switch (life) {
	case MLV_LIFE_PHASE:
		return theme->other;
	case MLV_LIFE_STEP:
		return mlv_palette_color(0);
	case MLV_LIFE_PERSISTENT:
		return mlv_palette_color(2);
	case MLV_LIFE_CUMULATIVE:
		return theme->oom;
	default:
		return theme->unknown;
	}
}

/* What has no stack keeps the grey that says so; every other site has its hash's colour. */
static struct mlv_color own_color(const struct mlv_memory_chart *chart, uint64_t hash,
				  uint32_t ordinal)
{
	switch (chart->panels[0].classes->kind) {
	case MLV_BY_SITE:
		if (hash == MLV_SITE_NOT_RECORDED || hash == MLV_SITE_BEFORE)
			break;
		return mlv_palette_color(mlv_palette_index(hash, 0));
	case MLV_BY_SIZE:
		return mlv_palette_ramp(ordinal);
	case MLV_BY_LIFETIME:
		return life_color(chart->page.theme, (enum mlv_life)ordinal);
	case MLV_BY_STREAM:
	case MLV_BY_POOL:
		if (ordinal == MLV_NO_ORDINAL)
			break;
		return mlv_palette_color(ordinal);
	}
	return chart->page.theme->unknown;
}

/* Those that the legend names get colours that no other of them has. */
static enum mlv_rc assign_colors(struct mlv_legend *l, const struct mlv_memory_chart *chart,
				 struct mlv_err *err)
{
	uint64_t *hashes = malloc((l->shown + 1) * sizeof(*hashes));
	uint32_t *index = malloc((l->shown + 1) * sizeof(*index));
	bool ok = hashes && index;
	for (size_t i = 0; ok && i < l->shown; i++)
		hashes[i] = l->entries[i].hash;
	if (ok)
		mlv_palette_assign(hashes, l->shown, index);
	for (size_t i = 0; ok && i < l->shown; i++) {
		struct mlv_legend_entry *e = &l->entries[i];
		bool named = chart->panels[0].classes->kind == MLV_BY_SITE &&
			     e->hash != MLV_SITE_NOT_RECORDED && e->hash != MLV_SITE_BEFORE;
		e->color =
			named ? mlv_palette_color(index[i]) : own_color(chart, e->hash, e->ordinal);
	}
	free(hashes);
	free(index);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

enum { MOST = 64, HEADING = 40, ENTRY = 43, PLACE = 14, PLAIN = 26 };

/* Sizes, streams and pools say all with their name. */
static double entry_height(const struct mlv_legend_entry *e)
{
	return *e->place ? ENTRY : ENTRY - PLACE;
}

/*
 * How many are named: no more than fit with the rows that must follow, and
 * few enough for what takes their square.
 */
static size_t how_many(const struct mlv_legend *l, size_t top, double height)
{
	double y = HEADING, bottom = height - 4 * PLAIN;
	size_t n = 0;
	while (n < l->count && n < top && n < MOST && y + ENTRY <= bottom)
		y += entry_height(&l->entries[n++]);
	return n;
}

enum mlv_rc mlv_legend_init(struct mlv_legend *l, const struct mlv_memory_chart *chart,
			    double height, struct mlv_err *err)
{
	struct mlv_map ids = { 0 };
	enum mlv_rc rc = MLV_OK;
	memset(l, 0, sizeof(*l));
	for (size_t i = 0; !rc && i < chart->count; i++) {
		const struct mlv_history *h = chart->panels[i].history;
		rc = add_panel(l, &ids, &chart->panels[i], err);
		uint64_t reserved = reserved_at_peak(h);
		if (reserved > h->requested.peak)
			l->reserved_gap += reserved - h->requested.peak;
		if (h->pending_peak > l->pending_peak)
			l->pending_peak = h->pending_peak;
	}
	mlv_map_fini(&ids);
	if (!rc && l->count)
		qsort(l->entries, l->count, sizeof(*l->entries), by_bytes);
	l->shown = how_many(l, chart->top, height);
	if (!rc)
		rc = assign_colors(l, chart, err);
	if (rc)
		mlv_legend_fini(l);
	return rc;
}

void mlv_legend_fini(struct mlv_legend *l)
{
	free(l->entries);
	memset(l, 0, sizeof(*l));
}

enum mlv_rc mlv_legend_colors(const struct mlv_legend *l, const struct mlv_memory_chart *chart,
			      const struct mlv_classes *classes, struct mlv_class_colors *colors,
			      struct mlv_err *err)
{
	colors->of_class = malloc((classes->count + 1) * sizeof(*colors->of_class));
	if (!colors->of_class)
		return mlv_err_nomem(err);
	for (uint32_t cls = 0; cls < classes->count; cls++) {
		uint64_t hash = mlv_class_hash(classes, cls);
		colors->of_class[cls] = own_color(chart, hash, mlv_class_ordinal(classes, cls));
		for (size_t i = 0; i < l->shown; i++) {
			if (l->entries[i].hash == hash)
				colors->of_class[cls] = l->entries[i].color;
		}
	}
	return MLV_OK;
}

/* A line without place: "3 other call sites". */
static double draw_plain(struct mlv_canvas *c, const struct mlv_memory_chart *chart,
			 struct mlv_rect area, double y, struct mlv_color chip, bool outline,
			 const char *name, uint64_t bytes)
{
	const struct mlv_theme *t = chart->page.theme;
	char text[MLV_NUM_SIZE];
	struct mlv_font bold = { 12, true }, plain = { 12, false };
	if (outline) {
		mlv_canvas_rect(c, area.x, y - 10, 11, 11, t->reserved_line, NULL);
		mlv_canvas_rect(c, area.x + 1, y - 9, 9, 9, chip, NULL);
	} else {
		mlv_canvas_rect(c, area.x, y - 10, 11, 11, chip, NULL);
	}
	mlv_canvas_text(c, area.x + 19, y, bold, MLV_START, t->text, name);
	if (bytes)
		mlv_canvas_text(c, area.x + area.w, y, plain, MLV_END, t->text,
				mlv_fmt_bytes(text, sizeof(text), bytes));
	return y + PLAIN;
}

static double draw_entry(struct mlv_canvas *c, const struct mlv_legend *l,
			 const struct mlv_memory_chart *chart, struct mlv_rect area, double y,
			 const struct mlv_legend_entry *e)
{
	const struct mlv_theme *t = chart->page.theme;
	char text[MLV_NUM_SIZE], fitted[512], tip[1024];
	struct mlv_font bold = { 12, true }, plain = { 12, false }, small = { 11, false };
	snprintf(tip, sizeof(tip), "%s %s: %" PRIu64 " allocations, %" PRIu64 " bytes", e->name,
		 e->place, e->count, e->bytes);
	mlv_canvas_rect(c, area.x, y - 10, 11, 11, e->color, tip);
	mlv_fmt_bytes(text, sizeof(text), e->bytes);
	double value = mlv_text_width(plain, text) + 12;
	mlv_text_fit(bold, e->name, area.w - 19 - value, false, fitted, sizeof(fitted));
	mlv_canvas_text(c, area.x + 19, y, bold, MLV_START, t->text, fitted);
	mlv_canvas_text(c, area.x + area.w, y, plain, MLV_END, t->text, text);
	double room = area.w - 19, share = (double)e->bytes / (double)l->entries[0].bytes;
	mlv_text_fit(small, e->place, room, true, fitted, sizeof(fitted));
	mlv_canvas_text(c, area.x + 19, y + 15, small, MLV_START, t->text_dim, fitted);
	struct mlv_color bar = e->color;
	bar.a = 170;
	double w = room * share < 1 ? 1 : room * share;
	y += entry_height(e);
	mlv_canvas_rect(c, area.x + 19, y - ENTRY + 21, w, 3, bar, NULL);
	return y;
}

void mlv_legend_draw(struct mlv_canvas *c, const struct mlv_legend *l,
		     const struct mlv_memory_chart *chart, struct mlv_rect area)
{
	static const char *const one[] = { "call site", "size", "stream", "pool" };
	static const char *const many[] = { "call sites", "sizes", "streams", "pools" };
	enum mlv_class_kind kind = chart->panels[0].classes->kind;
	const struct mlv_theme *t = chart->page.theme;
	double y = mlv_page_legend_heading(c, t, area.x, area.y,
					   chart->count > 1 ? "Alive at the peaks, all plots"
					   : chart->panels[0].history->count
						   ? "Alive at the peak"
						   : "Alive in the final state");
	size_t i = 0;
	while (i < l->shown)
		y = draw_entry(c, l, chart, area, y, &l->entries[i++]);
	uint64_t rest = 0;
	for (size_t k = i; k < l->count; k++)
		rest += l->entries[k].bytes;
	char name[80], n[MLV_NUM_SIZE];
	if (i < l->count) {
		snprintf(name, sizeof(name), "%zu other %s", l->count - i,
			 l->count - i == 1 ? one[kind] : many[kind]);
		draw_plain(c, chart, area, y, t->other, false, name, rest);
		/* They keep colours of their own in the plot: the chip shows three of them. */
		for (size_t k = 0; k < 3; k++) {
			const struct mlv_legend_entry *e = &l->entries[i + k % (l->count - i)];
			mlv_canvas_rect(c, area.x + (double)k * 4, y - 10, k < 2 ? 4 : 3, 11,
					own_color(chart, e->hash, e->ordinal), NULL);
		}
		y += PLAIN;
	}
	if (l->reserved_gap)
		y = draw_plain(c, chart, area, y, t->reserved_fill, true, "reserved, not requested",
			       l->reserved_gap);
	if (l->pending_peak) {
		struct mlv_step sample = { (int32_t)area.x, (int32_t)area.x + 11, (int32_t)y - 10,
					   (int32_t)y + 1 };
		struct mlv_strip strip = { sample.x0, sample.x1, sample.y0, sample.y1 };
		struct mlv_ribbon hatch = {
			.strips = &strip, .count = 1, .color = t->pending, .fill = MLV_FILL_HATCH
		};
		y = draw_plain(c, chart, area, y, t->ground, false,
			       "freed, awaiting a stream: up to", l->pending_peak);
		mlv_canvas_ribbon(c, &hatch);
	}
	if (l->banded) {
		snprintf(name, sizeof(name), "%s allocations of a pixel or two",
			 mlv_fmt_count(n, sizeof(n), l->banded));
		y = mlv_page_legend_note(c, t, area.x, y + 2, name);
		mlv_page_legend_note(c, t, area.x, y, "or less are drawn together, by colour");
	}
}
