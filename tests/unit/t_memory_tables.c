/* SPDX-License-Identifier: MIT */
/* What torch.cuda says of its allocator: memory_summary() boxes, memory_stats() as JSON. */
#include "metric_reader.h"

#define RULE "|---------------------------------------------------------------------------|\n"
#define EDGE "|===========================================================================|\n"
#define HEAD(device, ooms)                                                                         \
	EDGE "|                  PyTorch CUDA memory summary, device ID " device                   \
	     "                 |\n" RULE "|            CUDA OOMs: " ooms                           \
	     "            |        cudaMalloc retries: 3         |\n" EDGE                         \
	     "|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  "        \
	     "|\n" RULE

static const char box[] = HEAD(
	"0",
	"2") "| Allocated memory      | 607814 KiB |   1061 MiB |   2486 MiB |      0 B   |\n"
	     "|       from large pool | 593920 KiB |   1060 MiB |   1820 MiB |      0 B   |\n"
	     "|       from small pool |  13894 KiB |      1 MiB |    666 MiB |      0 B   |\n" RULE
	     "| GPU reserved memory   |   1104 GiB |   1105 TiB |      2 PiB |     17 B   |\n" RULE
	     "| Allocations           |      79    |    1282    |    2049 K  |    1970 M  |\n"
	     "|       from large pool |       4    |       7    |     150 K  |     146 M  |\n" EDGE
	     "\n";

