/* SPDX-License-Identifier: MIT */
/*
 * Flight-recorder dumps: entries become spans and groups, whatever wrote them;
 * what is missing, cut or absurd is said. The figures of recordings were taken
 * from them with Python's own unpickler.
 */
#include "parsers/distributed/fr_build.h"
#include "text_reading.h"

static void read_text(struct reading *r, const char *text)
{
	reading_of(r, text, strlen(text), NULL);
}

static void read_dump(struct reading *r, const char *text)
{
	read_text(r, text);
	if (r->rc)
		ck_abort_msg("%s", r->err.msg);
	ck_assert_uint_eq(r->run.sections.len, 1);
	ck_assert_str_eq(r->run.sections.data[0].format, "fr-dump");
}

static const char *span_attr(const struct reading *r, const struct mlv_span *s, const char *key)
{
	struct mlv_finding f = { .attrs = s->attrs };
	return reading_attr(r, &f, key);
}

#define ck_span(r, s, key, text) ck_assert_str_eq(span_attr(r, s, key), text)

static bool has_diag(const struct reading *r, const char *code)
{
	for (size_t i = 0; i < r->run.diags.list.len; i++) {
		if (strcmp(r->run.diags.list.data[i].code, code) == 0)
			return true;
	}
	return false;
}

/* ---- one entry, all its fields ---- */

#define ENTRY                                                                                      \
	"{\"frames\":[{\"name\":\"all_reduce\",\"filename\":\"c10d.py\",\"line\":3068},"           \
	"{\"name\":\"step\",\"filename\":\"train.py\",\"line\":33}],"                              \
	"\"record_id\":7,\"pg_id\":3,\"process_group\":[\"12\",\"mp\"],\"thread_name\":"           \
	"\"pt_autograd_0\",\"thread_id\":\"1\",\"collective_seq_id\":163,\"p2p_seq_id\":2,"        \
	"\"op_id\":164,\"profiling_name\":\"nccl:all_reduce\",\"time_created_ns\":"                \
	"1795977049555827035,\"duration_ms\":167.14154052734375,\"input_sizes\":[[4,5],[2]],"      \
	"\"input_dtypes\":[\"BFloat16\",\"Long\"],\"output_sizes\":[[4,5],[2]],"                   \
	"\"output_dtypes\":[\"BFloat16\",\"Long\"],\"state\":\"started\","                         \
	"\"time_discovered_started_ns\":1795977049784863420,"                                      \
	"\"time_discovered_completed_ns\":0,\"retired\":false,\"timeout_ms\":8000,"                \
	"\"is_p2p\":false}"

START_TEST(an_entry_is_a_span)
{
	struct reading r;
	read_dump(&r,
		  "{\"version\":\"2.10\",\"comm_lib_version\":\"2.28.9\",\"entries\":[" ENTRY "]}");
	ck_assert_uint_eq(r.run.spans.len, 1);
	const struct mlv_span *s = &r.run.spans.data[0];
	ck_assert_str_eq(reading_str(&r, s->name), "all_reduce");
	ck_assert_str_eq(reading_str(&r, s->category), "collective");
	ck_assert_str_eq(reading_str(&r, s->status), "started");
	ck_assert_int_eq(s->start_ns, INT64_C(1795977049555827035));
	/* Not discovered as completed, but its duration is known. */
	ck_assert_int_eq(s->end_ns, INT64_C(1795977049555827035) + 167141541);
	ck_assert_int_eq(s->bytes, 20 * 2 + 2 * 8);
	ck_assert_str_eq(reading_stack(&r, s->stack), "all_reduce c10d.py:3068; step train.py:33");
	ck_span(&r, s, "record_id", "7");
	ck_span(&r, s, "pg_id", "3");
	ck_span(&r, s, "collective_seq_id", "163");
	ck_span(&r, s, "p2p_seq_id", "2");
	ck_span(&r, s, "op_id", "164");
	ck_span(&r, s, "process_group", "12");
	ck_span(&r, s, "group_description", "mp");
	ck_span(&r, s, "backend", "nccl");
	ck_span(&r, s, "input_sizes", "[[4,5],[2]]");
	ck_span(&r, s, "output_sizes", "[[4,5],[2]]");
	ck_span(&r, s, "input_dtypes", "BFloat16,Long");
	ck_span(&r, s, "output_dtypes", "BFloat16,Long");
	ck_span(&r, s, "duration_ms", "167.14154052734375");
	ck_span(&r, s, "retired", "0");
	ck_span(&r, s, "timeout_ms", "8000");
	ck_span(&r, s, "is_p2p", "0");
	ck_span(&r, s, "thread_name", "pt_autograd_0");
	ck_span(&r, s, "time_created_ns", "1795977049555827035");
	ck_span(&r, s, "time_discovered_started_ns", "1795977049784863420");
	ck_span(&r, s, "time_discovered_completed_ns", "");
	const struct mlv_track *track = &r.run.tracks.data[s->track.i];
	unit_check(track->kind == MLV_TRACK_GROUP && track->number == 0);
	ck_assert_str_eq(reading_str(&r, track->name), "12");
	unit_check(r.run.tracks.data[track->parent.i].kind == MLV_TRACK_RANK);
	ck_assert_str_eq(
		reading_str(&r,
			    mlv_run_property(&r.run, "flight-recorder", "comm_lib_version")->text),
		"2.28.9");
	unit_check(!r.run.diags.list.len);
	reading_fini(&r);
}
END_TEST

