/* SPDX-License-Identifier: MIT */
/* JSON reports of memory diagnostics. */
#include "tables_text.h"

/* Keys in the order of one writer; another sorts them, and a rank may come behind its samples. */
static const char report[] =
	"{\n  \"case\": \"anything\",\n  \"preset\": \"small\",\n  \"batch_size_per_device\": 2,\n"
	"  \"parameters_fp32_mib\": 33.4248046875,\n  \"slurm_job_id\": null,\n"
	"  \"compiled\": true,\n  \"model_config\": {\"layers\": 4, \"name\": \"x\"},\n"
	"  \"rank_reports\": [\n    {\n      \"rank\": 0,\n      \"gpu_name\": \"NVIDIA H200\",\n"
	"      \"device_total_mib\": 143155.9375,\n      \"local_batch_size\": 4,\n"
	"      \"samples\": [\n"
	"        {\"step\": -1, \"phase\": \"after_model\", \"allocated_mib\": 33.4248046875,\n"
	"         \"reserved_mib\": 44.0, \"peak_allocated_mib\": 33.4248046875,\n"
	"         \"device_used_mib\": 1706.0},\n"
	"        {\"allocated_bytes\": 123611480, \"phase\": \"after_forward\", \"step\": 0}\n"
	"      ],\n      \"indicators\": {\"between_step_growth_mib\": -0.5751953125,\n"
	"        \"steps_seen\": 5}\n    },\n    {\n"
	"      \"samples\": [{\"step\": 0, \"phase\": \"after_model\", \"allocated_mib\": 1e3,\n"
	"         \"note\": \"text\", \"unknown\": null}],\n      \"rank\": 3\n    }\n  ]\n}\n";

START_TEST(test_report)
{
	struct tables t;
	tables_of(&t, report);
	ck_assert_str_eq(t.run.format, "memory-report");
	ck_assert_int_eq(t.run.rank, -1);
	ck_assert_str_eq(tables_samples(&t),
			 "rank 0 | -1 | after_model | allocated | 33.4248046875 MiB\n"
			 "rank 0 | -1 | after_model | reserved | 44.0 MiB\n"
			 "rank 0 | -1 | after_model | peak_allocated | 33.4248046875 MiB\n"
			 "rank 0 | -1 | after_model | device_used | 1706.0 MiB\n"
			 "rank 0 | 0 | after_forward | allocated | 123611480 B\n"
			 "rank 3 | 0 | after_model | allocated | 1e3 MiB\n");
	ck_assert_str_eq(tables_metrics(&t), "0 rank 0 | between_step_growth | -0.5751953125 MiB\n"
					     "0 rank 0 | steps_seen | 5\n"
					     "0 rank 0 | device_total | 143155.9375 MiB\n");
	ck_assert_str_eq(tables_properties(&t), "report/case = anything\n"
						"report/preset = small\n"
						"report/batch_size_per_device = 2\n"
						"report/parameters_fp32_mib = 33.4248046875\n"
						"report/compiled = 1\n"
						"report/model_config/layers = 4\n"
						"report/model_config/name = x\n"
						"report/rank 0/rank = 0\n"
						"report/rank 0/gpu_name = NVIDIA H200\n"
						"report/rank 0/device_total_mib = 143155.9375\n"
						"report/rank 0/local_batch_size = 4\n"
						"report/rank 3/rank = 3\n");
	ck_assert_str_eq(tables_sections(&t), "memory-report 0-0 rank 0, 8 rows: \n"
					      "memory-report 0-0 rank 3, 1 rows: \n");
	ck_assert_uint_eq(t.run.diags.list.len, 0);
	tables_fini(&t);
}
END_TEST

START_TEST(test_one_rank_is_the_run)
{
	struct tables t;
	tables_of(&t, "{\"rank_reports\":[{\"rank\":2,\"samples\":[{\"allocated_mib\":1}]}]}");
	ck_assert_int_eq(t.run.rank, 2);
	ck_assert_str_eq(tables_samples(&t), "rank 2 |  | allocated | 1 MiB\n");
	tables_fini(&t);
	tables_of(&t,
		  "{\"rank_reports\":[{\"samples\":[{\"allocated_mib\":NaN, \"step\": 1.5}, 7]}, "
		  "{\"rank\": -4}, 5]}");
	ck_assert_str_eq(tables_samples(&t), "rank 0 |  | allocated | nan MiB\n");
	ck_assert(tables_told(&t, "report-no-rank"));
	ck_assert(tables_told(&t, "report-sample"));
	ck_assert(tables_told(&t, "report-no-samples"));
	ck_assert_str_eq(tables_sections(&t), "memory-report 0-0 rank 0, 1 rows: \n"
					      "memory-report 0-0 rank 1, 0 rows: \n");
	tables_fini(&t);
}
END_TEST

START_TEST(test_refused)
{
	static const char *const texts[] = {
		"{\"rank_reports\": []}",     "{\"rank_reports\": {\"samples\": 1}}",
		"{\"rank_reports\": [1, 2]}", "{\"other\": {\"rank_reports\": [{\"rank\": 0}]}}",
		"[\"rank_reports\"]",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct tables t;
		tables_read(&t, texts[i], strlen(texts[i]), 0, NULL, 0);
		ck_assert_int_eq(t.rc, MLV_E_FORMAT);
		tables_fini(&t);
	}
}
END_TEST

START_TEST(test_truncated)
{
	struct tables t;
	const char *cut = strstr(report, "\"reserved_mib\"");
	tables_read(&t, report, (size_t)(cut - report), 0, NULL, 0);
	ck_assert_int_eq(t.rc, MLV_OK);
	ck_assert_str_eq(tables_samples(&t),
			 "rank 0 | -1 | after_model | allocated | 33.4248046875 MiB\n");
	ck_assert(tables_told(&t, "json-truncated"));
	tables_fini(&t);
	for (size_t chunk = 1; chunk < 60; chunk += 5) {
		tables_read(&t, report, sizeof(report) - 1, chunk, NULL, 0);
		ck_assert_int_eq(t.rc, MLV_OK);
		ck_assert_uint_eq(t.run.samples.len, 6);
		tables_fini(&t);
	}
	tables_spoil(report, sizeof(report) - 1, NULL);
}
END_TEST

START_TEST(test_limits)
{
	struct tables t;
	for (uint64_t rows = 1; rows < 40; rows++) {
		tables_read(&t, report, sizeof(report) - 1, 0, NULL, rows);
		ck_assert_int_eq(t.rc, MLV_E_LIMIT);
		tables_fini(&t);
	}
}
END_TEST

START_TEST(test_recorded)
{
	static const struct {
		const char *file;
		size_t samples, metrics, ranks;
	} files[] = {
		{ "memory-reports/alpha.json", 108, 6, 1 },
		{ "memory-reports/alpha-ddp-imbalanced.json", 216, 12, 2 },
		{ "memory-reports/synthetic-gamma-steps10.json", 168, 4, 1 },
	};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct tables t;
		size_t n;
		char *text = unit_file("CORPUS", files[i].file, &n);
		if (!text)
			return;
		tables_of(&t, text);
		ck_assert_uint_eq(t.run.samples.len, files[i].samples);
		ck_assert_uint_eq(t.run.metrics.len, files[i].metrics);
		ck_assert_uint_eq(t.run.sections.len, files[i].ranks);
		ck_assert_uint_eq(t.run.diags.list.len, 0);
		tables_fini(&t);
		free(text);
	}
}
END_TEST

UNIT_MAIN("memory_report", test_report, test_one_rank_is_the_run, test_refused, test_truncated,
	  test_limits, test_recorded)
