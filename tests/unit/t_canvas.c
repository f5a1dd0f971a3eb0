/* SPDX-License-Identifier: MIT */
/* Pixels through libpng, SVG as text, widths of labels. */
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/canvas_impl.h"
#include "render/palette.h"
#include "unit.h"

static const struct mlv_color white = { 255, 255, 255, 255 };
static const struct mlv_color blue = { 0x44, 0x77, 0xaa, 255 };
static const struct mlv_color red = { 255, 0, 0, 255 };
static const struct mlv_font plain = { 13, false }, bold = { 13, true };

#define COUNT(a) ((int)(sizeof(a) / sizeof(*(a))))

static struct mlv_canvas *open_png(int width, int height)
{
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_canvas *c = mlv_canvas_create_png(width, height, white, &err);
	ck_assert_ptr_nonnull(c);
	return c;
}

static struct mlv_canvas *open_svg(int width, int height, const char *title)
{
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_canvas *c = mlv_canvas_create_svg(width, height, white, title, &err);
	ck_assert_ptr_nonnull(c);
	return c;
}

static struct mlv_buf close_canvas(struct mlv_canvas *c)
{
	struct mlv_buf out = { 0 };
	struct mlv_err err = MLV_ERR_INIT;
	ck_assert_int_eq(mlv_canvas_finish(c, &out, &err), MLV_OK);
	mlv_canvas_destroy(c);
	ck_assert_uint_gt(out.len, 0);
	return out;
}

static void ribbon(struct mlv_canvas *c, const struct mlv_strip *strips, size_t count,
		   struct mlv_color color, enum mlv_fill fill)
{
	mlv_canvas_ribbon(c, &(struct mlv_ribbon){
				     .strips = strips,
				     .count = count,
				     .color = color,
				     .fill = fill,
			     });
}

/* ---- PNG ------------------------------------------------------------- */

struct picture {
	png_image image;
	uint8_t *rgb;
	bool has_palette;
};

static struct picture decode(const struct mlv_buf *png)
{
	struct picture p = { .image.version = PNG_IMAGE_VERSION };
	ck_assert(png_image_begin_read_from_memory(&p.image, png->data, png->len));
	p.has_palette = p.image.format & PNG_FORMAT_FLAG_COLORMAP;
	p.image.format = PNG_FORMAT_RGB;
	p.rgb = malloc(PNG_IMAGE_SIZE(p.image));
	ck_assert_ptr_nonnull(p.rgb);
	ck_assert(png_image_finish_read(&p.image, NULL, p.rgb, 0, NULL));
	return p;
}

/* Finish and decode. */
static struct picture picture_of(struct mlv_canvas *c)
{
	struct mlv_buf out = close_canvas(c);
	struct picture p = decode(&out);
	mlv_buf_fini(&out);
	return p;
}

static uint32_t at(const struct picture *p, unsigned x, unsigned y)
{
	const uint8_t *s = p->rgb + ((size_t)y * p->image.width + x) * 3;
	return (uint32_t)s[0] << 16 | (uint32_t)s[1] << 8 | s[2];
}

START_TEST(png_rects)
{
	struct mlv_canvas *c = open_png(40, 30);
	mlv_canvas_rect(c, 5, 6, 10, 4, blue, "not shown");
	mlv_canvas_rect(c, 30, 20, 100, 100, red, NULL);
	mlv_canvas_rect(c, -50, -50, 52, 52, red, NULL);
	mlv_canvas_rect(c, 20.5, 5, 1, 1, (struct mlv_color){ 0, 0, 0, 255 }, NULL);
	struct picture p = picture_of(c);
	ck_assert(p.has_palette);
	ck_assert_uint_eq(p.image.width, 40);
	ck_assert_uint_eq(p.image.height, 30);
	for (unsigned y = 0; y < 30; y++) {
		for (unsigned x = 0; x < 40; x++) {
			uint32_t want = 0xffffff;
			if (x >= 5 && x < 15 && y >= 6 && y < 10)
				want = 0x4477aa;
			if ((x >= 30 && y >= 20) || (x < 2 && y < 2))
				want = 0xff0000;
			if (y == 5 && (x == 20 || x == 21)) {
				/* half of the pixel, in fifteenths */
				ck_assert_uint_ge(at(&p, x, y) & 255, 0x77);
				ck_assert_uint_le(at(&p, x, y) & 255, 0x88);
				continue;
			}
			ck_assert_uint_eq(at(&p, x, y), want);
		}
	}
	free(p.rgb);
}
END_TEST

