/* SPDX-License-Identifier: MIT */
#include "render/canvas_impl.h"

#include <math.h>
#include <stdlib.h>

/* Text larger than this is a mistake, and would cost memory for every glyph. */
static const double FONT_MAX = 512;

struct mlv_canvas *mlv_canvas_alloc(size_t size, const struct mlv_canvas_impl *impl, int width,
				    int height, struct mlv_color ground, struct mlv_err *err)
{
	if (width < 1 || height < 1 || width > MLV_CANVAS_MAX_SIZE ||
	    height > MLV_CANVAS_MAX_SIZE) {
		mlv_err_set(err, MLV_E_USAGE, "a picture of %d x %d pixels: 1 x 1 to %d x %d",
			    width, height, MLV_CANVAS_MAX_SIZE, MLV_CANVAS_MAX_SIZE);
		return NULL;
	}
	struct mlv_canvas *c = calloc(1, size);
	if (!c) {
		mlv_err_nomem(err);
		return NULL;
	}
	c->impl = impl;
	c->width = width;
	c->height = height;
	c->ground = ground;
	c->ground.a = 255;
	return c;
}

void mlv_canvas_destroy(struct mlv_canvas *c)
{
	if (c)
		c->impl->destroy(c);
}

void mlv_canvas_fail(struct mlv_canvas *c, enum mlv_rc rc)
{
	if (c->failed == MLV_OK)
		c->failed = rc;
}

double mlv_canvas_coord(double v)
{
	const double far = 1e6;
	if (isnan(v))
		return 0;
	return v > far ? far : v < -far ? -far : v;
}

static uint8_t mix(uint8_t a, uint8_t b, unsigned percent)
{
	return (uint8_t)((a * percent + b * (100 - percent) + 50) / 100);
}

struct mlv_color mlv_hatch_ground(const struct mlv_canvas *c, struct mlv_color color)
{
	const unsigned percent = 35;
	return (struct mlv_color){ mix(color.r, c->ground.r, percent),
				   mix(color.g, c->ground.g, percent),
				   mix(color.b, c->ground.b, percent), color.a };
}

static bool idle(const struct mlv_canvas *c)
{
	return c->failed != MLV_OK || c->finished;
}

void mlv_canvas_rect(struct mlv_canvas *c, double x, double y, double w, double h,
		     struct mlv_color color, const char *title)
{
	/* Written so that NaN is refused too. */
	if (idle(c) || color.a == 0 || !(w > 0) || !(h > 0))
		return;
	double x0 = mlv_canvas_coord(x), y0 = mlv_canvas_coord(y);
	double x1 = mlv_canvas_coord(x + w), y1 = mlv_canvas_coord(y + h);
	c->impl->rect(c, x0, y0, x1 - x0, y1 - y0, color, title);
}

void mlv_canvas_ribbon(struct mlv_canvas *c, const struct mlv_ribbon *ribbon)
{
	if (!idle(c) && ribbon->count && ribbon->color.a)
		c->impl->ribbon(c, ribbon);
}

void mlv_canvas_polyline(struct mlv_canvas *c, const struct mlv_point *points, size_t count,
			 double width, struct mlv_color color, double dash)
{
	if (!idle(c) && count > 1 && width > 0 && color.a)
		c->impl->polyline(c, points, count, width, color, dash > 0 ? dash : 0);
}

void mlv_canvas_polygon(struct mlv_canvas *c, const struct mlv_point *points, size_t count,
			struct mlv_color color)
{
	if (!idle(c) && count > 2 && color.a)
		c->impl->polygon(c, points, count, color);
}

void mlv_canvas_circle(struct mlv_canvas *c, double x, double y, double radius,
		       struct mlv_color fill, struct mlv_color stroke, double width)
{
	if (!(width > 0))
		stroke.a = 0;
	if (!idle(c) && radius > 0 && (fill.a || stroke.a))
		c->impl->circle(c, mlv_canvas_coord(x), mlv_canvas_coord(y),
				mlv_canvas_coord(radius), fill, stroke, width);
}

void mlv_canvas_text(struct mlv_canvas *c, double x, double y, struct mlv_font font,
		     enum mlv_anchor anchor, struct mlv_color color, const char *text)
{
	if (!idle(c) && font.size > 0 && font.size <= FONT_MAX && color.a && text && *text)
		c->impl->text(c, mlv_canvas_coord(x), mlv_canvas_coord(y), font, anchor, color,
			      text);
}

void mlv_canvas_group(struct mlv_canvas *c, const char *id)
{
	if (!idle(c) && c->impl->group)
		c->impl->group(c, id);
}

void mlv_canvas_group_end(struct mlv_canvas *c)
{
	if (!idle(c) && c->impl->group)
		c->impl->group(c, NULL);
}

void mlv_canvas_elements(struct mlv_canvas *c, struct mlv_str markup)
{
	if (!idle(c) && c->impl->elements)
		c->impl->elements(c, markup);
}

enum mlv_rc mlv_canvas_finish(struct mlv_canvas *c, struct mlv_buf *out, struct mlv_err *err)
{
	if (c->finished)
		return mlv_err_set(err, MLV_E_USAGE, "the picture is finished already");
	c->finished = true;
	if (c->failed == MLV_E_NOMEM)
		return mlv_err_nomem(err);
	if (c->failed != MLV_OK)
		return mlv_err_set(err, c->failed, "the picture could not be drawn");
	enum mlv_rc rc = c->impl->finish(c, out, err);
	if (rc == MLV_OK && out->failed)
		rc = mlv_err_nomem(err);
	return rc;
}
