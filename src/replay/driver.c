/* SPDX-License-Identifier: MIT */
#include "replay/driver.h"

#include "replay/conf.h"

#define CHUNK_STEP (32 * MLV_MIB)
#define PIECE_STEP (2 * MLV_MIB)

/* Where the first addresses of a process lie is of no importance, only how they follow. */
#define FIRST_ADDRESS (UINT64_C(1) << 61)
#define RANGES_ADDRESS (UINT64_C(1) << 62)
/* 1.125 times the memory of a large device; no program maps more. */
#define RANGE_BYTES (UINT64_C(1) << 42)

/* What a fresh process has: free rests in the chunks of its context, and chunks below those. */
enum { CONTEXT_REST = 2, CONTEXT_OTHER = 74, CONTEXT_OTHER_BYTES = 24, CONTEXT_BELOW = 414 };

static uint64_t up_to(uint64_t n, uint64_t step)
{
	return n / step * step + (n % step ? step : 0);
}

/* ---- rests and holes: intervals in a set, found by both of their ends ---- */

static bool add(struct mlv_driver *d, struct mlv_block_set *set, uint64_t chunk, uint64_t addr,
		uint64_t bytes)
{
	mlv_blockid id = mlv_block_new(&d->rows);
	if (!id || !mlv_map_set(&d->starts, addr, id) || !mlv_map_set(&d->ends, addr + bytes, id)) {
		d->no_memory = true;
		return false;
	}
	struct mlv_cache_block *b = mlv_block_at(&d->rows, id);
	b->addr = addr;
	b->size = bytes;
	b->stream = chunk;
	mlv_block_set_insert(&d->rows, set, id);
	return true;
}

static void drop(struct mlv_driver *d, struct mlv_block_set *set, mlv_blockid id)
{
	const struct mlv_cache_block *b = mlv_block_at(&d->rows, id);
	mlv_map_remove(&d->starts, mlv_map_find(&d->starts, b->addr));
	mlv_map_remove(&d->ends, mlv_map_find(&d->ends, b->addr + b->size));
	mlv_block_set_remove(&d->rows, set, id);
	mlv_block_drop(&d->rows, id);
}

/* Add [addr, addr + bytes), joined with its neighbours of the same chunk. */
static bool add_joined(struct mlv_driver *d, struct mlv_block_set *set, uint64_t chunk,
		       uint64_t addr, uint64_t bytes)
{
	struct mlv_map_slot *slot = mlv_map_find(&d->ends, addr);
	if (slot && mlv_block_at(&d->rows, slot->value)->stream == chunk) {
		mlv_blockid id = slot->value;
		addr -= mlv_block_at(&d->rows, id)->size;
		bytes += mlv_block_at(&d->rows, id)->size;
		drop(d, set, id);
	}
	slot = mlv_map_find(&d->starts, addr + bytes);
	if (slot && mlv_block_at(&d->rows, slot->value)->stream == chunk) {
		mlv_blockid id = slot->value;
		bytes += mlv_block_at(&d->rows, id)->size;
		drop(d, set, id);
	}
	return add(d, set, chunk, addr, bytes);
}

/* Holes are of no chunk. */
#define NO_CHUNK UINT64_MAX

/* ---- the newest chunk with a rest of at least so many bytes ---- */

static bool grow_tree(struct mlv_driver *d)
{
	size_t leaves = d->leaves ? 2 * d->leaves : 64;
	MLV_VEC(uint64_t) tree = { 0 };
	if (!mlv_vec_room(&tree, 2 * leaves))
		return false;
	tree.len = 2 * leaves;
	for (size_t i = 0; i < tree.len; i++)
		tree.data[i] = 0;
	for (size_t i = 0; i < d->leaves; i++)
		tree.data[leaves + i] = d->largest.data[d->leaves + i];
	for (size_t i = leaves - 1; i; i--)
		tree.data[i] = tree.data[2 * i] > tree.data[2 * i + 1] ? tree.data[2 * i]
								       : tree.data[2 * i + 1];
	mlv_vec_free(&d->largest);
	d->largest.data = tree.data;
	d->largest.len = tree.len;
	d->largest.cap = tree.cap;
	d->leaves = leaves;
	return true;
}

static void refresh(struct mlv_driver *d, size_t chunk)
{
	mlv_blockid id = mlv_block_set_before(&d->rows, &d->rests,
					      (struct mlv_block_key){ chunk + 1, 0, 0, 0 });
	const struct mlv_cache_block *b = mlv_block_at(&d->rows, id);
	uint64_t *tree = d->largest.data;
	size_t i = d->leaves + chunk;
	tree[i] = id && b->stream == chunk ? b->size : 0;
	for (i /= 2; i; i /= 2)
		tree[i] = tree[2 * i] > tree[2 * i + 1] ? tree[2 * i] : tree[2 * i + 1];
}

static bool newest_with(const struct mlv_driver *d, uint64_t bytes, size_t *chunk)
{
	const uint64_t *tree = d->largest.data;
	size_t i = 1;
	if (!d->leaves || tree[1] < bytes)
		return false;
	while (i < d->leaves)
		i = tree[2 * i + 1] >= bytes ? 2 * i + 1 : 2 * i;
	*chunk = i - d->leaves;
	return true;
}

