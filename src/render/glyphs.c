/* SPDX-License-Identifier: MIT */
#include "render/glyphs.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_ADVANCES_H
#include FT_OUTLINE_H
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "render/canvas_impl.h"

/* Where distributions put the two files. */
static const char *const places[] = {
	"/usr/share/fonts/truetype/dejavu/",   /* Debian, Ubuntu */
	"/usr/share/fonts/dejavu-sans-fonts/", /* Fedora */
	"/usr/share/fonts/dejavu/",            /* older Red Hat */
	"/usr/share/fonts/TTF/",               /* Arch */
	"/usr/share/fonts/ttf-dejavu/",        /* Alpine */
	"/usr/local/share/fonts/dejavu/",      /* BSD */
	"/opt/homebrew/share/fonts/",
	"/Library/Fonts/",
};
static const char *const files[2] = { "DejaVuSans.ttf", "DejaVuSans-Bold.ttf" };

enum {
	CACHE_SLOTS = 2048, /* a power of two; emptied when half full */
	PHASES = 4,         /* positions within a pixel */
};

struct glyph {
	uint64_t key; /* 0 = free slot */
	const uint8_t *rows;
	int left, top, width, height;
};

struct mlv_glyphs {
	FT_Library library;
	FT_Face faces[2];
	FT_F26Dot6 sizes[2]; /* set on the face; 0 = none yet */
	struct mlv_arena arena;
	size_t cached;
	struct glyph cache[CACHE_SLOTS];
};

static FT_Face open_face(FT_Library library, const char *file)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		char path[128];
		FT_Face face;
		snprintf(path, sizeof(path), "%s%s", places[i], file);
		if (FT_New_Face(library, path, 0, &face) == 0)
			return face;
	}
	return NULL;
}

struct mlv_glyphs *mlv_glyphs_create(void)
{
	struct mlv_glyphs *g = calloc(1, sizeof(*g));
	if (!g)
		return NULL;
	if (FT_Init_FreeType(&g->library)) {
		g->library = NULL;
		return g;
	}
	for (int i = 0; i < 2; i++)
		g->faces[i] = open_face(g->library, files[i]);
	return g;
}

void mlv_glyphs_destroy(struct mlv_glyphs *g)
{
	if (!g)
		return;
	if (g->library)
		FT_Done_FreeType(g->library); /* and its faces */
	mlv_arena_fini(&g->arena);
	free(g);
}

bool mlv_glyphs_available(const struct mlv_glyphs *g)
{
	return g->faces[0] && g->faces[1];
}

static FT_Face face_at(struct mlv_glyphs *g, struct mlv_font font)
{
	FT_F26Dot6 size = (FT_F26Dot6)lround(font.size * 64);
	FT_Face face = g->faces[font.bold];
	if (g->sizes[font.bold] != size) {
		/* Failing leaves the size before: wrong letters, nothing worse. */
		FT_Set_Char_Size(face, 0, size < 1 ? 1 : size, 72, 72);
		g->sizes[font.bold] = size;
	}
	return face;
}

static double advance_of(FT_Face face, FT_UInt index, double size)
{
	FT_Fixed units = 0;
	FT_Get_Advance(face, index, FT_LOAD_NO_SCALE, &units);
	return (double)units * size / face->units_per_EM;
}

double mlv_glyphs_width(struct mlv_glyphs *g, struct mlv_font font, const char *text)
{
	FT_Face face = g->faces[font.bold];
	double width = 0;
	for (uint32_t cp; (cp = mlv_text_next(&text));)
		width += advance_of(face, FT_Get_Char_Index(face, cp), font.size);
	return width;
}

/* The slot that holds the key, or the free one where it belongs. */
static struct glyph *slot_of(struct mlv_glyphs *g, uint64_t key)
{
	uint64_t i = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
	while (g->cache[i % CACHE_SLOTS].key && g->cache[i % CACHE_SLOTS].key != key)
		i++;
	return &g->cache[i % CACHE_SLOTS];
}

static struct glyph *cache_room(struct mlv_glyphs *g, uint64_t key)
{
	if (g->cached >= CACHE_SLOTS / 2) {
		mlv_arena_fini(&g->arena);
		memset(g->cache, 0, sizeof(g->cache));
		g->cached = 0;
	}
	g->cached++;
	return slot_of(g, key);
}

