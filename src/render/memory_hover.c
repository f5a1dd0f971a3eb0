/* SPDX-License-Identifier: MIT */
#include "render/memory_hover.h"

#include <inttypes.h>

#include "base/num.h"

enum { FRAMES = 4 };

static void life(const struct mlv_history *h, const struct mlv_alloc *a, struct mlv_buf *out)
{
	char n[MLV_NUM_SIZE], t[MLV_NUM_SIZE];
	if (a->born == MLV_NEVER)
		mlv_buf_puts(out, "\nalive before the recording");
	else
		mlv_buf_printf(out, "\nfrom event %s", mlv_fmt_count(n, sizeof(n), a->born));
	if (a->died == MLV_NEVER)
		mlv_buf_puts(out, ", alive at the end");
	else
		mlv_buf_printf(out, " to %s", mlv_fmt_count(n, sizeof(n), a->died));
	if (a->born == MLV_NEVER || a->died == MLV_NEVER)
		return;
	int64_t from = h->events[a->born].time_ns, to = h->events[a->died].time_ns;
	if (from != MLV_NO_TIME && to != MLV_NO_TIME)
		mlv_buf_printf(out, ", %s",
			       mlv_fmt_duration(t, sizeof(t), mlv_time_between(from, to)));
}

/* The innermost frames outside PyTorch. */
static void frames(const struct mlv_classes *c, const struct mlv_alloc *a, struct mlv_buf *out)
{
	const struct mlv_run *run = c->h->run;
	char place[256];
	unsigned shown = 0;
	for (mlv_stackid id = a->stack; mlv_stack_has_frame(id) && shown < FRAMES;
	     id = mlv_stack_caller(&run->stacks, id)) {
		const struct mlv_frame *f = mlv_stack_frame(&run->stacks, id);
		if (!mlv_file_is_callers(mlv_run_str(run, f->file)))
			continue;
		mlv_frame_place(run, run->stacks.nodes.data[id.i].frame, place, sizeof(place));
		mlv_buf_putc(out, '\n');
		mlv_buf_safe(out, mlv_run_str(run, f->function));
		mlv_buf_printf(out, " %s", place);
		shown++;
	}
}

static void name(const struct mlv_classes *c, uint32_t cls, struct mlv_buf *out)
{
	char text[256], place[512];
	mlv_class_name(c, cls, text, sizeof(text), place, sizeof(place));
	mlv_buf_printf(out, "%s%s%s", text, *place ? " " : "", place);
}

void mlv_hover_stack(const struct mlv_classes *c, uint32_t cls, const struct mlv_alloc *a,
		     struct mlv_buf *out)
{
	if (a->origin == MLV_ALLOC_ORPHAN_FREE)
		mlv_buf_puts(out,
			     "\nits allocation was not recorded; the stack is that of its free");
	if (c->kind != MLV_BY_SITE || !mlv_stack_has_frame(a->stack)) {
		mlv_buf_putc(out, '\n');
		name(c, cls, out);
	}
	frames(c, a, out);
}

void mlv_hover_text(const struct mlv_classes *c, const struct mlv_shape *shape, struct mlv_buf *out)
{
	char n[MLV_NUM_SIZE];
	out->len = 0;
	if (shape->alloc == MLV_NEVER) {
		name(c, shape->cls, out);
		mlv_buf_printf(out,
			       "\nup to %" PRIu32
			       " allocations at once, each too small to show alone, "
			       "%s together",
			       shape->most_allocs, mlv_fmt_bytes(n, sizeof(n), shape->most_bytes));
		return;
	}
	const struct mlv_alloc *a = &c->h->allocs[shape->alloc];
	mlv_buf_printf(out, "%s (%" PRIu64 " bytes) at 0x%" PRIx64,
		       mlv_fmt_bytes(n, sizeof(n), a->bytes), a->bytes, a->addr);
	if (shape->pending)
		mlv_buf_puts(out, "\nfreed by the program, awaiting a stream");
	life(c->h, a, out);
	mlv_hover_stack(c, shape->cls, a, out);
}
