/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_FLAME_FLAME_STACKS_H
#define MLV_ANALYSIS_FLAME_FLAME_STACKS_H
/*
 * From the stacks of a run to nodes of a flame graph. The stacks of a run are
 * a tree already, with callers before those whom they call, so two passes over
 * it suffice: up, to learn which nodes have weight above them, and down, to
 * find or add each of these once.
 */
#include "analysis/flame/flame.h"

struct mlv_flame_stacks {
	const struct mlv_run *run; /* borrowed */
	uint64_t *self;            /* what each stack accounts for by itself */
	uint32_t *node;            /* once placed; of stacks without weight, MLV_FLAME_NO_NODE */
	bool *wanted;              /* has weight, or is a caller of one that has */
};

/* False when memory runs out; `fini` takes what is half done. */
bool mlv_flame_stacks_init(struct mlv_flame_stacks *s, const struct mlv_run *run);
void mlv_flame_stacks_fini(struct mlv_flame_stacks *s);

/* A stack is to have a node, and accounts for `value` more. */
void mlv_flame_stacks_add(struct mlv_flame_stacks *s, mlv_stackid stack, uint64_t value);

/* Find or add the nodes below `below`, and give them their weight. False when memory runs out. */
bool mlv_flame_stacks_place(struct mlv_flame_stacks *s, struct mlv_flame *f, uint32_t below);

#endif
