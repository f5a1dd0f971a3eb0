/* SPDX-License-Identifier: MIT */
#include "analysis/growth/stack_marks.h"

#include <stdlib.h>
#include <string.h>

/* A row fits a frame when both texts are in it; NULL fits any. */
static const struct {
	const char *function, *file;
	uint8_t marks;
} rows[] = {
	{ NULL, "torch/optim/", MLV_MARK_OPTIMIZER },
	{ NULL, "/optimizers/", MLV_MARK_OPTIMIZER },
	{ NULL, "bitsandbytes/optim/", MLV_MARK_OPTIMIZER },
	{ "backward", "torch/", MLV_MARK_BACKWARD },
	{ "backward", "torch/autograd/", MLV_MARK_BACKWARD },
	{ "_engine_run_backward", NULL, MLV_MARK_BACKWARD },
	{ "torch::autograd::Engine", NULL, MLV_MARK_BACKWARD },
	{ "_call_impl", "torch/nn/modules/module.py", MLV_MARK_MODULE_CALL },
	{ "__init__", "torch/nn/modules/", MLV_MARK_MODULE_MAKE },
	{ "__init__", "torch/nn/parallel/", MLV_MARK_MODULE_MAKE },
	{ "_apply", "torch/nn/modules/module.py", MLV_MARK_MODULE_MAKE },
	{ "from_pretrained", NULL, MLV_MARK_MODULE_MAKE },
	{ "fully_shard", NULL, MLV_MARK_MODULE_MAKE },
	{ "update", "cache_utils.py", MLV_MARK_CACHE },
	{ "lazy_initialization", "cache_utils.py", MLV_MARK_CACHE },
	{ "kv_cache", NULL, MLV_MARK_CACHE },
	{ NULL, "kv_cache", MLV_MARK_CACHE },
	{ "Workspace", NULL, MLV_MARK_WORKSPACE },
};

static bool has(struct mlv_str s, const char *text)
{
	return !text || mlv_str_contains(s, (struct mlv_str){ text, strlen(text) });
}

static uint8_t marks_of(const struct mlv_run *run, const struct mlv_frame *f)
{
	struct mlv_str function = mlv_run_str(run, f->function), file = mlv_run_str(run, f->file);
	uint8_t marks = mlv_str_has_suffix(file, MLV_STR(".py")) ? MLV_MARK_PYTHON : 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (has(function, rows[i].function) && has(file, rows[i].file))
			marks |= rows[i].marks;
	}
	return marks;
}

enum mlv_rc mlv_stack_marks_init(struct mlv_stack_marks *m, const struct mlv_run *run,
				 struct mlv_err *err)
{
	const struct mlv_stacks *s = &run->stacks;
	uint8_t *frames = calloc(s->frames.len + 1, 1);
	m->of = calloc(s->nodes.len + 2, 1);
	if (!frames || !m->of) {
		free(frames);
		mlv_stack_marks_fini(m);
		return mlv_err_nomem(err);
	}
	for (size_t i = 0; i < s->frames.len; i++)
		frames[i] = marks_of(run, &s->frames.data[i]);
	/* Callers stand before those whom they call. */
	for (size_t i = MLV_STACK_EMPTY.i + 1; i < s->nodes.len; i++) {
		const struct mlv_stack_node *n = &s->nodes.data[i];
		m->of[i] = m->of[n->caller.i] | frames[n->frame.i];
	}
	free(frames);
	return MLV_OK;
}

void mlv_stack_marks_fini(struct mlv_stack_marks *m)
{
	free(m->of);
	m->of = NULL;
}
