/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_CANVAS_H
#define MLV_RENDER_CANVAS_H
/*
 * One drawing interface for PNG and SVG. Charts draw once; both forms show
 * the same. Coordinates are pixels from the top left, as doubles except for
 * ribbons, whose edges lie on whole pixels so that neighbours tile without
 * gaps and the PNG canvas can fill them without antialiasing. Errors are
 * sticky (as cairo's): drawing returns nothing, mlv_canvas_finish reports.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct mlv_color {
	uint8_t r, g, b, a;
};

enum mlv_anchor { MLV_START, MLV_MIDDLE, MLV_END };

struct mlv_font {
	double size; /* pixels */
	bool bold;
};

struct mlv_point {
	double x, y;
};

/* A part of a picture. */
struct mlv_rect {
	double x, y, w, h;
};

/* One step of a ribbon: columns x0..x1 (exclusive), rows y0 (top) to y1 (bottom, exclusive). */
struct mlv_strip {
	int32_t x0, x1, y0, y1;
};

enum mlv_fill {
	MLV_FILL_SOLID,
	MLV_FILL_HATCH, /* diagonal lines over a paler ground: memory that is waiting to be free */
};

struct mlv_ribbon {
	const struct mlv_strip *strips; /* ascending x, x1 of one <= x0 of the next */
	size_t count;
	struct mlv_color color;
	enum mlv_fill fill;
	bool seam; /* a hair line of `seam_color` along its top, to tell it from its neighbour */
	struct mlv_color seam_color;
	const char *title; /* shown on hover in the SVG; NULL = none. Plain text, escaped by the
			      canvas */
};

struct mlv_canvas;

/*
 * Both return NULL and set `err` only when memory runs out or the size is out
 * of bounds (1 to 16384 each way). The ground is opaque whatever its alpha.
 */
struct mlv_canvas *mlv_canvas_create_png(int width, int height, struct mlv_color ground,
					 struct mlv_err *err);
/* `title` becomes the document's <title> for screen readers and browser tabs. */
struct mlv_canvas *mlv_canvas_create_svg(int width, int height, struct mlv_color ground,
					 const char *title, struct mlv_err *err);
void mlv_canvas_destroy(struct mlv_canvas *c); /* NULL is fine */

void mlv_canvas_rect(struct mlv_canvas *c, double x, double y, double w, double h,
		     struct mlv_color color, const char *title);
void mlv_canvas_ribbon(struct mlv_canvas *c, const struct mlv_ribbon *ribbon);
/* `dash` > 0 draws dashes of that length. */
void mlv_canvas_polyline(struct mlv_canvas *c, const struct mlv_point *points, size_t count,
			 double width, struct mlv_color color, double dash);
void mlv_canvas_polygon(struct mlv_canvas *c, const struct mlv_point *points, size_t count,
			struct mlv_color color);
void mlv_canvas_circle(struct mlv_canvas *c, double x, double y, double radius,
		       struct mlv_color fill, struct mlv_color stroke, double width);
/* `y` is the base line. Text is one line of UTF-8. */
void mlv_canvas_text(struct mlv_canvas *c, double x, double y, struct mlv_font font,
		     enum mlv_anchor anchor, struct mlv_color color, const char *text);

/*
 * What only a form that is interactive has; the others draw what stands in a
 * group as always, and know nothing of the rest. Groups do not nest.
 */
void mlv_canvas_group(struct mlv_canvas *c, const char *id);
void mlv_canvas_group_end(struct mlv_canvas *c);
/* Whole elements, put behind all that is drawn. */
void mlv_canvas_elements(struct mlv_canvas *c, struct mlv_str markup);

/* Append the finished picture to `out`. The canvas can only be destroyed afterwards. */
enum mlv_rc mlv_canvas_finish(struct mlv_canvas *c, struct mlv_buf *out, struct mlv_err *err);

/*
 * Width of a text in pixels, from a built-in table of DejaVu Sans advances:
 * layouts are the same with whatever fonts the machine has, and wide enough
 * for the narrower fonts that browsers put in its place.
 */
double mlv_text_width(struct mlv_font font, const char *text);

/*
 * Copy `text` to `buf`, shortened with an ellipsis to fit `width` pixels
 * (from the end, or in the middle when `middle`). Returns the width used.
 */
double mlv_text_fit(struct mlv_font font, const char *text, double width, bool middle, char *buf,
		    size_t size);

#endif
