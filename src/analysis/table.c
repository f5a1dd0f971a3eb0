/* SPDX-License-Identifier: MIT */
#include "analysis/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lanes.h"
#include "analysis/table_build.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

static bool is_failure(const struct mlv_run *run, const struct mlv_span *s)
{
	struct mlv_str status = mlv_run_str(run, s->status);
	/* An errno is spelled in capitals; states of collectives are not failures. */
	return status.n > 1 && status.p[0] == 'E' && status.p[1] >= 'A' && status.p[1] <= 'Z';
}

enum { SPAN_TOTAL, SPAN_COUNT, SPAN_MEAN, SPAN_MAX, SPAN_ERRORS, SPAN_BYTES };

enum mlv_rc mlv_table_spans(struct mlv_table *t, const struct mlv_run *run,
			    const struct mlv_table_options *o, struct mlv_err *err)
{
	struct mlv_table_builder f;
	enum mlv_rc rc = mlv_table_begin(&f, t, "spans by name", NULL, 0, o, err);
	if (rc)
		return rc;
	bool timed = false;
	bool ok = mlv_table_column(&f, "total", false) && mlv_table_column(&f, "count", false) &&
		  mlv_table_column(&f, "mean", false) && mlv_table_column(&f, "max", false) &&
		  mlv_table_column(&f, "errors", false) && mlv_table_column(&f, "bytes", false);
	for (size_t i = 0; ok && i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		uint64_t key = (uint64_t)s->category.i << 32 | s->name.i;
		struct mlv_cell *c = mlv_table_row(&f, key, mlv_run_str(run, s->name).p, s->line);
		ok = c != NULL;
		if (!ok)
			break;
		mlv_cell_add(&c[SPAN_COUNT], 1, MLV_UNIT_NONE);
		if (s->start_ns != MLV_NO_TIME && s->end_ns != MLV_NO_TIME) {
			int64_t ns = mlv_time_between(s->start_ns, s->end_ns);
			mlv_cell_add(&c[SPAN_TOTAL], ns, MLV_UNIT_NS);
			mlv_cell_raise(&c[SPAN_MAX], ns, MLV_UNIT_NS);
			mlv_cell_add(&c[SPAN_MEAN], 1, MLV_UNIT_NONE); /* how many, for now */
			timed = true;
		}
		if (is_failure(run, s))
			mlv_cell_add(&c[SPAN_ERRORS], 1, MLV_UNIT_NONE);
		if (s->bytes >= 0)
			mlv_cell_add(&c[SPAN_BYTES], s->bytes, MLV_UNIT_BYTES);
	}
	for (size_t i = 0; ok && i < t->rows.len; i++) {
		struct mlv_cell *c = &t->cells.data[t->rows.data[i].first_cell];
		if (c[SPAN_MEAN].present)
			c[SPAN_MEAN].value = mlv_decimal_int(c[SPAN_TOTAL].value.mantissa /
								     c[SPAN_MEAN].value.mantissa,
							     MLV_UNIT_NS);
	}
	return mlv_table_end(&f, ok, timed ? SPAN_TOTAL : SPAN_COUNT, err);
}

enum mlv_rc mlv_table_errors(struct mlv_table *t, const struct mlv_run *run,
			     const struct mlv_table_options *o, struct mlv_err *err)
{
	struct mlv_table_builder f;
	enum mlv_rc rc = mlv_table_begin(&f, t, "failed calls", NULL, 0, o, err);
	bool ok = !rc && mlv_table_column(&f, "count", false);
	for (size_t i = 0; ok && i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		if (!is_failure(run, s))
			continue;
		const struct mlv_attr *path = mlv_run_attr(run, s->attrs, "path");
		uint32_t file = path && path->is_text ? path->text.i : 0;
		uint32_t ids[3] = { s->name.i, s->status.i, file };
		uint64_t key = XXH3_64bits(ids, sizeof(ids));
		char text[700] = "";
		if (!mlv_table_has(&f, key))
			snprintf(text, sizeof(text), "%.60s %.40s%s%.500s",
				 mlv_run_str(run, s->status).p, mlv_run_str(run, s->name).p,
				 file ? " " : "",
				 file ? mlv_run_str(run, (mlv_strid){ file }).p : "");
		struct mlv_cell *c = mlv_table_row(&f, key, text, s->line);
		ok = c != NULL;
		if (ok)
			mlv_cell_add(&c[0], 1, MLV_UNIT_NONE);
	}
	return rc ? rc : mlv_table_end(&f, ok, 0, err);
}

/* A column for each metric of the section, in the order of their first row. */
static bool metric_columns(struct mlv_table_builder *f, const struct mlv_run *run, uint32_t section,
			   struct mlv_map *columns)
{
	for (size_t i = 0; i < run->metrics.len; i++) {
		const struct mlv_metric *m = &run->metrics.data[i];
		if (m->section != section || mlv_map_find(columns, m->metric.i))
			continue;
		if (f->t->columns.len >= 256)
			return true;
		if (!mlv_table_column(f, mlv_run_str(run, m->metric).p, false) ||
		    !mlv_map_set(columns, m->metric.i, (uint32_t)f->t->columns.len - 1))
			return false;
	}
	return true;
}

