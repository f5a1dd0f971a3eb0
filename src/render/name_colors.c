/* SPDX-License-Identifier: MIT */
#include "render/name_colors.h"

#include <stdlib.h>

#include "render/palette.h"

struct mlv_color *mlv_name_colors(const struct mlv_name_totals *names, size_t shown)
{
	size_t n = names->list.len;
	uint64_t hashes[MLV_NAMES_COLORED] = { 0 };
	uint32_t index[MLV_NAMES_COLORED] = { 0 };
	struct mlv_color *colors = malloc((n + 1) * sizeof(*colors));
	if (!colors)
		return NULL;
	shown = shown < MLV_NAMES_COLORED ? shown : MLV_NAMES_COLORED;
	shown = shown < n ? shown : n;
	for (size_t i = 0; i < shown; i++)
		hashes[i] = names->list.data[i].hash;
	mlv_palette_assign(hashes, shown, index);
	for (size_t i = 0; i < n; i++)
		colors[i] = mlv_palette_color(
			i < shown ? index[i] : mlv_palette_index(names->list.data[i].hash, 0));
	return colors;
}
