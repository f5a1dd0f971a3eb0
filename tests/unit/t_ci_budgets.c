/* SPDX-License-Identifier: MIT */
/* Budgets: reading them, holding them against figures, and figures as a file. */
#include <stdio.h>
#include <string.h>

#include "report/ci/baseline.h"
#include "report/ci/budget_judge.h"
#include "report/quantity.h"
#include "unit.h"

/* ---- reading ---- */

static enum mlv_rc read_file(struct mlv_budgets *b, const char *text, struct mlv_err *err)
{
	*err = MLV_ERR_INIT;
	return mlv_budgets_read(b, "b.json", mlv_str_of(text), err);
}

static struct mlv_budgets read_list(const char *list)
{
	static char text[20000];
	struct mlv_budgets b;
	struct mlv_err err;
	snprintf(text, sizeof(text), "{\"schema\":\"mlviz.budgets/1\",\"budgets\":[%s]}", list);
	enum mlv_rc rc = read_file(&b, text, &err);
	ck_assert_msg(rc == MLV_OK, "%.60s: %s", list, err.msg);
	return b;
}

START_TEST(test_read)
{
	struct mlv_budgets b = read_list(
		"{\"name\":\"peak\",\"metric\":\"reserved_peak\",\"max\":\"70 "
		"GiB\",\"per\":\"max\","
		"\"comment\":\"of an H100\"},"
		"{\"metric\":\"allocated_peak\",\"max_increase\":\"5%\",\"floor\":\"64 MiB\"},"
		"{\"metric\":\"growth\",\"max\":\"1 MiB\",\"required\":true},"
		"{\"metric\":\"growth\",\"max_increase\":\"1MB\"},"
		"{\"metric\":\"call_time\",\"subject\":\"aten::*\",\"column\":\"Self CUDA\","
		"\"max_increase\":\"2 ms\",\"floor\":\"10.5%\"},"
		"{\"metric\":\"fragmentation\",\"max\":\"12.000001%\"},"
		"{\"metric\":\"findings\",\"subject\":\"errors\",\"max\":0}");
	const struct mlv_budget *x = b.list.data;
	ck_assert_uint_eq(b.list.len, 7);
	ck_assert_str_eq(x[0].name, "peak");
	ck_assert(x[0].absolute && x[0].max == INT64_C(70) << 30 && x[0].per == MLV_PER_MAX);
	ck_assert_str_eq(x[1].name, "allocated_peak");
	ck_assert(!x[1].absolute && x[1].has_share && x[1].share == 5 * MLV_PERCENT);
	ck_assert(x[1].has_floor && x[1].floor == 64 << 20 && x[1].per == MLV_PER_RANK);
	ck_assert(x[2].required && !x[3].required);
	ck_assert_str_eq(x[3].name, "growth (2)");
	ck_assert(!x[3].has_share && x[3].has_floor && x[3].floor == 1000000);
	ck_assert_str_eq(x[4].name, "call_time aten::*");
	ck_assert(x[4].share == 10500000 && x[4].floor == 2000000);
	ck_assert_int_eq(x[5].max, 12000001);
	ck_assert_int_eq(x[6].max, 0);
	mlv_budgets_fini(&b);
}
END_TEST

/* A document, and what is said of it. */
static const struct {
	const char *text, *said;
} wrong[] = {
	{ "", "line 1, column 1: the JSON ends here, unfinished" },
	{ "{", "line 1, column 1: the JSON ends here, unfinished" },
	{ "[]", "line 1, column 1: this must be an object, { ... }" },
	{ "{} x", "line 1, column 4: there is more behind the end of the JSON" },
	{ "{\n \"schema\": 1x\n}", "line 2, column 13: this is no JSON" },
	{ "{\"a\": \"\xff\"}", "line 1, column 8: the text is not UTF-8" },
	{ "{\"budgets\":[]}", "line 1, column 1: the object has no \"schema\": "
			      "\"mlviz.budgets/1\"" },
	{ "{\"schema\":\"mlviz.budgets/2\"}",
	  "line 1, column 11: the schema is 'mlviz.budgets/2' and must be 'mlviz.budgets/1'" },
	{ "{\"schema\":\"mlviz.budgets/1\",\n \"budget\":[]}",
	  "line 2, column 2: unknown key 'budget'; did you mean 'budgets'?" },
	{ "{\"schema\":\"mlviz.budgets/1\",\"budgets\":[]}",
	  "line 1, column 39: \"budgets\" must be a list of at least one budget" },
	{ "{\"schema\":\"mlviz.budgets/1\",\"schema\":\"mlviz.budgets/1\"}",
	  "line 1, column 29: 'schema' stands here twice" },
};

