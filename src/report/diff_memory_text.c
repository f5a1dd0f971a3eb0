/* SPDX-License-Identifier: MIT */
/* The memory of two devices side by side, in words. */
#include "report/diff_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "report/table_text.h"

enum { CELL = 64 };

/* ------------------------------------------------------------------ figures */

static void figure_row(const struct mlv_figure *f, struct mlv_buf *out)
{
	char a[CELL], b[CELL], change[CELL], relative[32];
	mlv_cell_text(mlv_figure_cell(f, 0), false, a, sizeof(a));
	mlv_cell_text(mlv_figure_cell(f, 1), false, b, sizeof(b));
	mlv_cell_text(mlv_figure_change_cell(f), true, change, sizeof(change));
	mlv_relative_text((double)f->value[0], (double)f->value[1], relative, sizeof(relative));
	if (f->unit == MLV_UNIT_PERCENT || f->value[0] == f->value[1])
		relative[0] = '\0';
	mlv_buf_printf(out, "    %-28s %12s %12s %12s", f->label, a, b, change);
	mlv_buf_printf(out, relative[0] ? " %10s\n" : "%s\n", relative);
}

void mlv_figures_text(const mlv_figures *list, const char *ignore, struct mlv_buf *out)
{
	bool any = false;
	for (size_t i = 0; i < list->len; i++) {
		const struct mlv_figure *f = &list->data[i];
		bool zero = !f->value[0] && !f->value[1];
		/* Growth is told with the verdict. */
		if (!mlv_figure_comparable(f) || zero || strcmp(f->key, "growth") == 0 ||
		    mlv_ignores(ignore, (struct mlv_str){ f->key, strlen(f->key) }))
			continue;
		if (!any)
			mlv_buf_printf(out, "    %-28s %12s %12s %12s\n", "", "A", "B", "change");
		any = true;
		figure_row(f, out);
	}
}

/* ------------------------------------------------------------------ stacks */

/* What explains it: entries, then all others in one line, then their sum. */
struct sum {
	uint64_t a, b, count;
};

static void stack_row(int64_t change, uint64_t a, uint64_t b, const char *kind, const char *name,
		      struct mlv_buf *out)
{
	char x[MLV_NUM_SIZE], y[MLV_NUM_SIZE], z[MLV_NUM_SIZE];
	mlv_buf_printf(out, "    %12s %12s %12s  %s", mlv_fmt_bytes_signed(z, sizeof(z), change),
		       mlv_fmt_bytes(x, sizeof(x), a), mlv_fmt_bytes(y, sizeof(y), b), kind);
	if (*name)
		mlv_buf_printf(out, "%*s", (int)(10 - strlen(kind)), "");
	mlv_buf_safe(out, (struct mlv_str){ name, strlen(name) });
	mlv_buf_putc(out, '\n');
}

static void add(struct sum *s, const struct mlv_stack_diff *x, enum mlv_amount_of what)
{
	s->a += x->amount[0][what].bytes;
	s->b += x->amount[1][what].bytes;
	s->count += mlv_stack_change(x, what) != 0;
}

static void sum_row(const struct sum *s, const char *kind, const char *name, struct mlv_buf *out)
{
	stack_row((int64_t)(s->b - s->a), s->a, s->b, kind, name, out);
}

/* " [A: activation checkpointing]": what was left out to match them. */
static void wrapper_names(const unsigned *bits, char *buf, size_t size)
{
	size_t n = strlen(buf);
	for (unsigned side = 0; side < 2; side++) {
		for (unsigned w = 0; w < MLV_WRAPPERS; w++) {
			if ((bits[side] >> w & 1) && n < size)
				n += (size_t)snprintf(buf + n, size - n, " [%s: %s]",
						      side ? "B" : "A", mlv_wrapper_name(w));
		}
	}
}

