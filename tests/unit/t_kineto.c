/* SPDX-License-Identifier: MIT */
/*
 * Traces: written here after what the versions of Kineto write, and real ones
 * (CORPUS, PUBLIC) against figures that a script took from their JSON.
 */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/source.h"
#include "parsers/parser.h"

static struct mlv_limits limits;

/* Read into `run`, which is to be finished in any case. */
static enum mlv_rc read_source(struct mlv_source *src, struct mlv_run *run, struct mlv_err *err)
{
	struct mlv_reader r;
	const struct mlv_parser *parser;
	ck_assert(mlv_run_init(run, "trace"));
	mlv_reader_init(&r, src);
	(void)mlv_reader_need(&r, MLV_PROBE_BYTES);
	struct mlv_bytes head = { r.p, (size_t)(r.end - r.p) };
	head.n = head.n < MLV_PROBE_BYTES ? head.n : MLV_PROBE_BYTES;
	struct mlv_parse p = { .reader = &r, .run = run, .limits = &limits };
	enum mlv_rc rc = mlv_parser_find(head, "kineto", &parser, err);
	if (!rc)
		rc = parser->parse(&p, err);
	mlv_reader_fini(&r);
	mlv_source_close(src);
	return rc;
}

static enum mlv_rc read_bytes(const char *p, size_t n, size_t chunk, struct mlv_run *run)
{
	struct mlv_source *src;
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_bytes bytes = { (const uint8_t *)p, n };
	ck_assert(!mlv_source_memory(&src, "trace", bytes, chunk, &limits, NULL));
	return read_source(src, run, &err);
}

static void read_text(const char *text, struct mlv_run *run)
{
	limits = mlv_limits_default;
	ck_assert_int_eq(read_bytes(text, strlen(text), 0, run), MLV_OK);
}

static const char *str(const struct mlv_run *run, mlv_strid id)
{
	return mlv_run_str(run, id).p;
}

static const struct mlv_track *track(const struct mlv_run *run, mlv_trackid id)
{
	ck_assert_uint_lt(id.i, run->tracks.len);
	return &run->tracks.data[id.i];
}

static int64_t attr(const struct mlv_run *run, size_t span, const char *key)
{
	const struct mlv_attr *a = mlv_run_attr(run, run->spans.data[span].attrs, key);
	return a && !a->is_text ? a->number : -1;
}

static const char *attr_text(const struct mlv_run *run, size_t span, const char *key)
{
	const struct mlv_attr *a = mlv_run_attr(run, run->spans.data[span].attrs, key);
	return a && a->is_text ? str(run, a->text) : "";
}

static uint64_t diag(const struct mlv_run *run, const char *code)
{
	for (size_t i = 0; i < run->diags.list.len; i++) {
		if (!strcmp(run->diags.list.data[i].code, code))
			return run->diags.list.data[i].count;
	}
	return 0;
}

static bool says(const struct mlv_run *run, const char *code, const char *text)
{
	for (size_t i = 0; i < run->diags.list.len; i++) {
		if (!strcmp(run->diags.list.data[i].code, code))
			return strstr(run->diags.list.data[i].text, text) != NULL;
	}
	return false;
}

