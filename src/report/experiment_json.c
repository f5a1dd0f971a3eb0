/* SPDX-License-Identifier: MIT */
/* Ranks and sweeps as JSON. */
#include <math.h>
#include <stdio.h>

#include "report/experiment.h"

static const struct mlv_subject *member(const struct mlv_experiment *e, const struct mlv_sweep *s,
					size_t i)
{
	return &e->subjects.data[e->members.data[s->first + i]];
}

static void number(struct mlv_json *j, const char *key, double v)
{
	char digits[40];
	snprintf(digits, sizeof(digits), "%.10g", v);
	mlv_json_key(j, key);
	mlv_json_raw(j, digits);
}

static void line(struct mlv_json *j, const char *key, const struct mlv_fit_line *l)
{
	if (!l->known)
		return;
	mlv_json_key_object(j, key);
	number(j, "bytes_per_unit", l->slope);
	mlv_json_key_int(j, "fixed_bytes", llround(l->fixed));
	mlv_json_key_int(j, "residual_bytes", llround(l->residual));
	mlv_json_key_bool(j, "scattered", l->scattered);
	mlv_json_object_end(j);
}

static void runs(const struct mlv_experiment *e, const struct mlv_sweep *s, struct mlv_json *j)
{
	mlv_json_key_array(j, "runs");
	for (size_t i = 0; i < s->count; i++) {
		const struct mlv_subject *one = member(e, s, i);
		mlv_json_object(j);
		mlv_json_key_text(j, "file", one->run->file);
		if (s->kind == MLV_SWEEP)
			mlv_json_key_text(j, "value", one->settings[s->dim].text);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void fits(const struct mlv_sweep *s, struct mlv_json *j)
{
	static const char *const words[] = { NULL, "confirms", "contradicts" };
	mlv_json_key_object(j, "fits");
	line(j, "activation", &s->activation);
	line(j, "persistent", &s->state);
	line(j, "cumulative_per_step", &s->growth);
	line(j, "peak", &s->peak);
	line(j, "reserved", &s->reserved);
	line(j, "host", &s->host);
	mlv_json_object_end(j);
	mlv_json_key_text(j, "verdict", words[s->agreement]);
	mlv_json_key_text(j, "why", s->why);
	if (!s->has_largest)
		return;
	mlv_json_key_int(j, "largest_batch", s->largest_batch);
	mlv_json_key_int(j, "margin_bytes", s->margin_bytes);
}

static void foretold(const struct mlv_experiment *e, const struct mlv_sweep *s, struct mlv_json *j)
{
	const struct mlv_fit_line *l = s->host.known ? &s->host : &s->peak;
	if (s->dim != MLV_DIM_PARAM || !l->known)
		return;
	mlv_json_key_array(j, "foretold");
	for (size_t i = 0; i < e->beyond.len; i++) {
		mlv_json_object(j);
		number(j, "value", e->beyond.data[i]);
		mlv_json_key_int(j, "bytes", llround(l->fixed + l->slope * e->beyond.data[i]));
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void differences(const struct mlv_experiment *e, const struct mlv_sweep *s,
			struct mlv_json *j)
{
	mlv_json_key_array(j, "differ_in");
	for (int d = 0; d < MLV_DIMENSIONS; d++) {
		if (s->differs & (1u << d))
			mlv_json_text(j, mlv_dimension_name(e, (enum mlv_dimension)d));
	}
	mlv_json_array_end(j);
}

void mlv_experiment_json(const struct mlv_experiment *e, struct mlv_json *j)
{
	static const char *const kinds[] = { "sweep", "repeat", "confounded" };
	mlv_json_key_array(j, "sweeps");
	for (size_t i = 0; i < e->list.len; i++) {
		const struct mlv_sweep *s = &e->list.data[i];
		mlv_json_object(j);
		mlv_json_key_text(j, "kind", kinds[s->kind]);
		if (s->kind == MLV_SWEEP)
			mlv_json_key_text(j, "dimension", mlv_dimension_name(e, s->dim));
		runs(e, s, j);
		if (s->kind == MLV_SWEEP) {
			fits(s, j);
			foretold(e, s, j);
		} else if (s->kind == MLV_CONFOUNDED) {
			differences(e, s, j);
		}
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void rank_set(const struct mlv_rank_set *s, const struct mlv_verdicts *v, struct mlv_json *j)
{
	const struct mlv_verdict *most = &v->list.data[s->most];
	mlv_json_object(j);
	mlv_json_key_text(j, "judged_from", most->source);
	mlv_json_key_uint(j, "count", s->count);
	mlv_json_key_int(j, "constraint_rank", most->rank);
	mlv_json_key_int(j, "least_rank", v->list.data[s->least].rank);
	mlv_json_key_int(j, "imbalance_bytes", s->bytes);
	mlv_json_key_text(j, "phase", mlv_moment_name(s->when));
	mlv_json_key_bool(j, "balanced", !s->matters);
	mlv_json_object_end(j);
}

void mlv_rank_sets_json(const struct mlv_rank_sets *r, const struct mlv_verdicts *v,
			struct mlv_json *j)
{
	mlv_json_key(j, "ranks");
	if (r->list.len)
		rank_set(&r->list.data[0], v, j);
	else
		mlv_json_null(j);
	mlv_json_key_array(j, "rank_sets");
	for (size_t i = 0; i < r->list.len; i++)
		rank_set(&r->list.data[i], v, j);
	mlv_json_array_end(j);
}
