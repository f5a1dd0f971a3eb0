/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <string.h>

#include "base/json_read.h"
#include "base/json_write.h"

START_TEST(layout)
{
	struct mlv_buf b = { 0 };
	struct mlv_json j;
	mlv_json_init(&j, &b);
	mlv_json_object(&j);
	mlv_json_key_text(&j, "schema", "mlviz.info/1");
	mlv_json_key_int(&j, "low", INT64_MIN);
	mlv_json_key_uint(&j, "high", UINT64_MAX);
	mlv_json_key_uint(&j, "small", 3);
	mlv_json_key_bool(&j, "yes", true);
	mlv_json_key_text(&j, "none", NULL);
	mlv_json_key(&j, "list");
	mlv_json_array(&j);
	mlv_json_int(&j, 1);
	mlv_json_array(&j);
	mlv_json_array_end(&j);
	mlv_json_object(&j);
	mlv_json_object_end(&j);
	mlv_json_object(&j);
	mlv_json_key_str(&j, (struct mlv_str){ "k\0y", 3 });
	mlv_json_null(&j);
	mlv_json_object_end(&j);
	mlv_json_bool(&j, false);
	mlv_json_array_end(&j);
	mlv_json_object_end(&j);
	ck_assert_str_eq(b.data, "{\n"
				 "  \"schema\": \"mlviz.info/1\",\n"
				 "  \"low\": -9223372036854775808,\n"
				 "  \"high\": 18446744073709551615,\n"
				 "  \"small\": 3,\n"
				 "  \"yes\": true,\n"
				 "  \"none\": null,\n"
				 "  \"list\": [\n"
				 "    1,\n"
				 "    [],\n"
				 "    {},\n"
				 "    {\n"
				 "      \"k\\u0000y\": null\n"
				 "    },\n"
				 "    false\n"
				 "  ]\n"
				 "}");
	mlv_buf_fini(&b);
}
END_TEST

static void check_str(struct mlv_str s, const char *expected)
{
	struct mlv_buf b = { 0 };
	struct mlv_json j;
	mlv_json_init(&j, &b);
	mlv_json_str(&j, s);
	ck_assert_str_eq(b.data, expected);
	mlv_buf_fini(&b);
}

START_TEST(strings)
{
	check_str(MLV_STR(""), "\"\"");
	check_str(MLV_STR("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"");
	check_str(MLV_STR("\n\r\t\b\x1b\x7f"), "\"\\n\\r\\t\\u0008\\u001b\\u007f\"");
	check_str(MLV_STR("\xc3\xbc\xf0\x9f\x98\x80"), "\"\xc3\xbc\xf0\x9f\x98\x80\"");
	check_str(MLV_STR("\xc2\x9b\xe2\x80\xa8"), "\"\\u009b\\u2028\"");
	check_str(MLV_STR("a\xff\xe2\x82"), "\"a\xef\xbf\xbd\xef\xbf\xbd\"");
	check_str(MLV_STR("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}
END_TEST

START_TEST(raw_digits)
{
	static const struct {
		const char *digits, *written;
	} table[] = {
		{ "14.04", "14.04" }, { "0", "0" },         { "-0.5e-30", "-0.5e-30" },
		{ "8E+2", "8E+2" },   { "nan", "\"nan\"" }, { "-inf", "\"-inf\"" },
		{ "", "\"\"" },       { "007", "\"007\"" }, { ".5", "\".5\"" },
		{ "5.", "\"5.\"" },   { "1e", "\"1e\"" },   { "1 2", "\"1 2\"" },
		{ "-", "\"-\"" },     { "1,2", "\"1,2\"" }, { "1}", "\"1}\"" },
	};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct mlv_buf b = { 0 };
		struct mlv_json j;
		mlv_json_init(&j, &b);
		mlv_json_raw(&j, table[i].digits);
		ck_assert_str_eq(b.data, table[i].written);
		mlv_buf_fini(&b);
	}
}
END_TEST

/* What is written must come back, whatever the bytes; only invalid UTF-8 is replaced. */
START_TEST(reads_back)
{
	uint64_t state = 3;
	for (unsigned round = 0; round < 5000; round++) {
		char bytes[40];
		size_t n = unit_random(&state) % sizeof(bytes);
		for (size_t i = 0; i < n; i++)
			bytes[i] = (char)(unit_random(&state) % 128);
		struct mlv_buf b = { 0 };
		struct mlv_json w;
		mlv_json_init(&w, &b);
		mlv_json_object(&w);
		mlv_json_key_str(&w, (struct mlv_str){ bytes, n });
		mlv_json_str(&w, (struct mlv_str){ bytes, n });
		mlv_json_object_end(&w);

		struct mlv_source *s;
		unit_check(!mlv_source_memory(&s, "json",
					      (struct mlv_bytes){ (uint8_t *)b.data, b.len }, 0,
					      &mlv_limits_default, NULL));
		struct mlv_reader r;
		mlv_reader_init(&r, s);
		struct mlv_diags diags;
		memset(&diags, 0, sizeof(diags));
		struct mlv_json_reader *j = mlv_json_reader_create(&r, &mlv_limits_default, &diags);
		struct mlv_json_token t;
		unit_check(!mlv_json_next(j, &t, NULL));
		for (unsigned i = 0; i < 2; i++) {
			unit_check(!mlv_json_next(j, &t, NULL));
			unit_check(t.kind == (i ? MLV_JSON_STRING : MLV_JSON_KEY));
			unit_check(t.text.n == n && memcmp(t.text.p, bytes, n) == 0);
		}
		unit_check(!mlv_json_next(j, &t, NULL) && t.kind == MLV_JSON_OBJECT_END);
		unit_check(!mlv_json_next(j, &t, NULL) && t.kind == MLV_JSON_END);
		unit_check(diags.list.len == 0);
		mlv_json_reader_destroy(j);
		mlv_diags_fini(&diags);
		mlv_reader_fini(&r);
		mlv_source_close(s);
		mlv_buf_fini(&b);
	}
}
END_TEST

UNIT_MAIN("base_json_write", layout, strings, raw_digits, reads_back)
