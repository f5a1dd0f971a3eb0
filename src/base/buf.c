/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void mlv_buf_fini(struct mlv_buf *b)
{
	free(b->data);
	memset(b, 0, sizeof(*b));
}

static bool room(struct mlv_buf *b, size_t n)
{
	if (b->failed)
		return false;
	/* One byte more, for the NUL. */
	if (n < b->cap - b->len)
		return true;
	if (n > SIZE_MAX / 4 || !mlv_vec_grow((void **)&b->data, &b->cap, 1, b->len + n + 1))
		b->failed = true;
	return !b->failed;
}

void mlv_buf_add(struct mlv_buf *b, const void *p, size_t n)
{
	if (!room(b, n))
		return;
	if (n)
		memcpy(b->data + b->len, p, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void mlv_buf_puts(struct mlv_buf *b, const char *s)
{
	mlv_buf_add(b, s, strlen(s));
}

void mlv_buf_putc(struct mlv_buf *b, char c)
{
	mlv_buf_add(b, &c, 1);
}

void mlv_buf_str(struct mlv_buf *b, struct mlv_str s)
{
	mlv_buf_add(b, s.p, s.n);
}

void mlv_buf_printf(struct mlv_buf *b, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	if (n < 0)
		b->failed = true;
	else if (room(b, (size_t)n)) {
		vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
	va_end(ap);
}

void mlv_buf_int(struct mlv_buf *b, int64_t v)
{
	char digits[24];
	char *p = digits + sizeof(digits);
	uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	do
		*--p = (char)('0' + u % 10);
	while (u /= 10);
	if (v < 0)
		*--p = '-';
	mlv_buf_add(b, p, (size_t)(digits + sizeof(digits) - p));
}
