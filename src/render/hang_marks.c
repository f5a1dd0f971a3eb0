/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "render/hang_plot.h"

static void label(struct mlv_hang_plot *p, const struct mlv_hang_row *row, bool first)
{
	const struct mlv_hang *h = p->chart->hang;
	const struct mlv_evidence *e = h->evidence;
	const struct mlv_theme *t = p->chart->page.theme;
	bool culprit = mlv_hang_is_culprit(h, row->rank);
	struct mlv_font font = { row->h < 13 ? 9 : 11, culprit && first };
	double base = row->y + row->h / 2 + font.size / 2 - 1;
	char text[400] = "", fitted[400];
	if (first) {
		snprintf(text, sizeof(text), "rank %" PRId64, e->ranks.data[row->rank].rank);
		mlv_canvas_text(p->c, MLV_HANG_MARGIN, base, font, MLV_START,
				culprit ? t->oom : t->text, text);
	}
	if (row->group == UINT32_MAX)
		return;
	const struct mlv_job_group *g = &e->groups.data[row->group];
	struct mlv_str desc = mlv_evidence_str(e, g->description);
	snprintf(text, sizeof(text), "%s%.60s%s%.200s", "group ", mlv_evidence_str(e, g->name).p,
		 desc.n ? " " : "", mlv_str_eq(desc, MLV_STR("undefined")) ? "" : desc.p);
	font.bold = false;
	mlv_text_fit(font, text, MLV_HANG_LABELS - MLV_HANG_MARGIN - 66, true, fitted,
		     sizeof(fitted));
	mlv_canvas_text(p->c, p->x - 10, base, font, MLV_END, t->text_dim, fitted);
}

void mlv_hang_plot_labels(struct mlv_hang_plot *p)
{
	const struct mlv_theme *t = p->chart->page.theme;
	for (size_t i = 0; i < p->rows.len; i++) {
		const struct mlv_hang_row *row = &p->rows.data[i];
		bool first = !i || p->rows.data[i - 1].rank != row->rank;
		label(p, row, first);
		mlv_canvas_rect(p->c, p->x, row->y + row->h / 2, p->w, 1, t->grid, NULL);
	}
}

/* The frame of a cell at which ranks diverge. */
static void frame(struct mlv_hang_plot *p, const struct mlv_hang_row *row, uint32_t column,
		  double dash)
{
	double x = p->x + column * p->step, pad = 1;
	struct mlv_point box[] = { { x + pad, row->y + pad },
				   { x + p->step - pad - 2, row->y + pad },
				   { x + p->step - pad - 2, row->y + row->h - pad },
				   { x + pad, row->y + row->h - pad },
				   { x + pad, row->y + pad } };
	mlv_canvas_polyline(p->c, box, 5, 2, p->chart->page.theme->oom, dash);
}

/* The column at which it began, UINT32_MAX if that is not in sight. */
static uint32_t began_at(const struct mlv_hang_plot *p)
{
	const struct mlv_hang *h = p->chart->hang;
	const struct mlv_evidence *e = h->evidence;
	/* A device is stuck in the call in which it stands, a host before one that others issued.
	 */
	int first = h->verdict.stuck == MLV_STUCK_DEVICE ? 1 : 0;
	for (int pass = first; pass < 2; pass++) {
		for (size_t i = 0; i < p->columns.cells.len; i++) {
			const struct mlv_hang_cell *cell = &p->columns.cells.data[i];
			const struct mlv_call *c = &e->calls.data[cell->call];
			bool here = e->lanes.data[c->lane].group == h->verdict.group &&
				    h->verdict.seq >= 0 && c->seq == h->verdict.seq &&
				    c->kind == MLV_CALL_COLLECTIVE;
			if (pass == 0 ? here
				      : cell->call == h->verdict.call ||
						cell->call == h->verdict.other)
				return cell->column;
		}
	}
	return UINT32_MAX;
}

static bool is_marked(const struct mlv_hang *h, const struct mlv_hang_cell *cell)
{
	const struct mlv_call *c = &h->evidence->calls.data[cell->call];
	if (cell->call == h->verdict.call)
		return true;
	if (h->verdict.stuck == MLV_STUCK_DEVICE)
		return mlv_hang_is_culprit(h, cell->rank) &&
		       cell->call == h->states[cell->rank].stands;
	return mlv_hang_is_culprit(h, cell->rank) && h->verdict.seq >= 0 &&
	       h->evidence->lanes.data[c->lane].group == h->verdict.group &&
	       c->seq == h->verdict.seq && c->kind == MLV_CALL_COLLECTIVE;
}

