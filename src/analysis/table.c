/* SPDX-License-Identifier: MIT */
#include "analysis/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/lanes.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

/* A table while it is filled: rows are found by a hash of their key. */
struct filling {
	struct mlv_table *t;
	const struct mlv_table_options *o;
	struct mlv_map ids;
};

static bool add_column(struct mlv_table *t, const char *name, bool summed)
{
	struct mlv_column c = { mlv_arena_strndup(&t->texts, name, strlen(name)), summed };
	return c.name && mlv_vec_push(&t->columns, c);
}

static bool wanted(const struct mlv_table_options *o, struct mlv_str subject)
{
	if (!o->grep || !*o->grep)
		return true;
	return mlv_str_contains(subject, (struct mlv_str){ o->grep, strlen(o->grep) });
}

/* The row of a key; added with empty cells when it is new. NULL when memory runs out. */
static struct mlv_cell *row_of(struct filling *f, uint64_t key, struct mlv_str subject,
			       uint32_t line)
{
	struct mlv_table *t = f->t;
	struct mlv_map_slot *slot = mlv_map_find(&f->ids, key);
	if (slot)
		return &t->cells.data[t->rows.data[slot->value].first_cell];
	struct mlv_table_row row = { subject, line, t->cells.len };
	if (!mlv_vec_room(&t->cells, t->columns.len) || !mlv_vec_push(&t->rows, row) ||
	    !mlv_map_set(&f->ids, key, (uint32_t)t->rows.len - 1))
		return NULL;
	memset(t->cells.data + t->cells.len, 0, t->columns.len * sizeof(*t->cells.data));
	t->cells.len += t->columns.len;
	return &t->cells.data[row.first_cell];
}

static int64_t plus(int64_t a, int64_t b)
{
	int64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? (b > 0 ? INT64_MAX : INT64_MIN) : sum;
}

static void add_int(struct mlv_cell *c, int64_t n, enum mlv_unit unit)
{
	c->value = mlv_decimal_int(c->present ? plus(c->value.mantissa, n) : n, unit);
	c->present = true;
}

static void raise_int(struct mlv_cell *c, int64_t n, enum mlv_unit unit)
{
	if (!c->present || n > c->value.mantissa)
		c->value = mlv_decimal_int(n, unit);
	c->present = true;
}

/* Order by one column: numbers descending, empty cells last, then by subject. */
struct sort_key {
	double value;
	bool present;
	uint32_t row;
	const struct mlv_table *t;
};

static int by_value(const void *pa, const void *pb)
{
	const struct sort_key *a = pa, *b = pb;
	if (a->present != b->present)
		return a->present ? -1 : 1;
	if (a->value < b->value || a->value > b->value)
		return a->value > b->value ? -1 : 1;
	int c = mlv_str_cmp(a->t->rows.data[a->row].subject, a->t->rows.data[b->row].subject);
	return c ? c : (a->row > b->row) - (a->row < b->row);
}

static bool sort_rows(struct mlv_table *t)
{
	size_t n = t->rows.len;
	struct sort_key *keys = malloc((n + 1) * sizeof(*keys));
	struct mlv_table_row *sorted = malloc((n + 1) * sizeof(*sorted));
	bool ok = keys && sorted;
	for (size_t i = 0; ok && i < n; i++) {
		const struct mlv_cell *c = &t->cells.data[t->rows.data[i].first_cell + t->by];
		double v = c->present ? mlv_decimal_value(c->value) : 0;
		keys[i] = (struct sort_key){ isnan(v) ? -INFINITY : v, c->present, (uint32_t)i, t };
	}
	if (ok) {
		qsort(keys, n, sizeof(*keys), by_value);
		for (size_t i = 0; i < n; i++)
			sorted[i] = t->rows.data[keys[i].row];
		memcpy(t->rows.data, sorted, n * sizeof(*sorted));
	}
	free(keys);
	free(sorted);
	return ok;
}

static bool same_name(const char *column, const char *by)
{
	return strncasecmp(column, by, strlen(by)) == 0;
}

/* Choose the column to rank by: the whole name first, then a beginning of one. */
static enum mlv_rc finish(struct filling *f, size_t otherwise, struct mlv_err *err)
{
	struct mlv_table *t = f->t;
	bool found = !f->o->by;
	t->by = otherwise;
	for (size_t pass = 0; pass < 2 && !found; pass++) {
		for (size_t i = 0; i < t->columns.len && !found; i++) {
			found = pass ? same_name(t->columns.data[i].name, f->o->by)
				     : strcasecmp(t->columns.data[i].name, f->o->by) == 0;
			if (found)
				t->by = i;
		}
	}
	mlv_map_fini(&f->ids);
	t->total_rows = t->rows.len;
	if (!found) {
		char names[160] = "";
		for (size_t i = 0; i < t->columns.len; i++) {
			size_t n = strlen(names);
			snprintf(names + n, sizeof(names) - n, "%s%s", i ? ", " : "",
				 t->columns.data[i].name);
		}
		return mlv_err_set(err, MLV_E_USAGE, "--by %s: the columns are %s", f->o->by,
				   names);
	}
	if (t->columns.len && !sort_rows(t))
		return mlv_err_nomem(err);
	size_t kept = 0;
	for (size_t i = 0; i < t->rows.len; i++) {
		if (wanted(f->o, t->rows.data[i].subject))
			t->rows.data[kept++] = t->rows.data[i];
	}
	t->rows.len = kept;
	return MLV_OK;
}