static const char modern[] =
	"\n  {\n  \"schemaVersion\": 1,\n"
	"  \"deviceProperties\": [{\"id\": 3, \"name\": \"NVIDIA H200\", \"numSms\": 132}],\n"
	"  \"cuda_driver_version\": 13000, \"profile_memory\": 1,\n"
	"  \"WARNING\": [\"WARNING: buffers dropped\"], \"INFO\": [\"INFO: x\"],\n"
	"  \"traceEvents\": [\n"
	"  {\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::add\", \"pid\": 77, \"tid\": "
	"78,\n"
	"   \"ts\": 5120961647745.406, \"dur\": 935.314, \"args\": {\"External id\": 3,\n"
	"   \"Input Dims\": [[1, 2], []], \"Ev Idx\": 0}},\n"
	"  {\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"ncclDevKernel\", \"pid\": 2, \"tid\": "
	"21,\n"
	"   \"ts\": 5120961573512.588, \"dur\": 1837.080, \"args\": {\"External id\": 3, "
	"\"device\": 2,\n"
	"   \"context\": 1, \"stream\": 21, \"correlation\": 9, \"est. achieved occupancy %\": "
	"0.5,\n"
	"   \"grid\": [24, 1, 1], \"Collective name\": \"_allgather_base\", \"In msg nelems\": "
	"16,\n"
	"   \"Out msg nelems\": 64, \"dtype\": \"BFloat16\", \"Process Group Name\": \"0\",\n"
	"   \"Seq\": 5}},\n"
	"  {\"ph\": \"f\", \"id\": 9, \"pid\": 2, \"tid\": 21, \"ts\": 1, \"cat\": \"ac2g\", "
	"\"bp\": \"e\"},\n"
	"  {\"ph\": \"X\", \"cat\": \"gpu_memcpy\", \"name\": \"Memcpy\", \"pid\": 2, \"tid\": 7,\n"
	"   \"ts\": 10, \"dur\": -1, \"args\": {\"bytes\": 32112}},\n"
	"  {\"ph\": \"i\", \"s\": \"t\", \"name\": \"[memory]\", \"pid\": 77, \"tid\": 78, \"ts\": "
	"30.5,\n"
	"   \"args\": {\"Total Reserved\": 100, \"Total Allocated\": 8, \"Bytes\": -24,\n"
	"   \"Device Id\": 2, \"Device Type\": 1, \"Addr\": 140677191041024, \"finished\": "
	"false}},\n"
	"  {\"ph\": \"i\", \"s\": \"t\", \"name\": \"[memory]\", \"pid\": 77, \"tid\": 78, \"ts\": "
	"20,\n"
	"   \"args\": {\"Total Reserved\": 100, \"Total Allocated\": 32, \"Bytes\": 32,\n"
	"   \"Device Id\": 2, \"Device Type\": 1, \"Addr\": 18446744073709551615}},\n"
	"  {\"ph\": \"i\", \"name\": \"[memory]\", \"pid\": 77, \"tid\": 78, \"ts\": 25, \"args\": "
	"{\"Bytes\": 4,\n"
	"   \"Total Allocated\": 4, \"Total Reserved\": 0, \"Device Id\": -1, \"Device Type\": "
	"0}},\n"
	"  {\"ph\": \"i\", \"name\": \"[OutOfMemory]\", \"pid\": 77, \"tid\": 78, \"ts\": 40,\n"
	"   \"args\": {\"Bytes\": 512, \"Total Allocated\": 8, \"Total Reserved\": 100,\n"
	"   \"Device Id\": 2, \"Device Type\": 1}},\n"
	"  {\"ph\": \"i\", \"name\": \"[memory]\", \"pid\": 77, \"tid\": 78, \"ts\": 22,\n"
	"   \"args\": {\"Bytes\": 16, \"Device Id\": 0, \"Device Type\": 1}},\n"
	"  {\"name\": \"process_name\", \"ph\": \"M\", \"ts\": 0.0, \"pid\": 77, \"tid\": 0,\n"
	"   \"args\": {\"name\": \"python\"}},\n"
	"  {\"name\": \"thread_name\", \"ph\": \"M\", \"ts\": 0, \"pid\": 77, \"tid\": 78,\n"
	"   \"args\": {\"name\": \"thread 78 (pt_autograd_0)\"}},\n"
	"  {\"name\": \"thread_name\", \"ph\": \"M\", \"ts\": 0, \"pid\": 77, \"tid\": 78,\n"
	"   \"args\": {\"name\": \"thread 78 (python)\"}},\n"
	"  {\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 2, \"tid\": 21, \"args\": "
	"{\"name\": \"stream 21 \"}},\n"
	"  {\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 2, \"tid\": 7, \"args\": {\"name\": "
	"\"copies\"}},\n"
	"  {\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 5, \"args\": {\"name\": "
	"\"unused\"}},\n"
	"  {\"ph\": \"X\", \"cat\": \"Trace\", \"ts\": 2, \"dur\": 3, \"pid\": \"Spans\",\n"
	"   \"tid\": \"PyTorch Profiler\", \"name\": \"PyTorch Profiler (0)\"},\n"
	"  {\"name\": \"Record Window End\", \"ph\": \"i\", \"s\": \"g\", \"pid\": \"\", \"tid\": "
	"\"\", \"ts\": 99}\n"
	"  ],\n"
	"  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 6, \"world_size\": 8, "
	"\"pg_config\": [\n"
	"   {\"pg_name\": \"0\", \"pg_desc\": \"default_pg\", \"pg_size\": 8, \"ranks\": "
	"[0,1,2,3,4,5,6,7]},\n"
	"   {\"pg_name\": \"1\", \"uid\": \"tp\", \"pg_size\": 2, \"ranks\": \"[4, 6]\"},\n"
	"   {\"pg_name\": \"2\", \"pg_size\": 300, \"ranks\": \"[0, 1, ... 299]\"}]},\n"
	"  \"baseTimeNanoseconds\": 1790857026000000000,\n"
	"  \"traceName\": \"/tmp/x.json\"\n}";

static const int64_t BASE = INT64_C(1790857026000000000);

