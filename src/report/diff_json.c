/* SPDX-License-Identifier: MIT */
/* Two runs side by side as JSON; docs/json.md lists the keys. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/diff_parts.h"
#include "report/findings.h"
#include "report/table_text.h"

static const char *const sides[2] = { "a", "b" };

/* ------------------------------------------------------------------ memory */

static void figure_json(const struct mlv_figure *f, struct mlv_json *j)
{
	mlv_json_key_object(j, f->key);
	for (unsigned s = 0; s < 2; s++) {
		mlv_json_key(j, sides[s]);
		if (f->known[s])
			mlv_json_int(j, f->value[s]);
		else
			mlv_json_null(j);
	}
	mlv_json_key(j, "change");
	if (mlv_figure_comparable(f))
		mlv_json_int(j, mlv_figure_change(f));
	else
		mlv_json_null(j);
	mlv_json_key_text(j, "unit",
			  f->unit == MLV_UNIT_PERCENT ? "0.1 %"
			  : f->unit                   ? mlv_unit_name((enum mlv_unit)f->unit)
						      : NULL);
	mlv_json_object_end(j);
}

static void amount_json(const struct mlv_stack_diff *s, enum mlv_amount_of what, const char *key,
			struct mlv_json *j)
{
	mlv_json_key_object(j, key);
	for (unsigned k = 0; k < 2; k++) {
		mlv_json_key_object(j, sides[k]);
		mlv_json_key_uint(j, "bytes", s->amount[k][what].bytes);
		mlv_json_key_uint(j, "allocations", s->amount[k][what].count);
		mlv_json_object_end(j);
	}
	mlv_json_key_int(j, "change_bytes", mlv_stack_change(s, what));
	mlv_json_object_end(j);
}

static void wrapper_bits_json(unsigned bits, const char *key, struct mlv_json *j)
{
	mlv_json_key_array(j, key);
	for (unsigned w = 0; w < MLV_WRAPPERS; w++) {
		if (bits >> w & 1)
			mlv_json_text(j, mlv_wrapper_name(w));
	}
	mlv_json_array_end(j);
}

static void stack_json(const struct mlv_memory_diff *m, const struct mlv_stack_diff *s,
		       struct mlv_json *j)
{
	static const char *const levels[MLV_LEVELS] = { "lines", "inner-lines", "functions",
							"lines", "inner-lines", "functions" };
	char name[MLV_NAME_SIZE];
	unsigned side = s->present[1];
	mlv_stack_diff_name(m, s, name, sizeof(name));
	mlv_json_object(j);
	mlv_json_key_text(j, "kind", mlv_stack_diff_kind(s, MLV_AMOUNT_PEAK));
	mlv_json_key_text(j, "name", name);
	mlv_json_key_text(j, "matched", s->present[0] && s->present[1] ? levels[s->level] : NULL);
	mlv_json_key_bool(j, "without_wrappers", mlv_level_is_bare(s->level));
	wrapper_bits_json(s->wrappers[0], "wrappers_a", j);
	wrapper_bits_json(s->wrappers[1], "wrappers_b", j);
	amount_json(s, MLV_AMOUNT_PEAK, "peak", j);
	amount_json(s, MLV_AMOUNT_END, "end", j);
	amount_json(s, MLV_AMOUNT_TRAFFIC, "allocated", j);
	if (s->growth[0] > 0 || s->growth[1] > 0) {
		mlv_json_key_int(j, "growth_a_bytes_per_step", llround(s->growth[0]));
		mlv_json_key_int(j, "growth_b_bytes_per_step", llround(s->growth[1]));
	}
	if (!s->before && mlv_stack_has_frame(s->stack[side]))
		mlv_stack_json(m->side[side].history->run, s->stack[side], j);
	mlv_json_object_end(j);
}

static void remainder_json(const struct mlv_memory_diff *m, size_t from, struct mlv_json *j)
{
	uint64_t a = 0, b = 0;
	for (size_t i = from; i < m->stacks.len; i++) {
		a += m->stacks.data[i].amount[0][MLV_AMOUNT_PEAK].bytes;
		b += m->stacks.data[i].amount[1][MLV_AMOUNT_PEAK].bytes;
	}
	mlv_json_key_object(j, "remainder");
	mlv_json_key_uint(j, "stacks", m->stacks.len - from);
	mlv_json_key_uint(j, "peak_a_bytes", a);
	mlv_json_key_uint(j, "peak_b_bytes", b);
	mlv_json_key_int(j, "peak_change_bytes", (int64_t)(b - a));
	mlv_json_object_end(j);
}

