/* SPDX-License-Identifier: MIT */
#include "analysis/phase_pairs.h"

#include <math.h>

/* Reports have a few phases: each is looked for among those that there are. */
enum { MOST_PHASES = 64 };

static bool has_metric(const struct mlv_run *run, struct mlv_str metric)
{
	for (size_t i = 0; i < run->samples.len; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		if (s->phase.i && mlv_str_eq(mlv_run_str(run, s->metric), metric))
			return true;
	}
	return false;
}

static struct mlv_str choose_metric(const struct mlv_run *const *runs)
{
	mlv_strid last = MLV_STR_NONE;
	if (has_metric(runs[0], MLV_STR("allocated")) && has_metric(runs[1], MLV_STR("allocated")))
		return MLV_STR("allocated");
	for (size_t i = 0; i < runs[0]->samples.len; i++) {
		const struct mlv_sample *s = &runs[0]->samples.data[i];
		if (!s->phase.i || s->metric.i == last.i)
			continue;
		last = s->metric;
		if (has_metric(runs[1], mlv_run_str(runs[0], last)))
			return mlv_run_str(runs[0], last);
	}
	return MLV_STR("");
}

/* NULL: there are too many, or memory runs out, which `ok` tells apart. */
static struct mlv_phase_pair *pair_of(struct mlv_phase_pairs *p, struct mlv_str phase, bool *ok)
{
	struct mlv_phase_pair fresh = { .phase = phase };
	for (size_t i = 0; i < p->list.len; i++) {
		if (mlv_str_eq(p->list.data[i].phase, phase))
			return &p->list.data[i];
	}
	if (p->list.len == MOST_PHASES)
		return NULL;
	*ok = mlv_vec_push(&p->list, fresh);
	return *ok ? &p->list.data[p->list.len - 1] : NULL;
}

static bool take(struct mlv_phase_pairs *p, const struct mlv_run *run, unsigned side)
{
	bool ok = true;
	for (size_t i = 0; ok && i < run->samples.len; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		double v = mlv_decimal_value(s->value);
		if (!s->phase.i || !isfinite(v) ||
		    !mlv_str_eq(mlv_run_str(run, s->metric), p->metric))
			continue;
		struct mlv_phase_pair *pair = pair_of(p, mlv_run_str(run, s->phase), &ok);
		if (!pair)
			continue;
		p->quantity = mlv_unit_quantity((enum mlv_unit)s->value.unit);
		if (!pair->present[side] || v > pair->most[side])
			pair->most[side] = v;
		pair->present[side] = true;
	}
	return ok;
}

enum mlv_rc mlv_phase_pairs_init(struct mlv_phase_pairs *p, const struct mlv_run *const *runs,
				 struct mlv_err *err)
{
	*p = (struct mlv_phase_pairs){ .metric = choose_metric(runs) };
	if (!p->metric.n || (take(p, runs[0], 0) && take(p, runs[1], 1)))
		return MLV_OK;
	mlv_phase_pairs_fini(p);
	return mlv_err_nomem(err);
}

void mlv_phase_pairs_fini(struct mlv_phase_pairs *p)
{
	mlv_vec_free(&p->list);
}
