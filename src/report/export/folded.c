/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks. A name may hold anything but what separates: a ';' in it
 * becomes ':', and what would end a line or reorder it is replaced as it is
 * in a terminal.
 */
#include <string.h>

#include "base/vec.h"
#include "report/export/export.h"

struct folding {
	const struct mlv_flame *f;
	const struct mlv_sink *sink;
	struct mlv_buf path, lines, name;
	MLV_VEC(size_t) ends; /* of the path before each node that is on it */
};

static void put_name(struct folding *d, uint32_t node)
{
	d->name.len = 0;
	mlv_flame_name(d->f, node, &d->name);
	size_t from = d->path.len;
	mlv_buf_safe(&d->path, (struct mlv_str){ d->name.data, d->name.len });
	if (d->path.len == from)
		mlv_buf_puts(&d->path, "(no name)");
	for (size_t i = from; !d->path.failed && i < d->path.len; i++) {
		if (d->path.data[i] == ';')
			d->path.data[i] = ':';
	}
}

static void put_line(struct folding *d, uint64_t value)
{
	mlv_buf_add(&d->lines, d->path.data, d->path.len);
	mlv_buf_printf(&d->lines, " %llu\n", (unsigned long long)value);
}

/* To a node one deeper on the path. */
static enum mlv_rc go_down(struct folding *d, uint32_t node, struct mlv_err *err)
{
	const struct mlv_flame_node *n = &d->f->nodes.data[node];
	if (!mlv_vec_push(&d->ends, d->path.len))
		return mlv_err_nomem(err);
	if (d->path.len)
		mlv_buf_putc(&d->path, ';');
	put_name(d, node);
	uint64_t value = d->ends.len == MLV_FOLDED_DEPTH ? n->total : n->self;
	if (value)
		put_line(d, value);
	return mlv_sink_drain(d->sink, &d->lines, err);
}

/* In the order of the graph, without recursion: stacks may be deep. */
static enum mlv_rc walk(struct folding *d, struct mlv_err *err)
{
	const struct mlv_flame_node *nodes = d->f->nodes.data;
	uint32_t node = nodes[MLV_FLAME_ROOT].first;
	enum mlv_rc rc = MLV_OK;
	while (!rc && node != MLV_FLAME_NO_NODE) {
		rc = go_down(d, node, err);
		if (nodes[node].first != MLV_FLAME_NO_NODE && d->ends.len < MLV_FOLDED_DEPTH) {
			node = nodes[node].first;
			continue;
		}
		while (!rc && d->ends.len) {
			d->path.len = d->ends.data[--d->ends.len];
			if (nodes[node].next != MLV_FLAME_NO_NODE)
				break;
			node = nodes[node].parent;
		}
		node = nodes[node].next;
	}
	return rc ? rc : mlv_sink_flush(d->sink, &d->lines, err);
}

enum mlv_rc mlv_export_folded(const struct mlv_flame *f, const struct mlv_sink *sink,
			      struct mlv_err *err)
{
	struct folding d = { .f = f, .sink = sink };
	enum mlv_rc rc = walk(&d, err);
	mlv_buf_fini(&d.path);
	mlv_buf_fini(&d.lines);
	mlv_buf_fini(&d.name);
	mlv_vec_free(&d.ends);
	return rc;
}