START_TEST(summary)
{
	ck_assert_int_eq(read_text(box), MLV_OK);
	ck_assert_str_eq(run.format, "memory-summary");
	ck_assert_uint_eq(run.sections.len, 1);
	ck_assert_str_eq(str(run.sections.data[0].title).p,
			 "PyTorch CUDA memory summary, device ID 0");
	ck_assert_uint_eq(run.sections.data[0].line, 1);
	ck_assert_uint_eq(run.sections.data[0].last_line, 16);
	ck_assert_str_eq(metric("CUDA OOMs", "count"), "2");
	ck_assert_str_eq(metric("cudaMalloc retries", "count"), "3");
	ck_assert_str_eq(metric("Allocated memory", "Cur Usage"), "607814 KiB");
	ck_assert_str_eq(metric("Allocated memory", "Tot Freed"), "0 B");
	ck_assert_str_eq(metric("Allocated memory, from large pool", "Peak Usage"), "1060 MiB");
	ck_assert_str_eq(metric("Allocated memory, from small pool", "Tot Alloc"), "666 MiB");
	ck_assert_str_eq(metric("GPU reserved memory", "Cur Usage"), "1104 GiB");
	ck_assert_str_eq(metric("GPU reserved memory", "Peak Usage"), "1105 TiB");
	ck_assert_str_eq(metric("GPU reserved memory", "Tot Alloc"), "2 PiB");
	ck_assert_str_eq(metric("Allocations", "Peak Usage"), "1282");
	ck_assert_str_eq(metric("Allocations", "Tot Alloc"), "2.049e6");
	ck_assert_str_eq(metric("Allocations, from large pool", "Tot Freed"), "1.46e8");
	ck_assert_uint_eq(run.metrics.len, 2 + 6 * 4);
	ck_assert_uint_eq(run.diags.list.len, 0);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(summary_spoiled)
{
	/* Without its title, the device is another one: look at the rest. */
	const char *rest = strchr(strchr(box, '\n') + 1, '\n') + 1;
	static char text[2 * sizeof(box)];
	snprintf(text, sizeof(text), "%s", box);
	ck_assert_int_eq(read_text(rest), MLV_OK);
	ck_assert(has_diag("memory-summary-device"));
	ck_assert_str_eq(metric_in("PyTorch memory summary, unknown device", "Allocated memory",
				   "Cur Usage"),
			 "607814 KiB");
	mlv_run_fini(&run);
	char *title = strstr(text, "|                  PyTorch");
	/* Twice, so that a lost one leaves no other name. */
	size_t n = (size_t)(strchr(title, '\n') + 1 - title);
	memmove(title + n, title, strlen(title) + 1);
	size_t size = strlen(text), figures;
	ck_assert_int_eq(read_text(box), MLV_OK);
	char **whole = all_figures(&figures);
	mlv_run_fini(&run);
	char *copy = malloc(size + 1);
	for (size_t at = 0; at < size;) {
		size_t next = (size_t)(strchr(text + at, '\n') - text) + 1;
		memcpy(copy, text, at);
		memcpy(copy + at, text + next, size - next);
		(void)read_bytes(copy, size - (next - at), NULL, 0);
		unit_check(no_new_figures(whole, figures));
		mlv_run_fini(&run);
		at = next;
	}
	for (size_t cut = 0; cut < size; cut++) {
		(void)read_bytes(text, cut, NULL, 0);
		unit_check(no_new_figures(whole, figures));
		mlv_run_fini(&run);
	}
	free_figures(whole, figures);
	free(copy);
}
END_TEST

START_TEST(two_devices_in_a_log)
{
	static const char text[] = "[rank0]: starting | step 1 | 2.5 GiB\n" HEAD(
		"0", "0") "| Allocated memory      |    2721 MB |    2967 MB |    2967 MB |  "
			  "251905 KB |\n" RULE "2024-01-01 12:00:00 | INFO | loss 3 | 4 |\n"
			  "| Active memory         |     512 B  |     512 B  |     513 B  |       "
			  "0 B  |  # text\n" HEAD("1",
						  "0") "| Allocated memory      |      12 MB |     "
						       " 13 MB |      14 MB |      15 MB |\n" EDGE
						       "| Allocated memory      |      99 MB |     "
						       " 99 MB |      99 MB |      99 MB |\n";
	ck_assert_int_eq(read_text(text), MLV_OK);
	ck_assert_uint_eq(run.sections.len, 2);
	/* "MB" of old versions divides by 1024 too. */
	ck_assert_str_eq(metric_in("PyTorch CUDA memory summary, device ID 0", "Allocated memory",
				   "Cur Usage"),
			 "2721 MiB");
	ck_assert_str_eq(metric_in("PyTorch CUDA memory summary, device ID 0", "Allocated memory",
				   "Tot Freed"),
			 "251905 KiB");
	ck_assert_str_eq(
		metric_in("PyTorch CUDA memory summary, device ID 0", "Active memory", "Tot Alloc"),
		"513 B");
	ck_assert_str_eq(metric_in("PyTorch CUDA memory summary, device ID 1", "Allocated memory",
				   "Peak Usage"),
			 "13 MiB");
	ck_assert_uint_eq(run.metrics.len, 2 * 2 + 3 * 4);
	ck_assert_uint_eq(run.sections.data[0].line, 2);
	ck_assert_uint_eq(run.sections.data[1].line, 13);
	ck_assert_uint_eq(run.diags.list.len, 0);
	mlv_run_fini(&run);
}
END_TEST

/* A box that a second one follows without its end: its last rows may be missing. */
START_TEST(summary_damage)
{
	const char *pool = strstr(box, "|       from large pool |       4");
	char text[2 * sizeof(box)];
	snprintf(text, sizeof(text), "%.*s", (int)(pool - box) + 20, box);
	ck_assert_int_eq(read_text(text), MLV_OK);
	ck_assert(has_diag("memory-summary-cut"));
	mlv_run_fini(&run);
	/* Pools of a counter that was lost are not those of the counter before it. */
	const char *counter = strstr(box, "| Allocations ");
	snprintf(text, sizeof(text), "%.*s%s", (int)(counter - box), box,
		 strchr(counter, '\n') + 1);
	ck_assert_int_eq(read_text(text), MLV_OK);
	ck_assert(has_diag("memory-summary-pool"));
	ck_assert_uint_eq(run.metrics.len, 2 + 4 * 4);
	mlv_run_fini(&run);
	/* Without the bars at its edges. */
	snprintf(text, sizeof(text), "%s", box);
	for (char *p = text; *p; p++) {
		if (p[0] == '|' && p > text && p[-1] == '\n' && p[1] == ' ')
			p[0] = ' ';
	}
	ck_assert_int_eq(read_text(text), MLV_OK);
	ck_assert_uint_eq(run.metrics.len, 2 + 6 * 4);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(no_summaries)
{
	static const char *const texts[] = {
		"PyTorch CUDA memory summary, device ID 0\n",
		"| Metric | Value |\n|---|---|\n| Allocated memory | 12 MB |\n",
		"| Allocated memory      | 607814 KiB |   1061 MiB |   2486 MiB |      0 B   |\n",
		EDGE RULE EDGE,
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		ck_assert_int_eq(read_bytes(texts[i], strlen(texts[i]), "memory-summary", 0),
				 MLV_E_FORMAT);
		mlv_run_fini(&run);
	}
}
END_TEST

/* ------------------------------------------------------------------ memory_stats */

START_TEST(flat)
{
	ck_assert_int_eq(read_text("{\"active.all.current\": 79, \"active_bytes.all.peak\": "
				   "1112543232, \"num_ooms\": 0, \"max_split_size\": -1, "
				   "\"oversize_segments.freed\": 3}"),
			 MLV_OK);
	ck_assert_str_eq(run.format, "memory-stats");
	ck_assert_str_eq(metric_in("memory_stats", "active.all", "current"), "79");
	ck_assert_str_eq(metric_in("memory_stats", "active_bytes.all", "peak"), "1112543232 B");
	ck_assert_str_eq(metric_in("memory_stats", "num_ooms", "count"), "0");
	ck_assert_str_eq(metric_in("memory_stats", "max_split_size", "size"), "-1");
	ck_assert_str_eq(metric_in("memory_stats", "oversize_segments", "freed"), "3");
	ck_assert_uint_eq(run.metrics.len, 5);
	ck_assert_uint_eq(run.properties.len, 0);
	ck_assert_uint_eq(run.sections.data[0].rows, 5);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(wrapped)
{
	ck_assert_int_eq(
		read_text("{\"torch\": \"2.11.0\", \"memory_stats\": "
			  "{\"allocated_bytes.all.peak\": 5}, \"device\": 3, \"ok\": true, "
			  "\"share\": 0.5, \"mem_get_info\": [126510301184, 150109880320]}"),
		MLV_OK);
	ck_assert_str_eq(metric_in("device 3", "allocated_bytes.all", "peak"), "5 B");
	ck_assert_uint_eq(run.metrics.len, 1);
	const struct mlv_property *p = mlv_run_property(&run, "memory-stats", "torch");
	ck_assert(p && is(p->text, "2.11.0"));
	p = mlv_run_property(&run, "memory-stats", "mem_get_info");
	ck_assert(p && is(p->text, "126510301184, 150109880320"));
	p = mlv_run_property(&run, "memory-stats", "share");
	ck_assert(p && is(p->text, "0.5"));
	p = mlv_run_property(&run, "memory-stats", "device");
	ck_assert(p && p->kind == MLV_PROP_INT && p->number == 3);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(many_devices)
{
	ck_assert_int_eq(read_text("{\"memory_stats\": {\"0\": {\"allocated_bytes.all.peak\": 5}, "
				   "\"cuda:1\": {\"allocated_bytes.all.peak\": 6}, "
				   "\"other\": {\"allocated_bytes.all.peak\": 7}}, "
				   "\"list\": [{\"allocated_bytes.all.peak\": 8}]}"),
			 MLV_OK);
	ck_assert_str_eq(metric_in("device 0", "allocated_bytes.all", "peak"), "5 B");
	ck_assert_str_eq(metric_in("device 1", "allocated_bytes.all", "peak"), "6 B");
	ck_assert_str_eq(metric_in("other", "allocated_bytes.all", "peak"), "7 B");
	ck_assert_str_eq(metric_in("list[0]", "allocated_bytes.all", "peak"), "8 B");
	ck_assert_uint_eq(run.sections.len, 4);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(nested)
{
	ck_assert_int_eq(
		read_text("{\"num_ooms\": 1, \"active\": {\"all\": {\"current\": 4}}, "
			  "\"allocated_bytes\": {\"all\": {\"current\": 1, \"freed\": 2}, "
			  "\"large_pool\": {\"freed\": 3}, \"small_pool\": {\"freed\": 4}}}"),
		MLV_OK);
	ck_assert_str_eq(metric_in("memory_stats", "allocated_bytes.all", "freed"), "2 B");
	ck_assert_str_eq(metric_in("memory_stats", "allocated_bytes.small_pool", "freed"), "4 B");
	ck_assert_str_eq(metric_in("memory_stats", "active.all", "current"), "4");
	ck_assert_str_eq(metric_in("memory_stats", "num_ooms", "count"), "1");
	ck_assert_uint_eq(run.metrics.len, 6);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(stats_damage)
{
	static const char text[] = "{\"active_bytes.all.peak\": 111, \"active_bytes.all.freed\": "
				   "null, \"active_bytes.all.current\": 1.5, \"x\": {\"y\": 1}}";
	ck_assert_int_eq(read_text(text), MLV_OK);
	ck_assert_uint_eq(run.metrics.len, 2);
	ck_assert(has_diag("memory-stats-value"));
	ck_assert_str_eq(metric_in("memory_stats", "active_bytes.all", "current"), "1.5 B");
	mlv_run_fini(&run);
	for (size_t cut = 0; cut < sizeof(text) - 1; cut++) {
		(void)read_bytes(text, cut, "memory-stats", 0);
		unit_check(run.metrics.len <= 2);
		unit_check(run.metrics.len == 0 || run.metrics.data[0].value.mantissa == 111);
		mlv_run_fini(&run);
	}
	static const char *const others[] = { "{}", "[]", "[[[[[[{\"a.peak\": 1}]]]]]]",
					      "{\"a\": 1}", "\x80\x04}." };
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		ck_assert_int_eq(read_bytes(others[i], strlen(others[i]), "memory-stats", 0),
				 MLV_E_FORMAT);
		mlv_run_fini(&run);
	}
}
END_TEST

/*
 * The box and the counters of one moment: each value of the box is the counter,
 * divided by its unit and rounded down.
 */
START_TEST(one_moment_twice)
{
	static const struct {
		const char *row, *counter;
	} rows[] = { { "Allocated memory", "allocated_bytes" },
		     { "Requested memory", "requested_bytes" },
		     { "GPU reserved memory", "reserved_bytes" },
		     { "Non-releasable memory", "inactive_split_bytes" },
		     { "Allocations", "allocation" },
		     { "GPU reserved segments", "segment" } };
	static const char *const columns[][2] = { { "Cur Usage", "current" },
						  { "Peak Usage", "peak" },
						  { "Tot Alloc", "allocated" },
						  { "Tot Freed", "freed" } };
	static const char *const pools[][2] = { { "", "all" },
						{ ", from large pool", "large_pool" },
						{ ", from small pool", "small_pool" } };
	static const char *const names[] = { "churn-native", "train-adamw", "streams", "empty" };
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		char file[128];
		size_t n, m;
		snprintf(file, sizeof(file), "snapshots/%s.stats.json", names[k]);
		char *json = unit_file("CORPUS", file, &n);
		snprintf(file, sizeof(file), "snapshots/%s.memory-summary.txt", names[k]);
		char *text = unit_file("CORPUS", file, &m);
		if (!json || !text)
			return;
		ck_assert_int_eq(read_bytes(json, n, NULL, 0), MLV_OK);
		ck_assert_uint_eq(run.metrics.len, 122);
		struct mlv_run stats = run;
		ck_assert_int_eq(read_bytes(text, m, NULL, 0), MLV_OK);
		ck_assert_uint_eq(run.metrics.len, 118);
		struct mlv_run summary_run = run;
		for (size_t i = 0; i < 6 * 4 * 3; i++) {
			char cell[80], counter[80];
			const char *const *column = columns[i / 3 % 4], *const *pool = pools[i % 3];
			snprintf(cell, sizeof(cell), "%s%s", rows[i / 12].row, pool[0]);
			snprintf(counter, sizeof(counter), "%s.%s", rows[i / 12].counter, pool[1]);
			run = summary_run;
			const char *printed = metric(cell, column[0]);
			run = stats;
			long long exact = strtoll(metric(counter, column[1]), NULL, 10);
			char *unit;
			long long value = strtoll(printed, &unit, 10);
			long long factor = strstr(unit, "KiB")   ? 1LL << 10
					   : strstr(unit, "MiB") ? 1LL << 20
					   : strstr(unit, "GiB") ? 1LL << 30
								 : 1;
			unit_check(exact / factor == value);
		}
		mlv_run_fini(&summary_run);
		mlv_run_fini(&stats);
		free(json);
		free(text);
	}
}
END_TEST

UNIT_MAIN("memory_tables", summary, summary_spoiled, two_devices_in_a_log, summary_damage,
	  no_summaries, flat, wrapped, many_devices, nested, stats_damage, one_moment_twice)
