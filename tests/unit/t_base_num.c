/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <inttypes.h>
#include <string.h>

#include "base/num.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define TIB (UINT64_C(1) << 40)

START_TEST(bytes)
{
	static const struct {
		uint64_t n;
		const char *text;
	} table[] = {
		{ 0, "0 B" },
		{ 512, "512 B" },
		{ 1023, "1023 B" },
		{ 1024, "1.0 KiB" },
		{ 1536, "1.5 KiB" },
		{ 1075, "1.0 KiB" }, /* 1.0498 */
		{ 1076, "1.1 KiB" }, /* 1.0508 */
		{ 1023 * 1024, "1023.0 KiB" },
		{ MIB - 52, "1023.9 KiB" },
		{ MIB - 51, "1.0 MiB" }, /* 1023.95 rounds to 1024.0 */
		{ MIB - 1, "1.0 MiB" },
		{ 24 * MIB, "24.0 MiB" },
		{ 771437363, "735.7 MiB" },
		{ GIB - 1, "1.00 GiB" },
		{ GIB, "1.00 GiB" },
		{ 3339337236, "3.11 GiB" },
		{ 80 * GIB, "80.00 GiB" },
		{ 1000 * GIB, "1000.00 GiB" },
		{ TIB - 1, "1.00 TiB" },
		{ TIB * 1024, "1.00 PiB" },
		{ TIB * 1024 * 1024, "1.00 EiB" },
		{ UINT64_MAX, "16.00 EiB" },
		{ (UINT64_C(1) << 60) + (UINT64_C(1) << 60) / 200, "1.00 EiB" }, /* below 1.005 */
		{ (UINT64_C(1) << 60) + (UINT64_C(1) << 60) / 200 + 1, "1.01 EiB" },
	};
	char text[MLV_NUM_SIZE];
	for (size_t i = 0; i < COUNT(table); i++)
		ck_assert_str_eq(mlv_fmt_bytes(text, sizeof(text), table[i].n), table[i].text);
	ck_assert_str_eq(mlv_fmt_bytes_signed(text, sizeof(text), 0), "0 B");
	ck_assert_str_eq(mlv_fmt_bytes_signed(text, sizeof(text), -512), "-512 B");
	ck_assert_str_eq(mlv_fmt_bytes_signed(text, sizeof(text), 24 * (int64_t)MIB), "+24.0 MiB");
	ck_assert_str_eq(mlv_fmt_bytes_signed(text, sizeof(text), INT64_MIN), "-8.00 EiB");
	ck_assert_str_eq(mlv_fmt_bytes(text, 4, 24 * MIB), "24.");
}
END_TEST

START_TEST(counts)
{
	static const struct {
		uint64_t n;
		const char *text;
	} table[] = {
		{ 0, "0" },
		{ 7, "7" },
		{ 999, "999" },
		{ 1000, "1 000" },
		{ 1083150, "1 083 150" },
		{ 100000, "100 000" },
		{ UINT64_MAX, "18 446 744 073 709 551 615" },
	};
	char text[MLV_NUM_SIZE];
	for (size_t i = 0; i < COUNT(table); i++)
		ck_assert_str_eq(mlv_fmt_count(text, sizeof(text), table[i].n), table[i].text);
}
END_TEST

START_TEST(durations)
{
	static const struct {
		int64_t ns;
		const char *text;
	} table[] = {
		{ 0, "0 ns" },
		{ 999, "999 ns" },
		{ 1000, "1.0 us" },
		{ 1449, "1.4 us" },
		{ 1450, "1.5 us" },
		{ 9949, "9.9 us" },
		{ 9950, "10 us" },
		{ 45000, "45 us" },
		{ 999499, "999 us" },
		{ 999500, "1.0 ms" },
		{ 812000000, "812 ms" },
		{ 999499999, "999 ms" },
		{ 999500000, "1.00 s" },
		{ 6100000000, "6.10 s" },
		{ 59994999999, "59.99 s" },
		{ 59995000000, "1 min 00 s" },
		{ 60000000000, "1 min 00 s" },
		{ 200400000000, "3 min 20 s" },
		{ 3599499999999, "59 min 59 s" },
		{ 3599500000000, "1 h 00 min" },
		{ 7500000000000, "2 h 05 min" },
		{ 86399999999999, "1 d 00 h" },
		{ 356400000000000, "4 d 03 h" },
		{ -812000000, "-812 ms" },
		/* 106751 d 23 h 47 min: rounding fills the day. */
		{ INT64_MIN, "-106752 d 00 h" },
	};
	char text[MLV_NUM_SIZE];
	for (size_t i = 0; i < COUNT(table); i++)
		ck_assert_str_eq(mlv_fmt_duration(text, sizeof(text), table[i].ns), table[i].text);
}
END_TEST

