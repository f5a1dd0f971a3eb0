/* SPDX-License-Identifier: MIT */
/*
 * The PNG canvas. Rectangles and ribbons go straight into the pixels. All
 * else is drawn as coverage first (cairo for lines and circles, FreeType for
 * text) and blended from there in sixteen steps, so that a picture keeps to
 * the 256 colours of a palette and no antialiasing is done twice.
 */
#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/canvas_impl.h"
#include "render/glyphs.h"
#include "render/png_write.h"

enum { COVER_STEPS = 15 };

struct png_canvas {
	struct mlv_canvas base;
	uint32_t *pixels; /* 0x00RRGGBB */
	cairo_surface_t *surface;
	cairo_t *cr;	      /* draws into `mask`; NULL until needed */
	struct mlv_mask mask; /* all zero between two shapes */
	struct mlv_glyphs *glyphs;
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

static struct mlv_box clip(const struct mlv_canvas *c, int64_t x0, int64_t y0, int64_t x1,
			   int64_t y1)
{
	struct mlv_box b;
	b.x0 = (int)(x0 < 0 ? 0 : x0 > c->width ? c->width : x0);
	b.y0 = (int)(y0 < 0 ? 0 : y0 > c->height ? c->height : y0);
	b.x1 = (int)(x1 < b.x0 ? b.x0 : x1 > c->width ? c->width : x1);
	b.y1 = (int)(y1 < b.y0 ? b.y0 : y1 > c->height ? c->height : y1);
	return b;
}

static uint32_t *line_at(struct png_canvas *p, int y)
{
	return p->pixels + (size_t)y * (size_t)p->base.width;
}

/* `box` lies within the picture. */
static void fill(struct png_canvas *p, struct mlv_box box, struct mlv_color color)
{
	uint32_t solid = pack(color);
	for (int y = box.y0; y < box.y1; y++) {
		uint32_t *line = line_at(p, y);
		if (color.a == 255) {
			for (int x = box.x0; x < box.x1; x++)
				line[x] = solid;
		} else {
			for (int x = box.x0; x < box.x1; x++)
				line[x] = blend(line[x], color, color.a);
		}
	}
}

/*
 * Lines at 45 degrees as they would come out antialiased: along a row one
 * pixel is covered whole, its two neighbours half, whatever the row.
 */
static void hatch(struct png_canvas *p, struct mlv_box box, struct mlv_color color)
{
	static const uint8_t cover[MLV_HATCH_PERIOD] = { 255, 128, 0, 0, 0, 128 };
	fill(p, box, mlv_hatch_ground(&p->base, color));
	for (int y = box.y0; y < box.y1; y++) {
		uint32_t *line = line_at(p, y);
		for (int x = box.x0; x < box.x1; x++) {
			unsigned a = cover[(x + y) % MLV_HATCH_PERIOD];
			if (a)
				line[x] = blend(line[x], color, a * color.a / 255);
		}
	}
}

static bool mask_ready(struct png_canvas *p)
{
	if (p->cr)
		return true;
	p->surface = cairo_image_surface_create(CAIRO_FORMAT_A8, p->base.width, p->base.height);
	p->cr = cairo_create(p->surface);
	if (cairo_status(p->cr) != CAIRO_STATUS_SUCCESS) {
		mlv_canvas_fail(&p->base, MLV_E_NOMEM);
		return false;
	}
	cairo_set_miter_limit(p->cr, 4); /* SVG's default */
	p->mask = (struct mlv_mask){ cairo_image_surface_get_data(p->surface), p->base.width,
				     p->base.height, cairo_image_surface_get_stride(p->surface) };
	return true;
}

/* Blend a colour through the mask, and empty the mask. */
static void blend_mask(struct png_canvas *p, struct mlv_box box, struct mlv_color color)
{
	uint8_t alpha[256];
	for (unsigned i = 0; i < 256; i++) {
		unsigned step = (i * COVER_STEPS + 127) / 255;
		alpha[i] = (uint8_t)((step * color.a + COVER_STEPS / 2) / COVER_STEPS);
	}
	for (int y = box.y0; y < box.y1; y++) {
		uint8_t *cover = p->mask.data + (size_t)y * (size_t)p->mask.stride;
		uint32_t *line = line_at(p, y);
		for (int x = box.x0; x < box.x1; x++)
			if (cover[x])
				line[x] = blend(line[x], color, alpha[cover[x]]);
		memset(cover + box.x0, 0, (size_t)(box.x1 - box.x0));
	}
}

/* Fill or stroke cairo's path, which reaches no further than `reach` beyond its points. */
static void paint_path(struct png_canvas *p, struct mlv_color color, bool stroke, double reach)
{
	double x0, y0, x1, y1;
	cairo_path_extents(p->cr, &x0, &y0, &x1, &y1);
	struct mlv_box box = clip(&p->base, (int64_t)floor(x0 - reach), (int64_t)floor(y0 - reach),
				  (int64_t)ceil(x1 + reach), (int64_t)ceil(y1 + reach));
	if (stroke)
		cairo_stroke(p->cr);
	else
		cairo_fill(p->cr);
	cairo_surface_flush(p->surface);
	if (cairo_status(p->cr) != CAIRO_STATUS_SUCCESS)
		mlv_canvas_fail(&p->base, MLV_E_NOMEM);
	blend_mask(p, box, color);
	cairo_surface_mark_dirty_rectangle(p->surface, box.x0, box.y0, box.x1 - box.x0,
					   box.y1 - box.y0);
}

static void png_rect(struct mlv_canvas *c, double x, double y, double w, double h,
		     struct mlv_color color, const char *title)
{
	struct png_canvas *p = (struct png_canvas *)c;
	(void)title;
	if (mlv_is_whole(x) && mlv_is_whole(y) && mlv_is_whole(w) && mlv_is_whole(h)) {
		int64_t x0 = (int64_t)x, y0 = (int64_t)y;
		fill(p, clip(c, x0, y0, x0 + (int64_t)w, y0 + (int64_t)h), color);
	} else if (mask_ready(p)) {
		cairo_rectangle(p->cr, x, y, w, h);
		paint_path(p, color, false, 0);
	}
}

static void png_ribbon(struct mlv_canvas *c, const struct mlv_ribbon *ribbon)
{
	struct png_canvas *p = (struct png_canvas *)c;
	for (size_t i = 0; i < ribbon->count; i++) {
		struct mlv_strip s = ribbon->strips[i];
		struct mlv_box box = clip(c, s.x0, s.y0, s.x1, s.y1);
		if (ribbon->fill == MLV_FILL_HATCH)
			hatch(p, box, ribbon->color);
		else
			fill(p, box, ribbon->color);
		if (ribbon->seam && (int64_t)s.y1 - s.y0 >= MLV_SEAM_MIN_HEIGHT)
			fill(p, clip(c, s.x0, s.y0, s.x1, (int64_t)s.y0 + 1), ribbon->seam_color);
	}
}

static void trace(struct png_canvas *p, const struct mlv_point *points, size_t count)
{
	cairo_new_path(p->cr);
	for (size_t i = 0; i < count; i++)
		cairo_line_to(p->cr, mlv_canvas_coord(points[i].x), mlv_canvas_coord(points[i].y));
}

static void png_polyline(struct mlv_canvas *c, const struct mlv_point *points, size_t count,
			 double width, struct mlv_color color, double dash)
{
	struct png_canvas *p = (struct png_canvas *)c;
	if (!mask_ready(p))
		return;
	trace(p, points, count);
	cairo_set_line_width(p->cr, width);
	cairo_set_dash(p->cr, &dash, dash > 0 ? 1 : 0, 0);
	/* Miters reach as far as the limit times half the width. */
	paint_path(p, color, true, width * 2 + 1);
}

static void png_polygon(struct mlv_canvas *c, const struct mlv_point *points, size_t count,
			struct mlv_color color)
{
	struct png_canvas *p = (struct png_canvas *)c;
	if (!mask_ready(p))
		return;
	trace(p, points, count);
	cairo_close_path(p->cr);
	paint_path(p, color, false, 0);
}

static void png_circle(struct mlv_canvas *c, double x, double y, double radius,
		       struct mlv_color fill_color, struct mlv_color stroke, double width)
{
	struct png_canvas *p = (struct png_canvas *)c;
	if (!mask_ready(p))
		return;
	for (int pass = 0; pass < 2; pass++) {
		struct mlv_color color = pass ? stroke : fill_color;
		if (color.a == 0)
			continue;
		cairo_new_path(p->cr);
		cairo_arc(p->cr, x, y, radius, 0, 2 * acos(-1));
		cairo_close_path(p->cr);
		cairo_set_line_width(p->cr, width);
		cairo_set_dash(p->cr, NULL, 0, 0);
		paint_path(p, color, pass, width / 2 + 1);
	}
}

static double shift(enum mlv_anchor anchor, double width)
{
	return anchor == MLV_START ? 0 : anchor == MLV_MIDDLE ? width / 2 : width;
}

/* The text as cairo's drawing calls want it: valid UTF-8. NULL when memory runs out. */
static char *clean_utf8(const char *text)
{
	struct mlv_buf b = { 0 };
	for (uint32_t cp; (cp = mlv_text_next(&text));)
		mlv_text_put(&b, cp);
	if (b.failed)
		mlv_buf_fini(&b);
	return b.data;
}

/* Machines without DejaVu: whatever cairo takes for it, found through fontconfig. */
static void text_with_cairo(struct png_canvas *p, double x, double y, struct mlv_font font,
			    enum mlv_anchor anchor, struct mlv_color color, const char *text)
{
	char *utf8 = clean_utf8(text);
	if (!utf8) {
		mlv_canvas_fail(&p->base, MLV_E_NOMEM);
		return;
	}
	cairo_text_extents_t e;
	cairo_select_font_face(p->cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
			       font.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(p->cr, font.size);
	cairo_text_extents(p->cr, utf8, &e);
	cairo_new_path(p->cr);
	cairo_move_to(p->cr, x - shift(anchor, e.x_advance), y);
	cairo_text_path(p->cr, utf8);
	paint_path(p, color, false, 1);
	free(utf8);
}

static void png_text(struct mlv_canvas *c, double x, double y, struct mlv_font font,
		     enum mlv_anchor anchor, struct mlv_color color, const char *text)
{
	struct png_canvas *p = (struct png_canvas *)c;
	if (!p->glyphs && !(p->glyphs = mlv_glyphs_create())) {
		mlv_canvas_fail(c, MLV_E_NOMEM);
		return;
	}
	if (!mask_ready(p))
		return;
	if (!mlv_glyphs_available(p->glyphs)) {
		text_with_cairo(p, x, y, font, anchor, color, text);
		return;
	}
	if (anchor != MLV_START)
		x -= shift(anchor, mlv_glyphs_width(p->glyphs, font, text));
	blend_mask(p, mlv_glyphs_draw(p->glyphs, &p->mask, x, y, font, text), color);
}

static enum mlv_rc png_finish(struct mlv_canvas *c, struct mlv_buf *out, struct mlv_err *err)
{
	struct png_canvas *p = (struct png_canvas *)c;
	return mlv_png_write(p->pixels, c->width, c->height, out, err);
}

static void png_destroy(struct mlv_canvas *c)
{
	struct png_canvas *p = (struct png_canvas *)c;
	if (p->cr)
		cairo_destroy(p->cr);
	if (p->surface)
		cairo_surface_destroy(p->surface);
	mlv_glyphs_destroy(p->glyphs);
	free(p->pixels);
	free(p);
}

static const struct mlv_canvas_impl png_impl = {
	.rect = png_rect,
	.ribbon = png_ribbon,
	.polyline = png_polyline,
	.polygon = png_polygon,
	.circle = png_circle,
	.text = png_text,
	.finish = png_finish,
	.destroy = png_destroy,
};

struct mlv_canvas *mlv_canvas_create_png(int width, int height, struct mlv_color ground,
					 struct mlv_err *err)
{
	struct mlv_canvas *c =
		mlv_canvas_alloc(sizeof(struct png_canvas), &png_impl, width, height, ground, err);
	if (!c)
		return NULL;
	struct png_canvas *p = (struct png_canvas *)c;
	p->pixels = malloc((size_t)width * (size_t)height * sizeof(*p->pixels));
	if (!p->pixels) {
		mlv_err_nomem(err);
		png_destroy(c);
		return NULL;
	}
	fill(p, (struct mlv_box){ 0, 0, width, height }, c->ground);
	return c;
}