/* ---- names, states, times ---- */

static void check_name(const char *full, const char *backend, const char *name,
		       const char *category)
{
	char text[512];
	struct reading r;
	snprintf(text, sizeof(text),
		 "{\"version\":\"2.4\",\"entries\":[{\"record_id\":1,\"profiling_name\":\"%s\"}]}",
		 full);
	read_dump(&r, text);
	const struct mlv_span *s = &r.run.spans.data[0];
	ck_assert_str_eq(reading_str(&r, s->name), name);
	ck_assert_str_eq(reading_str(&r, s->category), category);
	ck_span(&r, s, "backend", backend);
	unit_check(s->start_ns == MLV_NO_TIME && s->end_ns == MLV_NO_TIME && s->bytes == -1);
	unit_check(s->stack.i == MLV_STACK_NONE.i);
	reading_fini(&r);
}

START_TEST(names_have_a_back_end)
{
	check_name("nccl:send 0->3", "nccl", "send 0->3", "p2p");
	check_name("gloo:recv 3<-0", "gloo", "recv 3<-0", "p2p");
	check_name("xccl:_all_gather_base", "xccl", "_all_gather_base", "collective");
	check_name("hccl:all_reduce_barrier", "hccl", "all_reduce_barrier", "collective");
	check_name("ncclx:all_to_all", "ncclx", "all_to_all", "collective");
	check_name("nccl2:coalesced", "nccl2", "coalesced", "coalesced");
	check_name("nccl:ALLGATHER_coalesced", "nccl", "ALLGATHER_coalesced", "coalesced");
	check_name("nccl:_REDUCE_SCATTER_BASE_coalesced", "nccl", "_REDUCE_SCATTER_BASE_coalesced",
		   "coalesced");
	check_name("nccl:allreduce_coalesced", "nccl", "allreduce_coalesced", "collective");
	check_name("all_reduce", "", "all_reduce", "collective");
	check_name("nccl:", "", "nccl:", "collective");
	check_name("", "", "", "collective");
	check_name("c10d::work", "", "c10d::work", "collective");
}
END_TEST

static void check_times(const char *fields, int64_t start, int64_t end)
{
	char text[512];
	struct reading r;
	snprintf(text, sizeof(text),
		 "{\"version\":\"2.4\",\"entries\":[{\"record_id\":1,\"profiling_name\":\"x:y\",%s}"
		 "]}",
		 fields);
	read_dump(&r, text);
	ck_assert_int_eq(r.run.spans.data[0].start_ns, start);
	ck_assert_int_eq(r.run.spans.data[0].end_ns, end);
	reading_fini(&r);
}

