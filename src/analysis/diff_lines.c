/* SPDX-License-Identifier: MIT */
#include "analysis/diff_lines.h"

#include <stdlib.h>

#include "analysis/view.h"

/* Events [first, end) of one side fill the columns [from, to). */
struct stretch {
	uint32_t first, end;
	int32_t from, to;
};

static enum mlv_rc fill(struct mlv_diff_lines *l, unsigned side, const struct mlv_history *h,
			struct stretch s, struct mlv_err *err)
{
	struct mlv_view view = {
		.first = s.first, .last = s.end - 1, .by_time = l->by_time, .columns = s.to - s.from
	};
	uint32_t peak = h->requested.peak_event < 0 ? 0 : (uint32_t)h->requested.peak_event;
	if (s.end <= s.first || view.columns < 1)
		return MLV_OK;
	struct mlv_instant *instants = mlv_view_instants(h, &view);
	if (!instants)
		return mlv_err_nomem(err);
	for (int32_t i = 0; i < view.columns; i++) {
		if (s.from + i >= 0 && s.from + i < l->columns)
			l->side[side][s.from + i] =
				(struct mlv_diff_column){ true, instants[i].requested,
							  instants[i].reserved };
	}
	if (peak >= s.first && peak < s.end)
		l->peak[side] = s.from + mlv_view_column(h, &view, peak);
	free(instants);
	return MLV_OK;
}

/* ------------------------------------------------------------------ at the start, at the peak */

/* Where an event lies, in events or nanoseconds since the first. */
static int64_t at(const struct mlv_diff_lines *l, const struct mlv_history *h, int64_t event)
{
	if (event < 0 || !h->count)
		return 0;
	if (!l->by_time)
		return event;
	int64_t t = mlv_time_between(h->events[0].time_ns, h->events[event].time_ns);
	/* Damaged times may be any number, and are added up. */
	return t < 0 ? 0 : t > INT64_MAX / 8 ? INT64_MAX / 8 : t;
}

static int32_t scaled(int64_t part, int64_t whole, int32_t columns)
{
	double x = whole > 0 ? (double)part / (double)whole * columns : 0;
	return x < 0 ? 0 : x > columns ? columns : (int32_t)(x + 0.5);
}

static enum mlv_rc align_ends(struct mlv_diff_lines *l, const struct mlv_history *const *h,
			      struct mlv_err *err)
{
	int64_t mark[2] = { 0 }, length[2], before = 0, after = 0;
	enum mlv_rc rc = MLV_OK;
	for (unsigned s = 0; s < 2; s++) {
		length[s] = at(l, h[s], (int64_t)h[s]->count - 1) + 1;
		if (l->align == MLV_ALIGN_PEAK)
			mark[s] = at(l, h[s], h[s]->requested.peak_event);
		before = mark[s] > before ? mark[s] : before;
		after = length[s] - mark[s] > after ? length[s] - mark[s] : after;
	}
	l->span = before + after;
	l->zero = -before;
	for (unsigned s = 0; !rc && s < 2; s++) {
		int32_t from = scaled(before - mark[s], l->span, l->columns);
		int32_t to = scaled(before - mark[s] + length[s], l->span, l->columns);
		struct stretch all = { 0, (uint32_t)h[s]->count, from, to > from ? to : from + 1 };
		rc = fill(l, s, h[s], all, err);
	}
	return rc;
}

/* ------------------------------------------------------------------ step by step */

static enum mlv_rc steps_of(const struct mlv_history *h, struct mlv_steps *steps,
			    struct mlv_err *err)
{
	struct mlv_stack_marks marks;
	enum mlv_rc rc = mlv_stack_marks_init(&marks, h->run, err);
	if (rc)
		return rc;
	rc = mlv_steps_init(steps, h, &marks, err);
	mlv_stack_marks_fini(&marks);
	return rc;
}