START_TEST(png_blending)
{
	struct mlv_canvas *c = open_png(4, 2);
	mlv_canvas_rect(c, 0, 0, 2, 2, blue, NULL);
	mlv_canvas_rect(c, 1, 0, 2, 1, (struct mlv_color){ 255, 0, 0, 51 }, NULL);
	mlv_canvas_rect(c, 0, 0, 4, 2, (struct mlv_color){ 1, 2, 3, 0 }, NULL);
	struct picture p = picture_of(c);
	ck_assert_uint_eq(at(&p, 0, 0), 0x4477aa);
	ck_assert_uint_eq(at(&p, 1, 0), 0x695f88); /* four fifths blue, one fifth red */
	ck_assert_uint_eq(at(&p, 2, 0), 0xffcccc);
	ck_assert_uint_eq(at(&p, 3, 1), 0xffffff);
	free(p.rgb);
}
END_TEST

START_TEST(png_ribbons)
{
	static const struct mlv_strip strips[] = {
		{ INT32_MIN, 4, 10, 16 }, { 4, 10, 8, 16 },   { 12, 14, 12, 15 },
		{ 14, 14, 0, 20 },        { 15, 17, 20, 10 }, { 18, INT32_MAX, -5, INT32_MAX },
	};
	struct mlv_canvas *c = open_png(20, 20);
	mlv_canvas_ribbon(c, &(struct mlv_ribbon){ .strips = strips,
						   .count = COUNT(strips),
						   .color = blue,
						   .seam = true,
						   .seam_color = red });
	struct picture p = picture_of(c);
	for (unsigned y = 0; y < 20; y++) {
		for (unsigned x = 0; x < 20; x++) {
			uint32_t want = 0xffffff;
			if (x < 10 && y < 16 && y >= (x < 4 ? 10 : 8))
				want = y == (x < 4 ? 10 : 8) ? 0xff0000 : 0x4477aa;
			if ((x >= 12 && x < 14 && y >= 12 && y < 15) || x >= 18)
				want = 0x4477aa; /* too thin for a seam; seam outside */
			ck_assert_uint_eq(at(&p, x, y), want);
		}
	}
	free(p.rgb);
}
END_TEST

/* Neighbours of one colour look like one area, wherever their strips begin. */
START_TEST(png_hatch_lines_up)
{
	static const struct mlv_strip whole[] = { { 0, 31, 0, 23 } };
	static const struct mlv_strip parts[][2] = {
		{ { 0, 7, 0, 10 }, { 7, 31, 0, 5 } },
		{ { 0, 7, 10, 23 }, { 7, 31, 5, 23 } },
	};
	struct mlv_canvas *a = open_png(31, 23), *b = open_png(31, 23);
	ribbon(a, whole, 1, blue, MLV_FILL_HATCH);
	ribbon(b, parts[0], 2, blue, MLV_FILL_HATCH);
	ribbon(b, parts[1], 2, blue, MLV_FILL_HATCH);
	struct picture p = picture_of(a), q = picture_of(b);
	ck_assert_mem_eq(p.rgb, q.rgb, (size_t)31 * 23 * 3);
	ck_assert_uint_eq(at(&p, 0, 0), 0x4477aa);
	ck_assert_uint_eq(at(&p, 5, 1), 0x4477aa);
	ck_assert_uint_eq(at(&p, 3, 0), 0xbecfe1); /* 35 % of the colour */
	ck_assert_uint_eq(at(&p, 2, 1), at(&p, 3, 0));
	free(p.rgb);
	free(q.rgb);
}
END_TEST

START_TEST(png_many_colors)
{
	struct mlv_canvas *c = open_png(64, 16);
	for (int i = 0; i < 1024; i++) {
		struct mlv_color color = { (uint8_t)(i >> 2), (uint8_t)(i * 7), (uint8_t)i, 255 };
		mlv_canvas_rect(c, i % 64, i / 64, 1, 1, color, NULL);
	}
	mlv_canvas_rect(c, 0, 0, 1, 1, (struct mlv_color){ 255, 255, 255, 51 }, NULL);
	struct picture p = picture_of(c);
	ck_assert(!p.has_palette);
	ck_assert_uint_eq(at(&p, 0, 0), 0x333333);
	for (unsigned i = 1; i < 1024; i++)
		ck_assert_uint_eq(at(&p, i % 64, i / 64),
				  (i >> 2) << 16 | (i * 7 & 255) << 8 | (i & 255));
	free(p.rgb);
}
END_TEST

