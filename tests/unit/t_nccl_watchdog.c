/* SPDX-License-Identifier: MIT */
/*
 * What the watchdog writes, of all versions and with all prefixes: each
 * statement once for each rank, with its numbers. The shapes were taken from
 * ProcessGroupNCCL.cpp and TraceUtils.h of PyTorch and from logs.
 */
#include "text_reading.h"

#define TIMEOUT "nccl-watchdog-timeout"
#define STATUS "nccl-watchdog-exception"
#define DESYNC "nccl-desync"
#define STACK "nccl-failed-collective"

static void read_log(struct reading *r, const char *text)
{
	reading_of(r, text, strlen(text), NULL);
	if (r->rc)
		ck_abort_msg("%s", r->err.msg);
}

/* One statement on one line: its code, rank and one attribute. */
static void check_line(const char *line, const char *code, int64_t rank, const char *text,
		       const char *key, const char *value)
{
	struct reading r;
	read_log(&r, line);
	ck_assert_uint_eq(r.run.findings.len, 1);
	const struct mlv_finding *f = reading_finding(&r, code, 0);
	ck_assert_int_eq(f->rank, rank);
	if (text)
		ck_assert_str_eq(reading_str(&r, f->text), text);
	if (key)
		ck_attr(&r, f, key, value);
	ck_attr(&r, f, "count", "1");
	reading_fini(&r);
}

#define WORK(n)                                                                                    \
	"Watchdog caught collective operation timeout: WorkNCCL(SeqNum=" n                         \
	", OpType=ALLREDUCE, NumelIn=4, NumelOut=8, Timeout(ms)=8000) ran for 8057 milliseconds "  \
	"before timing out."

START_TEST(timeouts_of_all_versions)
{
	static const char *const prefixes[] = {
		"[rank7]:[E1218 20:27:21.426415540 ProcessGroupNCCL.cpp:629] [Rank 7] ",
		"[default1]:[rank7]:[E1129 18:34:14.479404209 ProcessGroupNCCL.cpp:689] [Rank 1] ",
		"[E ProcessGroupNCCL.cpp:563] [Rank 7] ",
		"    [E ProcessGroupNCCL.cpp:821] [Rank 7] ",
		"(RayWorkerWrapper pid=12, ip=1.2.3.4) [rank7]:[E321 02:07:08.4 P.cpp:6] [Rank 3] ",
		"[80746] [rank7]:[E321 02:07:08.408271257 ProcessGroupNCCL.cpp:607] [Rank 2] ",
		"[PG 0 (default_pg) Rank 7] ",
		"[PG ID 0 PG GUID 0(default_pg) Rank 7] ",
		"RuntimeError: [Rank 7] ",
		"\033[36m(W pid=1)\033[0m [rank7]: [Rank 7] ",
		"7: [Rank 7] ",
	};
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		char line[1024];
		struct reading r;
		snprintf(line, sizeof(line), "%s" WORK("3") "\n", prefixes[i]);
		read_log(&r, line);
		ck_assert_uint_eq(r.run.findings.len, 1);
		const struct mlv_finding *f = reading_finding(&r, TIMEOUT, 0);
		if (f->rank != 7)
			ck_abort_msg("prefix %zu: rank %lld", i, (long long)f->rank);
		ck_assert_str_eq(reading_str(&r, f->text), WORK("3"));
		ck_attr(&r, f, "seq", "3");
		ck_attr(&r, f, "op", "ALLREDUCE");
		ck_attr(&r, f, "numel_in", "4");
		ck_attr(&r, f, "numel_out", "8");
		ck_attr(&r, f, "timeout_ms", "8000");
		ck_attr(&r, f, "ran_ms", "8057");
		unit_check(f->severity == MLV_FINDING_ERROR && f->line == 1);
		ck_assert_str_eq(r.run.format, "nccl-watchdog");
		reading_fini(&r);
	}
	check_line("[Rank 2] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1, "
		   "OpType=ALLGATHER, Timeout(ms)=1800000) ran for 1808213 milliseconds before "
		   "timing out.\n",
		   TIMEOUT, 2, NULL, "ran_ms", "1808213");
	check_line("[E x.cpp:1] [Rank 2] Watchdog caught collective operation timeout: WorkNCCL("
		   "OpType=ALLREDUCE, TensorShape=[3, 4], Timeout(ms)=1800000) ran for 1808499 "
		   "milliseconds before timing out.\n",
		   TIMEOUT, 2, NULL, "tensor_shape", "[3, 4]");
	check_line("Watchdog caught collective operation timeout: WorkHCCL(SeqNum=49, OpType="
		   "_ALLGATHER_BASE, Timeout(ms)=18000000) ran for 18005607 milliseconds before "
		   "timing out.\n",
		   TIMEOUT, -1, NULL, "op", "_ALLGATHER_BASE");
}
END_TEST