START_TEST(spans_of_a_modern_trace)
{
	struct mlv_run run;
	read_text(modern, &run);
	ck_assert_uint_eq(run.diags.list.len, 0);
	ck_assert_uint_eq(run.spans.len, 5);
	const struct mlv_span *s = run.spans.data;
	ck_assert_int_eq(s[0].start_ns, INT64_C(1795977987647745406));
	ck_assert_int_eq(s[0].end_ns - s[0].start_ns, 935314);
	ck_assert_str_eq(str(&run, s[0].name), "aten::add");
	ck_assert_str_eq(str(&run, s[0].category), "cpu_op");
	ck_assert_int_eq(s[0].bytes, -1);
	ck_assert_uint_eq(s[0].attrs.count, 1);
	ck_assert_int_eq(attr(&run, 0, "external_id"), 3);
	const struct mlv_track *t = track(&run, s[0].track);
	ck_assert_int_eq(t->kind, MLV_TRACK_THREAD);
	ck_assert_int_eq(t->number, 78);
	ck_assert_str_eq(str(&run, t->name), "thread 78 (pt_autograd_0)");
	t = track(&run, t->parent);
	ck_assert_int_eq(t->kind, MLV_TRACK_PROCESS);
	ck_assert_int_eq(t->number, 77);
	ck_assert_str_eq(str(&run, t->name), "python");

	ck_assert_int_eq(s[1].start_ns, INT64_C(1795977987573512588));
	ck_assert_int_eq(attr(&run, 1, "correlation"), 9);
	ck_assert_int_eq(attr(&run, 1, "stream"), 21);
	ck_assert_int_eq(attr(&run, 1, "device"), 2);
	ck_assert_int_eq(attr(&run, 1, "in_elems"), 16);
	ck_assert_int_eq(attr(&run, 1, "out_elems"), 64);
	ck_assert_int_eq(attr(&run, 1, "seq"), 5);
	ck_assert_str_eq(attr_text(&run, 1, "collective"), "_allgather_base");
	ck_assert_str_eq(attr_text(&run, 1, "group"), "0");
	ck_assert_str_eq(attr_text(&run, 1, "dtype"), "BFloat16");
	t = track(&run, s[1].track);
	ck_assert_int_eq(t->kind, MLV_TRACK_STREAM);
	ck_assert_int_eq(t->number, 21);
	ck_assert_str_eq(str(&run, t->name), "");
	t = track(&run, t->parent);
	ck_assert_int_eq(t->kind, MLV_TRACK_DEVICE);
	ck_assert_int_eq(t->number, 2);

	ck_assert_int_eq(s[2].bytes, 32112);
	ck_assert_int_eq(s[2].end_ns, s[2].start_ns);
	ck_assert_str_eq(str(&run, track(&run, s[2].track)->name), "copies");

	ck_assert_str_eq(str(&run, s[3].category), "trace");
	ck_assert_str_eq(str(&run, track(&run, s[3].track)->name), "PyTorch Profiler");
	ck_assert_str_eq(str(&run, track(&run, track(&run, s[3].track)->parent)->name), "Spans");
	ck_assert_str_eq(str(&run, s[4].category), "instant");
	ck_assert_int_eq(s[4].start_ns, BASE + 99000);
	ck_assert_int_eq(s[4].end_ns, BASE + 99000);
	unit_check(s[4].instant && !s[2].instant);
	for (size_t i = 0; i < run.tracks.len; i++)
		ck_assert_str_ne(str(&run, run.tracks.data[i].name), "unused");
	mlv_run_fini(&run);
}
END_TEST

START_TEST(memory_of_a_modern_trace)
{
	struct mlv_run run;
	read_text(modern, &run);
	ck_assert_uint_eq(run.devices.len, 2);
	ck_assert_uint_eq(run.devices.data[0].ordinal, 0);
	ck_assert_uint_eq(run.devices.data[0].events, 1);
	ck_assert_uint_eq(run.devices.data[1].ordinal, 2);
	ck_assert_uint_eq(run.devices.data[1].first_event, 1);
	ck_assert_uint_eq(run.devices.data[1].events, 3);
	static const struct {
		int64_t time;
		uint64_t bytes, addr;
		int action;
	} want[] = { { 22000, 16, 0, MLV_MEM_ALLOC },
		     { 20000, 32, UINT64_MAX, MLV_MEM_ALLOC },
		     { 30500, 24, 140677191041024, MLV_MEM_FREE_COMPLETED },
		     { 40000, 512, 0, MLV_MEM_OOM } };
	ck_assert_uint_eq(run.mem_events.len, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct mlv_mem_event *e = &run.mem_events.data[i];
		ck_assert_int_eq(e->time_ns, BASE + want[i].time);
		ck_assert_uint_eq(e->bytes, want[i].bytes);
		ck_assert_uint_eq(e->addr, want[i].addr);
		ck_assert_int_eq(e->action, want[i].action);
		ck_assert_uint_eq(e->pool, MLV_POOL_UNKNOWN);
		const struct mlv_track *t = mlv_run_device_of(&run, e->track);
		ck_assert_int_eq(t->number, i ? 2 : 0);
	}
	/* The host comes first; then allocated and reserved of each event of the devices. */
	ck_assert_uint_eq(run.samples.len, 7);
	const struct mlv_sample *s = run.samples.data;
	ck_assert_str_eq(str(&run, s[0].metric), "host allocated");
	ck_assert_int_eq(track(&run, s[0].track)->kind, MLV_TRACK_HOST);
	ck_assert_int_eq(track(&run, s[0].track)->number, 77);
	ck_assert_int_eq(s[0].value.mantissa, 4);
	ck_assert_str_eq(str(&run, s[1].metric), "allocated");
	ck_assert_int_eq(s[1].value.mantissa, 32);
	ck_assert_int_eq(s[1].value.unit, MLV_UNIT_BYTES);
	ck_assert_int_eq(s[1].time_ns, BASE + 20000);
	ck_assert_int_eq(s[3].value.mantissa, 8);
	ck_assert_str_eq(str(&run, s[4].metric), "reserved");
	ck_assert_int_eq(s[4].value.mantissa, 100);
	const struct mlv_property *p = mlv_run_property(&run, "trace", "bytes");
	ck_assert_str_eq(str(&run, p->text), "rounded");
	mlv_run_fini(&run);
}
END_TEST

