/* SPDX-License-Identifier: MIT */
#include "report/diff_statements.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/utf8.h"
#include "report/table_text.h"

/* ------------------------------------------------------------------ making them */

struct making {
	struct mlv_statements *s;
	const struct mlv_diff *d;
	bool ok;
};

/* A new one whose texts are yet to be written; NULL when memory runs out. */
static struct mlv_statement *fresh(struct making *m, enum mlv_statement_kind kind, double weight)
{
	struct mlv_statement x = { .kind = kind, .rank = m->d->run[1]->rank, .weight = weight };
	m->ok = m->ok && mlv_vec_push(&m->s->list, x);
	return m->ok ? &m->s->list.data[m->s->list.len - 1] : NULL;
}

static const struct mlv_figure *figure_named(const struct mlv_memory_diff *m, const char *key)
{
	for (size_t i = 0; i < m->figures.len; i++) {
		if (strcmp(m->figures.data[i].key, key) == 0)
			return &m->figures.data[i];
	}
	return NULL;
}

/* "+1.78 GiB, +51.2 % (3.47 GiB → 5.25 GiB)" */
static void figure_value(const struct mlv_figure *f, char *buf, size_t size)
{
	char a[64], b[64], change[64], relative[32];
	mlv_cell_text(mlv_figure_cell(f, 0), false, a, sizeof(a));
	mlv_cell_text(mlv_figure_cell(f, 1), false, b, sizeof(b));
	mlv_cell_text(mlv_figure_change_cell(f), true, change, sizeof(change));
	mlv_relative_text((double)f->value[0], (double)f->value[1], relative, sizeof(relative));
	snprintf(buf, size, "%s%s%s (%s → %s)", change, relative[0] ? ", " : "", relative, a, b);
}

static bool ignored(const struct making *m, const char *name)
{
	return mlv_ignores(m->d->ignore, (struct mlv_str){ name, strlen(name) });
}

static void state_figure(struct making *m, const struct mlv_memory_diff *mem, const char *key,
			 const char *subject, enum mlv_statement_kind kind)
{
	const struct mlv_figure *f = figure_named(mem, key);
	if (!f || !mlv_figure_comparable(f) || !mlv_figure_change(f) || ignored(m, key))
		return;
	struct mlv_statement *x = fresh(m, kind, fabs((double)mlv_figure_change(f)));
	if (!x)
		return;
	x->from = (double)f->value[0];
	x->to = (double)f->value[1];
	snprintf(x->subject, sizeof(x->subject), "%s", subject);
	figure_value(f, x->value, sizeof(x->value));
}

static void state_wrappers(struct making *m, const struct mlv_memory_diff *mem)
{
	for (unsigned w = 0; w < MLV_WRAPPERS; w++) {
		if (!mlv_wrapper_one_sided(mem, w))
			continue;
		unsigned side = mem->wrappers[1][w].stacks != 0;
		const struct mlv_wrapper_use *u = &mem->wrappers[side][w];
		struct mlv_statement *x = fresh(m, MLV_STATE_WRAPPER, (double)u->allocations);
		if (!x)
			return;
		snprintf(x->subject, sizeof(x->subject), "frames of %s stand in %s only",
			 mlv_wrapper_name(w), side ? "B" : "A");
		snprintf(x->value, sizeof(x->value), "%" PRIu64 " stacks, %" PRIu64 " allocations",
			 u->stacks, u->allocations);
	}
}

/* The stack that explains most of the change of the peak. */
static void state_stack(struct making *m, const struct mlv_memory_diff *mem)
{
	char name[MLV_NAME_SIZE], bytes[MLV_NUM_SIZE];
	if (!mem->differing)
		return;
	const struct mlv_stack_diff *s = &mem->stacks.data[0];
	/* Where there is no stack there is no explanation. */
	if (s->stack[s->present[1]].i == MLV_STACK_NONE.i)
		return;
	int64_t change = mlv_stack_change(s, MLV_AMOUNT_PEAK);
	mlv_stack_diff_name(mem, s, name, sizeof(name));
	if (!change || ignored(m, name))
		return;
	struct mlv_statement *x = fresh(m, MLV_STATE_STACK, fabs((double)change));
	if (!x)
		return;
	snprintf(x->subject, sizeof(x->subject), "the largest part of the peak's change is %.350s",
		 name);
	snprintf(x->value, sizeof(x->value), "%s (%s)",
		 mlv_fmt_bytes_signed(bytes, sizeof(bytes), change),
		 mlv_stack_diff_kind(s, MLV_AMOUNT_PEAK));
}