START_TEST(whose_group_it_is)
{
	struct reading r;
	read_log(&r,
		 "[rank9]:[E1129 18:34:14.480475188 ProcessGroupNCCL.cpp:2303] [PG ID 2 PG GUID "
		 "17(mesh_tp) Rank 1]  failure detected by watchdog at work sequence id: 4 PG "
		 "status: last enqueued work: 5, last completed work: 3\n");
	const struct mlv_finding *f = reading_finding(&r, STATUS, 0);
	ck_assert_int_eq(f->rank, 9);
	ck_attr(&r, f, "group_rank", "1");
	ck_attr(&r, f, "pg_id", "2");
	ck_attr(&r, f, "process_group", "17");
	ck_attr(&r, f, "group_description", "mesh_tp");
	ck_attr(&r, f, "logged_at", "1129 18:34:14.480475188");
	reading_fini(&r);
	check_line("[PG 3 Rank 5] Timeout at NCCL work: 31, last enqueued NCCL work: 58, last "
		   "completed NCCL work: 30.\n",
		   STATUS, 5, NULL, "process_group", "3");
}
END_TEST

#define OLD ", last enqueued NCCL work: 58, last completed NCCL work: 30.\n"
#define EXCEPTION                                                                                  \
	"[PG 1 Rank 0] Exception (either an error or timeout) detected by watchdog at work"
#define NEW                                                                                        \
	"[PG ID 0 PG GUID 0(default_pg) Rank 0]  failure detected by watchdog at work sequence "   \
	"id: 31 PG status: "

START_TEST(status_of_all_versions)
{
	static const char *const lines[] = {
		"[PG 0 Rank 0] Timeout at NCCL work: 31" OLD,
		EXCEPTION ": 31" OLD,
		NEW "last enqueued work: 58, last completed work: 30\n",
		NEW "last enqueued work: 58, last started work: -1, last completed work: 30\n",
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct reading r;
		read_log(&r, lines[i]);
		const struct mlv_finding *f = reading_finding(&r, STATUS, 0);
		ck_assert_int_eq(f->rank, 0);
		ck_attr(&r, f, "seq", "31");
		ck_attr(&r, f, "last_enqueued", "58");
		ck_attr(&r, f, "last_completed", "30");
		ck_attr(&r, f, "last_started", i == 3 ? "-1" : "");
		reading_fini(&r);
	}
}
END_TEST

