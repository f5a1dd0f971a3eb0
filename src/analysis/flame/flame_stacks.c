/* SPDX-License-Identifier: MIT */
#include "analysis/flame/flame_stacks.h"

#include <stdlib.h>
#include <string.h>

bool mlv_flame_stacks_init(struct mlv_flame_stacks *s, const struct mlv_run *run)
{
	size_t n = run->stacks.nodes.len;
	s->run = run;
	s->self = mlv_zeroed(n, sizeof(*s->self));
	s->node = mlv_zeroed(n, sizeof(*s->node));
	s->wanted = mlv_zeroed(n, sizeof(*s->wanted));
	return s->self && s->node && s->wanted;
}

void mlv_flame_stacks_fini(struct mlv_flame_stacks *s)
{
	free(s->self);
	free(s->node);
	free(s->wanted);
	memset(s, 0, sizeof(*s));
}

void mlv_flame_stacks_add(struct mlv_flame_stacks *s, mlv_stackid stack, uint64_t value)
{
	s->wanted[stack.i] = true;
	s->self[stack.i] = mlv_flame_plus(s->self[stack.i], value);
}

bool mlv_flame_stacks_place(struct mlv_flame_stacks *s, struct mlv_flame *f, uint32_t below)
{
	const struct mlv_stacks *stacks = &s->run->stacks;
	const uint32_t first = MLV_STACK_EMPTY.i + 1;
	size_t n = stacks->nodes.len;
	for (size_t i = n; i-- > first;) {
		if (s->wanted[i])
			s->wanted[stacks->nodes.data[i].caller.i] = true;
	}
	s->node[MLV_STACK_EMPTY.i] = below;
	for (uint32_t i = first; i < n; i++) {
		if (!s->wanted[i])
			continue;
		const struct mlv_frame *frame = mlv_stack_frame(stacks, (mlv_stackid){ i });
		uint32_t caller = s->node[stacks->nodes.data[i].caller.i];
		if (!mlv_flame_child(f, caller, MLV_FLAME_FRAME,
				     mlv_run_str(s->run, frame->function),
				     mlv_run_str(s->run, frame->file), frame->line, &s->node[i]))
			return false;
		mlv_flame_weigh(f, s->node[i], s->self[i]);
	}
	return true;
}
