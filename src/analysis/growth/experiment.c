/* SPDX-License-Identifier: MIT */
/* Which runs are compared: subjects with their settings, grouped into sweeps. */
#include "analysis/growth/experiment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/growth/report_facts.h"
#include "analysis/growth/sweep_fit.h"

/* Every pair of runs is looked at. */
enum { MOST_SUBJECTS = 512 };

static bool set_text(struct mlv_experiment *e, struct mlv_setting *s, struct mlv_str text,
		     double number)
{
	s->text = mlv_arena_strndup(&e->texts, text.p, text.n);
	s->known = text.n > 0;
	s->number = number;
	return s->text != NULL;
}

static bool set_int(struct mlv_experiment *e, struct mlv_setting *s, int64_t n)
{
	char digits[32];
	int k = snprintf(digits, sizeof(digits), "%lld", (long long)n);
	return set_text(e, s, (struct mlv_str){ digits, n > 0 ? (size_t)k : 0 }, (double)n);
}

/* A property of the report, or of its model. */
static bool set_property(struct mlv_experiment *e, struct mlv_setting *s, const struct mlv_run *run,
			 const char *key, const char *otherwise)
{
	char digits[32];
	struct mlv_str text = mlv_report_text(run, key, digits, sizeof(digits));
	if (!text.n && otherwise)
		text = mlv_report_text(run, otherwise, digits, sizeof(digits));
	return set_text(e, s, text, strtod(text.p, NULL));
}

/*
 * How large the model is: by its parameters, else by what a report says of its
 * preset, which is worth no fit, else by what is there before the first step.
 */
static bool set_model(struct mlv_experiment *e, struct mlv_subject *s)
{
	struct mlv_setting *to = &s->settings[MLV_DIM_MODEL];
	int64_t n = mlv_report_parameters(s->run);
	if (n > 0)
		return set_int(e, to, n);
	if (!set_property(e, to, s->run, "preset", NULL) || to->known)
		return to->text != NULL;
	return set_int(e, to,
		       s->verdict && s->verdict->first_bytes > 0 ? s->verdict->first_bytes / 4 : 0);
}

static bool read_settings(struct mlv_experiment *e, struct mlv_subject *s)
{
	struct mlv_setting *to = s->settings;
	int64_t rank = s->verdict ? s->verdict->rank : -1;
	return set_int(e, &to[MLV_DIM_BATCH], mlv_report_batch(s->run, rank)) &&
	       set_property(e, &to[MLV_DIM_SEQUENCE], s->run, "model_config/sequence_length",
			    "sequence_length") &&
	       set_property(e, &to[MLV_DIM_STEPS], s->run, "steps", NULL) && set_model(e, s) &&
	       set_property(e, &to[MLV_DIM_PRECISION], s->run, "precision", NULL) &&
	       set_property(e, &to[MLV_DIM_RANKS], s->run, "world_size", NULL);
}

/* ---- subjects ---- */

/* The verdict of the rank that needs most, of those made from reports. */
static const struct mlv_verdict *verdict_of(const struct mlv_verdicts *v, const struct mlv_run *run)
{
	const struct mlv_verdict *best = NULL;
	for (size_t i = 0; i < v->list.len; i++) {
		const struct mlv_verdict *one = &v->list.data[i];
		if (one->run == run && (!best || one->peak_bytes > best->peak_bytes))
			best = one;
	}
	return best;
}

/* The most memory that a process had, by a report on its run. */
static double host_bytes(const struct mlv_run *run)
{
	static const char *const names[] = { "Maximum resident set size",
					     "maximum resident set size", "group_mem_high",
					     "child_RSS_high" };
	double most = NAN;
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]) && isnan(most); k++) {
		for (size_t i = 0; i < run->metrics.len; i++) {
			const struct mlv_metric *m = &run->metrics.data[i];
			double bytes = mlv_decimal_value(m->value);
			if (strcmp(mlv_run_str(run, m->metric).p, names[k]) == 0 &&
			    mlv_unit_quantity((enum mlv_unit)m->value.unit) == MLV_BYTE_COUNT)
				most = fmax(most, bytes);
		}
	}
	return most;
}