static void wrappers_json(const struct mlv_memory_diff *m, struct mlv_json *j)
{
	mlv_json_key_array(j, "wrappers");
	for (unsigned w = 0; w < MLV_WRAPPERS; w++) {
		if (!m->wrappers[0][w].stacks && !m->wrappers[1][w].stacks)
			continue;
		mlv_json_object(j);
		mlv_json_key_text(j, "name", mlv_wrapper_name(w));
		mlv_json_key_uint(j, "stacks_a", m->wrappers[0][w].stacks);
		mlv_json_key_uint(j, "stacks_b", m->wrappers[1][w].stacks);
		mlv_json_key_uint(j, "allocations_a", m->wrappers[0][w].allocations);
		mlv_json_key_uint(j, "allocations_b", m->wrappers[1][w].allocations);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

void mlv_figures_json(const mlv_figures *list, const char *ignore, const char *key,
		      struct mlv_json *j)
{
	mlv_json_key_object(j, key);
	for (size_t i = 0; i < list->len; i++) {
		const char *name = list->data[i].key;
		if (!mlv_ignores(ignore, (struct mlv_str){ name, strlen(name) }))
			figure_json(&list->data[i], j);
	}
	mlv_json_object_end(j);
}

void mlv_diff_device_json(const struct mlv_diff *d, const struct mlv_device_diff *dd, size_t top,
			  struct mlv_json *j)
{
	const struct mlv_memory_diff *m = &dd->memory;
	size_t listed = m->differing < top ? m->differing : top;
	mlv_json_object(j);
	mlv_json_key_uint(j, "device_a", dd->history[0].device->ordinal);
	mlv_json_key_uint(j, "device_b", dd->history[1].device->ordinal);
	mlv_json_key_text(j, "bytes_are", mlv_bytes_are_name(dd->history[0].device->bytes_are));
	mlv_figures_json(&m->figures, d->ignore, "figures", j);
	mlv_verdict_pair_json(m->side[0].verdict, m->side[1].verdict, j);
	if (d->same_process)
		mlv_process_diff_json(m, &dd->process, top, j);
	wrappers_json(m, j);
	mlv_json_key_uint(j, "stacks_that_differ", m->differing);
	mlv_json_key_array(j, "stacks");
	for (size_t i = 0; i < listed; i++)
		stack_json(m, &m->stacks.data[i], j);
	mlv_json_array_end(j);
	remainder_json(m, listed, j);
	mlv_json_object_end(j);
}

/* ------------------------------------------------------------------ tables */

static void side_json(const struct mlv_cell *c, const char *key, struct mlv_json *j)
{
	if (!c->present)
		return;
	mlv_json_key_object(j, key);
	mlv_value_json(c->value, j);
	mlv_json_object_end(j);
}

static void cell_json(struct mlv_str name, const struct mlv_cell_diff *c, struct mlv_json *j)
{
	char ratio[40];
	if (!c->side[0].present && !c->side[1].present)
		return;
	mlv_json_key_str(j, name);
	mlv_json_object(j);
	side_json(&c->side[0], "a", j);
	side_json(&c->side[1], "b", j);
	side_json(&c->change, "change", j);
	if (isfinite(c->ratio)) {
		snprintf(ratio, sizeof(ratio), "%.6g", c->ratio);
		mlv_json_key(j, "ratio");
		mlv_json_raw(j, ratio);
	}
	if (c->noise)
		mlv_json_key_bool(j, "exceeds_spread", c->noise == MLV_NOISE_EXCEEDED);
	mlv_json_object_end(j);
}

static void row_json(const struct mlv_table_diff *t, size_t row, struct mlv_json *j)
{
	const struct mlv_row_diff *r = &t->rows.data[row];
	mlv_json_object(j);
	mlv_json_key(j, "name");
	mlv_json_str(j, r->subject);
	mlv_json_key_text(j, "kind", !r->present[0] ? "new" : !r->present[1] ? "gone" : "changed");
	for (unsigned s = 0; s < 2; s++) {
		if (r->line[s])
			mlv_json_key_uint(j, s ? "line_b" : "line_a", r->line[s]);
	}
	mlv_json_key_object(j, "values");
	for (size_t i = 0; i < t->columns.len; i++) {
		const char *name = t->columns.data[i].name;
		cell_json((struct mlv_str){ name, strlen(name) }, mlv_cell_diff_at(t, row, i), j);
	}
	mlv_json_object_end(j);
	mlv_json_object_end(j);
}

void mlv_table_diff_json(const struct mlv_table_diff *t, size_t top, struct mlv_json *j)
{
	mlv_json_object(j);
	mlv_json_key_text(j, "title", t->title);
	mlv_json_key_text(j, "by", t->columns.len ? t->columns.data[t->by].name : NULL);
	mlv_json_key_uint(j, "rows_that_differ", t->rows.len);
	mlv_json_key_uint(j, "rows_that_are_equal", t->same_rows);
	mlv_json_key_object(j, "totals");
	for (size_t i = 0; i < t->totals.len; i++)
		cell_json(t->totals.data[i].name, &t->totals.data[i].cell, j);
	mlv_json_object_end(j);
	mlv_json_key_array(j, "rows");
	for (size_t i = 0; i < t->rows.len && i < top; i++)
		row_json(t, i, j);
	mlv_json_array_end(j);
	mlv_json_object_end(j);
}

/* ------------------------------------------------------------------ facts and findings */

static void properties_json(const struct mlv_diff *d, struct mlv_json *j)
{
	mlv_json_key_array(j, "properties");
	for (size_t i = 0; i < d->rest.properties.len; i++) {
		const struct mlv_property_diff *p = &d->rest.properties.data[i];
		unsigned side = p->side[0] == NULL;
		char text[400];
		mlv_json_object(j);
		if (p->side[side]->group.i) {
			mlv_json_key(j, "group");
			mlv_json_str(j, mlv_run_str(d->run[side], p->side[side]->group));
		}
		mlv_json_key(j, "key");
		mlv_json_str(j, mlv_run_str(d->run[side], p->side[side]->key));
		for (unsigned s = 0; s < 2; s++) {
			mlv_property_text(d->run[s], p->side[s], text, sizeof(text));
			mlv_json_key_text(j, sides[s], p->side[s] ? text : NULL);
		}
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void findings_json(const struct mlv_diff *d, struct mlv_json *j)
{
	mlv_json_key_array(j, "findings");
	for (size_t i = 0; i < d->rest.findings.len; i++) {
		const struct mlv_finding_diff *f = &d->rest.findings.data[i];
		mlv_json_object(j);
		mlv_json_key_uint(j, "count_a", f->count[0]);
		mlv_json_key_uint(j, "count_b", f->count[1]);
		mlv_finding_json(f->run, f->finding, j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void verdict_json(const struct mlv_verdict *v, const char *key, struct mlv_json *j)
{
	mlv_json_key_object(j, key);
	mlv_json_key_text(j, "verdict", mlv_growth_name(v->growth));
	mlv_json_key_text(j, "confidence", mlv_confidence_name(v->confidence));
	mlv_json_key_int(j, "activation_bytes", v->activation_bytes);
	mlv_json_key_int(j, "persistent_bytes", v->persistent_bytes);
	mlv_json_key_int(j, "cumulative_bytes_per_step", v->cumulative_bytes);
	mlv_json_object_end(j);
}

void mlv_verdict_pair_json(const struct mlv_verdict *a, const struct mlv_verdict *b,
			   struct mlv_json *j)
{
	if (!a || !b)
		return;
	mlv_json_key_object(j, "growth");
	verdict_json(a, "a", j);
	verdict_json(b, "b", j);
	mlv_json_object_end(j);
}

static void phases_json(const struct mlv_diff *d, struct mlv_json *j)
{
	mlv_json_key_array(j, "phases");
	for (size_t i = 0; i < d->phases.len; i++) {
		const struct mlv_verdict *const *v = d->phases.data[i].side;
		mlv_json_object(j);
		mlv_json_key_int(j, "rank_a", v[0]->rank);
		mlv_json_key_int(j, "rank_b", v[1]->rank);
		mlv_verdict_pair_json(v[0], v[1], j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void rank_json(const struct mlv_run *run, const char *key, struct mlv_json *j)
{
	mlv_json_key(j, key);
	if (run->rank >= 0)
		mlv_json_int(j, run->rank);
	else
		mlv_json_null(j);
}

void mlv_diff_json(const struct mlv_diff *d, size_t top, struct mlv_json *j)
{
	mlv_json_object(j);
	mlv_json_key_text(j, "file_a", d->run[0]->file);
	mlv_json_key_text(j, "file_b", d->run[1]->file);
	mlv_json_key_text(j, "format_a", d->run[0]->format);
	mlv_json_key_text(j, "format_b", d->run[1]->format);
	rank_json(d->run[0], "rank_a", j);
	rank_json(d->run[1], "rank_b", j);
	mlv_json_key_bool(j, "share", mlv_diff_shares(d));
	mlv_json_key_bool(j, "differ", mlv_diff_differs(d));
	mlv_json_key_array(j, "devices");
	for (size_t i = 0; i < d->device_count; i++)
		mlv_diff_device_json(d, &d->devices[i], top, j);
	mlv_json_array_end(j);
	if (d->counters.len)
		mlv_figures_json(&d->counters, d->ignore, "counters", j);
	phases_json(d, j);
	mlv_json_key_array(j, "tables");
	for (size_t i = 0; i < d->rest.tables.len; i++)
		mlv_table_diff_json(&d->rest.tables.data[i], top, j);
	mlv_json_array_end(j);
	properties_json(d, j);
	findings_json(d, j);
	mlv_json_object_end(j);
}
