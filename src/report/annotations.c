/* SPDX-License-Identifier: MIT */
#include "report/annotations.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

static int by_name(const void *pa, const void *pb)
{
	const struct mlv_annotation *a = pa, *b = pb;
	return mlv_str_cmp(a->name, b->name);
}

static int by_count(const void *pa, const void *pb)
{
	const struct mlv_annotation *a = pa, *b = pb;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return by_name(pa, pb);
}

/* Sorted by name: make one of those that have the same. */
static size_t unite(struct mlv_annotation *t, size_t count)
{
	size_t n = 0;
	for (size_t i = 0; i < count; i++) {
		if (n && mlv_str_eq(t[n - 1].name, t[i].name)) {
			t[n - 1].count++;
			t[n - 1].open += t[i].open;
			t[n - 1].begun_before += t[i].begun_before;
		} else {
			t[n++] = t[i];
		}
	}
	return n;
}

enum mlv_rc mlv_annotations_init(struct mlv_annotations *a, const struct mlv_run *run,
				 mlv_trackid device, struct mlv_err *err)
{
	memset(a, 0, sizeof(*a));
	a->list = calloc(run->spans.len + 1, sizeof(*a->list));
	if (!a->list)
		return mlv_err_nomem(err);
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		if (device.i == MLV_TRACK_NONE.i || s->track.i == device.i)
			a->list[a->total++] = (struct mlv_annotation){ mlv_run_str(run, s->name), 1,
								       s->end_ns == MLV_NO_TIME,
								       s->start_ns == MLV_NO_TIME };
	}
	qsort(a->list, a->total, sizeof(*a->list), by_name);
	a->count = unite(a->list, a->total);
	qsort(a->list, a->count, sizeof(*a->list), by_count);
	return MLV_OK;
}

void mlv_annotations_fini(struct mlv_annotations *a)
{
	free(a->list);
	memset(a, 0, sizeof(*a));
}

void mlv_annotations_text(const struct mlv_annotations *a, struct mlv_buf *out)
{
	enum { SHOWN = 6 };
	char n[MLV_NUM_SIZE];
	if (!a->count) {
		mlv_buf_puts(out, "  annotations: none\n");
		return;
	}
	mlv_buf_printf(out, "  annotations: %s", mlv_fmt_count(n, sizeof(n), a->total));
	for (size_t i = 0; i < a->count && i < SHOWN; i++) {
		const struct mlv_annotation *t = &a->list[i];
		mlv_buf_puts(out, i ? ", " : ": ");
		mlv_buf_safe(out, t->name);
		mlv_buf_printf(out, " x %s", mlv_fmt_count(n, sizeof(n), t->count));
		if (t->open)
			mlv_buf_printf(out, " (%" PRIu64 " never ended)", t->open);
	}
	if (a->count > SHOWN)
		mlv_buf_printf(out, " and %zu other names", a->count - SHOWN);
	mlv_buf_putc(out, '\n');
}

void mlv_annotations_json(const struct mlv_annotations *a, struct mlv_json *j)
{
	mlv_json_key_array(j, "annotations");
	for (size_t i = 0; i < a->count; i++) {
		const struct mlv_annotation *t = &a->list[i];
		mlv_json_object(j);
		mlv_json_key(j, "name");
		mlv_json_str(j, t->name);
		mlv_json_key_uint(j, "count", t->count);
		mlv_json_key_uint(j, "open", t->open);
		mlv_json_key_uint(j, "begun_before", t->begun_before);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}