/* Text over many colours keeps to a palette, and the areas keep their exact colours. */
START_TEST(png_palette_lasts)
{
	struct mlv_canvas *c = open_png(480, 60);
	for (uint32_t i = 0; i < 48; i++)
		mlv_canvas_rect(c, i * 10, 0, 10, 60, mlv_palette_color(i), NULL);
	for (int i = 0; i < 3; i++)
		mlv_canvas_text(c, 0, 15 * i + 20, plain, MLV_START, i == 1 ? red : white,
				"the quick brown fox jumps over the lazy dog and the fence beyond");
	mlv_canvas_rect(c, 0, 55, 480, 5, (struct mlv_color){ 1, 2, 3, 255 }, NULL);
	struct picture p = picture_of(c);
	ck_assert(p.has_palette);
	for (uint32_t i = 0; i < 48; i++) {
		struct mlv_color k = mlv_palette_color(i);
		ck_assert_uint_eq(at(&p, i * 10 + 5, 2),
				  (uint32_t)k.r << 16 | (uint32_t)k.g << 8 | k.b);
		ck_assert_uint_eq(at(&p, i * 10 + 5, 57), 0x010203);
	}
	free(p.rgb);
}
END_TEST

/* How many pixels of rows y0..y1 and columns x0..x1 are not white. */
static unsigned inked(const struct picture *p, unsigned x0, unsigned y0, unsigned x1, unsigned y1)
{
	unsigned n = 0;
	for (unsigned y = y0; y < y1; y++)
		for (unsigned x = x0; x < x1; x++)
			n += at(p, x, y) != 0xffffff;
	return n;
}

START_TEST(png_shapes)
{
	static const struct mlv_point line[] = { { 10, 5.5 }, { 50, 5.5 } };
	static const struct mlv_point wedge[] = { { 10, 10 }, { 30, 10 }, { 10, 30 } };
	struct mlv_canvas *c = open_png(100, 60);
	mlv_canvas_polyline(c, line, 2, 1, blue, 4);
	mlv_canvas_polygon(c, wedge, 3, red);
	mlv_canvas_circle(c, 70, 20, 8, blue, red, 2);
	mlv_canvas_circle(c, 70, 20, NAN, blue, red, 2);
	struct picture p = picture_of(c);
	for (unsigned x = 10; x < 50; x++)
		ck_assert_uint_eq(at(&p, x, 5), (x - 10) / 4 % 2 ? 0xffffff : 0x4477aa);
	ck_assert_uint_eq(inked(&p, 0, 5, 100, 6), 20);
	ck_assert_uint_eq(at(&p, 12, 12), 0xff0000);
	ck_assert_uint_eq(at(&p, 29, 29), 0xffffff);
	ck_assert_uint_eq(at(&p, 70, 20), 0x4477aa);
	ck_assert_uint_eq(at(&p, 62, 20), 0xff0000);
	ck_assert_uint_eq(inked(&p, 80, 0, 100, 60), 0);
	free(p.rgb);
}
END_TEST

START_TEST(png_letters)
{
	struct mlv_canvas *c = open_png(200, 80);
	mlv_canvas_text(c, 100, 20, plain, MLV_START, blue, "Mgp");
	mlv_canvas_text(c, 100, 40, bold, MLV_END, blue, "Mgp");
	mlv_canvas_text(c, 100, 60, plain, MLV_MIDDLE, blue, "MM");
	mlv_canvas_text(c, 199, 75, plain, MLV_START, blue, "over the edge");
	mlv_canvas_text(c, -500, 75, plain, MLV_START, blue, "before the edge");
	struct picture p = picture_of(c);
	ck_assert_uint_eq(inked(&p, 0, 0, 100, 26), 0);
	ck_assert_uint_gt(inked(&p, 100, 8, 130, 26), 30);
	ck_assert_uint_eq(inked(&p, 101, 28, 200, 46), 0);
	ck_assert_uint_gt(inked(&p, 70, 28, 101, 46), 30);
	ck_assert_uint_gt(inked(&p, 85, 48, 100, 62), 15);
	ck_assert_uint_gt(inked(&p, 100, 48, 115, 62), 15);
	free(p.rgb);
}
END_TEST

