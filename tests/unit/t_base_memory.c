/* SPDX-License-Identifier: MIT */
/* Arena, growable arrays, interned strings, buffers. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "base/str.h"
#include "base/vec.h"

START_TEST(arena_keeps_what_it_gave)
{
	struct mlv_arena a = { 0 };
	enum { N = 3000 };
	static unsigned char *given[N];
	for (size_t i = 0; i < N; i++) {
		/* Small ones, and some larger than a block. */
		size_t n = i % 500 == 7 ? 200000 : i % 97;
		given[i] = mlv_arena_alloc(&a, n);
		unit_check(given[i]);
		unit_check((uintptr_t)given[i] % 8 == 0);
		memset(given[i], (int)(i % 251), n);
	}
	for (size_t i = 0; i < N; i++) {
		size_t n = i % 500 == 7 ? 200000 : i % 97;
		for (size_t k = 0; k < n; k++)
			unit_check(given[i][k] == i % 251);
	}
	ck_assert_ptr_null(mlv_arena_alloc(&a, SIZE_MAX));
	char *s = mlv_arena_strndup(&a, "ab\0cd", 5);
	ck_assert_mem_eq(s, "ab\0cd\0", 6);
	ck_assert_str_eq(mlv_arena_strndup(&a, NULL, 0), "");
	mlv_arena_fini(&a);
	ck_assert_ptr_null(a.head);
	ck_assert_ptr_nonnull(mlv_arena_alloc(&a, 1));
	mlv_arena_fini(&a);
}
END_TEST

START_TEST(vec_grows)
{
	MLV_VEC(uint32_t) v = { NULL, 0, 0 };
	for (uint32_t i = 0; i < 100000; i++)
		unit_check(mlv_vec_push(&v, i * 3));
	ck_assert_uint_eq(v.len, 100000);
	for (uint32_t i = 0; i < 100000; i++)
		unit_check(v.data[i] == i * 3);
	void *data = v.data;
	size_t cap = v.cap;
	ck_assert(!mlv_vec_grow(&data, &cap, sizeof(uint32_t), SIZE_MAX / 4));
	ck_assert_ptr_eq(data, v.data);
	ck_assert_uint_eq(cap, v.cap);
	mlv_vec_free(&v);
	ck_assert_ptr_null(v.data);
	ck_assert_uint_eq(v.len + v.cap, 0);
}
END_TEST

START_TEST(interner_stores_each_string_once)
{
	struct mlv_interner in;
	mlv_strid id;
	ck_assert(mlv_interner_init(&in));
	ck_assert(mlv_intern(&in, "", 0, &id));
	ck_assert_uint_eq(id.i, MLV_STR_NONE.i);
	/* Past 2^16 strings and several growths of the table; twice, so that all are found. */
	enum { N = 150000 };
	for (unsigned pass = 0; pass < 2; pass++) {
		for (unsigned i = 0; i < N; i++) {
			char s[32];
			/* Short ones go another way than long ones. */
			int n = snprintf(s, sizeof(s), i % 2 ? "%x" : "a long name %u", i);
			unit_check(mlv_intern(&in, s, (size_t)n, &id));
			unit_check(id.i == i + 1);
		}
	}
	ck_assert_uint_eq(in.strings.len, N + 1);
	struct mlv_str s = mlv_str_get(&in, (mlv_strid){ 77001 });
	ck_assert_str_eq(s.p, "a long name 77000");
	ck_assert_uint_eq(s.n, 17);
	mlv_interner_fini(&in);
}
END_TEST

/* Whoever writes a file must not know which strings want the same slot. */
START_TEST(interners_hash_each_in_its_own_way)
{
	struct mlv_interner a, b;
	ck_assert(mlv_interner_init(&a) && mlv_interner_init(&b));
	for (int i = 0; i < 100; i++) {
		char s[32];
		mlv_strid id;
		int n = snprintf(s, sizeof(s), "a longer string %d", i);
		ck_assert(mlv_intern(&a, s, (size_t)n, &id) && mlv_intern(&b, s, (size_t)n, &id));
	}
	ck_assert_uint_eq(a.mask, b.mask);
	ck_assert(memcmp(a.slots, b.slots, (a.mask + 1) * sizeof(*a.slots)));
	mlv_interner_fini(&a);
	mlv_interner_fini(&b);
}
END_TEST

