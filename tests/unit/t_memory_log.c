/* SPDX-License-Identifier: MIT */
/* Memory in the logs of training frameworks. */
#include "tables_text.h"

START_TEST(test_logger)
{
	struct tables t;
	tables_of(&t,
		  "[2024-09-15 00:13:20,454] [INFO] [stage_1_and_2.py:151:__init__] Round robin\n"
		  "[2024-09-15 00:13:21,213] [INFO] [utils.py:781:see_memory_usage] Before init\n"
		  "[2024-09-15 00:13:21,214] [INFO] [utils.py:782:see_memory_usage] MA 0.36 GB     "
		  "    Max_MA 0.42 GB         CA 0.42 GB         Max_CA 0 GB \n"
		  "[2024-09-15 00:13:21,214] [INFO] [utils.py:789:see_memory_usage] CPU Virtual "
		  "Memory:  used = 81.76 GB, percent = 8.1%\n"
		  "[2024-09-15 00:13:21,307] [INFO] [utils.py:781:see_memory_usage] After init\n"
		  "[2024-09-15 00:13:21,307] [INFO] [utils.py:782:see_memory_usage] MA 1.36 GB     "
		  "    Max_MA 1.48 GB         CA 1.54 GB         Max_CA 2 GB \n");
	ck_assert_str_eq(t.run.format, "memory-log");
	ck_assert_str_eq(tables_samples(&t), "- | 0 | Before init | allocated | 0.36 GiB\n"
					     "- | 0 | Before init | max allocated | 0.42 GiB\n"
					     "- | 0 | Before init | reserved | 0.42 GiB\n"
					     "- | 0 | Before init | max reserved | 0 GiB\n"
					     "- | 0 | Before init | host used | 81.76 GiB\n"
					     "- | 0 | Before init | host used percent | 8.1 %\n"
					     "- | 1 | After init | allocated | 1.36 GiB\n"
					     "- | 1 | After init | max allocated | 1.48 GiB\n"
					     "- | 1 | After init | reserved | 1.54 GiB\n"
					     "- | 1 | After init | max reserved | 2 GiB\n");
	ck_assert_str_eq(tables_sections(&t), "memory-log 3-6 rank -1, 10 rows: \n");
	tables_fini(&t);
}
END_TEST

#define LINE "MA 1.08 GB         Max_MA 1.17 GB         CA 1.17 GB         Max_CA 1 GB \n"

/* Whatever a logger writes before a line, it writes before the message too. */
START_TEST(test_prefixes)
{
	static const char *const prefixes[][2] = {
		{ "", "" },
		{ "node-10: [2023-09-01 14:25:32,566] [INFO] [utils.py:827:see_memory_usage] ",
		  "node-10: [2023-09-01 14:25:33,1] [INFO] [utils.py:828:see_memory_usage] " },
		{ "    # [INFO] ", "    # [INFO] " },
		{ "INFO:DeepSpeed:", "INFO:DeepSpeed:" },
		{ "2024-01-01 00:00:09 | INFO | m:see_memory_usage:9 - ",
		  "2024-01-01 00:00:10 | INFO | m:see_memory_usage:10 - " },
	};
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		struct tables t;
		char text[1024];
		snprintf(text, sizeof(text), "%sthe message\n%s" LINE, prefixes[i][0],
			 prefixes[i][1]);
		tables_of(&t, text);
		ck_assert_str_eq(tables_samples(&t),
				 "- | 0 | the message | allocated | 1.08 GiB\n"
				 "- | 0 | the message | max allocated | 1.17 GiB\n"
				 "- | 0 | the message | reserved | 1.17 GiB\n"
				 "- | 0 | the message | max reserved | 1 GiB\n");
		tables_fini(&t);
	}
}
END_TEST