/* A culprit without a call there is marked by an empty frame. */
static void mark_absent(struct mlv_hang_plot *p, uint32_t column)
{
	const struct mlv_hang *h = p->chart->hang;
	for (size_t i = 0; i < p->rows.len; i++) {
		const struct mlv_hang_row *row = &p->rows.data[i];
		bool any = false;
		if (!mlv_hang_is_culprit(h, row->rank) ||
		    (row->group != h->verdict.group && row->group != UINT32_MAX))
			continue;
		for (size_t k = 0; k < p->columns.cells.len; k++)
			any |= p->columns.cells.data[k].column == column &&
			       mlv_hang_plot_row(p, &p->columns.cells.data[k]) == row;
		if (!any)
			frame(p, row, column, 4);
	}
}

void mlv_hang_plot_marks(struct mlv_hang_plot *p)
{
	const struct mlv_hang *h = p->chart->hang;
	const struct mlv_theme *t = p->chart->page.theme;
	uint32_t column = began_at(p);
	if (h->verdict.kind == MLV_HANG_HEALTHY)
		return;
	for (size_t i = 0; i < p->columns.cells.len; i++) {
		const struct mlv_hang_cell *cell = &p->columns.cells.data[i];
		const struct mlv_hang_row *row = mlv_hang_plot_row(p, cell);
		if (row && is_marked(h, cell))
			frame(p, row, cell->column, 0);
	}
	if (column == UINT32_MAX)
		return;
	double x = p->x + column * p->step - 1;
	struct mlv_point line[] = { { x, p->top - 8 }, { x, p->bottom + 4 } };
	struct mlv_font font = { 12, true };
	char text[100];
	mlv_canvas_polyline(p->c, line, 2, 1.5, t->oom, 5);
	int64_t seq = h->verdict.seq;
	if (h->verdict.stuck == MLV_STUCK_DEVICE && h->verdict.call != MLV_NO_CALL)
		seq = h->evidence->calls.data[h->verdict.call].seq;
	snprintf(text, sizeof(text), "%s", mlv_hang_verdict_name(h->verdict.kind));
	if (seq >= 0)
		snprintf(text, sizeof(text), "%s at #%" PRId64,
			 mlv_hang_verdict_name(h->verdict.kind), seq);
	mlv_canvas_text(p->c, x, p->top - 14, font, x > p->x + p->w / 2 ? MLV_END : MLV_START,
			t->oom, text);
	if (h->verdict.stuck != MLV_STUCK_DEVICE)
		mark_absent(p, column);
}

/* What a rank waited in all, by traces or durations; -1. */
static int64_t waited(const struct mlv_hang *h, uint32_t rank)
{
	for (size_t i = 0; i < h->stragglers.list.len; i++) {
		if (h->stragglers.list.data[i].rank == rank)
			return h->stragglers.list.data[i].waited_ns;
	}
	return -1;
}

static void wait_text(const struct mlv_hang *h, uint32_t rank, char *text, size_t size)
{
	const struct mlv_rank_state *s = &h->states[rank];
	const struct mlv_stand *stand = &h->waits.stands[rank];
	char time[MLV_NUM_SIZE];
	if (stand->lane != MLV_NO_CALL && s->waiting_ns >= 0 &&
	    (s->exactly || s->waiting_ns >= 1000000000))
		snprintf(text, size, "waits, %s%s", s->exactly ? "" : "at least ",
			 mlv_fmt_duration(time, sizeof(time), s->waiting_ns));
	else if (stand->lane != MLV_NO_CALL)
		snprintf(text, size, "waits");
	else if (!stand->heard)
		snprintf(text, size, "no dump");
	else if (waited(h, rank) >= 0)
		snprintf(text, size, "waited %s in all",
			 mlv_fmt_duration(time, sizeof(time), waited(h, rank)));
	else if (h->evidence->ranks.data[rank].fate == MLV_FATE_FINISHED)
		snprintf(text, size, "came to its end");
	else
		snprintf(text, size, "waits for nothing");
}