START_TEST(interner_tells_similar_strings_apart)
{
	struct mlv_interner in;
	ck_assert(mlv_interner_init(&in));
	/* NUL bytes and lengths count, and none is taken for its zero-padded neighbour. */
	static const struct mlv_str strings[] = {
		{ "", 0 },         { "\0", 1 },        { "\0\0", 2 },       { "a", 1 },
		{ "a\0", 2 },      { "a\0\0", 3 },     { "abcdefgh", 8 },   { "abcdefg", 7 },
		{ "abcdefgi", 8 }, { "abcdefghi", 9 }, { "abcdefgh\0", 9 }, { "\xff\xfe", 2 },
	};
	enum { N = sizeof(strings) / sizeof(strings[0]) };
	for (unsigned pass = 0; pass < 3; pass++) {
		for (unsigned i = 0; i < N; i++) {
			mlv_strid id;
			ck_assert(mlv_intern(&in, strings[i].p, strings[i].n, &id));
			ck_assert_uint_eq(id.i, i);
			ck_assert(mlv_str_eq(mlv_str_get(&in, id), strings[i]));
		}
	}
	mlv_interner_fini(&in);
}
END_TEST

START_TEST(string_functions)
{
	struct mlv_str s = MLV_STR("/usr/lib/torch.py");
	ck_assert(mlv_str_has_suffix(s, MLV_STR(".py")));
	ck_assert(!mlv_str_has_suffix(MLV_STR("y"), MLV_STR(".py")));
	ck_assert(mlv_str_has_prefix(s, MLV_STR("/usr")));
	ck_assert(!mlv_str_has_prefix(MLV_STR("/us"), MLV_STR("/usr")));
	ck_assert(mlv_str_contains(s, MLV_STR("lib/t")));
	ck_assert(!mlv_str_contains(s, MLV_STR("libt")));
	ck_assert(mlv_str_eq(mlv_str_basename(s), MLV_STR("torch.py")));
	ck_assert(mlv_str_eq(mlv_str_basename(MLV_STR("C:\\a\\b.c")), MLV_STR("b.c")));
	ck_assert(mlv_str_eq(mlv_str_basename(MLV_STR("plain")), MLV_STR("plain")));
	ck_assert(mlv_str_eq(mlv_str_basename(MLV_STR("dir/")), MLV_STR("")));
	ck_assert_int_lt(mlv_str_cmp(MLV_STR("a"), MLV_STR("ab")), 0);
	ck_assert_int_gt(mlv_str_cmp(MLV_STR("b"), MLV_STR("ab")), 0);
	ck_assert_int_gt(mlv_str_cmp(MLV_STR("\xff"), MLV_STR("a")), 0);
	ck_assert_int_eq(mlv_str_cmp(MLV_STR("ab"), MLV_STR("ab")), 0);
}
END_TEST

START_TEST(buffer_appends)
{
	struct mlv_buf b = { NULL, 0, 0, false };
	mlv_buf_puts(&b, "a");
	mlv_buf_putc(&b, ' ');
	mlv_buf_int(&b, INT64_MIN);
	mlv_buf_putc(&b, ' ');
	mlv_buf_int(&b, 0);
	mlv_buf_printf(&b, " %s-%d", "x", 12);
	mlv_buf_str(&b, MLV_STR("!"));
	mlv_buf_add(&b, NULL, 0);
	ck_assert_str_eq(b.data, "a -9223372036854775808 0 x-12!");
	ck_assert_uint_eq(b.len, strlen(b.data));
	for (unsigned i = 0; i < 100000; i++)
		mlv_buf_printf(&b, "%u,", i);
	ck_assert(!b.failed);
	ck_assert_uint_eq(b.len, strlen(b.data));
	ck_assert_str_eq(b.data + b.len - 6, "99999,");
	/* A failure stays, and what was written stays readable. */
	size_t len = b.len;
	mlv_buf_add(&b, "x", SIZE_MAX);
	ck_assert(b.failed);
	mlv_buf_puts(&b, "more");
	ck_assert_uint_eq(b.len, len);
	mlv_buf_fini(&b);
	ck_assert_ptr_null(b.data);
}
END_TEST

UNIT_MAIN("base_memory", arena_keeps_what_it_gave, vec_grows, interner_stores_each_string_once,
	  interners_hash_each_in_its_own_way, interner_tells_similar_strings_apart,
	  string_functions, buffer_appends)