/* ---- SVG ------------------------------------------------------------- */

/* Stop at the first thing that makes it no XML, as far as this writer goes. */
static void check_xml(const char *s)
{
	char open[32][16];
	int depth = 0;
	while (*s) {
		const char *before = s;
		uint32_t cp = mlv_text_next(&s);
		/* Valid and allowed: what is read is what stands there. */
		ck_assert(cp != 0xfffd || memcmp(before, "\xef\xbf\xbd", 3) == 0);
		ck_assert(cp != '&' || !strncmp(s, "amp;", 4) || !strncmp(s, "lt;", 3) ||
			  !strncmp(s, "gt;", 3));
		ck_assert(cp != '>');
		if (cp != '<')
			continue;
		const char *end = strchr(s, '>');
		ck_assert_ptr_nonnull(end);
		size_t name = strcspn(s + (*s == '/'), " />");
		if (*s == '/') {
			ck_assert_int_gt(depth, 0);
			ck_assert(!strncmp(open[--depth], s + 1, name) && !open[depth][name]);
		} else if (end[-1] != '/') {
			ck_assert(depth < 32 && name < 16);
			snprintf(open[depth++], 16, "%.*s", (int)name, s);
		}
		unsigned quotes = 0;
		for (; s < end; s++)
			quotes += *s == '"';
		ck_assert_uint_eq(quotes % 2, 0);
		s = end + 1;
	}
	ck_assert_int_eq(depth, 0);
}

START_TEST(svg_paths)
{
	static const struct mlv_strip strips[] = {
		{ 10, 15, 20, 30 }, { 15, 22, 17, 30 }, { 22, 25, 17, 28 },
		{ 25, 26, 5, 5 },   { 30, 35, 20, 23 },
	};
	struct mlv_canvas *c = open_svg(100, 50, "a & b");
	mlv_canvas_ribbon(c, &(struct mlv_ribbon){ .strips = strips,
						   .count = COUNT(strips),
						   .color = blue,
						   .seam = true,
						   .seam_color = white,
						   .title = "x<y\n2" });
	mlv_canvas_rect(c, 1, 2.25, 3, 4, (struct mlv_color){ 1, 2, 3, 51 }, NULL);
	struct mlv_buf out = close_canvas(c);
	ck_assert_str_eq(out.data,
			 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"50\" "
			 "viewBox=\"0 0 100 50\" role=\"img\" "
			 "font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\" "
			 "text-rendering=\"geometricPrecision\">\n"
			 "<title>a &amp; b</title>\n"
			 "<rect width=\"100\" height=\"50\" fill=\"#fff\"/>\n"
			 "<g shape-rendering=\"crispEdges\">\n"
			 "<path d=\"M10 20h5v-3h10v11h-3v2h-12zM30 20h5v3h-5z\" fill=\"#47a\">"
			 "<title>x&lt;y\n2</title></path>\n"
			 "<path d=\"M10 20.5h5M15 17.5h10\" stroke=\"#fff\"/>\n"
			 "</g>\n"
			 "<rect x=\"1\" y=\"2.25\" width=\"3\" height=\"4\" fill=\"#010203\" "
			 "fill-opacity=\".2\"/>\n"
			 "</svg>\n");
	check_xml(out.data);
	mlv_buf_fini(&out);
}
END_TEST

START_TEST(svg_shapes)
{
	static const struct mlv_point points[] = {
		{ 1, 2 }, { 10.5, 2 }, { 10.5, -0.001 }, { 1e300, NAN }, { -3.14159, 1234.5 },
	};
	struct mlv_canvas *c = open_svg(100, 50, NULL);
	mlv_canvas_polyline(c, points, COUNT(points), 1.5, red, 3);
	mlv_canvas_polygon(c, points, 3, blue);
	mlv_canvas_circle(c, 5, 6, 4, (struct mlv_color){ 0, 0, 0, 0 }, red, 0.75);
	mlv_canvas_text(c, 7, 8, bold, MLV_END, blue, " two  blanks");
	struct mlv_buf out = close_canvas(c);
	const char *body = strstr(out.data, "<path");
	ck_assert_str_eq(body, "<path fill=\"none\" stroke=\"#f00\" stroke-width=\"1.5\" "
			       "stroke-dasharray=\"3\" d=\"M1 2H10.5V0L1000000 0L-3.14 1234.5\"/>\n"
			       "<path fill=\"#47a\" d=\"M1 2H10.5V0z\"/>\n"
			       "<circle cx=\"5\" cy=\"6\" r=\"4\" fill=\"none\" stroke=\"#f00\" "
			       "stroke-width=\".75\"/>\n"
			       "<text x=\"7\" y=\"8\" font-size=\"13\" font-weight=\"bold\" "
			       "text-anchor=\"end\" fill=\"#47a\" xml:space=\"preserve\">"
			       " two  blanks</text>\n"
			       "</svg>\n");
	check_xml(out.data);
	mlv_buf_fini(&out);
}
END_TEST