START_TEST(other_statements)
{
	check_line("[rank1]:[I1 00:00:00.1 D.cpp:1] Finished writing NCCLPG debug info to "
		   "/tmp/nccl_trace_rank_1\n",
		   "nccl-flight-recorder-written", 1, NULL, "path", "/tmp/nccl_trace_rank_1");
	check_line("[I D.cpp:1] Finished writing Comm lib debug info to /tmp/a b_1\n",
		   "nccl-flight-recorder-written", -1, NULL, "path", "/tmp/a b_1");
	check_line(
		"[rank0]:[E x.cpp:1] [PG ID 0 PG GUID 0 Rank 0]  remote error detected from rank: "
		"3\n",
		"nccl-remote-error", 0, "remote error detected from rank: 3", "remote_rank", "3");
	check_line(
		"[rank25]:[F ProcessGroupNCCL.cpp:1169] [PG 0 Rank 25] [PG 0 Rank 25] "
		"ProcessGroupNCCL's watchdog got stuck for 600 seconds without making progress in "
		"monitoring enqueued collectives. This typically indicates a hang. "
		"workMetaList_.size() = 2\n",
		"nccl-watchdog-stuck", 25,
		"ProcessGroupNCCL's watchdog got stuck for 600 seconds without making progress in "
		"monitoring enqueued collectives.",
		"stuck_s", "600");
	check_line(
		"[rank25]:[E P.cpp:1316] [PG 0 Rank 25] Heartbeat monitor timed out! Process will "
		"be terminated after dumping debug info. workMetaList_.size()=2\n",
		"nccl-heartbeat-timeout", 25, NULL, "work_list", "2");
	check_line(
		"[rank0]:[E P.cpp:1] [PG ID 0 PG GUID 0(default_pg) Rank 0] Received a dump signal "
		"due to a collective timeout from  rank 3 and we will try our best to dump the "
		"debug info. Last enqueued NCCL work: 5, last completed NCCL work: 3.This is "
		"most\n",
		"nccl-dump-signal", 0,
		"Received a dump signal due to a collective timeout from  rank 3 and we will try "
		"our best to dump the debug info.",
		"source_rank", "3");
	check_line("[rank1]:[E P.cpp:1] [PG 0 Rank 1] First PG on this rank to signal dumping.\n",
		   "nccl-first-to-dump", 1, NULL, NULL, NULL);
	check_line(
		"[rank1]:[E P.cpp:1] [PG 0 Rank 1] ProcessGroupNCCL preparing to dump debug info. "
		"Include stack trace: 1, only active collectives: 0\n",
		"nccl-dumping", 1, NULL, "stack_trace", "1");
	check_line("[rank1]:[E P.cpp:1] [PG 0 Rank 1] Future for Flight recorder dump in "
		   "heartbeatMonitor timed out after 3000 ms\n",
		   "nccl-flight-recorder-failed", 1, NULL, "timeout_ms", "3000");
	check_line("[rank1]:[E P.cpp:1] [Rank 1] Some NCCL operations have failed or timed out. "
		   "Due to "
		   "the asynchronous nature of CUDA kernels, subsequent GPU operations\n",
		   "nccl-operations-failed", 1, "Some NCCL operations have failed or timed out.",
		   NULL, NULL);
	check_line("[Rank 1] To avoid data inconsistency, we are taking the entire process down.\n",
		   "nccl-process-down", 1, NULL, NULL, NULL);
	check_line(
		"[rank2]:[E P.cpp:1] Stack trace of the failed collective not found, potentially "
		"because FlightRecorder is disabled. You can enable it by setting\n",
		"nccl-no-stack", 2, NULL, NULL, NULL);
	check_line("RuntimeError: NCCL communicator was aborted on rank 2.\n",
		   "nccl-communicator-aborted", 2, "NCCL communicator was aborted on rank 2.",
		   "aborted_rank", "2");
}
END_TEST

START_TEST(end_by_an_error_of_the_device)
{
	struct reading r;
	read_log(&r,
		 "[PG ID 0 PG GUID 0(default_pg) Rank 4] Process group watchdog thread terminated "
		 "with exception: CUDA error: an illegal memory access was encountered\n");
	/* The end of the watchdog and the error that ended it are two findings. */
	ck_assert_uint_eq(r.run.findings.len, 2);
	const struct mlv_finding *f = reading_finding(&r, "nccl-watchdog-terminated", 0);
	ck_assert_int_eq(f->rank, 4);
	ck_assert_str_eq(reading_str(&r, f->text),
			 "Process group watchdog thread terminated with exception: CUDA error: an "
			 "illegal memory access was encountered");
	ck_attr(&r, f, "process_group", "0");
	f = reading_finding(&r, "cuda-error", 0);
	ck_attr(&r, f, "error", "an illegal memory access was encountered");
	reading_fini(&r);
}
END_TEST

