/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callsite.h"
#include "base/num.h"
#include "report/flame.h"

/* Whether its parent is a call that does nothing but make this one. */
static bool continues(const struct mlv_flame *f, uint32_t node)
{
	uint32_t parent = f->nodes.data[node].parent;
	return mlv_flame_label(f, parent)->kind != MLV_FLAME_PLACE &&
	       f->nodes.data[node].total == f->nodes.data[parent].total;
}

struct head {
	uint64_t total;
	uint32_t node;
};

static int by_total(const void *pa, const void *pb)
{
	const struct head *a = pa, *b = pb;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

/* The heaviest nodes that begin a line; what a chosen one lies below is chosen too. */
static bool choose(const struct mlv_flame *f, size_t top, bool *chosen, size_t *left)
{
	size_t n = 0;
	struct head *heads = malloc(f->nodes.len * sizeof(*heads));
	if (!heads)
		return false;
	for (uint32_t i = 1; i < f->nodes.len; i++) {
		if (f->nodes.data[i].total && !continues(f, i))
			heads[n++] = (struct head){ f->nodes.data[i].total, i };
	}
	if (n)
		qsort(heads, n, sizeof(*heads), by_total);
	for (size_t i = 0; i < n && i < top; i++)
		chosen[heads[i].node] = true;
	*left = n > top ? n - top : 0;
	free(heads);
	return true;
}

struct writing {
	const struct mlv_flame *f;
	enum mlv_flame_value value;
	int width;
	struct mlv_buf *out, name;
};

/* The end of the chain that begins with a node. */
static uint32_t chain_end(const struct mlv_flame *f, uint32_t node)
{
	const struct mlv_flame_node *nodes = f->nodes.data;
	while (nodes[node].first != MLV_FLAME_NO_NODE && continues(f, nodes[node].first))
		node = nodes[node].first;
	return node;
}

static size_t put_name(struct writing *w, uint32_t node, const char *before)
{
	struct mlv_buf safe = { 0 };
	size_t from = w->name.len;
	mlv_flame_name(w->f, node, &safe);
	mlv_buf_puts(&w->name, before);
	mlv_buf_safe(&w->name, (struct mlv_str){ safe.data, safe.len });
	w->name.failed = w->name.failed || safe.failed;
	mlv_buf_fini(&safe);
	return w->name.len - from;
}

/* Of a chain, the innermost call of the caller's own code; the innermost where none is. */
static uint32_t speaker(const struct mlv_flame *f, uint32_t head, uint32_t end)
{
	for (uint32_t node = end;; node = f->nodes.data[node].parent) {
		const struct mlv_flame_label *l = mlv_flame_label(f, node);
		if (l->kind != MLV_FLAME_FRAME ||
		    mlv_file_is_callers(mlv_str_get(&f->names, l->file)))
			return node;
		if (node == head)
			return end;
	}
}

/* Who speaks for a chain, and as many of its callers in it as there is room for. */
static void put_line(struct writing *w, uint32_t head, unsigned indent)
{
	char value[MLV_NUM_SIZE], share[MLV_NUM_SIZE];
	const struct mlv_flame_node *nodes = w->f->nodes.data;
	uint32_t node = speaker(w->f, head, chain_end(w->f, head));
	size_t room = w->width > 60 ? (size_t)w->width : 60;
	mlv_flame_value_text(w->value, nodes[head].total, value, sizeof(value));
	mlv_flame_share_text(w->f, nodes[head].total, share, sizeof(share));
	mlv_buf_printf(w->out, "  %11s %8s  %*s", value, share, (int)(indent * 2), "");
	size_t used = 24 + indent * 2;
	w->name.len = 0;
	used += put_name(w, node, "");
	while (node != head) {
		size_t len = w->name.len, more = put_name(w, nodes[node].parent, " < ");
		if (used + more > room) {
			w->name.len = len;
			break;
		}
		used += more;
		node = nodes[node].parent;
	}
	mlv_buf_str(w->out, (struct mlv_str){ w->name.data, w->name.len });
	mlv_buf_putc(w->out, '\n');
}

/* Where to go on behind a node and all below it: its next chosen relative. */
static uint32_t behind(const struct mlv_flame *f, uint32_t node, unsigned *indent,
		       const bool *chosen)
{
	const struct mlv_flame_node *nodes = f->nodes.data;
	while (node != MLV_FLAME_ROOT) {
		for (uint32_t next = nodes[node].next; next; next = nodes[next].next) {
			if (chosen[next])
				return next;
		}
		*indent -= !continues(f, node) && *indent;
		node = nodes[node].parent;
	}
	return MLV_FLAME_NO_NODE;
}

static uint32_t first_chosen(const struct mlv_flame_node *nodes, uint32_t parent,
			     const bool *chosen)
{
	uint32_t c = nodes[parent].first;
	while (c != MLV_FLAME_NO_NODE && !chosen[c])
		c = nodes[c].next;
	return c;
}

enum mlv_rc mlv_flame_text(const struct mlv_flame *f, enum mlv_flame_value value, size_t top,
			   int width, struct mlv_buf *out, struct mlv_err *err)
{
	const struct mlv_flame_node *nodes = f->nodes.data;
	struct writing w = { .f = f, .value = value, .width = width, .out = out };
	bool *chosen = calloc(f->nodes.len, sizeof(*chosen));
	size_t left = 0;
	bool ok = chosen && choose(f, top, chosen, &left);
	unsigned indent = 0;
	uint32_t node = ok ? first_chosen(nodes, MLV_FLAME_ROOT, chosen) : MLV_FLAME_NO_NODE;
	while (node != MLV_FLAME_NO_NODE) {
		put_line(&w, node, indent);
		uint32_t end = chain_end(f, node);
		uint32_t below = first_chosen(nodes, end, chosen);
		if (below != MLV_FLAME_NO_NODE) {
			node = below;
			indent++;
			continue;
		}
		node = behind(f, node, &indent, chosen);
	}
	char n[MLV_NUM_SIZE];
	if (left)
		mlv_buf_printf(out, "  and %s lighter branches\n",
			       mlv_fmt_count(n, sizeof(n), left));
	ok = ok && !w.name.failed;
	mlv_buf_fini(&w.name);
	free(chosen);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

static void add_notice(struct mlv_buf *out, uint64_t n, const char *one, const char *many)
{
	char text[MLV_NUM_SIZE + 120];
	if (!n)
		return;
	mlv_buf_puts(out, out->len ? "; " : "");
	mlv_buf_puts(out, mlv_fmt_count_of(text, sizeof(text), n, one, many));
}

void mlv_flame_notice(const struct mlv_flame *f, struct mlv_buf *out)
{
	add_notice(out, f->open, "span never ended and is not in it",
		   "spans never ended and are not in it");
	add_notice(out, f->untimed, "span has no duration and is not in it",
		   "spans have no duration and are not in it");
	add_notice(out, f->overlaps, "span overlaps its neighbour: that time counts to both",
		   "spans overlap their neighbours: that time counts to both");
}
