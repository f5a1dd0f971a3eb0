/* SPDX-License-Identifier: MIT */
/*
 * The whole way of a file: decompression, choice of the format, parser,
 * checks, report, the layout of a small plot of each device, and its replay
 * with what was asked beyond it.
 */
#include "fuzz.h"

#include "analysis/growth/classify.h"
#include "analysis/consistency.h"
#include "analysis/stacking.h"
#include "fuzz_tables.h"
#include "parsers/parser.h"
#include "report/info.h"
#include "report/classify.h"
#include "report/replay.h"

enum { COLUMNS = 40, ROWS = 25 };

static enum mlv_rc load(struct mlv_run *run, const struct mlv_limits *limits, const uint8_t *data,
			size_t size)
{
	struct mlv_source *src;
	struct mlv_reader r;
	const struct mlv_parser *parser;
	struct mlv_err err = MLV_ERR_INIT;
	if (mlv_source_memory(&src, "input", (struct mlv_bytes){ data, size }, fuzz_chunk(size),
			      limits, NULL))
		return MLV_E_IO;
	mlv_reader_init(&r, src);
	(void)mlv_reader_need(&r, MLV_PROBE_BYTES);
	struct mlv_bytes head = { r.p, (size_t)(r.end - r.p) };
	if (head.n > MLV_PROBE_BYTES)
		head.n = MLV_PROBE_BYTES;
	enum mlv_rc rc = mlv_parser_find(head, NULL, &parser, &err);
	if (!rc) {
		run->format = parser->name;
		struct mlv_parse p = { .reader = &r, .run = run, .limits = limits };
		rc = parser->parse(&p, &err);
	}
	FUZZ_CHECK(rc == err.rc && rc != MLV_E_NOMEM);
	mlv_reader_fini(&r);
	mlv_source_close(src);
	return rc;
}

static void report(const struct mlv_run *run)
{
	struct mlv_info info;
	struct mlv_buf text = { 0 };
	struct mlv_json json;
	FUZZ_CHECK(!mlv_info_init(&info, run, -1, NULL));
	mlv_info_text(&info, &text);
	mlv_json_init(&json, &text);
	mlv_info_json(&info, &json);
	FUZZ_CHECK(!text.failed);
	mlv_buf_fini(&text);
	mlv_info_fini(&info);
}

/* No step may leave the plot: the renderer relies on it. */
static void check_plot(const struct mlv_stacking *s)
{
	size_t steps = 0;
	for (size_t i = 0; i < s->shapes.len; i++)
		steps += s->shapes.data[i].steps;
	for (size_t i = 0; i < steps; i++) {
		const struct mlv_step *t = &s->steps[i];
		FUZZ_CHECK(t->x0 >= 0 && t->x0 < t->x1 && t->x1 <= COLUMNS);
		FUZZ_CHECK(t->y0 >= 0 && t->y0 <= t->y1 && t->y1 <= ROWS);
	}
}

static void plot(const struct mlv_history *h, struct mlv_sites *sites, size_t size)
{
	struct mlv_classes classes;
	struct mlv_stacking stacking;
	struct mlv_rank *ranks;
	size_t n;
	char name[256], place[512];
	FUZZ_CHECK(!mlv_classes_init(&classes, (enum mlv_class_kind)(size % 4), h, sites, NULL));
	FUZZ_CHECK(!mlv_classes_rank(&classes, h->requested.peak_event, &ranks, &n, NULL));
	for (size_t i = 0; i < n; i++)
		mlv_class_name(&classes, ranks[i].cls, name, sizeof(name), place, sizeof(place));
	free(ranks);
	uint32_t last = h->count ? (uint32_t)h->count - 1 : 0;
	uint64_t top = h->reserved.peak > h->requested.peak ? h->reserved.peak : h->requested.peak;
	struct mlv_view view = {
		.first = size & 16 ? last / 3 : 0,
		.last = size & 32 ? last - last / 5 : last,
		.by_time = size & 64 && h->has_times,
		.columns = COLUMNS,
		.rows = ROWS,
		.top_bytes = top,
	};
	FUZZ_CHECK(!mlv_stacking_init(&stacking, &classes, &view, NULL));
	check_plot(&stacking);
	mlv_stacking_fini(&stacking);
	mlv_classes_fini(&classes);
}

/* Sums of the model are those of its blocks, whatever the recording claims. */
static void replay(const struct mlv_run *run, size_t device, struct mlv_sites *sites, size_t size)
{
	static const char *const confs[] = {
		NULL,
		"expandable_segments:True",
		"max_split_size_mb:20,garbage_collection_threshold:0.5",
		"roundup_power2_divisions:[1:2,256:8]",
	};
	struct mlv_study_options o = {
		.lead = size & 8 ? MLV_REPLAY_PREDICT : MLV_REPLAY_RECORDED,
		.limit = size & 16 ? 64 * MLV_MIB : 0,
		.capacity = size & 32 ? 100 * MLV_MIB : 0,
		.whatif = true,
		.conf = confs[size % 4],
		.profile = (int)(size % (MLV_DRIVER_PROFILES + 1)) - 1,
		.fit = size & 64,
		.resolution = 32 * MLV_MIB,
	};
	struct mlv_study s;
	struct mlv_buf text = { 0 };
	struct mlv_json json;
	FUZZ_CHECK(!mlv_study_init(&s, run, device, &o, NULL));
	mlv_replay_text(&s, sites, 5, &text);
	mlv_json_init(&json, &text);
	struct mlv_segment_map map;
	FUZZ_CHECK(!mlv_segment_map_init(&map, &s.recorded.allocator, NULL));
	struct mlv_map_moment moment = { .map = &map };
	mlv_replay_json(&s, NULL, &moment, sites, 5, &json);
	mlv_segment_map_fini(&map);
	FUZZ_CHECK(!text.failed);
	mlv_buf_fini(&text);
	mlv_study_fini(&s);
}

static void verdicts(const struct mlv_run *run)
{
	struct mlv_classify_options o = { .capacity = 1 << 30 };
	struct mlv_verdicts v = { 0 };
	struct mlv_buf text = { 0 };
	FUZZ_CHECK(!mlv_classify_run(&v, run, &o, NULL));
	for (size_t i = 0; i < v.list.len; i++)
		mlv_verdict_text(&v.list.data[i], 10, &text);
	FUZZ_CHECK(!text.failed);
	mlv_buf_fini(&text);
	mlv_verdicts_fini(&v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mlv_limits limits = fuzz_limits();
	struct mlv_run run;
	FUZZ_CHECK(mlv_run_init(&run, "input"));
	if (load(&run, &limits, data, size) == MLV_OK) {
		struct mlv_sites sites;
		report(&run);
		FUZZ_CHECK(!mlv_sites_init(&sites, &run, NULL, 0, NULL));
		for (size_t i = 0; i < run.devices.len && i < 3; i++) {
			struct mlv_history h;
			FUZZ_CHECK(!mlv_history_init(&h, &run, i, NULL));
			plot(&h, &sites, size);
			replay(&run, i, &sites, size);
			mlv_history_fini(&h);
		}
		mlv_sites_fini(&sites);
		verdicts(&run);
		fuzz_export(&run);
	}
	mlv_run_fini(&run);
	return 0;
}
