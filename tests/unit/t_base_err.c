/* SPDX-License-Identifier: MIT */
/* Errors, diagnostics and limits. */
#include "unit.h"

#include <string.h>

#include "base/diag.h"
#include "base/err.h"
#include "base/limits.h"

START_TEST(first_error_wins)
{
	struct mlv_err err = MLV_ERR_INIT;
	ck_assert_int_eq(mlv_err_at(&err, MLV_E_FORMAT, 7, "bad %s", "thing"), MLV_E_FORMAT);
	ck_assert_int_eq(mlv_err_set(&err, MLV_E_IO, "later"), MLV_E_IO);
	ck_assert_int_eq(mlv_err_nomem(&err), MLV_E_NOMEM);
	ck_assert_int_eq(err.rc, MLV_E_FORMAT);
	ck_assert_uint_eq(err.offset, 7);
	ck_assert_str_eq(err.msg, "bad thing");
	/* Without an object only the code comes back. */
	ck_assert_int_eq(mlv_err_set(NULL, MLV_E_LIMIT, "x"), MLV_E_LIMIT);
	mlv_err_file(NULL, "x");
}
END_TEST

START_TEST(error_text)
{
	char text[64];
	struct mlv_err err = MLV_ERR_INIT;
	mlv_err_set(&err, MLV_E_IO, "broken");
	mlv_err_format(&err, text, sizeof(text));
	ck_assert_str_eq(text, "broken");
	mlv_err_file(&err, "a.json");
	mlv_err_file(&err, "b.json");
	mlv_err_format(&err, text, sizeof(text));
	ck_assert_str_eq(text, "a.json: broken");
	err.offset = 0;
	mlv_err_format(&err, text, sizeof(text));
	ck_assert_str_eq(text, "a.json: offset 0: broken");
	err.line = 3;
	mlv_err_format(&err, text, sizeof(text));
	ck_assert_str_eq(text, "a.json: line 3: broken");
	mlv_err_format(&err, text, 5);
	ck_assert_str_eq(text, "a.js");
}
END_TEST

START_TEST(long_message_is_cut)
{
	char longer[1000];
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	struct mlv_err err = MLV_ERR_INIT;
	mlv_err_set(&err, MLV_E_IO, "%s", longer);
	ck_assert_uint_eq(strlen(err.msg), sizeof(err.msg) - 1);
}
END_TEST

START_TEST(diagnostics_count_repeats)
{
	struct mlv_diags d;
	memset(&d, 0, sizeof(d));
	ck_assert(!mlv_diags_have(&d, MLV_NOTE));
	mlv_diag_add(&d, MLV_NOTE, "a", 5, "first %d", 1);
	mlv_diag_add(&d, MLV_NOTE, "a", 9, "second");
	mlv_diag_add(&d, MLV_WARNING, "b", MLV_NO_OFFSET, "other");
	ck_assert_uint_eq(d.list.len, 2);
	ck_assert_uint_eq(d.list.data[0].count, 2);
	ck_assert_uint_eq(d.list.data[0].offset, 5);
	ck_assert_str_eq(d.list.data[0].text, "first 1");
	ck_assert_uint_eq(d.list.data[1].count, 1);
	ck_assert(mlv_diags_have(&d, MLV_WARNING));
	ck_assert(!mlv_diags_have(&d, MLV_DAMAGE));
	struct mlv_err err = MLV_ERR_INIT;
	mlv_err_at(&err, MLV_E_FORMAT, 11, "100%% broken %%s");
	err.line = 4;
	mlv_diag_from_err(&d, "c", &err);
	ck_assert(mlv_diags_have(&d, MLV_DAMAGE));
	ck_assert_uint_eq(d.list.data[2].line, 4);
	ck_assert_uint_eq(d.list.data[2].offset, 11);
	ck_assert_str_eq(d.list.data[2].text, "100% broken %s");
	mlv_diag_add_line(&d, MLV_WARNING, "d", 7, "row %d", 2);
	mlv_diag_add_line(&d, MLV_WARNING, "d", 8, "row 3");
	ck_assert_uint_eq(d.list.data[3].line, 7);
	ck_assert_uint_eq(d.list.data[3].count, 2);
	ck_assert(d.list.data[3].offset == MLV_NO_OFFSET);
	ck_assert_str_eq(d.list.data[3].text, "row 2");
	ck_assert_str_eq(mlv_severity_name(MLV_DAMAGE), "damage");
	mlv_diags_fini(&d);
}
END_TEST

START_TEST(limits_are_set_by_name)
{
	struct mlv_limits l = mlv_limits_default;
	ck_assert(mlv_limits_set(&l, "bytes=3G"));
	ck_assert_uint_eq(l.bytes, UINT64_C(3) << 30);
	ck_assert(mlv_limits_set(&l, "depth=12"));
	ck_assert_uint_eq(l.depth, 12);
	ck_assert(mlv_limits_set(&l, "string=16K"));
	ck_assert_uint_eq(l.string, 16384);
	ck_assert(mlv_limits_set(&l, "rows=18446744073709551615"));
	ck_assert_uint_eq(l.rows, UINT64_MAX);
	struct mlv_limits before = l;
	static const char *const bad[] = { "",          "bytes",     "bytes=",
					   "bytes=-1",  "bytes=1X",  "bytes=1K2",
					   "byte=1",    "bytess=1",  "bytes=18446744073709551616",
					   "bytes= 1",  "=1",        "bytes=17179869184G",
					   "bytes=0x1", "bytes=1KK", "bytes=99999999999999999999" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(!mlv_limits_set(&l, bad[i]), "\"%s\" was taken", bad[i]);
	ck_assert_mem_eq(&l, &before, sizeof(l));
	/* Every field has its row. */
	size_t rows = 0;
	while (mlv_limit_names[rows].name)
		rows++;
	ck_assert_uint_eq(rows * sizeof(uint64_t), sizeof(struct mlv_limits));
}
END_TEST

UNIT_MAIN("base_err", first_error_wins, error_text, long_message_is_cut, diagnostics_count_repeats,
	  limits_are_set_by_name)
