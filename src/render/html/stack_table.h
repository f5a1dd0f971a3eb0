/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_HTML_STACK_TABLE_H
#define MLV_RENDER_HTML_STACK_TABLE_H
/*
 * The stacks, frames and texts that a pack refers to, numbered anew so that
 * only those travel. First every stack and text in use is named, then the
 * numbers are given, then they can be asked for and the tables written:
 *
 *   meta   "texts": [function, file and other names]
 *   column frame_function, frame_file (texts), frame_line, frame_owner (callsite.h)
 *   column node_frame, node_caller: stack 2 + row; its caller is a stack
 *
 * Stack 0 was not recorded, stack 1 has no frame, as in model/stack.h.
 */
#include "analysis/callsite.h"
#include "render/html/pack.h"

struct mlv_stack_table {
	const struct mlv_run *run; /* borrowed */
	/* New number of each stack and frame of the run; before they are given, whether it is used.
	 */
	uint32_t *stack, *frame;
	size_t stacks, frames;
	struct mlv_map text_ids;
	MLV_VEC(mlv_strid) texts;
	bool failed; /* memory ran out; told at the end */
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_stack_table_init(struct mlv_stack_table *t, const struct mlv_run *run,
				 struct mlv_err *err);
void mlv_stack_table_fini(struct mlv_stack_table *t);

void mlv_stack_table_use(struct mlv_stack_table *t, mlv_stackid stack);
/* The number of a text; may be asked at any time before the tables are written. */
uint32_t mlv_stack_table_text(struct mlv_stack_table *t, mlv_strid text);

/* Numbers those that were used. */
void mlv_stack_table_number(struct mlv_stack_table *t);
static inline uint32_t mlv_stack_table_id(const struct mlv_stack_table *t, mlv_stackid stack)
{
	return t->stack[stack.i];
}

/* Fails with MLV_E_NOMEM, also if memory ran out above. */
enum mlv_rc mlv_stack_table_write(struct mlv_stack_table *t, const struct mlv_sites *sites,
				  struct mlv_pack *pack, struct mlv_err *err);

#endif
