/* SPDX-License-Identifier: MIT */
#include "analysis/flame/flame.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/num.h"

enum mlv_rc mlv_flame_init(struct mlv_flame *f, struct mlv_err *err)
{
	struct mlv_flame_node root = { 0 };
	struct mlv_flame_label all = { .kind = MLV_FLAME_PLACE };
	memset(f, 0, sizeof(*f));
	if (mlv_interner_init(&f->names) && mlv_vec_push(&f->labels, all) &&
	    mlv_vec_push(&f->nodes, root))
		return MLV_OK;
	mlv_flame_fini(f);
	return mlv_err_nomem(err);
}

void mlv_flame_fini(struct mlv_flame *f)
{
	mlv_interner_fini(&f->names);
	mlv_vec_free(&f->labels);
	mlv_vec_free(&f->nodes);
	mlv_map_fini(&f->label_ids);
	mlv_map_fini(&f->node_ids);
	memset(f, 0, sizeof(*f));
}

/* Names are few beside the nodes: a row of labels is found by its hash, and then compared. */
static bool intern_label(struct mlv_flame *f, struct mlv_flame_label l, uint32_t *row)
{
	uint32_t ids[4] = { l.name.i, l.file.i, l.line, l.kind };
	for (uint64_t key = XXH3_64bits(ids, sizeof(ids));; key++) {
		struct mlv_map_slot *slot = mlv_map_find(&f->label_ids, key);
		if (!slot) {
			*row = (uint32_t)f->labels.len;
			return mlv_vec_push(&f->labels, l) && mlv_map_set(&f->label_ids, key, *row);
		}
		const struct mlv_flame_label *has = &f->labels.data[slot->value];
		if (has->name.i == l.name.i && has->file.i == l.file.i && has->line == l.line &&
		    has->kind == l.kind) {
			*row = slot->value;
			return true;
		}
	}
}

bool mlv_flame_child(struct mlv_flame *f, uint32_t parent, enum mlv_flame_kind kind,
		     struct mlv_str name, struct mlv_str file, uint32_t line, uint32_t *node)
{
	struct mlv_flame_label l = { .line = line, .kind = (uint8_t)kind };
	uint32_t label;
	if (!mlv_intern(&f->names, name.p, name.n, &l.name) ||
	    !mlv_intern(&f->names, file.p, file.n, &l.file) || !intern_label(f, l, &label))
		return false;
	uint64_t key = (uint64_t)parent << 32 | label;
	struct mlv_map_slot *slot = mlv_map_find(&f->node_ids, key);
	if (slot) {
		*node = slot->value;
		return true;
	}
	struct mlv_flame_node n = { .parent = parent, .label = label };
	*node = (uint32_t)f->nodes.len;
	return f->nodes.len < UINT32_MAX && mlv_vec_push(&f->nodes, n) &&
	       mlv_map_set(&f->node_ids, key, *node);
}