static const char *const hostile[] = {
	"</text><script>alert(1)</script>",
	"]]>&amp;<!-- \" ' -->",
	"\x01\x02\x1f\x7f\tx\r\n",
	"\xff\xfe\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80",
	"cut \xe2\x80",
	"\xef\xbf\xbe\xef\xbf\xbf",
	"\xc2\x85\xe2\x80\xa8 \xf0\x9f\x94\xa5 \xd7\xa9",
};

static void draw_hostile(const char *text)
{
	static const struct mlv_strip strip[] = { { 0, 5, 0, 5 } };
	struct mlv_canvas *c = open_svg(100, 50, text);
	mlv_canvas_text(c, 5, 5, plain, MLV_START, blue, text);
	mlv_canvas_rect(c, 0, 0, 5, 5, blue, text);
	mlv_canvas_ribbon(c, &(struct mlv_ribbon){ .strips = strip,
						   .count = 1,
						   .color = blue,
						   .fill = MLV_FILL_HATCH,
						   .title = text });
	struct mlv_buf out = close_canvas(c);
	check_xml(out.data);
	ck_assert_ptr_null(strstr(out.data, "<script"));
	ck_assert_ptr_nonnull(strstr(out.data, "id=\"hatch-4477aaff\""));
	ck_assert_ptr_nonnull(strstr(out.data, "fill=\"url(#hatch-4477aaff)\""));
	mlv_buf_fini(&out);

	c = open_png(100, 50);
	mlv_canvas_text(c, 5, 20, plain, MLV_MIDDLE, blue, text);
	out = close_canvas(c);
	mlv_buf_fini(&out);
}

START_TEST(svg_hostile)
{
	for (int i = 0; i < COUNT(hostile); i++)
		draw_hostile(hostile[i]);
}
END_TEST

/* ---- both ------------------------------------------------------------ */

static void draw_some(struct mlv_canvas *c)
{
	static const struct mlv_strip strips[] = { { 5, 50, 20, 40 }, { 50, 90, 25, 40 } };
	static const struct mlv_point line[] = { { 3, 4 }, { 60, 44 }, { 90, 10 } };
	ribbon(c, strips, 2, blue, MLV_FILL_HATCH);
	mlv_canvas_polyline(c, line, 3, 1.5, red, 0);
	mlv_canvas_circle(c, 30, 30, 5, white, red, 1);
	mlv_canvas_text(c, 50, 15, bold, MLV_MIDDLE, blue, "peak 3 GiB · 2 calls");
}

START_TEST(same_bytes)
{
	for (int form = 0; form < 2; form++) {
		struct mlv_buf out[2];
		for (int i = 0; i < 2; i++) {
			struct mlv_canvas *c = form ? open_svg(100, 50, "t") : open_png(100, 50);
			draw_some(c);
			out[i] = close_canvas(c);
		}
		ck_assert_uint_eq(out[0].len, out[1].len);
		ck_assert_mem_eq(out[0].data, out[1].data, out[0].len);
		mlv_buf_fini(&out[0]);
		mlv_buf_fini(&out[1]);
	}
}
END_TEST

