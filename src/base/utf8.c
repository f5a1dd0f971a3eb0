/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include <string.h>

#include <stdbool.h>

#include "base/buf.h"

/* The range of the second byte tells overlong forms, surrogates and values above U+10FFFF
 * apart; see table 3-7 of the Unicode standard. */
static unsigned lead_byte(unsigned char c, unsigned char *low, unsigned char *high)
{
	*low = 0x80;
	*high = 0xbf;
	if (c >= 0xc2 && c <= 0xdf)
		return 2;
	if (c >= 0xe0 && c <= 0xef) {
		if (c == 0xe0)
			*low = 0xa0;
		if (c == 0xed)
			*high = 0x9f;
		return 3;
	}
	if (c >= 0xf0 && c <= 0xf4) {
		if (c == 0xf0)
			*low = 0x90;
		if (c == 0xf4)
			*high = 0x8f;
		return 4;
	}
	return 0;
}

size_t mlv_utf8_step(const char *p, size_t n, uint32_t *cp)
{
	unsigned char c = (unsigned char)p[0];
	if (c < 0x80) {
		*cp = c;
		return 1;
	}
	unsigned char low, high;
	unsigned len = lead_byte(c, &low, &high);
	*cp = MLV_UTF8_INVALID;
	if (!len)
		return 1;
	uint32_t v = c & (0xffu >> (len + 1));
	for (unsigned i = 1; i < len; i++) {
		unsigned char next = i < n ? (unsigned char)p[i] : 0;
		if (next < low || next > high)
			return i;
		v = v << 6 | (next & 0x3f);
		low = 0x80;
		high = 0xbf;
	}
	*cp = v;
	return len;
}

size_t mlv_utf8_encode(uint32_t cp, char out[MLV_UTF8_MAX])
{
	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = MLV_UTF8_REPLACEMENT;
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	size_t len = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	for (size_t i = len - 1; i > 0; i--) {
		out[i] = (char)(0x80 | (cp & 0x3f));
		cp >>= 6;
	}
	out[0] = (char)((0xf00u >> len & 0xff) | cp);
	return len;
}

/* What a terminal would obey rather than show: C0, DEL, C1, and the marks that reorder text. */
static bool is_control(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp <= 0x9f) || cp == 0x2028 || cp == 0x2029 ||
	       mlv_utf8_reorders(cp);
}

void mlv_buf_safe(struct mlv_buf *b, struct mlv_str s)
{
	size_t clean = 0; /* begin of the bytes that go out as they are */
	size_t i = 0;
	while (i < s.n) {
		uint32_t cp;
		size_t len = mlv_utf8_step(s.p + i, s.n - i, &cp);
		if (cp == MLV_UTF8_INVALID || is_control(cp)) {
			mlv_buf_add(b, s.p + clean, i - clean);
			bool space = cp == '\n' || cp == '\t' || cp == '\r';
			mlv_buf_puts(b, space ? " " : "\xef\xbf\xbd");
			clean = i + len;
		}
		i += len;
	}
	mlv_buf_add(b, s.p + clean, s.n - clean);
}

/* As writers show other control characters, so they show this one. */
static void copy_without_nul(char *buf, const char *p, size_t n)
{
	memcpy(buf, p, n);
	for (char *nul = buf; (nul = memchr(nul, '\0', n - (size_t)(nul - buf)));)
		*nul = '\x01';
}

void mlv_utf8_fit(char *buf, size_t size, const char *p, size_t n)
{
	static const char ellipsis[] = "\u2026";
	size_t mark = sizeof(ellipsis) - 1, end = 0;
	if (n < size) {
		copy_without_nul(buf, p, n);
		buf[n] = '\0';
		return;
	}
	if (size <= mark)
		mark = 0; /* not even room to say so */
	for (uint32_t cp; end < n;) {
		size_t step = mlv_utf8_step(p + end, n - end, &cp);
		if (end + step + mark + 1 > size)
			break;
		end += step;
	}
	copy_without_nul(buf, p, end);
	memcpy(buf + end, ellipsis, mark);
	buf[end + mark] = '\0';
}