/* A report that lost its message takes nobody else's. */
START_TEST(test_message_lost)
{
	struct tables t;
	tables_of(&t, "first\n" LINE LINE "[1] [INFO] [utils.py:1:see_memory_usage] " LINE);
	ck_assert_str_eq(tables_str(&t, t.run.samples.data[0].phase), "first");
	ck_assert_str_eq(tables_str(&t, t.run.samples.data[4].phase), "");
	ck_assert_str_eq(tables_str(&t, t.run.samples.data[8].phase), "");
	ck_assert_int_eq(t.run.samples.data[8].step, 2);
	tables_fini(&t);
}
END_TEST

START_TEST(test_wide)
{
	struct tables t;
	tables_of(&t,
		  "[0] mp: before fwd\n[1] mp: before fwd\n"
		  "[1] mp: MA 1.10 GiB | Max_MA 1.87 GiB | CA 1.94 GiB | Max_CA 1.95 GiB | NV 2.55 "
		  "GiB | CPU mem: proc 0.94 GiB / node 3.86 GiB (0.8%)\n"
		  "[0] mp: MA 0.10 GiB | Max_MA 0.87 GiB | CA 0.94 GiB | Max_CA 0.95 GiB | NV 1.55 "
		  "GiB | CPU Virtual Memory:  used = 8.08 GB, percent = 8.1%\n"
		  "[0] mp: after fwd\n"
		  "[0] mp: MA 0.20 GiB | Max_MA 0.87 GiB | CA 0.94 GiB | Max_CA 0.95 GiB\n");
	ck_assert_str_eq(tables_samples(&t), "rank 1 | 0 | before fwd | allocated | 1.10 GiB\n"
					     "rank 1 | 0 | before fwd | max allocated | 1.87 GiB\n"
					     "rank 1 | 0 | before fwd | reserved | 1.94 GiB\n"
					     "rank 1 | 0 | before fwd | max reserved | 1.95 GiB\n"
					     "rank 1 | 0 | before fwd | device used | 2.55 GiB\n"
					     "rank 1 | 0 | before fwd | process host | 0.94 GiB\n"
					     "rank 1 | 0 | before fwd | host used | 3.86 GiB\n"
					     "rank 1 | 0 | before fwd | host used percent | 0.8 %\n"
					     "rank 0 | 0 | before fwd | allocated | 0.10 GiB\n"
					     "rank 0 | 0 | before fwd | max allocated | 0.87 GiB\n"
					     "rank 0 | 0 | before fwd | reserved | 0.94 GiB\n"
					     "rank 0 | 0 | before fwd | max reserved | 0.95 GiB\n"
					     "rank 0 | 0 | before fwd | device used | 1.55 GiB\n"
					     "rank 0 | 0 | before fwd | host used | 8.08 GiB\n"
					     "rank 0 | 0 | before fwd | host used percent | 8.1 %\n"
					     "rank 0 | 1 | after fwd | allocated | 0.20 GiB\n"
					     "rank 0 | 1 | after fwd | max allocated | 0.87 GiB\n"
					     "rank 0 | 1 | after fwd | reserved | 0.94 GiB\n"
					     "rank 0 | 1 | after fwd | max reserved | 0.95 GiB\n");
	ck_assert_str_eq(tables_sections(&t), "memory-log 3-3 rank 1, 8 rows: \n"
					      "memory-log 4-6 rank 0, 11 rows: \n");
	tables_fini(&t);
}
END_TEST

