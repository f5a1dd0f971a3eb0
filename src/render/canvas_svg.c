/* SPDX-License-Identifier: MIT */
/*
 * The SVG canvas writes its elements one after another into a buffer. Colours
 * are attributes, not classes: hardly longer, and several pictures can stand
 * in one HTML page without a style of one reaching into another. What has to
 * lie on whole pixels stands in groups without antialiasing, so that zooming
 * opens no gaps between neighbours.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "render/canvas_impl.h"
#include "render/svg_write.h"

struct svg_canvas {
	struct mlv_canvas base;
	struct mlv_buf title, body, elements;
	MLV_VEC(struct mlv_color) hatches; /* each has its pattern in <defs> */
	bool crisp;                        /* a group without antialiasing is open */
};

static void crisp(struct svg_canvas *s, bool want)
{
	if (s->crisp == want)
		return;
	s->crisp = want;
	mlv_buf_puts(&s->body, want ? "<g shape-rendering=\"crispEdges\">\n" : "</g>\n");
}

static void svg_rect(struct mlv_canvas *c, double x, double y, double w, double h,
		     struct mlv_color color, const char *title)
{
	struct svg_canvas *s = (struct svg_canvas *)c;
	struct mlv_buf *b = &s->body;
	crisp(s, mlv_is_whole(x) && mlv_is_whole(y) && mlv_is_whole(w) && mlv_is_whole(h));
	mlv_buf_puts(b, "<rect");
	mlv_svg_attribute(b, "x", x);
	mlv_svg_attribute(b, "y", y);
	mlv_svg_attribute(b, "width", w);
	mlv_svg_attribute(b, "height", h);
	mlv_svg_color(b, "fill", color);
	mlv_svg_end(b, "rect", title);
}

/* A relative step along one axis, or nothing. */
static void put_step(struct mlv_buf *b, char axis, int64_t by)
{
	if (by == 0)
		return;
	mlv_buf_putc(b, axis);
	mlv_buf_int(b, by);
}

static bool is_empty(struct mlv_strip s)
{
	return s.x1 <= s.x0 || s.y1 <= s.y0;
}

/* How many strips from the first on follow each other without a gap. */
static size_t run_length(const struct mlv_strip *s, size_t count)
{
	size_t n = 1;
	while (n < count && !is_empty(s[n]) && s[n].x0 == s[n - 1].x1)
		n++;
	return n;
}

/* The outline of strips without gaps: along the top edge, back along the bottom edge. */
static void put_outline(struct mlv_buf *b, const struct mlv_strip *s, size_t count)
{
	mlv_buf_putc(b, 'M');
	mlv_buf_int(b, s[0].x0);
	mlv_buf_putc(b, ' ');
	mlv_buf_int(b, s[0].y0);
	int64_t x = s[0].x0;
	for (size_t i = 0; i < count; i++) {
		if (i + 1 < count && s[i + 1].y0 == s[i].y0)
			continue;
		put_step(b, 'h', s[i].x1 - x);
		x = s[i].x1;
		int64_t next = i + 1 < count ? s[i + 1].y0 : s[i].y1;
		put_step(b, 'v', next - s[i].y0);
	}
	for (size_t i = count; i-- > 0;) {
		if (i && s[i - 1].y1 == s[i].y1)
			continue;
		put_step(b, 'h', s[i].x0 - x);
		x = s[i].x0;
		if (i)
			put_step(b, 'v', (int64_t)s[i - 1].y1 - s[i].y1);
	}
	mlv_buf_putc(b, 'z');
}

static bool has_seam(struct mlv_strip s)
{
	return s.x1 > s.x0 && (int64_t)s.y1 - s.y0 >= MLV_SEAM_MIN_HEIGHT;
}

/* Lines of one pixel through the middle of the top row of pixels. */
static void put_seams(struct mlv_buf *b, const struct mlv_ribbon *ribbon)
{
	const struct mlv_strip *s = ribbon->strips;
	bool any = false;
	for (size_t i = 0; i < ribbon->count; i++) {
		if (!has_seam(s[i]))
			continue;
		if (!any)
			mlv_buf_puts(b, "<path d=\"");
		any = true;
		int64_t x0 = s[i].x0;
		while (i + 1 < ribbon->count && has_seam(s[i + 1]) && s[i + 1].x0 == s[i].x1 &&
		       s[i + 1].y0 == s[i].y0)
			i++;
		mlv_buf_putc(b, 'M');
		mlv_buf_int(b, x0);
		mlv_buf_putc(b, ' ');
		mlv_svg_number(b, s[i].y0 + 0.5);
		put_step(b, 'h', s[i].x1 - x0);
	}
	if (!any)
		return;
	mlv_buf_putc(b, '"');
	mlv_svg_color(b, "stroke", ribbon->seam_color);
	mlv_buf_puts(b, "/>\n");
}

