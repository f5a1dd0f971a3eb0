/* SPDX-License-Identifier: MIT */
#include "analysis/flame/flame_layout.h"

#include <stdlib.h>
#include <string.h>

struct laying {
	struct mlv_flame_layout *out;
	const struct mlv_flame *f;
	const struct mlv_flame_space *space;
	uint64_t total;
};

/* Edges are rounded from exact sums: neighbours share theirs. */
static int32_t column(const struct laying *l, uint64_t at)
{
	double x = (double)at * l->space->columns / (double)l->total;
	return x >= l->space->columns ? l->space->columns : (int32_t)(x + 0.5);
}

static bool is_wide(const struct laying *l, uint64_t value)
{
	double least = l->space->least > 1 ? l->space->least : 1;
	return (double)value * l->space->columns >= least * (double)l->total;
}

static bool add_bar(struct laying *l, struct mlv_flame_bar bar, uint64_t from)
{
	bar.x0 = column(l, from);
	bar.x1 = column(l, mlv_flame_plus(from, bar.value));
	if (bar.x1 <= bar.x0)
		return true;
	if (bar.row + 1 > l->out->rows)
		l->out->rows = bar.row + 1;
	l->out->cut += bar.cut;
	return mlv_vec_push(&l->out->bars, bar);
}

/* Children from `child` on are too narrow: they come after all wider ones, so they are one rest. */
static bool add_rest(struct laying *l, uint32_t child, uint32_t row, uint64_t from)
{
	const struct mlv_flame_node *nodes = l->f->nodes.data;
	struct mlv_flame_bar bar = { .row = row, .node = nodes[child].parent };
	for (; child != MLV_FLAME_NO_NODE; child = nodes[child].next) {
		bar.value = mlv_flame_plus(bar.value, nodes[child].total);
		bar.hidden++;
	}
	return add_bar(l, bar, from);
}

/* A node that still has children to lay out, and where the next of them begins. */
struct level {
	uint32_t next;
	uint64_t at;
};

static bool lay_out(struct laying *l)
{
	const struct mlv_flame_node *nodes = l->f->nodes.data;
	MLV_VEC(struct level) open = { 0 };
	struct level top = { nodes[MLV_FLAME_ROOT].first, 0 };
	struct mlv_flame_bar all = { .value = l->total };
	bool ok = add_bar(l, all, 0) && mlv_vec_push(&open, top);
	while (ok && open.len) {
		struct level *o = &open.data[open.len - 1];
		uint32_t node = o->next, row = (uint32_t)open.len;
		if (node == MLV_FLAME_NO_NODE || row >= l->space->rows) {
			open.len--;
			continue;
		}
		if (!is_wide(l, nodes[node].total)) {
			ok = add_rest(l, node, row, o->at);
			open.len--;
			continue;
		}
		bool has_children = nodes[node].first != MLV_FLAME_NO_NODE;
		struct mlv_flame_bar bar = { .row = row,
					     .node = node,
					     .value = nodes[node].total,
					     .cut = has_children && row + 1 == l->space->rows };
		struct level below = { nodes[node].first, o->at };
		ok = add_bar(l, bar, o->at);
		o->next = nodes[node].next;
		o->at = mlv_flame_plus(o->at, nodes[node].total);
		if (ok && has_children)
			ok = mlv_vec_push(&open, below);
	}
	mlv_vec_free(&open);
	return ok;
}

enum mlv_rc mlv_flame_layout_init(struct mlv_flame_layout *layout, const struct mlv_flame *f,
				  const struct mlv_flame_space *space, struct mlv_err *err)
{
	struct laying l = { layout, f, space, f->nodes.data[MLV_FLAME_ROOT].total };
	memset(layout, 0, sizeof(*layout));
	if (!l.total || lay_out(&l))
		return MLV_OK;
	mlv_flame_layout_fini(layout);
	return mlv_err_nomem(err);
}

void mlv_flame_layout_fini(struct mlv_flame_layout *l)
{
	mlv_vec_free(&l->bars);
	memset(l, 0, sizeof(*l));
}

struct weight {
	uint64_t total;
	uint32_t node;
};

/* A parent has a lower index than its children and no less weight, so it comes before them. */
static int by_total(const void *pa, const void *pb)
{
	const struct weight *a = pa, *b = pb;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

bool mlv_flame_heaviest(const struct mlv_flame *f, size_t most, bool *kept)
{
	size_t n = f->nodes.len;
	struct weight *w = malloc(n * sizeof(*w));
	if (!w)
		return false;
	for (uint32_t i = 0; i < n; i++)
		w[i] = (struct weight){ f->nodes.data[i].total, i };
	qsort(w, n, sizeof(*w), by_total);
	memset(kept, 0, n * sizeof(*kept));
	for (size_t i = 0; i < n && i < most && (w[i].total || !i); i++)
		kept[w[i].node] = true;
	free(w);
	return true;
}