START_TEST(parse_bytes)
{
	static const struct {
		const char *text;
		uint64_t n;
	} table[] = {
		{ "0", 0 },
		{ "123", 123 },
		{ "123B", 123 },
		{ "512MB", 512000000 },
		{ "80GiB", 80 * GIB },
		{ "80G", 80 * GIB },
		{ "80GB", UINT64_C(80000000000) },
		{ "80gib", 80 * GIB },
		{ "80 GiB", 80 * GIB },
		{ "1.5k", 1536 },
		{ "0.1MiB", 104858 },                   /* 104857.6 */
		{ "14.04 GiB", UINT64_C(15075335209) }, /* …208.96 */
		{ "0.0004KiB", 0 },
		{ "0.0005 KiB", 1 },
		{ "1.123456789GB", 1123456789 },
		{ "1.9999999999B", 2 },
		{ "15.999999999EiB", UINT64_C(18446744072556630111) },
		{ "18446744073709551615", UINT64_MAX },
		{ "16777215TiB", UINT64_C(16777215) << 40 },
	};
	for (size_t i = 0; i < COUNT(table); i++) {
		uint64_t n = 1;
		ck_assert_msg(mlv_parse_bytes(table[i].text, &n), "%s", table[i].text);
		ck_assert_msg(n == table[i].n, "%s gave %" PRIu64, table[i].text, n);
	}
	static const char *const bad[] = {
		"",
		" 1",
		"-1",
		"+1",
		"B",
		"GiB",
		"1X",
		"1GiBs",
		"1G B",
		"1.",
		"1.G",
		".5G",
		"1e3",
		"0x10",
		"1i",
		"1ib",
		"1 ",
		"1,5G",
		"1BB",
		"1GiB ",
		"16EiB",
		"18446744073709551616",
		"99999999999999999999",
		"16777216TiB",
		"\xffG",
	};
	for (size_t i = 0; i < COUNT(bad); i++) {
		uint64_t n = 77;
		/* A blank before no unit is harmless. */
		bool taken = mlv_parse_bytes(bad[i], &n);
		ck_assert_msg(taken == (strcmp(bad[i], "1 ") == 0), "\"%s\"", bad[i]);
		ck_assert(taken || n == 77);
	}
}
END_TEST

START_TEST(parse_duration)
{
	static const struct {
		const char *text;
		int64_t ns;
	} table[] = {
		{ "0s", 0 },
		{ "20ns", 20 },
		{ "3us", 3000 },
		{ "250ms", 250000000 },
		{ "250 ms", 250000000 },
		{ "1.5s", 1500000000 },
		{ "1.000000001s", 1000000001 },
		{ "2m", 120000000000 },
		{ "2min", 120000000000 },
		{ "2h05min", 7500000000000 },
		{ "2 h 05 min", 7500000000000 },
		{ "4D 3H", 356400000000000 },
		{ "1m30s", 90000000000 },
		{ "-3us", -3000 },
		{ "0.5h", 1800000000000 },
		{ "9223372036854775807ns", INT64_MAX },
	};
	for (size_t i = 0; i < COUNT(table); i++) {
		int64_t ns = 1;
		ck_assert_msg(mlv_parse_duration(table[i].text, &ns), "%s", table[i].text);
		ck_assert_msg(ns == table[i].ns, "%s gave %" PRId64, table[i].text, ns);
	}
	static const char *const bad[] = {
		"",
		"10",
		"s",
		"1 x",
		"--1s",
		"+1s",
		"1s 2",
		"1s 2h",
		"1s1s",
		"1.s",
		"1S!",
		"1ss",
		"1minute",
		"1 s.",
		" 1s",
		"-",
		"-s",
		"9999999d",
		"9223372036854775808ns",
	};
	for (size_t i = 0; i < COUNT(bad); i++) {
		int64_t ns = 77;
		ck_assert_msg(!mlv_parse_duration(bad[i], &ns), "\"%s\"", bad[i]);
		ck_assert_int_eq(ns, 77);
	}
}
END_TEST

UNIT_MAIN("base_num", bytes, counts, durations, parse_bytes, parse_duration)
