/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_GLYPHS_H
#define MLV_RENDER_GLYPHS_H
/*
 * Text as coverage. Glyphs come from the DejaVu Sans files through FreeType,
 * placed to a quarter of a pixel. fontconfig is not asked: its start alone
 * costs more than all the text of a picture, and its answer differs between
 * machines. Where the files are missing cairo's own choice of font is used.
 */
#include "render/raster.h"

struct mlv_glyphs;

struct mlv_glyphs *mlv_glyphs_create(void); /* NULL when memory runs out */
void mlv_glyphs_destroy(struct mlv_glyphs *g);

/* Whether the font files were found; if not, there is nothing else to call. */
bool mlv_glyphs_available(const struct mlv_glyphs *g);

double mlv_glyphs_width(struct mlv_glyphs *g, struct mlv_font font, const char *text);

/* Add the text to the mask; returns what may have changed (within the mask). */
struct mlv_box mlv_glyphs_draw(struct mlv_glyphs *g, const struct mlv_mask *mask, double x,
			       double y, struct mlv_font font, const char *text);

#endif
