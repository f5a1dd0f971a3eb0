/* SPDX-License-Identifier: MIT */
#ifndef MLV_UNIT_UNIT_H
#define MLV_UNIT_UNIT_H
/*
 * What every suite needs: a main function, and numbers that look random but
 * are the same in every run.
 */
#include <check.h>
#include <stdint.h>
#include <stdlib.h>

/* ck_assert for inner loops: Check's own costs microseconds even when it holds. */
#define unit_check(condition)                                                                      \
	do {                                                                                       \
		if (!(condition))                                                                  \
			ck_abort_msg("%s does not hold", #condition);                              \
	} while (0)

/* The end of a suite: UNIT_MAIN("name", test_a, test_b, …) */
#define UNIT_MAIN(name, ...)                                                                       \
	int main(void)                                                                             \
	{                                                                                          \
		const TTest *const tests[] = { __VA_ARGS__ };                                      \
		return unit_run(name, tests, sizeof(tests) / sizeof(tests[0]));                    \
	}

static inline int unit_run(const char *name, const TTest *const *tests, size_t n)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	tcase_set_timeout(tcase, 100);
	suite_add_tcase(suite, tcase);
	for (size_t i = 0; i < n; i++)
		tcase_add_test(tcase, tests[i]);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* xorshift; begin with any state but 0. */
static inline uint64_t unit_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif
