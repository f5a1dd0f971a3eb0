/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_PNG_WRITE_H
#define MLV_RENDER_PNG_WRITE_H
/*
 * Pixels to PNG through libpng: with the palette of the raster as long as it
 * has one (a third of the bytes, half of the time), else RGB. No time stamp:
 * the same pixels are the same bytes.
 */
#include "base/buf.h"
#include "base/err.h"
#include "render/raster.h"

/* Append the picture to `out`. */
enum mlv_rc mlv_png_write(const struct mlv_raster *r, struct mlv_buf *out, struct mlv_err *err);

#endif