static const struct {
	const char *budget, *said; /* columns count from the brace of the budget */
} wrong_budgets[] = {
	{ "7", "line 2, column 1: a budget must be an object, { ... }" },
	{ "{}", "line 2, column 1: the budget has no \"metric\"" },
	{ "{\"\xc3\xa4\":1,\"metric\":\"growth\",\"mx\":1}",
	  "line 2, column 2: unknown key '\xc3\xa4'" },
	{ "{\"metric\":\"growth\",\n\t\"max_incerase\":\"5%\"}",
	  "line 3, column 2: unknown key 'max_incerase'; did you mean 'max_increase'?" },
	{ "{\"metric\":\"peak_reserved\",\"max\":\"1 GiB\"}",
	  "line 2, column 11: there is no metric 'peak_reserved'; did you mean 'reserved_peak'?" },
	{ "{\"metric\":\"grwth\"}",
	  "line 2, column 11: there is no metric 'grwth'; did you mean 'growth'?" },
	{ "{\"metric\":\"xyzzy\"}",
	  "line 2, column 11: there is no metric 'xyzzy'; docs/budgets.md lists them" },
	{ "{\"metric\":[\"growth\"]}", "line 2, column 11: 'metric' must be a text" },
	{ "{\"metric\":\"growth\"}",
	  "line 2, column 1: the budget has neither 'max' nor 'max_increase'" },
	{ "{\"metric\":\"growth\",\"max\":\"1 MiB\",\"max_increase\":\"5%\"}",
	  "line 2, column 34: a budget has 'max' or 'max_increase', not both" },
	{ "{\"metric\":\"growth\",\"max\":\"1 MiB\",\"max\":\"1 MiB\"}",
	  "line 2, column 34: 'max' stands here twice" },
	{ "{\"metric\":\"growth\",\"max\":1048576}",
	  "line 2, column 26: '1048576' is no limit for growth; write \"64 MiB\"" },
	{ "{\"metric\":\"growth\",\"max\":\"1 ms\"}",
	  "line 2, column 26: '1 ms' is no limit for growth; write \"64 MiB\"" },
	{ "{\"metric\":\"growth\",\"max\":\"5%\"}",
	  "line 2, column 26: '5%' is no limit for growth; write \"64 MiB\"" },
	{ "{\"metric\":\"growth\",\"max\":\"1 MiBB\"}",
	  "line 2, column 26: '1 MiBB' is no limit; write \"64 MiB\"" },
	{ "{\"metric\":\"growth\",\"max\":\"-1 MiB\"}",
	  "line 2, column 26: '-1 MiB' is no limit; write \"64 MiB\"" },
	{ "{\"metric\":\"growth\",\"max\":{}}",
	  "line 2, column 26: 'max' must be a text such as \"64 MiB\"" },
	{ "{\"metric\":\"growth\",\"max_increase\":\"x\"}",
	  "line 2, column 35: 'x' is no limit; write \"64 MiB\" or \"5%\"" },
	{ "{\"metric\":\"growth\",\"max_increase\":\"5%\",\"floor\":\"1%\"}",
	  "line 2, column 48: of 'max_increase' and 'floor' one is in percent and one is not" },
	{ "{\"metric\":\"growth\",\"max\":\"1 MiB\",\"floor\":\"1 MiB\"}",
	  "line 2, column 34: 'floor' goes with 'max_increase'" },
	{ "{\"metric\":\"fragmentation\",\"max\":\"0.0000001%\"}",
	  "line 2, column 33: '0.0000001%' is too large or too fine" },
	{ "{\"metric\":\"findings\",\"max\":1.5}", "line 2, column 28: '1.5' is no whole number" },
	{ "{\"metric\":\"findings\",\"max\":01}", "line 2, column 28: this is no number of JSON" },
	{ "{\"metric\":\"call_time\",\"max\":\"1 ms\"}",
	  "line 2, column 1: a budget on call_time needs a \"subject\", such as \"aten::mm\" or "
	  "\"aten::*\"" },
	{ "{\"metric\":\"growth\",\"max\":\"1 MiB\",\"per\":\"node\"}",
	  "line 2, column 40: 'per' must be rank, max, sum or mean" },
	{ "{\"metric\":\"growth\",\"max\":\"1 MiB\",\"required\":1}",
	  "line 2, column 45: 'required' must be true or false" },
	{ "{\"name\":\"a\",\"metric\":\"growth\",\"max\":\"1 MiB\"},\n"
	  "{\"name\":\"a\",\"metric\":\"growth\",\"max\":\"2 MiB\"}",
	  "line 3, column 9: another budget has the name 'a'" },
	{ "{\"metric\":\"growth\",\"comment\":\"\\\"{[:,\\\\\",\"max\":7}",
	  "line 2, column 47: '7' is no limit for growth; write \"64 MiB\"" },
};

START_TEST(test_wrong)
{
	struct mlv_budgets b;
	struct mlv_err err;
	char text[1000];
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		ck_assert_int_eq(read_file(&b, wrong[i].text, &err), MLV_E_FORMAT);
		ck_assert_str_eq(err.msg, wrong[i].said);
		ck_assert_str_eq(err.file, "b.json");
	}
	for (size_t i = 0; i < sizeof(wrong_budgets) / sizeof(*wrong_budgets); i++) {
		snprintf(text, sizeof(text), "{\"schema\":\"mlviz.budgets/1\",\"budgets\":[\n%s]}",
			 wrong_budgets[i].budget);
		ck_assert_int_eq(read_file(&b, text, &err), MLV_E_FORMAT);
		ck_assert_str_eq(err.msg, wrong_budgets[i].said);
	}
}
END_TEST

START_TEST(test_limits_of_a_file)
{
	struct mlv_budgets b;
	struct mlv_err err;
	size_t n = MLV_BUDGET_FILE_MOST + 1;
	char *text = malloc(n + 1);
	memset(text, ' ', n);
	text[n] = '\0';
	ck_assert_int_eq(read_file(&b, text, &err), MLV_E_FORMAT);
	ck_assert_str_eq(err.msg, "a file of budgets has 256 KiB at most");
	/* As deep as it may be. */
	memset(text, '[', n);
	text[n - 2] = '\0';
	ck_assert_int_eq(read_file(&b, text, &err), MLV_E_FORMAT);
	/* Keys without end. */
	size_t at = (size_t)sprintf(text, "{\"a\":1");
	for (int i = 0; i < 20000; i++)
		at += (size_t)sprintf(text + at, ",\"%d\":1", i);
	strcpy(text + at, "}");
	ck_assert_int_eq(read_file(&b, text, &err), MLV_E_FORMAT);
	ck_assert_ptr_nonnull(strstr(err.msg, "an object with more than 64 keys"));
	free(text);
}
END_TEST

START_TEST(test_quantities)
{
	static const struct {
		const char *text;
		enum mlv_quantity quantity;
		int64_t exact;
		const char *words;
	} good[] = {
		{ "5%", MLV_SHARE, 5000000, "5 %" },
		{ "0.1 %", MLV_SHARE, 100000, "0.1 %" },
		{ "0.000001%", MLV_SHARE, 1, "0.000001 %" },
		{ "12.345%", MLV_SHARE, 12345000, "12.35 %" },
		{ "64 MiB", MLV_BYTE_COUNT, 67108864, "64.0 MiB" },
		{ "1.5G", MLV_BYTE_COUNT, 1610612736, "1.50 GiB" },
		{ "2 ms", MLV_DURATION, 2000000, "2.0 ms" },
		{ "12", MLV_NUMBER, 12, "12" },
		{ "1234567", MLV_NUMBER, 1234567, "1 234 567" },
	};
	static const char *const bad[] = { "",    "x",   "5 %%",     "-5%", "+5%",  "0x10",
					   "inf", "nan", "5 parsec", "% 5", "1e999" };
	struct mlv_quantity_text q;
	char words[80];
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		ck_assert_msg(mlv_quantity_read(&q, good[i].text), "%s", good[i].text);
		ck_assert_int_eq(q.quantity, good[i].quantity);
		ck_assert_int_eq(q.exact, good[i].exact);
		mlv_quantity_words(q.quantity, q.exact, words, sizeof(words));
		ck_assert_str_eq(words, good[i].words);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ck_assert_msg(!mlv_quantity_read(&q, bad[i]), "%s", bad[i]);
}
END_TEST

