/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_PALETTE_H
#define MLV_RENDER_PALETTE_H
/*
 * Colours for call sites. Twelve hues in four shades each; any two of the 48
 * can be told apart, the twelve hues also with red-green colour blindness,
 * and all stand out from a white and from a dark page. A site's colour comes
 * from the hash of its name, so it is the same in every picture and every run.
 */
#include <stddef.h>
#include <stdint.h>

#include "render/canvas.h"

enum {
	MLV_PALETTE_HUES = 12,
	MLV_PALETTE_SHADES = 4,
	MLV_RAMP_STEPS = 9,
};

uint32_t mlv_palette_size(void);

/* Entries beyond the last begin again. Entry i and i + MLV_PALETTE_HUES are shades of one hue. */
struct mlv_color mlv_palette_color(uint32_t index);

/*
 * The entry for the hash of a site's name, and its alternates: attempts 0 to
 * 47 visit every entry once, any twelve in a row all hues.
 */
uint32_t mlv_palette_index(uint64_t hash, unsigned attempt);

/*
 * Entries for the `n` sites that a picture names: no two the same as long as
 * there are enough. A site keeps its attempt 0 unless a site with a lower
 * hash wants it too; order and size have no say, so the same set of sites
 * always gets the same colours. Takes n * n steps: meant for a legend.
 */
void mlv_palette_assign(const uint64_t *hashes, size_t n, uint32_t *ret_index);

/* From small (0, pale) to large (MLV_RAMP_STEPS - 1, dark); steps beyond are the last. */
struct mlv_color mlv_palette_ramp(unsigned step);

/* Contrast of two opaque colours as WCAG 2 defines it, 1 to 21. */
double mlv_color_contrast(struct mlv_color a, struct mlv_color b);

/* Dark or white, whichever reads better on `ground`. */
struct mlv_color mlv_color_text_on(struct mlv_color ground);

#endif