static bool new_chunk(struct mlv_driver *d, uint64_t addr, uint64_t bytes, size_t *chunk)
{
	struct mlv_driver_chunk c = { .addr = addr, .bytes = bytes };
	if ((d->chunks.len == d->leaves && !grow_tree(d)) || !mlv_vec_push(&d->chunks, c)) {
		d->no_memory = true;
		return false;
	}
	*chunk = d->chunks.len - 1;
	return true;
}

/* ---- space for a chunk ---- */

/* The highest hole that has room. The chunks' policy passes over holes that would just be filled.
 */
static uint64_t space_high(struct mlv_driver *d, uint64_t bytes, bool strictly)
{
	struct mlv_block_key key = { NO_CHUNK, 0, UINT64_MAX, UINT32_MAX };
	mlv_blockid id;
	while ((id = mlv_block_set_before(&d->rows, &d->holes, key))) {
		const struct mlv_cache_block *b = mlv_block_at(&d->rows, id);
		uint64_t addr = b->addr, size = b->size;
		if (size > bytes || (!strictly && size == bytes)) {
			drop(d, &d->holes, id);
			if (size > bytes)
				(void)add(d, &d->holes, NO_CHUNK, addr, size - bytes);
			return addr + size - bytes;
		}
		key.addr = addr;
		key.id = id;
	}
	d->lowest -= bytes;
	return d->lowest;
}

/* The lowest hole that has room; `lowest` is then the end of what was ever used. */
static uint64_t space_low(struct mlv_driver *d, uint64_t bytes)
{
	for (mlv_blockid id = mlv_block_set_first(&d->rows, &d->holes); id;
	     id = mlv_block_set_next(&d->rows, &d->holes, id)) {
		const struct mlv_cache_block *b = mlv_block_at(&d->rows, id);
		uint64_t addr = b->addr, size = b->size;
		if (size < bytes)
			continue;
		drop(d, &d->holes, id);
		if (size > bytes)
			(void)add(d, &d->holes, NO_CHUNK, addr + bytes, size - bytes);
		return addr;
	}
	d->lowest += bytes;
	return d->lowest - bytes;
}

static void give_space(struct mlv_driver *d, uint64_t addr, uint64_t bytes)
{
	if (d->profile == MLV_DRIVER_ASCENDING || addr != d->lowest) {
		(void)add_joined(d, &d->holes, NO_CHUNK, addr, bytes);
		return;
	}
	/* It joins the free space below, and so does a hole right above. */
	d->lowest = addr + bytes;
	struct mlv_map_slot *slot = mlv_map_find(&d->starts, d->lowest);
	if (slot && mlv_block_at(&d->rows, slot->value)->stream == NO_CHUNK) {
		mlv_blockid id = slot->value;
		d->lowest += mlv_block_at(&d->rows, id)->size;
		drop(d, &d->holes, id);
	}
}

static uint64_t space(struct mlv_driver *d, uint64_t bytes)
{
	if (d->profile == MLV_DRIVER_ASCENDING)
		return space_low(d, bytes);
	return space_high(d, bytes, d->profile == MLV_DRIVER_CHUNKS);
}

/* ---- pieces ---- */

bool mlv_driver_place(struct mlv_driver *d, uint64_t bytes, uint64_t *addr)
{
	size_t chunk;
	bytes = up_to(bytes, PIECE_STEP);
	if (!newest_with(d, bytes, &chunk)) {
		uint64_t whole = d->profile == MLV_DRIVER_CHUNKS ? up_to(bytes, CHUNK_STEP) : bytes;
		uint64_t at = space(d, whole);
		if (!new_chunk(d, at, whole, &chunk) || !add(d, &d->rests, chunk, at, whole))
			return false;
	}
	mlv_blockid id = mlv_block_set_from(&d->rows, &d->rests,
					    (struct mlv_block_key){ chunk, bytes, 0, 0 });
	const struct mlv_cache_block *b = mlv_block_at(&d->rows, id);
	uint64_t at = b->addr, size = b->size;
	drop(d, &d->rests, id);
	if (size > bytes && !add(d, &d->rests, chunk, at + bytes, size - bytes))
		return false;
	refresh(d, chunk);
	d->chunks.data[chunk].used += bytes;
	*addr = at;
	if (mlv_map_set(&d->pieces, at, (uint32_t)chunk))
		return true;
	d->no_memory = true;
	return false;
}

void mlv_driver_remove(struct mlv_driver *d, uint64_t addr, uint64_t bytes)
{
	struct mlv_map_slot *slot = mlv_map_find(&d->pieces, addr);
	if (!slot)
		return;
	size_t chunk = slot->value;
	struct mlv_driver_chunk *c = &d->chunks.data[chunk];
	bytes = up_to(bytes, PIECE_STEP);
	mlv_map_remove(&d->pieces, slot);
	c->used -= bytes < c->used ? bytes : c->used;
	(void)add_joined(d, &d->rests, chunk, addr, bytes);
	if (!c->used && !c->fixed) {
		/* Without pieces its rests have become one. */
		mlv_blockid id = mlv_block_set_from(&d->rows, &d->rests,
						    (struct mlv_block_key){ chunk, 0, 0, 0 });
		drop(d, &d->rests, id);
		give_space(d, c->addr, c->bytes);
	}
	refresh(d, chunk);
}