START_TEST(times_are_what_is_known)
{
	check_times("\"time_created_ns\":5,\"time_discovered_completed_ns\":9,\"duration_ms\":1", 5,
		    9);
	check_times("\"time_created_ns\":5,\"time_discovered_completed_ns\":null", 5, MLV_NO_TIME);
	check_times("\"time_created_ns\":5,\"time_discovered_completed_ns\":0,\"duration_ms\":2", 5,
		    2000005);
	check_times("\"time_discovered_started_ns\":7", 7, MLV_NO_TIME);
	check_times("\"time_created_us\":7", 7000, MLV_NO_TIME);
	check_times("\"time_created_ns\":\"12\"", 12, MLV_NO_TIME);
	check_times("\"time_created_ns\":-3,\"duration_ms\":1e300", MLV_NO_TIME, MLV_NO_TIME);
	check_times("\"time_created_ns\":9223372036854775807,\"duration_ms\":1e9", INT64_MAX,
		    MLV_NO_TIME);
	check_times("\"time_created_us\":9223372036854775807", MLV_NO_TIME, MLV_NO_TIME);
	check_times("\"duration_ms\":NaN,\"time_created_ns\":1", 1, MLV_NO_TIME);
}
END_TEST

static void check_bytes(const char *sizes, const char *dtypes, int64_t bytes, const char *shown)
{
	char text[512];
	struct reading r;
	snprintf(text, sizeof(text),
		 "{\"version\":\"2.4\",\"entries\":[{\"record_id\":1,\"profiling_name\":\"x:y\","
		 "\"input_sizes\":%s,\"input_dtypes\":%s}]}",
		 sizes, dtypes);
	read_dump(&r, text);
	ck_assert_int_eq(r.run.spans.data[0].bytes, bytes);
	ck_span(&r, &r.run.spans.data[0], "input_sizes", shown);
	reading_fini(&r);
}

START_TEST(bytes_are_those_of_the_inputs)
{
	check_bytes("[[4]]", "[\"Float\"]", 16, "[[4]]");
	check_bytes("[[]]", "[\"Double\"]", 8, "[[]]"); /* a scalar */
	check_bytes("[[0,7]]", "[\"Float\"]", 0, "[[0,7]]");
	check_bytes("[[3],[2,2]]", "[\"Float8_e4m3fn\",\"ComplexDouble\"]", 67, "[[3],[2,2]]");
	check_bytes("[]", "[]", -1, "[]");
	check_bytes("[[4],[4]]", "[\"Float\"]", -1, "[[4],[4]]");
	check_bytes("[[4]]", "[\"Float\",\"Float\"]", -1, "[[4]]");
	check_bytes("[[4]]", "[\"Unheard\"]", -1, "[[4]]");
	check_bytes("[[4,-1]]", "[\"Float\"]", -1, "[[4,-1]]");
	check_bytes("[[4294967296,4294967296]]", "[\"Float\"]", -1, "[[4294967296,4294967296]]");
	check_bytes("[[2,null]]", "[\"Float\"]", -1, "[[2,?]]");
	check_bytes("[4]", "[\"Float\"]", -1, "[]");
	check_bytes("7", "[\"Float\"]", -1, "");
}
END_TEST

/* ---- groups and their status ---- */

#define CONFIG                                                                                     \
	"\"pg_config\":{\"0\":{\"name\":\"0\",\"desc\":\"default_pg\",\"ranks\":\"[0, 1, 2, "      \
	"3]\"},"                                                                                   \
	"\"12\":{\"name\":\"12\",\"desc\":\"mp\",\"ranks\":\"[1, 3]\"},"                           \
	"\"5\":{\"name\":\"5\",\"desc\":\"dp\",\"ranks\":\"[0, 2]\"}}"

static const struct mlv_group *group(const struct reading *r, const char *name)
{
	for (size_t i = 0; i < r->run.groups.len; i++) {
		if (strcmp(reading_str(r, r->run.groups.data[i].name), name) == 0)
			return &r->run.groups.data[i];
	}
	ck_abort_msg("no group %s", name);
	return NULL;
}

