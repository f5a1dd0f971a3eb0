/* SPDX-License-Identifier: MIT */
/*
 * Where pieces of cuMemAlloc lie, by a policy. Chunks: as data-centre drivers
 * do it (docs/replay.md describes the profile); the others take the lowest or
 * the highest place that has room. Nothing is shared with the model of the
 * driver in mlviz, so that one can be tested against the other: lists are
 * searched from end to end.
 */
#include <stdlib.h>
#include <string.h>

#include "fake.h"

#define MIB (UINT64_C(1) << 20)
#define CHUNK (32 * MIB)

static void add_gap(struct fake_places *p, struct fake_gap gap)
{
	for (size_t i = 0; i < p->len; i++) {
		struct fake_gap g = p->gaps[i];
		bool below = g.at + g.bytes == gap.at, above = gap.at + gap.bytes == g.at;
		if (g.chunk != gap.chunk || (!below && !above))
			continue;
		gap.at = below ? g.at : gap.at;
		gap.bytes += g.bytes;
		p->gaps[i--] = p->gaps[--p->len];
	}
	p->gaps = fake_grow(p->gaps, &p->cap, sizeof(*p->gaps), p->len);
	p->gaps[p->len++] = gap;
}

static void add_chunk(struct fake_places *p, uint64_t at, uint64_t bytes, uint64_t pieces)
{
	struct fake_area chunk = { .at = at, .bytes = bytes, .handle = ++p->last_chunk };
	chunk.maps = pieces;
	fake_areas_add(&p->chunks, chunk);
}

void fake_places_init(struct fake_places *p, uint64_t window, uint64_t bytes)
{
	*p = (struct fake_places){ .low = window + bytes };
	if (fake.options.policy == FAKE_ASCENDING)
		p->low = window;
	if (fake.options.policy != FAKE_CHUNKS)
		return;
	/* The context's own chunks have rests, 24 MiB and 2 MiB; each holds a piece for ever. */
	uint64_t first = window + bytes - 128 * MIB;
	add_chunk(p, first + 74 * MIB, 32 * MIB, 1);
	add_gap(p, (struct fake_gap){ first + 74 * MIB, 24 * MIB, p->last_chunk });
	add_chunk(p, first, 32 * MIB, 1);
	add_gap(p, (struct fake_gap){ first, 2 * MIB, p->last_chunk });
	p->low = first - 414 * MIB;
}

/* Among the rests of the newest chunk that has one, the smallest, the lowest; NULL: none. */
static struct fake_gap *rest(struct fake_places *p, uint64_t bytes)
{
	struct fake_gap *best = NULL;
	for (size_t i = 0; i < p->len; i++) {
		struct fake_gap *g = &p->gaps[i];
		if (!g->chunk || g->bytes < bytes)
			continue;
		if (!best || g->chunk > best->chunk ||
		    (g->chunk == best->chunk &&
		     (g->bytes < best->bytes || (g->bytes == best->bytes && g->at < best->at))))
			best = g;
	}
	return best;
}

/* A hole between chunks: the highest, or the lowest. Chunks never fill one up. */
static struct fake_gap *hole(struct fake_places *p, uint64_t bytes)
{
	bool lowest = fake.options.policy == FAKE_ASCENDING;
	uint64_t least = bytes + (fake.options.policy == FAKE_CHUNKS);
	struct fake_gap *best = NULL;
	for (size_t i = 0; i < p->len; i++) {
		struct fake_gap *g = &p->gaps[i];
		if (!g->chunk && g->bytes >= least && (!best || (g->at < best->at) == lowest))
			best = g;
	}
	return best;
}

static uint64_t cut(struct fake_places *p, struct fake_gap *g, uint64_t bytes, bool top)
{
	uint64_t at = top ? g->at + g->bytes - bytes : g->at;
	g->bytes -= bytes;
	if (!top)
		g->at += bytes;
	if (!g->bytes)
		*g = p->gaps[--p->len];
	return at;
}

static void new_chunk(struct fake_places *p, uint64_t bytes)
{
	bool ascending = fake.options.policy == FAKE_ASCENDING;
	struct fake_gap *g = hole(p, bytes);
	uint64_t at;
	if (g) {
		at = cut(p, g, bytes, !ascending);
	} else {
		at = ascending ? p->low : p->low - bytes;
		p->low = ascending ? p->low + bytes : at;
	}
	add_chunk(p, at, bytes, 0);
	add_gap(p, (struct fake_gap){ at, bytes, p->last_chunk });
}

uint64_t fake_place(struct fake_places *p, uint64_t bytes)
{
	struct fake_gap *g = rest(p, bytes);
	if (!g) {
		new_chunk(p, fake.options.policy == FAKE_CHUNKS ? fake_up(bytes, CHUNK) : bytes);
		g = rest(p, bytes);
	}
	uint64_t at = cut(p, g, bytes, false);
	fake_areas_holding(&p->chunks, at)->maps++;
	return at;
}

/* An empty chunk is a hole; next to what is free below everything it joins that. */
static void drop_chunk(struct fake_places *p, struct fake_area *chunk)
{
	for (size_t i = 0; i < p->len; i++) {
		if (p->gaps[i].chunk == chunk->handle)
			p->gaps[i--] = p->gaps[--p->len];
	}
	add_gap(p, (struct fake_gap){ chunk->at, chunk->bytes, 0 });
	fake_areas_remove(&p->chunks, chunk);
	for (size_t i = 0; i < p->len && fake.options.policy != FAKE_ASCENDING; i++) {
		if (p->gaps[i].chunk || p->gaps[i].at != p->low)
			continue;
		p->low += p->gaps[i].bytes;
		p->gaps[i] = p->gaps[--p->len];
		break;
	}
}

void fake_place_back(struct fake_places *p, uint64_t at, uint64_t bytes)
{
	struct fake_area *chunk = fake_areas_holding(&p->chunks, at);
	add_gap(p, (struct fake_gap){ at, bytes, chunk->handle });
	if (!--chunk->maps)
		drop_chunk(p, chunk);
}

void fake_places_clear(struct fake_places *p)
{
	fake_areas_clear(&p->chunks);
	free(p->gaps);
	*p = (struct fake_places){ 0 };
}