START_TEST(what_stands_around_the_events)
{
	struct mlv_run run;
	read_text(modern, &run);
	ck_assert_int_eq(run.rank, 6);
	ck_assert_uint_eq(run.groups.len, 3);
	const struct mlv_group *g = run.groups.data;
	ck_assert_str_eq(str(&run, g[0].name), "0");
	ck_assert_str_eq(str(&run, g[0].description), "default_pg");
	ck_assert_str_eq(str(&run, g[0].members), "0,1,2,3,4,5,6,7");
	ck_assert_uint_eq(g[0].member_count, 8);
	ck_assert(!g[0].has_status);
	ck_assert_str_eq(str(&run, g[1].description), "tp");
	ck_assert_str_eq(str(&run, g[1].members), "4,6");
	ck_assert_uint_eq(g[1].member_count, 2);
	ck_assert_str_eq(str(&run, g[2].members), "");
	ck_assert_uint_eq(g[2].member_count, 300);
	static const struct {
		const char *key;
		int64_t number;
		const char *text;
	} want[] = { { "schemaVersion", 1, "" },
		     { "device 3/name", 0, "NVIDIA H200" },
		     { "device 3/numSms", 132, "" },
		     { "cuda_driver_version", 13000, "" },
		     { "distributedInfo/backend", 0, "nccl" },
		     { "distributedInfo/world_size", 8, "" },
		     { "traceName", 0, "/tmp/x.json" },
		     { "clock", 0, "unix" },
		     { "events", 17, "" },
		     { "flow_events", 1, "" } };
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const struct mlv_property *p = mlv_run_property(&run, "trace", want[i].key);
		ck_assert_msg(p != NULL, "%s", want[i].key);
		ck_assert_int_eq(p->number, want[i].number);
		ck_assert_str_eq(str(&run, p->text), want[i].text);
	}
	ck_assert_uint_eq(run.findings.len, 1);
	ck_assert_str_eq(str(&run, run.findings.data[0].text), "WARNING: buffers dropped");
	ck_assert_int_eq(run.findings.data[0].severity, MLV_FINDING_WARNING);
	ck_assert_uint_eq(run.sections.len, 1);
	ck_assert_str_eq(run.sections.data[0].format, "kineto");
	ck_assert_uint_eq(run.sections.data[0].rows, 17);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(times_are_exact)
{
	static const struct {
		const char *text;
		int64_t ns;
	} times[] = {
		{ "1695835542514261.123", INT64_C(1695835542514261123) },
		{ "1695835542514261", INT64_C(1695835542514261000) },
		{ "9223372036854775.807", INT64_MAX },
		{ "0.001", 1 },
		{ "0.0004", 0 },
		{ "0.0005", 1 },
		{ "1.9996", 2000 },
		{ "-1.5", -1500 },
		{ ".25", 250 },
		{ "7.", 7000 },
		{ "1.5e3", 1500000 },
		{ "0", 0 },
		{ "\"12.5\"", 12500 },
	};
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		char text[256];
		struct mlv_run run;
		snprintf(text, sizeof(text),
			 "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"ts\":%s,\"dur\":0}]}",
			 times[i].text);
		read_text(text, &run);
		ck_assert_msg(run.spans.len == 1, "%s", times[i].text);
		ck_assert_int_eq(run.spans.data[0].start_ns, times[i].ns);
		ck_assert_int_eq(run.spans.data[0].end_ns, times[i].ns);
		mlv_run_fini(&run);
	}
}
END_TEST