#define STATUS(id, e, s, c)                                                                        \
	"\"" id "\":{\"last_enqueued_collective\":" e ",\"last_started_collective\":" s            \
	",\"last_completed_collective\":" c "}"

START_TEST(status_is_joined_by_order)
{
	/* Ids 1, 2, 10 and names 0, 5, 12: in the order of numbers, not of texts. */
	struct reading r;
	read_dump(&r, "{\"version\":\"2.9\"," CONFIG
		      ",\"pg_status\":{" STATUS("10", "\"30\"", "\"-1\"", "\"29\"") "," STATUS(
			      "2", "20", "-1", "19") "," STATUS("1", "10", "-1", "9") "}}");
	ck_assert_uint_eq(r.run.groups.len, 3);
	unit_check(group(&r, "0")->last_enqueued == 10 && group(&r, "0")->last_completed == 9);
	unit_check(group(&r, "5")->last_enqueued == 20 && group(&r, "5")->last_started == -1);
	unit_check(group(&r, "12")->last_enqueued == 30 && group(&r, "12")->last_completed == 29);
	unit_check(group(&r, "12")->has_status && group(&r, "12")->member_count == 2);
	ck_assert_str_eq(reading_str(&r, group(&r, "12")->members), "1,3");
	ck_assert_str_eq(reading_str(&r, group(&r, "0")->members), "0,1,2,3");
	ck_assert_str_eq(reading_str(&r, group(&r, "5")->description), "dp");
	reading_fini(&r);
}
END_TEST

START_TEST(entries_tell_whose_status_it_is)
{
	/* The entry says that 3 is group 12. What is left over is told only where one is left. */
	struct reading r;
	read_dump(&r, "{\"version\":\"2.9\"," CONFIG ",\"entries\":[" ENTRY
		      "],\"pg_status\":{" STATUS("3", "163", "-1", "162") "}}");
	unit_check(group(&r, "12")->last_enqueued == 163 && !group(&r, "0")->has_status);
	unit_check(!has_diag(&r, "fr-status"));
	reading_fini(&r);
	/* 3 stands first and 12 last: the order of the numbers does not hold. */
	read_dump(&r, "{\"version\":\"2.9\"," CONFIG ",\"entries\":[" ENTRY
		      "],\"pg_status\":{" STATUS("3", "163", "-1", "162") "," STATUS(
			      "4", "4", "-1", "4") "," STATUS("5", "5", "-1", "5") "}}");
	unit_check(group(&r, "12")->last_enqueued == 163);
	unit_check(!group(&r, "0")->has_status && !group(&r, "5")->has_status);
	unit_check(has_diag(&r, "fr-status"));
	reading_fini(&r);
	/* A name that is a hash, and the only one that is left. */
	read_dump(&r, "{\"version\":\"2.9\",\"pg_config\":{\"a1b2\":{\"ranks\":[0,1]},\"12\":{}},"
		      "\"entries\":[" ENTRY "],\"pg_status\":{" STATUS(
			      "3", "163", "-1", "162") "," STATUS("9", "1", "1", "0") "}}");
	unit_check(group(&r, "a1b2")->last_enqueued == 1 && group(&r, "a1b2")->member_count == 2);
	reading_fini(&r);
}
END_TEST

START_TEST(a_group_without_config_is_one)
{
	struct reading r;
	read_dump(&r, "{\"version\":\"2.0\",\"entries\":[" ENTRY "]}");
	ck_assert_uint_eq(r.run.groups.len, 1);
	const struct mlv_group *g = group(&r, "12");
	unit_check(!g->has_status && g->last_enqueued == -1 && !g->members.i && !g->member_count);
	reading_fini(&r);
	read_dump(&r, "{\"version\":\"2.9\",\"pg_config\":{\"0\":{\"ranks\":\"[0, 1, ...]\"}}}");
	unit_check(!group(&r, "0")->members.i && !group(&r, "0")->member_count);
	reading_fini(&r);
}
END_TEST

/* ---- versions and forms ---- */

