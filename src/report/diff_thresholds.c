/* SPDX-License-Identifier: MIT */
/* Holds thresholds against figures, phases and tables, and against what has no partner. */
#include "report/diff_thresholds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "report/table_text.h"

struct judging {
	struct mlv_thresholds *t;
	const struct mlv_diff *d;
	size_t threshold;
	bool ok;
};

static const struct mlv_threshold *threshold_of(const struct judging *g)
{
	return &g->t->list.data[g->threshold];
}

/* What it changed by in the unit of the threshold; NAN where that cannot be told. */
static double measured(const struct mlv_threshold *t, double a, double change,
		       enum mlv_quantity quantity)
{
	if (t->relative)
		return a > 0 ? change / a * 100 : change != 0 ? NAN : 0;
	/* A bare number is one of whatever the figure is. */
	return t->quantity == quantity || t->quantity == MLV_NUMBER ? change : NAN;
}

static struct mlv_threshold_result *result(struct judging *g, const char *subject)
{
	struct mlv_threshold_result r = { .threshold = g->threshold,
					  .rank = g->d->run[1]->rank,
					  .format = g->d->run[1]->format };
	snprintf(r.subject, sizeof(r.subject), "%.150s", subject);
	g->t->list.data[g->threshold].judged++;
	g->ok = g->ok && mlv_vec_push(&g->t->results, r);
	return g->ok ? &g->t->results.data[g->t->results.len - 1] : NULL;
}

static void decide(struct mlv_threshold *t, struct mlv_threshold_result *r, double value)
{
	if (isnan(value)) {
		r->state = MLV_THRESHOLD_UNKNOWN;
		t->other_unit += !t->relative;
		snprintf(r->why, sizeof(r->why), "%s",
			 t->relative ? "A is 0, so the change has no ratio"
				     : "the limit is in another unit");
	} else if (t->above ? value > t->limit : value < t->limit) {
		r->state = MLV_THRESHOLD_PASSED;
	}
}

/* "+1.78 GiB, +51.2 %": both, whichever the threshold is of. */
static void change_text(struct mlv_cell change, double a, double b, char *buf, size_t size)
{
	char text[64], relative[32];
	mlv_cell_text(change, true, text, sizeof(text));
	mlv_relative_text(a, b, relative, sizeof(relative));
	snprintf(buf, size, "%s%s%s", text, relative[0] ? ", " : "", relative);
}

/* "peak" is what PyTorch calls max_memory_allocated where that is known, else the requested one. */
static bool names_figure(const struct mlv_threshold *t, const mlv_figures *list,
			 const struct mlv_figure *f)
{
	size_t n = strlen(t->name);
	if (strcmp(t->name, f->key) == 0)
		return true;
	if (strcmp(t->name, "peak") != 0)
		return strncmp(t->name, f->key, n) == 0 && strcmp(f->key + n, "_peak") == 0;
	bool allocated = false;
	for (size_t i = 0; i < list->len; i++) {
		const struct mlv_figure *x = &list->data[i];
		allocated = allocated ||
			    (strcmp(x->key, "allocated_peak") == 0 && mlv_figure_comparable(x));
	}
	return strcmp(f->key, allocated ? "allocated_peak" : "requested_peak") == 0;
}

/* Sums over a history that begins in the middle, or was cut, are no peaks. */
static bool complete(const struct mlv_device_diff *dd)
{
	return dd->history[0].complete && dd->history[1].complete;
}

static void judge_figure(struct judging *g, bool is_complete, const struct mlv_figure *f)
{
	struct mlv_threshold *t = &g->t->list.data[g->threshold];
	struct mlv_threshold_result *r = result(g, f->key);
	t->by_memory = true;
	double scale = f->unit == MLV_UNIT_PERCENT ? 10 : 1;
	if (!r)
		return;
	if (!mlv_figure_comparable(f) || !is_complete) {
		r->state = MLV_THRESHOLD_UNKNOWN;
		snprintf(r->why, sizeof(r->why), "%s",
			 is_complete ? "it is not known of both"
				     : "the history of one of them is not complete");
		return;
	}
	double a = (double)f->value[0] / scale, change = (double)mlv_figure_change(f) / scale;
	change_text(mlv_figure_change_cell(f), (double)f->value[0], (double)f->value[1], r->change,
		    sizeof(r->change));
	decide(t, r, measured(t, a, change, mlv_unit_quantity((enum mlv_unit)f->unit)));
}