static enum mlv_rc begin(struct filling *f, struct mlv_table *t, const char *title,
			 const struct mlv_table_options *o, struct mlv_err *err)
{
	memset(t, 0, sizeof(*t));
	memset(f, 0, sizeof(*f));
	f->t = t;
	f->o = o;
	t->title = mlv_arena_strndup(&t->texts, title, strlen(title));
	return t->title ? MLV_OK : mlv_err_nomem(err);
}

static enum mlv_rc end(struct filling *f, bool ok, size_t by, struct mlv_err *err)
{
	enum mlv_rc rc = ok ? finish(f, by, err) : mlv_err_nomem(err);
	mlv_map_fini(&f->ids);
	if (rc)
		mlv_table_fini(f->t);
	return rc;
}

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
	struct filling f;
	enum mlv_rc rc = begin(&f, t, "spans by name", o, err);
	if (rc)
		return rc;
	bool timed = false;
	bool ok = add_column(t, "total", true) && add_column(t, "count", true) &&
		  add_column(t, "mean", true) && add_column(t, "max", false) &&
		  add_column(t, "errors", true) && add_column(t, "bytes", true);
	for (size_t i = 0; ok && i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		uint64_t key = (uint64_t)s->category.i << 32 | s->name.i;
		struct mlv_cell *c = row_of(&f, key, mlv_run_str(run, s->name), s->line);
		ok = c != NULL;
		if (!ok)
			break;
		add_int(&c[SPAN_COUNT], 1, MLV_UNIT_NONE);
		if (s->start_ns != MLV_NO_TIME && s->end_ns != MLV_NO_TIME) {
			int64_t ns = mlv_time_between(s->start_ns, s->end_ns);
			add_int(&c[SPAN_TOTAL], ns, MLV_UNIT_NS);
			raise_int(&c[SPAN_MAX], ns, MLV_UNIT_NS);
			add_int(&c[SPAN_MEAN], 1, MLV_UNIT_NONE); /* how many, for now */
			timed = true;
		}
		if (is_failure(run, s))
			add_int(&c[SPAN_ERRORS], 1, MLV_UNIT_NONE);
		if (s->bytes >= 0)
			add_int(&c[SPAN_BYTES], s->bytes, MLV_UNIT_BYTES);
	}
	for (size_t i = 0; ok && i < t->rows.len; i++) {
		struct mlv_cell *c = &t->cells.data[t->rows.data[i].first_cell];
		if (c[SPAN_MEAN].present)
			c[SPAN_MEAN].value = mlv_decimal_int(c[SPAN_TOTAL].value.mantissa /
								     c[SPAN_MEAN].value.mantissa,
							     MLV_UNIT_NS);
	}
	return end(&f, ok, timed ? SPAN_TOTAL : SPAN_COUNT, err);
}

enum mlv_rc mlv_table_errors(struct mlv_table *t, const struct mlv_run *run,
			     const struct mlv_table_options *o, struct mlv_err *err)
{
	struct filling f;
	enum mlv_rc rc = begin(&f, t, "failed calls", o, err);
	bool ok = !rc && add_column(t, "count", true);
	for (size_t i = 0; ok && i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		if (!is_failure(run, s))
			continue;
		const struct mlv_attr *path = mlv_run_attr(run, s->attrs, "path");
		uint32_t file = path && path->is_text ? path->text.i : 0;
		uint32_t ids[3] = { s->name.i, s->status.i, file };
		uint64_t key = XXH3_64bits(ids, sizeof(ids));
		struct mlv_map_slot *slot = mlv_map_find(&f.ids, key);
		struct mlv_str subject = { "", 0 };
		char text[700];
		if (!slot) {
			int n = snprintf(text, sizeof(text), "%.60s %.40s%s%.500s",
					 mlv_run_str(run, s->status).p, mlv_run_str(run, s->name).p,
					 file ? " " : "",
					 file ? mlv_run_str(run, (mlv_strid){ file }).p : "");
			char *copy = mlv_arena_strndup(&t->texts, text, (size_t)n);
			ok = copy != NULL;
			subject = (struct mlv_str){ copy, (size_t)n };
		}
		struct mlv_cell *c = ok ? row_of(&f, key, subject, s->line) : NULL;
		ok = c != NULL;
		if (ok)
			add_int(&c[0], 1, MLV_UNIT_NONE);
	}
	return rc ? rc : end(&f, ok, 0, err);
}

