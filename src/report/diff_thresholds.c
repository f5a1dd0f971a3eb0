/* SPDX-License-Identifier: MIT */
#include "report/diff_thresholds.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "report/table_text.h"

/* ------------------------------------------------------------------ reading them */

/* "5%", "256MiB", "1.5s", "12": without a sign. */
static bool read_limit(struct mlv_threshold *t, const char *text)
{
	uint64_t bytes;
	int64_t ns;
	char *end;
	double number = strtod(text, &end);
	bool begins = isdigit((unsigned char)text[0]) || text[0] == '.';
	if (!begins || end == text || !isfinite(number))
		return false;
	t->limit = number;
	t->quantity = MLV_NUMBER;
	while (*end == ' ')
		end++;
	if (strcmp(end, "%") == 0) {
		t->relative = true;
	} else if (*end && mlv_parse_duration(text, &ns)) {
		t->quantity = MLV_DURATION;
		t->limit = (double)ns / 1e9;
	} else if (*end) {
		t->quantity = MLV_BYTE_COUNT;
		if (!mlv_parse_bytes(text, &bytes))
			return false;
		t->limit = (double)bytes;
	}
	return true;
}

/* "peak>+5%": a name, what fails, and by how much. */
static bool read_one(struct mlv_threshold *t, const char *text)
{
	size_t name = strcspn(text, "<>");
	const char *limit = text + name + 1;
	if (!name || !text[name] || name >= sizeof(t->name))
		return false;
	while (name && text[name - 1] == ' ')
		name--;
	memcpy(t->name, text, name);
	t->above = limit[-1] == '>';
	limit += strspn(limit, " ");
	bool minus = *limit == '-';
	limit += *limit == '-' || *limit == '+';
	if (!read_limit(t, limit))
		return false;
	if (minus)
		t->limit = -t->limit;
	return true;
}

enum mlv_rc mlv_thresholds_parse(struct mlv_thresholds *t, const char *text, struct mlv_err *err)
{
	*t = (struct mlv_thresholds){ .fail_unknown = false };
	for (const char *p = text; *p;) {
		struct mlv_threshold one = { .judged = 0 };
		size_t n = strcspn(p, ",");
		snprintf(one.text, sizeof(one.text), "%.*s", n < 99 ? (int)n : 99,
			 p + strspn(p, " "));
		p += n + (p[n] == ',');
		if (strcmp(one.text, "unknown") == 0) {
			t->fail_unknown = true;
			continue;
		}
		if (n >= sizeof(one.text) || !read_one(&one, one.text)) {
			mlv_thresholds_fini(t);
			return mlv_err_set(err, MLV_E_USAGE,
					   "--fail-on: '%.60s' is no threshold; write NAME>+5%%, "
					   "NAME>+256MiB or NAME<-10%%",
					   one.text);
		}
		if (!mlv_vec_push(&t->list, one)) {
			mlv_thresholds_fini(t);
			return mlv_err_nomem(err);
		}
	}
	return MLV_OK;
}

void mlv_thresholds_fini(struct mlv_thresholds *t)
{
	mlv_vec_free(&t->list);
	mlv_vec_free(&t->results);
}

/* ------------------------------------------------------------------ judging */

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
	struct mlv_threshold_result r = { .threshold = g->threshold, .rank = g->d->run[1]->rank };
	snprintf(r.subject, sizeof(r.subject), "%.150s", subject);
	g->t->list.data[g->threshold].judged++;
	g->ok = g->ok && mlv_vec_push(&g->t->results, r);
	return g->ok ? &g->t->results.data[g->t->results.len - 1] : NULL;
}

static void decide(const struct mlv_threshold *t, struct mlv_threshold_result *r, double value)
{
	if (isnan(value)) {
		r->state = MLV_THRESHOLD_UNKNOWN;
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
		if (names_figure(threshold_of(g), list, &list->data[i]))
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

/* Growth from step to step of reports and logs. */
static void judge_phases(struct judging *g)
{
	const struct mlv_threshold *t = threshold_of(g);
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
	const struct mlv_threshold *t = threshold_of(g);
	char name[160];
	snprintf(name, sizeof(name), "%.70s of %.70s", t->name, subject.p);
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
		if (t->list.data[g.threshold].by_memory)
			continue;
		judge_phases(&g);
		judge_tables(&g);
	}
	return g.ok;
}

enum mlv_rc mlv_thresholds_check(const struct mlv_thresholds *t, struct mlv_err *err)
{
	for (size_t i = 0; i < t->list.len; i++) {
		if (!t->list.data[i].judged)
			return mlv_err_set(err, MLV_E_USAGE,
					   "--fail-on: nothing that is compared is called '%.60s': "
					   "it takes a figure of --json, such as peak, reserved or "
					   "growth, or a column of a table",
					   t->list.data[i].name);
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

/* ------------------------------------------------------------------ telling */

static const char *state_name(enum mlv_threshold_state s)
{
	static const char *const names[] = { "kept", "passed", "unknown", "within the spread" };
	return names[s];
}

/* All that are not kept, and how many are. */
void mlv_thresholds_text(const struct mlv_thresholds *t, struct mlv_buf *out)
{
	for (size_t i = 0; i < t->list.len; i++) {
		size_t kept = 0, all = 0;
		for (size_t k = 0; k < t->results.len; k++) {
			const struct mlv_threshold_result *r = &t->results.data[k];
			all += r->threshold == i;
			kept += r->threshold == i && r->state == MLV_THRESHOLD_KEPT;
		}
		mlv_buf_puts(out, "  threshold ");
		mlv_buf_safe(out, (struct mlv_str){ t->list.data[i].text,
						    strlen(t->list.data[i].text) });
		mlv_buf_printf(out, ": kept by %zu of %zu\n", kept, all);
		for (size_t k = 0; k < t->results.len; k++) {
			const struct mlv_threshold_result *r = &t->results.data[k];
			if (r->threshold != i || (r->state == MLV_THRESHOLD_KEPT && all > 1))
				continue;
			mlv_buf_printf(out, "    %s: ", state_name(r->state));
			mlv_buf_safe(out, (struct mlv_str){ r->subject, strlen(r->subject) });
			if (r->rank >= 0)
				mlv_buf_printf(out, ", rank %" PRId64, r->rank);
			mlv_buf_printf(out, ": %s%s%s\n", r->change,
				       r->change[0] && r->why[0] ? "; " : "", r->why);
		}
	}
}

void mlv_thresholds_json(const struct mlv_thresholds *t, struct mlv_json *j)
{
	mlv_json_key_array(j, "thresholds");
	for (size_t k = 0; k < t->results.len; k++) {
		const struct mlv_threshold_result *r = &t->results.data[k];
		mlv_json_object(j);
		mlv_json_key_text(j, "threshold", t->list.data[r->threshold].text);
		mlv_json_key_text(j, "state", state_name(r->state));
		mlv_json_key_text(j, "subject", r->subject);
		if (r->rank >= 0)
			mlv_json_key_int(j, "rank", r->rank);
		mlv_json_key_text(j, "change", r->change[0] ? r->change : NULL);
		if (r->why[0])
			mlv_json_key_text(j, "why", r->why);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}
