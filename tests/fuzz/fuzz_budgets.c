/* SPDX-License-Identifier: MIT */
/*
 * A file of budgets, or a baseline: whatever it is, it is read or refused with
 * its place; what is read is judged, and written figures are read again alike.
 */
#include "fuzz.h"
#include "report/ci/baseline.h"
#include "report/ci/budget_judge.h"

/* A refusal says where, unless all of the file is meant. */
static void check_error(enum mlv_rc rc, const struct mlv_err *err)
{
	FUZZ_CHECK(rc == err->rc && (rc == MLV_E_FORMAT || rc == MLV_E_NOMEM));
	FUZZ_CHECK(rc == MLV_E_NOMEM || strstr(err->msg, "line ") || strstr(err->msg, "at most"));
	FUZZ_CHECK(rc == MLV_E_NOMEM || err->file);
}

static void judge(const struct mlv_budgets *b, const struct mlv_ci_figures *now,
		  const struct mlv_ci_figures *base, bool itself)
{
	struct mlv_budget_inputs in = { b, now, base, "there is none" };
	struct mlv_budget_results r;
	struct mlv_buf out = { 0 };
	struct mlv_json j;
	FUZZ_CHECK(mlv_budgets_judge(&r, &in, NULL) == MLV_OK);
	FUZZ_CHECK(r.list.len >= b->list.len);
	for (size_t i = 0; i < r.list.len; i++) {
		const struct mlv_budget_result *one = &r.list.data[i];
		/* Nothing has grown since itself. */
		FUZZ_CHECK(!itself || b->list.data[one->budget].absolute ||
			   one->state != MLV_BUDGET_PASSED);
		FUZZ_CHECK(one->message && *one->message);
	}
	mlv_json_init(&j, &out);
	mlv_json_object(&j);
	mlv_budget_results_json(&r, &j);
	mlv_json_object_end(&j);
	mlv_budget_results_text(&r, 10, &out);
	mlv_buf_fini(&out);
	mlv_budget_results_fini(&r);
}

static void check_baseline(const struct mlv_budgets *b, struct mlv_str text)
{
	struct mlv_ci_figures f, again;
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_buf first = { 0 }, second = { 0 };
	mlv_ci_figures_init(&f, NULL);
	mlv_ci_figures_init(&again, NULL);
	enum mlv_rc rc = mlv_ci_baseline_read(&f, "base", text, &err);
	if (rc) {
		check_error(rc, &err);
	} else {
		judge(b, &f, &f, true);
		judge(b, &f, NULL, false);
		mlv_ci_baseline_write(&f, &first);
		rc = mlv_ci_baseline_read(&again, "base", (struct mlv_str){ first.data, first.len },
					  &err);
		FUZZ_CHECK(rc == MLV_OK);
		mlv_ci_baseline_write(&again, &second);
		FUZZ_CHECK(first.len == second.len && !memcmp(first.data, second.data, first.len));
	}
	mlv_buf_fini(&first);
	mlv_buf_fini(&second);
	mlv_ci_figures_fini(&again);
	mlv_ci_figures_fini(&f);
}

/* Two documents, the second behind a line of its own: "--". */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mlv_budgets b;
	struct mlv_err err = MLV_ERR_INIT;
	char *text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	ptrdiff_t at = mlv_str_find((struct mlv_str){ text, size }, "\n--\n");
	size_t n = at < 0 ? size : (size_t)at;
	text[n] = '\0';
	enum mlv_rc rc = mlv_budgets_read(&b, "budgets", (struct mlv_str){ text, n }, &err);
	if (rc)
		check_error(rc, &err);
	if (at >= 0)
		check_baseline(&b, (struct mlv_str){ text + n + 4, size - n - 4 });
	mlv_budgets_fini(&b);
	free(text);
	return 0;
}
