/* SPDX-License-Identifier: MIT */
/* Who holds the blocks of a segment map, and the colours that say so. */
#include <stdlib.h>

#include "render/palette.h"
#include "render/segment_map_chart.h"

const struct mlv_alloc *mlv_map_alloc(const struct mlv_segment_map_chart *chart,
				      const struct mlv_map_block *b)
{
	bool live = b->state == MLV_CACHE_ALLOCATED || b->state == MLV_CACHE_PENDING;
	return live && b->owner < chart->history->alloc_count ? &chart->history->allocs[b->owner]
							      : NULL;
}

static int by_bytes(const void *pa, const void *pb)
{
	const struct mlv_map_site *a = pa, *b = pb;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return (a->cls > b->cls) - (a->cls < b->cls);
}

static void add_up(struct mlv_map_sites *s, const struct mlv_segment_map_chart *chart)
{
	const struct mlv_classes *k = chart->classes;
	size_t n = 0;
	for (size_t i = 0; i < k->count; i++)
		s->list[i].cls = (uint32_t)i;
	for (size_t i = 0; i < chart->map->blocks.len; i++) {
		const struct mlv_map_block *b = &chart->map->blocks.data[i];
		if (!mlv_map_alloc(chart, b))
			continue;
		struct mlv_map_site *q = &s->list[k->of_alloc[b->owner]];
		q->bytes += b->bytes;
		q->blocks++;
	}
	for (size_t i = 0; i < k->count; i++)
		if (s->list[i].blocks)
			s->list[n++] = s->list[i];
	s->count = n;
	if (n)
		qsort(s->list, n, sizeof(*s->list), by_bytes);
}

static bool is_known(uint64_t hash)
{
	return hash != MLV_SITE_NOT_RECORDED && hash != MLV_SITE_BEFORE;
}

/* As in the timeline: from the hash of the site, and none twice among those that are named. */
static bool choose_colors(struct mlv_map_sites *s, const struct mlv_segment_map_chart *chart)
{
	const struct mlv_classes *k = chart->classes;
	uint64_t *hashes = calloc(s->named + 1, sizeof(*hashes));
	uint32_t *index = calloc(s->named + 1, sizeof(*index));
	bool ok = hashes && index;
	for (size_t i = 0; ok && i < s->named; i++)
		hashes[i] = mlv_class_hash(k, s->list[i].cls);
	if (ok)
		mlv_palette_assign(hashes, s->named, index);
	for (size_t i = 0; ok && i < s->count; i++) {
		uint64_t hash = mlv_class_hash(k, s->list[i].cls);
		uint32_t entry = i < s->named ? index[i] : mlv_palette_index(hash, 0);
		s->list[i].color =
			is_known(hash) ? mlv_palette_color(entry) : chart->theme->unknown;
		s->of_class[s->list[i].cls] = s->list[i].color;
	}
	free(hashes);
	free(index);
	return ok;
}

enum mlv_rc mlv_map_sites_init(struct mlv_map_sites *s, const struct mlv_segment_map_chart *chart,
			       size_t named, struct mlv_err *err)
{
	*s = (struct mlv_map_sites){ 0 };
	if (!chart->by_site)
		return MLV_OK;
	s->list = calloc(chart->classes->count + 1, sizeof(*s->list));
	s->of_class = calloc(chart->classes->count + 1, sizeof(*s->of_class));
	bool ok = s->list && s->of_class;
	if (ok)
		add_up(s, chart);
	s->named = named < s->count ? named : s->count;
	if (ok && choose_colors(s, chart))
		return MLV_OK;
	mlv_map_sites_fini(s);
	return mlv_err_nomem(err);
}

void mlv_map_sites_fini(struct mlv_map_sites *s)
{
	free(s->list);
	free(s->of_class);
	*s = (struct mlv_map_sites){ 0 };
}

struct mlv_color mlv_map_color(const struct mlv_segment_map_chart *chart,
			       const struct mlv_map_sites *sites, const struct mlv_map_block *b)
{
	if (!chart->by_site)
		return mlv_palette_color(0);
	if (!mlv_map_alloc(chart, b))
		return chart->theme->unknown;
	return sites->of_class[chart->classes->of_alloc[b->owner]];
}
