/* SPDX-License-Identifier: MIT */
/* Memory as a flame graph: allocations by the stack that made them. */
#include "analysis/flame/flame_stacks.h"

/* What stands for a stack where there is none; the words are those of call sites. */
enum none { NO_PYTHON, NOT_RECORDED, BEFORE, NONES };

static const struct mlv_str none_names[] = {
	MLV_STR_INIT("no Python frame"),
	MLV_STR_INIT("stack not recorded"),
	MLV_STR_INIT("older than the recording"),
};

/* The stack of an orphan is that of its free, and tells nothing of its making. */
static enum none none_of(const struct mlv_alloc *a)
{
	if (a->origin == MLV_ALLOC_ORPHAN_FREE || a->origin == MLV_ALLOC_COUNTED)
		return BEFORE;
	if (mlv_stack_has_frame(a->stack))
		return NONES;
	if (a->origin == MLV_ALLOC_FINAL_BLOCK)
		return BEFORE;
	return a->stack.i == MLV_STACK_NONE.i ? NOT_RECORDED : NO_PYTHON;
}

struct sums {
	struct mlv_flame_stacks stacks;
	uint64_t none[NONES], rows;
};

static void add(struct sums *s, const struct mlv_alloc *a)
{
	enum none none = none_of(a);
	s->rows++;
	if (none != NONES)
		s->none[none] = mlv_flame_plus(s->none[none], a->bytes);
	else
		mlv_flame_stacks_add(&s->stacks, a->stack, a->bytes);
}

static bool place(struct sums *s, struct mlv_flame *f, uint32_t below)
{
	bool ok = mlv_flame_stacks_place(&s->stacks, f, below);
	for (int i = 0; ok && i < NONES; i++) {
		uint32_t node;
		if (!s->none[i])
			continue;
		ok = mlv_flame_child(f, below, MLV_FLAME_NONE, none_names[i], MLV_STR(""), 0,
				     &node);
		if (ok)
			mlv_flame_weigh(f, node, s->none[i]);
	}
	f->rows += s->rows;
	return ok;
}

enum mlv_rc mlv_flame_alive(struct mlv_flame *f, uint32_t below, const struct mlv_history *h,
			    int64_t e, struct mlv_err *err)
{
	struct sums s = { 0 };
	bool ok = mlv_flame_stacks_init(&s.stacks, h->run);
	for (size_t i = 0; ok && i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		if (a->born != MLV_NEVER && (int64_t)a->born > e)
			break; /* allocations stand in the order of birth */
		if (a->died == MLV_NEVER || (int64_t)a->died > e)
			add(&s, a);
	}
	ok = ok && place(&s, f, below);
	mlv_flame_stacks_fini(&s.stacks);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

enum mlv_rc mlv_flame_allocated(struct mlv_flame *f, uint32_t below, const struct mlv_history *h,
				struct mlv_err *err)
{
	struct sums s = { 0 };
	bool ok = mlv_flame_stacks_init(&s.stacks, h->run);
	for (size_t i = h->initial; ok && i < h->alloc_count; i++)
		add(&s, &h->allocs[i]);
	ok = ok && place(&s, f, below);
	mlv_flame_stacks_fini(&s.stacks);
	return ok ? MLV_OK : mlv_err_nomem(err);
}
