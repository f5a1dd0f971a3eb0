/* SPDX-License-Identifier: MIT */
/* Colours can be told apart, stay with their sites, and are readable on their pages. */
#include <math.h>

#include "render/palette.h"
#include "render/theme.h"
#include "unit.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof(*(a))))

static const struct mlv_color white = { 255, 255, 255, 255 };

/* Björn Ottosson's OKLab, in which distances are about as they look. */
static void oklab(struct mlv_color c, double lab[3])
{
	double v[3] = { c.r / 255.0, c.g / 255.0, c.b / 255.0 };
	for (int i = 0; i < 3; i++)
		v[i] = v[i] <= 0.04045 ? v[i] / 12.92 : pow((v[i] + 0.055) / 1.055, 2.4);
	double l = cbrt(0.4122214708 * v[0] + 0.5363325363 * v[1] + 0.0514459929 * v[2]);
	double m = cbrt(0.2119034982 * v[0] + 0.6806995451 * v[1] + 0.1073969566 * v[2]);
	double s = cbrt(0.0883024619 * v[0] + 0.2817188376 * v[1] + 0.6299787005 * v[2]);
	lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
	lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
	lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static double distance(struct mlv_color a, struct mlv_color b)
{
	double p[3], q[3];
	oklab(a, p);
	oklab(b, q);
	return sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) + pow(p[2] - q[2], 2));
}

START_TEST(palette_distinct)
{
	const struct mlv_theme *light = mlv_theme_find("light"), *dark = mlv_theme_find("dark");
	ck_assert_uint_eq(mlv_palette_size(), 48);
	for (uint32_t i = 0; i < 48; i++) {
		struct mlv_color c = mlv_palette_color(i);
		ck_assert_int_eq(c.a, 255);
		ck_assert_double_gt(mlv_color_contrast(c, light->ground), 1.4);
		ck_assert_double_gt(mlv_color_contrast(c, dark->ground), 1.8);
		ck_assert_double_gt(mlv_color_contrast(c, mlv_color_text_on(c)), 4.0);
		for (uint32_t j = 0; j < i; j++)
			ck_assert_double_gt(distance(c, mlv_palette_color(j)),
					    i < MLV_PALETTE_HUES ? 0.1 : 0.065);
	}
	for (unsigned i = 1; i < MLV_RAMP_STEPS; i++)
		ck_assert_double_lt(mlv_color_contrast(mlv_palette_ramp(i - 1), white),
				    mlv_color_contrast(mlv_palette_ramp(i), white));
}
END_TEST

START_TEST(palette_attempts)
{
	for (uint64_t hash = 0; hash < 500; hash++) {
		uint64_t entries = 0;
		uint32_t hues = 0;
		for (unsigned attempt = 0; attempt < 48; attempt++) {
			uint32_t index = mlv_palette_index(hash * 0x9e3779b9, attempt);
			ck_assert_uint_lt(index, 48);
			entries |= UINT64_C(1) << index;
			hues |= 1u << index % MLV_PALETTE_HUES;
			if (attempt == 11)
				ck_assert_uint_eq(hues, 0xfff);
		}
		ck_assert(entries == (UINT64_C(1) << 48) - 1);
	}
}
END_TEST

START_TEST(palette_assign)
{
	enum { SITES = 48 };
	uint64_t hashes[SITES], turned[SITES];
	uint32_t index[SITES], again[SITES];
	for (size_t n = 1; n <= SITES; n++) {
		uint64_t seen = 0;
		for (size_t i = 0; i < n; i++)
			hashes[i] = (i + 7) * UINT64_C(0x2545f4914f6cdd1d) * n;
		for (size_t i = 0; i < n; i++)
			turned[i] = hashes[(i * 5 + 3) % n]; /* a permutation unless 5 divides n */
		mlv_palette_assign(hashes, n, index);
		mlv_palette_assign(turned, n, again);
		for (size_t i = 0; i < n; i++) {
			ck_assert(!(seen & UINT64_C(1) << index[i]));
			seen |= UINT64_C(1) << index[i];
			if (n % 5)
				ck_assert_uint_eq(again[i], index[(i * 5 + 3) % n]);
		}
	}
	ck_assert_uint_eq(mlv_palette_index(42, 0), mlv_palette_index(42, 48));
}
END_TEST

/* More sites than entries, and sites of one hash: nobody hangs, all get something. */
START_TEST(palette_overfull)
{
	enum { SITES = 150 };
	uint64_t hashes[SITES];
	uint32_t index[SITES];
	unsigned uses[48] = { 0 };
	for (int i = 0; i < SITES; i++)
		hashes[i] = i < 100 ? 7 : (uint64_t)i;
	mlv_palette_assign(hashes, SITES, index);
	for (int i = 0; i < SITES; i++) {
		ck_assert_uint_lt(index[i], 48);
		ck_assert_uint_le(++uses[index[i]], 4);
	}
	mlv_palette_assign(NULL, 0, NULL);
}
END_TEST

static void check_theme(const char *name)
{
	const struct mlv_theme *t = mlv_theme_find(name);
	ck_assert_ptr_nonnull(t);
	const struct mlv_color surfaces[] = { t->ground, t->reserved_fill, t->band };
	const struct mlv_color texts[] = { t->text,    t->text_dim, t->oom,
					   t->warning, t->good,     t->capacity };
	for (int i = 0; i < COUNT(surfaces); i++)
		for (int j = 0; j < COUNT(texts); j++)
			ck_assert_msg(mlv_color_contrast(surfaces[i], texts[j]) >= 4.5,
				      "text %d on surface %d: %.2f", j, i,
				      mlv_color_contrast(surfaces[i], texts[j]));
	ck_assert_double_ge(mlv_color_contrast(t->annotation_text, t->annotation_fill), 4.5);
	ck_assert_double_ge(mlv_color_contrast(t->axis, t->ground), 3);
	ck_assert_double_ge(mlv_color_contrast(t->reserved_line, t->ground), 3);
}

START_TEST(theme_contrast)
{
	check_theme("light");
	check_theme("dark");
}
END_TEST

START_TEST(theme_names_known)
{
	ck_assert_ptr_eq(mlv_theme_find(NULL), mlv_theme_find("light"));
	ck_assert_ptr_eq(mlv_theme_find(""), mlv_theme_find("light"));
	ck_assert_ptr_null(mlv_theme_find("solarized"));
}
END_TEST

UNIT_MAIN("palette", palette_distinct, palette_attempts, palette_assign, palette_overfull,
	  theme_contrast, theme_names_known)
