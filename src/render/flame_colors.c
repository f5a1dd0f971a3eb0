/* SPDX-License-Identifier: MIT */
#include "render/flame_colors.h"

#include "analysis/callsite.h"
#include "render/palette.h"

/* Of 256: how much of a colour is left where it is to be paler. */
enum { PALE = 120 };

static uint8_t mix(uint8_t color, uint8_t ground)
{
	return (uint8_t)((color * PALE + ground * (256 - PALE)) / 256);
}

struct mlv_color mlv_flame_color(const struct mlv_flame *f, uint32_t node,
				 const struct mlv_theme *theme)
{
	const struct mlv_flame_label *l = mlv_flame_label(f, node);
	if (node == MLV_FLAME_ROOT)
		return theme->other;
	if (l->kind == MLV_FLAME_PLACE)
		return theme->other;
	if (l->kind == MLV_FLAME_NONE)
		return theme->unknown;
	struct mlv_color c = mlv_palette_color(mlv_palette_index(mlv_flame_hash(f, node), 0));
	if (l->kind == MLV_FLAME_SPAN || mlv_file_is_callers(mlv_str_get(&f->names, l->file)))
		return c;
	const struct mlv_color ground = theme->ground;
	return (struct mlv_color){ mix(c.r, ground.r), mix(c.g, ground.g), mix(c.b, ground.b),
				   255 };
}