/* From the call in which a rank stands to the end of its lane. */
static void wait_bar(struct mlv_hang_plot *p, const struct mlv_hang_row *row)
{
	const struct mlv_hang *h = p->chart->hang;
	uint32_t call = h->states[row->rank].stands;
	for (size_t i = 0; call != MLV_NO_CALL && i < p->columns.cells.len; i++) {
		const struct mlv_hang_cell *cell = &p->columns.cells.data[i];
		if (cell->call != call || mlv_hang_plot_row(p, cell) != row)
			continue;
		struct mlv_strip strip = { (int32_t)(p->x + (cell->column + 1) * p->step - 2),
					   (int32_t)(p->x + p->w),
					   (int32_t)(row->y + row->h / 2 - 2),
					   (int32_t)(row->y + row->h / 2 + 2) };
		struct mlv_ribbon r = { .strips = &strip,
					.count = 1,
					.color = p->chart->page.theme->warning,
					.fill = MLV_FILL_HATCH };
		if (strip.x1 > strip.x0)
			mlv_canvas_ribbon(p->c, &r);
	}
}

/* Of a rank of which only a status or a log tells: how far it came. */
static void status_text(struct mlv_hang_plot *p, const struct mlv_hang_row *row)
{
	const struct mlv_hang *h = p->chart->hang;
	const struct mlv_evidence *e = h->evidence;
	struct mlv_font font = { row->h < 13 ? 9 : 11, false };
	char text[120];
	uint32_t lane = h->verdict.group == UINT32_MAX
				? UINT32_MAX
				: mlv_lane_of(e, h->verdict.group, row->rank);
	if (lane == UINT32_MAX || row->group != UINT32_MAX)
		return;
	for (size_t i = 0; i < p->columns.cells.len; i++) {
		if (p->columns.cells.data[i].rank == row->rank)
			return;
	}
	const struct mlv_job_lane *l = &e->lanes.data[lane];
	if (l->enqueued == MLV_NOT_KNOWN)
		return;
	snprintf(text, sizeof(text), "issued up to #%" PRId64 " of group %.40s%s", l->enqueued,
		 mlv_evidence_str(e, e->groups.data[l->group].name).p,
		 l->completed == l->enqueued ? ", and all ended" : "");
	mlv_canvas_text(p->c, p->x + 6, row->y + row->h / 2 - 4, font, MLV_START,
			p->chart->page.theme->text_dim, text);
}

/* What a rank waited in all, as a bar beside those of the others. */
static void waited_bar(struct mlv_hang_plot *p, const struct mlv_hang_row *row)
{
	const struct mlv_hang *h = p->chart->hang;
	int64_t most = 0, mine = waited(h, row->rank);
	for (size_t i = 0; i < h->stragglers.list.len; i++) {
		int64_t w = h->stragglers.list.data[i].waited_ns;
		most = w > most ? w : most;
	}
	if (h->waits.stands[row->rank].lane != MLV_NO_CALL || mine <= 0 || row->h < 24)
		return;
	double w = (MLV_HANG_RIGHT - 40) * ((double)mine / (double)most);
	mlv_canvas_rect(p->c, p->x + p->w + 10, row->y + row->h / 2 + 9, w < 1 ? 1 : w, 5,
			p->chart->page.theme->warning, NULL);
}

void mlv_hang_plot_waits(struct mlv_hang_plot *p)
{
	for (size_t i = 0; i < p->rows.len; i++)
		wait_bar(p, &p->rows.data[i]);
}

void mlv_hang_plot_ends(struct mlv_hang_plot *p)
{
	const struct mlv_hang *h = p->chart->hang;
	const struct mlv_theme *t = p->chart->page.theme;
	for (size_t i = 0; i < p->rows.len; i++) {
		const struct mlv_hang_row *row = &p->rows.data[i];
		struct mlv_font font = { row->h < 13 ? 9 : 11, false };
		char text[100];
		if (i && p->rows.data[i - 1].rank == row->rank)
			continue;
		wait_text(h, row->rank, text, sizeof(text));
		mlv_canvas_text(p->c, p->x + p->w + 10, row->y + row->h / 2 + font.size / 2 - 1,
				font, MLV_START,
				h->waits.stands[row->rank].lane != MLV_NO_CALL ? t->warning
									       : t->text_dim,
				text);
		waited_bar(p, row);
		status_text(p, row);
	}
}