static enum mlv_rc fill_steps(struct mlv_diff_lines *l, unsigned side, const struct mlv_history *h,
			      const struct mlv_steps *steps, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (size_t k = 0; !rc && k <= steps->count && k < l->steps; k++) {
		struct stretch s = {
			.first = k ? steps->ends[k - 1] : 0,
			.end = k < steps->count ? steps->ends[k] : (uint32_t)h->count,
			.from = (int32_t)((int64_t)k * l->columns / (int64_t)l->steps),
			.to = (int32_t)((int64_t)(k + 1) * l->columns / (int64_t)l->steps),
		};
		if (s.end > h->count)
			s.end = (uint32_t)h->count;
		rc = fill(l, side, h, s, err);
	}
	return rc;
}

static enum mlv_rc align_steps(struct mlv_diff_lines *l, const struct mlv_history *const *h,
			       struct mlv_err *err)
{
	struct mlv_steps steps[2] = { 0 };
	size_t most = 0;
	bool goes_on = false;
	enum mlv_rc rc = MLV_OK;
	for (unsigned s = 0; !rc && s < 2; s++) {
		rc = steps_of(h[s], &steps[s], err);
		most = steps[s].count > most ? steps[s].count : most;
		/* What takes its snapshot behind the last step leaves a few events there. */
		goes_on = goes_on ||
			  (steps[s].count && h[s]->count - steps[s].ends[steps[s].count - 1] >
						     h[s]->count / (8 * steps[s].count));
	}
	l->goes_on = goes_on;
	l->steps = most + goes_on;
	if (!rc && (steps[0].by == MLV_STEPS_NONE || steps[1].by == MLV_STEPS_NONE))
		rc = mlv_err_set(err, MLV_E_USAGE,
				 "--align step: no steps were found in one of them; choose start "
				 "or peak");
	if (!rc && (most >= MLV_ALIGN_STEPS || (int64_t)most * 4 > l->columns))
		rc = mlv_err_set(err, MLV_E_USAGE,
				 "--align step: %zu steps are too many for one picture", most);
	for (unsigned s = 0; s < 2; s++) {
		if (!rc)
			rc = fill_steps(l, s, h[s], &steps[s], err);
		mlv_steps_fini(&steps[s]);
	}
	return rc;
}

/* ------------------------------------------------------------------ the whole */

static void find_range(struct mlv_diff_lines *l)
{
	for (int32_t i = 0; i < l->columns; i++) {
		const struct mlv_diff_column *a = &l->side[0][i], *b = &l->side[1][i];
		for (unsigned s = 0; s < 2; s++) {
			const struct mlv_diff_column *c = &l->side[s][i];
			l->most = c->requested > l->most ? c->requested : l->most;
			l->most = c->reserved > l->most ? c->reserved : l->most;
		}
		if (!a->known || !b->known)
			continue;
		if (b->requested > a->requested && b->requested - a->requested > l->high)
			l->high = b->requested - a->requested;
		if (a->requested > b->requested && a->requested - b->requested > l->low)
			l->low = a->requested - b->requested;
	}
}

enum mlv_rc mlv_diff_lines_init(struct mlv_diff_lines *l, const struct mlv_history *const *h,
				enum mlv_align align, bool by_time, int32_t columns,
				struct mlv_err *err)
{
	*l = (struct mlv_diff_lines){ .align = align,
				      .by_time = by_time && align != MLV_ALIGN_STEP,
				      .columns = columns,
				      .peak = { -1, -1 } };
	if (l->by_time && !(h[0]->has_times && h[1]->has_times))
		return mlv_err_set(err, MLV_E_USAGE,
				   "--x time: one of them has events without a time");
	for (unsigned s = 0; s < 2; s++)
		l->side[s] = calloc((size_t)columns + 1, sizeof(*l->side[s]));
	enum mlv_rc rc = l->side[0] && l->side[1] ? MLV_OK : mlv_err_nomem(err);
	if (!rc)
		rc = align == MLV_ALIGN_STEP ? align_steps(l, h, err) : align_ends(l, h, err);
	if (rc)
		mlv_diff_lines_fini(l);
	else
		find_range(l);
	return rc;
}

void mlv_diff_lines_fini(struct mlv_diff_lines *l)
{
	free(l->side[0]);
	free(l->side[1]);
	*l = (struct mlv_diff_lines){ 0 };
}
