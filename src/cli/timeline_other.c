/* SPDX-License-Identifier: MIT */
#include "cli/timeline_other.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/metric_tables.h"
#include "base/num.h"
#include "render/bars_chart.h"
#include "render/lanes_chart.h"
#include "render/series_chart.h"
#include "report/plots_json.h"
#include "report/table_text.h"

enum { MOST_TABLES = 4 };

enum mlv_picture_kind mlv_picture_kind(const struct mlv_run *run)
{
	bool timed = false;
	for (size_t i = 0; i < run->spans.len && !timed; i++)
		timed = run->spans.data[i].start_ns != MLV_NO_TIME;
	/* A trace with memory events is a trace first: its lanes say more. */
	if (run->devices.len && (!timed || run->segments.len))
		return MLV_PICTURE_MEMORY;
	if (timed)
		return MLV_PICTURE_SPANS;
	if (run->samples.len)
		return MLV_PICTURE_SAMPLES;
	return run->metrics.len ? MLV_PICTURE_METRICS : MLV_PICTURE_NONE;
}

/* The runs of the kind; free() it. */
static const struct mlv_run **runs_of(const struct mlv_inputs *in, enum mlv_picture_kind kind,
				      size_t *count)
{
	const struct mlv_run **runs = calloc(in->count + 1, sizeof(*runs));
	*count = 0;
	for (size_t i = 0; runs && i < in->count; i++) {
		if (mlv_picture_kind(&in->list[i].run) == kind)
			runs[(*count)++] = &in->list[i].run;
	}
	return runs;
}

static void subtitle(const struct mlv_run *const *runs, size_t n, enum mlv_picture_kind kind,
		     struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	uint64_t rows = 0;
	for (size_t i = 0; i < n; i++)
		rows += kind == MLV_PICTURE_SPANS     ? runs[i]->spans.len
			: kind == MLV_PICTURE_SAMPLES ? runs[i]->samples.len
						      : runs[i]->metrics.len;
	mlv_buf_printf(out, "%s", runs[0]->format);
	if (n > 1)
		mlv_buf_printf(out, ", %zu files", n);
	else if (runs[0]->rank >= 0)
		mlv_buf_printf(out, ", rank %" PRId64, runs[0]->rank);
	if (kind == MLV_PICTURE_SPANS)
		mlv_buf_printf(out, " \u00b7 %s",
			       mlv_fmt_count_of(a, sizeof(a), rows, "span", "spans"));
	else if (kind == MLV_PICTURE_SAMPLES)
		mlv_buf_printf(out, " \u00b7 %s",
			       mlv_fmt_count_of(a, sizeof(a), rows, "sample", "samples"));
	else
		mlv_buf_printf(out, " \u00b7 %s",
			       mlv_fmt_count_of(a, sizeof(a), rows, "value", "values"));
}

/* "1.5s" after the first span of all. */
static enum mlv_rc time_of(const char *text, const char *option, const struct mlv_run *const *runs,
			   size_t n, int64_t *time, struct mlv_err *err)
{
	int64_t ns, zero = INT64_MAX;
	*time = MLV_NO_TIME;
	if (!text)
		return MLV_OK;
	if (!mlv_parse_duration(text, &ns))
		return mlv_err_set(err, MLV_E_USAGE, "%s takes a time such as 1.5s here, not '%s'",
				   option, text);
	for (size_t r = 0; r < n; r++) {
		for (size_t i = 0; i < runs[r]->spans.len; i++) {
			int64_t t = runs[r]->spans.data[i].start_ns;
			zero = t != MLV_NO_TIME && t < zero ? t : zero;
		}
	}
	return __builtin_add_overflow(zero, ns, time)
		       ? mlv_err_set(err, MLV_E_USAGE, "%s %s is out of range", option, text)
		       : MLV_OK;
}

static enum mlv_rc range_of(const struct mlv_other_options *o, const struct mlv_run *const *runs,
			    size_t n, int64_t *from, int64_t *to, struct mlv_err *err)
{
	enum mlv_rc rc = time_of(o->from, "--from", runs, n, from, err);
	if (!rc)
		rc = time_of(o->to, "--to", runs, n, to, err);
	if (!rc && *from != MLV_NO_TIME && *to != MLV_NO_TIME && *to < *from)
		rc = mlv_err_set(err, MLV_E_USAGE, "--to %s lies before --from %s", o->to, o->from);
	return rc;
}

/* What is drawn, and of what. */
struct drawing {
	enum mlv_picture_kind kind;
	const struct mlv_run *const *runs;
	size_t n;
	const struct mlv_other_options *o;
	struct mlv_page page;
};

static enum mlv_rc draw_lanes(const struct drawing *d, struct mlv_canvas *c, struct mlv_err *err)
{
	struct mlv_lanes_chart chart = { .page = d->page,
					 .runs = d->runs,
					 .count = d->n,
					 .top = d->o->top,
					 .hover = d->o->picture.svg };
	enum mlv_rc rc = range_of(d->o, d->runs, d->n, &chart.from, &chart.to, err);
	return rc ? rc : mlv_lanes_chart_draw(c, &chart, err);
}

