/* SPDX-License-Identifier: MIT */
#ifndef MLV_MODEL_STACK_H
#define MLV_MODEL_STACK_H
/*
 * Frames and stacks. Every distinct frame (function, file, line) is kept once,
 * every distinct stack is a node {frame, caller} of one tree, so that a row
 * names its whole stack by 32 bits and stacks that share callers share nodes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/intern.h"

typedef struct {
	uint32_t i;
} mlv_frameid;

typedef struct {
	uint32_t i;
} mlv_stackid;

/* No stack was recorded for this row. */
#define MLV_STACK_NONE ((mlv_stackid){ 0 })
/* A stack was recorded and holds no frame: the recorder saw no Python at that moment. */
#define MLV_STACK_EMPTY ((mlv_stackid){ 1 })

struct mlv_frame {
	mlv_strid function, file;
	uint32_t line;
};

struct mlv_stack_node {
	mlv_frameid frame;  /* the innermost frame of this stack */
	mlv_stackid caller; /* the rest; MLV_STACK_EMPTY at the outermost frame */
};

struct mlv_stacks {
	MLV_VEC(struct mlv_frame) frames;
	MLV_VEC(struct mlv_stack_node) nodes; /* 0 and 1 are the two constants above */
	struct mlv_map frame_ids;             /* hash of the frame -> id */
	struct mlv_map node_ids;              /* (frame, caller) -> id */
	struct mlv_map list_ids;              /* hash of a whole list of frames -> its stack */
	uint64_t seed;                        /* of these hashes: no file knows it */
};

bool mlv_stacks_init(struct mlv_stacks *s);
void mlv_stacks_fini(struct mlv_stacks *s);

/* All three return false when memory runs out. */
bool mlv_frame_intern(struct mlv_stacks *s, struct mlv_frame frame, mlv_frameid *id);
/* The stack in which `frame` was called from `caller`. */
bool mlv_stack_push(struct mlv_stacks *s, mlv_frameid frame, mlv_stackid caller, mlv_stackid *id);
/* The stack of `n` frames, innermost first. */
bool mlv_stack_intern(struct mlv_stacks *s, const mlv_frameid *frames, size_t n, mlv_stackid *id);

/* Walk from the innermost frame outwards: for (; mlv_stack_has_frame(id); id = mlv_stack_caller(s,
 * id)) */
static inline bool mlv_stack_has_frame(mlv_stackid id)
{
	return id.i > MLV_STACK_EMPTY.i;
}

static inline mlv_stackid mlv_stack_caller(const struct mlv_stacks *s, mlv_stackid id)
{
	return s->nodes.data[id.i].caller;
}

static inline const struct mlv_frame *mlv_stack_frame(const struct mlv_stacks *s, mlv_stackid id)
{
	return &s->frames.data[s->nodes.data[id.i].frame.i];
}

#endif