START_TEST(absolute_and_relative_times)
{
	struct mlv_run run;
	read_text("{\"traceEvents\":[{\"ph\":\"X\",\"ts\":1695835542514261,\"dur\":1}]}", &run);
	ck_assert_str_eq(str(&run, mlv_run_property(&run, "trace", "clock")->text), "unix");
	mlv_run_fini(&run);
	read_text("{\"traceEvents\":[{\"ph\":\"X\",\"ts\":5,\"dur\":1}]}", &run);
	ck_assert_str_eq(str(&run, mlv_run_property(&run, "trace", "clock")->text), "relative");
	mlv_run_fini(&run);
	/* Absolute already: the base is not added once more. */
	read_text("{\"baseTimeNanoseconds\":1690000000000000000,\"traceEvents\":["
		  "{\"ph\":\"X\",\"ts\":1695835542514261,\"dur\":1}]}",
		  &run);
	ck_assert_int_eq(run.spans.data[0].start_ns, INT64_C(1695835542514261000));
	mlv_run_fini(&run);
	/* Beyond what fits: held, not wrapped. */
	read_text("{\"baseTimeNanoseconds\":9223372036854775807,\"traceEvents\":["
		  "{\"ph\":\"X\",\"ts\":5,\"dur\":9223372036854775.807}]}",
		  &run);
	ck_assert_int_eq(run.spans.data[0].start_ns, INT64_MAX);
	ck_assert_int_eq(run.spans.data[0].end_ns, INT64_MAX);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(begin_and_end)
{
	struct mlv_run run;
	read_text("[{\"ph\":\"B\",\"name\":\"outer\",\"pid\":1,\"tid\":1,\"ts\":1},"
		  "{\"ph\":\"B\",\"name\":\"inner\",\"pid\":1,\"tid\":1,\"ts\":2},"
		  "{\"ph\":\"B\",\"name\":\"other\",\"pid\":1,\"tid\":2,\"ts\":2},"
		  "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":3},"
		  "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":4},"
		  "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":5},"
		  "{\"ph\":\"b\",\"name\":\"x\",\"ts\":5}]",
		  &run);
	ck_assert_uint_eq(run.spans.len, 3);
	ck_assert_int_eq(run.spans.data[0].end_ns, 4000);
	ck_assert_int_eq(run.spans.data[1].end_ns, 3000);
	ck_assert_int_eq(run.spans.data[2].end_ns, MLV_NO_TIME);
	ck_assert_uint_eq(diag(&run, "kineto-end-without-begin"), 1);
	ck_assert_uint_eq(diag(&run, "kineto-phases"), 1);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(counters)
{
	struct mlv_run run;
	read_text("{\"traceEvents\":["
		  "{\"ph\":\"C\",\"name\":\"busy\",\"pid\":\"GPU 0 Counters\",\"ts\":1,"
		  "\"args\":{\"busy\":0.5}},"
		  "{\"args\":{\"a\":1,\"b\":2.25,\"c\":\"x\"},\"ph\":\"C\",\"name\":\"two\","
		  "\"pid\":4,"
		  "\"ts\":2},"
		  "{\"ph\":\"C\",\"name\":\"\",\"pid\":4,\"ts\":3,\"args\":{\"\":7}}]}",
		  &run);
	static const struct {
		const char *metric;
		int64_t mantissa;
		int exponent;
	} want[] = { { "busy", 5, -1 }, { "two/a", 1, 0 }, { "two/b", 225, -2 }, { "", 7, 0 } };
	ck_assert_uint_eq(run.samples.len, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct mlv_sample *s = &run.samples.data[i];
		ck_assert_str_eq(str(&run, s->metric), want[i].metric);
		ck_assert_int_eq(s->value.mantissa, want[i].mantissa);
		ck_assert_int_eq(s->value.exponent, want[i].exponent);
		ck_assert_int_eq(track(&run, s->track)->kind, MLV_TRACK_PROCESS);
	}
	ck_assert_str_eq(str(&run, track(&run, run.samples.data[0].track)->name), "GPU 0 Counters");
	mlv_run_fini(&run);
}
END_TEST

