/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_SVG_WRITE_H
#define MLV_RENDER_SVG_WRITE_H
/*
 * The small parts of SVG elements: numbers, attributes, colours, text.
 */
#include "base/buf.h"
#include "render/canvas.h"

/* Two decimals at most, none that is not needed; never the locale's comma. */
void mlv_svg_number(struct mlv_buf *b, double v);

/* ` name="v"` */
void mlv_svg_attribute(struct mlv_buf *b, const char *name, double v);

/* ` fill="#rrggbb"` or ` stroke=…`, with its opacity where it has one. */
void mlv_svg_color(struct mlv_buf *b, const char *name, struct mlv_color c);

/* Any bytes as XML character data; `lines` keeps line feeds. */
void mlv_svg_escape(struct mlv_buf *b, const char *text, bool lines);

/* The end of an element, with the text shown on hover if there is one. */
void mlv_svg_end(struct mlv_buf *b, const char *element, const char *title);

#endif
