/* SPDX-License-Identifier: MIT */
#include "render/theme.h"

#include <string.h>

#define RGB(hex)                                                                                   \
	{                                                                                          \
		(hex) >> 16 & 255, (hex) >> 8 & 255, (hex)&255, 255                                \
	}

static const struct mlv_theme themes[] = {
	{
		.name = "light",
		.ground = RGB(0xffffff),
		.text = RGB(0x1b1e24),
		.text_dim = RGB(0x5c6470),
		.axis = RGB(0x3d4654),
		.grid = RGB(0xe6e8ec),
		.reserved_fill = RGB(0xf1f3f5),
		.reserved_line = RGB(0x87909c),
		.seam = RGB(0xffffff),
		.oom = RGB(0xc4182a),
		.warning = RGB(0x8a5a00),
		.good = RGB(0x1a6e3c),
		.capacity = RGB(0x7a3e9d),
		.pending = RGB(0x6b7685),
		.band = RGB(0xdde1e6),
		.other = RGB(0xc5cdd6),
		.unknown = RGB(0xa3acb8),
		.annotation_fill = RGB(0xe3e9f3),
		.annotation_text = RGB(0x2c3a52),
	},
	{
		.name = "dark",
		.ground = RGB(0x14171c),
		.text = RGB(0xe7eaef),
		.text_dim = RGB(0x9aa4b2),
		.axis = RGB(0xb4bdc9),
		.grid = RGB(0x272c35),
		.reserved_fill = RGB(0x1e232b),
		.reserved_line = RGB(0x77828f),
		.seam = RGB(0x14171c),
		.oom = RGB(0xff7b7d),
		.warning = RGB(0xe0a84a),
		.good = RGB(0x62c587),
		.capacity = RGB(0xc79be8),
		.pending = RGB(0x8b96a5),
		.band = RGB(0x313842),
		.other = RGB(0x4a535f),
		.unknown = RGB(0x66707d),
		.annotation_fill = RGB(0x2a3444),
		.annotation_text = RGB(0xdbe4f3),
	},
};

const struct mlv_theme *mlv_theme_find(const char *name)
{
	if (!name || !*name)
		return &themes[0];
	for (size_t i = 0; i < sizeof(themes) / sizeof(*themes); i++)
		if (strcmp(themes[i].name, name) == 0)
			return &themes[i];
	return NULL;
}
