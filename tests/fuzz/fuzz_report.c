/* SPDX-License-Identifier: MIT */
/* What info, top and timeline make of a run's tables, without the pictures. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/growth/classify.h"
#include "analysis/hang/columns.h"
#include "analysis/hang/hang.h"
#include "analysis/lanes.h"
#include "analysis/metric_tables.h"
#include "analysis/series.h"
#include "analysis/table.h"
#include "base/json_read.h"
#include "fuzz_tables.h"
#include "report/classify.h"
#include "report/diff.h"
#include "report/diff_statements.h"
#include "report/diff_thresholds.h"
#include "report/hang.h"
#include "report/info.h"
#include "report/table_text.h"

void fuzz_check_json(const struct mlv_buf *text)
{
	struct mlv_limits limits = mlv_limits_default;
	struct mlv_diags diags = { 0 };
	struct mlv_source *src;
	struct mlv_reader r;
	struct mlv_json_token t = { .kind = MLV_JSON_NULL };
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_bytes bytes = { (const uint8_t *)text->data, text->len };
	FUZZ_CHECK(!mlv_source_memory(&src, "report", bytes, 0, &limits, NULL));
	mlv_reader_init(&r, src);
	struct mlv_json_reader *j = mlv_json_reader_create(&r, &limits, &diags);
	FUZZ_CHECK(j);
	while (t.kind != MLV_JSON_END)
		FUZZ_CHECK(!mlv_json_next(j, &t, &err));
	FUZZ_CHECK(!diags.list.len);
	mlv_json_reader_destroy(j);
	mlv_reader_fini(&r);
	mlv_source_close(src);
	mlv_diags_fini(&diags);
}

static void info(const struct mlv_run *run)
{
	struct mlv_info facts;
	struct mlv_buf text = { 0 };
	struct mlv_json json;
	FUZZ_CHECK(!mlv_info_init(&facts, run, -1, NULL));
	mlv_info_text(&facts, &text);
	text.len = 0;
	mlv_json_init(&json, &text);
	mlv_info_json(&facts, &json);
	FUZZ_CHECK(!text.failed);
	fuzz_check_json(&text);
	mlv_buf_fini(&text);
	mlv_info_fini(&facts);
}

/* The run as that of one rank among others, and as that of two, which agree. */
static void hang(const struct mlv_run *run, int ranks)
{
	struct mlv_evidence e;
	struct mlv_hang h;
	struct mlv_columns columns;
	struct mlv_hang_text o = { 20, true };
	struct mlv_buf text = { 0 };
	struct mlv_json json;
	uint32_t rows[2] = { 0, 1 };
	FUZZ_CHECK(!mlv_evidence_init(&e, NULL));
	for (int rank = 0; rank < ranks; rank++) {
		struct mlv_run as = *run;
		as.rank = rank;
		FUZZ_CHECK(!mlv_evidence_add(&e, &as, NULL));
	}
	FUZZ_CHECK(!mlv_evidence_finish(&e, NULL));
	FUZZ_CHECK(!mlv_hang_init(&h, &e, NULL, 0, NULL));
	mlv_hang_text(&h, &o, &text);
	text.len = 0;
	mlv_json_document(&json, &text, "mlviz.hang/1");
	mlv_hang_json(&h, &json);
	mlv_json_document_end(&json);
	FUZZ_CHECK(!text.failed);
	fuzz_check_json(&text);
	size_t n = e.ranks.len < 2 ? e.ranks.len : 2;
	FUZZ_CHECK(!mlv_columns_init(&columns, &h.waits, rows, n, 8, NULL));
	mlv_columns_fini(&columns);
	mlv_buf_fini(&text);
	mlv_hang_fini(&h);
	mlv_evidence_fini(&e);
}

static void ranking(struct mlv_table *t)
{
	struct mlv_buf text = { 0 };
	struct mlv_json json;
	mlv_table_text(t, 10, 80, &text);
	text.len = 0;
	mlv_json_init(&json, &text);
	mlv_table_json(t, 10, &json);
	FUZZ_CHECK(!text.failed);
	fuzz_check_json(&text);
	mlv_buf_fini(&text);
	mlv_table_fini(t);
}

static void rankings(const struct mlv_run *run)
{
	struct mlv_table_options o = { 0 };
	struct mlv_table t;
	FUZZ_CHECK(!mlv_table_spans(&t, run, &o, NULL));
	ranking(&t);
	FUZZ_CHECK(!mlv_table_errors(&t, run, &o, NULL));
	ranking(&t);
	FUZZ_CHECK(!mlv_table_samples(&t, run, &o, NULL));
	ranking(&t);
	struct mlv_metric_tables m;
	FUZZ_CHECK(!mlv_metric_tables_init(&m, run, NULL));
	for (size_t i = 0; i < m.count && i < 3; i++) {
		FUZZ_CHECK(!mlv_table_metrics(&t, &m, i, &o, NULL));
		ranking(&t);
	}
	mlv_metric_tables_fini(&m);
}