/* What grows outranks all that differs once: it ends every run that is long enough. */
static void state_growers(struct making *m, const struct mlv_memory_diff *mem)
{
	const struct mlv_stack_diff *s;
	char name[MLV_NAME_SIZE], a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	size_t n = mlv_memory_diff_growers(mem, &s, 1);
	if (!n)
		return;
	mlv_stack_diff_name(mem, s, name, sizeof(name));
	if (ignored(m, name) || ignored(m, "growth"))
		return;
	struct mlv_statement *x = fresh(m, MLV_STATE_GROWTH, fabs(mlv_stack_growth_change(s)));
	if (!x)
		return;
	snprintf(x->subject, sizeof(x->subject), "grows from step to step%s: %.340s",
		 s->growth[0] > 0   ? s->growth[1] > 0 ? "" : " in A only"
		 : s->growth[1] > 0 ? " in B only"
				    : "",
		 name);
	mlv_fmt_bytes(a, sizeof(a), (uint64_t)llround(s->growth[0]));
	mlv_fmt_bytes(b, sizeof(b), (uint64_t)llround(s->growth[1]));
	snprintf(x->value, sizeof(x->value), "%s → %s a step", a, b);
	if (n > 1) {
		size_t k = strlen(x->value);
		snprintf(x->value + k, sizeof(x->value) - k, ", the largest of %zu stacks", n);
	}
}

static void state_verdicts(struct making *m)
{
	for (size_t i = 0; i < m->d->phases.len; i++) {
		const struct mlv_verdict *const *v = m->d->phases.data[i].side;
		char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
		int64_t step[2] = { v[0]->cumulative_bytes, v[1]->cumulative_bytes };
		bool grows = mlv_verdict_matters(v[1], step[1] - step[0]) ||
			     mlv_verdict_matters(v[1], step[0] - step[1]);
		if (!v[0]->growth || !v[1]->growth || ignored(m, "growth") ||
		    (v[0]->growth == v[1]->growth && !grows))
			continue;
		struct mlv_statement *x = fresh(m, MLV_STATE_GROWTH, 0);
		if (!x)
			return;
		x->rank = v[1]->rank;
		snprintf(x->subject, sizeof(x->subject), "what makes memory grow");
		mlv_fmt_bytes_signed(a, sizeof(a), step[0]);
		mlv_fmt_bytes_signed(b, sizeof(b), step[1]);
		snprintf(x->value, sizeof(x->value), "%s → %s (%s → %s a step)",
			 mlv_growth_name(v[0]->growth), mlv_growth_name(v[1]->growth), a, b);
	}
}

static void state_memory(struct making *m, const struct mlv_memory_diff *mem)
{
	state_figure(m, mem, "ooms", "out-of-memory errors", MLV_STATE_OOM);
	state_growers(m, mem);
	state_wrappers(m, mem);
	state_figure(m, mem, "reserved_peak", "peak of reserved memory", MLV_STATE_RESERVED);
	state_figure(m, mem, "requested_peak", "peak of requested memory", MLV_STATE_PEAK);
	if (mem->side[1].history->device->bytes_are == MLV_BYTES_ALLOCATED)
		state_figure(m, mem, "allocated_peak", "peak of memory by the profiler",
			     MLV_STATE_PEAK);
	state_figure(m, mem, "mapped_peak", "peak of mapped memory", MLV_STATE_PEAK);
	state_stack(m, mem);
}

static void state_settings(struct making *m)
{
	const struct mlv_run_diff *r = &m->d->rest;
	for (size_t i = 0; i < r->properties.len; i++) {
		const struct mlv_property_diff *p = &r->properties.data[i];
		/* A fact of the file is none that anybody set. */
		if (!p->side[0] || !p->side[1] ||
		    !mlv_str_eq(mlv_run_str(m->d->run[0], p->side[0]->group), MLV_STR("settings")))
			continue;
		struct mlv_statement *x = fresh(m, MLV_STATE_SETTING, 0);
		char a[60], b[60];
		if (!x)
			return;
		mlv_property_words(m->d->run[0], p->side[0], a, sizeof(a));
		mlv_property_words(m->d->run[1], p->side[1], b, sizeof(b));
		snprintf(x->subject, sizeof(x->subject), "setting %.160s",
			 mlv_run_str(m->d->run[0], p->side[0]->key).p);
		snprintf(x->value, sizeof(x->value), "%s → %s", a, b);
	}
}

/* The row that changes most; within the spread of repeated runs nothing is said. */
static void state_table(struct making *m, const struct mlv_table_diff *t)
{
	if (!t->rows.len || !t->columns.len)
		return;
	const struct mlv_cell_diff *c = mlv_cell_diff_at(t, 0, t->by);
	char change[64], relative[32] = "", title[80], row[100];
	if (!c->change.present || !c->change.value.mantissa || c->noise == MLV_NOISE_WITHIN)
		return;
	struct mlv_statement *x = fresh(m, MLV_STATE_TABLE, 0);
	if (!x)
		return;
	mlv_cell_text(c->change, true, change, sizeof(change));
	if (isfinite(c->ratio))
		mlv_relative_text(1, c->ratio, relative, sizeof(relative));
	/* A command line may stand in both. */
	mlv_utf8_fit(title, sizeof(title), t->title, strlen(t->title));
	mlv_utf8_fit(row, sizeof(row), t->rows.data[0].subject.p, t->rows.data[0].subject.n);
	snprintf(x->subject, sizeof(x->subject), "%s: %.80s of %s", title,
		 t->columns.data[t->by].name, row);
	snprintf(x->value, sizeof(x->value), "%s%s%s", change, relative[0] ? ", " : "", relative);
}

