/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "base/str.h"

static void equals(struct mlv_str s, const char *want)
{
	unit_check(mlv_str_eq(s, mlv_str_of(want)));
}

START_TEST(parts)
{
	struct mlv_str s = MLV_STR("/a\\b/file.py");
	equals(mlv_str_from(s, 5), "file.py");
	equals(mlv_str_from(s, 12), "");
	equals(mlv_str_from(s, 13), "");
	equals(mlv_str_head(s, 2), "/a");
	equals(mlv_str_head(s, 99), "/a\\b/file.py");
	equals(mlv_str_basename(s), "file.py");
	equals(mlv_str_basename(MLV_STR("C:\\x\\y.json")), "y.json");
	equals(mlv_str_basename(MLV_STR("dir/")), "");
	equals(mlv_str_some((struct mlv_str){ 0 }), "");
}
END_TEST

START_TEST(blanks)
{
	equals(mlv_str_trim(MLV_STR(" \t a b\t \r")), "a b");
	equals(mlv_str_trim(MLV_STR("\ra\n")), "\ra\n");
	equals(mlv_str_trim(MLV_STR(" \t ")), "");
	equals(mlv_str_trim(MLV_STR("")), "");
	ck_assert_uint_eq(mlv_str_indent(MLV_STR("\t  x ")), 3);
	ck_assert_uint_eq(mlv_str_indent(MLV_STR("  ")), 2);
}
END_TEST

START_TEST(places)
{
	ck_assert_int_eq(mlv_str_find(MLV_STR("aXbXc"), "X"), 1);
	ck_assert_int_eq(mlv_str_find_last(MLV_STR("aXbXc"), "X"), 3);
	ck_assert_int_eq(mlv_str_find_last(MLV_STR("XX"), "XX"), 0);
	ck_assert_int_eq(mlv_str_find(MLV_STR("abc"), "abcd"), MLV_NOT_FOUND);
	ck_assert_int_eq(mlv_str_find_last(MLV_STR("abc"), "abcd"), MLV_NOT_FOUND);
	ck_assert_int_eq(mlv_str_find((struct mlv_str){ 0 }, "a"), MLV_NOT_FOUND);
	ck_assert_int_eq(mlv_str_find_last((struct mlv_str){ 0 }, "a"), MLV_NOT_FOUND);
}
END_TEST

START_TEST(order)
{
	unit_check(mlv_str_cmp(MLV_STR("a"), MLV_STR("b")) < 0);
	unit_check(mlv_str_cmp(MLV_STR("ab"), MLV_STR("a")) > 0);
	unit_check(mlv_str_cmp(MLV_STR("a"), MLV_STR("a")) == 0);
	unit_check(mlv_str_cmp(MLV_STR("\xff"), MLV_STR("a")) > 0);
}
END_TEST

UNIT_MAIN("base_str", parts, blanks, places, order)