/* The renderer relies on it: no bar leaves the picture, bars of a lane go from left to right. */
static void layout(const struct mlv_run *run)
{
	struct mlv_lanes_options o = { MLV_NO_TIME, MLV_NO_TIME, 40, 8, 4 };
	struct mlv_lanes lanes;
	struct mlv_series_set series;
	FUZZ_CHECK(!mlv_lanes_init(&lanes, run, &o, NULL));
	for (size_t i = 0; i < lanes.list.len; i++) {
		const struct mlv_lane *lane = &lanes.list.data[i];
		int32_t x = 0;
		for (size_t k = 0; k < lane->bars; k++) {
			const struct mlv_bar *bar = &lanes.bars[lane->first_bar + k];
			FUZZ_CHECK(bar->x0 >= x && bar->x1 > bar->x0 && bar->x1 <= o.columns);
			FUZZ_CHECK(bar->span < run->spans.len);
			x = bar->x0;
		}
	}
	mlv_lanes_fini(&lanes);
	FUZZ_CHECK(!mlv_series_init(&series, run, NULL));
	mlv_series_fini(&series);
}

static void verdicts(const struct mlv_run *run)
{
	struct mlv_classify_options o = { .capacity = UINT64_MAX };
	struct mlv_verdicts v = { 0 };
	struct mlv_buf text = { 0 };
	struct mlv_json json;
	FUZZ_CHECK(!mlv_classify_run(&v, run, &o, NULL));
	for (size_t i = 0; i < v.list.len && i < 3; i++) {
		mlv_verdict_text(&v.list.data[i], 10, &text);
		text.len = 0;
		mlv_json_init(&json, &text);
		mlv_verdict_json(&v.list.data[i], &json);
		FUZZ_CHECK(!text.failed);
		fuzz_check_json(&text);
		text.len = 0;
	}
	mlv_buf_fini(&text);
	mlv_verdicts_fini(&v);
}

static void phases(const struct mlv_run *run)
{
	struct mlv_buf text = { 0 };
	mlv_trackid *tracks;
	size_t count;
	FUZZ_CHECK(!mlv_phase_tracks(run, &tracks, &count, NULL));
	for (size_t i = 0; i < count && i < 2; i++) {
		struct mlv_phase_grid g[2];
		FUZZ_CHECK(!mlv_phase_grid_init(&g[0], run, tracks[0], NULL));
		FUZZ_CHECK(!mlv_phase_grid_init(&g[1], run, tracks[i], NULL));
		FUZZ_CHECK(!mlv_phase_table_text(g, 2, &text, NULL));
		mlv_phase_grid_fini(&g[0]);
		mlv_phase_grid_fini(&g[1]);
	}
	free(tracks);
	mlv_buf_fini(&text);
}

/* Whatever is printed of two runs, and that the listed stacks sum to both peaks. */
static void difference(const struct mlv_run *a, const struct mlv_run *b, bool same)
{
	struct mlv_diff_options o = { .device = -1, .same_process = true };
	struct mlv_diff d;
	struct mlv_statements statements = { 0 };
	struct mlv_thresholds thresholds;
	struct mlv_buf text = { 0 };
	struct mlv_json json;
	FUZZ_CHECK(!mlv_diff_init(&d, a, b, &o, NULL));
	FUZZ_CHECK(!same || !mlv_diff_differs(&d));
	for (size_t i = 0; i < d.device_count; i++) {
		const struct mlv_memory_diff *m = &d.devices[i].memory;
		uint64_t sum[2] = { 0 };
		for (size_t k = 0; k < m->stacks.len; k++) {
			for (unsigned s = 0; s < 2; s++)
				sum[s] += m->stacks.data[k].amount[s][MLV_AMOUNT_PEAK].bytes;
		}
		for (unsigned s = 0; s < 2; s++)
			FUZZ_CHECK(sum[s] == d.devices[i].history[s].requested.peak);
	}
	FUZZ_CHECK(
		!mlv_thresholds_parse(&thresholds, "peak>+1%,growth>+1MiB,mean<-3,unknown", NULL));
	FUZZ_CHECK(mlv_statements_add(&statements, &d) && mlv_thresholds_judge(&thresholds, &d));
	mlv_statements_sort(&statements);
	mlv_diff_text(&d, 10, 80, &text);
	mlv_statements_text(&statements, 10, &text);
	mlv_thresholds_text(&thresholds, &text);
	text.len = 0;
	mlv_json_init(&json, &text);
	mlv_diff_json(&d, 10, &json);
	FUZZ_CHECK(!text.failed);
	fuzz_check_json(&text);
	mlv_buf_fini(&text);
	mlv_statements_fini(&statements);
	mlv_thresholds_fini(&thresholds);
	mlv_diff_fini(&d);
}

static void differences(const struct mlv_run *run)
{
	struct mlv_run none;
	FUZZ_CHECK(mlv_run_init(&none, "none"));
	none.format = "none";
	difference(run, run, true);
	difference(run, &none, false);
	difference(&none, run, false);
	mlv_run_fini(&none);
}

void fuzz_report(const struct mlv_run *run)
{
	info(run);
	rankings(run);
	hang(run, 1);
	hang(run, 2);
	layout(run);
	verdicts(run);
	phases(run);
	differences(run);
	fuzz_export(run);
}
