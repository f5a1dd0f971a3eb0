/* SPDX-License-Identifier: MIT */
/*
 * Memory timelines in both forms. The two exports of one recording (CORPUS)
 * must say the same, and what a script of a few lines took from them.
 */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/source.h"
#include "parsers/parser.h"

static struct mlv_limits limits;

static enum mlv_rc read_source(struct mlv_source *src, struct mlv_run *run)
{
	struct mlv_reader r;
	struct mlv_err err = MLV_ERR_INIT;
	const struct mlv_parser *parser;
	ck_assert(mlv_run_init(run, "timeline"));
	mlv_reader_init(&r, src);
	ck_assert(
		!mlv_parser_find((struct mlv_bytes){ NULL, 0 }, "memory-timeline", &parser, &err));
	struct mlv_parse p = { .reader = &r, .run = run, .limits = &limits };
	enum mlv_rc rc = parser->parse(&p, &err);
	mlv_reader_fini(&r);
	mlv_source_close(src);
	return rc;
}

static enum mlv_rc read_text(const char *text, size_t n, size_t chunk, struct mlv_run *run)
{
	struct mlv_source *src;
	struct mlv_bytes bytes = { (const uint8_t *)text, n };
	ck_assert(!mlv_source_memory(&src, "timeline", bytes, chunk, &limits, NULL));
	return read_source(src, run);
}

static const char *metric(const struct mlv_run *run, size_t i)
{
	return mlv_run_str(run, run->samples.data[i].metric).p;
}

static const char raw[] = "[[-1, 1, 786432, 0], [-1, 1, 512, 0], [-1, 1, 64, 7], "
			  "[1795976943571853160, 2, 100, 3], [1795976943571853160, 3, -64, 7], "
			  "[1795976943571853160, 3, 64, 4], [1795976943571853999, 4, -100, 3]]";

/* The same; the first time comes twice, once for what existed before. */
static const char sums[] =
	"[[1795976943571853, 1795976943571853, 1795976943571854], "
	"[[0, 786944, 0, 0, 0, 0, 0, 0, 64], [0, 786944, 0, 0, 100, 64, 0, 0, 0], "
	"[0, 786944, 0, 0, 0, 64.0, 0, 0, 0]]]";

static const struct {
	const char *metric;
	int64_t ns, us, bytes;
} want[] = {
	{ "parameter", 1795976943571853160, 1795976943571853, 786944 },
	{ "unknown", 1795976943571853160, 1795976943571853, 64 },
	{ "temporary", 1795976943571853160, 1795976943571853, 100 },
	{ "activation", 1795976943571853160, 1795976943571853, 64 },
	{ "unknown", 1795976943571853160, 1795976943571853, 0 },
	{ "temporary", 1795976943571853999, 1795976943571854, 0 },
};

enum { WANT = sizeof(want) / sizeof(want[0]) };

static void check(const struct mlv_run *run, bool is_raw)
{
	ck_assert_uint_eq(run->samples.len, WANT);
	ck_assert_uint_eq(run->diags.list.len, 0);
	for (size_t i = 0; i < WANT; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		ck_assert_str_eq(metric(run, i), want[i].metric);
		ck_assert_int_eq(s->time_ns, is_raw ? want[i].ns : want[i].us * 1000);
		ck_assert_int_eq(s->value.mantissa, want[i].bytes);
		ck_assert_int_eq(s->value.exponent, 0);
		ck_assert_int_eq(s->value.unit, MLV_UNIT_BYTES);
		ck_assert_uint_eq(s->track.i, MLV_TRACK_NONE.i);
	}
}

START_TEST(both_forms)
{
	struct mlv_run run;
	limits = mlv_limits_default;
	for (size_t chunk = 0; chunk < 40; chunk++) {
		ck_assert_int_eq(read_text(raw, sizeof(raw) - 1, chunk, &run), MLV_OK);
		check(&run, true);
		ck_assert_uint_eq(run.sections.data[0].rows, 7);
		ck_assert_str_eq(run.sections.data[0].format, "memory-timeline");
		mlv_run_fini(&run);
		ck_assert_int_eq(read_text(sums, sizeof(sums) - 1, chunk, &run), MLV_OK);
		check(&run, false);
		ck_assert_uint_eq(run.sections.data[0].rows, 3);
		mlv_run_fini(&run);
	}
}
END_TEST

START_TEST(times_in_nanoseconds)
{
	/* PyTorch up to 2.1: nanoseconds and floats. */
	static const char old[] = "[[1666149715428509123], [[0, 1.0, 2.5, 0, 0, 0, 0, 0, 0]]]";
	struct mlv_run run;
	limits = mlv_limits_default;
	ck_assert_int_eq(read_text(old, sizeof(old) - 1, 0, &run), MLV_OK);
	ck_assert_uint_eq(run.samples.len, 2);
	ck_assert_int_eq(run.samples.data[0].time_ns, 1666149715428509123);
	ck_assert_int_eq(run.samples.data[1].value.mantissa, 25);
	ck_assert_int_eq(run.samples.data[1].value.exponent, -1);
	mlv_run_fini(&run);
}
END_TEST

static bool has(const struct mlv_run *run, const char *code)
{
	for (size_t i = 0; i < run->diags.list.len; i++) {
		if (!strcmp(run->diags.list.data[i].code, code))
			return true;
	}
	return false;
}