START_TEST(test_status)
{
	struct tables t;
	tables_of(&t,
		  "RANK=3 MEMSTATS after step device=cuda:3 current alloc=1.2345GB "
		  "(delta=-0.5000GB max=2.0000GB) current cache=3.0000GB (delta=0.2500GB "
		  "max=3.5000GB)\n"
		  "x RANK=3 STAGE=1 STEP=40 MEMSTATS fwd current alloc=1.0000MB (delta=0.5000MB "
		  "max=2.0000MB) current cache=3.0000MB (delta=0.2500MB max=3.5000MB)\n");
	ck_assert_str_eq(tables_samples(&t),
			 "rank 3 | 0 | after step | allocated | 1.2345 GiB\n"
			 "rank 3 | 0 | after step | allocated delta | -0.5000 GiB\n"
			 "rank 3 | 0 | after step | max allocated | 2.0000 GiB\n"
			 "rank 3 | 0 | after step | reserved | 3.0000 GiB\n"
			 "rank 3 | 0 | after step | reserved delta | 0.2500 GiB\n"
			 "rank 3 | 0 | after step | max reserved | 3.5000 GiB\n"
			 "rank 3 | 40 | fwd | allocated | 1.0000 MiB\n"
			 "rank 3 | 40 | fwd | allocated delta | 0.5000 MiB\n"
			 "rank 3 | 40 | fwd | max allocated | 2.0000 MiB\n"
			 "rank 3 | 40 | fwd | reserved | 3.0000 MiB\n"
			 "rank 3 | 40 | fwd | reserved delta | 0.2500 MiB\n"
			 "rank 3 | 40 | fwd | max reserved | 3.5000 MiB\n");
	tables_fini(&t);
}
END_TEST

START_TEST(test_megatron)
{
	struct tables t;
	tables_of(&t,
		  "[Rank 0] (after 100 iterations) memory (MB) | allocated: 2712.5478515625 | max "
		  "allocated: 10595.82275390625 | reserved: 12906.0 | max reserved: 12906.0\n"
		  "[default1]:[Rank 5] (after 2 iterations) memory (MB) | allocated: 999.53 | max "
		  "allocated: 999.56 | cached: 1126.0 | max cached: 1127.0\n"
		  "[Rank 0] setup memory (MB) | allocated: 1.00 | max allocated: 2.00 | reserved: "
		  "3.00 | max reserved: 4.00 | total device memory used: 5.50 | nccl memory (MB): "
		  "total: 6.00 | something new: 7\n");
	ck_assert_str_eq(
		tables_samples(&t),
		"rank 0 | 100 | (after 100 iterations) | allocated | 2712.5478515625 MiB\n"
		"rank 0 | 100 | (after 100 iterations) | max allocated | 10595.82275390625 MiB\n"
		"rank 0 | 100 | (after 100 iterations) | reserved | 12906.0 MiB\n"
		"rank 0 | 100 | (after 100 iterations) | max reserved | 12906.0 MiB\n"
		"rank 5 | 2 | (after 2 iterations) | allocated | 999.53 MiB\n"
		"rank 5 | 2 | (after 2 iterations) | max allocated | 999.56 MiB\n"
		"rank 5 | 2 | (after 2 iterations) | reserved | 1126.0 MiB\n"
		"rank 5 | 2 | (after 2 iterations) | max reserved | 1127.0 MiB\n"
		"rank 0 | 1 | setup | allocated | 1.00 MiB\n"
		"rank 0 | 1 | setup | max allocated | 2.00 MiB\n"
		"rank 0 | 1 | setup | reserved | 3.00 MiB\n"
		"rank 0 | 1 | setup | max reserved | 4.00 MiB\n"
		"rank 0 | 1 | setup | device used | 5.50 MiB\n"
		"rank 0 | 1 | setup | nccl | 6.00 MiB\n");
	tables_fini(&t);
}
END_TEST

