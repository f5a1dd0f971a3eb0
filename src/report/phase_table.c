/* SPDX-License-Identifier: MIT */
/*
 * The phases of a training step as a table, for any number of runs side by
 * side: one row for each moment, one column for each run.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "report/classify.h"

enum { LABEL = 28, NAME = 22 };

/* A row: a step as the report counts it, a phase, and which one of that name in the step. */
struct row {
	int64_t step; /* -1: before the first */
	struct mlv_str label;
	uint32_t place; /* in the first run that has it: the order within a step */
};

static int64_t number_of(const struct mlv_phase_grid *g, const struct mlv_moment *m)
{
	return m->step < 0 ? -1 : g->steps.data[m->step].number;
}

/* The first step of that number or a later one; numbers ascend. */
static size_t step_of(const struct mlv_phase_grid *g, int64_t number)
{
	size_t low = 0, high = g->steps.len;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (g->steps.data[mid].number < number)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static const struct mlv_moment *find(const struct mlv_phase_grid *g, const struct row *r)
{
	size_t step = step_of(g, r->step), first = 0, end = g->moments.len;
	if (r->step >= 0) {
		if (step == g->steps.len || g->steps.data[step].number != r->step)
			return NULL;
		first = g->steps.data[step].first;
		end = first + g->steps.data[step].count;
	} else if (g->steps.len) {
		end = g->steps.data[0].first;
	}
	for (size_t i = first; i < end; i++) {
		if (mlv_str_eq(mlv_run_str(g->run, g->moments.data[i].label), r->label))
			return &g->moments.data[i];
	}
	return NULL;
}

static int by_step(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;
	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

struct row_list {
	MLV_VEC(struct row) v;
};

static bool gather(struct row_list *list, const struct mlv_phase_grid *grids, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		const struct mlv_phase_grid *g = &grids[k];
		for (size_t i = 0; i < g->moments.len; i++) {
			const struct mlv_moment *m = &g->moments.data[i];
			size_t first = m->step < 0 ? 0 : g->steps.data[m->step].first;
			struct row r = { number_of(g, m), mlv_run_str(g->run, m->label),
					 (uint32_t)(i - first) };
			bool known = false;
			for (size_t e = 0; k && !known && e < k; e++)
				known = find(&grids[e], &r) != NULL;
			if (!known && !mlv_vec_push(&list->v, r))
				return false;
		}
	}
	if (list->v.len)
		qsort(list->v.data, list->v.len, sizeof(*list->v.data), by_step);
	return true;
}

static void column_names(const struct mlv_phase_grid *grids, size_t count, struct mlv_buf *out)
{
	mlv_buf_printf(out, "%5s  %-*s", "step", LABEL, "allocated / reserved, MiB");
	for (size_t k = 0; k < count; k++) {
		const char *file = grids[k].run->file;
		struct mlv_str base = mlv_str_basename((struct mlv_str){ file, strlen(file) });
		char name[NAME + 40], rank[32] = "";
		if (grids[k].rank >= 0)
			snprintf(rank, sizeof(rank), ":%" PRId64, grids[k].rank);
		snprintf(name, sizeof(name), "%.*s%s", NAME - (int)strlen(rank), base.p, rank);
		mlv_buf_printf(out, "  %*s", NAME, name);
	}
	mlv_buf_putc(out, '\n');
}

static void cell(const struct mlv_moment *m, struct mlv_buf *out)
{
	char text[NAME * 2], reserved[32] = "-";
	if (!m) {
		mlv_buf_printf(out, "  %*s", NAME, "-");
		return;
	}
	if (m->reserved >= 0)
		snprintf(reserved, sizeof(reserved), "%.1f", (double)m->reserved / 1048576);
	snprintf(text, sizeof(text), "%.1f / %s", (double)m->allocated / 1048576, reserved);
	mlv_buf_printf(out, "  %*s", NAME, text);
}

enum mlv_rc mlv_phase_table_text(const struct mlv_phase_grid *grids, size_t count,
				 struct mlv_buf *out, struct mlv_err *err)
{
	struct row_list rows = { 0 };
	if (!gather(&rows, grids, count)) {
		mlv_vec_free(&rows.v);
		return mlv_err_nomem(err);
	}
	column_names(grids, count, out);
	for (size_t i = 0; i < rows.v.len; i++) {
		const struct row *r = &rows.v.data[i];
		struct mlv_buf label = { 0 };
		char step[24];
		if (i && rows.v.data[i - 1].step != r->step)
			mlv_buf_putc(out, '\n');
		mlv_buf_safe(&label, r->label);
		snprintf(step, sizeof(step), "%" PRId64, r->step);
		mlv_buf_printf(out, "%5s  %-*.*s", r->step < 0 ? "" : step, LABEL, LABEL,
			       label.data ? label.data : "");
		for (size_t k = 0; k < count; k++)
			cell(find(&grids[k], r), out);
		mlv_buf_putc(out, '\n');
		mlv_buf_fini(&label);
	}
	mlv_vec_free(&rows.v);
	return out->failed ? mlv_err_nomem(err) : MLV_OK;
}