START_TEST(damage)
{
	struct mlv_run run;
	limits = mlv_limits_default;
	for (size_t n = 1; n < sizeof(raw) - 2; n++) {
		if (!read_text(raw, n, n % 5, &run))
			ck_assert(has(&run, "json-truncated"));
		ck_assert_uint_le(run.samples.len, WANT);
		mlv_run_fini(&run);
	}
	for (size_t n = 1; n < sizeof(sums) - 2; n++) {
		if (!read_text(sums, n, n % 5, &run))
			ck_assert(has(&run, "json-truncated"));
		ck_assert_uint_le(run.samples.len, WANT);
		mlv_run_fini(&run);
	}
	static const char odd[] =
		"[[-1, 1, 5, 0], [2, 2, 1, 9], [3, 2, \"x\", 1], 7, [4, 2, 6, 0, 1], "
		"[5, 2, 9223372036854775807, 0], [6, 2, 6, 1]]";
	ck_assert_int_eq(read_text(odd, sizeof(odd) - 1, 0, &run), MLV_OK);
	ck_assert(has(&run, "memory-timeline-rows"));
	ck_assert_str_eq(metric(&run, run.samples.len - 1), "optimizer_state");
	mlv_run_fini(&run);
	static const char fewer[] = "[[1, 2, 3], [[0, 1, 0, 0, 0, 0, 0, 0, 0], [0, 1]]]";
	ck_assert_int_eq(read_text(fewer, sizeof(fewer) - 1, 0, &run), MLV_OK);
	ck_assert(has(&run, "memory-timeline-rows"));
	ck_assert_uint_eq(run.samples.len, 1);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(limits_are_kept)
{
	struct mlv_run run;
	limits = mlv_limits_default;
	limits.rows = 2;
	ck_assert_int_eq(read_text(raw, sizeof(raw) - 1, 0, &run), MLV_E_LIMIT);
	mlv_run_fini(&run);
	ck_assert_int_eq(read_text(sums, sizeof(sums) - 1, 0, &run), MLV_E_LIMIT);
	mlv_run_fini(&run);
}
END_TEST

static bool claims(const char *text)
{
	const struct mlv_parser *parser;
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_bytes head = { (const uint8_t *)text, strlen(text) };
	return !mlv_parser_find(head, NULL, &parser, &err) &&
	       !strcmp(parser->name, "memory-timeline");
}

START_TEST(what_is_a_timeline)
{
	ck_assert(claims(raw));
	ck_assert(claims(sums));
	ck_assert(claims("[[5,2,7,3]]"));
	ck_assert(!claims("[[1, 2], [3, 4]]"));
	ck_assert(!claims("[[5,9,7,3],[1,2,3,4]]"));
	ck_assert(!claims("[[1.5, 2], [[0, 1]]]"));
	ck_assert(!claims("[[], []]"));
	ck_assert(!claims("[[\"a\"]]"));
	ck_assert(!claims("[[1, 2"));
	/* Times that fill what is looked at. */
	static char many[40000];
	size_t n = (size_t)snprintf(many, sizeof(many), "[[1795976943571853");
	while (n < sizeof(many) - 40)
		n += (size_t)snprintf(many + n, sizeof(many) - n, ", 1795976943571853");
	ck_assert(claims(many));
}
END_TEST

/* Peak and last sum of each category. */
static const struct {
	const char *metric;
	int64_t peak, last;
} recorded[] = {
	{ "parameter", 4216832, 4216832 }, { "optimizer_state", 8433664, 8433664 },
	{ "input", 524288, 524288 },       { "temporary", 1064960, 0 },
	{ "activation", 15761920, 0 },     { "gradient", 4216832, 0 },
	{ "autograd_detail", 4718592, 0 }, { "unknown", 4216832, 0 },
};

START_TEST(both_exports_of_a_recording)
{
	static const char *const files[] = { "memory-timeline.json",
					     "memory-timeline.raw.json.gz" };
	const char *corpus = getenv("CORPUS");
	limits = mlv_limits_default;
	for (size_t f = 0; f < 2 && corpus && *corpus; f++) {
		char path[1024];
		struct mlv_source *src;
		struct mlv_run run;
		snprintf(path, sizeof(path), "%s/profiler/%s", corpus, files[f]);
		ck_assert(!mlv_source_open(&src, path, &limits, NULL));
		ck_assert(!read_source(src, &run));
		for (size_t k = 0; k < sizeof(recorded) / sizeof(recorded[0]); k++) {
			int64_t peak = -1, last = -1;
			for (size_t i = 0; i < run.samples.len; i++) {
				if (strcmp(metric(&run, i), recorded[k].metric) != 0)
					continue;
				last = run.samples.data[i].value.mantissa;
				peak = last > peak ? last : peak;
			}
			ck_assert_int_eq(peak, recorded[k].peak);
			ck_assert_int_eq(last, recorded[k].last);
		}
		ck_assert_uint_eq(run.diags.list.len, 0);
		mlv_run_fini(&run);
	}
}
END_TEST

UNIT_MAIN("memory_timeline", both_forms, times_in_nanoseconds, damage, limits_are_kept,
	  what_is_a_timeline, both_exports_of_a_recording)
