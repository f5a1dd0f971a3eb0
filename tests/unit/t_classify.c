/* SPDX-License-Identifier: MIT */
/*
 * Verdicts on reports whose cause is known, and on variants of them: shortened,
 * reordered, cut off, noisy. A variant may be too poor for a verdict; it never
 * has another one.
 */
#include <math.h>

#include "analysis/growth/classify.h"
#include "base/buf.h"
#include "read_report.h"

static const struct {
	const char *file; /* in the folder of test data, or else of recordings */
	enum mlv_growth growth;
} labelled[] = {
	{ "memory-report/alpha.json", MLV_GROWTH_ACTIVATION },
	{ "memory-report/alpha-batch4.json", MLV_GROWTH_ACTIVATION },
	{ "memory-report/alpha-ddp-imbalanced.json", MLV_GROWTH_ACTIVATION },
	{ "memory-report/beta.json", MLV_GROWTH_PERSISTENT },
	{ "memory-report/synthetic-beta-batch8.json", MLV_GROWTH_ACTIVATION },
	{ "memory-report/gamma.json", MLV_GROWTH_CUMULATIVE },
	{ "memory-reports/alpha-batch1.json", MLV_GROWTH_ACTIVATION },
	{ "memory-reports/alpha-ddp-balanced.json", MLV_GROWTH_ACTIVATION },
	{ "memory-reports/alpha.json", MLV_GROWTH_ACTIVATION },
	{ "memory-reports/beta-medium.json", MLV_GROWTH_PERSISTENT },
	{ "memory-reports/gamma-steps10.json", MLV_GROWTH_CUMULATIVE },
	{ "memory-reports/gamma-with-snapshot.json", MLV_GROWTH_CUMULATIVE },
	{ "memory-reports/synthetic-alpha-batch1.json", MLV_GROWTH_ACTIVATION },
	{ "memory-reports/synthetic-alpha-batch4.json", MLV_GROWTH_ACTIVATION },
	{ "memory-reports/synthetic-alpha-ckpt.json", MLV_GROWTH_ACTIVATION },
	{ "memory-reports/synthetic-alpha-ddp-balanced.json", MLV_GROWTH_ACTIVATION },
	{ "memory-reports/synthetic-alpha-ddp-imbalanced.json", MLV_GROWTH_ACTIVATION },
	{ "memory-reports/synthetic-alpha-with-snapshot.json", MLV_GROWTH_ACTIVATION },
	{ "memory-reports/synthetic-alpha.json", MLV_GROWTH_ACTIVATION },
	{ "memory-reports/synthetic-beta-ddp.json", MLV_GROWTH_PERSISTENT },
	{ "memory-reports/synthetic-beta-medium.json", MLV_GROWTH_PERSISTENT },
	{ "memory-reports/synthetic-beta-small.json", MLV_GROWTH_PERSISTENT },
	{ "memory-reports/synthetic-beta-with-snapshot.json", MLV_GROWTH_PERSISTENT },
	{ "memory-reports/synthetic-beta.json", MLV_GROWTH_PERSISTENT },
	{ "memory-reports/synthetic-gamma-steps10.json", MLV_GROWTH_CUMULATIVE },
	{ "memory-reports/synthetic-gamma-with-snapshot.json", MLV_GROWTH_CUMULATIVE },
	{ "memory-reports/synthetic-gamma.json", MLV_GROWTH_CUMULATIVE },
};
enum { LABELLED = sizeof(labelled) / sizeof(labelled[0]) };

static char *text_of(size_t i, size_t *n)
{
	char *text = unit_file("TESTDATA", labelled[i].file, n);
	return text ? text : unit_file("CORPUS", labelled[i].file, n);
}

/* False: the file is not here, or cannot be read any more. */
static bool read_first(struct mlv_run *run, size_t i, size_t most)
{
	size_t n;
	struct mlv_err err;
	char *text = text_of(i, &n);
	if (!text)
		return false;
	bool ok = !unit_read(run, text, n < most ? n : most, (struct unit_reading){ 0 }, &err);
	free(text);
	if (!ok)
		mlv_run_fini(run);
	return ok;
}

static void classify(struct mlv_verdicts *v, const struct mlv_run *run)
{
	struct mlv_classify_options o = { 0 };
	memset(v, 0, sizeof(*v));
	unit_check(!mlv_classify_run(v, run, &o, NULL));
}