static void explain_peak(const struct mlv_diff *d, const struct mlv_memory_diff *m, size_t top,
			 struct mlv_buf *out)
{
	char name[MLV_NAME_SIZE], text[MLV_NUM_SIZE];
	struct sum all = { 0 }, rest = { 0 }, ignored = { 0 };
	size_t shown = 0;
	/* The first entry has the largest change there. */
	if (!m->differing || !mlv_stack_change(&m->stacks.data[0], MLV_AMOUNT_PEAK))
		return;
	mlv_buf_puts(out, "  alive at the peak of each, by stack\n");
	mlv_buf_printf(out, "    %12s %12s %12s\n", "change", "A", "B");
	for (size_t i = 0; i < m->stacks.len; i++) {
		const struct mlv_stack_diff *s = &m->stacks.data[i];
		mlv_stack_diff_name(m, s, name, sizeof(name));
		add(&all, s, MLV_AMOUNT_PEAK);
		if (mlv_ignores(d->ignore, (struct mlv_str){ name, strlen(name) })) {
			add(&ignored, s, MLV_AMOUNT_PEAK);
			continue;
		}
		if (!mlv_stack_change(s, MLV_AMOUNT_PEAK) || shown == top) {
			add(&rest, s, MLV_AMOUNT_PEAK);
			continue;
		}
		shown++;
		wrapper_names(s->wrappers, name, sizeof(name));
		stack_row(mlv_stack_change(s, MLV_AMOUNT_PEAK), s->amount[0][MLV_AMOUNT_PEAK].bytes,
			  s->amount[1][MLV_AMOUNT_PEAK].bytes,
			  mlv_stack_diff_kind(s, MLV_AMOUNT_PEAK), name, out);
	}
	mlv_fmt_count(text, sizeof(text), rest.count);
	snprintf(name, sizeof(name), "%s more that changed, and all that did not", text);
	sum_row(&rest, "remainder", name, out);
	if (ignored.a || ignored.b)
		sum_row(&ignored, "ignored", "", out);
	sum_row(&all, "sum", "the change of the peak", out);
}

/* The largest changes of another amount, where they are no explanation of a sum. */
static void others(const struct mlv_diff *d, const struct mlv_memory_diff *m,
		   enum mlv_amount_of what, const char *heading, size_t top, struct mlv_buf *out)
{
	const struct mlv_stack_diff *list[64];
	char name[MLV_NAME_SIZE];
	size_t n = 0;
	top = top < 64 ? top : 64;
	for (size_t i = 0; i < m->differing; i++) {
		const struct mlv_stack_diff *s = &m->stacks.data[i];
		uint64_t size = (uint64_t)llabs(mlv_stack_change(s, what));
		size_t at = n;
		if (!size || !top)
			continue;
		mlv_stack_diff_name(m, s, name, sizeof(name));
		if (mlv_ignores(d->ignore, (struct mlv_str){ name, strlen(name) }))
			continue;
		while (at > 0 && (uint64_t)llabs(mlv_stack_change(list[at - 1], what)) < size)
			at--;
		if (at == top)
			continue;
		n += n < top;
		memmove(list + at + 1, list + at, (n - 1 - at) * sizeof(struct mlv_stack_diff *));
		list[at] = s;
	}
	if (!n)
		return;
	mlv_buf_printf(out, "  %s\n", heading);
	for (size_t i = 0; i < n; i++) {
		mlv_stack_diff_name(m, list[i], name, sizeof(name));
		stack_row(mlv_stack_change(list[i], what), list[i]->amount[0][what].bytes,
			  list[i]->amount[1][what].bytes, mlv_stack_diff_kind(list[i], what), name,
			  out);
	}
}

/* ------------------------------------------------------------------ wrappers */

static void wrappers(const struct mlv_memory_diff *m, struct mlv_buf *out)
{
	char stacks[2 * MLV_NUM_SIZE], allocations[2 * MLV_NUM_SIZE];
	uint64_t matched = 0;
	for (size_t i = 0; i < m->stacks.len; i++)
		matched += mlv_level_is_bare(m->stacks.data[i].level);
	for (unsigned w = 0; w < MLV_WRAPPERS; w++) {
		if (!mlv_wrapper_one_sided(m, w))
			continue;
		unsigned side = m->wrappers[1][w].stacks != 0;
		const struct mlv_wrapper_use *u = &m->wrappers[side][w];
		mlv_buf_printf(
			out, "  %s stands in %s only: on %s with %s\n", mlv_wrapper_name(w),
			side ? "B" : "A",
			mlv_fmt_count_of(stacks, sizeof(stacks), u->stacks, "stack", "stacks"),
			mlv_fmt_count_of(allocations, sizeof(allocations), u->allocations,
					 "allocation", "allocations"));
	}
	if (matched)
		mlv_buf_printf(
			out,
			"  %s matched without the frames of wrappers, which stand in "
			"brackets\n",
			mlv_fmt_count_of(stacks, sizeof(stacks), matched, "stack", "stacks"));
}