bool mlv_statements_add(struct mlv_statements *s, const struct mlv_diff *d)
{
	struct making m = { s, d, true };
	for (size_t i = 0; i < d->device_count; i++)
		state_memory(&m, &d->devices[i].memory);
	state_verdicts(&m);
	state_settings(&m);
	for (size_t i = 0; i < d->rest.tables.len; i++)
		state_table(&m, &d->rest.tables.data[i]);
	return m.ok;
}

void mlv_statements_fini(struct mlv_statements *s)
{
	mlv_vec_free(&s->list);
}

/* ------------------------------------------------------------------ printing them */

static int by_subject(const void *pa, const void *pb)
{
	const struct mlv_statement *a = pa, *b = pb;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->weight < b->weight || a->weight > b->weight)
		return a->weight > b->weight ? -1 : 1;
	int c = strcmp(a->subject, b->subject);
	if (c)
		return c;
	c = strcmp(a->value, b->value);
	return c ? c : (a->rank > b->rank) - (a->rank < b->rank);
}

/* The heaviest of each thing takes its place; the others of the same thing follow it. */
void mlv_statements_sort(struct mlv_statements *s)
{
	size_t n = s->list.len;
	struct mlv_statement *list = s->list.data;
	if (n)
		qsort(list, n, sizeof(*list), by_subject);
	for (size_t i = 0; i < n; i++) {
		size_t next = i + 1;
		for (size_t k = i + 1; k < n && list[k].kind == list[i].kind; k++) {
			if (strcmp(list[k].subject, list[i].subject) != 0)
				continue;
			struct mlv_statement moved = list[k];
			memmove(list + next + 1, list + next, (k - next) * sizeof(*list));
			list[next++] = moved;
		}
		i = next - 1;
	}
}

static size_t end_of(const struct mlv_statements *s, size_t from)
{
	const struct mlv_statement *list = s->list.data;
	size_t i = from + 1;
	while (i < s->list.len && list[i].kind == list[from].kind &&
	       strcmp(list[i].subject, list[from].subject) == 0)
		i++;
	return i;
}

/* The ranks of those that have the value of the first, ascending. */
static void ranks_text(const struct mlv_statement *list, size_t n, struct mlv_buf *out)
{
	int64_t before = -1;
	size_t said = 0, same = 0;
	for (size_t i = 0; i < n; i++)
		same += strcmp(list[i].value, list[0].value) == 0;
	mlv_buf_puts(out, same > 1 ? "ranks " : "rank ");
	for (int64_t least; said < same; before = least) {
		least = INT64_MAX;
		for (size_t i = 0; i < n; i++) {
			if (list[i].rank > before && list[i].rank < least &&
			    strcmp(list[i].value, list[0].value) == 0)
				least = list[i].rank;
		}
		if (least == INT64_MAX)
			break;
		mlv_buf_printf(out, "%s%" PRId64, said++ ? ", " : "", least);
	}
	mlv_buf_puts(out, ": ");
}

/* "rank 3: +1.9 GiB; ranks 0, 1, 2: +1.2 GiB": those of one value together. */
static void values_text(const struct mlv_statement *list, size_t n, struct mlv_buf *out)
{
	for (size_t i = 0; i < n; i++) {
		bool said = false;
		for (size_t k = 0; k < i; k++)
			said = said || strcmp(list[k].value, list[i].value) == 0;
		if (said)
			continue;
		mlv_buf_puts(out, i ? "; " : " ");
		if (n > 1 && list[i].rank >= 0)
			ranks_text(list + i, n - i, out);
		mlv_buf_safe(out, (struct mlv_str){ list[i].value, strlen(list[i].value) });
	}
}

void mlv_statements_text(const struct mlv_statements *s, size_t most, struct mlv_buf *out)
{
	size_t number = 0;
	for (size_t i = 0, end; i < s->list.len && number < most; i = end) {
		const struct mlv_statement *x = &s->list.data[i];
		end = end_of(s, i);
		mlv_buf_printf(out, "  %zu. ", ++number);
		mlv_buf_safe(out, (struct mlv_str){ x->subject, strlen(x->subject) });
		mlv_buf_putc(out, ':');
		values_text(x, end - i, out);
		mlv_buf_putc(out, '\n');
	}
}

static const char *kind_name(enum mlv_statement_kind kind)
{
	static const char *const names[] = { "oom",  "growth", "wrapper", "reserved",
					     "peak", "stack",  "setting", "table" };
	return names[kind];
}

void mlv_statements_json(const struct mlv_statements *s, struct mlv_json *j)
{
	mlv_json_key_array(j, "statements");
	for (size_t i = 0; i < s->list.len; i++) {
		const struct mlv_statement *x = &s->list.data[i];
		mlv_json_object(j);
		mlv_json_key_text(j, "kind", kind_name(x->kind));
		if (x->rank >= 0)
			mlv_json_key_int(j, "rank", x->rank);
		mlv_json_key_text(j, "subject", x->subject);
		mlv_json_key_text(j, "value", x->value);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}