/* Every rank has the verdict of the file; with `or_unknown` it may have none. How many have it. */
static size_t expect(const struct mlv_run *run, size_t i, bool or_unknown, const char *what)
{
	struct mlv_verdicts v;
	size_t same = 0;
	classify(&v, run);
	for (size_t k = 0; k < v.list.len; k++) {
		enum mlv_growth g = v.list.data[k].growth;
		same += g == labelled[i].growth;
		if (g != labelled[i].growth && !(or_unknown && g == MLV_GROWTH_UNKNOWN))
			ck_abort_msg("%s, %s: %s", labelled[i].file, what, mlv_growth_name(g));
	}
	unit_check(or_unknown || v.list.len);
	mlv_verdicts_fini(&v);
	return same;
}

START_TEST(test_labelled)
{
	for (size_t i = 0; i < LABELLED; i++) {
		struct mlv_run run;
		if (!read_first(&run, i, SIZE_MAX))
			continue;
		expect(&run, i, false, "as it is");
		mlv_run_fini(&run);
	}
}
END_TEST

START_TEST(test_components)
{
	/* From the samples by hand: after_forward of step 1 less after_clear_gradients of step 0;
	 * after_optimizer_step less after_backward of step 0; the median of 10 pairwise slopes. */
	static const struct {
		size_t file;
		double activation, persistent, cumulative; /* MiB */
	} rows[] = {
		{ 2, 106.63, 0, 0 },
		{ 3, 51.96, 67.35, 0 },
		{ 4, 548.2, 211.37, 0 },
		{ 5, 0, 0, 52.33 },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct mlv_run run;
		struct mlv_verdicts v;
		unit_check(read_first(&run, rows[i].file, SIZE_MAX));
		classify(&v, &run);
		const struct mlv_verdict *one = &v.list.data[0];
		ck_assert_double_eq_tol((double)one->activation_bytes / 1048576, rows[i].activation,
					0.02);
		ck_assert_double_eq_tol((double)one->persistent_bytes / 1048576, rows[i].persistent,
					0.02);
		ck_assert_double_eq_tol((double)one->cumulative_bytes / 1048576, rows[i].cumulative,
					0.1);
		ck_assert_uint_eq(one->notes.list.len, 0);
		mlv_verdicts_fini(&v);
		mlv_run_fini(&run);
	}
}
END_TEST

/* Only the samples of some steps, and those before the first. */
static void keep(struct mlv_run *run, int32_t least, int32_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < run->samples.len; i++) {
		int32_t step = run->samples.data[i].step;
		if (step < most && (step >= least || step < 0))
			run->samples.data[n++] = run->samples.data[i];
	}
	run->samples.len = n;
}

START_TEST(test_shortened)
{
	for (size_t i = 0; i < LABELLED; i++) {
		for (int32_t cut = 0; cut < 10; cut++) {
			struct mlv_run run;
			if (!read_first(&run, i, SIZE_MAX))
				break;
			keep(&run, 0, cut);
			size_t same = expect(&run, i, true, "the last steps are missing");
			/* Not all of them are given up. */
			ck_assert(cut < 5 || same);
			mlv_run_fini(&run);
			unit_check(read_first(&run, i, SIZE_MAX));
			keep(&run, cut, INT32_MAX);
			expect(&run, i, true, "the first steps are missing");
			mlv_run_fini(&run);
		}
	}
}
END_TEST

START_TEST(test_cut_off)
{
	for (size_t i = 0; i < LABELLED; i++) {
		for (size_t n = 200; n < 16000; n += 1013) {
			struct mlv_run run;
			if (!read_first(&run, i, n))
				continue;
			expect(&run, i, true, "the file is cut off");
			mlv_run_fini(&run);
		}
	}
}
END_TEST

/* The order in which moments stand in a report says nothing: their steps and phases do. */
START_TEST(test_reordered)
{
	uint64_t state = 7;
	for (size_t i = 0; i < LABELLED; i++) {
		struct mlv_run run;
		if (!read_first(&run, i, SIZE_MAX))
			continue;
		/* Each moment has four figures. */
		struct mlv_sample four[4], *s = run.samples.data;
		for (size_t k = run.samples.len / 4; k-- > 1;) {
			size_t j = unit_random(&state) % (k + 1);
			memcpy(four, s + 4 * k, sizeof(four));
			memmove(s + 4 * k, s + 4 * j, sizeof(four));
			memcpy(s + 4 * j, four, sizeof(four));
		}
		expect(&run, i, false, "in another order");
		mlv_run_fini(&run);
	}
}
END_TEST

