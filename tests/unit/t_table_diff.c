/* SPDX-License-Identifier: MIT */
/* Two tables side by side: what holds for any two, digits, and repeated runs. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/table_build.h"
#include "analysis/table_diff.h"

static const char *const columns[] = { "mean", "stddev", "calls" };

/* Rows of NAME and three values; "-" is an empty cell. */
static void make(struct mlv_table *t, const char *const *rows)
{
	struct mlv_table_options o = { .by = NULL };
	struct mlv_table_builder b;
	unit_check(mlv_table_begin(&b, t, "table", columns, 3, &o, NULL) == MLV_OK);
	for (uint32_t i = 0; rows[i]; i++) {
		char name[40], cell[3][40];
		unit_check(sscanf(rows[i], "%39s %39s %39s %39s", name, cell[0], cell[1],
				  cell[2]) == 4);
		struct mlv_cell *c = mlv_table_row(&b, i, name, i + 1);
		for (unsigned k = 0; k < 3; k++) {
			struct mlv_str text = { cell[k], strlen(cell[k]) };
			c[k].present = mlv_decimal_whole(text, k < 2 ? MLV_UNIT_MS : MLV_UNIT_NONE,
							 &c[k].value);
		}
	}
	unit_check(mlv_table_end(&b, true, 0, NULL) == MLV_OK);
}

static struct mlv_table_diff diff;

static void compare(const char *const *a, const char *const *b, const char *ignore)
{
	struct mlv_table x, y;
	make(&x, a);
	make(&y, b);
	unit_check(mlv_table_diff_init(&diff, &x, &y, ignore, NULL) == MLV_OK);
	mlv_table_fini(&x);
	mlv_table_fini(&y);
}

/* "mm +0.5 ms|add -1 ms": the changes of the mean. */
static const char *changes(void)
{
	static char text[400];
	char value[60];
	size_t n = 0;
	text[0] = '\0';
	for (size_t i = 0; i < diff.rows.len; i++) {
		const struct mlv_cell_diff *c = mlv_cell_diff_at(&diff, i, 0);
		n += (size_t)snprintf(
			text + n, sizeof(text) - n, "%s%s %s", i ? "|" : "",
			diff.rows.data[i].subject.p,
			c->change.present ? mlv_decimal_text(c->change.value, value, sizeof(value))
					  : "?");
	}
	mlv_table_diff_fini(&diff);
	return text;
}

#define LIST(...)                                                                                  \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

START_TEST(equal_tables_do_not_differ)
{
	const char *const *same = LIST("mm 1.50 0 7", "add 2 0 -", "mm 1 0 7");
	compare(same, same, NULL);
	ck_assert_uint_eq(diff.rows.len, 0);
	ck_assert_uint_eq(diff.same_rows, 3);
	mlv_table_diff_fini(&diff);
	/* As many digits are no other value. */
	compare(LIST("mm 1.50 0 7"), LIST("mm 1.5 0.0 7"), NULL);
	ck_assert_uint_eq(diff.rows.len, 0);
	mlv_table_diff_fini(&diff);
}
END_TEST

START_TEST(rows_by_name_the_largest_change_first)
{
	const char *const *a = LIST("mm 1.50 0 7", "add 2.00 0 1", "old 0.25 0 1", "same 9 0 9");
	const char *const *b = LIST("add 1.5 0 1", "new 3 0 1", "mm 2 0 7", "same 9 0 9");
	compare(a, b, NULL);
	ck_assert_str_eq(changes(), "new 3 ms|add -0.50 ms|mm 0.50 ms|old -0.25 ms");
	compare(b, a, NULL);
	ck_assert_str_eq(changes(), "new -3 ms|add 0.50 ms|mm -0.50 ms|old 0.25 ms");
	compare(a, b, "new,ol");
	ck_assert_str_eq(changes(), "add -0.50 ms|mm 0.50 ms");
	compare(LIST("mm 5 0 1", "mm 1 0 2"), LIST("mm 4 0 1", "mm 3 0 2"), NULL);
	ck_assert_str_eq(changes(), "mm 2 ms|mm -1 ms");
	/* One row each: of one thing under two names. */
	compare(LIST("train-a.py 5 0 1"), LIST("train-b.py 4 0 1"), NULL);
	ck_assert_str_eq(changes(), "train-a.py -1 ms");
}
END_TEST

START_TEST(an_empty_cell_is_not_nothing)
{
	compare(LIST("mm - 0 7", "add 1 0 1"), LIST("mm 2 0 7", "add 1 0 1"), NULL);
	ck_assert_str_eq(changes(), "mm ?");
	compare(LIST("add 1 0 1", "sub 1 0 1"), LIST("mm 2 0 7", "add 1 0 1", "sub 1 0 1"), NULL);
	ck_assert_str_eq(changes(), "mm 2 ms");
}
END_TEST

START_TEST(what_repeated_runs_scatter_by)
{
	compare(LIST("a 10 3 1", "b 10 3 1", "c 10 - 1"), LIST("a 16 4 1", "b 14 4 1", "c 11 4 1"),
		NULL);
	ck_assert_uint_eq(diff.rows.len, 3);
	const struct mlv_cell_diff *a = mlv_cell_diff_at(&diff, 0, 0);
	const struct mlv_cell_diff *b = mlv_cell_diff_at(&diff, 1, 0);
	/* sqrt(3^2 + 4^2) */
	unit_check(fabs(a->spread - 0.005) < 1e-9);
	ck_assert_int_eq(a->noise, MLV_NOISE_EXCEEDED);
	ck_assert_int_eq(b->noise, MLV_NOISE_WITHIN);
	ck_assert_int_eq(mlv_cell_diff_at(&diff, 2, 0)->noise, MLV_NOISE_UNKNOWN);
	ck_assert_int_eq(mlv_cell_diff_at(&diff, 0, 2)->noise, MLV_NOISE_UNKNOWN);
	unit_check(fabs(a->ratio - 1.6) < 1e-9);
	mlv_table_diff_fini(&diff);
}
END_TEST

UNIT_MAIN("table_diff", equal_tables_do_not_differ, rows_by_name_the_largest_change_first,
	  an_empty_cell_is_not_nothing, what_repeated_runs_scatter_by)
