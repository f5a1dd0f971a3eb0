/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_FLAME_COLORS_H
#define MLV_RENDER_FLAME_COLORS_H
/*
 * The colour of a node of a flame graph: that of its function, the same in
 * every picture. What is not the caller's own code (PyTorch, Python's library)
 * is paler, so that the eye finds what can be changed; what is no call is grey.
 */
#include "analysis/flame/flame.h"
#include "render/theme.h"

struct mlv_color mlv_flame_color(const struct mlv_flame *f, uint32_t node,
				 const struct mlv_theme *theme);

#endif