/* Figures with an error of up to so much of each: the memory of others, rounding, sampling. */
START_TEST(test_noisy)
{
	static const double errors[] = { 0.001, 0.005, 0.01, 0.02, 0.05 };
	uint64_t state = 11;
	size_t same = 0, all = 0;
	for (size_t i = 0; i < LABELLED; i++) {
		for (int round = 0; round < 40; round++) {
			struct mlv_run run;
			double error = errors[round % 5];
			if (!read_first(&run, i, SIZE_MAX))
				break;
			for (size_t k = 0; k < run.samples.len; k++) {
				struct mlv_decimal *d = &run.samples.data[k].value;
				double u = (double)(unit_random(&state) >> 11) / 9007199254740992.0;
				d->mantissa += llround((double)d->mantissa * error * (2 * u - 1));
			}
			size_t now = expect(&run, i, true, "noisy");
			if (error < 0.002) {
				same += now > 0;
				all++;
			}
			mlv_run_fini(&run);
		}
	}
	/* A thousandth is no reason to say nothing. */
	ck_assert_uint_ge(same * 10, all * 8);
}
END_TEST

/* What a report states of itself and its samples do not say: a diagnostic, and no other verdict. */
START_TEST(test_indicators)
{
	static const char text[] =
		"{\"rank_reports\":[{\"rank\":0,\"indicators\":{\"between_step_growth_mib\":30,"
		"\"largest_forward_increase_mib\":6},\"samples\":["
		"{\"step\":-1,\"phase\":\"after_input\",\"allocated_mib\":10},"
		"{\"step\":0,\"phase\":\"after_forward\",\"allocated_mib\":16},"
		"{\"step\":0,\"phase\":\"after_clear_gradients\",\"allocated_mib\":11},"
		"{\"step\":1,\"phase\":\"after_clear_gradients\",\"allocated_mib\":12}]}]}";
	struct mlv_run run;
	struct mlv_err err;
	struct mlv_verdicts v;
	unit_check(!unit_read(&run, text, sizeof(text) - 1, (struct unit_reading){ 0 }, &err));
	classify(&v, &run);
	ck_assert_uint_eq(v.list.len, 1);
	ck_assert_uint_eq(v.list.data[0].notes.list.len, 1);
	ck_assert_str_eq(v.list.data[0].notes.list.data[0].text,
			 "between_step_growth of rank 0 is +1.0 MiB by the samples, and +30.0 MiB "
			 "as the report states it");
	ck_assert_int_eq(v.list.data[0].growth, MLV_GROWTH_UNKNOWN);
	mlv_verdicts_fini(&v);
	mlv_run_fini(&run);
}
END_TEST

/* Steady growth that is less than half a byte a step: the device is full at no step. */
START_TEST(test_slowest_growth)
{
	struct mlv_run run;
	struct mlv_err err;
	struct mlv_verdicts v = { 0 };
	struct mlv_buf text = { 0 };
	const struct mlv_classify_options o = { .capacity = UINT64_C(80) << 30 };
	mlv_buf_puts(&text, "{\"rank_reports\":[{\"rank\":0,\"samples\":[");
	for (int i = 0; i < 150000; i++)
		mlv_buf_printf(
			&text,
			"%s{\"step\":%d,\"phase\":\"after_optimizer\",\"allocated_bytes\":%d}",
			i ? "," : "", i, 100000000 + i * 45 / 100);
	mlv_buf_puts(&text, "]}]}");
	unit_check(!unit_read(&run, text.data, text.len, (struct unit_reading){ 0 }, &err));
	unit_check(!mlv_classify_run(&v, &run, &o, &err));
	ck_assert_uint_eq(v.list.len, 1);
	ck_assert_int_eq(v.list.data[0].cumulative_bytes, 0);
	ck_assert_int_eq(v.list.data[0].steps_until_full, -1);
	mlv_verdicts_fini(&v);
	mlv_run_fini(&run);
	mlv_buf_fini(&text);
}
END_TEST

/* docs/verdicts.md has the same table. */
START_TEST(test_advice_documented)
{
	size_t n;
	char *page = unit_file("TESTDATA", "../../docs/verdicts.md", &n), row[1000];
	unit_check(page);
	for (int a = 0; a < MLV_ADVICES; a++) {
		const struct mlv_advice_text *t = mlv_advice_text((enum mlv_advice)a);
		snprintf(row, sizeof(row), "| `%s` | %s | %s | %s |\n", t->code, t->what, t->acts,
			 t->fails);
		if (!strstr(page, row))
			ck_abort_msg("docs/verdicts.md lacks %s", row);
	}
	free(page);
}
END_TEST

UNIT_MAIN("classify", test_labelled, test_components, test_shortened, test_cut_off, test_reordered,
	  test_noisy, test_indicators, test_slowest_growth, test_advice_documented)