/* ------------------------------------------------------------------ growth */

static void signed_bytes(int64_t n, char *buf, size_t size)
{
	struct mlv_cell c = { true, mlv_decimal_int(n, MLV_UNIT_BYTES) };
	mlv_cell_text(c, n < 0, buf, size);
}

static void component(const char *label, int64_t a, int64_t b, struct mlv_buf *out)
{
	char x[CELL], y[CELL], z[MLV_NUM_SIZE];
	if (!a && !b)
		return;
	signed_bytes(a, x, sizeof(x));
	signed_bytes(b, y, sizeof(y));
	mlv_buf_printf(out, "    %-28s %12s %12s %12s\n", label, x, y,
		       mlv_fmt_bytes_signed(z, sizeof(z), b - a));
}

void mlv_verdict_pair_text(const struct mlv_verdict *a, const struct mlv_verdict *b,
			   struct mlv_buf *out)
{
	if (!a || !b || (!a->growth && !b->growth))
		return;
	mlv_buf_puts(out, "  what makes memory grow");
	if (b->device < 0 && b->rank >= 0)
		mlv_buf_printf(out, ", rank %" PRId64, b->rank);
	mlv_buf_putc(out, '\n');
	mlv_buf_printf(out, "    %-28s %12s %12s\n", "verdict", mlv_growth_name(a->growth),
		       mlv_growth_name(b->growth));
	component("activations", a->activation_bytes, b->activation_bytes, out);
	component("state that stays", a->persistent_bytes, b->persistent_bytes, out);
	component("growth, a step", a->cumulative_bytes, b->cumulative_bytes, out);
}

static void growers(const struct mlv_memory_diff *m, size_t top, struct mlv_buf *out)
{
	const struct mlv_stack_diff *list[64];
	char name[MLV_NAME_SIZE];
	top = top < 64 ? top : 64;
	size_t found = top ? mlv_memory_diff_growers(m, list, top) : 0;
	if (!found)
		return;
	mlv_buf_puts(out, "  left behind in each step, by stack\n");
	for (size_t i = 0; i < found && i < top; i++) {
		const double *g = list[i]->growth;
		mlv_stack_diff_name(m, list[i], name, sizeof(name));
		stack_row(llround(g[1]) - llround(g[0]), (uint64_t)llround(g[0]),
			  (uint64_t)llround(g[1]),
			  !(g[0] > 0)   ? "B only"
			  : !(g[1] > 0) ? "A only"
					: "",
			  name, out);
	}
	if (found > top)
		mlv_buf_printf(out, "    and %zu more\n", found - top);
}

void mlv_diff_device_text(const struct mlv_diff *d, const struct mlv_device_diff *dd, size_t top,
			  struct mlv_buf *out)
{
	char a[80], b[80];
	const struct mlv_memory_diff *m = &dd->memory;
	mlv_device_name(d->run[0], dd->history[0].device, a, sizeof(a));
	mlv_device_name(d->run[1], dd->history[1].device, b, sizeof(b));
	mlv_buf_printf(out, strcmp(a, b) == 0 ? "  %s\n" : "  %s against %s\n", a, b);
	mlv_figures_text(&m->figures, d->ignore, out);
	mlv_verdict_pair_text(m->side[0].verdict, m->side[1].verdict, out);
	growers(m, top, out);
	wrappers(m, out);
	if (d->same_process)
		mlv_process_diff_text(m, &dd->process, top, out);
	explain_peak(d, m, top, out);
	others(d, m, MLV_AMOUNT_END, "alive at the end", top < 5 ? top : 5, out);
	others(d, m, MLV_AMOUNT_TRAFFIC, "allocated in all", top < 5 ? top : 5, out);
}
