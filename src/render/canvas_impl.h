/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_CANVAS_IMPL_H
#define MLV_RENDER_CANVAS_IMPL_H
/*
 * What a form of picture (PNG, SVG) brings to the canvas. canvas.c checks
 * every call first: an implementation sees no empty shapes, no invisible
 * colours, no missing texts, and nothing at all after a failure.
 */
#include "render/canvas.h"

enum {
	MLV_CANVAS_MAX_SIZE = 16384,
	/* Seams need some height to sit on: on thinner strips they would be the picture. */
	MLV_SEAM_MIN_HEIGHT = 4,
	/* Hatching has lines two pixels wide (measured across a row), one every six pixels. */
	MLV_HATCH_PERIOD = 6,
	MLV_HATCH_LINE = 2,
};

struct mlv_canvas_impl {
	void (*rect)(struct mlv_canvas *c, double x, double y, double w, double h,
		     struct mlv_color color, const char *title);
	void (*ribbon)(struct mlv_canvas *c, const struct mlv_ribbon *ribbon);
	void (*polyline)(struct mlv_canvas *c, const struct mlv_point *points, size_t count,
			 double width, struct mlv_color color, double dash);
	void (*polygon)(struct mlv_canvas *c, const struct mlv_point *points, size_t count,
			struct mlv_color color);
	void (*circle)(struct mlv_canvas *c, double x, double y, double radius,
		       struct mlv_color fill, struct mlv_color stroke, double width);
	void (*text)(struct mlv_canvas *c, double x, double y, struct mlv_font font,
		     enum mlv_anchor anchor, struct mlv_color color, const char *text);
	/* These may be NULL; `id` is NULL at the end of a group. */
	void (*group)(struct mlv_canvas *c, const char *id);
	void (*elements)(struct mlv_canvas *c, struct mlv_str markup);
	enum mlv_rc (*finish)(struct mlv_canvas *c, struct mlv_buf *out, struct mlv_err *err);
	void (*destroy)(struct mlv_canvas *c);
};

/* The first member of every implementation's own struct. */
struct mlv_canvas {
	const struct mlv_canvas_impl *impl;
	int width, height;
	struct mlv_color ground;
	enum mlv_rc failed; /* sticky: MLV_OK until something goes wrong */
	bool finished;
};

/*
 * Allocate `size` zeroed bytes that begin with a struct mlv_canvas. NULL with
 * `err` set when the size of the picture is out of bounds or memory runs out.
 */
struct mlv_canvas *mlv_canvas_alloc(size_t size, const struct mlv_canvas_impl *impl, int width,
				    int height, struct mlv_color ground, struct mlv_err *err);

/* Keep the first failure; nothing is drawn after it. */
void mlv_canvas_fail(struct mlv_canvas *c, enum mlv_rc rc);

/* A coordinate that both forms can hold: NaN becomes 0, infinity a million. */
double mlv_canvas_coord(double v);

/* The ground under hatched lines: the colour, mostly covered by the ground of the picture. */
struct mlv_color mlv_hatch_ground(const struct mlv_canvas *c, struct mlv_color color);

/*
 * The next character of a text as every form draws it, or 0 at the end: white
 * space of any kind is a blank; control characters, marks that reorder text and
 * invalid UTF-8 become U+FFFD. Advances `*s` by at least one byte.
 */
uint32_t mlv_text_next(const char **s);

/* Append a character as UTF-8. */
void mlv_text_put(struct mlv_buf *b, uint32_t cp);

static inline bool mlv_is_whole(double v)
{
	return v == (double)(int32_t)v;
}

#endif
