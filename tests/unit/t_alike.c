/* SPDX-License-Identifier: MIT */
/* Findings that say the same of several ranks, and those that do not. */
#include "unit.h"

#include <stdio.h>

#include "analysis/alike.h"

static struct mlv_run run;

static void add(enum mlv_finding_severity severity, uint32_t line, int64_t rank, const char *text)
{
	struct mlv_finding f = {
		.severity = severity, .line = line, .rank = rank, .stack = MLV_STACK_NONE
	};
	struct mlv_str s = mlv_str_of(text);
	unit_check(mlv_run_intern(&run, MLV_STR("code"), &f.code) &&
		   mlv_run_intern(&run, s, &f.text) && mlv_vec_push(&run.findings, f));
}

/* Lines of the members, "1,3|2". */
static const char *groups(void)
{
	static char text[400];
	struct mlv_alike a;
	size_t n = 0;
	text[0] = '\0';
	unit_check(mlv_alike_init(&a, &run, NULL) == MLV_OK);
	for (size_t i = 0; i < a.count; i++) {
		for (size_t k = a.start[i]; k < a.start[i + 1]; k++)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%u",
					      k > a.start[i] ? ","
					      : i            ? "|"
							     : "",
					      run.findings.data[a.order[k]].line);
	}
	mlv_alike_fini(&a);
	run.findings.len = 0;
	return text;
}

#define NOTE MLV_FINDING_NOTE
#define ERROR MLV_FINDING_ERROR

START_TEST(what_differs_without_a_meaning)
{
	unit_check(mlv_run_init(&run, "file"));
	add(ERROR, 1, 0, "[Rank 0] ran for 8047 milliseconds before timing out");
	add(ERROR, 2, 1, "[Rank 1] ran for 8005 milliseconds before timing out");
	ck_assert_str_eq(groups(), "1,2");
	add(ERROR, 1, 0, "rank 0 failed: received by PID 3130 at 0x7f00");
	add(ERROR, 2, 3, "rank 3 failed: received by PID 3133 at 0x7fabc");
	ck_assert_str_eq(groups(), "1,2");
	add(ERROR, 1, 0, "GPU 0 has 79.10 GiB. Process 4711 has 2.00 GiB");
	add(ERROR, 2, 1, "GPU 1 has 79.10 GiB. Process 4712 has 2.00 GiB");
	ck_assert_str_eq(groups(), "1,2");
	mlv_run_fini(&run);
}
END_TEST

START_TEST(what_differs_with_one)
{
	unit_check(mlv_run_init(&run, "file"));
	/* The odd size, the odd count and another rank's number are what is looked for. */
	add(ERROR, 1, 0, "WorkNCCL(SeqNum=4, NumelIn=4194304)");
	add(ERROR, 2, 1, "WorkNCCL(SeqNum=4, NumelIn=4)");
	ck_assert_str_eq(groups(), "1|2");
	add(ERROR, 1, 0, "GPU 0 has 79.10 GiB");
	add(ERROR, 2, 1, "GPU 0 has 79.10 GiB");
	ck_assert_str_eq(groups(), "1|2");
	add(ERROR, 1, 1, "signal from rank 0");
	add(ERROR, 2, 2, "signal from rank 3");
	ck_assert_str_eq(groups(), "1|2");
	/* A rank that is known and one that is not. */
	add(ERROR, 1, 1, "a");
	add(ERROR, 2, -1, "a");
	ck_assert_str_eq(groups(), "1|2");
	mlv_run_fini(&run);
}
END_TEST

START_TEST(in_which_order)
{
	unit_check(mlv_run_init(&run, "file"));
	ck_assert_str_eq(groups(), "");
	add(NOTE, 1, 0, "a");
	add(ERROR, 9, 0, "b");
	add(ERROR, 7, 0, "c");
	add(ERROR, 8, 0, "b");
	add(NOTE, 3, 1, "a");
	add(NOTE, 2, 1, "b");
	ck_assert_str_eq(groups(), "7|8,9|1,3|2");
	mlv_run_fini(&run);
}
END_TEST

UNIT_MAIN("alike", what_differs_without_a_meaning, what_differs_with_one, in_which_order)