START_TEST(mismatch_of_the_wrapper)
{
	struct reading r;
	read_log(&r,
		 "RuntimeError: Detected mismatch between collectives on ranks. Rank 1 is running "
		 "collective: CollectiveFingerPrint(SequenceNumber=101, OpType=ALLGATHER, "
		 "TensorShape=[1, 2], TensorDtypes=Long, TensorDeviceTypes=X(a=(nullopt))), but "
		 "Rank 7 is running collective: CollectiveFingerPrint(SequenceNumber=0OpType="
		 "REDUCE).Collectives differ in the following aspects: \n");
	const struct mlv_finding *f = reading_finding(&r, "nccl-collective-mismatch", 0);
	ck_assert_int_eq(f->rank, 1);
	ck_attr(&r, f, "seq", "101");
	ck_attr(&r, f, "op", "ALLGATHER");
	ck_attr(&r, f, "shape", "[1, 2]");
	ck_attr(&r, f, "dtypes", "Long");
	ck_attr(&r, f, "other_rank", "7");
	ck_attr(&r, f, "other_seq", "0");
	ck_attr(&r, f, "other_op", "REDUCE");
	ck_attr(&r, f, "other_shape", "");
	reading_fini(&r);
}
END_TEST

START_TEST(what_is_repeated_is_told_once)
{
	struct reading r;
	read_log(
		&r,
		"[rank1]:[E1129 18:34:14.4 P.cpp:689] [Rank 1] " WORK(
			"4") "\n"
			     "[rank1]:[E1129 18:34:30.9 P.cpp:2119] [PG ID 0 PG GUID 0(default_pg) "
			     "Rank 1] Process "
			     "group watchdog thread terminated with exception: [Rank 1] " WORK(
				     "4") "\n"
					  "[rank1]:  what():  [PG ID 0 PG GUID 0(default_pg) Rank "
					  "1] Process group watchdog "
					  "thread terminated with exception: [Rank 1] " WORK(
						  "4") "\n"
						       "[rank1]:[E1129 18:34:31.0 P.cpp:689] [Rank "
						       "1] " WORK("5") "\n"
								       "[rank2]:[E1129 18:34:31.0 "
								       "P.cpp:689] [Rank 2] " WORK(
									       "4") "\n");
	ck_assert_uint_eq(r.run.findings.len, 3);
	ck_attr(&r, reading_finding(&r, TIMEOUT, 0), "count", "3");
	ck_attr(&r, reading_finding(&r, TIMEOUT, 1), "count", "1");
	ck_assert_int_eq(reading_finding(&r, TIMEOUT, 2)->rank, 2);
	ck_assert_uint_eq(r.run.sections.len, 2);
	unit_check(r.run.sections.data[0].line == 1 && r.run.sections.data[0].last_line == 4);
	unit_check(r.run.sections.data[0].rows == 2 && r.run.sections.data[0].rank == 1);
	reading_fini(&r);
	/* The same numbers of another group are another statement. */
	read_log(&r,
		 "[rank1]:[E P.cpp:1] [PG ID 0 PG GUID 0 Rank 1]  failure detected by watchdog at "
		 "work sequence id: 4 PG status: last enqueued work: 5, last completed work: 3\n"
		 "[rank1]:[E P.cpp:1] [PG ID 1 PG GUID 7 Rank 1]  failure detected by watchdog at "
		 "work sequence id: 4 PG status: last enqueued work: 5, last completed work: 3\n");
	ck_assert_uint_eq(reading_count(&r, STATUS), 2);
	reading_fini(&r);
}
END_TEST