static bool add_subject(struct mlv_experiment *e, const struct mlv_run *run,
			const struct mlv_verdicts *v, bool param)
{
	struct mlv_subject s = { .run = run, .verdict = verdict_of(v, run), .host_bytes = NAN };
	if (param)
		s.host_bytes = host_bytes(run);
	/* Without its settings a run can be compared by the parameter that is given only. */
	if (!(param ? s.verdict || !isnan(s.host_bytes) : s.verdict && mlv_report_has_facts(run)))
		return true;
	for (int d = 0; d < MLV_DIMENSIONS; d++)
		s.settings[d].text = "";
	return (!mlv_report_has_facts(run) || read_settings(e, &s)) &&
	       mlv_vec_push(&e->subjects, s);
}

/* "12,24,96": a value for each subject; those beyond are for the fit to foretell. */
static enum mlv_rc read_param(struct mlv_experiment *e, const struct mlv_experiment_options *o,
			      struct mlv_err *err)
{
	size_t n = 0;
	for (const char *at = o->values; *at; n++) {
		char *end;
		double x = strtod(at, &end);
		if (end == at || (*end && *end != ',') || !isfinite(x))
			return mlv_err_set(err, MLV_E_USAGE,
					   "--param %s=%.60s: values are numbers, with a comma "
					   "between them",
					   o->param, o->values);
		struct mlv_str text = { at, (size_t)(end - at) };
		if (n < e->subjects.len
			    ? !set_text(e, &e->subjects.data[n].settings[MLV_DIM_PARAM], text, x)
			    : !mlv_vec_push(&e->beyond, x))
			return mlv_err_nomem(err);
		at = end + (*end == ',');
	}
	if (n < e->subjects.len)
		return mlv_err_set(err, MLV_E_USAGE, "--param %s=%.60s: %zu values for %zu runs",
				   o->param, o->values, n, e->subjects.len);
	return MLV_OK;
}

/* ---- groups ---- */

static bool equal(const struct mlv_setting *a, const struct mlv_setting *b)
{
	return a->known == b->known && (!a->known || strcmp(a->text, b->text) == 0);
}

static bool grows(const struct mlv_subject *s)
{
	return s->verdict && s->verdict->cumulative_bytes > 0;
}

/* Programs of one kind, by what was measured. */
static bool same_kind(const struct mlv_subject *a, const struct mlv_subject *b)
{
	return (!a->verdict) == (!b->verdict) && grows(a) == grows(b) &&
	       (!a->verdict || a->verdict->has_state == b->verdict->has_state);
}

static unsigned differing(const struct mlv_subject *a, const struct mlv_subject *b)
{
	unsigned set = 0;
	for (int d = 0; d < MLV_DIMENSIONS; d++)
		set |= equal(&a->settings[d], &b->settings[d]) ? 0 : 1u << d;
	return set;
}

static int bits(unsigned set)
{
	return __builtin_popcount(set);
}

static void sort_members(struct mlv_experiment *e, const struct mlv_sweep *s)
{
	uint32_t *m = e->members.data + s->first;
	for (size_t i = 1; i < s->count; i++) {
		for (size_t k = i; k > 0; k--) {
			const struct mlv_subject *a = &e->subjects.data[m[k - 1]],
						 *b = &e->subjects.data[m[k]];
			if (a->settings[s->dim].number <= b->settings[s->dim].number)
				break;
			uint32_t swap = m[k];
			m[k] = m[k - 1];
			m[k - 1] = swap;
		}
	}
}

/*
 * The runs that differ from subject `i` in dimension `d` alone (d = -1: in
 * nothing), with it, if it is the first of them.
 */
static bool group(struct mlv_experiment *e, size_t i, int d, struct mlv_sweep *s)
{
	const struct mlv_subject *list = e->subjects.data;
	unsigned only = d < 0 ? 0 : 1u << d;
	bool varied = d < 0;
	s->first = e->members.len;
	s->count = 0;
	for (size_t k = 0; k < e->subjects.len; k++) {
		unsigned set = differing(&list[i], &list[k]);
		if (!same_kind(&list[i], &list[k]) || (set & ~only) ||
		    (d >= 0 && !list[k].settings[d].known))
			continue;
		if (k < i) {
			e->members.len = s->first;
			s->count = 0;
			return true;
		}
		varied = varied || set;
		if (!mlv_vec_push(&e->members, (uint32_t)k))
			return false;
		s->count++;
	}
	if (s->count < 2 || !varied) {
		e->members.len = s->first;
		s->count = 0;
	}
	return true;
}

