/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "report/flame.h"

static const char *const value_names[MLV_FLAME_VALUES] = { "peak", "end", "allocated", "time",
							   "count" };
static const char *const total_keys[MLV_FLAME_VALUES] = { "total_bytes", "total_bytes",
							  "total_bytes", "total_ns",
							  "total_count" };
static const char *const self_keys[MLV_FLAME_VALUES] = { "bytes", "bytes", "bytes", "ns", "count" };

struct weight {
	uint64_t self;
	uint32_t node;
};

static int by_self(const void *pa, const void *pb)
{
	const struct weight *a = pa, *b = pb;
	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

/* Names from the inside out, as stacks are everywhere. */
static void put_stack(const struct mlv_flame *f, uint32_t node, struct mlv_json *j)
{
	struct mlv_buf name = { 0 };
	mlv_json_key_array(j, "stack");
	for (; node != MLV_FLAME_ROOT; node = f->nodes.data[node].parent) {
		name.len = 0;
		mlv_flame_name(f, node, &name);
		mlv_json_str(j, (struct mlv_str){ name.data, name.len });
	}
	mlv_json_array_end(j);
	j->out->failed = j->out->failed || name.failed;
	mlv_buf_fini(&name);
}

enum mlv_rc mlv_flame_json(const struct mlv_flame *f, enum mlv_flame_value value, size_t top,
			   struct mlv_json *j, struct mlv_err *err)
{
	size_t n = 0;
	struct weight *w = malloc(f->nodes.len * sizeof(*w));
	if (!w)
		return mlv_err_nomem(err);
	for (uint32_t i = 1; i < f->nodes.len; i++) {
		if (f->nodes.data[i].self)
			w[n++] = (struct weight){ f->nodes.data[i].self, i };
	}
	if (n)
		qsort(w, n, sizeof(*w), by_self);
	mlv_json_key_text(j, "value", value_names[value]);
	mlv_json_key_uint(j, total_keys[value], f->nodes.data[MLV_FLAME_ROOT].total);
	mlv_json_key_uint(j, "rows", f->rows);
	mlv_json_key_uint(j, "deepest", f->deepest);
	mlv_json_key_uint(j, "never_ended", f->open);
	mlv_json_key_uint(j, "without_duration", f->untimed);
	mlv_json_key_uint(j, "overlapping", f->overlaps);
	mlv_json_key_uint(j, "stack_count", n);
	mlv_json_key_array(j, "stacks");
	for (size_t i = 0; i < n && i < top; i++) {
		mlv_json_object(j);
		mlv_json_key_uint(j, self_keys[value], w[i].self);
		put_stack(f, w[i].node, j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
	free(w);
	return MLV_OK;
}
