/* SPDX-License-Identifier: MIT */
/* The indicators of a memory report, reckoned anew from its samples. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/growth/phase_verdict.h"
#include "analysis/growth/sample_tracks.h"
#include "base/num.h"

/* What is there when the first step begins: after the input, or whatever came last. */
static const struct mlv_moment *before_steps(const struct mlv_phase_grid *g)
{
	const struct mlv_moment *m = mlv_phase_at(g, -1, MLV_PHASE_INPUT);
	return m ? m : mlv_phase_base(g, 0);
}

static void forward(struct mlv_indicators *out, const struct mlv_phase_grid *g)
{
	for (size_t i = 0; i < g->steps.len; i++) {
		const struct mlv_moment *f = mlv_phase_at(g, (int32_t)i, MLV_PHASE_FORWARD);
		const struct mlv_moment *b = mlv_phase_base(g, (int32_t)i);
		if (!f || !b)
			continue;
		int64_t d = f->allocated - b->allocated;
		if (!out->has_forward || d > out->largest_forward_increase)
			out->largest_forward_increase = d;
		out->has_forward = true;
	}
}

void mlv_indicators_of(struct mlv_indicators *out, const struct mlv_phase_grid *g)
{
	const struct mlv_moment *before = before_steps(g), *first = NULL, *last = NULL;
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < g->moments.len; i++) {
		const struct mlv_moment *m = &g->moments.data[i];
		if (m->peak > out->maximum_peak_allocated)
			out->maximum_peak_allocated = m->peak;
		out->has_peak = out->has_peak || m->peak >= 0;
	}
	if (g->steps.len) {
		first = mlv_phase_at(g, 0, MLV_PHASE_CLEAR);
		last = mlv_phase_at(g, (int32_t)g->steps.len - 1, MLV_PHASE_CLEAR);
	}
	if (first && before) {
		out->has_persistent = true;
		out->first_step_persistent_change = first->allocated - before->allocated;
	}
	if (first && last) {
		out->has_growth = true;
		out->between_step_growth = last->allocated - first->allocated;
	}
	forward(out, g);
}

/* ---- against what the report states ---- */

static const struct mlv_metric *stated(const struct mlv_phase_grid *g, const char *name)
{
	char subject[32];
	snprintf(subject, sizeof(subject), "rank %" PRId64, g->rank);
	for (size_t i = 0; i < g->run->metrics.len; i++) {
		const struct mlv_metric *m = &g->run->metrics.data[i];
		if (strcmp(mlv_run_str(g->run, m->metric).p, name) == 0 &&
		    strcmp(mlv_run_str(g->run, m->subject).p, subject) == 0)
			return m;
	}
	return NULL;
}

bool mlv_report_metric(const struct mlv_phase_grid *g, const char *name, int64_t *bytes)
{
	const struct mlv_metric *m = stated(g, name);
	return m && mlv_decimal_bytes(m->value, bytes) &&
	       *bytes<MLV_MOST_BYTES && * bytes> - MLV_MOST_BYTES;
}

static void compare(const struct mlv_phase_grid *g, const char *name, bool has, int64_t reckoned,
		    struct mlv_diags *notes)
{
	/* Reports round to six digits or so. */
	enum { ROUNDING = 16 << 10 };
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	int64_t said;
	if (!has || !mlv_report_metric(g, name, &said) ||
	    llabs(mlv_time_between(said, reckoned)) <= ROUNDING)
		return;
	mlv_diag_add(notes, MLV_DAMAGE, "indicator-differs", MLV_NO_OFFSET,
		     "%s of rank %" PRId64 " is %s by the samples, and %s as the report states it",
		     name, g->rank, mlv_fmt_bytes_signed(a, sizeof(a), reckoned),
		     mlv_fmt_bytes_signed(b, sizeof(b), said));
}

void mlv_indicators_check(const struct mlv_indicators *i, const struct mlv_phase_grid *g,
			  struct mlv_diags *notes)
{
	compare(g, "first_step_persistent_change", i->has_persistent,
		i->first_step_persistent_change, notes);
	compare(g, "between_step_growth", i->has_growth, i->between_step_growth, notes);
	compare(g, "largest_forward_increase", i->has_forward, i->largest_forward_increase, notes);
	compare(g, "maximum_peak_allocated", i->has_peak, i->maximum_peak_allocated, notes);
}
