/* SPDX-License-Identifier: MIT */
#include "report/ci/tracebacks.h"

#include <stdlib.h>

static int by_line(const void *pa, const void *pb)
{
	const struct mlv_finding *a = ((const struct mlv_traceback *)pa)->finding;
	const struct mlv_finding *b = ((const struct mlv_traceback *)pb)->finding;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a > b) - (a < b); /* both are of one array */
}

bool mlv_tracebacks_init(struct mlv_tracebacks *t, const struct mlv_run *run)
{
	*t = (struct mlv_tracebacks){ 0 };
	for (size_t i = 0; i < run->findings.len; i++) {
		struct mlv_traceback one = { &run->findings.data[i], 0 };
		if (mlv_str_eq(mlv_run_str(run, one.finding->code), MLV_STR("traceback")) &&
		    !mlv_vec_push(&t->list, one))
			return false;
	}
	if (t->list.len)
		qsort(t->list.data, t->list.len, sizeof(*t->list.data), by_line);
	uint32_t last = 0;
	for (size_t i = 0; i < t->list.len; i++) {
		struct mlv_traceback *one = &t->list.data[i];
		if (one->finding->last_line > last)
			last = one->finding->last_line;
		one->last_line = last;
	}
	return true;
}

void mlv_tracebacks_fini(struct mlv_tracebacks *t)
{
	mlv_vec_free(&t->list);
}

static bool reaches(uint32_t last_line, const struct mlv_finding *f)
{
	return f->last_line <= (uint64_t)last_line + 1;
}

const struct mlv_finding *mlv_traceback_around(const struct mlv_tracebacks *t,
					       const struct mlv_finding *f)
{
	size_t low = 0, high = t->list.len;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (reaches(t->list.data[mid].last_line, f))
			high = mid;
		else
			low = mid + 1;
	}
	/* The first that reaches so far; behind it others only where that one is `f`. */
	for (; low < t->list.len && t->list.data[low].finding->line <= f->line; low++) {
		const struct mlv_finding *one = t->list.data[low].finding;
		if (one != f && reaches(one->last_line, f))
			return one;
	}
	return NULL;
}