START_TEST(old_writers)
{
	struct mlv_run run;
	/* PyTorch 1.8: capitals, integers, no metadata. */
	read_text(
		"{\"schemaVersion\":1,\"traceEvents\":["
		"{\"ph\":\"X\",\"cat\":\"Operator\",\"name\":\"aten::add\",\"pid\":9,\"tid\":\"9\","
		"\"ts\":1623143089861386,\"dur\":5,\"args\":{\"external id\":4}},"
		"{\"ph\":\"X\",\"cat\":\"Kernel\",\"name\":\"k\",\"pid\":0,\"tid\":\"stream 7\","
		"\"ts\":1623143089861390,\"dur\":1},"
		"{\"ph\":\"X\",\"cat\":\"Memcpy\",\"name\":\"m\",\"pid\":0,\"tid\":7,"
		"\"ts\":1623143089861390,\"dur\":1,\"args\":{\"bytes\":\"0x10\"}}]}",
		&run);
	ck_assert_str_eq(str(&run, run.spans.data[0].category), "cpu_op");
	ck_assert_int_eq(attr(&run, 0, "external_id"), 4);
	ck_assert_int_eq(track(&run, run.spans.data[0].track)->number, 9);
	ck_assert_str_eq(str(&run, run.spans.data[1].category), "kernel");
	ck_assert_str_eq(str(&run, track(&run, run.spans.data[1].track)->name), "stream 7");
	ck_assert_str_eq(str(&run, run.spans.data[2].category), "gpu_memcpy");
	ck_assert_int_eq(run.spans.data[2].bytes, 16);
	mlv_run_fini(&run);
	/* The autograd profiler before Kineto. */
	read_text(
		"[{\"name\": \"add\", \"ph\": \"X\", \"ts\": 87.9, \"dur\": 11.08, \"tid\": 0, "
		"\"pid\": \"CPU functions\", \"args\": {}}, "
		"{\"name\": \"k\", \"ph\": \"X\", \"ts\": 90, \"dur\": 2, \"tid\": 1, "
		"\"pid\": \"CUDA functions\", \"args\": {}}, "
		"{\"name\": \"add\", \"ph\": \"s\", \"ts\": 87.9, \"tid\": 0, "
		"\"pid\": \"CPU functions\", \"id\": 0, \"cat\": \"cpu_to_cuda\", \"args\": {}}, ]",
		&run);
	ck_assert_uint_eq(run.spans.len, 2);
	ck_assert_str_eq(str(&run, run.spans.data[0].category), "cpu_op");
	ck_assert_str_eq(str(&run, run.spans.data[1].category), "kernel");
	ck_assert_int_eq(track(&run, run.spans.data[1].track)->kind, MLV_TRACK_DEVICE);
	ck_assert_int_eq(track(&run, run.spans.data[1].track)->number, 1);
	ck_assert_uint_eq(diag(&run, "json-trailing-comma"), 1);
	mlv_run_fini(&run);
	/* An accelerator with categories of its own; numbers as text. */
	read_text("{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"npu_op\",\"name\":\"k\",\"pid\":3,"
		  "\"tid\":5,\"ts\":1,\"dur\":1,\"args\":{\"device\":\"3\",\"stream\":\"0x5\"}},"
		  "{\"ph\":\"X\",\"cat\":\"mtia_runtime\",\"pid\":865,\"tid\":5,\"ts\":1,\"dur\":1,"
		  "\"args\":{\"device\":17,\"stream\":1}}]}",
		  &run);
	ck_assert_int_eq(track(&run, run.spans.data[0].track)->kind, MLV_TRACK_STREAM);
	ck_assert_int_eq(track(&run, run.spans.data[1].track)->kind, MLV_TRACK_THREAD);
	mlv_run_fini(&run);
}
END_TEST

#define EVENT(name, extra)                                                                         \
	"{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1" extra "}"

START_TEST(a_damaged_event_is_lost_alone)
{
	struct mlv_run run;
	/* A name with quotes, which Kineto did not escape; one with a raw control character. */
	read_text("{\"traceEvents\":[" EVENT("a", "") "," EVENT("b \"quoted\" {x}", "") ",\n" EVENT(
			  "c\x01", "") "," EVENT("d",
						 ",\"args\":{\"bytes\":NaN,}") "],"
									       "\"distributedInfo\""
									       ":{\"rank\":2}}",
		  &run);
	ck_assert_uint_eq(run.spans.len, 3);
	ck_assert_str_eq(str(&run, run.spans.data[1].name), "c\x01");
	ck_assert_str_eq(str(&run, run.spans.data[2].name), "d");
	ck_assert_int_eq(run.rank, 2);
	ck_assert(says(&run, "kineto-events-skipped", "1 of 4 events"));
	ck_assert_uint_eq(diag(&run, "json-syntax"), 1);
	ck_assert_uint_eq(diag(&run, "json-control-character"), 1);
	mlv_run_fini(&run);
	/* A log line with quotes before the events. */
	read_text("{\"schemaVersion\":1,\"INFO\":[\"said \"hello\"\"],\"traceEvents\":[" EVENT(
			  "a", "") "]}",
		  &run);
	ck_assert_uint_eq(run.spans.len, 1);
	mlv_run_fini(&run);
	/* What no event can do without, and what is none. */
	read_text(
		"{\"traceEvents\":[{\"ph\":\"X\",\"ts\":1},{\"ph\":\"X\",\"dur\":1},{\"ph\":\"i\"},"
		"{\"name\":\"x\"},7,[1,{}],{\"ph\":\"X\",\"ts\":1e300,\"dur\":1}," EVENT("a",
											 "") "]}",
		&run);
	ck_assert_uint_eq(run.spans.len, 1);
	ck_assert(says(&run, "kineto-events-skipped", "7 of 8 events"));
	mlv_run_fini(&run);
}
END_TEST