/* What a reader ranks a table by: time of its own, else time, else bytes, else the first column. */
static size_t natural_column(const struct mlv_table *t)
{
	static const char *const names[] = { "Self CUDA", "Self XPU", "Self CPU", "tottime",
					     "seconds",   "mean",     "abs max" };
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		for (size_t i = 0; i < t->columns.len; i++) {
			if (strcmp(t->columns.data[i].name, names[k]) == 0)
				return i;
		}
	}
	for (int q = 0; q < 2; q++) {
		for (size_t i = 0; i < t->columns.len && t->rows.len; i++) {
			const struct mlv_cell *c = &t->cells.data[i];
			if (c->present && mlv_unit_quantity((enum mlv_unit)c->value.unit) ==
						  (q ? MLV_BYTE_COUNT : MLV_DURATION))
				return i;
		}
	}
	return 0;
}

enum mlv_rc mlv_table_metrics(struct mlv_table *t, const struct mlv_run *run, uint32_t section,
			      const struct mlv_table_options *o, struct mlv_err *err)
{
	struct mlv_table_builder f;
	struct mlv_map columns = { 0 };
	const struct mlv_section *s = &run->sections.data[section];
	char title[300];
	struct mlv_str name = mlv_run_str(run, s->title);
	snprintf(title, sizeof(title), "%s%s%.200s", s->format, name.n ? ": " : "", name.p);
	if (s->line)
		snprintf(title + strlen(title), sizeof(title) - strlen(title), " (line %u)",
			 s->line);
	enum mlv_rc rc = mlv_table_begin(&f, t, title, NULL, 0, o, err);
	bool ok = !rc && metric_columns(&f, run, section, &columns);
	for (size_t i = 0; ok && i < run->metrics.len; i++) {
		const struct mlv_metric *m = &run->metrics.data[i];
		struct mlv_map_slot *column = mlv_map_find(&columns, m->metric.i);
		if (m->section != section || !column)
			continue;
		struct mlv_cell *c = mlv_table_row(&f, (uint64_t)m->row << 32 | m->subject.i,
						   mlv_run_str(run, m->subject).p, 0);
		ok = c != NULL;
		if (ok)
			c[column->value] = (struct mlv_cell){ true, m->value };
	}
	mlv_map_fini(&columns);
	return rc ? rc : mlv_table_end(&f, ok, ok ? natural_column(t) : 0, err);
}

enum { SAMPLE_GROWTH, SAMPLE_FIRST, SAMPLE_LAST, SAMPLE_MIN, SAMPLE_MAX, SAMPLE_COUNT };

static int64_t less(int64_t a, int64_t b)
{
	int64_t d;
	return __builtin_sub_overflow(a, b, &d) ? (b < 0 ? INT64_MAX : INT64_MIN) : d;
}

static struct mlv_decimal difference(struct mlv_decimal a, struct mlv_decimal b)
{
	/* Of equal unit and exponent the difference is exact; else in base units. */
	if (a.unit == b.unit && a.exponent == b.exponent && !a.special && !b.special) {
		a.mantissa = less(a.mantissa, b.mantissa);
		return a;
	}
	int64_t x, y;
	if (mlv_decimal_bytes(a, &x) && mlv_decimal_bytes(b, &y))
		return mlv_decimal_int(less(x, y), MLV_UNIT_BYTES);
	double v = mlv_decimal_value(a) - mlv_decimal_value(b);
	return mlv_decimal_int(fabs(v) < 9e18 ? (int64_t)llround(v) : 0, MLV_UNIT_NONE);
}

enum mlv_rc mlv_table_samples(struct mlv_table *t, const struct mlv_run *run,
			      const struct mlv_table_options *o, struct mlv_err *err)
{
	struct mlv_table_builder f;
	enum mlv_rc rc = mlv_table_begin(&f, t, "samples", NULL, 0, o, err);
	bool ok = !rc && mlv_table_column(&f, "growth", true) &&
		  mlv_table_column(&f, "first", false) && mlv_table_column(&f, "last", false) &&
		  mlv_table_column(&f, "least", false) && mlv_table_column(&f, "most", false) &&
		  mlv_table_column(&f, "count", false);
	for (size_t i = 0; ok && i < run->samples.len; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		uint32_t ids[3] = { s->metric.i, s->track.i, s->phase.i };
		uint64_t key = XXH3_64bits(ids, sizeof(ids));
		char label[256], text[900] = "";
		if (!mlv_table_has(&f, key)) {
			mlv_track_label(run, s->track, label, sizeof(label));
			snprintf(text, sizeof(text), "%.200s%s%.200s%s%.200s",
				 mlv_run_str(run, s->metric).p, s->phase.i ? ", " : "",
				 mlv_run_str(run, s->phase).p, *label ? ", " : "", label);
		}
		struct mlv_cell *c = mlv_table_row(&f, key, text, s->line);
		ok = c != NULL;
		if (!ok)
			break;
		struct mlv_cell now = { true, s->value };
		double v = mlv_decimal_value(s->value);
		if (!c[SAMPLE_FIRST].present)
			c[SAMPLE_FIRST] = c[SAMPLE_MIN] = c[SAMPLE_MAX] = now;
		if (v < mlv_decimal_value(c[SAMPLE_MIN].value))
			c[SAMPLE_MIN] = now;
		if (v > mlv_decimal_value(c[SAMPLE_MAX].value))
			c[SAMPLE_MAX] = now;
		c[SAMPLE_LAST] = now;
		mlv_cell_add(&c[SAMPLE_COUNT], 1, MLV_UNIT_NONE);
	}
	for (size_t i = 0; ok && i < t->rows.len; i++) {
		struct mlv_cell *c = &t->cells.data[t->rows.data[i].first_cell];
		c[SAMPLE_GROWTH] = (struct mlv_cell){ true, difference(c[SAMPLE_LAST].value,
								       c[SAMPLE_FIRST].value) };
	}
	return rc ? rc : mlv_table_end(&f, ok, SAMPLE_GROWTH, err);
}