static void put_hatch_ref(struct svg_canvas *s, struct mlv_color color)
{
	size_t i = 0;
	while (i < s->hatches.len && memcmp(&s->hatches.data[i], &color, sizeof(color)) != 0)
		i++;
	if (i == s->hatches.len && !mlv_vec_push(&s->hatches, color)) {
		mlv_canvas_fail(&s->base, MLV_E_NOMEM);
		return;
	}
	mlv_buf_printf(&s->body, " fill=\"url(#hatch-%02x%02x%02x%02x)\"", color.r, color.g,
		       color.b, color.a);
}

static void svg_ribbon(struct mlv_canvas *c, const struct mlv_ribbon *ribbon)
{
	struct svg_canvas *s = (struct svg_canvas *)c;
	const struct mlv_strip *strips = ribbon->strips;
	bool any = false;
	for (size_t i = 0, n; i < ribbon->count; i += n) {
		n = 1;
		if (is_empty(strips[i]))
			continue;
		if (!any) {
			crisp(s, true);
			mlv_buf_puts(&s->body, "<path d=\"");
		}
		any = true;
		n = run_length(&strips[i], ribbon->count - i);
		put_outline(&s->body, &strips[i], n);
	}
	if (!any)
		return;
	mlv_buf_putc(&s->body, '"');
	if (ribbon->fill == MLV_FILL_HATCH)
		put_hatch_ref(s, ribbon->color);
	else
		mlv_svg_color(&s->body, "fill", ribbon->color);
	mlv_svg_end(&s->body, "path", ribbon->title);
	if (ribbon->seam && ribbon->seam_color.a)
		put_seams(&s->body, ribbon);
}

static void put_points(struct mlv_buf *b, const struct mlv_point *points, size_t count)
{
	mlv_buf_puts(b, " d=\"");
	for (size_t i = 0; i < count; i++) {
		struct mlv_point at = points[i];
		if (i && at.y == points[i - 1].y) {
			mlv_buf_putc(b, 'H');
			mlv_svg_number(b, at.x);
		} else if (i && at.x == points[i - 1].x) {
			mlv_buf_putc(b, 'V');
			mlv_svg_number(b, at.y);
		} else {
			mlv_buf_putc(b, i ? 'L' : 'M');
			mlv_svg_number(b, at.x);
			mlv_buf_putc(b, ' ');
			mlv_svg_number(b, at.y);
		}
	}
}

static void svg_polyline(struct mlv_canvas *c, const struct mlv_point *points, size_t count,
			 double width, struct mlv_color color, double dash)
{
	struct svg_canvas *s = (struct svg_canvas *)c;
	crisp(s, false);
	mlv_buf_puts(&s->body, "<path fill=\"none\"");
	mlv_svg_color(&s->body, "stroke", color);
	if (width != 1)
		mlv_svg_attribute(&s->body, "stroke-width", width);
	if (dash > 0)
		mlv_svg_attribute(&s->body, "stroke-dasharray", dash);
	put_points(&s->body, points, count);
	mlv_buf_puts(&s->body, "\"/>\n");
}

static void svg_polygon(struct mlv_canvas *c, const struct mlv_point *points, size_t count,
			struct mlv_color color)
{
	struct svg_canvas *s = (struct svg_canvas *)c;
	crisp(s, false);
	mlv_buf_puts(&s->body, "<path");
	mlv_svg_color(&s->body, "fill", color);
	put_points(&s->body, points, count);
	mlv_buf_puts(&s->body, "z\"/>\n");
}

static void svg_circle(struct mlv_canvas *c, double x, double y, double radius,
		       struct mlv_color fill, struct mlv_color stroke, double width)
{
	struct svg_canvas *s = (struct svg_canvas *)c;
	struct mlv_buf *b = &s->body;
	crisp(s, false);
	mlv_buf_puts(b, "<circle");
	mlv_svg_attribute(b, "cx", x);
	mlv_svg_attribute(b, "cy", y);
	mlv_svg_attribute(b, "r", radius);
	if (fill.a)
		mlv_svg_color(b, "fill", fill);
	else
		mlv_buf_puts(b, " fill=\"none\"");
	if (stroke.a) {
		mlv_svg_color(b, "stroke", stroke);
		mlv_svg_attribute(b, "stroke-width", width);
	}
	mlv_buf_puts(b, "/>\n");
}

