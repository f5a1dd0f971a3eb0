/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

START_TEST(every_code_point_comes_back)
{
	for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
		char text[MLV_UTF8_MAX];
		uint32_t back;
		size_t n = mlv_utf8_encode(cp, text);
		unit_check(n == (cp < 0x80 ? 1u : cp < 0x800 ? 2u : cp < 0x10000 ? 3u : 4u));
		unit_check(mlv_utf8_step(text, n, &back) == n);
		bool surrogate = cp >= 0xd800 && cp <= 0xdfff;
		unit_check(back == (surrogate ? MLV_UTF8_REPLACEMENT : cp));
		/* Cut off, it is invalid, and all that is left belongs together. */
		for (size_t k = 1; k < n; k++) {
			unit_check(mlv_utf8_step(text, k, &back) == k);
			unit_check(back == MLV_UTF8_INVALID);
		}
	}
	char text[MLV_UTF8_MAX];
	ck_assert_uint_eq(mlv_utf8_encode(0x110000, text), 3);
	ck_assert_mem_eq(text, "\xef\xbf\xbd", 3);
}
END_TEST

START_TEST(invalid_bytes)
{
	/* `n`: bytes that one U+FFFD stands for */
	static const struct {
		const char *text;
		size_t n;
	} table[] = {
		{ "\x80", 1 },
		{ "\xbf\x80", 1 },
		{ "\xc0\x80", 1 },
		{ "\xc1\xbf", 1 },
		{ "\xc2 ", 1 },
		{ "\xe0\x80\x80", 1 },
		{ "\xe0\x9f\xbf", 1 },
		{ "\xe0\xa0 ", 2 },
		{ "\xed\xa0\x80", 1 },
		{ "\xed\x9f ", 2 },
		{ "\xf0\x8f\xbf\xbf", 1 },
		{ "\xf0\x90\x80 ", 3 },
		{ "\xf4\x90\x80\x80", 1 },
		{ "\xf5\x80\x80\x80", 1 },
		{ "\xff", 1 },
		{ "\xe2\x82\xc3", 2 },
	};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint32_t cp;
		size_t n = mlv_utf8_step(table[i].text, strlen(table[i].text), &cp);
		ck_assert_uint_eq(cp, MLV_UTF8_INVALID);
		ck_assert_uint_eq(n, table[i].n);
	}
}
END_TEST

static void check_safe(const char *s, size_t n, const char *expected)
{
	struct mlv_buf b = { NULL, 0, 0, false };
	mlv_buf_safe(&b, (struct mlv_str){ s, n });
	ck_assert_str_eq(b.data, expected);
	ck_assert_uint_eq(b.len, strlen(expected));
	mlv_buf_fini(&b);
}

#define FFFD "\xef\xbf\xbd"

START_TEST(safe_text)
{
	check_safe("", 0, "");
	check_safe("plain", 5, "plain");
	check_safe("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80", 11,
		   "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80");
	check_safe("a\nb\tc\rd", 7, "a b c d");
	check_safe("\x1b[31mred\x1b[0m", 12, FFFD "[31mred" FFFD "[0m");
	check_safe("a\0b\x7f", 4, "a" FFFD "b" FFFD);
	check_safe("\xc2\x9b"
		   "2J",
		   4, FFFD "2J"); /* C1: CSI */
	check_safe("\xe2\x80\xae"
		   "abc",
		   6, FFFD "abc"); /* right-to-left override */
	check_safe("a\xff\xfe"
		   "b\xe2\x82",
		   6, "a" FFFD FFFD "b" FFFD);
}
END_TEST

START_TEST(safe_text_is_always_safe)
{
	uint64_t state = 42;
	for (unsigned round = 0; round < 20000; round++) {
		char bytes[24];
		size_t n = unit_random(&state) % sizeof(bytes);
		for (size_t i = 0; i < n; i++) {
			uint64_t v = unit_random(&state);
			bytes[i] = "\xe2\x80\xed\xf0\xc2\x9b"[(v >> 8) % 6];
			if (v % 3)
				bytes[i] = (char)(v >> 8);
		}
		struct mlv_buf b = { NULL, 0, 0, false };
		mlv_buf_safe(&b, (struct mlv_str){ bytes, n });
		for (size_t i = 0; i < b.len;) {
			uint32_t cp;
			i += mlv_utf8_step(b.data + i, b.len - i, &cp);
			unit_check(cp != MLV_UTF8_INVALID);
			unit_check(cp >= 0x20 && (cp < 0x7f || cp > 0x9f));
		}
		mlv_buf_fini(&b);
	}
}
END_TEST

START_TEST(what_does_not_fit_says_so)
{
	static const struct {
		const char *text;
		size_t size;
		const char *want;
	} cases[] = {
		{ "abcdef", 7, "abcdef" },
		{ "abcdef", 6, "ab\u2026" },
		{ "abcdef", 5, "a\u2026" },
		{ "abcdef", 4, "\u2026" },
		{ "abcdef", 3, "ab" },
		{ "abcdef", 1, "" },
		{ "", 1, "" },
		{ "\u00e4\u00f6\u00fc", 6, "\u00e4\u2026" },
		{ "a\u00f6\u00fc", 5, "a\u2026" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char buf[8] = "???????";
		mlv_utf8_fit(buf, cases[i].size, cases[i].text, strlen(cases[i].text));
		ck_assert_str_eq(buf, cases[i].want);
	}
	char buf[8];
	mlv_utf8_fit(buf, sizeof(buf), "a\0b\0", 4);
	ck_assert_str_eq(buf, "a\x01"
			      "b\x01");
	mlv_utf8_fit(buf, 7, "a\0bcdefg", 8);
	ck_assert_str_eq(buf, "a\x01"
			      "b\u2026");
}
END_TEST

UNIT_MAIN("base_utf8", every_code_point_comes_back, invalid_bytes, safe_text,
	  safe_text_is_always_safe, what_does_not_fit_says_so)