START_TEST(errors)
{
	static const int sizes[][2] = { { 0, 5 }, { 5, -1 }, { 16385, 5 }, { 5, 16385 } };
	for (int i = 0; i < COUNT(sizes); i++) {
		struct mlv_err err = MLV_ERR_INIT;
		ck_assert_ptr_null(mlv_canvas_create_png(sizes[i][0], sizes[i][1], white, &err));
		ck_assert_int_eq(err.rc, MLV_E_USAGE);
		ck_assert_ptr_null(
			mlv_canvas_create_svg(sizes[i][0], sizes[i][1], white, "", NULL));
	}
	mlv_canvas_destroy(NULL);
	for (int form = 0; form < 2; form++) {
		struct mlv_canvas *c = form ? open_svg(100, 50, NULL) : open_png(100, 50);
		struct mlv_buf out = { 0 };
		struct mlv_err err = MLV_ERR_INIT;
		draw_some(c);
		mlv_canvas_fail(c, MLV_E_NOMEM);
		mlv_canvas_fail(c, MLV_E_OUTPUT);
		draw_some(c);
		ck_assert_int_eq(mlv_canvas_finish(c, &out, &err), MLV_E_NOMEM);
		ck_assert_int_eq(err.rc, MLV_E_NOMEM);
		ck_assert_int_eq(mlv_canvas_finish(c, &out, NULL), MLV_E_USAGE);
		ck_assert_uint_eq(out.len, 0);
		mlv_canvas_destroy(c);

		/* A buffer that has failed before. */
		c = form ? open_svg(100, 50, NULL) : open_png(100, 50);
		out.failed = true;
		ck_assert_int_eq(mlv_canvas_finish(c, &out, NULL), MLV_E_NOMEM);
		mlv_canvas_destroy(c);
	}
}
END_TEST

/* ---- text ------------------------------------------------------------ */

START_TEST(text_width)
{
	ck_assert(mlv_text_width(plain, "") == 0);
	ck_assert_double_eq_tol(mlv_text_width(plain, "0"), 13 * 1303 / 2048.0, 1e-9);
	ck_assert_double_eq_tol(mlv_text_width(bold, "0"), 13 * 1425 / 2048.0, 1e-9);
	ck_assert_double_eq_tol(mlv_text_width(plain, "·…–×→\xe2\x80\x89"),
				13 * (651 + 2048 + 1024 + 1716 + 1716 + 409) / 2048.0, 1e-9);
	/* Each invalid byte takes its room. */
	ck_assert_double_gt(mlv_text_width(plain, "\xff\xff"), mlv_text_width(plain, "\xff"));
}
END_TEST

static const char *const labels[] = {
	"train_step",
	"backward (no Python frame)",
	"/usr/lib/python3/dist-packages/torch/nn/functional.py:2543",
	"größe — naïve façade",
	"\xff\xfe raw \xe2\x80 bytes",
	"🔥🔥🔥🔥🔥🔥",
	"a   b   c   d   e",
	"",
};

static void check_fit(const char *label)
{
	for (double width = 0; width < 420; width += 3.7) {
		for (unsigned kind = 0; kind < 4; kind++) {
			struct mlv_font font = kind & 1 ? bold : plain;
			char buf[96];
			double used = mlv_text_fit(font, label, width, kind & 2, buf, sizeof(buf));
			ck_assert_double_le(used, width + 1e-9);
			ck_assert_double_eq_tol(used, mlv_text_width(font, buf), 1e-9);
			if (mlv_text_width(font, label) <= width) {
				ck_assert_str_eq(buf, label);
				continue;
			}
			if (width < 13) {
				ck_assert_str_eq(buf, "");
				continue;
			}
			const char *dots = strstr(buf, "…");
			ck_assert_ptr_nonnull(dots);
			ck_assert(strncmp(buf, label, (size_t)(dots - buf)) == 0);
			const char *tail = dots + strlen("…");
			ck_assert(kind & 2 || !*tail);
			ck_assert_str_eq(tail, label + strlen(label) - strlen(tail));
		}
	}
}

START_TEST(text_fit)
{
	for (int i = 0; i < COUNT(labels); i++)
		check_fit(labels[i]);
}
END_TEST

START_TEST(text_fit_small_buffer)
{
	for (size_t size = 1; size < 40; size++) {
		for (int middle = 0; middle < 2; middle++) {
			char buf[64];
			memset(buf, '#', sizeof(buf));
			mlv_text_fit(plain, "größe größe größe", 1000, middle, buf, size);
			ck_assert_uint_lt(strlen(buf), size);
			ck_assert_int_eq(buf[size], '#');
			for (const char *s = buf; *s;)
				ck_assert_uint_ne(mlv_text_next(&s), 0xfffd);
		}
	}
}
END_TEST

UNIT_MAIN("canvas", png_rects, png_blending, png_ribbons, png_hatch_lines_up, png_many_colors,
	  png_palette_lasts, png_shapes, png_letters, svg_paths, svg_shapes, svg_hostile,
	  same_bytes, errors, text_width, text_fit, text_fit_small_buffer)