static void judge_figures(struct judging *g, bool is_complete, const mlv_figures *list)
{
	for (size_t i = 0; i < list->len; i++) {
		const char *key = list->data[i].key;
		if (!mlv_ignores(g->d->ignore, (struct mlv_str){ key, strlen(key) }) &&
		    names_figure(threshold_of(g), list, &list->data[i]))
			judge_figure(g, is_complete, &list->data[i]);
	}
}

static void judge_devices(struct judging *g)
{
	for (size_t i = 0; i < g->d->device_count; i++) {
		const struct mlv_device_diff *dd = &g->d->devices[i];
		/* A trace knows less than the snapshot beside it. */
		if (threshold_of(g)->by_memory &&
		    dd->history[0].device->bytes_are != MLV_BYTES_REQUESTED)
			continue;
		judge_figures(g, complete(dd), &dd->memory.figures);
	}
}

/* What recordings of memory have, whichever they are. */
static bool of_recordings(const struct mlv_threshold *t)
{
	static const char *const names[] = { "peak", "requested", "allocated", "reserved",
					     "growth" };
	bool found = t->by_memory;
	for (size_t i = 0; !found && i < sizeof(names) / sizeof(names[0]); i++)
		found = strcmp(t->name, names[i]) == 0;
	return found;
}

/* A device that only one of them used has nothing to be held against. */
static void judge_lone_devices(struct judging *g)
{
	struct mlv_threshold *t = &g->t->list.data[g->threshold];
	/* Of unlike inputs the counters stand for the devices. */
	if (g->d->counters.len || !of_recordings(t))
		return;
	for (unsigned s = 0; s < 2; s++) {
		struct mlv_threshold_result *r = g->d->devices_only[s] ? result(g, t->name) : NULL;
		if (!r)
			continue;
		t->by_memory = true;
		r->state = MLV_THRESHOLD_UNKNOWN;
		snprintf(r->why, sizeof(r->why), "%zu device%s in %s only", g->d->devices_only[s],
			 g->d->devices_only[s] == 1 ? "" : "s", s ? "B" : "A");
	}
}

/* Growth from step to step of reports and logs. */
static void judge_phases(struct judging *g)
{
	struct mlv_threshold *t = &g->t->list.data[g->threshold];
	for (size_t i = 0; i < g->d->phases.len && strcmp(t->name, "growth") == 0; i++) {
		const struct mlv_verdict *const *v = g->d->phases.data[i].side;
		struct mlv_threshold_result *r = result(g, "growth");
		if (!r)
			return;
		r->rank = v[1]->rank;
		if (!v[0]->growth || !v[1]->growth) {
			r->state = MLV_THRESHOLD_UNKNOWN;
			snprintf(r->why, sizeof(r->why), "one of them has too few steps");
			continue;
		}
		double a = (double)v[0]->cumulative_bytes, b = (double)v[1]->cumulative_bytes;
		struct mlv_cell change = { true, mlv_decimal_int(v[1]->cumulative_bytes -
									 v[0]->cumulative_bytes,
								 MLV_UNIT_BYTES) };
		change_text(change, a, b, r->change, sizeof(r->change));
		decide(t, r, measured(t, a, b - a, MLV_BYTE_COUNT));
	}
}

static void judge_cell(struct judging *g, const struct mlv_cell_diff *c, struct mlv_str subject)
{
	struct mlv_threshold *t = &g->t->list.data[g->threshold];
	char row[72], name[160];
	mlv_utf8_fit(row, sizeof(row), subject.p, subject.n);
	snprintf(name, sizeof(name), "%.70s of %s", t->name, row);
	struct mlv_threshold_result *r = result(g, name);
	if (!r)
		return;
	if (!c->change.present) {
		r->state = MLV_THRESHOLD_UNKNOWN;
		snprintf(r->why, sizeof(r->why), "one of them has no value");
		return;
	}
	double a = c->side[0].present ? mlv_decimal_value(c->side[0].value) : 0;
	double b = c->side[1].present ? mlv_decimal_value(c->side[1].value) : 0;
	enum mlv_quantity q = mlv_unit_quantity((enum mlv_unit)c->change.value.unit);
	change_text(c->change, a, b, r->change, sizeof(r->change));
	decide(t, r, measured(t, a, mlv_decimal_value(c->change.value), q));
	if (r->state == MLV_THRESHOLD_PASSED && c->noise == MLV_NOISE_WITHIN)
		r->state = MLV_THRESHOLD_NOISE;
}

