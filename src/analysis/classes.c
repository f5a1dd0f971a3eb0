/* SPDX-License-Identifier: MIT */
#include "analysis/classes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analysis/growth/lifetime.h"

/* Upper bounds of the size classes; the last one has none. */
static const struct {
	uint64_t below;
	const char *name;
} sizes[] = {
	{ UINT64_C(4) << 10, "below 4 KiB" },
	{ UINT64_C(64) << 10, "4 KiB to 64 KiB" },
	{ UINT64_C(1) << 20, "64 KiB to 1 MiB" },
	{ UINT64_C(4) << 20, "1 MiB to 4 MiB" },
	{ UINT64_C(16) << 20, "4 MiB to 16 MiB" },
	{ UINT64_C(64) << 20, "16 MiB to 64 MiB" },
	{ UINT64_C(256) << 20, "64 MiB to 256 MiB" },
	{ UINT64_C(1) << 30, "256 MiB to 1 GiB" },
	{ UINT64_MAX, "1 GiB and more" },
};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

static uint32_t size_class(uint64_t bytes)
{
	uint32_t i = 0;
	while (i + 1 < SIZES && bytes >= sizes[i].below)
		i++;
	return i;
}

/* Newer recorders name the pool; otherwise the final segment at that address tells. */
static uint16_t pool_of(const struct mlv_history *h, const struct mlv_alloc *a)
{
	if (a->pool != MLV_POOL_UNKNOWN)
		return a->pool;
	const struct mlv_run *run = h->run;
	const struct mlv_track *on = mlv_run_device_of(run, a->track);
	for (size_t i = 0; i < run->devices.len; i++) {
		const struct mlv_device *d = &run->devices.data[i];
		if (!on || on->number != d->ordinal)
			continue;
		size_t lo = d->first_segment, hi = lo + d->segments;
		while (lo < hi) {
			size_t mid = lo + (hi - lo) / 2;
			const struct mlv_segment *seg = &run->segments.data[mid];
			if (a->addr < seg->addr)
				hi = mid;
			else if (a->addr - seg->addr >= seg->bytes)
				lo = mid + 1;
			else
				return seg->pool;
		}
	}
	return MLV_POOL_UNKNOWN;
}

/* PyTorch numbers the pools of graphs in one half of the id and those of MemPool in the other. */
static uint32_t pool_ordinal(const struct mlv_pool *p)
{
	if (p->owner >= 0 && p->owner < INT32_MAX / 2 && p->id == 0)
		return p->owner ? (uint32_t)p->owner * 2 - 1 : 0;
	if (p->id >= 0 && p->id < INT32_MAX / 2 && p->owner == 0)
		return (uint32_t)p->id * 2;
	return (uint32_t)XXH3_64bits(p, sizeof(*p)) >> 1;
}

static uint32_t row_ordinal(const struct mlv_classes *c, uint32_t row, uint32_t *streams)
{
	const struct mlv_run *run = c->h->run;
	if (c->kind == MLV_BY_STREAM)
		return run->tracks.data[row].number == 0 ? 0 : ++*streams;
	return row < run->pools.len ? pool_ordinal(&run->pools.data[row]) : MLV_NO_ORDINAL;
}

/* Rows of tracks or pools become classes as allocations first use them. */
static bool class_rows(struct mlv_classes *c)
{
	const struct mlv_run *run = c->h->run;
	bool streams = c->kind == MLV_BY_STREAM;
	size_t rows = (streams ? run->tracks.len : run->pools.len) + 1;
	uint32_t *class_of_row = malloc(rows * sizeof(*class_of_row)), others = 0;
	c->ordinals = malloc(rows * sizeof(*c->ordinals));
	c->rows = malloc(rows * sizeof(*c->rows));
	bool ok = class_of_row && c->ordinals && c->rows;
	if (ok)
		memset(class_of_row, 0xff, rows * sizeof(*class_of_row));
	for (size_t i = 0; ok && i < c->h->alloc_count; i++) {
		const struct mlv_alloc *a = &c->h->allocs[i];
		uint32_t row = streams ? a->track.i : pool_of(c->h, a);
		if (row >= rows)
			row = (uint32_t)rows - 1;
		if (class_of_row[row] == UINT32_MAX) {
			class_of_row[row] = (uint32_t)c->count;
			c->rows[c->count] = row;
			c->ordinals[c->count++] = row_ordinal(c, row, &others);
		}
		c->of_alloc[i] = class_of_row[row];
	}
	free(class_of_row);
	return ok;
}

static bool class_of(struct mlv_classes *c, const struct mlv_alloc *a, uint32_t *cls)
{
	if (c->kind == MLV_BY_SIZE) {
		*cls = size_class(a->bytes);
		return true;
	}
	/* The stack of an orphan is that of its free, and tells nothing of its making. */
	if (a->origin == MLV_ALLOC_ORPHAN_FREE || a->origin == MLV_ALLOC_COUNTED ||
	    (a->origin == MLV_ALLOC_FINAL_BLOCK && !mlv_stack_has_frame(a->stack)))
		return mlv_site_before(c->sites, cls);
	return mlv_site_of(c->sites, a->stack, cls);
}