/* Hinting is vertical only: rows are crisp, advances stay what the layout was told. */
static FT_GlyphSlot rasterise(FT_Face face, FT_UInt index, unsigned phase)
{
	if (FT_Load_Glyph(face, index, FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP))
		return NULL;
	FT_GlyphSlot slot = face->glyph;
	FT_Outline_Translate(&slot->outline, (FT_Pos)phase * 64 / PHASES, 0);
	if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL))
		return NULL;
	return slot->bitmap.pixel_mode == FT_PIXEL_MODE_GRAY ? slot : NULL;
}

static const struct glyph *glyph_at(struct mlv_glyphs *g, bool bold, FT_UInt index, unsigned phase)
{
	uint64_t key = UINT64_C(1) << 63 | (uint64_t)bold << 62 | (uint64_t)phase << 56 |
		       (uint64_t)(g->sizes[bold] & 0xffffff) << 32 | index;
	struct glyph *known = slot_of(g, key);
	if (known->key)
		return known;
	FT_GlyphSlot slot = rasterise(g->faces[bold], index, phase);
	if (!slot)
		return NULL;
	int width = (int)slot->bitmap.width, height = (int)slot->bitmap.rows;
	struct glyph *fresh = cache_room(g, key);
	uint8_t *rows = mlv_arena_alloc(&g->arena, (size_t)width * (size_t)height + 1);
	if (!rows)
		return NULL;
	for (int y = 0; y < height; y++)
		memcpy(rows + y * width, slot->bitmap.buffer + y * slot->bitmap.pitch,
		       (size_t)width);
	*fresh = (struct glyph){ key, rows, slot->bitmap_left, slot->bitmap_top, width, height };
	return fresh;
}

static struct mlv_box clip(const struct mlv_mask *mask, const struct glyph *glyph, int x, int y)
{
	struct mlv_box box = { x + glyph->left, y - glyph->top, 0, 0 };
	box.x1 = box.x0 + glyph->width;
	box.y1 = box.y0 + glyph->height;
	if (box.x0 < 0)
		box.x0 = 0;
	if (box.y0 < 0)
		box.y0 = 0;
	if (box.x1 > mask->width)
		box.x1 = mask->width;
	if (box.y1 > mask->height)
		box.y1 = mask->height;
	return box;
}

static void add(const struct mlv_mask *mask, const struct glyph *glyph, struct mlv_box box, int x,
		int y)
{
	for (int row = box.y0; row < box.y1; row++) {
		uint8_t *to = mask->data + (size_t)row * (size_t)mask->stride;
		const uint8_t *from = glyph->rows + (row - y + glyph->top) * glyph->width;
		for (int column = box.x0; column < box.x1; column++) {
			unsigned sum = to[column] + from[column - x - glyph->left];
			to[column] = sum > 255 ? 255 : (uint8_t)sum;
		}
	}
}

static void unite(struct mlv_box *a, struct mlv_box b)
{
	if (b.x0 >= b.x1 || b.y0 >= b.y1)
		return;
	if (a->x0 >= a->x1)
		*a = b;
	a->x0 = b.x0 < a->x0 ? b.x0 : a->x0;
	a->y0 = b.y0 < a->y0 ? b.y0 : a->y0;
	a->x1 = b.x1 > a->x1 ? b.x1 : a->x1;
	a->y1 = b.y1 > a->y1 ? b.y1 : a->y1;
}

struct mlv_box mlv_glyphs_draw(struct mlv_glyphs *g, const struct mlv_mask *mask, double x,
			       double y, struct mlv_font font, const char *text)
{
	struct mlv_box all = { 0, 0, 0, 0 };
	FT_Face face = face_at(g, font);
	int base = (int)lround(y);
	/* A hostile text may be very long: stop where nothing can be seen any more. */
	for (uint32_t cp; x < mask->width + font.size && (cp = mlv_text_next(&text));) {
		FT_UInt index = FT_Get_Char_Index(face, cp);
		int quarter = (int)floor(x * PHASES + 0.5);
		int phase = ((quarter % PHASES) + PHASES) % PHASES;
		int pixel = (quarter - phase) / PHASES;
		const struct glyph *glyph = glyph_at(g, font.bold, index, (unsigned)phase);
		if (glyph) {
			struct mlv_box box = clip(mask, glyph, pixel, base);
			add(mask, glyph, box, pixel, base);
			unite(&all, box);
		}
		x += advance_of(face, index, font.size);
	}
	return all;
}
