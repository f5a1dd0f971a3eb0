/* SPDX-License-Identifier: MIT */
/* From observations to findings, and to Markdown. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "report/ci/markdown.h"
#include "report/ci/report.h"
#include "report/ci/report_json.h"
#include "report/ci/stated.h"
#include "report/ci/summary_md.h"
#include "report/ci/tracebacks.h"

static void observe(struct mlv_report *r, const char *rule, const char *subject, int64_t rank,
		    double bytes)
{
	struct mlv_observation *o = mlv_observe(r, rule, subject);
	ck_assert_ptr_nonnull(o);
	o->head = mlv_report_say(r, "it is %s", subject);
	o->value = mlv_report_say(r, "%.0f B", bytes);
	o->rank = rank;
	o->has_actual = true;
	o->metric = "growth";
	o->unit = "B";
	o->actual = o->weight = bytes;
	o->input = mlv_report_say(r, "rank%d", (int)rank);
}

static const struct mlv_ci_finding *at(const struct mlv_report *r, size_t i)
{
	ck_assert_uint_lt(i, r->findings.list.len);
	return &r->findings.list.data[i];
}

START_TEST(ranks_share_a_finding)
{
	struct mlv_report r;
	mlv_report_init(&r);
	observe(&r, "memory-growth", "step a.py", 2, 10);
	observe(&r, "memory-growth", "step a.py", 3, 40);
	observe(&r, "memory-growth", "step a.py", 0, 10);
	observe(&r, "memory-growth", "step a.py", 1, 10);
	observe(&r, "memory-growth", "step a.py", 7, 10);
	observe(&r, "memory-growth", "other a.py", 5, 99);
	mlv_report_finish(&r, NULL, NULL, NULL);
	ck_assert_uint_eq(r.findings.list.len, 2);
	ck_assert_str_eq(at(&r, 0)->message, "it is other a.py: rank 5: 99 B");
	ck_assert_str_eq(at(&r, 1)->message, "it is step a.py: rank 3: 40 B; ranks 0-2, 7: 10 B");
	ck_assert_str_eq(at(&r, 1)->ranks, "0-3, 7");
	unit_check(at(&r, 1)->actual == 40);
	ck_assert_int_eq(r.state, MLV_REPORT_ERROR);
	mlv_report_fini(&r);
}
END_TEST

START_TEST(order_and_fingerprints)
{
	struct mlv_report a, b;
	mlv_report_init(&a);
	mlv_report_init(&b);
	observe(&a, "imbalance", "peak", 0, 1e12);
	observe(&a, "straggler", "collectives", 2, 5);
	observe(&a, "memory-growth", "step a.py", 0, 10);
	observe(&a, "memory-growth", "step a.py", 1, 20);
	observe(&a, "out-of-memory", "capacity", 1, 1);
	/* The same of another run: other values, ranks, and order. */
	observe(&b, "memory-growth", "step a.py", 6, 70);
	observe(&b, "out-of-memory", "capacity", 3, 5);
	observe(&b, "memory-growth", "step a.py", 4, 7);
	observe(&b, "straggler", "collectives", 0, 9);
	observe(&b, "imbalance", "peak", 9, 3);
	mlv_report_finish(&a, NULL, NULL, NULL);
	mlv_report_finish(&b, NULL, NULL, NULL);
	static const char *const rules[] = { "out-of-memory", "memory-growth", "straggler",
					     "imbalance" };
	ck_assert_uint_eq(a.findings.list.len, 4);
	ck_assert_uint_eq(b.findings.list.len, 4);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_str_eq(at(&a, i)->rule->id, rules[i]);
		ck_assert_str_eq(at(&b, i)->rule->id, rules[i]);
		ck_assert_uint_eq(at(&a, i)->fingerprint, at(&b, i)->fingerprint);
		for (size_t k = 0; k < i; k++)
			ck_assert_uint_ne(at(&a, i)->fingerprint, at(&a, k)->fingerprint);
	}
	mlv_report_fini(&a);
	mlv_report_fini(&b);
}
END_TEST

/* What a text states, without what is of one run. */
START_TEST(subjects)
{
	struct mlv_report r;
	static const char *const pairs[][2] = {
		{ "Leaked 1,024 bytes at 0x7fce32800200", "leak: Leaked # bytes at #" },
		{ "cannot open /home/me/run-3/data.bin here", "leak: cannot open data.bin here" },
		{ "rank 3 took 12.5 s, 1e-5 of it", "leak: rank # took # s, #-# of it" },
		{ "fp32 and v2 stay", "leak: fp32 and v2 stay" },
	};
	mlv_report_init(&r);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		ck_assert_str_eq(mlv_stated_subject(&r, MLV_STR("leak"), mlv_str_of(pairs[i][0])),
				 pairs[i][1]);
	ck_assert(mlv_stated_oom(MLV_STR("cuda-oom"), MLV_STR("")));
	ck_assert(mlv_stated_oom(MLV_STR("traceback"),
				 MLV_STR("torch.OutOfMemoryError: CUDA out of memory.")));
	ck_assert(!mlv_stated_oom(MLV_STR("traceback"), MLV_STR("ValueError: memory")));
	ck_assert(mlv_stated_of_hang(MLV_STR("nccl-watchdog-timeout"), MLV_STR("")));
	ck_assert(!mlv_stated_of_hang(MLV_STR("traceback"), MLV_STR("ValueError: x")));
	mlv_report_fini(&r);
}
END_TEST

