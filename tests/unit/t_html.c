/* SPDX-License-Identifier: MIT */
/* The page: what a pack holds comes back, and nothing that is shown becomes part of the page. */
#include <string.h>
#include <zlib.h>

#include "render/html/assets.h"
#include "render/html/page.h"
#include "unit.h"

static uint64_t get_varint(const uint8_t **p)
{
	uint64_t v = 0;
	for (unsigned shift = 0;; shift += 7) {
		uint8_t byte = *(*p)++;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
}

static void check_column(const uint8_t *p, const int64_t *want, size_t rows)
{
	uint64_t value = 0;
	for (size_t i = 0; i < rows; i++) {
		uint64_t code = get_varint(&p);
		value += code & 1 ? ~(code >> 1) : code >> 1;
		ck_assert_int_eq((int64_t)value, want[i]);
	}
}

START_TEST(test_pack)
{
	const uint32_t small[] = { 7, 0, UINT32_MAX, 1, UINT32_MAX - 1 };
	const int64_t small_as_64[] = { 7, 0, UINT32_MAX, 1, UINT32_MAX - 1 };
	const int64_t large[] = { INT64_MIN, INT64_MAX, 0, -1, 1LL << 53 };
	struct mlv_pack p;
	struct mlv_buf out = { 0 };
	mlv_pack_init(&p);
	mlv_json_key_text(&p.meta, "title", "</script>");
	mlv_pack_u32(&p, "small", small, 5);
	mlv_pack_i64(&p, "large", large, 5);
	ck_assert_int_eq(mlv_pack_end(&p, &out, NULL), MLV_OK);
	mlv_pack_fini(&p);

	uint8_t bytes[4096];
	z_stream z = { .next_in = (Bytef *)out.data,
		       .avail_in = (uInt)out.len,
		       .next_out = bytes,
		       .avail_out = sizeof(bytes) };
	ck_assert_int_eq(inflateInit2(&z, -MAX_WBITS), Z_OK);
	ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
	inflateEnd(&z);
	mlv_buf_fini(&out);

	size_t header = bytes[0] | (size_t)bytes[1] << 8;
	char text[1024];
	ck_assert_uint_lt(header, sizeof(text));
	memcpy(text, bytes + 4, header);
	text[header] = '\0';
	ck_assert_ptr_nonnull(
		strstr(text, "{\"name\":\"small\",\"kind\":\"u32\",\"rows\":5,\"at\":0,"));
	const char *at = strstr(text, "\"large\",\"kind\":\"i64\",\"rows\":5,\"at\":");
	ck_assert_ptr_nonnull(at);
	check_column(bytes + 4 + header, small_as_64, 5);
	check_column(bytes + 4 + header + strtoul(strstr(at, "\"at\":") + 5, NULL, 10), large, 5);
}
END_TEST

START_TEST(test_page_shows_text_as_text)
{
	struct mlv_html h = { 0 };
	struct mlv_buf page = { 0 };
	mlv_html_json(&h, "report", "report", MLV_STR("{\"a\": \"</script><b>\"}"));
	ck_assert_int_eq(mlv_html_end(&h, "\"><script>&\x01\xff", &page, NULL), MLV_OK);
	ck_assert_ptr_nonnull(
		strstr(page.data, "<title>&quot;&gt;&lt;script&gt;&amp;\uFFFD\uFFFD</title>"));
	ck_assert_ptr_nonnull(strstr(page.data, "{\"a\": \"\\u003c/script>\\u003cb>\"}"));
	ck_assert_ptr_nonnull(strstr(page.data, mlv_html_script_hash));
	ck_assert_ptr_nonnull(strstr(page.data, mlv_html_style_hash));
	/* What the page loads from elsewhere would have to be named. */
	ck_assert_ptr_null(strstr(page.data, "http://"));
	ck_assert_ptr_null(strstr(page.data, "https://"));
	mlv_buf_fini(&page);
	mlv_html_fini(&h);
}
END_TEST

UNIT_MAIN("html", test_pack, test_page_shows_text_as_text)
