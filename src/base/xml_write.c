/* SPDX-License-Identifier: MIT */
#include "base/xml_write.h"

/* The markup of XML; NULL: the byte stands for itself. */
static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>': /* of "]]>" too, which must not stand in text */
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&apos;";
	default:
		return NULL;
	}
}

/* U+FFFE and U+FFFF are characters of Unicode, but not of XML. */
static bool is_noncharacter(struct mlv_str s, size_t i)
{
	return i + 2 < s.n && (unsigned char)s.p[i] == 0xef && (unsigned char)s.p[i + 1] == 0xbf &&
	       (unsigned char)s.p[i + 2] >= 0xbe;
}

void mlv_xml_str(struct mlv_buf *b, struct mlv_str s, bool lines)
{
	size_t clean = 0; /* begin of the bytes that have no special meaning */
	for (size_t i = 0; i < s.n; i++) {
		const char *name = entity(s.p[i]);
		bool line = lines && s.p[i] == '\n';
		bool none = is_noncharacter(s, i);
		if (!name && !line && !none)
			continue;
		mlv_buf_safe(b, (struct mlv_str){ s.p + clean, i - clean });
		mlv_buf_puts(b, name ? name : line ? "\n" : "\xef\xbf\xbd");
		i += none ? 2 : 0;
		clean = i + 1;
	}
	mlv_buf_safe(b, mlv_str_from(s, clean));
}

void mlv_xml_attribute(struct mlv_buf *b, const char *name, struct mlv_str value)
{
	mlv_buf_putc(b, ' ');
	mlv_buf_puts(b, name);
	mlv_buf_puts(b, "=\"");
	mlv_xml_str(b, value, false);
	mlv_buf_putc(b, '"');
}