static void judge_tables(struct judging *g)
{
	const char *name = threshold_of(g)->name;
	for (size_t i = 0; i < g->d->rest.tables.len; i++) {
		const struct mlv_table_diff *t = &g->d->rest.tables.data[i];
		for (size_t c = 0; c < t->columns.len; c++) {
			if (strcasecmp(t->columns.data[c].name, name) != 0)
				continue;
			g->t->list.data[g->threshold].judged += t->rows.len == 0;
			for (size_t r = 0; r < t->rows.len; r++)
				judge_cell(g, mlv_cell_diff_at(t, r, c), t->rows.data[r].subject);
		}
		for (size_t k = 0; k < t->totals.len; k++) {
			if (strcasecmp(t->totals.data[k].name.p, name) == 0)
				judge_cell(g, &t->totals.data[k].cell, MLV_STR("the whole"));
		}
	}
}

/* A recording that began in the middle knows no peak of what was before. */
static bool counted_from_the_start(const struct mlv_diff *d)
{
	return !d->counters.len || d->counters_complete;
}

bool mlv_thresholds_judge(struct mlv_thresholds *t, const struct mlv_diff *d)
{
	struct judging g = { t, d, 0, true };
	for (; g.threshold < t->list.len; g.threshold++) {
		judge_devices(&g);
		/* Inputs of unlike kinds state these themselves, but for snapshots of a part. */
		judge_figures(&g, counted_from_the_start(d), &d->counters);
		judge_lone_devices(&g);
		if (t->list.data[g.threshold].by_memory)
			continue;
		judge_phases(&g);
		judge_tables(&g);
	}
	return g.ok;
}

bool mlv_thresholds_lone(struct mlv_thresholds *t, const struct mlv_run *run, unsigned side)
{
	size_t judged = t->results.len;
	for (size_t i = 0; i < t->list.len; i++) {
		bool meant = false;
		for (size_t k = 0; k < judged && !meant; k++)
			meant = t->results.data[k].threshold == i &&
				strcmp(t->results.data[k].format, run->format) == 0;
		struct mlv_threshold_result r = { .threshold = i,
						  .state = MLV_THRESHOLD_UNKNOWN,
						  .rank = run->rank,
						  .format = run->format };
		snprintf(r.subject, sizeof(r.subject), "%.70s", t->list.data[i].name);
		snprintf(r.why, sizeof(r.why), "its %.60s is in %s only", run->format,
			 side ? "B" : "A");
		if (meant && !mlv_vec_push(&t->results, r))
			return false;
	}
	return true;
}

enum mlv_rc mlv_thresholds_check(const struct mlv_thresholds *t, struct mlv_err *err)
{
	for (size_t i = 0; i < t->list.len; i++) {
		const struct mlv_threshold *x = &t->list.data[i];
		if (x->judged && x->other_unit == x->judged)
			return mlv_err_set(err, MLV_E_USAGE,
					   "--fail-on: '%.60s': what it names is in another unit",
					   x->text);
		if (!x->judged)
			return mlv_err_set(err, MLV_E_USAGE,
					   "--fail-on: nothing that is compared is called '%.60s': "
					   "it takes a figure of --json, such as peak, reserved or "
					   "growth, or a column of a table",
					   x->name);
	}
	return MLV_OK;
}

bool mlv_thresholds_failed(const struct mlv_thresholds *t)
{
	for (size_t i = 0; i < t->results.len; i++) {
		enum mlv_threshold_state s = t->results.data[i].state;
		if (s == MLV_THRESHOLD_PASSED || (s == MLV_THRESHOLD_UNKNOWN && t->fail_unknown))
			return true;
	}
	return false;
}