START_TEST(test_patterns)
{
	ck_assert(mlv_ci_matches("aten::mm", "aten::mm"));
	ck_assert(!mlv_ci_matches("aten::mm", "aten::mma"));
	ck_assert(mlv_ci_matches("aten::*", "aten::"));
	ck_assert(mlv_ci_matches("*", ""));
	ck_assert(!mlv_ci_matches("?", ""));
	ck_assert(mlv_ci_matches("*a*b?", "xxaxxabc"));
	ck_assert(!mlv_ci_matches("*a*b?", "xxaxxab"));
	/* Not even this takes long. */
	char text[5001];
	memset(text, 'a', 5000);
	text[5000] = '\0';
	ck_assert(!mlv_ci_matches("*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}
END_TEST

/* ---- judging ---- */

static struct mlv_ci_figure *put(struct mlv_ci_figures *f, const char *metric, int64_t rank,
				 const char *subject, int64_t value)
{
	struct mlv_ci_gather g = { .f = f, .name = "in", .source = MLV_FROM_ANY };
	return mlv_ci_figure_add(&g, metric, rank, subject, value);
}

struct judged {
	struct mlv_budgets b;
	struct mlv_budget_results r;
};

static void judge(struct judged *j, const char *list, const struct mlv_ci_figures *now,
		  const struct mlv_ci_figures *base)
{
	struct mlv_err err = MLV_ERR_INIT;
	j->b = read_list(list);
	struct mlv_budget_inputs in = { &j->b, now, base, "there is no baseline" };
	ck_assert_int_eq(mlv_budgets_judge(&j->r, &in, &err), MLV_OK);
}

static void judged_fini(struct judged *j)
{
	mlv_budget_results_fini(&j->r);
	mlv_budgets_fini(&j->b);
}

/* The state of one budget on one value and one of the baseline; -1: none. */
static enum mlv_budget_state one(const char *budget, const char *metric, int64_t now, int64_t base)
{
	struct mlv_ci_figures a, b;
	struct judged j;
	mlv_ci_figures_init(&a, NULL);
	mlv_ci_figures_init(&b, NULL);
	put(&a, metric, 0, "", now);
	if (base >= 0)
		put(&b, metric, 0, "", base);
	mlv_ci_figures_settle(&a);
	mlv_ci_figures_settle(&b);
	judge(&j, budget, &a, base >= 0 ? &b : NULL);
	ck_assert_uint_eq(j.r.list.len, 1);
	enum mlv_budget_state state = j.r.list.data[0].state;
	ck_assert_int_eq(mlv_budget_results_fail(&j.r), state == MLV_BUDGET_PASSED);
	judged_fini(&j);
	mlv_ci_figures_fini(&a);
	mlv_ci_figures_fini(&b);
	return state;
}

#define PEAK "{\"metric\":\"reserved_peak\","

START_TEST(test_border)
{
	const int64_t gib = INT64_C(1) << 30;
	const char *max = PEAK "\"max\":\"70 GiB\"}";
	ck_assert_int_eq(one(max, "reserved_peak", 70 * gib, -1), MLV_BUDGET_KEPT);
	ck_assert_int_eq(one(max, "reserved_peak", 70 * gib + 1, -1), MLV_BUDGET_PASSED);
	/* A tenth of a percent has no binary fraction. */
	const char *share = PEAK "\"max_increase\":\"0.1%\"}";
	ck_assert_int_eq(one(share, "reserved_peak", 1001, 1000), MLV_BUDGET_KEPT);
	ck_assert_int_eq(one(share, "reserved_peak", 1002, 1000), MLV_BUDGET_PASSED);
	for (int64_t base = 1; base < INT64_MAX / 4; base = base * 3 + 1) {
		int64_t least = base / 1000 + base;
		ck_assert_int_eq(one(share, "reserved_peak", least, base), MLV_BUDGET_KEPT);
		ck_assert_int_eq(one(share, "reserved_peak", least + 1, base), MLV_BUDGET_PASSED);
	}
	/* Both floors at once. */
	const char *both = PEAK "\"max_increase\":\"5%\",\"floor\":\"64 MiB\"}";
	const int64_t mib = 1 << 20;
	ck_assert_int_eq(one(both, "reserved_peak", 164 * mib, 100 * mib), MLV_BUDGET_KEPT);
	ck_assert_int_eq(one(both, "reserved_peak", 164 * mib + 1, 100 * mib), MLV_BUDGET_PASSED);
	ck_assert_int_eq(one(both, "reserved_peak", 2100 * mib, 2000 * mib), MLV_BUDGET_KEPT);
	ck_assert_int_eq(one(both, "reserved_peak", 2100 * mib + 1, 2000 * mib), MLV_BUDGET_PASSED);
	ck_assert_int_eq(one(both, "reserved_peak", mib, 2000 * mib), MLV_BUDGET_KEPT);
	/* From nothing, whatever is more is more than any share. */
	ck_assert_int_eq(one(share, "reserved_peak", 0, 0), MLV_BUDGET_KEPT);
	ck_assert_int_eq(one(share, "reserved_peak", 1, 0), MLV_BUDGET_PASSED);
	/* Of shares, points. */
	const char *points = "{\"metric\":\"fragmentation\",\"max_increase\":\"2%\"}";
	ck_assert_int_eq(one(points, "fragmentation", 12000000, 10000000), MLV_BUDGET_KEPT);
	ck_assert_int_eq(one(points, "fragmentation", 12000001, 10000000), MLV_BUDGET_PASSED);
	ck_assert_int_eq(one(both, "reserved_peak", INT64_MAX, INT64_MAX), MLV_BUDGET_KEPT);
}
END_TEST

START_TEST(test_not_judged)
{
	struct mlv_ci_figures f;
	struct judged j;
	mlv_ci_figures_init(&f, NULL);
	struct mlv_ci_figure *x = put(&f, "reserved_peak", 0, "", 100);
	x->complete = false;
	x->why = "it is cut";
	x = put(&f, "growth", 0, "", 0);
	x->known = false;
	x->why = "too few steps";
	mlv_ci_figures_settle(&f);
	judge(&j,
	      PEAK "\"max\":\"1 B\"}," PEAK "\"max\":\"1 B\",\"required\":true},"
		   "{\"metric\":\"growth\",\"max\":\"1 B\"},{\"metric\":\"ooms\",\"max\":0},"
		   "{\"metric\":\"ooms\",\"max\":0,\"required\":true},"
		   "{\"metric\":\"growth\",\"max_increase\":\"5%\"}",
	      &f, NULL);
	const struct mlv_budget_result *r = j.r.list.data;
	ck_assert_uint_eq(j.r.list.len, 6);
	ck_assert_int_eq(r[0].state, MLV_BUDGET_UNKNOWN);
	ck_assert(!r[0].fails && r[1].fails);
	ck_assert_str_eq(r[0].message, "rank 0: peak of reserved memory: 100 B at least; not "
				       "judged, it is cut");
	ck_assert_int_eq(r[2].state, MLV_BUDGET_UNKNOWN);
	ck_assert_str_eq(r[2].message,
			 "rank 0: growth of memory per step: not judged, too few steps");
	ck_assert_int_eq(r[3].state, MLV_BUDGET_NOTICE);
	ck_assert(!r[3].fails && r[4].fails);
	ck_assert_str_eq(r[3].message, "failed requests for memory: not judged, nothing in the "
				       "inputs measures it");
	ck_assert_int_eq(r[5].state, MLV_BUDGET_UNKNOWN);
	judged_fini(&j);
	mlv_ci_figures_fini(&f);
}
END_TEST

/* Three ranks: 10, 20, 31. */
static void ranks(struct mlv_ci_figures *f, size_t n, int64_t more)
{
	static const int64_t values[] = { 10, 20, 31 };
	mlv_ci_figures_init(f, NULL);
	for (size_t i = 0; i < n; i++)
		put(f, "reserved_peak", (int64_t)i, "", values[i] + more);
	mlv_ci_figures_settle(f);
}

START_TEST(test_ranks)
{
	struct mlv_ci_figures now, base;
	struct judged j;
	ranks(&now, 3, 0);
	ranks(&base, 3, -1);
	judge(&j,
	      PEAK "\"max\":\"20 B\"}," PEAK "\"max\":\"31 B\",\"per\":\"max\"}," PEAK
		   "\"max\":\"60 B\",\"per\":\"sum\"}," PEAK
		   "\"max\":\"20 B\",\"per\":\"mean\"}," PEAK "\"max\":\"21 B\",\"per\":\"mean\"}",
	      &now, NULL);
	const struct mlv_budget_result *r = j.r.list.data;
	ck_assert_uint_eq(j.r.list.len, 7);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(r[i].rank, i);
		ck_assert_int_eq(r[i].state, i < 2 ? MLV_BUDGET_KEPT : MLV_BUDGET_PASSED);
	}
	ck_assert_str_eq(r[2].message,
			 "rank 2: peak of reserved memory: 31 B, 11 B above the limit of 20 B");
	ck_assert_str_eq(r[0].message, "rank 0: peak of reserved memory: 10 B; the limit is 20 B");
	ck_assert_int_eq(r[3].state, MLV_BUDGET_KEPT);
	ck_assert_double_eq(r[3].actual, 31);
	ck_assert_int_eq(r[4].state, MLV_BUDGET_PASSED); /* 61 */
	ck_assert_str_eq(
		r[4].message,
		"sum of 3 ranks: peak of reserved memory: 61 B, 1 B above the limit of 60 B");
	ck_assert_int_eq(r[5].state, MLV_BUDGET_PASSED); /* 20 1/3 */
	ck_assert_int_eq(r[6].state, MLV_BUDGET_KEPT);
	judged_fini(&j);

	judge(&j,
	      PEAK "\"max_increase\":\"3 B\",\"per\":\"sum\"}," PEAK
		   "\"max_increase\":\"2 B\",\"per\":\"sum\"}," PEAK
		   "\"max_increase\":\"1 B\",\"per\":\"mean\"}," PEAK
		   "\"max_increase\":\"0 B\",\"per\":\"mean\"}",
	      &now, &base);
	r = j.r.list.data;
	ck_assert_int_eq(r[0].state, MLV_BUDGET_KEPT);
	ck_assert_int_eq(r[1].state, MLV_BUDGET_PASSED);
	ck_assert_int_eq(r[2].state, MLV_BUDGET_KEPT);
	ck_assert_int_eq(r[3].state, MLV_BUDGET_PASSED);
	judged_fini(&j);
	mlv_ci_figures_fini(&base);

	/* A baseline of fewer ranks: sums cannot be compared, a rank of its own can. */
	ranks(&base, 2, 0);
	judge(&j,
	      PEAK "\"max_increase\":\"0 B\",\"per\":\"sum\"}," PEAK "\"max_increase\":\"0 B\"}",
	      &now, &base);
	r = j.r.list.data;
	ck_assert_uint_eq(j.r.list.len, 4);
	ck_assert_int_eq(r[0].state, MLV_BUDGET_NOTICE);
	ck_assert_int_eq(r[2].state, MLV_BUDGET_KEPT);
	ck_assert_int_eq(r[3].state, MLV_BUDGET_NOTICE);
	ck_assert_str_eq(r[3].message, "rank 2: peak of reserved memory: 31 B; not judged, the "
				       "baseline does not have it");
	judged_fini(&j);
	mlv_ci_figures_fini(&base);
	mlv_ci_figures_fini(&now);
}
END_TEST

START_TEST(test_best_source)
{
	struct mlv_ci_figures f;
	mlv_ci_figures_init(&f, NULL);
	put(&f, "reserved_peak", 0, "", 5)->source = MLV_FROM_REPORT;
	put(&f, "reserved_peak", 0, "", 7)->source = MLV_FROM_RECORDING;
	struct mlv_ci_figure *x = put(&f, "reserved_peak", 1, "", 9);
	x->source = MLV_FROM_RECORDING;
	x->complete = false;
	put(&f, "reserved_peak", 1, "", 8)->source = MLV_FROM_COUNTERS;
	put(&f, "call_time", 0, "mm", 3)->part = true;
	put(&f, "call_time", 0, "mm", 4)->part = true;
	x = put(&f, "call_time", 0, "mm", 5);
	x->part = true;
	x->table = 2;
	mlv_ci_figures_settle(&f);
	ck_assert_uint_eq(f.list.len, 4);
	ck_assert_int_eq(f.list.data[0].value, 7);
	ck_assert_int_eq(f.list.data[1].value, 8);
	ck_assert_int_eq(f.list.data[2].value, 7); /* 3 + 4 */
	ck_assert_int_eq(f.list.data[3].value, 5);
	ck_assert_uint_eq(f.list.data[3].number, 1);
	mlv_ci_figures_fini(&f);
}
END_TEST

/* ---- baselines ---- */

/* Figures of all metrics, with names that are hard to write. */
static void many(struct mlv_ci_figures *f, uint64_t seed)
{
	static const char *const names[] = { "", "aten::mm", "a \"quoted\"\\ name",
					     "\xc3\xa4\n\x01", "\xff\xfe" };
	mlv_ci_figures_init(f, NULL);
	for (size_t m = 0; m < mlv_ci_metric_count; m++) {
		for (int rank = -1; rank < 3; rank++) {
			for (size_t k = 0; k < 5; k++) {
				int64_t value = (int64_t)(unit_random(&seed) >> 12);
				bool share = mlv_ci_metrics[m].quantity == MLV_SHARE;
				value = share ? value % (100 * MLV_PERCENT) : value;
				const char *name = mlv_ci_figures_text(f, mlv_str_of(names[k]));
				struct mlv_ci_figure *x =
					put(f, mlv_ci_metrics[m].name, rank, name, value);
				x->column = m == 12 ? "Self CUDA" : "";
				x->ranking = true;
				x->format = "profiler-table";
			}
		}
	}
	mlv_ci_figures_settle(f);
}

/* One budget of each metric, which allows no change at all. */
static const char *all_budgets(void)
{
	static char text[16000];
	size_t n = 0;
	for (size_t m = 0; m < mlv_ci_metric_count; m++)
		for (unsigned per = 0; per < 4; per++)
			n += (size_t)snprintf(text + n, sizeof(text) - n,
					      "%s{\"metric\":\"%s\",\"max_increase\":\"0%%\","
					      "\"subject\":\"*\",\"per\":\"%s\"}",
					      n ? "," : "", mlv_ci_metrics[m].name,
					      mlv_budget_per_name((enum mlv_budget_per)per));
	return text;
}

static void check_nothing_passed(const struct mlv_ci_figures *now,
				 const struct mlv_ci_figures *base)
{
	struct judged j;
	judge(&j, all_budgets(), now, base);
	ck_assert_uint_gt(j.r.list.len, 4 * mlv_ci_metric_count);
	for (size_t i = 0; i < j.r.list.len; i++)
		ck_assert_msg(j.r.list.data[i].state == MLV_BUDGET_KEPT, "%s",
			      j.r.list.data[i].message);
	judged_fini(&j);
}

/* A run held against its own figures, as they are and as a file, has not changed. */
START_TEST(test_own_baseline)
{
	for (uint64_t seed = 1; seed < 6; seed++) {
		struct mlv_ci_figures f, back;
		struct mlv_buf text = { 0 }, again = { 0 };
		struct mlv_err err = MLV_ERR_INIT;
		many(&f, seed);
		check_nothing_passed(&f, &f);
		mlv_ci_baseline_write(&f, &text);
		mlv_ci_figures_init(&back, NULL);
		enum mlv_rc rc = mlv_ci_baseline_read(
			&back, "x.json", (struct mlv_str){ text.data, text.len }, &err);
		ck_assert_msg(rc == MLV_OK, "%s", err.msg);
		ck_assert_uint_eq(back.list.len, f.list.len);
		check_nothing_passed(&f, &back);
		mlv_ci_baseline_write(&back, &again);
		ck_assert(strcmp(text.data, again.data) == 0);
		ck_assert(mlv_ci_baseline_is((struct mlv_str){ text.data, 64 }));
		/* And one that was a little less. */
		for (size_t i = 0; i < back.list.len; i++)
			back.list.data[i].value--;
		struct judged j;
		judge(&j, all_budgets(), &f, &back);
		for (size_t i = 0; i < j.r.list.len; i++)
			ck_assert_int_eq(j.r.list.data[i].state, MLV_BUDGET_PASSED);
		judged_fini(&j);
		mlv_buf_fini(&text);
		mlv_buf_fini(&again);
		mlv_ci_figures_fini(&back);
		mlv_ci_figures_fini(&f);
	}
}
END_TEST

START_TEST(test_baseline_file)
{
	struct mlv_ci_figures f;
	struct mlv_buf out = { 0 };
	mlv_ci_figures_init(&f, NULL);
	put(&f, "reserved_peak", 0, "", INT64_C(3724541952))->source = MLV_FROM_RECORDING;
	struct mlv_ci_figure *x = put(&f, "reserved_peak", 1, "", 1);
	x->complete = false;
	put(&f, "fragmentation", 0, "", 12345678);
	put(&f, "ooms", -1, "", 0);
	mlv_ci_figures_settle(&f);
	mlv_ci_baseline_write(&f, &out);
	ck_assert_str_eq(out.data,
			 "{\n  \"schema\": \"mlviz.baseline/1\",\n  \"figures\": [\n"
			 "    { \"metric\": \"reserved_peak\", \"rank\": 0, \"value\": 3724541952, "
			 "\"unit\": \"B\" },\n"
			 "    { \"metric\": \"fragmentation\", \"rank\": 0, \"value\": 12.345678, "
			 "\"unit\": \"%\" },\n"
			 "    { \"metric\": \"ooms\", \"value\": 0 }\n  ]\n}\n");
	mlv_buf_fini(&out);
	mlv_ci_figures_fini(&f);

	static const struct {
		const char *figure, *said;
	} bad[] = {
		{ "1", "line 1, column 41: a figure must be an object, { ... }" },
		{ "{\"metric\":\"x\"}", "line 1, column 41: there is no metric 'x'" },
		{ "{\"metric\":\"ooms\",\"values\":1}",
		  "line 1, column 58: unknown key 'values'; did you mean 'value'?" },
		{ "{\"metric\":\"ooms\",\"value\":-1}",
		  "line 1, column 66: the value is out of range" },
		{ "{\"metric\":\"ooms\",\"value\":1,\"unit\":\"B\"}",
		  "line 1, column 75: the unit of ooms must be ''" },
		{ "{\"metric\":\"ooms\",\"rank\":0.5,\"value\":1}",
		  "line 1, column 65: 'rank' must be a whole number" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char text[300];
		struct mlv_err err = MLV_ERR_INIT;
		snprintf(text, sizeof(text), "{\"schema\":\"mlviz.baseline/1\",\"figures\":[%s]}",
			 bad[i].figure);
		mlv_ci_figures_init(&f, NULL);
		ck_assert_int_eq(mlv_ci_baseline_read(&f, "x.json", mlv_str_of(text), &err),
				 MLV_E_FORMAT);
		ck_assert_str_eq(err.msg, bad[i].said);
		mlv_ci_figures_fini(&f);
	}
}
END_TEST

/* ---- what becomes of them ---- */

START_TEST(test_results)
{
	struct mlv_ci_figures now;
	struct mlv_ci_findings found;
	struct mlv_buf out = { 0 };
	struct judged j;
	ranks(&now, 3, 0);
	judge(&j,
	      "{\"name\":\"peak\",\"metric\":\"reserved_peak\",\"max\":\"15 B\"},"
	      "{\"metric\":\"ooms\",\"max\":0}," PEAK "\"max\":\"1 KiB\"}",
	      &now, NULL);
	mlv_budget_results_text(&j.r, 10, &out);
	ck_assert_str_eq(out.data,
			 "  budget passed: peak: rank 1: peak of reserved memory: 20 B, 5 B above "
			 "the limit of 15 B\n"
			 "  budget passed: peak: rank 2: peak of reserved memory: 31 B, 16 B above "
			 "the limit of 15 B\n"
			 "  budget notice: ooms: failed requests for memory: not judged, nothing "
			 "in the inputs measures it\n"
			 "  budgets: 4 of 7 kept\n");
	mlv_ci_findings_init(&found);
	mlv_budget_results_findings(&j.r, &found);
	ck_assert_uint_eq(found.list.len, 1);
	const struct mlv_ci_finding *f = &found.list.data[0];
	ck_assert_str_eq(f->rule->id, "budget");
	ck_assert_str_eq(f->ranks, "1-2");
	ck_assert_str_eq(f->message,
			 "budget peak was passed: rank 2: peak of reserved memory: 31 B, "
			 "16 B above the limit of 15 B");
	ck_assert_double_eq(f->actual, 31);
	ck_assert_double_eq(f->limit, 15);
	ck_assert_uint_eq(f->details.len, 1);
	mlv_ci_findings_fini(&found);
	mlv_buf_fini(&out);
	judged_fini(&j);
	mlv_ci_figures_fini(&now);
}
END_TEST

UNIT_MAIN("ci_budgets", test_read, test_wrong, test_limits_of_a_file, test_quantities,
	  test_patterns, test_border, test_not_judged, test_ranks, test_best_source,
	  test_own_baseline, test_baseline_file, test_results)
