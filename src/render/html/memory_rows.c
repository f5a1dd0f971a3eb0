/* SPDX-License-Identifier: MIT */
/* The allocations of a history as columns. */
#include "render/html/memory_rows.h"

#include <stdlib.h>
#include <string.h>

/* A value of each of the rows from..to. */
typedef uint32_t (*value_fn)(const void *context, const struct mlv_alloc *a, size_t row);

static void column(struct mlv_pack *pack, const char *name, const struct mlv_history *h,
		   size_t from, size_t to, value_fn value, const void *context, uint32_t *buf)
{
	for (size_t i = from; i < to; i++)
		buf[i - from] = value(context, &h->allocs[i], i);
	mlv_pack_u32(pack, name, buf, to - from);
}

static uint32_t born(const void *context, const struct mlv_alloc *a, size_t row)
{
	(void)context;
	(void)row;
	return a->born;
}

/* 0 = never, else 1 + the events in between: lives of one length become one number. */
static uint32_t after(uint32_t from, uint32_t event)
{
	return event == MLV_NEVER ? 0 : event - (from == MLV_NEVER ? 0 : from) + 1;
}

static uint32_t asked(const void *context, const struct mlv_alloc *a, size_t row)
{
	(void)context;
	(void)row;
	return after(a->born, a->free_requested);
}

static uint32_t ended(const void *context, const struct mlv_alloc *a, size_t row)
{
	(void)context;
	(void)row;
	return after(a->free_requested == MLV_NEVER ? a->born : a->free_requested, a->died);
}

static uint32_t addr_high(const void *context, const struct mlv_alloc *a, size_t row)
{
	(void)context;
	(void)row;
	return (uint32_t)(a->addr >> 32);
}

static uint32_t addr_low(const void *context, const struct mlv_alloc *a, size_t row)
{
	(void)context;
	(void)row;
	return (uint32_t)a->addr;
}

static uint32_t stack(const void *context, const struct mlv_alloc *a, size_t row)
{
	(void)row;
	return mlv_stack_table_id(context, a->stack);
}

static uint32_t origin(const void *context, const struct mlv_alloc *a, size_t row)
{
	(void)context;
	(void)row;
	return a->origin;
}

static uint32_t class_of(const void *context, const struct mlv_alloc *a, size_t row)
{
	(void)a;
	return ((const struct mlv_classes *)context)->of_alloc[row];
}

static void sizes(struct mlv_pack *pack, const struct mlv_history *h, int64_t *buf)
{
	uint64_t cut = 0;
	for (size_t i = 0; i < h->alloc_count; i++) {
		buf[i] = mlv_page_bytes(h->allocs[i].bytes);
		cut += h->allocs[i].bytes > MLV_PAGE_MOST_BYTES;
	}
	mlv_pack_i64(pack, "size", buf, h->alloc_count);
	mlv_json_key_uint(&pack->meta, "cut", cut);
}

/* What was made while it was recorded has the call site of its stack. */
static void stack_sites(struct mlv_pack *pack, const struct mlv_classes *sites,
			const struct mlv_stack_table *t, uint32_t *buf)
{
	const struct mlv_history *h = sites->h;
	size_t n = t->stacks + 2;
	memset(buf, 0xff, n * sizeof(*buf));
	for (size_t i = h->initial; i < h->alloc_count; i++)
		buf[mlv_stack_table_id(t, h->allocs[i].stack)] = sites->of_alloc[i];
	mlv_pack_u32(pack, "stack_site", buf, n);
}

enum mlv_rc mlv_memory_rows_allocs(struct mlv_pack *pack, const struct mlv_history *h,
				   const struct mlv_classes *sites, const struct mlv_stack_table *t,
				   struct mlv_err *err)
{
	size_t n = h->alloc_count, most = n > t->stacks + 2 ? n : t->stacks + 2;
	int64_t *wide = calloc(most, sizeof(*wide));
	if (!wide)
		return mlv_err_nomem(err);
	sizes(pack, h, wide);
	free(wide);
	uint32_t *buf = malloc(most * sizeof(*buf));
	if (!buf)
		return mlv_err_nomem(err);
	column(pack, "born", h, h->initial, n, born, NULL, buf);
	column(pack, "asked", h, 0, n, asked, NULL, buf);
	column(pack, "ended", h, 0, n, ended, NULL, buf);
	column(pack, "addr_high", h, 0, n, addr_high, NULL, buf);
	column(pack, "addr_low", h, 0, n, addr_low, NULL, buf);
	column(pack, "stack", h, 0, n, stack, t, buf);
	column(pack, "origin", h, 0, h->initial, origin, NULL, buf);
	column(pack, "first_site", h, 0, h->initial, class_of, sites, buf);
	stack_sites(pack, sites, t, buf);
	free(buf);
	return MLV_OK;
}
