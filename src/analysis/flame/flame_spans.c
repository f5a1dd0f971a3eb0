/* SPDX-License-Identifier: MIT */
/*
 * Time as a flame graph. A span with a stack stands below it. Another one
 * stands in the span that was under way on its track when it began and lasted
 * at least as long; one that outlives it is its neighbour, as two transfers on
 * a stream are. So the sums of a track are those of its spans, and where
 * neighbours overlap, their time counts twice: that is counted.
 */
#include <stdlib.h>

#include "analysis/flame/flame_stacks.h"
#include "analysis/span_order.h"
#include "analysis/track_label.h"

/* A span that is under way. */
struct level {
	int64_t end;
	uint32_t node;
	uint64_t left; /* what those within it have not taken of its time */
};

struct nesting {
	struct mlv_flame *f;
	const struct mlv_run *run;
	bool counted;
	struct mlv_span_item *items;
	size_t count;
	MLV_VEC(struct level) open;
};

static bool collect(struct nesting *n, struct mlv_flame_stacks *stacks)
{
	const struct mlv_run *run = n->run;
	n->items = malloc((run->spans.len + 1) * sizeof(*n->items));
	if (!n->items)
		return false;
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		int64_t took = 0;
		if (!mlv_run_span_took(s, &took) && !n->counted) {
			n->f->open += mlv_run_span_open(run, s);
			n->f->untimed += !mlv_run_span_open(run, s);
		} else if (mlv_stack_has_frame(s->stack)) {
			mlv_flame_stacks_add(stacks, s->stack, 0);
		} else {
			int64_t end = s->end_ns > s->start_ns ? s->end_ns : s->start_ns;
			n->items[n->count++] =
				(struct mlv_span_item){ s->track.i, (uint32_t)i, s->start_ns, end };
		}
	}
	mlv_span_order(n->items, n->count);
	return true;
}

/* Spans below their stacks. */
static bool add_stacked(struct nesting *n, const struct mlv_flame_stacks *stacks)
{
	const struct mlv_run *run = n->run;
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		uint32_t node;
		int64_t took = 0;
		if (!mlv_stack_has_frame(s->stack) || (!mlv_run_span_took(s, &took) && !n->counted))
			continue;
		if (!mlv_flame_child(n->f, stacks->node[s->stack.i], MLV_FLAME_SPAN,
				     mlv_run_str(run, s->name), MLV_STR(""), 0, &node))
			return false;
		uint64_t value = n->counted ? 1 : took > 0 ? (uint64_t)took : 0;
		mlv_flame_weigh(n->f, node, value);
		n->f->rows++;
	}
	return true;
}

/* The innermost span under way gets what nobody within it took. */
static void leave(struct nesting *n)
{
	struct level *l = &n->open.data[--n->open.len];
	mlv_flame_weigh(n->f, l->node, l->left);
}

static bool enter(struct nesting *n, const struct mlv_span_item *it, uint32_t below)
{
	uint64_t value = n->counted ? 1 : (uint64_t)it->end - (uint64_t)it->start;
	while (n->open.len && n->open.data[n->open.len - 1].end <= it->start)
		leave(n);
	while (n->open.len && n->open.data[n->open.len - 1].end < it->end) {
		n->f->overlaps++;
		leave(n);
	}
	struct level *in = n->open.len ? &n->open.data[n->open.len - 1] : NULL;
	struct level l = { .end = it->end, .left = value };
	if (in && !n->counted)
		in->left -= value < in->left ? value : in->left;
	return mlv_flame_child(n->f, in ? in->node : below, MLV_FLAME_SPAN,
			       mlv_run_str(n->run, n->run->spans.data[it->span].name), MLV_STR(""),
			       0, &l.node) &&
	       mlv_vec_push(&n->open, l);
}

static bool add_nested(struct nesting *n, uint32_t below)
{
	bool several = n->count && n->items[0].track != n->items[n->count - 1].track;
	uint32_t track = below;
	for (size_t i = 0; i < n->count; i++) {
		const struct mlv_span_item *it = &n->items[i];
		if (several && (!i || n->items[i - 1].track != it->track)) {
			char label[300];
			while (n->open.len)
				leave(n);
			mlv_track_label(n->run, (mlv_trackid){ it->track }, label, sizeof(label));
			if (!mlv_flame_child(n->f, below, MLV_FLAME_PLACE, mlv_str_of(label),
					     MLV_STR(""), 0, &track))
				return false;
		}
		if (!enter(n, it, track))
			return false;
	}
	while (n->open.len)
		leave(n);
	n->f->rows += n->count;
	return true;
}

enum mlv_rc mlv_flame_spans(struct mlv_flame *f, uint32_t below, const struct mlv_run *run,
			    bool counted, struct mlv_err *err)
{
	struct nesting n = { .f = f, .run = run, .counted = counted };
	struct mlv_flame_stacks stacks = { 0 };
	bool ok = mlv_flame_stacks_init(&stacks, run) && collect(&n, &stacks) &&
		  mlv_flame_stacks_place(&stacks, f, below) && add_stacked(&n, &stacks) &&
		  add_nested(&n, below);
	mlv_flame_stacks_fini(&stacks);
	mlv_vec_free(&n.open);
	free(n.items);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

enum mlv_rc mlv_flame_findings(struct mlv_flame *f, uint32_t below, const struct mlv_run *run,
			       struct mlv_err *err)
{
	struct mlv_flame_stacks stacks = { 0 };
	bool ok = mlv_flame_stacks_init(&stacks, run);
	for (size_t i = 0; ok && i < run->findings.len; i++) {
		mlv_stackid stack = run->findings.data[i].stack;
		if (!mlv_stack_has_frame(stack))
			continue;
		mlv_flame_stacks_add(&stacks, stack, 1);
		f->rows++;
	}
	ok = ok && mlv_flame_stacks_place(&stacks, f, below);
	mlv_flame_stacks_fini(&stacks);
	return ok ? MLV_OK : mlv_err_nomem(err);
}