static void svg_text(struct mlv_canvas *c, double x, double y, struct mlv_font font,
		     enum mlv_anchor anchor, struct mlv_color color, const char *text)
{
	struct svg_canvas *s = (struct svg_canvas *)c;
	struct mlv_buf *b = &s->body;
	crisp(s, false);
	mlv_buf_puts(b, "<text");
	mlv_svg_attribute(b, "x", x);
	mlv_svg_attribute(b, "y", y);
	mlv_svg_attribute(b, "font-size", font.size);
	if (font.bold)
		mlv_buf_puts(b, " font-weight=\"bold\"");
	if (anchor != MLV_START)
		mlv_buf_puts(b, anchor == MLV_MIDDLE ? " text-anchor=\"middle\""
						     : " text-anchor=\"end\"");
	mlv_svg_color(b, "fill", color);
	/* SVG would join neighbouring blanks; the other form does not. */
	if (*text == ' ' || strstr(text, "  ") || text[strlen(text) - 1] == ' ')
		mlv_buf_puts(b, " xml:space=\"preserve\"");
	mlv_buf_putc(b, '>');
	mlv_svg_escape(b, text, false);
	mlv_buf_puts(b, "</text>\n");
}

static void svg_group(struct mlv_canvas *c, const char *id)
{
	struct svg_canvas *s = (struct svg_canvas *)c;
	crisp(s, false);
	if (id)
		mlv_buf_printf(&s->body, "<g id=\"%s\">\n", id);
	else
		mlv_buf_puts(&s->body, "</g>\n");
}

static void svg_elements(struct mlv_canvas *c, struct mlv_str markup)
{
	mlv_buf_str(&((struct svg_canvas *)c)->elements, markup);
}

/* One tile: the line from corner to corner, and what of it comes in at the opposite one. */
static void put_pattern(struct mlv_buf *b, const struct mlv_canvas *c, struct mlv_color color)
{
	const int p = MLV_HATCH_PERIOD, l = MLV_HATCH_LINE;
	mlv_buf_printf(b,
		       "<pattern id=\"hatch-%02x%02x%02x%02x\" width=\"%d\" height=\"%d\" "
		       "patternUnits=\"userSpaceOnUse\"><path d=\"M0 0h%dv%dh-%dz\"",
		       color.r, color.g, color.b, color.a, p, p, p, p, p);
	mlv_svg_color(b, "fill", mlv_hatch_ground(c, color));
	mlv_buf_printf(b, "/><path d=\"M0 0h%dL0 %dzM%d 0v%dL%d %dH0z\"", l, l, p, l, l, p);
	mlv_svg_color(b, "fill", color);
	mlv_buf_puts(b, "/></pattern>\n");
}

static void put_head(struct mlv_buf *b, const struct svg_canvas *s)
{
	const struct mlv_canvas *c = &s->base;
	mlv_buf_printf(b,
		       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		       "viewBox=\"0 0 %d %d\" role=\"img\" "
		       "font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\" "
		       "text-rendering=\"geometricPrecision\">\n",
		       c->width, c->height, c->width, c->height);
	if (s->title.len) {
		mlv_buf_puts(b, "<title>");
		mlv_buf_add(b, s->title.data, s->title.len);
		mlv_buf_puts(b, "</title>\n");
	}
	if (s->hatches.len) {
		mlv_buf_puts(b, "<defs>\n");
		for (size_t i = 0; i < s->hatches.len; i++)
			put_pattern(b, c, s->hatches.data[i]);
		mlv_buf_puts(b, "</defs>\n");
	}
	mlv_buf_printf(b, "<rect width=\"%d\" height=\"%d\"", c->width, c->height);
	mlv_svg_color(b, "fill", c->ground);
	mlv_buf_puts(b, "/>\n");
}

static enum mlv_rc svg_finish(struct mlv_canvas *c, struct mlv_buf *out, struct mlv_err *err)
{
	struct svg_canvas *s = (struct svg_canvas *)c;
	crisp(s, false);
	if (s->body.failed || s->title.failed || s->elements.failed)
		return mlv_err_nomem(err);
	put_head(out, s);
	mlv_buf_add(out, s->body.data, s->body.len);
	mlv_buf_add(out, s->elements.data, s->elements.len);
	mlv_buf_puts(out, "</svg>\n");
	return MLV_OK;
}

static void svg_destroy(struct mlv_canvas *c)
{
	struct svg_canvas *s = (struct svg_canvas *)c;
	mlv_buf_fini(&s->title);
	mlv_buf_fini(&s->body);
	mlv_buf_fini(&s->elements);
	mlv_vec_free(&s->hatches);
	free(s);
}

static const struct mlv_canvas_impl svg_impl = {
	.rect = svg_rect,
	.ribbon = svg_ribbon,
	.polyline = svg_polyline,
	.polygon = svg_polygon,
	.circle = svg_circle,
	.text = svg_text,
	.group = svg_group,
	.elements = svg_elements,
	.finish = svg_finish,
	.destroy = svg_destroy,
};

struct mlv_canvas *mlv_canvas_create_svg(int width, int height, struct mlv_color ground,
					 const char *title, struct mlv_err *err)
{
	struct mlv_canvas *c =
		mlv_canvas_alloc(sizeof(struct svg_canvas), &svg_impl, width, height, ground, err);
	if (c && title)
		mlv_svg_escape(&((struct svg_canvas *)c)->title, title, false);
	return c;
}
