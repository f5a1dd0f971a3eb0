/* SPDX-License-Identifier: MIT */
#include "render/palette.h"

#include <math.h>

enum { ENTRIES = MLV_PALETTE_HUES * MLV_PALETTE_SHADES };

/*
 * Found by minimising the crowding of all entries in OKLab, seen with normal
 * vision, deuteranopia and protanopia, around hues after Paul Tol's "bright"
 * and "muted" schemes. Two lines are a shade of all hues, the first two the leading one.
 */
static const uint32_t entries[ENTRIES] = {
	0x3b77b3, 0xf79e63, 0x2aa99e, 0xd6656f, 0xe5d370, 0x84d1f8, 0xa54594, 0x237832,
	0xaf5035, 0x877ad4, 0xabb333, 0xd7a6bf, 0x87a4c7, 0xffc79f, 0x5de0d0, 0xb58088,
	0x725a00, 0x016f8f, 0xb578bb, 0x44935d, 0x70463e, 0xabafff, 0x687750, 0xffbddc,
	0x305579, 0xd18f61, 0x31c5b6, 0x9a4359, 0xa89436, 0x4b8ea5, 0x79587b, 0x79ab7a,
	0x8b3019, 0x645bad, 0xafb683, 0x7c3462, 0x5999df, 0xb77545, 0x0e6c5c, 0xe38399,
	0x907a04, 0x3bbce3, 0xde98e3, 0xb2e2ba, 0xffa29d, 0x52448f, 0xaecf7b, 0xa2657c,
};

static const uint32_t ramp[MLV_RAMP_STEPS] = {
	0xe9df78, 0xb8d648, 0x74c75f, 0x33ad7c, 0x1f9390, 0x2b7699, 0x3f5d9e, 0x57449a, 0x6a2a80,
};

static struct mlv_color unpack(uint32_t rgb)
{
	return (struct mlv_color){ (uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb, 255 };
}

uint32_t mlv_palette_size(void)
{
	return ENTRIES;
}

struct mlv_color mlv_palette_color(uint32_t index)
{
	return unpack(entries[index % ENTRIES]);
}

/* All bits of the result depend on all bits of the hash, however it was made. */
static uint64_t mixed(uint64_t h)
{
	h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
	return h ^ h >> 31;
}

uint32_t mlv_palette_index(uint64_t hash, unsigned attempt)
{
	/* Steps without a common divisor with the number of hues visit all of them. */
	static const uint8_t steps[] = { 1, 5, 7, 11 };
	uint64_t h = mixed(hash);
	uint32_t start = (uint32_t)(h % ENTRIES);
	uint32_t round = attempt / MLV_PALETTE_HUES % MLV_PALETTE_SHADES;
	uint32_t within = attempt % MLV_PALETTE_HUES;
	uint32_t hue = (start + within * steps[h >> 62]) % MLV_PALETTE_HUES;
	uint32_t shade = (start / MLV_PALETTE_HUES + within + round) % MLV_PALETTE_SHADES;
	return shade * MLV_PALETTE_HUES + hue;
}

/* Whether site `a` chooses before site `b`. */
static int before(const uint64_t *hashes, size_t a, size_t b)
{
	return hashes[a] != hashes[b] ? hashes[a] < hashes[b] : a < b;
}

/* The site that chooses next after `last` (n = nobody yet); n when all have chosen. */
static size_t next_site(const uint64_t *hashes, size_t n, size_t last)
{
	size_t next = n;
	for (size_t i = 0; i < n; i++)
		if ((last == n || before(hashes, last, i)) &&
		    (next == n || before(hashes, i, next)))
			next = i;
	return next;
}

void mlv_palette_assign(const uint64_t *hashes, size_t n, uint32_t *ret_index)
{
	size_t uses[ENTRIES] = { 0 };
	size_t done = 0;
	/* First those who get what they want, so that one who yields takes nobody's own colour. */
	for (size_t i = next_site(hashes, n, n); i < n; i = next_site(hashes, n, i)) {
		uint32_t want = mlv_palette_index(hashes[i], 0);
		ret_index[i] = uses[want] ? ENTRIES : want;
		if (ret_index[i] == ENTRIES)
			continue;
		uses[want] = 1;
		done++;
	}
	for (size_t i = next_site(hashes, n, n); i < n; i = next_site(hashes, n, i)) {
		if (ret_index[i] != ENTRIES)
			continue;
		size_t most = done++ / ENTRIES; /* beyond the palette, entries fill evenly */
		unsigned attempt = 1;
		while (uses[mlv_palette_index(hashes[i], attempt)] > most)
			attempt++;
		ret_index[i] = mlv_palette_index(hashes[i], attempt);
		uses[ret_index[i]]++;
	}
}

struct mlv_color mlv_palette_ramp(unsigned step)
{
	return unpack(ramp[step < MLV_RAMP_STEPS ? step : MLV_RAMP_STEPS - 1]);
}

static double linear(uint8_t channel)
{
	double v = channel / 255.0;
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(struct mlv_color c)
{
	return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

double mlv_color_contrast(struct mlv_color a, struct mlv_color b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
	return x > y ? x / y : y / x;
}

struct mlv_color mlv_color_text_on(struct mlv_color ground)
{
	const struct mlv_color dark = { 0x14, 0x17, 0x1c, 255 }, white = { 255, 255, 255, 255 };
	return mlv_color_contrast(dark, ground) > mlv_color_contrast(white, ground) ? dark : white;
}
