/* SPDX-License-Identifier: MIT */
#include "render/svg_write.h"

#include <math.h>
#include <string.h>

#include "render/canvas_impl.h"

void mlv_svg_number(struct mlv_buf *b, double v)
{
	int64_t hundredths = llround(mlv_canvas_coord(v) * 100);
	if (hundredths < 0)
		mlv_buf_putc(b, '-');
	uint64_t u = (uint64_t)(hundredths < 0 ? -hundredths : hundredths);
	if (u >= 100 || u == 0)
		mlv_buf_int(b, (int64_t)(u / 100));
	if (u % 100 == 0)
		return;
	mlv_buf_putc(b, '.');
	mlv_buf_putc(b, (char)('0' + u / 10 % 10));
	if (u % 10)
		mlv_buf_putc(b, (char)('0' + u % 10));
}

void mlv_svg_attribute(struct mlv_buf *b, const char *name, double v)
{
	mlv_buf_putc(b, ' ');
	mlv_buf_puts(b, name);
	mlv_buf_puts(b, "=\"");
	mlv_svg_number(b, v);
	mlv_buf_putc(b, '"');
}

/* #rrggbb, or #rgb where that says the same. */
static void put_hex(struct mlv_buf *b, struct mlv_color c)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t channels[] = { c.r, c.g, c.b };
	bool brief = c.r % 17 == 0 && c.g % 17 == 0 && c.b % 17 == 0;
	mlv_buf_putc(b, '#');
	for (int i = 0; i < 3; i++) {
		mlv_buf_putc(b, digits[channels[i] >> 4]);
		if (!brief)
			mlv_buf_putc(b, digits[channels[i] & 15]);
	}
}

void mlv_svg_color(struct mlv_buf *b, const char *name, struct mlv_color c)
{
	mlv_buf_putc(b, ' ');
	mlv_buf_puts(b, name);
	mlv_buf_puts(b, "=\"");
	put_hex(b, c);
	mlv_buf_putc(b, '"');
	if (c.a == 255)
		return;
	char opacity[24] = "fill-opacity";
	if (strcmp(name, "stroke") == 0)
		memcpy(opacity, "stroke-opacity", sizeof("stroke-opacity"));
	mlv_svg_attribute(b, opacity, c.a / 255.0);
}

void mlv_svg_escape(struct mlv_buf *b, const char *text, bool lines)
{
	while (*text) {
		if (lines && *text == '\n') {
			mlv_buf_putc(b, *text++);
			continue;
		}
		uint32_t cp = mlv_text_next(&text);
		switch (cp) {
		case '&':
			mlv_buf_puts(b, "&amp;");
			break;
		case '<':
			mlv_buf_puts(b, "&lt;");
			break;
		case '>':
			mlv_buf_puts(b, "&gt;");
			break;
		default:
			mlv_text_put(b, cp);
		}
	}
}

void mlv_svg_end(struct mlv_buf *b, const char *element, const char *title)
{
	if (!title || !*title) {
		mlv_buf_puts(b, "/>\n");
		return;
	}
	mlv_buf_puts(b, "><title>");
	mlv_svg_escape(b, title, true);
	mlv_buf_puts(b, "</title></");
	mlv_buf_puts(b, element);
	mlv_buf_puts(b, ">\n");
}