START_TEST(desync_reports)
{
	struct reading r;
	read_log(&r, "[default0]:[rank8]:[E1129 18:29:11.4 P.cpp:2495] [Rank 0] " WORK(
			     "16") "\n"
				   "[default0]:\t - [0] Timeout at collective: BROADCAST, #21\n"
				   "[default0]:\t - To our best knowledge, the "
				   "lagging/dead/mismatched ranks that "
				   "caused the desync are:\n"
				   "[default0]:\t   - [3] joined but didn't finish collective #15 "
				   "(count from 1)\n"
				   "[default0]:\t     [1, 2] finished collective #15, but didn't "
				   "join collective #16 "
				   "(count from 1)\n"
				   "[default0]:\t - Snapshot of ranks' latest states:\n"
				   "[default0]:\t   #15 finished ranks:\n"
				   "[default0]:\t     [1, 2] finished BROADCAST\n"
				   "[default0]:\t   #21 started ranks:\n"
				   "[default0]:\t     [0] started BROADCAST\n"
				   "[default0]:something else\n");
	const struct mlv_finding *f = reading_finding(&r, DESYNC, 0);
	ck_assert_int_eq(f->rank, 8);
	unit_check(f->line == 2 && f->last_line == 10);
	ck_assert_str_eq(
		reading_str(&r, f->text),
		"[3] joined but didn't finish collective #15; [1, 2] finished collective #15, "
		"but didn't join collective #16");
	ck_attr(&r, f, "seq", "21");
	ck_attr(&r, f, "op", "BROADCAST");
	ck_attr(&r, f, "lag_seq", "15");
	ck_attr(&r, f, "lagging_ranks", "3,1,2");
	ck_attr(&r, f, "unfinished_ranks", "3");
	ck_attr(&r, f, "unjoined_ranks", "1,2");
	ck_attr(&r, f, "never_joined_ranks", "");
	ck_attr(&r, f, "snapshot", "#15 [1, 2] finished BROADCAST; #21 [0] started BROADCAST");
	reading_fini(&r);
	read_log(&r, "\t - [2] Timeout at collective: ALLREDUCE, #1\n"
		     "\t - To our best knowledge, ranks [47, 48] are the lagging ranks that caused "
		     "this timeout. They never joined any collectives\n");
	f = reading_finding(&r, DESYNC, 0);
	ck_assert_int_eq(f->rank, 2);
	ck_attr(&r, f, "lagging_ranks", "47,48");
	ck_attr(&r, f, "never_joined_ranks", "47,48");
	reading_fini(&r);
	/* Without a verdict, and two in a row. */
	read_log(&r, " - [0] Timeout at collective: ALLREDUCE, #3\n - [1] Timeout at collective: "
		     "ALLREDUCE, #3\n");
	ck_assert_uint_eq(reading_count(&r, DESYNC), 2);
	ck_assert_str_eq(reading_str(&r, reading_finding(&r, DESYNC, 1)->text),
			 "a collective timed out");
	reading_fini(&r);
}
END_TEST

START_TEST(stack_of_the_failed_collective)
{
	/* As one process writes it: the frames have no prefix. */
	struct reading r;
	read_log(&r, "[rank3]:[E1129 18:34:14.4 P.cpp:689] [Rank 3] " WORK(
			     "4") "\n"
				  "[rank3]:[E1129 18:34:18.5 P.cpp:733] Stack trace of the failed "
				  "collective: \n"
				  "#0 all_reduce from /lib/distributed_c10d.py:3068\n"
				  "#1 c10d::f(at::Tensor&, int) from ??:0\n"
				  "#2 <module> from /a from b/train.py:33\n"
				  "\n"
				  "#0 nobody from x.py:1\n");
	const struct mlv_finding *f = reading_finding(&r, STACK, 0);
	ck_assert_int_eq(f->rank, 3);
	unit_check(f->line == 2 && f->last_line == 5);
	ck_assert_str_eq(
		reading_stack(&r, f->stack),
		"all_reduce /lib/distributed_c10d.py:3068; c10d::f(at::Tensor&, int) ??:0; "
		"<module> from /a b/train.py:33");
	/* It is that of the timeout. */
	unit_check(reading_finding(&r, TIMEOUT, 0)->stack.i == f->stack.i);
	reading_fini(&r);
	read_log(&r, "Stack trace of the failed collective: \n#2 buggy from c.py:8\n#3 m from "
		     "c.py:15\n");
	ck_assert_str_eq(reading_stack(&r, reading_finding(&r, STACK, 0)->stack),
			 "buggy c.py:8; m c.py:15");
	reading_fini(&r);
	/* Lines of two ranks, mixed. */
	read_log(&r, "[default1]:[rank1]:[E1 00:00:00.0 P.cpp:733] Stack trace of the failed "
		     "collective:\n"
		     "[default0]:[rank0]:[E1 00:00:00.0 P.cpp:733] Stack trace of the failed "
		     "collective:\n"
		     "[default1]:#0 a from one.py:1\n[default0]:#0 a from zero.py:1\n"
		     "[default1]:#1 b from one.py:2\n[default0]:#1 b from zero.py:2\n");
	ck_assert_str_eq(reading_stack(&r, reading_finding(&r, STACK, 0)->stack),
			 "a one.py:1; b one.py:2");
	ck_assert_str_eq(reading_stack(&r, reading_finding(&r, STACK, 1)->stack),
			 "a zero.py:1; b zero.py:2");
	reading_fini(&r);
}
END_TEST

