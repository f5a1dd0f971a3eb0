/* SPDX-License-Identifier: MIT */
#include "analysis/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/table_build.h"
#include "analysis/track_label.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

bool mlv_span_failed(const struct mlv_run *run, const struct mlv_span *s)
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
		int64_t ns;
		if (mlv_run_span_took(s, &ns)) {
			mlv_cell_add(&c[SPAN_TOTAL], ns, MLV_UNIT_NS);
			mlv_cell_raise(&c[SPAN_MAX], ns, MLV_UNIT_NS);
			mlv_cell_add(&c[SPAN_MEAN], 1, MLV_UNIT_NONE); /* how many, for now */
			timed = true;
		}
		if (mlv_span_failed(run, s))
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
		if (!mlv_span_failed(run, s))
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

enum { SAMPLE_GROWTH, SAMPLE_FIRST, SAMPLE_LAST, SAMPLE_MAX, SAMPLE_MIN, SAMPLE_COUNT };

enum mlv_rc mlv_table_samples(struct mlv_table *t, const struct mlv_run *run,
			      const struct mlv_table_options *o, struct mlv_err *err)
{
	struct mlv_table_builder f;
	bool grew = false;
	enum mlv_rc rc = mlv_table_begin(&f, t, "samples", NULL, 0, o, err);
	bool ok = !rc && mlv_table_column(&f, "growth", true) &&
		  mlv_table_column(&f, "first", false) && mlv_table_column(&f, "last", false) &&
		  mlv_table_column(&f, "most", false) && mlv_table_column(&f, "least", false) &&
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
		c[SAMPLE_GROWTH].present = mlv_decimal_minus(
			c[SAMPLE_LAST].value, c[SAMPLE_FIRST].value, &c[SAMPLE_GROWTH].value);
		grew = grew || (c[SAMPLE_GROWTH].present && c[SAMPLE_GROWTH].value.mantissa > 0);
	}
	return rc ? rc : mlv_table_end(&f, ok, grew ? SAMPLE_GROWTH : SAMPLE_MAX, err);
}
