/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_PNG_WRITE_H
#define MLV_RENDER_PNG_WRITE_H
/*
 * Pixels to PNG through libpng: with a palette when there are at most 256
 * colours (a third of the bytes, half of the time), else RGB. No time stamp:
 * the same pixels are the same bytes.
 */
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* Append the picture to `out`. A pixel is 0x00RRGGBB. */
enum mlv_rc mlv_png_write(const uint32_t *pixels, int width, int height, struct mlv_buf *out,
			  struct mlv_err *err);

#endif
