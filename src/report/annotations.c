/* SPDX-License-Identifier: MIT */
#include "report/annotations.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/num.h"

struct tally {
	struct mlv_str name;
	uint64_t count, open, begun_before;
};

static int by_name(const void *pa, const void *pb)
{
	const struct tally *a = pa, *b = pb;
	return mlv_str_cmp(a->name, b->name);
}

static int by_count(const void *pa, const void *pb)
{
	const struct tally *a = pa, *b = pb;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return by_name(pa, pb);
}

/* One row a name, the most frequent first. NULL when there is none (or no memory). */
static struct tally *tally(const struct mlv_run *run, size_t *count)
{
	size_t n = 0;
	struct tally *t = run->spans.len ? calloc(run->spans.len, sizeof(*t)) : NULL;
	*count = 0;
	if (!t)
		return NULL;
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		t[i] = (struct tally){ mlv_run_str(run, s->name), 1, s->end_ns == MLV_NO_TIME,
				       s->start_ns == MLV_NO_TIME };
	}
	qsort(t, run->spans.len, sizeof(*t), by_name);
	for (size_t i = 0; i < run->spans.len; i++) {
		if (n && mlv_str_eq(t[n - 1].name, t[i].name)) {
			t[n - 1].count++;
			t[n - 1].open += t[i].open;
			t[n - 1].begun_before += t[i].begun_before;
		} else {
			t[n++] = t[i];
		}
	}
	qsort(t, n, sizeof(*t), by_count);
	*count = n;
	return t;
}

void mlv_annotations_text(const struct mlv_run *run, struct mlv_buf *out)
{
	enum { SHOWN = 6 };
	size_t n;
	char a[MLV_NUM_SIZE];
	struct tally *t = tally(run, &n);
	if (!t) {
		mlv_buf_puts(out, "  annotations: none\n");
		return;
	}
	mlv_buf_printf(out, "  annotations: %s", mlv_fmt_count(a, sizeof(a), run->spans.len));
	for (size_t i = 0; i < n && i < SHOWN; i++) {
		mlv_buf_puts(out, i ? ", " : ": ");
		mlv_buf_safe(out, t[i].name);
		mlv_buf_printf(out, " x %s", mlv_fmt_count(a, sizeof(a), t[i].count));
		if (t[i].open)
			mlv_buf_printf(out, " (%" PRIu64 " never ended)", t[i].open);
	}
	if (n > SHOWN)
		mlv_buf_printf(out, " and %zu other names", n - SHOWN);
	mlv_buf_putc(out, '\n');
	free(t);
}

void mlv_annotations_json(const struct mlv_run *run, struct mlv_json *j)
{
	size_t n;
	struct tally *t = tally(run, &n);
	mlv_json_key(j, "annotations");
	mlv_json_array(j);
	for (size_t i = 0; i < n; i++) {
		mlv_json_object(j);
		mlv_json_key(j, "name");
		mlv_json_str(j, t[i].name);
		mlv_json_key_uint(j, "count", t[i].count);
		mlv_json_key_uint(j, "open", t[i].open);
		mlv_json_key_uint(j, "begun_before", t[i].begun_before);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
	free(t);
}