START_TEST(truncated_anywhere)
{
	struct mlv_run run;
	size_t before = 0, list = (size_t)(strstr(modern, "[\n  {\"ph\"") - modern);
	limits = mlv_limits_default;
	for (size_t n = 1; n < sizeof(modern) - 1; n++) {
		enum mlv_rc rc = read_bytes(modern, n, n % 7, &run);
		ck_assert_int_eq(rc, n > list ? MLV_OK : MLV_E_FORMAT);
		if (!rc) {
			size_t rows = run.spans.len + run.mem_events.len + run.samples.len;
			ck_assert_uint_ge(rows, before);
			ck_assert_uint_ge(diag(&run, "json-truncated"), 1);
			before = rows;
		}
		mlv_run_fini(&run);
	}
	ck_assert_uint_eq(before, 5 + 4 + 7);
}
END_TEST

/* The trace with something wrong in it: no more than two events are lost by it. */
static void check_damaged(const char *p, size_t n)
{
	struct mlv_run run;
	limits = mlv_limits_default;
	if (read_bytes(p, n, 0, &run) == MLV_OK && !says(&run, "json-syntax", "document"))
		unit_check(mlv_run_property(&run, "trace", "events")->number >= 15);
	mlv_run_fini(&run);
}

START_TEST(a_line_or_byte_is_missing)
{
	char text[sizeof(modern)];
	for (size_t at = 0; at < sizeof(modern) - 1;) {
		size_t n = strcspn(modern + at, "\n") + 1;
		n = at + n > sizeof(modern) - 1 ? sizeof(modern) - 1 - at : n;
		memcpy(text, modern, at);
		memcpy(text + at, modern + at + n, sizeof(modern) - 1 - at - n);
		check_damaged(text, sizeof(modern) - 1 - n);
		at += n;
	}
	for (size_t at = 0; at < sizeof(modern) - 1; at++) {
		memcpy(text, modern, sizeof(modern));
		memmove(text + at, text + at + 1, sizeof(modern) - at - 1);
		check_damaged(text, sizeof(modern) - 2);
		memcpy(text, modern, sizeof(modern));
		text[at] = '"';
		check_damaged(text, sizeof(modern) - 1);
	}
}
END_TEST

START_TEST(limits_are_kept)
{
	struct mlv_run run;
	static const char text[] = "[" EVENT("a", "") "," EVENT("b", "") "]";
	limits = mlv_limits_default;
	limits.rows = 1;
	ck_assert_int_eq(read_bytes(text, sizeof(text) - 1, 0, &run), MLV_E_LIMIT);
	mlv_run_fini(&run);
	limits.rows = 2;
	ck_assert_int_eq(read_bytes(text, sizeof(text) - 1, 0, &run), MLV_OK);
	mlv_run_fini(&run);
	limits.string = 4;
	ck_assert_int_eq(read_bytes(text, sizeof(text) - 1, 0, &run), MLV_OK);
	mlv_run_fini(&run);
}
END_TEST

static const char *claims(const char *text)
{
	const struct mlv_parser *parser;
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_bytes head = { (const uint8_t *)text, strlen(text) };
	return mlv_parser_find(head, NULL, &parser, &err) ? "none" : parser->name;
}

START_TEST(what_is_a_trace)
{
	ck_assert_str_eq(claims(modern), "kineto");
	ck_assert_str_eq(claims("{\"traceEvents\": []}"), "kineto");
	ck_assert_str_eq(claims("[{\"name\": \"a\", \"ph\": \"X\", \"ts\": 1, \"pid\": 0"),
			 "kineto");
	ck_assert_str_eq(claims("{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0"),
			 "kineto");
	ck_assert_str_ne(claims("[{\"name\": \"a\", \"ts\": 1, \"pid\": 0}]"), "kineto");
	ck_assert_str_ne(claims("{\"segments\": [], \"device_traces\": []}"), "kineto");
	ck_assert_str_ne(claims("the \"traceEvents\" of a log"), "kineto");
	struct mlv_run run;
	limits = mlv_limits_default;
	ck_assert_int_eq(read_bytes("{\"schemaVersion\":1}", 19, 0, &run), MLV_E_FORMAT);
	mlv_run_fini(&run);
	ck_assert_int_eq(read_bytes("no", 2, 0, &run), MLV_E_FORMAT);
	mlv_run_fini(&run);
}
END_TEST

struct recording {
	const char *variable, *file;
	int64_t rank;
	size_t spans, kernels;
	int64_t kernel_ns, all_ns;
	size_t memory;
	int64_t allocated, reserved; /* at the end */
};

