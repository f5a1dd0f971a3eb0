/* SPDX-License-Identifier: MIT */
#include "render/raster.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "render/canvas_impl.h"

enum {
	COVER_STEPS = 15,
	SLOTS = 4096,       /* a power of two */
	SLOTS_USED = 2048,  /* at most, so that probes stay short */
	EDGE_COLORS = 192,  /* beyond these, edges look for a colour close to theirs first, */
	EDGE_MOST = 224,    /* and beyond these take the nearest: the rest is for areas */
	NEAR_SQUARED = 300, /* close: ten steps of 255 in every channel */
};

/* From colours to their indices, and to those of their stand-ins. */
struct mlv_raster_slots {
	unsigned used;
	uint32_t keys[SLOTS]; /* colour + 1; 0 = free */
	uint8_t indices[SLOTS];
};

static uint32_t pack(struct mlv_color c)
{
	return (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
}

static uint32_t blend_channel(uint32_t under, uint32_t over, unsigned alpha)
{
	return (under * (255 - alpha) + over * alpha + 127) / 255;
}

static uint32_t blend(uint32_t under, struct mlv_color over, unsigned alpha)
{
	return blend_channel(under >> 16, over.r, alpha) << 16 |
	       blend_channel(under >> 8 & 255, over.g, alpha) << 8 |
	       blend_channel(under & 255, over.b, alpha);
}

static size_t offset_of(const struct mlv_raster *r, int x, int y)
{
	return (size_t)y * (size_t)r->width + (size_t)x;
}

bool mlv_raster_init(struct mlv_raster *r, int width, int height, struct mlv_color ground)
{
	memset(r, 0, sizeof(*r));
	r->width = width;
	r->height = height;
	/* Index 0 is the ground: zeroed pages need not be touched. */
	r->indices = calloc((size_t)width * (size_t)height, 1);
	r->slots = calloc(1, sizeof(*r->slots));
	if (r->indices && r->slots)
		return mlv_raster_fill(r, (struct mlv_box){ 0, 0, 0, 0 }, ground);
	mlv_raster_fini(r);
	return false;
}

void mlv_raster_fini(struct mlv_raster *r)
{
	free(r->indices);
	free(r->pixels);
	free(r->slots);
	memset(r, 0, sizeof(*r));
}

struct mlv_box mlv_raster_clip(const struct mlv_raster *r, int64_t x0, int64_t y0, int64_t x1,
			       int64_t y1)
{
	struct mlv_box b;
	b.x0 = (int)(x0 < 0 ? 0 : x0 > r->width ? r->width : x0);
	b.y0 = (int)(y0 < 0 ? 0 : y0 > r->height ? r->height : y0);
	b.x1 = (int)(x1 < b.x0 ? b.x0 : x1 > r->width ? r->width : x1);
	b.y1 = (int)(y1 < b.y0 ? b.y0 : y1 > r->height ? r->height : y1);
	return b;
}

uint32_t mlv_raster_at(const struct mlv_raster *r, int x, int y)
{
	size_t at = offset_of(r, x, y);
	return r->pixels ? r->pixels[at] : r->colors[r->indices[at]];
}

static bool turn_to_words(struct mlv_raster *r)
{
	size_t n = (size_t)r->width * (size_t)r->height;
	r->pixels = malloc(n * sizeof(*r->pixels));
	if (!r->pixels)
		return false;
	for (size_t i = 0; i < n; i++)
		r->pixels[i] = r->colors[r->indices[i]];
	free(r->indices);
	r->indices = NULL;
	return true;
}

/* The nearest colour, or -1 if none is as close as the limit says. */
static int nearest(const struct mlv_raster *r, uint32_t color, int limit)
{
	int best = -1, least = limit;
	for (unsigned i = 0; i < r->count; i++) {
		int red = (int)(color >> 16) - (int)(r->colors[i] >> 16);
		int green = (int)(color >> 8 & 255) - (int)(r->colors[i] >> 8 & 255);
		int blue = (int)(color & 255) - (int)(r->colors[i] & 255);
		int squared = red * red + green * green + blue * blue;
		if (squared < least) {
			least = squared;
			best = (int)i;
		}
	}
	return best;
}

static int stand_in(const struct mlv_raster *r, uint32_t color)
{
	if (r->count < EDGE_COLORS)
		return -1;
	return nearest(r, color, r->count < EDGE_MOST ? NEAR_SQUARED : INT_MAX);
}

/* The index of a colour, which may be a stand-in at an edge; -1 when there is no room. */
static int index_of(struct mlv_raster *r, uint32_t color, bool edge)
{
	struct mlv_raster_slots *s = r->slots;
	unsigned i = (color * 2654435761u) >> 20;
	while (s->keys[i] && s->keys[i] != color + 1)
		i = (i + 1) % SLOTS;
	if (s->keys[i] && (edge || r->colors[s->indices[i]] == color))
		return s->indices[i];
	int index = edge ? stand_in(r, color) : -1;
	if (index < 0) {
		if (r->count == MLV_RASTER_COLORS)
			return -1;
		index = (int)r->count++;
		r->colors[index] = color;
	}
	if (s->keys[i] || s->used < SLOTS_USED) {
		s->used += !s->keys[i];
		s->keys[i] = color + 1;
		s->indices[i] = (uint8_t)index;
	}
	return index;
}

/* One pixel becomes `color`. */
static bool put(struct mlv_raster *r, size_t at, uint32_t color, bool edge)
{
	if (r->indices) {
		int index = index_of(r, color, edge);
		if (index >= 0) {
			r->indices[at] = (uint8_t)index;
			return true;
		}
		if (!turn_to_words(r))
			return false;
	}
	r->pixels[at] = color;
	return true;
}

static bool mix(struct mlv_raster *r, size_t at, struct mlv_color color, unsigned alpha, bool edge)
{
	uint32_t under = r->pixels ? r->pixels[at] : r->colors[r->indices[at]];
	return put(r, at, blend(under, color, alpha), edge);
}

static bool fill_solid(struct mlv_raster *r, struct mlv_box box, uint32_t color)
{
	int index = r->indices ? index_of(r, color, false) : -1;
	if (r->indices && index < 0 && !turn_to_words(r))
		return false;
	size_t n = (size_t)(box.x1 - box.x0);
	for (int y = box.y0; y < box.y1; y++) {
		size_t at = offset_of(r, box.x0, y);
		if (r->indices)
			memset(r->indices + at, index, n);
		else
			for (size_t i = 0; i < n; i++)
				r->pixels[at + i] = color;
	}
	return true;
}

/* Each index that comes again becomes what it became before. */
static bool fill_blended(struct mlv_raster *r, struct mlv_box box, struct mlv_color color)
{
	int16_t became[MLV_RASTER_COLORS];
	memset(became, -1, sizeof(became));
	for (int y = box.y0; y < box.y1; y++) {
		uint8_t *line = r->indices ? r->indices + offset_of(r, 0, y) : NULL;
		for (int x = box.x0; x < box.x1; x++) {
			unsigned under = line ? line[x] : 0;
			if (line && became[under] >= 0) {
				line[x] = (uint8_t)became[under];
				continue;
			}
			if (!mix(r, offset_of(r, x, y), color, color.a, false))
				return false;
			if (!r->indices)
				line = NULL; /* there were too many colours */
			else
				became[under] = line[x];
		}
	}
	return true;
}

bool mlv_raster_fill(struct mlv_raster *r, struct mlv_box box, struct mlv_color color)
{
	return color.a == 255 ? fill_solid(r, box, pack(color)) : fill_blended(r, box, color);
}

/*
 * As the lines would come out antialiased: along a row one pixel is covered
 * whole and its two neighbours half, whatever the row.
 */
bool mlv_raster_hatch(struct mlv_raster *r, struct mlv_box box, struct mlv_color color,
		      struct mlv_color paler)
{
	static const uint8_t cover[MLV_HATCH_PERIOD] = { 255, 128, 0, 0, 0, 128 };
	if (!mlv_raster_fill(r, box, paler))
		return false;
	for (int y = box.y0; y < box.y1; y++) {
		for (int x = box.x0; x < box.x1; x++) {
			unsigned alpha = cover[(x + y) % MLV_HATCH_PERIOD] * color.a / 255u;
			if (alpha && !mix(r, offset_of(r, x, y), color, alpha, false))
				return false;
		}
	}
	return true;
}

bool mlv_raster_cover(struct mlv_raster *r, struct mlv_box box, const struct mlv_mask *mask,
		      struct mlv_color color)
{
	uint8_t alpha[256];
	for (unsigned i = 0; i < 256; i++) {
		unsigned step = (i * COVER_STEPS + 127) / 255;
		alpha[i] = (uint8_t)((step * color.a + COVER_STEPS / 2) / COVER_STEPS);
	}
	for (int y = box.y0; y < box.y1; y++) {
		uint8_t *cover = mask->data + (size_t)y * (size_t)mask->stride;
		for (int x = box.x0; x < box.x1; x++) {
			unsigned a = alpha[cover[x]];
			if (a && !mix(r, offset_of(r, x, y), color, a, a < color.a))
				return false;
		}
		memset(cover + box.x0, 0, (size_t)(box.x1 - box.x0));
	}
	return true;
}