START_TEST(test_2020)
{
	struct tables t;
	tables_of(&t, "[2020-09-01 10:00:00,1] [INFO] [utils.py:399:see_memory_usage] begin\n"
		      "[2020-09-01 10:00:00,1] [INFO] [utils.py:402:see_memory_usage] Memory "
		      "Allocated 1.5 GigaBytes \n"
		      "[2020-09-01 10:00:00,1] [INFO] [utils.py:406:see_memory_usage] Max Memory "
		      "Allocated 2.5 GigaBytes\n"
		      "[2020-09-01 10:00:00,1] [INFO] [utils.py:410:see_memory_usage] Cache "
		      "Allocated 3.5 GigaBytes\n"
		      "[2020-09-01 10:00:00,1] [INFO] [utils.py:414:see_memory_usage] Max cache "
		      "Allocated 4.5 GigaBytes\n"
		      "end\nMemory Allocated  0.25 GigaBytes\nMax Memory Allocated  1e-05 "
		      "GigaBytes\n");
	ck_assert_str_eq(tables_samples(&t), "- | 0 | begin | allocated | 1.5 GiB\n"
					     "- | 0 | begin | max allocated | 2.5 GiB\n"
					     "- | 0 | begin | reserved | 3.5 GiB\n"
					     "- | 0 | begin | max reserved | 4.5 GiB\n"
					     "- | 1 | end | allocated | 0.25 GiB\n"
					     "- | 1 | end | max allocated | 0.00001 GiB\n");
	tables_fini(&t);
}
END_TEST

/* Words alone are no report. */
START_TEST(test_not_mine)
{
	static const char text[] = "MA and Max_MA are printed\nMax_MA 3\nMA 1 Max_MA 2\n"
				   "xMA 1 GB Max_MA 2 GB\nCPU Virtual Memory: unknown\n"
				   "memory (MB) | allocated: lots\nRANK=0 MEMSTATS none\n"
				   "Memory Allocated many GigaBytes\n[3] mp: hello\n";
	struct tables t;
	tables_read(&t, text, sizeof(text) - 1, 0, NULL, 0);
	ck_assert_int_eq(t.rc, MLV_E_FORMAT);
	tables_fini(&t);
}
END_TEST

/* All ranks at once, at a cost that grows with the lines and not their square. */
START_TEST(test_many_ranks)
{
	struct mlv_buf b = { 0 };
	struct tables t;
	for (int rank = 0; rank < 20000; rank++)
		mlv_buf_printf(&b, "[%d] mp: step %d\n", rank, rank % 7);
	for (int rank = 20000; rank-- > 0;)
		mlv_buf_printf(&b, "[%d] mp: MA 0.10 GiB | Max_MA 0.87 GiB\n", rank);
	tables_read(&t, b.data, b.len, 4096, NULL, 0);
	ck_assert_int_eq(t.rc, MLV_OK);
	ck_assert_uint_eq(t.run.samples.len, 40000);
	ck_assert_uint_eq(t.run.sections.len, 20000);
	const struct mlv_sample *s = &t.run.samples.data[2];
	ck_assert_int_eq(t.run.tracks.data[s->track.i].number, 19998);
	ck_assert_str_eq(tables_str(&t, s->phase), "step 6");
	tables_fini(&t);
	mlv_buf_fini(&b);
}
END_TEST

START_TEST(test_recorded)
{
	static const struct {
		const char *file;
		size_t samples;
		const char *first;
	} files[] = {
		{ "text/see-mem-usage-leak.txt", 128,
		  "rank 0 | 0 | before fwd | allocated | 0.50" },
		{ "run-base/train-rank2.log", 128, "rank 2 | 0 | before fwd | allocated | 0.10" },
		{ "run-regressed/train-rank3.log", 128,
		  "rank 3 | 0 | before fwd | allocated | 0.10" },
	};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct tables t;
		size_t n;
		char *text = unit_file("CORPUS", files[i].file, &n);
		if (!text)
			return;
		tables_of(&t, text);
		ck_assert_uint_eq(t.run.samples.len, files[i].samples);
		ck_assert(strncmp(tables_samples(&t), files[i].first, strlen(files[i].first)) == 0);
		tables_fini(&t);
		tables_spoil(text, n, NULL);
		free(text);
	}
}
END_TEST

UNIT_MAIN("memory_log", test_logger, test_prefixes, test_message_lost, test_wide, test_status,
	  test_megatron, test_2020, test_not_mine, test_many_ranks, test_recorded)
