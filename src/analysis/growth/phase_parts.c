/* SPDX-License-Identifier: MIT */
#include "analysis/growth/phase_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analysis/growth/report_facts.h"

static void setup_part(struct mlv_verdict *v, const struct mlv_phase_series *s,
		       const struct mlv_moment *m, double before)
{
	int64_t parameters = mlv_report_parameters(s->grid->run) * MLV_FP32_BYTES;
	double d = (double)m->allocated - before;
	char name[120];
	if (m->phase == MLV_PHASE_MODEL && parameters > 0 && d > 0.9 * (double)parameters) {
		mlv_verdict_part(v, "parameters", parameters);
		if (d - (double)parameters >= 1)
			mlv_verdict_part(v, "with the model: buffers, gradient buckets",
					 llround(d) - parameters);
		return;
	}
	if (m->phase == MLV_PHASE_MODEL)
		snprintf(name, sizeof(name), "model: parameters and what comes with them");
	else if (m->phase != MLV_PHASE_OTHER)
		snprintf(name, sizeof(name), "%s", mlv_phase_name(m->phase));
	else
		snprintf(name, sizeof(name), "%.100s", mlv_run_str(s->grid->run, m->label).p);
	if (d >= 1)
		mlv_verdict_part(v, name, llround(d));
}

/* The baseline moved after the first step, and stayed there. */
static void settled_part(struct mlv_verdict *v, const struct mlv_phase_series *s, double settled)
{
	double jump = 0;
	size_t at = 1;
	char name[120];
	int64_t parameters = mlv_report_parameters(s->grid->run) * MLV_FP32_BYTES;
	for (size_t i = 2; i <= s->steps; i++) {
		if (s->base[i] - s->base[i - 1] > jump) {
			jump = s->base[i] - s->base[i - 1];
			at = i - 1;
		}
	}
	bool buckets = parameters && settled > 0.95 * (double)parameters &&
		       settled < 1.1 * (double)parameters;
	snprintf(name, sizeof(name), "appears in step %" PRId64 " and stays%s",
		 s->grid->steps.data[at].number,
		 buckets ? ", as large as all gradients: gradient buckets" : "");
	mlv_verdict_part(v, name, llround(settled));
}

void mlv_phase_parts(struct mlv_verdict *v, struct mlv_phase_series *s)
{
	const struct mlv_phase_grid *g = s->grid;
	double before = 0, at_first = s->base[0];
	size_t setup = g->steps.len ? g->steps.data[0].first : g->moments.len;
	for (size_t i = 0; i < setup; i++) {
		setup_part(v, s, &g->moments.data[i], before);
		before = (double)g->moments.data[i].allocated;
	}
	if (!setup && !isnan(at_first))
		mlv_verdict_part(v, "before the first step", llround(at_first));
	if (s->steps < 2 || isnan(at_first) || isnan(s->base[1]))
		return;
	double rest = s->base[1] - at_first, slope = (double)v->cumulative_bytes;
	if (!isnan(s->state) && s->state_step == 0 && s->state >= MLV_LEAST_PART) {
		mlv_verdict_part(v, "optimizer state", llround(s->state));
		rest -= s->state;
	}
	double once = fmin(s->forward[0] - s->step_forward, rest - slope);
	if (once >= MLV_LEAST_PART) {
		mlv_verdict_part(v, "once in the first forward pass: library workspace, caches",
				 llround(once));
		rest -= once;
	}
	if (rest - slope >= MLV_LEAST_PART)
		mlv_verdict_part(
			v,
			isnan(s->forward[0])
				? "once in the first step"
				: "once after the first forward pass: library workspace, caches",
			llround(rest - slope));
	size_t n = 0;
	for (size_t i = 2; i <= s->steps; i++) {
		if (!isnan(s->base[i]))
			s->room[n++] = s->base[i];
	}
	double settled = n ? mlv_median(s->room, n) - s->base[1] : 0;
	if (!v->cumulative_bytes && settled >= MLV_LEAST_PART)
		settled_part(v, s, settled);
}