/* A column for each metric of the section, in the order of their first row. */
static bool metric_columns(struct filling *f, const struct mlv_run *run, uint32_t section,
			   struct mlv_map *columns)
{
	for (size_t i = 0; i < run->metrics.len; i++) {
		const struct mlv_metric *m = &run->metrics.data[i];
		if (m->section != section || mlv_map_find(columns, m->metric.i))
			continue;
		if (f->t->columns.len >= 256)
			return true;
		if (!add_column(f->t, mlv_run_str(run, m->metric).p, false) ||
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
	struct filling f;
	struct mlv_map columns = { 0 };
	const struct mlv_section *s = &run->sections.data[section];
	char title[300];
	struct mlv_str name = mlv_run_str(run, s->title);
	snprintf(title, sizeof(title), "%s%s%.200s", s->format, name.n ? ": " : "", name.p);
	if (s->line)
		snprintf(title + strlen(title), sizeof(title) - strlen(title), " (line %u)",
			 s->line);
	enum mlv_rc rc = begin(&f, t, title, o, err);
	bool ok = !rc && metric_columns(&f, run, section, &columns);
	for (size_t i = 0; ok && i < run->metrics.len; i++) {
		const struct mlv_metric *m = &run->metrics.data[i];
		struct mlv_map_slot *column = mlv_map_find(&columns, m->metric.i);
		if (m->section != section || !column)
			continue;
		struct mlv_cell *c = row_of(&f, (uint64_t)m->row << 32 | m->subject.i,
					    mlv_run_str(run, m->subject), 0);
		ok = c != NULL;
		if (ok)
			c[column->value] = (struct mlv_cell){ true, m->value };
	}
	mlv_map_fini(&columns);
	return rc ? rc : end(&f, ok, ok ? natural_column(t) : 0, err);
}

enum { SAMPLE_GROWTH, SAMPLE_FIRST, SAMPLE_LAST, SAMPLE_MIN, SAMPLE_MAX, SAMPLE_COUNT };

static struct mlv_decimal difference(struct mlv_decimal a, struct mlv_decimal b)
{
	/* Of equal unit and exponent the difference is exact; else in base units. */
	if (a.unit == b.unit && a.exponent == b.exponent && !a.special && !b.special) {
		a.mantissa = plus(a.mantissa, b.mantissa == INT64_MIN ? INT64_MAX : -b.mantissa);
		return a;
	}
	int64_t x, y;
	if (mlv_decimal_bytes(a, &x) && mlv_decimal_bytes(b, &y))
		return mlv_decimal_int(plus(x, y == INT64_MIN ? INT64_MAX : -y), MLV_UNIT_BYTES);
	double v = mlv_decimal_value(a) - mlv_decimal_value(b);
	return mlv_decimal_int(fabs(v) < 9e18 ? (int64_t)llround(v) : 0, MLV_UNIT_NONE);
}

enum mlv_rc mlv_table_samples(struct mlv_table *t, const struct mlv_run *run,
			      const struct mlv_table_options *o, struct mlv_err *err)
{
	struct filling f;
	enum mlv_rc rc = begin(&f, t, "samples", o, err);
	bool ok = !rc && add_column(t, "growth", true) && add_column(t, "first", false) &&
		  add_column(t, "last", false) && add_column(t, "least", false) &&
		  add_column(t, "most", false) && add_column(t, "count", true);
	for (size_t i = 0; ok && i < run->samples.len; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		uint32_t ids[3] = { s->metric.i, s->track.i, s->phase.i };
		uint64_t key = XXH3_64bits(ids, sizeof(ids));
		struct mlv_str subject = { "", 0 };
		if (!mlv_map_find(&f.ids, key)) {
			char label[256], text[700];
			mlv_track_label(run, s->track, label, sizeof(label));
			int n = snprintf(text, sizeof(text), "%.200s%s%.200s%s%.200s",
					 mlv_run_str(run, s->metric).p, s->phase.i ? ", " : "",
					 mlv_run_str(run, s->phase).p, *label ? ", " : "", label);
			char *copy = mlv_arena_strndup(&t->texts, text, (size_t)n);
			ok = copy != NULL;
			subject = (struct mlv_str){ copy, (size_t)n };
		}
		struct mlv_cell *c = ok ? row_of(&f, key, subject, s->line) : NULL;
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
		add_int(&c[SAMPLE_COUNT], 1, MLV_UNIT_NONE);
	}
	for (size_t i = 0; ok && i < t->rows.len; i++) {
		struct mlv_cell *c = &t->cells.data[t->rows.data[i].first_cell];
		c[SAMPLE_GROWTH] = (struct mlv_cell){ true, difference(c[SAMPLE_LAST].value,
								       c[SAMPLE_FIRST].value) };
	}
	return rc ? rc : end(&f, ok, SAMPLE_GROWTH, err);
}

void mlv_table_fini(struct mlv_table *t)
{
	mlv_arena_fini(&t->texts);
	mlv_vec_free(&t->columns);
	mlv_vec_free(&t->rows);
	mlv_vec_free(&t->cells);
	memset(t, 0, sizeof(*t));
}