START_TEST(pytorch_2_2_wrote_a_bare_list)
{
	struct reading r;
	read_dump(&r, "[{\"pg_id\":4,\"seq_id\":9,\"profiling_name\":\"nccl:all_reduce\","
		      "\"input_sizes\":[[3,4]],\"output_sizes\":[[3,4]],"
		      "\"time_created_us\":1700000000000000,\"state\":\"scheduled\","
		      "\"retired\":false,\"frames\":[]}]");
	const struct mlv_span *s = &r.run.spans.data[0];
	ck_assert_int_eq(s->start_ns, INT64_C(1700000000000000000));
	ck_span(&r, s, "collective_seq_id", "9");
	ck_span(&r, s, "process_group", "4");
	ck_span(&r, s, "time_created_ns", "1700000000000000000");
	unit_check(s->stack.i == MLV_STACK_EMPTY.i);
	reading_fini(&r);
	read_text(&r, "[{\"name\":\"x\",\"seq_id\":1}]");
	unit_check(r.rc == MLV_E_FORMAT);
	reading_fini(&r);
}
END_TEST

START_TEST(forks_and_new_versions)
{
	struct reading r;
	read_dump(&r,
		  "{\"version\":\"2.4\",\"pg_config\":{},\"hccl_comm_state\":{\"a\":{\"k\":\"v\"},"
		  "\"b\":{}},\"entries\":[]}");
	ck_assert_int_eq(mlv_run_property(&r.run, "flight-recorder", "hccl_comm_state")->number, 2);
	ck_assert_uint_eq(r.run.spans.len, 0);
	unit_check(!r.run.diags.list.len);
	reading_fini(&r);
	read_dump(&r, "{\"version\":\"3.0\",\"pg_config\":{},\"entries\":[]}");
	unit_check(has_diag(&r, "fr-version"));
	reading_fini(&r);
	read_dump(&r, "{\"version\":\"2.10\",\"pg_config\":{\"0\":{}},\"entries\":{}}");
	unit_check(has_diag(&r, "fr-entries"));
	reading_fini(&r);
	read_dump(&r, "{\"version\":\"2.10\",\"entries\":[1,{\"record_id\":1}," ENTRY "]}");
	unit_check(has_diag(&r, "fr-entry") && r.run.spans.len == 1);
	reading_fini(&r);
}
END_TEST

START_TEST(others_are_not_claimed)
{
	static const char *const others[] = {
		"{\"schemaVersion\":1,\"distributedInfo\":{\"pg_config\":[],\"nccl_version\":\"2\"}"
		","
		"\"traceEvents\":[]}",
		"{\"version\":\"1\",\"entries\":[1,2]}",
		"{\"log\":{\"version\":\"1.2\",\"entries\":[]}}",
	};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct reading r;
		read_text(&r, others[i]);
		for (size_t k = 0; k < r.run.sections.len; k++)
			ck_assert_str_ne(r.run.sections.data[k].format, "fr-dump");
		reading_fini(&r);
	}
	struct reading r;
	reading_of(&r, "{\"a\":1}", 7, "fr-dump");
	unit_check(r.rc == MLV_E_FORMAT && strstr(r.err.msg, "\"a\""));
	reading_fini(&r);
}
END_TEST

/* A pickle of protocol 0 that refers to one list of shapes, one frame and one name from two
 * entries, as the memo does; the third entry is one of them again. */
static const char shared[] =
	"(dp0\nS'version'\np1\nS'2.9'\np2\nsS'entries'\np3\n(lp4\n"
	"(dp5\nS'profiling_name'\np6\nS'nccl:all_reduce'\np7\nsS'record_id'\np8\nI1\ns"
	"S'input_sizes'\np9\n(lp10\n(lp11\nI4\naasS'input_dtypes'\np12\n(lp13\nS'Float'\nas"
	"S'frames'\np14\n(lp15\n(dp16\nS'name'\np17\nS'f'\nsS'line'\nI3\nsasS'state'\np18\n"
	"S'completed'\nsa"
	"(dp19\ng6\nS'nccl:send 0->1'\nsg8\nI2\nsg9\ng10\nsg12\ng13\nsg14\ng15\nsg18\nS'started'\n"
	"sS'is_p2p'\nI01\nsS'process_group'\n(S'0'\nS'd'\ntsa"
	"g5\nas.";

