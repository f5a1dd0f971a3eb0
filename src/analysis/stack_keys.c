/* SPDX-License-Identifier: MIT */
#include "analysis/stack_keys.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analysis/callsite.h"

/* ------------------------------------------------------------------ names of files */

/* What stands behind the last `mark` in the path; an empty string if it is not there. */
static struct mlv_str behind(struct mlv_str path, struct mlv_str mark)
{
	for (size_t end = path.n; end >= mark.n && mark.n; end--) {
		if (memcmp(path.p + end - mark.n, mark.p, mark.n) == 0)
			return (struct mlv_str){ path.p + end, path.n - end };
	}
	return (struct mlv_str){ "", 0 };
}

struct mlv_str mlv_package_path(struct mlv_str file)
{
	static const struct mlv_str roots[] = { MLV_STR_INIT("-packages/"),
						MLV_STR_INIT("/pytorch/") };
	static const struct mlv_str torch = MLV_STR_INIT("torch/");
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		struct mlv_str rest = behind(file, roots[i]);
		if (rest.n && (i == 0 || mlv_str_has_prefix(rest, torch)))
			return rest;
	}
	if (mlv_str_has_prefix(file, torch))
		return file;
	/* Code that is generated gets a new name each time. */
	if (mlv_str_contains(file, MLV_STR("torchinductor_")))
		return MLV_STR("torchinductor");
	if (mlv_str_has_prefix(file, MLV_STR("<eval_with_key>")))
		return MLV_STR("<eval_with_key>");
	return mlv_str_basename(file);
}

/* ------------------------------------------------------------------ wrappers */

struct wrapper_rule {
	enum mlv_wrapper wrapper;
	struct mlv_str path;     /* the beginning of the package path */
	struct mlv_str function; /* empty: any */
};

#define RULE(wrapper, path, function)                                                              \
	{                                                                                          \
		wrapper, MLV_STR_INIT(path), MLV_STR_INIT(function)                                \
	}

/* The first that fits counts. */
static const struct wrapper_rule rules[] = {
	RULE(MLV_WRAP_CHECKPOINT, "torch/utils/checkpoint.py", ""),
	RULE(MLV_WRAP_CHECKPOINT, "torch/distributed/algorithms/_checkpoint/", ""),
	RULE(MLV_WRAP_CHECKPOINT, "fairscale/nn/checkpoint/", ""),
	RULE(MLV_WRAP_CHECKPOINT, "deepspeed/runtime/activation_checkpointing/", ""),
	/* Guards against compiling pass by here too, in programs that compile nothing. */
	RULE(MLV_WRAP_CALLS, "torch/_compile.py", ""),
	RULE(MLV_WRAP_CALLS, "torch/_dynamo/eval_frame.py", "_fn"),
	RULE(MLV_WRAP_COMPILE, "torch/_dynamo/", ""),
	RULE(MLV_WRAP_COMPILE, "torch/_functorch/", ""),
	RULE(MLV_WRAP_COMPILE, "torch/_inductor/", ""),
	RULE(MLV_WRAP_COMPILE, "torchinductor", ""),
	RULE(MLV_WRAP_DDP, "torch/nn/parallel/", ""),
	RULE(MLV_WRAP_FSDP, "torch/distributed/fsdp/", ""),
	RULE(MLV_WRAP_FSDP, "torch/distributed/_composable/", ""),
	RULE(MLV_WRAP_DEEPSPEED, "deepspeed/", ""),
	RULE(MLV_WRAP_PRECISION, "torch/amp/", ""),
	RULE(MLV_WRAP_PRECISION, "accelerate/utils/operations.py", ""),
	RULE(MLV_WRAP_CALLS, "torch/nn/modules/module.py", "_call_impl"),
	RULE(MLV_WRAP_CALLS, "torch/nn/modules/module.py", "_wrapped_call_impl"),
	RULE(MLV_WRAP_CALLS, "torch/nn/modules/module.py", "inner"),
	RULE(MLV_WRAP_CALLS, "transformers/modeling_layers.py", "__call__"),
	RULE(MLV_WRAP_CALLS, "torch/utils/_contextlib.py", ""),
	RULE(MLV_WRAP_CALLS, "contextlib.py", ""),
};