enum mlv_rc mlv_flame_grep(struct mlv_flame *f, const char *text, struct mlv_err *err)
{
	struct mlv_str wanted = mlv_str_of(text);
	bool *matches = calloc(f->labels.len, sizeof(*matches));
	bool *kept = calloc(f->nodes.len, sizeof(*kept));
	bool ok = matches && kept;
	for (size_t i = 0; ok && i < f->labels.len; i++) {
		const struct mlv_flame_label *l = &f->labels.data[i];
		matches[i] = mlv_str_contains(mlv_str_get(&f->names, l->name), wanted) ||
			     mlv_str_contains(mlv_str_get(&f->names, l->file), wanted);
	}
	for (size_t i = 1; ok && i < f->nodes.len; i++) {
		struct mlv_flame_node *n = &f->nodes.data[i];
		kept[i] = kept[n->parent] || matches[n->label];
		if (!kept[i])
			n->self = 0;
	}
	if (ok && !kept[MLV_FLAME_ROOT])
		f->nodes.data[MLV_FLAME_ROOT].self = 0;
	free(matches);
	free(kept);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

/* A node in the order in which it is to stand among the children of its parent. */
struct place {
	const struct mlv_flame *f;
	uint32_t node;
};

static int by_weight(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;
	const struct mlv_flame *f = a->f;
	const struct mlv_flame_node *x = &f->nodes.data[a->node], *y = &f->nodes.data[b->node];
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	const struct mlv_flame_label *l = &f->labels.data[x->label], *m = &f->labels.data[y->label];
	int c = mlv_str_cmp(mlv_str_get(&f->names, l->name), mlv_str_get(&f->names, m->name));
	if (!c)
		c = mlv_str_cmp(mlv_str_get(&f->names, l->file), mlv_str_get(&f->names, m->file));
	if (!c && l->line != m->line)
		c = l->line < m->line ? -1 : 1;
	return c ? c : (a->node > b->node) - (a->node < b->node);
}

/* Children are put in front of their siblings, so the lightest of all nodes comes first. */
static void link_children(struct mlv_flame *f, const struct place *order, size_t n)
{
	while (n-- > 0) {
		struct mlv_flame_node *node = &f->nodes.data[order[n].node];
		struct mlv_flame_node *parent = &f->nodes.data[node->parent];
		node->next = parent->first;
		parent->first = order[n].node;
	}
}

enum mlv_rc mlv_flame_settle(struct mlv_flame *f, struct mlv_err *err)
{
	size_t n = f->nodes.len, placed = 0;
	struct place *order = malloc(n * sizeof(*order));
	uint32_t *depth = calloc(n, sizeof(*depth));
	bool ok = order && depth;
	for (size_t i = 0; i < n; i++)
		f->nodes.data[i].total = f->nodes.data[i].self;
	for (size_t i = n; i-- > 1;) {
		struct mlv_flame_node *parent = &f->nodes.data[f->nodes.data[i].parent];
		parent->total = mlv_flame_plus(parent->total, f->nodes.data[i].total);
	}
	for (uint32_t i = 1; ok && i < n; i++) {
		const struct mlv_flame_node *node = &f->nodes.data[i];
		if (!node->total)
			continue;
		order[placed++] = (struct place){ f, i };
		depth[i] = depth[node->parent] + 1;
		f->deepest = depth[i] > f->deepest ? depth[i] : f->deepest;
	}
	if (ok && placed) {
		qsort(order, placed, sizeof(*order), by_weight);
		link_children(f, order, placed);
	}
	free(order);
	free(depth);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

void mlv_flame_name(const struct mlv_flame *f, uint32_t node, struct mlv_buf *out)
{
	const struct mlv_flame_label *l = mlv_flame_label(f, node);
	mlv_buf_str(out, mlv_str_get(&f->names, l->name));
	if (!l->file.i)
		return;
	mlv_buf_putc(out, ' ');
	mlv_buf_str(out, mlv_str_basename(mlv_str_get(&f->names, l->file)));
	if (l->line)
		mlv_buf_printf(out, ":%" PRIu32, l->line);
}

uint64_t mlv_flame_hash(const struct mlv_flame *f, uint32_t node)
{
	const struct mlv_flame_label *l = mlv_flame_label(f, node);
	struct mlv_str name = mlv_str_get(&f->names, l->name);
	struct mlv_str file = mlv_str_basename(mlv_str_get(&f->names, l->file));
	return XXH3_64bits_withSeed(file.p, file.n, XXH3_64bits(name.p, name.n));
}

char *mlv_flame_value_text(enum mlv_flame_value value, uint64_t n, char *buf, size_t size)
{
	if (value == MLV_FLAME_COUNT)
		return mlv_fmt_count(buf, size, n);
	if (value == MLV_FLAME_TIME)
		return mlv_fmt_duration(buf, size, n > INT64_MAX ? INT64_MAX : (int64_t)n);
	return mlv_fmt_bytes(buf, size, n);
}

char *mlv_flame_share_text(const struct mlv_flame *f, uint64_t n, char *buf, size_t size)
{
	uint64_t total = f->nodes.data[MLV_FLAME_ROOT].total;
	snprintf(buf, size, "%.1f %%", total ? (double)n * 100 / (double)total : 0);
	return buf;
}
