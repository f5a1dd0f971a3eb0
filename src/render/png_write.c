/* SPDX-License-Identifier: MIT */
#include "render/png_write.h"

#include <png.h>
#include <stdlib.h>

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

static void write_header(png_structp png, png_infop info, const struct mlv_raster *r)
{
	png_set_IHDR(png, info, (png_uint_32)r->width, (png_uint_32)r->height, 8,
		     r->indices ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
		     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	if (r->indices) {
		png_color palette[MLV_RASTER_COLORS];
		row_rgb(r->colors, (int)r->count, (uint8_t *)palette);
		png_set_PLTE(png, info, palette, (int)r->count);
	}
	char key[] = "Software", text[] = "mlviz";
	png_text software = { .compression = PNG_TEXT_COMPRESSION_NONE, .key = key, .text = text };
	png_set_text(png, info, &software, 1);
	png_write_info(png, info);
}

/* `row` has room for a row as RGB. */
static bool write_all(png_structp png, png_infop info, const struct mlv_raster *r, uint8_t *row)
{
	if (setjmp(png_jmpbuf(png)))
		return false;
	png_set_compression_level(png, 6);
	/* Indices repeat as they are, down to the byte; colours compress better as differences. */
	png_set_filter(png, PNG_FILTER_TYPE_BASE, r->indices ? PNG_FILTER_NONE : PNG_FILTER_UP);
	write_header(png, info, r);
	for (size_t y = 0; y < (size_t)r->height; y++) {
		if (r->indices) {
			png_write_row(png, r->indices + y * (size_t)r->width);
		} else {
			row_rgb(r->pixels + y * (size_t)r->width, r->width, row);
			png_write_row(png, row);
		}
	}
	png_write_end(png, info);
	return true;
}

enum mlv_rc mlv_png_write(const struct mlv_raster *r, struct mlv_buf *out, struct mlv_err *err)
{
	uint8_t *row = malloc((size_t)r->width * 3);
	png_structp png =
		png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	enum mlv_rc rc = MLV_OK;
	if (row && info) {
		png_set_write_fn(png, out, on_write, on_flush);
		if (!write_all(png, info, r, row))
			rc = out->failed ? mlv_err_nomem(err)
					 : mlv_err_set(err, MLV_E_OUTPUT, "libpng gave up");
	} else {
		rc = mlv_err_nomem(err);
	}
	if (png)
		png_destroy_write_struct(&png, &info);
	free(row);
	return rc;
}
