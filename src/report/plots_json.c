/* SPDX-License-Identifier: MIT */
#include "report/plots_json.h"

#include <stdlib.h>

#include "analysis/metric_tables.h"
#include "analysis/table.h"
#include "analysis/track_label.h"
#include "report/table_text.h"

static void begin(const struct mlv_run *run, const char *kind, struct mlv_json *j)
{
	mlv_json_object(j);
	mlv_json_key_text(j, "file", run->file);
	mlv_json_key_text(j, "kind", kind);
	mlv_json_key_text(j, "format", run->format);
	if (run->rank >= 0)
		mlv_json_key_int(j, "rank", run->rank);
}

static void time_key(struct mlv_json *j, const char *key, int64_t ns)
{
	mlv_json_key(j, key);
	if (ns == MLV_NO_TIME)
		mlv_json_null(j);
	else
		mlv_json_int(j, ns);
}

/* The only table of a plot. */
static void tables_json(struct mlv_table *t, size_t top, struct mlv_json *j)
{
	mlv_json_key_array(j, "tables");
	mlv_table_json(t, top, j);
	mlv_json_array_end(j);
	mlv_table_fini(t);
}

/* ---- spans ---- */

/* Spans of one track. */
struct lane {
	uint64_t spans, open;
	int64_t ns;
};

/* Saturating: recorded times may be any number. */
static void add_time(int64_t *sum, int64_t ns)
{
	if (__builtin_add_overflow(*sum, ns, sum))
		*sum = INT64_MAX;
}

static void lanes_json(const struct mlv_run *run, const struct lane *lanes, struct mlv_json *j)
{
	char label[256];
	mlv_json_key_array(j, "tracks");
	for (uint32_t i = 0; i < run->tracks.len; i++) {
		if (!lanes[i].spans)
			continue;
		mlv_track_label(run, (mlv_trackid){ i }, label, sizeof(label));
		mlv_json_object(j);
		mlv_json_key_text(j, "name", label);
		mlv_json_key_uint(j, "spans", lanes[i].spans);
		mlv_json_key_uint(j, "open", lanes[i].open);
		mlv_json_key_int(j, "total_ns", lanes[i].ns);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

/* Sums of all spans by track, and the times of the first and the last moment. */
static void gather(const struct mlv_run *run, struct lane *lanes, int64_t *first, int64_t *last)
{
	*first = *last = MLV_NO_TIME;
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		int64_t end = s->end_ns != MLV_NO_TIME ? s->end_ns : s->start_ns;
		if (s->track.i < run->tracks.len) {
			struct lane *lane = &lanes[s->track.i];
			lane->spans++;
			lane->open += mlv_run_span_open(run, s);
			int64_t ns;
			if (mlv_run_span_took(s, &ns))
				add_time(&lane->ns, ns);
		}
		if (s->start_ns == MLV_NO_TIME)
			continue;
		*first = *first == MLV_NO_TIME || s->start_ns < *first ? s->start_ns : *first;
		*last = *last == MLV_NO_TIME || end > *last ? end : *last;
	}
}

enum mlv_rc mlv_spans_plot_json(const struct mlv_run *run, int64_t from, int64_t to, size_t top,
				struct mlv_json *j, struct mlv_err *err)
{
	struct mlv_table_options o = { 0 };
	struct mlv_table t;
	int64_t first, last;
	struct lane *lanes = calloc(run->tracks.len + 1, sizeof(*lanes));
	enum mlv_rc rc = lanes ? mlv_table_spans(&t, run, &o, err) : mlv_err_nomem(err);
	if (rc) {
		free(lanes);
		return rc;
	}
	gather(run, lanes, &first, &last);
	begin(run, "spans", j);
	mlv_json_key_uint(j, "spans", run->spans.len);
	time_key(j, "first_time_ns", from == MLV_NO_TIME ? first : from);
	time_key(j, "last_time_ns", to == MLV_NO_TIME ? last : to);
	lanes_json(run, lanes, j);
	tables_json(&t, top, j);
	mlv_json_object_end(j);
	free(lanes);
	return MLV_OK;
}

/* ---- samples and metrics ---- */

enum mlv_rc mlv_samples_plot_json(const struct mlv_run *run, size_t top, struct mlv_json *j,
				  struct mlv_err *err)
{
	struct mlv_table_options o = { 0 };
	struct mlv_table t;
	int64_t first = MLV_NO_TIME, last = MLV_NO_TIME;
	enum mlv_rc rc = mlv_table_samples(&t, run, &o, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < run->samples.len; i++) {
		int64_t time = run->samples.data[i].time_ns;
		if (time == MLV_NO_TIME)
			continue;
		first = first == MLV_NO_TIME || time < first ? time : first;
		last = last == MLV_NO_TIME || time > last ? time : last;
	}
	begin(run, "samples", j);
	mlv_json_key_uint(j, "samples", run->samples.len);
	time_key(j, "first_time_ns", first);
	time_key(j, "last_time_ns", last);
	tables_json(&t, top, j);
	mlv_json_object_end(j);
	return MLV_OK;
}

enum mlv_rc mlv_metrics_plot_json(const struct mlv_run *run, size_t top, struct mlv_json *j,
				  struct mlv_err *err)
{
	struct mlv_table_options o = { 0 };
	struct mlv_metric_tables m;
	enum mlv_rc rc = mlv_metric_tables_init(&m, run, err);
	begin(run, "metrics", j);
	mlv_json_key_uint(j, "metrics", run->metrics.len);
	mlv_json_key_array(j, "tables");
	for (size_t i = 0; !rc && i < m.count; i++) {
		struct mlv_table t;
		rc = mlv_table_metrics(&t, &m, i, &o, err);
		if (rc)
			break;
		mlv_table_json(&t, top, j);
		mlv_table_fini(&t);
	}
	mlv_json_array_end(j);
	mlv_json_object_end(j);
	mlv_metric_tables_fini(&m);
	return rc;
}
