/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>

#include "base/num.h"
#include "render/frag_plot.h"

struct label {
	double x;
	struct mlv_color color;
	char text[200];
};

/* A failure and a retry of each setting, and the moment. */
enum { LABELS = 2 * MLV_FRAG_SETTINGS + 1, LABEL_ROW = 17 };

struct labels {
	struct label list[LABELS];
	size_t count;
};

static void add_label(struct labels *l, double x, struct mlv_color color, const char *text)
{
	if (l->count == LABELS)
		return;
	struct label *q = &l->list[l->count++];
	q->x = x;
	q->color = color;
	snprintf(q->text, sizeof(q->text), "%s", text);
}

static void failure_text(const struct mlv_frag_plot *p, size_t setting, uint32_t event, char *buf,
			 size_t size)
{
	const struct mlv_frag_setting *q = &p->chart->settings[setting];
	const struct mlv_mem_event *e = &p->chart->history->events[event];
	char bytes[MLV_NUM_SIZE], number[MLV_NUM_SIZE], more[60] = "";
	if (q->series->ooms > 1)
		snprintf(more, sizeof(more), " (first of %" PRIu64 ")", q->series->ooms);
	snprintf(buf, size, "%.60s%sout of memory: could not get %s%s, event %s%s",
		 p->chart->count > 1 ? q->name : "", p->chart->count > 1 ? ": " : "",
		 mlv_fmt_bytes(bytes, sizeof(bytes), e->bytes),
		 e->action == MLV_MEM_OOM ? " (rounded)" : "",
		 mlv_fmt_count(number, sizeof(number), event), more);
}

static void retry_text(const struct mlv_frag_plot *p, size_t setting, uint32_t event, char *buf,
		       size_t size)
{
	const struct mlv_frag_setting *q = &p->chart->settings[setting];
	char number[MLV_NUM_SIZE], count[MLV_NUM_SIZE];
	snprintf(buf, size, "%.60s%s%s, %s event %s", p->chart->count > 1 ? q->name : "",
		 p->chart->count > 1 ? ": " : "",
		 mlv_fmt_count_of(count, sizeof(count), q->series->retries,
				  "retry after releasing the cache",
				  "retries after releasing the cache"),
		 q->series->retries > 1 ? "first at" : "at",
		 mlv_fmt_count(number, sizeof(number), event));
}

/* A request that fails was retried in vain: that is said already. */
static bool retried_only(const struct mlv_frag_column *c)
{
	return c->retries > c->ooms;
}

/* Every retry has its mark on the upper edge, every failure its line; the first has the words. */
static void mark_setting(const struct mlv_frag_plot *p, size_t setting, struct labels *l)
{
	const struct mlv_theme *t = p->chart->theme;
	const struct mlv_frag_series *s = p->chart->settings[setting].series;
	char text[200];
	bool failed = false, retried = false;
	for (uint32_t i = 0; i < s->ended; i++) {
		const struct mlv_frag_column *c = &s->columns[i];
		if (c->ooms) {
			double x = mlv_frag_event_x(p, s, c->first_oom);
			struct mlv_point line[2] = { { x, p->y }, { x, p->base } };
			mlv_canvas_polyline(p->c, line, 2, 1.6, t->oom, setting ? 5 : 0);
			if (!failed) {
				failure_text(p, setting, c->first_oom, text, sizeof(text));
				add_label(l, x, t->oom, text);
			}
			failed = true;
		}
		if (retried_only(c)) {
			double x = mlv_frag_event_x(p, s, c->first_retry), y = p->y - 1;
			struct mlv_point mark[3] = { { x - 4, y - 7 }, { x + 4, y - 7 }, { x, y } };
			mlv_canvas_polygon(p->c, mark, 3, t->warning);
			if (!retried) {
				retry_text(p, setting, c->first_retry, text, sizeof(text));
				add_label(l, x, t->warning, text);
			}
			retried = true;
		}
	}
}

static bool shows_moment(const struct mlv_frag_chart *chart)
{
	const struct mlv_frag_series *s = chart->settings[0].series;
	return chart->moment >= (int64_t)s->first && chart->moment <= (int64_t)s->last;
}

static void mark_moment(const struct mlv_frag_plot *p, struct labels *l)
{
	const struct mlv_frag_series *s = p->chart->settings[0].series;
	char text[80], number[MLV_NUM_SIZE];
	if (!shows_moment(p->chart))
		return;
	double x = mlv_frag_event_x(p, s, (uint32_t)p->chart->moment);
	struct mlv_point line[2] = { { x, p->y }, { x, p->base } };
	mlv_canvas_polyline(p->c, line, 2, 1, p->chart->theme->axis, 3);
	snprintf(text, sizeof(text), "the map: after event %s",
		 mlv_fmt_count(number, sizeof(number), (uint64_t)p->chart->moment));
	add_label(l, x, p->chart->theme->text, text);
}

double mlv_frag_labels_height(const struct mlv_frag_chart *chart)
{
	size_t n = shows_moment(chart);
	for (size_t i = 0; i < chart->count; i++) {
		const struct mlv_frag_series *s = chart->settings[i].series;
		bool retried = false;
		for (uint32_t k = 0; k < s->ended && !retried; k++)
			retried = retried_only(&s->columns[k]);
		n += (s->ooms > 0) + retried;
	}
	return (double)n * LABEL_ROW;
}

/* Each in a row of its own, so that none collide. */
static void draw_words(const struct mlv_frag_plot *p, const struct labels *l, double y)
{
	struct mlv_font font = { 12, true };
	double right = p->x + p->columns + MLV_FRAG_RIGHT - 6;
	for (size_t i = 0; i < l->count; i++) {
		const struct label *q = &l->list[i];
		char fitted[200];
		double w = mlv_text_fit(font, q->text, right - p->x, false, fitted, sizeof(fitted));
		double x = q->x - 1;
		if (x + w > right)
			x = right - w;
		mlv_canvas_text(p->c, x, y + (double)(i + 1) * LABEL_ROW - 5, font, MLV_START,
				q->color, fitted);
	}
}

void mlv_frag_marks_draw(const struct mlv_frag_plot *p, double labels_y)
{
	struct labels l = { .count = 0 };
	mark_moment(p, &l);
	for (size_t i = 0; i < p->chart->count; i++)
		mark_setting(p, i, &l);
	draw_words(p, &l, labels_y);
}
