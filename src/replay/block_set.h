/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_BLOCK_SET_H
#define MLV_REPLAY_BLOCK_SET_H
/*
 * Blocks, and ordered sets of them. A block is an index into one store (0 is
 * none), so that blocks are small, keep their neighbours as indices and cost
 * no allocation each. A set is a treap whose links live in the blocks: a block
 * is in at most one set, as in PyTorch's allocator.
 *
 * Free blocks are ordered by (stream, size, address), unmapped ones by
 * (stream, address); streams compare as the unsigned handles they are.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef uint32_t mlv_blockid; /* 0: none */

enum mlv_cache_state {
	MLV_CACHE_FREE,      /* in its pool's set of free blocks */
	MLV_CACHE_UNMAPPED,  /* addresses of an expandable segment without memory */
	MLV_CACHE_ALLOCATED, /* the program has it */
	MLV_CACHE_PENDING,   /* the program gave it back, a stream still uses it */
};

struct mlv_cache_block {
	uint64_t addr, size; /* bytes of the block */
	uint64_t stream;
	uint64_t requested;     /* by the program; meaningful while allocated or pending */
	mlv_blockid prev, next; /* neighbours by address within the segment */
	mlv_blockid left, right;
	uint32_t priority; /* of the treap */
	uint32_t pool;
	uint32_t range; /* of an expandable segment; MLV_NO_RANGE: of a segment of its own */
	uint32_t calls; /* of its pool, when it became free: its age for garbage collection */
	uint32_t owner; /* the allocation in it, as its user numbers them */
	uint8_t state;  /* enum mlv_cache_state */
};

#define MLV_NO_RANGE UINT32_MAX

struct mlv_blocks {
	MLV_VEC(struct mlv_cache_block) rows;
	mlv_blockid spare; /* those that are not in use, linked by `next` */
	uint32_t random;
};

struct mlv_block_set {
	mlv_blockid root;
	bool by_size;
};

struct mlv_block_key {
	uint64_t stream, size, addr;
	mlv_blockid id; /* 0: before all blocks of that address */
};

bool mlv_blocks_init(struct mlv_blocks *b);
void mlv_blocks_fini(struct mlv_blocks *b);

static inline struct mlv_cache_block *mlv_block_at(const struct mlv_blocks *b, mlv_blockid id)
{
	return &b->rows.data[id];
}

/* A zeroed block, in no set; 0 when memory runs out. Pointers to blocks become invalid. */
mlv_blockid mlv_block_new(struct mlv_blocks *b);
void mlv_block_drop(struct mlv_blocks *b, mlv_blockid id);

/* Its keys must not change while it is in a set. */
void mlv_block_set_insert(struct mlv_blocks *b, struct mlv_block_set *s, mlv_blockid id);
void mlv_block_set_remove(struct mlv_blocks *b, struct mlv_block_set *s, mlv_blockid id);

/* The first block that is not less than the key; 0 if there is none. */
mlv_blockid mlv_block_set_from(const struct mlv_blocks *b, const struct mlv_block_set *s,
			       struct mlv_block_key key);
/* The last block that is less than the key. */
mlv_blockid mlv_block_set_before(const struct mlv_blocks *b, const struct mlv_block_set *s,
				 struct mlv_block_key key);
/* Of a set by address, all of stream 0: the block that holds an address; 0: none. */
mlv_blockid mlv_block_set_holding(const struct mlv_blocks *b, const struct mlv_block_set *s,
				  uint64_t addr);
/* Neighbours in the order of the set; 0 at its ends. */
mlv_blockid mlv_block_set_next(const struct mlv_blocks *b, const struct mlv_block_set *s,
			       mlv_blockid id);
mlv_blockid mlv_block_set_first(const struct mlv_blocks *b, const struct mlv_block_set *s);
mlv_blockid mlv_block_set_last(const struct mlv_blocks *b, const struct mlv_block_set *s);

#endif
