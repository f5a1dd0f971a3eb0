/* SPDX-License-Identifier: MIT */
/* Which ranks are drawn, and the lanes that they get. */
#include <stdlib.h>

#include "render/hang_plot.h"

enum { ROW_MIN = 9, ROW_MAX = 72 };

static int ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static void take(struct mlv_hang_plot *p, bool *taken, uint32_t rank, size_t most)
{
	if (taken[rank] || p->rank_count == most)
		return;
	taken[rank] = true;
	p->ranks[p->rank_count++] = rank;
}

/* Culprits, the members of the group in which it began, then others while there is room. */
bool mlv_hang_plot_ranks(struct mlv_hang_plot *p, size_t most)
{
	const struct mlv_hang *h = p->chart->hang;
	const struct mlv_evidence *e = h->evidence;
	bool *taken = calloc(e->ranks.len + 1, sizeof(*taken));
	p->ranks = calloc(e->ranks.len + 1, sizeof(*p->ranks));
	if (!taken || !p->ranks) {
		free(taken);
		return false;
	}
	for (size_t i = 0; i < h->verdict.culprits.len; i++)
		take(p, taken, h->verdict.culprits.data[i], most);
	if (h->verdict.group != UINT32_MAX) {
		const struct mlv_job_group *g = &e->groups.data[h->verdict.group];
		for (uint32_t i = 0; i < g->lanes; i++)
			take(p, taken, e->lanes.data[g->first_lane + i].rank, most);
	}
	for (uint32_t i = 0; i < e->ranks.len; i++)
		take(p, taken, i, most);
	p->hidden = e->ranks.len - p->rank_count;
	qsort(p->ranks, p->rank_count, sizeof(*p->ranks), ascending);
	free(taken);
	return true;
}

static bool add(struct mlv_hang_plot *p, uint32_t rank, uint32_t group)
{
	struct mlv_hang_row row = { .rank = rank, .group = group };
	for (size_t i = p->rows.len; i-- > 0 && p->rows.data[i].rank == rank;) {
		if (p->rows.data[i].group == group)
			return true;
	}
	return mlv_vec_push(&p->rows, row);
}

/* A lane for each group in which a rank has a call in sight; one if it has none. */
static bool by_group(struct mlv_hang_plot *p)
{
	const struct mlv_evidence *e = p->chart->hang->evidence;
	size_t cell = 0;
	for (size_t i = 0; i < p->rank_count; i++) {
		size_t before = p->rows.len;
		for (;
		     cell < p->columns.cells.len && p->columns.cells.data[cell].rank == p->ranks[i];
		     cell++) {
			const struct mlv_call *c = &e->calls.data[p->columns.cells.data[cell].call];
			if (!add(p, p->ranks[i], e->lanes.data[c->lane].group))
				return false;
		}
		if (p->rows.len == before && !add(p, p->ranks[i], UINT32_MAX))
			return false;
	}
	return true;
}

bool mlv_hang_plot_rows(struct mlv_hang_plot *p)
{
	double room = p->bottom - p->top;
	if (!by_group(p))
		return false;
	if ((double)p->rows.len * (ROW_MIN + 4) > room) {
		p->rows.len = 0;
		for (size_t i = 0; i < p->rank_count; i++) {
			if (!add(p, p->ranks[i], UINT32_MAX))
				return false;
		}
	}
	size_t gaps = p->rank_count > 1 ? p->rank_count - 1 : 0;
	double gap = p->rows.len > p->rank_count ? 8 : 3;
	double h = p->rows.len ? (room - (double)gaps * gap) / (double)p->rows.len : 0;
	h = h > ROW_MAX ? ROW_MAX : h;
	double y = p->top;
	for (size_t i = 0; i < p->rows.len; i++) {
		struct mlv_hang_row *row = &p->rows.data[i];
		y += i && row->rank != p->rows.data[i - 1].rank ? gap : 0;
		row->y = y;
		row->h = h;
		y += h;
	}
	p->bottom = y;
	return true;
}

const struct mlv_hang_row *mlv_hang_plot_row(const struct mlv_hang_plot *p,
					     const struct mlv_hang_cell *cell)
{
	const struct mlv_evidence *e = p->chart->hang->evidence;
	uint32_t group = e->lanes.data[e->calls.data[cell->call].lane].group;
	for (size_t i = 0; i < p->rows.len; i++) {
		const struct mlv_hang_row *row = &p->rows.data[i];
		if (row->rank == cell->rank && (row->group == group || row->group == UINT32_MAX))
			return row;
	}
	return NULL;
}