START_TEST(pickles_share_lists)
{
	struct reading r;
	read_dump(&r, shared);
	ck_assert_uint_eq(r.run.spans.len, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(r.run.spans.data[i].bytes, 16);
		ck_span(&r, &r.run.spans.data[i], "input_sizes", "[[4]]");
		ck_assert_str_eq(reading_stack(&r, r.run.spans.data[i].stack), "f :3");
	}
	ck_span(&r, &r.run.spans.data[1], "is_p2p", "1");
	ck_span(&r, &r.run.spans.data[1], "group_description", "d");
	unit_check(has_diag(&r, "fr-entry")); /* one entry twice */
	reading_fini(&r);
}
END_TEST

START_TEST(code_is_refused)
{
	static const char code[] = "(dS'version'\nS'2.9'\nsS'pg_config'\ncos\nsystem\n(S'x'\ntRs.";
	struct reading r;
	read_text(&r, code);
	ck_assert_int_eq(r.rc, MLV_E_UNSUPPORTED);
	reading_fini(&r);
}
END_TEST

START_TEST(sharing_without_end_is_paid_for)
{
	/* A list of 4000 shapes of 4000 numbers, which are all the same list. */
	struct mlv_buf b = { 0 };
	mlv_buf_puts(&b, "(dS'version'\nS'2.9'\nsS'entries'\n(l(dS'profiling_name'\nS'a:b'\ns"
			 "S'record_id'\nI1\nsS'input_sizes'\n(l(lp0\n");
	for (int i = 0; i < 4000; i++)
		mlv_buf_puts(&b, "I1\na");
	mlv_buf_puts(&b, "a");
	for (int i = 0; i < 4000; i++)
		mlv_buf_puts(&b, "g0\na");
	mlv_buf_puts(&b, "sas.");
	struct reading r;
	reading_of(&r, b.data, b.len, NULL);
	unit_check(!r.rc && has_diag(&r, "fr-shared"));
	unit_check(strlen(span_attr(&r, &r.run.spans.data[0], "input_sizes")) < 1000000);
	reading_fini(&r);
	mlv_buf_fini(&b);
}
END_TEST

/* ---- damage ---- */

START_TEST(an_entry_that_was_cut_is_left_out)
{
	static const char text[] = "{\"entries\":[" ENTRY "," ENTRY "],\"pg_config\":{},"
				   "\"version\":\"2.9\"}";
	size_t one = strlen("{\"entries\":[" ENTRY), seen = 0;
	for (size_t n = 40; n < sizeof(text) - 1; n++) {
		struct reading r;
		reading_of(&r, text, n, "fr-dump");
		unit_check(r.rc == MLV_OK || r.rc == MLV_E_FORMAT);
		size_t spans = r.run.spans.len;
		if (!r.rc)
			unit_check(r.run.diags.list.len && spans <= 2);
		/* The first entry is there once it was written, the second is never half. */
		unit_check(n < one || spans >= 1);
		unit_check(n >= 2 * one - 14 || spans <= 1);
		unit_check(spans >= seen);
		seen = spans > seen ? spans : seen;
		for (size_t i = 0; i < spans; i++)
			ck_span(&r, &r.run.spans.data[i], "timeout_ms", "8000");
		reading_fini(&r);
	}
	unit_check(seen == 2);
}
END_TEST

START_TEST(a_pickle_that_was_cut)
{
	for (size_t n = 1; n < sizeof(shared) - 1; n++) {
		struct reading r;
		reading_of(&r, shared, n, "fr-dump");
		unit_check(r.rc == MLV_OK || r.rc == MLV_E_FORMAT);
		unit_check(r.run.spans.len <= 2);
		reading_fini(&r);
	}
}
END_TEST

/* ---- recordings ---- */

struct recorded {
	const char *variable, *path;
	size_t entries;
	int64_t bytes; /* of all entries together */
	size_t open, groups;
	int64_t enqueued, completed; /* sums over the groups */
};

