/* SPDX-License-Identifier: MIT */
/*
 * The PNG canvas. Rectangles and ribbons go straight into the pixels. All
 * else is drawn as coverage first (cairo for lines and circles, FreeType for
 * text) and blended from there in few steps, so that a picture keeps to the
 * colours of a palette.
 */
#include <cairo.h>
#include <math.h>
#include <stdlib.h>

#include "render/canvas_impl.h"
#include "render/glyphs.h"
#include "render/png_write.h"

struct png_canvas {
	struct mlv_canvas base;
	struct mlv_raster raster;
	cairo_surface_t *surface;
	cairo_t *cr;          /* draws into `mask`; NULL until needed */
	struct mlv_mask mask; /* all zero between two shapes */
	struct mlv_glyphs *glyphs;
};

/* Drawing that did not find memory makes the picture fail. */
static void expect(struct png_canvas *p, bool done)
{
	if (!done)
		mlv_canvas_fail(&p->base, MLV_E_NOMEM);
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

/* Fill or stroke cairo's path, which reaches no further than `reach` beyond its points. */
static void paint_path(struct png_canvas *p, struct mlv_color color, bool stroke, double reach)
{
	double x0, y0, x1, y1;
	cairo_path_extents(p->cr, &x0, &y0, &x1, &y1);
	struct mlv_box box =
		mlv_raster_clip(&p->raster, (int64_t)floor(x0 - reach), (int64_t)floor(y0 - reach),
				(int64_t)ceil(x1 + reach), (int64_t)ceil(y1 + reach));
	if (stroke)
		cairo_stroke(p->cr);
	else
		cairo_fill(p->cr);
	cairo_surface_flush(p->surface);
	expect(p, cairo_status(p->cr) == CAIRO_STATUS_SUCCESS);
	expect(p, mlv_raster_cover(&p->raster, box, &p->mask, color));
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
		struct mlv_box box =
			mlv_raster_clip(&p->raster, x0, y0, x0 + (int64_t)w, y0 + (int64_t)h);
		expect(p, mlv_raster_fill(&p->raster, box, color));
	} else if (mask_ready(p)) {
		cairo_rectangle(p->cr, x, y, w, h);
		paint_path(p, color, false, 0);
	}
}

static void draw_strip(struct png_canvas *p, const struct mlv_ribbon *ribbon, struct mlv_strip s)
{
	struct mlv_raster *r = &p->raster;
	struct mlv_box box = mlv_raster_clip(r, s.x0, s.y0, s.x1, s.y1);
	if (ribbon->fill == MLV_FILL_HATCH)
		expect(p, mlv_raster_hatch(r, box, ribbon->color,
					   mlv_hatch_ground(&p->base, ribbon->color)));
	else
		expect(p, mlv_raster_fill(r, box, ribbon->color));
	if (!ribbon->seam || (int64_t)s.y1 - s.y0 < MLV_SEAM_MIN_HEIGHT)
		return;
	box = mlv_raster_clip(r, s.x0, s.y0, s.x1, (int64_t)s.y0 + 1);
	expect(p, mlv_raster_fill(r, box, ribbon->seam_color));
}

static void png_ribbon(struct mlv_canvas *c, const struct mlv_ribbon *ribbon)
{
	for (size_t i = 0; i < ribbon->count && c->failed == MLV_OK; i++)
		draw_strip((struct png_canvas *)c, ribbon, ribbon->strips[i]);
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
	cairo_font_options_t *options = cairo_font_options_create();
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_set_font_options(p->cr, options);
	cairo_font_options_destroy(options);
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
	struct mlv_box box = mlv_glyphs_draw(p->glyphs, &p->mask, x, y, font, text);
	expect(p, mlv_raster_cover(&p->raster, box, &p->mask, color));
}

static enum mlv_rc png_finish(struct mlv_canvas *c, struct mlv_buf *out, struct mlv_err *err)
{
	struct png_canvas *p = (struct png_canvas *)c;
	return mlv_png_write(&p->raster, out, err);
}

static void png_destroy(struct mlv_canvas *c)
{
	struct png_canvas *p = (struct png_canvas *)c;
	if (p->cr)
		cairo_destroy(p->cr);
	if (p->surface)
		cairo_surface_destroy(p->surface);
	mlv_glyphs_destroy(p->glyphs);
	mlv_raster_fini(&p->raster);
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
	if (!mlv_raster_init(&p->raster, width, height, c->ground)) {
		mlv_err_nomem(err);
		png_destroy(c);
		return NULL;
	}
	return c;
}