const char *mlv_wrapper_name(enum mlv_wrapper w)
{
	static const char *const names[MLV_WRAPPERS] = {
		[MLV_WRAP_CHECKPOINT] = "activation checkpointing",
		[MLV_WRAP_COMPILE] = "torch.compile",
		[MLV_WRAP_DDP] = "DistributedDataParallel",
		[MLV_WRAP_FSDP] = "FSDP",
		[MLV_WRAP_DEEPSPEED] = "DeepSpeed",
		[MLV_WRAP_PRECISION] = "mixed precision",
		[MLV_WRAP_CALLS] = "module calls",
	};
	return names[w];
}

static uint8_t wrapper_of(struct mlv_str path, struct mlv_str function)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (mlv_str_has_prefix(path, rules[i].path) &&
		    (!rules[i].function.n || mlv_str_eq(function, rules[i].function)))
			return (uint8_t)(1 + (unsigned)rules[i].wrapper);
	}
	return 0;
}

/* ------------------------------------------------------------------ keys */

enum { WITH_LINES, WITHOUT_LINES };

static void frame_keys(struct mlv_stack_keys *k, size_t i)
{
	const struct mlv_frame *f = &k->run->stacks.frames.data[i];
	struct mlv_str path = mlv_package_path(mlv_run_str(k->run, f->file));
	struct mlv_str function = mlv_run_str(k->run, f->function);
	uint64_t key = XXH3_64bits_withSeed(path.p, path.n, XXH3_64bits(function.p, function.n));
	k->frames[WITHOUT_LINES][i] = key;
	k->frames[WITH_LINES][i] = XXH3_64bits_withSeed(&f->line, sizeof(f->line), key);
	k->wrapper_of[i] = wrapper_of(path, function);
	k->callers[i] = mlv_file_is_callers(mlv_run_str(k->run, f->file));
}

static uint64_t called_from(uint64_t frame, uint64_t caller)
{
	return XXH3_64bits_withSeed(&frame, sizeof(frame), caller);
}

/* A node comes after its caller, so one pass knows all that it needs. */
static void node_keys(struct mlv_stack_keys *k, uint32_t i)
{
	const struct mlv_stack_node *node = &k->run->stacks.nodes.data[i];
	uint32_t frame = node->frame.i, caller = node->caller.i;
	uint8_t wrapper = k->wrapper_of[frame];
	for (unsigned lines = 0; lines < 2; lines++) {
		uint64_t own = k->frames[lines][frame];
		uint64_t bare = k->nodes[1][lines][caller];
		k->nodes[0][lines][i] = called_from(own, k->nodes[0][lines][caller]);
		k->nodes[1][lines][i] = wrapper ? bare : called_from(own, bare);
	}
	k->wrappers[i] = (uint16_t)(k->wrappers[caller] | (wrapper ? 1u << (wrapper - 1) : 0));
}

static bool make_room(struct mlv_stack_keys *k)
{
	size_t nodes = k->run->stacks.nodes.len + 2, frames = k->run->stacks.frames.len + 1;
	bool ok = true;
	k->wrappers = mlv_zeroed(nodes, sizeof(*k->wrappers));
	k->wrapper_of = mlv_zeroed(frames, sizeof(*k->wrapper_of));
	k->callers = mlv_zeroed(frames, sizeof(*k->callers));
	for (unsigned i = 0; i < 2; i++) {
		k->frames[i] = mlv_zeroed(frames, sizeof(*k->frames[i]));
		ok = ok && k->frames[i];
		for (unsigned lines = 0; lines < 2; lines++) {
			k->nodes[i][lines] = mlv_zeroed(nodes, sizeof(*k->nodes[i][lines]));
			ok = ok && k->nodes[i][lines];
		}
	}
	return ok && k->wrappers && k->wrapper_of && k->callers;
}