static const struct recorded recordings[] = {
	{ "CORPUS", "flight-recorder/coalesced-2/fr_0", 11, INT64_C(536), 4, 1, 7, 5 },
	{ "CORPUS", "flight-recorder/dead-rank-2/fr_1", 15, INT64_C(11035172), 0, 1, 15, 15 },
	{ "CORPUS", "flight-recorder/extra-allreduce-4/fr_0", 5, INT64_C(56), 2, 1, 5, 3 },
	{ "CORPUS", "flight-recorder/healthy-4/fr_2", 21, INT64_C(16577316), 0, 1, 21, -1 },
	{ "CORPUS", "flight-recorder/healthy-4/fr_json_2.json", 21, INT64_C(16577316), 0, 1, 21,
	  21 },
	{ "CORPUS", "flight-recorder/op-type-2/fr_1", 5, INT64_C(56), 2, 1, 5, 3 },
	{ "CORPUS", "flight-recorder/order-2/fr_0", 6, INT64_C(104), 3, 1, 6, 3 },
	{ "CORPUS", "flight-recorder/size-4/fr_3", 5, INT64_C(56), 2, 1, 5, 3 },
	{ "CORPUS", "flight-recorder/subgroups-4/fr_1", 9, INT64_C(120), 1, 3, 9, 8 },
	{ "CORPUS", "flight-recorder/subgroups-4/fr_3", 9, INT64_C(120), 2, 3, 9, 7 },
	{ "CORPUS", "run-base/fr_0", 152, INT64_C(2477041664), 0, 1, 152, 152 },
	{ "CORPUS", "run-regressed/fr_3", 152, INT64_C(2477041664), 0, 1, 152, 152 },
	{ "PUBLIC", "flight-recorder/gpu_error_1st/_dump_0", 20, INT64_C(650369782), 20, 13, 86684,
	  86665 },
	{ "PUBLIC", "flight-recorder/gpu_error_1st/_dump_9", 19, INT64_C(692847480), 19, 12, 79787,
	  79768 },
	{ "PUBLIC", "flight-recorder/gpu_error_1st/_dump_12", 27, INT64_C(901717598), 27, 13, 90084,
	  90057 },
	{ "PUBLIC", "flight-recorder/gpu_error_1st/_dump_14", 43, INT64_C(1384138700), 43, 13,
	  90100, 90057 },
	{ "PUBLIC", "flight-recorder/lock_gil_1st/_dump_0", 11, INT64_C(262275328), 11, 13, 190109,
	  190098 },
	{ "PUBLIC", "flight-recorder/lock_gil_1st/_dump_9", 0, INT64_C(0), 0, 13, 193881, 193881 },
	{ "PUBLIC", "flight-recorder/lock_gil_1st/_dump_12", 9, INT64_C(147190816), 9, 13, 193890,
	  193881 },
	{ "PUBLIC", "flight-recorder/lock_gil_1st/_dump_14", 0, INT64_C(0), 0, 13, 193881, 193881 },
};

START_TEST(recordings_are_as_python_reads_them)
{
	for (size_t i = 0; i < sizeof(recordings) / sizeof(recordings[0]); i++) {
		const struct recorded *e = &recordings[i];
		struct reading r;
		size_t n = 0, open = 0;
		int64_t bytes = 0, enqueued = 0, completed = 0;
		char *data = unit_file(e->variable, e->path, &n);
		if (!data)
			continue;
		reading_of(&r, data, n, NULL);
		unit_check(!r.rc && !r.run.diags.list.len);
		for (size_t k = 0; k < r.run.spans.len; k++) {
			bytes += r.run.spans.data[k].bytes > 0 ? r.run.spans.data[k].bytes : 0;
			open += r.run.spans.data[k].end_ns == MLV_NO_TIME;
		}
		for (size_t k = 0; k < r.run.groups.len; k++) {
			unit_check(r.run.groups.data[k].has_status);
			enqueued += r.run.groups.data[k].last_enqueued;
			completed += r.run.groups.data[k].last_completed;
		}
		if (r.run.spans.len != e->entries || bytes != e->bytes || open != e->open ||
		    r.run.groups.len != e->groups || enqueued != e->enqueued ||
		    completed != e->completed)
			ck_abort_msg("%s differs", e->path);
		reading_fini(&r);
		free(data);
	}
}
END_TEST