START_TEST(ordinary_lines_are_not_claimed)
{
	static const char text[] =
		"#0 all_reduce from x.py:12\n"
		"- [0] Timeout at collective\n"
		"[0, 1] started ALLREDUCE\n"
		"Watchdog caught collective operation timeout: WorkNCCL was here\n"
		"we are using a watchdog for collectives; last enqueued work: none\n"
		"Timeout at work: soon, last enqueued work: 3\n"
		"Finished writing the report\n"
		"Finished writing debug info\n"
		"The ProcessGroupNCCL debug info is off\n"
		"remote error detected from rank: unknown\n"
		" - To our best knowledge, nobody knows\n";
	struct reading r;
	reading_of(&r, text, strlen(text), NULL);
	unit_check(r.rc == MLV_E_FORMAT && !r.run.findings.len);
	reading_fini(&r);
}
END_TEST

static const struct {
	const char *scenario;
	size_t timeouts, statuses, desyncs, stacks;
	const char *lagging; /* of the first desync report */
} recorded[] = {
	/* grep -c 'Rank [0-9]*\] Watchdog caught' (without "exception:" and "what()"), 'failure
	 * detected', 'Timeout at collective', 'failed collective: ' */
	{ "coalesced-2", 1, 1, 1, 1, "1" },
	{ "dead-rank-2", 1, 1, 1, 1, "1" },
	{ "dtype-2", 0, 0, 0, 0, "" },
	{ "extra-allreduce-2", 1, 1, 1, 1, "1" },
	{ "extra-allreduce-4", 1, 1, 1, 1, "1,2,3" },
	{ "healthy-4", 0, 0, 0, 0, "" },
	{ "op-type-2", 2, 2, 2, 2, "0,1" },
	{ "order-2", 2, 2, 2, 2, "0,1" },
	{ "size-2", 2, 2, 2, 2, "0,1" },
	{ "size-4", 4, 4, 4, 4, "0,1,2,3" },
	{ "subgroups-4", 4, 4, 4, 4, "0,1,2,3" },
};

START_TEST(recordings)
{
	for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++) {
		char path[256];
		size_t n = 0;
		struct reading r;
		snprintf(path, sizeof(path), "flight-recorder/%s/watchdog.log",
			 recorded[i].scenario);
		char *text = unit_file("CORPUS", path, &n);
		if (!text)
			continue;
		reading_of(&r, text, n, "nccl-watchdog");
		if (reading_count(&r, TIMEOUT) != recorded[i].timeouts ||
		    reading_count(&r, STATUS) != recorded[i].statuses ||
		    reading_count(&r, DESYNC) != recorded[i].desyncs ||
		    reading_count(&r, STACK) != recorded[i].stacks)
			ck_abort_msg("%s: %zu timeouts, %zu status, %zu desync, %zu stacks", path,
				     reading_count(&r, TIMEOUT), reading_count(&r, STATUS),
				     reading_count(&r, DESYNC), reading_count(&r, STACK));
		if (recorded[i].desyncs)
			ck_attr(&r, reading_finding(&r, DESYNC, 0), "lagging_ranks",
				recorded[i].lagging);
		for (size_t k = 0; k < recorded[i].stacks; k++) {
			const struct mlv_finding *f = reading_finding(&r, STACK, k);
			unit_check(strstr(reading_stack(&r, f->stack), "gen_fr.py:"));
		}
		reading_fini(&r);
		reading_spoiled(text, n, "nccl-watchdog");
		free(text);
	}
}
END_TEST

UNIT_MAIN("nccl_watchdog", timeouts_of_all_versions, whose_group_it_is, status_of_all_versions,
	  other_statements, end_by_an_error_of_the_device, mismatch_of_the_wrapper,
	  what_is_repeated_is_told_once, desync_reports, stack_of_the_failed_collective,
	  ordinary_lines_are_not_claimed, recordings)
