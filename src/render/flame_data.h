/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_FLAME_DATA_H
#define MLV_RENDER_FLAME_DATA_H
/*
 * What makes the SVG of a flame graph interactive: the graph itself, as JSON
 * in a <metadata> element, and the script flame.js, which reads it. Names are
 * text in it and nothing else: escaped for JSON, then for XML, and the script
 * puts them into text nodes only.
 */
#include "analysis/flame/flame.h"
#include "render/theme.h"

/* Where the picture has its bars. */
struct mlv_flame_place {
	double x, y, width, row;
	uint32_t rows;
	double right, foot; /* of the page: the line for what the pointer rests on */
	uint32_t least;
	bool inverted;
};

enum mlv_rc mlv_flame_data(struct mlv_canvas *c, const struct mlv_flame *f,
			   enum mlv_flame_value value, const struct mlv_theme *theme,
			   const struct mlv_flame_place *place, struct mlv_err *err);

/* flame.js, embedded at build time. */
extern const char mlv_flame_script[];

#endif