START_TEST(both_forms_of_a_dump_tell_the_same)
{
	static const char *const pairs[][2] = {
		{ "flight-recorder/healthy-2/fr_0", "flight-recorder/healthy-2/fr_json_0.json" },
		{ "flight-recorder/healthy-2/fr_1", "flight-recorder/healthy-2/fr_json_1.json" },
		{ "flight-recorder/healthy-4/fr_0", "flight-recorder/healthy-4/fr_json_0.json" },
		{ "flight-recorder/healthy-4/fr_3", "flight-recorder/healthy-4/fr_json_3.json" },
	};
	static const char *const keys[] = { "record_id",    "pg_id",       "collective_seq_id",
					    "p2p_seq_id",   "op_id",       "process_group",
					    "backend",      "input_sizes", "input_dtypes",
					    "output_sizes", "timeout_ms",  "is_p2p" };
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct reading a, b;
		size_t n = 0, m = 0;
		char *pickle = unit_file("CORPUS", pairs[i][0], &n);
		char *json = unit_file("CORPUS", pairs[i][1], &m);
		if (!pickle || !json) {
			free(pickle);
			free(json);
			continue;
		}
		reading_of(&a, pickle, n, NULL);
		reading_of(&b, json, m, NULL);
		unit_check(!a.rc && !b.rc && a.run.spans.len == b.run.spans.len);
		for (size_t k = 0; k < a.run.spans.len; k++) {
			const struct mlv_span *x = &a.run.spans.data[k], *y = &b.run.spans.data[k];
			unit_check(x->start_ns == y->start_ns && x->bytes == y->bytes);
			ck_assert_str_eq(reading_str(&a, x->name), reading_str(&b, y->name));
			ck_assert_str_eq(reading_str(&a, x->category),
					 reading_str(&b, y->category));
			for (size_t j = 0; j < sizeof(keys) / sizeof(keys[0]); j++) {
				char first[4096];
				snprintf(first, sizeof(first), "%s", span_attr(&a, x, keys[j]));
				ck_span(&b, y, keys[j], first);
			}
		}
		reading_fini(&a);
		reading_fini(&b);
		free(pickle);
		free(json);
	}
}
END_TEST

START_TEST(recordings_survive_damage)
{
	size_t n = 0;
	char *data = unit_file("CORPUS", "flight-recorder/coalesced-2/fr_0", &n);
	if (!data)
		return;
	uint64_t random = 7;
	for (size_t cut = 0; cut < n; cut += 3) {
		struct reading r;
		reading_of(&r, data, cut, "fr-dump");
		unit_check(r.rc == MLV_OK || r.rc == MLV_E_FORMAT);
		unit_check(r.run.spans.len <= 11);
		reading_fini(&r);
	}
	for (int i = 0; i < 3000; i++) {
		struct reading r;
		size_t at = unit_random(&random) % n;
		char kept = data[at];
		data[at] = (char)unit_random(&random);
		reading_of(&r, data, n, "fr-dump");
		reading_fini(&r);
		data[at] = kept;
	}
	free(data);
}
END_TEST

UNIT_MAIN("fr_dump", an_entry_is_a_span, names_have_a_back_end, times_are_what_is_known,
	  bytes_are_those_of_the_inputs, status_is_joined_by_order, entries_tell_whose_status_it_is,
	  a_group_without_config_is_one, pytorch_2_2_wrote_a_bare_list, forks_and_new_versions,
	  others_are_not_claimed, pickles_share_lists, code_is_refused,
	  sharing_without_end_is_paid_for, an_entry_that_was_cut_is_left_out, a_pickle_that_was_cut,
	  recordings_are_as_python_reads_them, both_forms_of_a_dump_tell_the_same,
	  recordings_survive_damage)