/* The tables of the sections of the first runs, as many as a page holds. */
static enum mlv_rc make_tables(const struct mlv_run *const *runs, size_t n,
			       struct mlv_table *tables, size_t *count, struct mlv_err *err)
{
	struct mlv_table_options o = { 0 };
	enum mlv_rc rc = MLV_OK;
	*count = 0;
	for (size_t r = 0; !rc && r < n && *count < MOST_TABLES; r++) {
		struct mlv_metric_tables m;
		rc = mlv_metric_tables_init(&m, runs[r], err);
		for (size_t i = 0; !rc && i < m.count && *count < MOST_TABLES; i++) {
			rc = mlv_table_metrics(&tables[*count], &m, i, &o, err);
			*count += !rc;
		}
		mlv_metric_tables_fini(&m);
	}
	return rc;
}

static enum mlv_rc draw_bars(const struct drawing *d, struct mlv_canvas *c, struct mlv_err *err)
{
	struct mlv_table tables[MOST_TABLES];
	const struct mlv_table *list[MOST_TABLES];
	size_t count;
	enum mlv_rc rc = make_tables(d->runs, d->n, tables, &count, err);
	for (size_t i = 0; i < count; i++)
		list[i] = &tables[i];
	struct mlv_bars_chart chart = { d->page, list, count, d->o->top < 20 ? 20 : d->o->top };
	if (!rc)
		rc = mlv_bars_chart_draw(c, &chart, err);
	for (size_t i = 0; i < count; i++)
		mlv_table_fini(&tables[i]);
	return rc;
}

static enum mlv_rc draw(const void *context, struct mlv_canvas *c, struct mlv_err *err)
{
	const struct drawing *d = context;
	const struct mlv_other_options *o = d->o;
	struct mlv_series_chart series = { d->page,     d->runs, d->n,
					   o->capacity, o->top,  o->picture.svg };
	switch (d->kind) {
	case MLV_PICTURE_SPANS:
		return draw_lanes(d, c, err);
	case MLV_PICTURE_SAMPLES:
		return mlv_series_chart_draw(c, &series, err);
	default:
		return draw_bars(d, c, err);
	}
}

enum mlv_rc mlv_other_draw(const struct mlv_inputs *in, enum mlv_picture_kind kind,
			   const struct mlv_other_options *o, struct mlv_buf *picture,
			   struct mlv_err *err)
{
	size_t n;
	const struct mlv_run **runs = runs_of(in, kind, &n);
	if (!runs)
		return mlv_err_nomem(err);
	for (size_t i = n; i < in->count; i++)
		fprintf(stderr, "mlviz: note: one input is left out: it holds nothing that goes "
				"into this picture\n");
	struct mlv_buf title = { 0 }, sub = { 0 };
	struct mlv_picture p = o->picture;
	if (!p.title) {
		mlv_picture_title(runs[0]->file, n, &title);
		p.title = title.data ? title.data : "";
	}
	subtitle(runs, n, kind, &sub);
	struct drawing d = { kind, runs, n, o,
			     mlv_picture_page(&p, sub.data ? sub.data : "", NULL) };
	enum mlv_rc rc = mlv_picture_draw(&p, draw, &d, picture, err);
	mlv_buf_fini(&title);
	mlv_buf_fini(&sub);
	free(runs);
	return rc;
}

static enum mlv_rc first_table(struct mlv_table *t, const struct mlv_run *run,
			       const struct mlv_table_options *o, struct mlv_err *err)
{
	struct mlv_metric_tables m;
	enum mlv_rc rc = mlv_metric_tables_init(&m, run, err);
	if (!rc)
		rc = mlv_table_metrics(t, &m, 0, o, err);
	mlv_metric_tables_fini(&m);
	return rc;
}

enum mlv_rc mlv_other_text(const struct mlv_inputs *in, enum mlv_picture_kind kind, int width,
			   struct mlv_buf *out, struct mlv_err *err)
{
	struct mlv_table_options o = { 0 };
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; !rc && i < in->count; i++) {
		const struct mlv_run *run = &in->list[i].run;
		struct mlv_table t;
		if (mlv_picture_kind(run) != kind)
			continue;
		mlv_buf_safe(out, mlv_str_of(run->file));
		mlv_buf_putc(out, '\n');
		if (kind == MLV_PICTURE_SPANS)
			rc = mlv_table_spans(&t, run, &o, err);
		else if (kind == MLV_PICTURE_SAMPLES)
			rc = mlv_table_samples(&t, run, &o, err);
		else
			rc = first_table(&t, run, &o, err);
		if (rc)
			break;
		mlv_table_text(&t, 5, width, out);
		mlv_table_fini(&t);
	}
	return rc;
}

enum mlv_rc mlv_other_json(const struct mlv_inputs *in, enum mlv_picture_kind kind,
			   const struct mlv_other_options *o, struct mlv_json *j,
			   struct mlv_err *err)
{
	size_t n;
	int64_t from, to;
	const struct mlv_run **runs = runs_of(in, kind, &n);
	enum mlv_rc rc = runs ? range_of(o, runs, n, &from, &to, err) : mlv_err_nomem(err);
	for (size_t i = 0; !rc && i < n; i++) {
		if (kind == MLV_PICTURE_SPANS)
			rc = mlv_spans_plot_json(runs[i], from, to, o->top, j, err);
		else if (kind == MLV_PICTURE_SAMPLES)
			rc = mlv_samples_plot_json(runs[i], o->top, j, err);
		else
			rc = mlv_metrics_plot_json(runs[i], o->top, j, err);
	}
	free(runs);
	return rc;
}