bool mlv_driver_adopt(struct mlv_driver *d, uint64_t addr, uint64_t bytes)
{
	size_t chunk;
	/* Where it lies is known, and nothing of what is around it: a chunk of its own. */
	bytes = up_to(bytes, PIECE_STEP);
	if (addr < d->adopted || addr + bytes < addr)
		return true;
	d->adopted = addr + bytes;
	if (!new_chunk(d, addr, bytes, &chunk) || !mlv_map_set(&d->pieces, addr, (uint32_t)chunk))
		return false;
	d->chunks.data[chunk].used = bytes;
	return true;
}

static bool context(struct mlv_driver *d)
{
	static const uint64_t rests[][2] = { { CONTEXT_OTHER, CONTEXT_OTHER_BYTES },
					     { 0, CONTEXT_REST } };
	d->lowest = FIRST_ADDRESS;
	if (d->profile != MLV_DRIVER_CHUNKS)
		return true;
	for (size_t i = 0; i < 2; i++) {
		uint64_t addr = FIRST_ADDRESS + rests[i][0] * MLV_MIB;
		uint64_t bytes = rests[i][1] * MLV_MIB;
		size_t chunk;
		if (!new_chunk(d, addr, bytes, &chunk) || !add(d, &d->rests, chunk, addr, bytes))
			return false;
		d->chunks.data[chunk].fixed = true;
		refresh(d, chunk);
	}
	d->lowest = FIRST_ADDRESS - CONTEXT_BELOW * MLV_MIB;
	return true;
}

bool mlv_driver_init(struct mlv_driver *d, enum mlv_driver_profile profile, uint64_t capacity)
{
	*d = (struct mlv_driver){ .profile = profile,
				  .capacity = capacity,
				  .next_range = RANGES_ADDRESS,
				  .range_bytes = RANGE_BYTES,
				  .rests.by_size = true };
	return mlv_blocks_init(&d->rows) && context(d);
}

void mlv_driver_fini(struct mlv_driver *d)
{
	mlv_vec_free(&d->chunks);
	mlv_vec_free(&d->largest);
	mlv_blocks_fini(&d->rows);
	mlv_map_fini(&d->pieces);
	mlv_map_fini(&d->starts);
	mlv_map_fini(&d->ends);
}

/* ---- as what stands below the allocator ---- */

static bool has(const struct mlv_driver *d, uint64_t bytes)
{
	uint64_t total;
	uint64_t most =
		d->capacity && d->capacity < MLV_DEVICE_MOST ? d->capacity : MLV_DEVICE_MOST;
	return !__builtin_add_overflow(d->taken, bytes, &total) && total <= most;
}

static bool backend_alloc(void *state, uint64_t bytes, uint64_t stream, uint64_t *addr)
{
	struct mlv_driver *d = state;
	(void)stream;
	if (!has(d, bytes) || !mlv_driver_place(d, bytes, addr))
		return false;
	d->taken += bytes;
	return true;
}

static void backend_free(void *state, uint64_t addr, uint64_t bytes)
{
	struct mlv_driver *d = state;
	d->taken -= bytes;
	mlv_driver_remove(d, addr, bytes);
}

static bool backend_reserve(void *state, uint64_t granule, uint64_t stream, uint64_t *addr,
			    uint64_t *bytes)
{
	struct mlv_driver *d = state;
	(void)stream;
	*addr = d->next_range;
	*bytes = d->range_bytes / granule * granule;
	d->next_range += d->range_bytes;
	return true;
}

static void backend_release(void *state, uint64_t addr, uint64_t bytes)
{
	(void)state;
	(void)addr;
	(void)bytes;
}

static bool backend_map(void *state, uint64_t addr, uint64_t bytes)
{
	struct mlv_driver *d = state;
	(void)addr;
	if (!has(d, bytes))
		return false;
	d->taken += bytes;
	return true;
}

static void backend_unmap(void *state, uint64_t addr, uint64_t bytes)
{
	struct mlv_driver *d = state;
	(void)addr;
	d->taken -= bytes;
}

struct mlv_backend mlv_driver_backend(struct mlv_driver *d)
{
	return (struct mlv_backend){ .state = d,
				     .alloc = backend_alloc,
				     .free = backend_free,
				     .reserve = backend_reserve,
				     .release = backend_release,
				     .map = backend_map,
				     .unmap = backend_unmap };
}

const char *mlv_driver_profile_name(enum mlv_driver_profile profile)
{
	static const char *const names[] = {
		[MLV_DRIVER_CHUNKS] = "chunks-32MiB",
		[MLV_DRIVER_ASCENDING] = "ascending",
		[MLV_DRIVER_DESCENDING] = "descending",
	};
	return names[profile];
}