/* Taken from the JSON by a script of a few lines, with decimals for the times. */
static const struct recording recordings[] = {
	{ "CORPUS", "profiler/trace-mem.json.zst", -1, 5472, 278, 1260284, 442545068, 648,
	  622401536, 1157627904 },
	{ "CORPUS", "profiler/trace-small.json.gz", -1, 4529, 418, 1901175, 113287712, 0, -1, -1 },
	{ "CORPUS", "run-base/trace-rank0.json.zst", 0, 37825, 4090, 537945885, INT64_C(4696669419),
	  9432, 396007936, INT64_C(3724541952) },
	{ "CORPUS", "run-base/trace-rank1.json.zst", 1, 37707, 4090, 607013559, INT64_C(4863748098),
	  9432, 396634624, INT64_C(3724541952) },
	{ "CORPUS", "run-base/trace-rank2.json.zst", 2, 37780, 4092, 461466848, INT64_C(4407352124),
	  9432, 396139008, INT64_C(3724541952) },
	{ "CORPUS", "run-base/trace-rank3.json.zst", 3, 37829, 4090, 600451636, INT64_C(4841097713),
	  9432, 398334464, INT64_C(4905238528) },
	{ "CORPUS", "run-regressed/trace-rank0.json.zst", 0, 31603, 4118, 504020650,
	  INT64_C(3825398403), 7418, 528685568, INT64_C(5632950272) },
	{ "CORPUS", "run-regressed/trace-rank1.json.zst", 1, 31825, 4118, 551094943,
	  INT64_C(4571833710), 7418, 528652800, INT64_C(5632950272) },
	{ "CORPUS", "run-regressed/trace-rank2.json.zst", 2, 30596, 3382, 430097000,
	  INT64_C(3767089912), 7418, 528652800, INT64_C(5645533184) },
	{ "CORPUS", "run-regressed/trace-rank3.json.zst", 3, 31603, 4118, 527296930,
	  INT64_C(4382308436), 7418, 593369600, INT64_C(7918845952) },
	{ "PUBLIC", "traces/hta-amd_trace_mi250_minitoy_train_ROCm6_2_kineto.json.gz", -1, 115, 14,
	  110881, 52276266, 0, -1, -1 },
	{ "PUBLIC", "traces/hta-call_stack_backward_thread.json", 0, 7, 1, 45000, 521799000, 0, -1,
	  -1 },
	{ "PUBLIC", "traces/hta-cpu_only_rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", 34, 18, 0,
	  0, INT64_C(3635095146), 0, -1, -1 },
	{ "PUBLIC",
	  "traces/hta-critical_path_alexnet_benchmark_result_2869224_1695835535_trace.json.gz", 0,
	  870, 79, 10692000, INT64_C(307784449000), 0, -1, -1 },
	{ "PUBLIC", "traces/hta-mtia_inference_trace_mtia_inference_rank_0.json.gz", -1, 14181, 0,
	  0, INT64_C(7594837696), 0, -1, -1 },
};

static int64_t last_value(const struct mlv_run *run, const char *metric)
{
	int64_t value = -1;
	for (size_t i = 0; i < run->samples.len; i++) {
		if (!strcmp(str(run, run->samples.data[i].metric), metric))
			value = run->samples.data[i].value.mantissa;
	}
	return value;
}

static void check_recording(const struct recording *want, const struct mlv_run *run)
{
	size_t kernels = 0;
	int64_t kernel_ns = 0, all_ns = 0;
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		bool kernel = !strcmp(str(run, s->category), "kernel");
		kernels += kernel;
		kernel_ns += kernel ? s->end_ns - s->start_ns : 0;
		all_ns += s->end_ns - s->start_ns;
	}
	ck_assert_int_eq(run->rank, want->rank);
	ck_assert_uint_eq(run->spans.len, want->spans);
	ck_assert_uint_eq(kernels, want->kernels);
	ck_assert_int_eq(kernel_ns, want->kernel_ns);
	ck_assert_int_eq(all_ns, want->all_ns);
	ck_assert_uint_eq(run->mem_events.len, want->memory);
	ck_assert_int_eq(last_value(run, "allocated"), want->allocated);
	ck_assert_int_eq(last_value(run, "reserved"), want->reserved);
	ck_assert_uint_eq(run->diags.list.len, 0);
}

START_TEST(real_traces)
{
	limits = mlv_limits_default;
	for (size_t i = 0; i < sizeof(recordings) / sizeof(recordings[0]); i++) {
		const struct recording *r = &recordings[i];
		const char *folder = getenv(r->variable);
		char path[1024];
		struct mlv_source *src;
		struct mlv_run run;
		struct mlv_err err = MLV_ERR_INIT;
		if (!folder || !*folder)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, r->file);
		ck_assert_msg(!mlv_source_open(&src, path, &limits, &err), "%s", path);
		ck_assert_msg(!read_source(src, &run, &err), "%s: %s", path, err.msg);
		check_recording(r, &run);
		mlv_run_fini(&run);
	}
}
END_TEST

UNIT_MAIN("kineto", spans_of_a_modern_trace, memory_of_a_modern_trace,
	  what_stands_around_the_events, times_are_exact, absolute_and_relative_times,
	  begin_and_end, counters, old_writers, a_damaged_event_is_lost_alone, truncated_anywhere,
	  a_line_or_byte_is_missing, limits_are_kept, what_is_a_trace, real_traces)