static bool class_lives(struct mlv_classes *c)
{
	struct mlv_lifetimes l;
	if (mlv_lifetimes_init(&l, c->h, NULL))
		return false;
	for (size_t i = 0; i < c->h->alloc_count; i++)
		c->of_alloc[i] = l.life[i];
	c->count = MLV_LIVES;
	mlv_lifetimes_fini(&l);
	return true;
}

static bool class_each(struct mlv_classes *c)
{
	for (size_t i = 0; i < c->h->alloc_count; i++) {
		if (!class_of(c, &c->h->allocs[i], &c->of_alloc[i]))
			return false;
	}
	c->count = c->kind == MLV_BY_SITE ? c->sites->list.len : SIZES;
	return true;
}

enum mlv_rc mlv_classes_init(struct mlv_classes *c, enum mlv_class_kind kind,
			     const struct mlv_history *h, struct mlv_sites *sites,
			     struct mlv_err *err)
{
	*c = (struct mlv_classes){ .kind = kind, .h = h, .sites = sites };
	c->of_alloc = mlv_zeroed(h->alloc_count + 1, sizeof(*c->of_alloc));
	bool ok = c->of_alloc;
	if (ok && (kind == MLV_BY_STREAM || kind == MLV_BY_POOL))
		ok = class_rows(c);
	else if (ok)
		ok = kind == MLV_BY_LIFETIME ? class_lives(c) : class_each(c);
	if (!ok) {
		mlv_classes_fini(c);
		return mlv_err_nomem(err);
	}
	return MLV_OK;
}

void mlv_classes_fini(struct mlv_classes *c)
{
	free(c->of_alloc);
	free(c->ordinals);
	free(c->rows);
	c->of_alloc = c->ordinals = c->rows = NULL;
}

void mlv_class_name(const struct mlv_classes *c, uint32_t cls, char *name, size_t name_size,
		    char *place, size_t place_size)
{
	const struct mlv_run *run = c->h->run;
	uint32_t row = c->rows ? c->rows[cls] : 0;
	place[0] = '\0';
	switch (c->kind) {
	case MLV_BY_SITE:
		mlv_site_function(c->sites, cls, name, name_size);
		mlv_site_place(c->sites, cls, place, place_size);
		break;
	case MLV_BY_SIZE:
		snprintf(name, name_size, "%s", sizes[cls].name);
		break;
	case MLV_BY_LIFETIME:
		snprintf(name, name_size, "%s", mlv_life_name((enum mlv_life)cls));
		break;
	case MLV_BY_STREAM:
		if (c->ordinals[cls] == 0)
			snprintf(name, name_size, "default stream");
		else
			snprintf(name, name_size, "stream %" PRIu32 " (0x%" PRIx64 ")",
				 c->ordinals[cls], (uint64_t)run->tracks.data[row].number);
		break;
	case MLV_BY_POOL:
		if (row >= run->pools.len) {
			snprintf(name, name_size, "pool unknown");
			snprintf(place, place_size, "its segment is gone");
		} else if (row == MLV_POOL_DEFAULT) {
			snprintf(name, name_size, "default pool");
		} else {
			snprintf(name, name_size, "private pool (%" PRId64 ", %" PRId64 ")",
				 run->pools.data[row].owner, run->pools.data[row].id);
		}
		break;
	}
}

uint64_t mlv_class_hash(const struct mlv_classes *c, uint32_t cls)
{
	const struct mlv_run *run = c->h->run;
	if (c->kind == MLV_BY_SITE)
		return c->sites->list.data[cls].hash;
	if (c->kind != MLV_BY_POOL)
		return mlv_class_ordinal(c, cls);
	/* 0 stands for the pool that is not known. */
	uint32_t row = c->rows[cls];
	return row < run->pools.len ? XXH3_64bits(&run->pools.data[row], sizeof(struct mlv_pool))
				    : 0;
}

uint32_t mlv_class_ordinal(const struct mlv_classes *c, uint32_t cls)
{
	return c->ordinals ? c->ordinals[cls] : cls;
}

static int by_bytes(const void *pa, const void *pb)
{
	const struct mlv_rank *a = pa, *b = pb;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return (a->cls > b->cls) - (a->cls < b->cls);
}

enum mlv_rc mlv_classes_rank(const struct mlv_classes *c, int64_t e, struct mlv_rank **ranks,
			     size_t *count, struct mlv_err *err)
{
	const struct mlv_history *h = c->h;
	struct mlv_rank *r = calloc(c->count + 1, sizeof(*r));
	if (!r)
		return mlv_err_nomem(err);
	for (size_t i = 0; i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		if (a->born != MLV_NEVER && (int64_t)a->born > e)
			break; /* allocations stand in the order of birth */
		if (a->died != MLV_NEVER && (int64_t)a->died <= e)
			continue;
		r[c->of_alloc[i]].bytes += a->bytes;
		r[c->of_alloc[i]].count++;
	}
	size_t n = 0;
	for (uint32_t k = 0; k < c->count; k++) {
		if (r[k].count)
			r[n++] = (struct mlv_rank){ k, r[k].bytes, r[k].count };
	}
	if (n)
		qsort(r, n, sizeof(*r), by_bytes);
	*ranks = r;
	*count = n;
	return MLV_OK;
}
