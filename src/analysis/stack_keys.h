/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_STACK_KEYS_H
#define MLV_ANALYSIS_STACK_KEYS_H
/*
 * What tells stacks apart in another run, where ids, addresses and the place
 * of an installation mean nothing. A stack has a key on each of four levels,
 * from strict to lenient, and two stacks of any runs match on a level when
 * their keys are equal. docs/diff.md describes the levels and which frames
 * are wrappers.
 */
#include "base/err.h"
#include "model/run.h"

enum mlv_stack_level {
	MLV_LEVEL_LINES,      /* all frames: package path, function and line */
	MLV_LEVEL_INNER,      /* all functions; lines up to the innermost frame outside PyTorch */
	MLV_LEVEL_FUNCTIONS,  /* all functions */
	MLV_LEVEL_BARE_LINES, /* the same three without the callers that only wrap */
	MLV_LEVEL_BARE_INNER,
	MLV_LEVEL_BARE_FUNCTIONS,
	MLV_LEVELS,
};

static inline bool mlv_level_is_bare(enum mlv_stack_level level)
{
	return level >= MLV_LEVEL_BARE_LINES;
}

/* Frames that pass a call on: what they wrap allocates the same without them. */
enum mlv_wrapper {
	MLV_WRAP_CHECKPOINT,
	MLV_WRAP_COMPILE,
	MLV_WRAP_DDP,
	MLV_WRAP_FSDP,
	MLV_WRAP_DEEPSPEED,
	MLV_WRAP_PRECISION,
	MLV_WRAP_CALLS, /* module hooks, context managers: plumbing of all of these */
	MLV_WRAPPERS,
};

struct mlv_stack_keys {
	const struct mlv_run *run; /* borrowed */
	/* Of each node: with lines and without, of all frames and of those that wrap nothing. */
	uint64_t *nodes[2][2];
	uint64_t *frames[2]; /* of each frame: with its line, without */
	uint8_t *wrapper_of; /* of each frame: 1 + enum mlv_wrapper, 0 */
	bool *callers;       /* of each frame: Python outside PyTorch */
	uint16_t *wrappers;  /* of each node: bits of the wrappers on it */
};

/* MLV_E_NOMEM only. Cost: frames and nodes, however deep the stacks are. */
enum mlv_rc mlv_stack_keys_init(struct mlv_stack_keys *k, const struct mlv_run *run,
				struct mlv_err *err);
void mlv_stack_keys_fini(struct mlv_stack_keys *k);

/* The same in every process: nothing in it is random. */
uint64_t mlv_stack_key(const struct mlv_stack_keys *k, mlv_stackid stack,
		       enum mlv_stack_level level);

/*
 * Order of stacks that have the same functions, by their lines from the inside
 * out: an edit moves lines and keeps their order. `bare`: wrappers do not count.
 */
int mlv_stack_lines_cmp(const struct mlv_stack_keys *a, mlv_stackid x,
			const struct mlv_stack_keys *b, mlv_stackid y, bool bare);

/* Bits of the wrappers among its frames, without the plumbing. */
unsigned mlv_stack_wrappers(const struct mlv_stack_keys *k, mlv_stackid stack);

/* "activation checkpointing", "torch.compile" */
const char *mlv_wrapper_name(enum mlv_wrapper w);

/* A path relative to the package that it is installed in; of other files their name alone. */
struct mlv_str mlv_package_path(struct mlv_str file);

#endif
