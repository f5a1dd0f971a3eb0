/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_RASTER_H
#define MLV_RENDER_RASTER_H
/*
 * The pixels of a picture: one byte each, an index into a palette, as long as
 * 256 colours do, which is nearly always. That is a quarter of the memory and
 * what PNG stores best. When the palette is getting full, pixels at the edges
 * of text and lines take the nearest colour there is; areas are always exact.
 * Should those alone need more, the raster turns to one 0x00RRGGBB word a
 * pixel. Callers do not see which it is.
 */
#include "render/canvas.h"

enum { MLV_RASTER_COLORS = 256 };

/* Pixels x0..x1 and y0..y1, ends exclusive. */
struct mlv_box {
	int x0, y0, x1, y1;
};

/* Coverage of a picture's pixels, 0 to 255 each. */
struct mlv_mask {
	uint8_t *data;
	int width, height, stride;
};

struct mlv_raster {
	int width, height;
	uint8_t *indices; /* NULL once there are too many colours */
	uint32_t *pixels; /* then these */
	unsigned count;   /* of colours */
	uint32_t colors[MLV_RASTER_COLORS];
	struct mlv_raster_slots *slots;
};

/* False when memory runs out. */
bool mlv_raster_init(struct mlv_raster *r, int width, int height, struct mlv_color ground);
void mlv_raster_fini(struct mlv_raster *r);

/* The part of the rectangle that lies in the picture; may be empty. */
struct mlv_box mlv_raster_clip(const struct mlv_raster *r, int64_t x0, int64_t y0, int64_t x1,
			       int64_t y1);

/* The boxes have been clipped. All return false when memory runs out. */
bool mlv_raster_fill(struct mlv_raster *r, struct mlv_box box, struct mlv_color color);

/* Lines of `color` at 45 degrees over `paler`, at the same places whatever the box. */
bool mlv_raster_hatch(struct mlv_raster *r, struct mlv_box box, struct mlv_color color,
		      struct mlv_color paler);

/* The colour where the mask says so, in sixteen steps; the mask is emptied. */
bool mlv_raster_cover(struct mlv_raster *r, struct mlv_box box, const struct mlv_mask *mask,
		      struct mlv_color color);

uint32_t mlv_raster_at(const struct mlv_raster *r, int x, int y);

#endif