static bool add_group(struct mlv_experiment *e, size_t i, int d)
{
	struct mlv_sweep s = { .kind = d < 0 ? MLV_REPEAT : MLV_SWEEP,
			       .dim = d < 0 ? 0 : (enum mlv_dimension)d,
			       .why = "" };
	if (!group(e, i, d, &s))
		return false;
	if (!s.count)
		return true;
	for (size_t k = 0; k < s.count; k++)
		e->subjects.data[e->members.data[s.first + k]].used = true;
	if (d >= 0)
		sort_members(e, &s);
	return mlv_vec_push(&e->list, s);
}

/* What is left is compared with the run that is most like it. */
static bool add_confounded(struct mlv_experiment *e, size_t i)
{
	const struct mlv_subject *list = e->subjects.data;
	size_t best = SIZE_MAX;
	unsigned best_set = 0;
	for (size_t k = 0; k < e->subjects.len; k++) {
		unsigned set = differing(&list[i], &list[k]);
		if (k == i || !same_kind(&list[i], &list[k]) || bits(set) < 2 ||
		    (k < i && !list[k].used) || (best != SIZE_MAX && bits(set) >= bits(best_set)))
			continue;
		best = k;
		best_set = set;
	}
	struct mlv_sweep s = { .kind = MLV_CONFOUNDED,
			       .first = e->members.len,
			       .count = 2,
			       .differs = best_set,
			       .why = "" };
	return best == SIZE_MAX ||
	       (mlv_vec_push(&e->members, (uint32_t)i) &&
		mlv_vec_push(&e->members, (uint32_t)best) && mlv_vec_push(&e->list, s));
}

static bool find_groups(struct mlv_experiment *e)
{
	bool ok = true;
	for (int d = 0; ok && d < MLV_DIMENSIONS; d++) {
		for (size_t i = 0; ok && i < e->subjects.len; i++) {
			if (e->subjects.data[i].settings[d].known)
				ok = add_group(e, i, d);
		}
	}
	for (size_t i = 0; ok && i < e->subjects.len; i++)
		ok = add_group(e, i, -1);
	for (size_t i = 0; ok && i < e->subjects.len; i++) {
		if (!e->subjects.data[i].used)
			ok = add_confounded(e, i);
	}
	return ok;
}

enum mlv_rc mlv_experiment_init(struct mlv_experiment *e, const struct mlv_run *const *runs,
				size_t count, const struct mlv_verdicts *v,
				const struct mlv_experiment_options *o, struct mlv_err *err)
{
	memset(e, 0, sizeof(*e));
	enum mlv_rc rc = MLV_OK;
	if (o->param && !(e->param = mlv_arena_strndup(&e->texts, o->param, strlen(o->param))))
		rc = mlv_err_nomem(err);
	for (size_t i = 0; !rc && i < count && e->subjects.len < MOST_SUBJECTS; i++) {
		if (!add_subject(e, runs[i], v, o->param != NULL))
			rc = mlv_err_nomem(err);
	}
	if (!rc && o->param)
		rc = read_param(e, o, err);
	if (!rc && !find_groups(e))
		rc = mlv_err_nomem(err);
	for (size_t i = 0; !rc && i < e->list.len; i++)
		rc = mlv_sweep_fit(e, &e->list.data[i], o->capacity) ? MLV_OK : mlv_err_nomem(err);
	if (rc)
		mlv_experiment_fini(e);
	return rc;
}

void mlv_experiment_fini(struct mlv_experiment *e)
{
	mlv_vec_free(&e->subjects);
	mlv_vec_free(&e->members);
	mlv_vec_free(&e->list);
	mlv_vec_free(&e->beyond);
	mlv_arena_fini(&e->texts);
}

const char *mlv_dimension_name(const struct mlv_experiment *e, enum mlv_dimension d)
{
	static const char *const names[MLV_DIMENSIONS] = {
		"batch", "sequence length", "steps", "model", "precision", "ranks", "param",
	};
	return d == MLV_DIM_PARAM && e->param ? e->param : names[d];
}

const char *mlv_dimension_unit(const struct mlv_experiment *e, enum mlv_dimension d)
{
	static const char *const names[MLV_DIMENSIONS] = {
		"sample", "token", "step", "parameter", "precision", "rank", "param",
	};
	return d == MLV_DIM_PARAM && e->param ? e->param : names[d];
}