enum mlv_rc mlv_stack_keys_init(struct mlv_stack_keys *k, const struct mlv_run *run,
				struct mlv_err *err)
{
	*k = (struct mlv_stack_keys){ .run = run };
	if (!make_room(k)) {
		mlv_stack_keys_fini(k);
		return mlv_err_nomem(err);
	}
	for (size_t i = 0; i < run->stacks.frames.len; i++)
		frame_keys(k, i);
	for (unsigned i = 0; i < 4; i++)
		k->nodes[i / 2][i % 2][MLV_STACK_EMPTY.i] = 1;
	for (uint32_t i = MLV_STACK_EMPTY.i + 1; i < run->stacks.nodes.len; i++)
		node_keys(k, i);
	return MLV_OK;
}

void mlv_stack_keys_fini(struct mlv_stack_keys *k)
{
	for (unsigned i = 0; i < 2; i++) {
		free(k->frames[i]);
		free(k->nodes[i][0]);
		free(k->nodes[i][1]);
	}
	free(k->wrapper_of);
	free(k->callers);
	free(k->wrappers);
	*k = (struct mlv_stack_keys){ 0 };
}

/* All frames, or those that do not wrap: but the innermost allocates, and passes nothing on. */
static uint64_t whole_key(const struct mlv_stack_keys *k, mlv_stackid stack, bool bare,
			  unsigned lines)
{
	if (!bare || !mlv_stack_has_frame(stack))
		return k->nodes[bare][lines][stack.i];
	const struct mlv_stack_node *node = &k->run->stacks.nodes.data[stack.i];
	return called_from(k->frames[lines][node->frame.i], k->nodes[1][lines][node->caller.i]);
}

/* Whether a frame counts that is not the innermost one. */
static bool counts(const struct mlv_stack_keys *k, mlv_stackid id, bool bare)
{
	return !bare || !k->wrapper_of[k->run->stacks.nodes.data[id.i].frame.i];
}

static uint64_t inner_key(const struct mlv_stack_keys *k, mlv_stackid stack, bool bare)
{
	const struct mlv_stacks *s = &k->run->stacks;
	uint64_t key = whole_key(k, stack, bare, WITHOUT_LINES);
	bool last = false;
	for (mlv_stackid id = stack; mlv_stack_has_frame(id) && !last;
	     id = mlv_stack_caller(s, id)) {
		uint32_t frame = s->nodes.data[id.i].frame.i;
		last = k->callers[frame];
		if (id.i == stack.i || counts(k, id, bare))
			key = called_from(s->frames.data[frame].line, key);
	}
	return key;
}

uint64_t mlv_stack_key(const struct mlv_stack_keys *k, mlv_stackid stack,
		       enum mlv_stack_level level)
{
	bool bare = mlv_level_is_bare(level);
	switch (level) {
	case MLV_LEVEL_LINES:
	case MLV_LEVEL_BARE_LINES:
		return whole_key(k, stack, bare, WITH_LINES);
	case MLV_LEVEL_INNER:
	case MLV_LEVEL_BARE_INNER:
		return inner_key(k, stack, bare);
	default:
		return whole_key(k, stack, bare, WITHOUT_LINES);
	}
}

/* The next frame outwards that counts. */
static mlv_stackid next(const struct mlv_stack_keys *k, mlv_stackid id, bool bare)
{
	do {
		id = mlv_stack_caller(&k->run->stacks, id);
	} while (mlv_stack_has_frame(id) && !counts(k, id, bare));
	return id;
}

int mlv_stack_lines_cmp(const struct mlv_stack_keys *a, mlv_stackid x,
			const struct mlv_stack_keys *b, mlv_stackid y, bool bare)
{
	while (mlv_stack_has_frame(x) && mlv_stack_has_frame(y)) {
		uint32_t p = mlv_stack_frame(&a->run->stacks, x)->line;
		uint32_t q = mlv_stack_frame(&b->run->stacks, y)->line;
		if (p != q)
			return p < q ? -1 : 1;
		x = next(a, x, bare);
		y = next(b, y, bare);
	}
	return 0;
}

unsigned mlv_stack_wrappers(const struct mlv_stack_keys *k, mlv_stackid stack)
{
	return k->wrappers[stack.i] & ~(1u << MLV_WRAP_CALLS);
}
