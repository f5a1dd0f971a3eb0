/* SPDX-License-Identifier: MIT */
#include "render/png_write.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { COLORS = 256, SLOTS = 1024 };

struct palette {
	unsigned count;
	uint32_t colors[COLORS];
	uint32_t keys[SLOTS]; /* colour + 1; 0 = free */
	uint8_t values[SLOTS];
};

static unsigned slot_of(const struct palette *p, uint32_t color)
{
	unsigned i = (color * 2654435761u) >> 22;
	while (p->keys[i] && p->keys[i] != color + 1)
		i = (i + 1) % SLOTS;
	return i;
}

/* Colours in the order in which they come. False when there are too many. */
static bool collect(struct palette *p, const uint32_t *pixels, size_t n)
{
	memset(p, 0, sizeof(*p));
	uint32_t last = ~pixels[0];
	for (size_t i = 0; i < n; i++) {
		if (pixels[i] == last) /* nearly always */
			continue;
		last = pixels[i];
		unsigned slot = slot_of(p, last);
		if (p->keys[slot])
			continue;
		if (p->count == COLORS)
			return false;
		p->keys[slot] = last + 1;
		p->values[slot] = (uint8_t)p->count;
		p->colors[p->count++] = last;
	}
	return true;
}

static void row_indexed(const struct palette *p, const uint32_t *pixels, int width, uint8_t *row)
{
	uint32_t last = ~pixels[0];
	uint8_t index = 0;
	for (int x = 0; x < width; x++) {
		if (pixels[x] != last) {
			last = pixels[x];
			index = p->values[slot_of(p, last)];
		}
		row[x] = index;
	}
}

static void row_rgb(const uint32_t *pixels, int width, uint8_t *row)
{
	for (int x = 0; x < width; x++, row += 3) {
		row[0] = (uint8_t)(pixels[x] >> 16);
		row[1] = (uint8_t)(pixels[x] >> 8);
		row[2] = (uint8_t)pixels[x];
	}
}

static void on_write(png_structp png, png_bytep data, size_t n)
{
	struct mlv_buf *out = png_get_io_ptr(png);
	mlv_buf_add(out, data, n);
	if (out->failed)
		png_error(png, "out of memory");
}

static void on_flush(png_structp png)
{
	(void)png;
}

/* libpng would print to stderr; the caller reports instead. */
static void on_error(png_structp png, png_const_charp message)
{
	(void)message;
	png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message;
}

static void write_header(png_structp png, png_infop info, const struct palette *p, int width,
			 int height)
{
	png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8,
		     p ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
		     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	if (p) {
		png_color plte[COLORS];
		for (unsigned i = 0; i < p->count; i++)
			row_rgb(&p->colors[i], 1, (uint8_t *)&plte[i]);
		png_set_PLTE(png, info, plte, (int)p->count);
	}
	char key[] = "Software", text[] = "mlviz";
	png_text software = { .compression = PNG_TEXT_COMPRESSION_NONE, .key = key, .text = text };
	png_set_text(png, info, &software, 1);
	png_write_info(png, info);
}

static bool write_all(png_structp png, png_infop info, const struct palette *p,
		      const uint32_t *pixels, int width, int height, uint8_t *row)
{
	if (setjmp(png_jmpbuf(png)))
		return false;
	png_set_compression_level(png, 6);
	png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
	write_header(png, info, p, width, height);
	for (int y = 0; y < height; y++) {
		const uint32_t *line = pixels + (size_t)y * (size_t)width;
		if (p)
			row_indexed(p, line, width, row);
		else
			row_rgb(line, width, row);
		png_write_row(png, row);
	}
	png_write_end(png, info);
	return true;
}

enum mlv_rc mlv_png_write(const uint32_t *pixels, int width, int height, struct mlv_buf *out,
			  struct mlv_err *err)
{
	struct palette *p = malloc(sizeof(*p));
	uint8_t *row = malloc((size_t)width * 3);
	png_structp png =
		png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	enum mlv_rc rc = MLV_OK;
	if (!p || !row || !info) {
		rc = mlv_err_nomem(err);
	} else {
		bool few = collect(p, pixels, (size_t)width * (size_t)height);
		png_set_write_fn(png, out, on_write, on_flush);
		if (!write_all(png, info, few ? p : NULL, pixels, width, height, row))
			rc = out->failed ? mlv_err_nomem(err)
					 : mlv_err_set(err, MLV_E_OUTPUT, "libpng gave up");
	}
	if (png)
		png_destroy_write_struct(&png, &info);
	free(row);
	free(p);
	return rc;
}
