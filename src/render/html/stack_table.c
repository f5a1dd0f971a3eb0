/* SPDX-License-Identifier: MIT */
#include "render/html/stack_table.h"

#include <stdlib.h>
#include <string.h>

enum { UNUSED, USED };

enum mlv_rc mlv_stack_table_init(struct mlv_stack_table *t, const struct mlv_run *run,
				 struct mlv_err *err)
{
	memset(t, 0, sizeof(*t));
	t->run = run;
	t->stack = calloc(run->stacks.nodes.len + 1, sizeof(*t->stack));
	t->frame = calloc(run->stacks.frames.len + 1, sizeof(*t->frame));
	if (t->stack && t->frame)
		return MLV_OK;
	mlv_stack_table_fini(t);
	return mlv_err_nomem(err);
}

void mlv_stack_table_fini(struct mlv_stack_table *t)
{
	free(t->stack);
	free(t->frame);
	mlv_map_fini(&t->text_ids);
	mlv_vec_free(&t->texts);
	memset(t, 0, sizeof(*t));
}

void mlv_stack_table_use(struct mlv_stack_table *t, mlv_stackid stack)
{
	const struct mlv_stacks *s = &t->run->stacks;
	/* Its callers are in use since the first stack that shares them. */
	for (; mlv_stack_has_frame(stack) && !t->stack[stack.i];
	     stack = mlv_stack_caller(s, stack)) {
		t->stack[stack.i] = USED;
		t->frame[s->nodes.data[stack.i].frame.i] = USED;
	}
}

uint32_t mlv_stack_table_text(struct mlv_stack_table *t, mlv_strid text)
{
	struct mlv_map_slot *slot = mlv_map_find(&t->text_ids, text.i);
	if (slot)
		return slot->value;
	uint32_t id = (uint32_t)t->texts.len;
	if (!mlv_vec_push(&t->texts, text) || !mlv_map_set(&t->text_ids, text.i, id))
		t->failed = true;
	return id;
}

static size_t number(uint32_t *ids, size_t n, uint32_t first)
{
	uint32_t next = first;
	for (size_t i = 0; i < n; i++) {
		if (ids[i] == USED)
			ids[i] = next++;
	}
	return next - first;
}

void mlv_stack_table_number(struct mlv_stack_table *t)
{
	t->frames = number(t->frame, t->run->stacks.frames.len, 0);
	t->stacks = number(t->stack, t->run->stacks.nodes.len, MLV_STACK_EMPTY.i + 1);
	t->stack[MLV_STACK_EMPTY.i] = MLV_STACK_EMPTY.i;
}

/* Callers come before those they called, in the run and hence here: differences stay small. */
static void write_nodes(const struct mlv_stack_table *t, uint32_t *frames, uint32_t *callers,
			struct mlv_pack *pack)
{
	const struct mlv_stacks *s = &t->run->stacks;
	size_t n = 0;
	for (uint32_t i = MLV_STACK_EMPTY.i + 1; i < s->nodes.len; i++) {
		if (t->stack[i] == UNUSED)
			continue;
		frames[n] = t->frame[s->nodes.data[i].frame.i];
		callers[n++] = t->stack[s->nodes.data[i].caller.i];
	}
	mlv_pack_u32(pack, "node_frame", frames, n);
	mlv_pack_u32(pack, "node_caller", callers, n);
}

static void write_frames(struct mlv_stack_table *t, const struct mlv_sites *sites, const bool *used,
			 uint32_t *column, struct mlv_pack *pack)
{
	const struct mlv_stacks *s = &t->run->stacks;
	static const char *const names[] = { "frame_function", "frame_file", "frame_line",
					     "frame_owner" };
	for (int k = 0; k < 4; k++) {
		size_t n = 0;
		for (size_t i = 0; i < s->frames.len; i++) {
			const struct mlv_frame *f = &s->frames.data[i];
			if (!used[i])
				continue;
			column[n++] =
				k == 0   ? mlv_stack_table_text(t, f->function)
				: k == 1 ? mlv_stack_table_text(t, f->file)
				: k == 2 ? f->line
					 : mlv_frame_owner(sites, (mlv_frameid){ (uint32_t)i });
		}
		mlv_pack_u32(pack, names[k], column, n);
	}
}

static void write_texts(const struct mlv_stack_table *t, struct mlv_pack *pack)
{
	mlv_json_key_array(&pack->meta, "texts");
	for (size_t i = 0; i < t->texts.len; i++)
		mlv_json_str(&pack->meta, mlv_run_str(t->run, t->texts.data[i]));
	mlv_json_array_end(&pack->meta);
}

enum mlv_rc mlv_stack_table_write(struct mlv_stack_table *t, const struct mlv_sites *sites,
				  struct mlv_pack *pack, struct mlv_err *err)
{
	const struct mlv_stacks *s = &t->run->stacks;
	size_t most = s->nodes.len > s->frames.len ? s->nodes.len : s->frames.len;
	uint32_t *a = malloc((most + 1) * sizeof(*a)), *b = malloc((most + 1) * sizeof(*b));
	bool *used = calloc(s->frames.len + 1, sizeof(*used));
	bool ok = a && b && used;
	if (ok) {
		write_nodes(t, a, b, pack);
		for (size_t i = 0; i < s->nodes.len; i++) {
			if (t->stack[i] > MLV_STACK_EMPTY.i)
				used[s->nodes.data[i].frame.i] = true;
		}
		write_frames(t, sites, used, a, pack);
		write_texts(t, pack);
	}
	free(a);
	free(b);
	free(used);
	return ok && !t->failed ? MLV_OK : mlv_err_nomem(err);
}
