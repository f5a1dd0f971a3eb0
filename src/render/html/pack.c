/* SPDX-License-Identifier: MIT */
#include "render/html/pack.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <zlib.h>

void mlv_pack_init(struct mlv_pack *p)
{
	*p = (struct mlv_pack){ 0 };
	mlv_json_init(&p->meta, &p->meta_text);
	mlv_json_object(&p->meta);
}

void mlv_pack_fini(struct mlv_pack *p)
{
	mlv_buf_fini(&p->meta_text);
	mlv_buf_fini(&p->directory);
	mlv_buf_fini(&p->data);
}

static void put_varint(struct mlv_buf *b, uint64_t v)
{
	char bytes[10];
	size_t n = 0;
	for (; v >= 0x80; v >>= 7)
		bytes[n++] = (char)(v | 0x80);
	bytes[n++] = (char)v;
	mlv_buf_add(b, bytes, n);
}

/* Differences wrap around, and so does the sum that undoes them. */
static void put_delta(struct mlv_buf *b, uint64_t from, uint64_t to)
{
	uint64_t d = to - from;
	put_varint(b, d << 1 ^ (d >> 63 ? UINT64_MAX : 0));
}

static void column(struct mlv_pack *p, const char *name, const char *kind, size_t rows, size_t at)
{
	mlv_buf_printf(&p->directory,
		       "%s{\"name\":\"%s\",\"kind\":\"%s\",\"rows\":%zu,\"at\":%zu,\"bytes\":%zu}",
		       p->directory.len ? "," : "", name, kind, rows, at, p->data.len - at);
}

void mlv_pack_u32(struct mlv_pack *p, const char *name, const uint32_t *values, size_t rows)
{
	size_t at = p->data.len;
	for (size_t i = 0; i < rows; i++)
		put_delta(&p->data, i ? values[i - 1] : 0, values[i]);
	column(p, name, "u32", rows, at);
}

void mlv_pack_i64(struct mlv_pack *p, const char *name, const int64_t *values, size_t rows)
{
	size_t at = p->data.len;
	for (size_t i = 0; i < rows; i++)
		put_delta(&p->data, i ? (uint64_t)values[i - 1] : 0, (uint64_t)values[i]);
	column(p, name, "i64", rows, at);
}

/* One part after the other through the compressor, into `out`. */
static bool deflate_part(z_stream *z, const struct mlv_buf *part, int flush, struct mlv_buf *out)
{
	const char *from = part->data;
	size_t left = part->len;
	int rc = Z_OK;
	do {
		unsigned char chunk[1 << 14];
		if (!z->avail_in && left) {
			z->avail_in = left > INT_MAX ? INT_MAX : (uInt)left;
			z->next_in = (Bytef *)(uintptr_t)from;
			from += z->avail_in;
			left -= z->avail_in;
		}
		z->next_out = chunk;
		z->avail_out = sizeof(chunk);
		rc = deflate(z, left ? Z_NO_FLUSH : flush);
		mlv_buf_add(out, chunk, sizeof(chunk) - z->avail_out);
	} while (rc == Z_OK && (left || z->avail_in || !z->avail_out || flush == Z_FINISH));
	return rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR;
}

static bool deflate_all(const struct mlv_buf *const *parts, size_t count, struct mlv_buf *out)
{
	z_stream z = { 0 };
	enum { RAW = -MAX_WBITS, MEMORY = 9 };
	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, RAW, MEMORY, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		return false;
	bool ok = true;
	for (size_t i = 0; ok && i < count; i++)
		ok = deflate_part(&z, parts[i], i + 1 < count ? Z_NO_FLUSH : Z_FINISH, out);
	deflateEnd(&z);
	return ok && !out->failed;
}

enum mlv_rc mlv_pack_end(struct mlv_pack *p, struct mlv_buf *out, struct mlv_err *err)
{
	struct mlv_buf head = { 0 };
	mlv_json_object_end(&p->meta);
	mlv_buf_puts(&head, "    {\"meta\":");
	mlv_buf_add(&head, p->meta_text.data, p->meta_text.len);
	mlv_buf_puts(&head, ",\"columns\":[");
	if (p->directory.len)
		mlv_buf_add(&head, p->directory.data, p->directory.len);
	mlv_buf_puts(&head, "]}");
	bool ok = !head.failed && !p->meta_text.failed && !p->directory.failed && !p->data.failed;
	if (ok) {
		uint32_t n = (uint32_t)(head.len - 4);
		for (int i = 0; i < 4; i++)
			head.data[i] = (char)(n >> 8 * i);
		const struct mlv_buf *const parts[] = { &head, &p->data };
		ok = deflate_all(parts, 2, out);
	}
	mlv_buf_fini(&head);
	return ok ? MLV_OK : mlv_err_nomem(err);
}