static void renders(const char *text, const char *want)
{
	struct mlv_buf b = { 0 };
	mlv_md_text(&b, text);
	ck_assert_str_eq(b.data ? b.data : "", want);
	mlv_buf_fini(&b);
}

static void as_code(const char *text, const char *want)
{
	struct mlv_buf b = { 0 };
	mlv_md_code(&b, text);
	ck_assert_str_eq(b.data ? b.data : "", want);
	mlv_buf_fini(&b);
}

START_TEST(markdown)
{
	renders("forward gen_run.py:32", "forward gen_run.py:32");
	renders("<img src=x onerror=alert(1)>", "\\<img src=x onerror=alert(1)\\>");
	renders("a|b\nc", "a\\|b c");
	renders("**x** _y_ `z` ~~w~~", "\\*\\*x\\*\\* \\_y\\_ \\`z\\` \\~\\~w\\~\\~");
	renders("[a](http://b)", "\\[a\\](http:\u2060//b)");
	renders("www.x.org", "www.\u2060x.org");
	renders("@team #12", "@\u2060team #\u206012");
	renders("- a", "\\- a");
	renders("12. a", "12\\. a");
	renders("# a", "\\# a");
	renders("&lt; $x$ \\", "\\&lt; \\$x\\$ \\\\");
	renders("a\x1b[2J\xe2\x80\xae", "a\ufffd\\[2J\ufffd");
	as_code("a`b", "`` a`b ``");
	as_code("``", "``` `` ```");
	as_code("a|b", "`a\\|b`");
	as_code("", "");
}
END_TEST

/* A summary holds to its size, and says what it left out. */
START_TEST(summary_is_cut)
{
	struct mlv_report r;
	struct mlv_buf whole = { 0 }, cut = { 0 };
	mlv_report_init(&r);
	for (int i = 0; i < 400; i++) {
		char subject[32];
		snprintf(subject, sizeof(subject), "site %d", i);
		observe(&r, "memory-growth", mlv_report_say(&r, "%s", subject), i, 1000 - i);
	}
	mlv_report_finish(&r, NULL, NULL, NULL);
	ck_assert_uint_eq(mlv_summary_md(&r, NULL, 0, &whole), 0);
	size_t left = mlv_summary_md(&r, NULL, 16384, &cut);
	ck_assert_uint_gt(left, 0);
	ck_assert_uint_lt(left, 400);
	ck_assert_ptr_nonnull(strstr(whole.data, "site 399"));
	ck_assert_ptr_null(strstr(whole.data, "are cut"));
	ck_assert_uint_lt(cut.len, 16384);
	ck_assert_ptr_nonnull(strstr(cut.data, "it is site 0"));
	ck_assert_ptr_null(strstr(cut.data, "site 399"));
	ck_assert_ptr_nonnull(strstr(cut.data, " findings that are less important are cut"));
	mlv_buf_fini(&whole);
	mlv_buf_fini(&cut);
	mlv_report_fini(&r);
}
END_TEST

/* Every one by its definition, of overlapping and nested ones: the first by its line. */
START_TEST(traceback_of_statement)
{
	struct mlv_run run;
	struct mlv_tracebacks t;
	mlv_strid traceback, other;
	uint32_t random = 1, line = 0, around = 0;
	ck_assert(mlv_run_init(&run, "a.log"));
	ck_assert(mlv_run_intern(&run, MLV_STR("traceback"), &traceback));
	ck_assert(mlv_run_intern(&run, MLV_STR("error"), &other));
	for (int i = 0; i < 500; i++) {
		struct mlv_finding f = { 0 };
		random = random * 1664525 + 1013904223;
		f.code = random >> 31 ? traceback : other;
		f.line = line += (random >> 20) % 4;
		f.last_line = line + (random >> 8) % 9;
		ck_assert(mlv_vec_push(&run.findings, f));
	}
	ck_assert(mlv_tracebacks_init(&t, &run));
	for (size_t i = 0; i < run.findings.len; i++) {
		const struct mlv_finding *f = &run.findings.data[i], *want = NULL;
		for (size_t k = 0; !want && k < run.findings.len; k++) {
			const struct mlv_finding *b = &run.findings.data[k];
			if (k != i && b->code.i == traceback.i && f->line >= b->line &&
			    f->last_line <= b->last_line + 1)
				want = b;
		}
		ck_assert_ptr_eq(mlv_traceback_around(&t, f), want);
		around += want != NULL;
	}
	ck_assert_uint_gt(around, 100);
	ck_assert_uint_lt(around, 500);
	mlv_tracebacks_fini(&t);
	mlv_run_fini(&run);
}
END_TEST

UNIT_MAIN("ci_report", ranks_share_a_finding, order_and_fingerprints, subjects, markdown,
	  summary_is_cut, traceback_of_statement)
