/* SPDX-License-Identifier: MIT */
#include "replay/block_set.h"

#include <string.h>

bool mlv_blocks_init(struct mlv_blocks *b)
{
	/* The priorities shape the tree, never an answer: any start will do. */
	*b = (struct mlv_blocks){ .random = 0x9e3779b9 };
	return mlv_vec_push(&b->rows, ((struct mlv_cache_block){ 0 }));
}

void mlv_blocks_fini(struct mlv_blocks *b)
{
	mlv_vec_free(&b->rows);
}

static uint32_t random_next(struct mlv_blocks *b)
{
	b->random ^= b->random << 13;
	b->random ^= b->random >> 17;
	b->random ^= b->random << 5;
	return b->random;
}

mlv_blockid mlv_block_new(struct mlv_blocks *b)
{
	mlv_blockid id = b->spare;
	if (id) {
		b->spare = b->rows.data[id].next;
	} else {
		if (b->rows.len >= UINT32_MAX ||
		    !mlv_vec_push(&b->rows, ((struct mlv_cache_block){ 0 })))
			return 0;
		id = (mlv_blockid)(b->rows.len - 1);
	}
	b->rows.data[id] =
		(struct mlv_cache_block){ .range = MLV_NO_RANGE, .priority = random_next(b) };
	return id;
}

void mlv_block_drop(struct mlv_blocks *b, mlv_blockid id)
{
	b->rows.data[id].next = b->spare;
	b->spare = id;
}

static struct mlv_block_key key_of(const struct mlv_blocks *b, mlv_blockid id)
{
	const struct mlv_cache_block *row = &b->rows.data[id];
	return (struct mlv_block_key){ row->stream, row->size, row->addr, id };
}

/* Blocks of a damaged recording may share an address: the last word is that of their ids. */
static bool less(const struct mlv_blocks *blocks, mlv_blockid id, const struct mlv_block_key *key,
		 bool by_size)
{
	const struct mlv_cache_block *b = &blocks->rows.data[id];
	if (b->stream != key->stream)
		return b->stream < key->stream;
	if (by_size && b->size != key->size)
		return b->size < key->size;
	return b->addr != key->addr ? b->addr < key->addr : id < key->id;
}

void mlv_block_set_insert(struct mlv_blocks *b, struct mlv_block_set *s, mlv_blockid id)
{
	struct mlv_cache_block *rows = b->rows.data, *node = &rows[id];
	struct mlv_block_key key = key_of(b, id);
	mlv_blockid *at = &s->root;
	while (*at && rows[*at].priority >= node->priority)
		at = less(b, *at, &key, s->by_size) ? &rows[*at].right : &rows[*at].left;
	/* Split what hangs here into what is less and what is not. */
	mlv_blockid *lower = &node->left, *upper = &node->right, rest = *at;
	*at = id;
	while (rest) {
		if (less(b, rest, &key, s->by_size)) {
			*lower = rest;
			lower = &rows[rest].right;
			rest = *lower;
		} else {
			*upper = rest;
			upper = &rows[rest].left;
			rest = *upper;
		}
	}
	*lower = *upper = 0;
}

void mlv_block_set_remove(struct mlv_blocks *b, struct mlv_block_set *s, mlv_blockid id)
{
	struct mlv_cache_block *rows = b->rows.data;
	struct mlv_block_key key = key_of(b, id);
	mlv_blockid *at = &s->root;
	while (*at != id)
		at = less(b, *at, &key, s->by_size) ? &rows[*at].right : &rows[*at].left;
	mlv_blockid lower = rows[id].left, upper = rows[id].right;
	while (lower && upper) {
		if (rows[lower].priority >= rows[upper].priority) {
			*at = lower;
			at = &rows[lower].right;
			lower = *at;
		} else {
			*at = upper;
			at = &rows[upper].left;
			upper = *at;
		}
	}
	*at = lower ? lower : upper;
	rows[id].left = rows[id].right = 0;
}

mlv_blockid mlv_block_set_from(const struct mlv_blocks *b, const struct mlv_block_set *s,
			       struct mlv_block_key key)
{
	mlv_blockid at = s->root, found = 0;
	while (at) {
		const struct mlv_cache_block *n = &b->rows.data[at];
		if (less(b, at, &key, s->by_size)) {
			at = n->right;
		} else {
			found = at;
			at = n->left;
		}
	}
	return found;
}

mlv_blockid mlv_block_set_before(const struct mlv_blocks *b, const struct mlv_block_set *s,
				 struct mlv_block_key key)
{
	mlv_blockid at = s->root, found = 0;
	while (at) {
		const struct mlv_cache_block *n = &b->rows.data[at];
		if (less(b, at, &key, s->by_size)) {
			found = at;
			at = n->right;
		} else {
			at = n->left;
		}
	}
	return found;
}

mlv_blockid mlv_block_set_holding(const struct mlv_blocks *b, const struct mlv_block_set *s,
				  uint64_t addr)
{
	mlv_blockid id =
		mlv_block_set_before(b, s, (struct mlv_block_key){ 0, 0, addr, UINT32_MAX });
	const struct mlv_cache_block *row = mlv_block_at(b, id);
	return id && addr - row->addr < row->size ? id : 0;
}

mlv_blockid mlv_block_set_next(const struct mlv_blocks *b, const struct mlv_block_set *s,
			       mlv_blockid id)
{
	struct mlv_block_key key = key_of(b, id);
	key.id++;
	return mlv_block_set_from(b, s, key);
}

mlv_blockid mlv_block_set_first(const struct mlv_blocks *b, const struct mlv_block_set *s)
{
	mlv_blockid at = s->root;
	while (at && b->rows.data[at].left)
		at = b->rows.data[at].left;
	return at;
}

mlv_blockid mlv_block_set_last(const struct mlv_blocks *b, const struct mlv_block_set *s)
{
	mlv_blockid at = s->root;
	while (at && b->rows.data[at].right)
		at = b->rows.data[at].right;
	return at;
}
