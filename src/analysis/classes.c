/* SPDX-License-Identifier: MIT */
#include "analysis/classes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool class_of(struct mlv_classes *c, const struct mlv_alloc *a, uint32_t *cls)
{
	uint16_t pool;
	switch (c->kind) {
	case MLV_BY_SITE:
		/* The stack of an orphan is that of its free, and tells nothing of its making. */
		if (a->origin == MLV_ALLOC_ORPHAN_FREE ||
		    (a->origin == MLV_ALLOC_FINAL_BLOCK && !mlv_stack_has_frame(a->stack)))
			return mlv_site_before(c->sites, cls);
		return mlv_site_of(c->sites, a->stack, cls);
	case MLV_BY_SIZE:
		*cls = size_class(a->bytes);
		return true;
	case MLV_BY_STREAM:
		*cls = a->track.i;
		return true;
	case MLV_BY_POOL:
		pool = pool_of(c->h, a);
		*cls = pool == MLV_POOL_UNKNOWN ? (uint32_t)c->h->run->pools.len : pool;
		return true;
	}
	return false;
}

static size_t class_count(const struct mlv_classes *c)
{
	switch (c->kind) {
	case MLV_BY_SITE:
		return c->sites->list.len;
	case MLV_BY_SIZE:
		return SIZES;
	case MLV_BY_STREAM:
		return c->h->run->tracks.len;
	case MLV_BY_POOL:
		return c->h->run->pools.len + 1;
	}
	return 0;
}

enum mlv_rc mlv_classes_init(struct mlv_classes *c, enum mlv_class_kind kind,
			     const struct mlv_history *h, struct mlv_sites *sites,
			     struct mlv_err *err)
{
	*c = (struct mlv_classes){ .kind = kind, .h = h, .sites = sites };
	c->of_alloc = mlv_zeroed(h->alloc_count + 1, sizeof(*c->of_alloc));
	if (!c->of_alloc)
		return mlv_err_nomem(err);
	for (size_t i = 0; i < h->alloc_count; i++) {
		if (!class_of(c, &h->allocs[i], &c->of_alloc[i])) {
			mlv_classes_fini(c);
			return mlv_err_nomem(err);
		}
	}
	c->count = class_count(c);
	return MLV_OK;
}

void mlv_classes_fini(struct mlv_classes *c)
{
	free(c->of_alloc);
	c->of_alloc = NULL;
}

void mlv_class_name(const struct mlv_classes *c, uint32_t cls, char *name, size_t name_size,
		    char *place, size_t place_size)
{
	const struct mlv_run *run = c->h->run;
	place[0] = '\0';
	switch (c->kind) {
	case MLV_BY_SITE:
		mlv_site_function(c->sites, cls, name, name_size);
		mlv_site_place(c->sites, cls, place, place_size);
		break;
	case MLV_BY_SIZE:
		snprintf(name, name_size, "%s", sizes[cls].name);
		break;
	case MLV_BY_STREAM:
		if (run->tracks.data[cls].number == 0)
			snprintf(name, name_size, "default stream");
		else
			snprintf(name, name_size, "stream 0x%" PRIx64,
				 (uint64_t)run->tracks.data[cls].number);
		break;
	case MLV_BY_POOL:
		if (cls == run->pools.len) {
			snprintf(name, name_size, "pool unknown");
			snprintf(place, place_size, "its segment is gone");
		} else if (cls == MLV_POOL_DEFAULT) {
			snprintf(name, name_size, "default pool");
		} else {
			snprintf(name, name_size, "private pool (%" PRId64 ", %" PRId64 ")",
				 run->pools.data[cls].owner, run->pools.data[cls].id);
		}
		break;
	}
}

uint64_t mlv_class_hash(const struct mlv_classes *c, uint32_t cls)
{
	if (c->kind == MLV_BY_SITE)
		return c->sites->list.data[cls].hash;
	/* Stream handles are addresses that differ from run to run: their order does not. */
	return cls;
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
