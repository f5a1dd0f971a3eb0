/* SPDX-License-Identifier: MIT */
/* Two runs side by side, in words: devices, tables, facts, findings. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "report/diff_parts.h"
#include "report/table_text.h"

enum { CELL = 64 };

/* ------------------------------------------------------------------ tables */

/* "  more than the spread of the runs, 12 ms"; empty where nothing was repeated. */
static const char *noise_words(const struct mlv_cell_diff *c, char *buf, size_t size)
{
	char spread[MLV_NUM_SIZE];
	buf[0] = '\0';
	if (c->noise == MLV_NOISE_UNKNOWN)
		return buf;
	switch (mlv_unit_quantity((enum mlv_unit)c->change.value.unit)) {
	case MLV_DURATION:
		mlv_fmt_duration(spread, sizeof(spread),
				 c->spread < 9e9 ? (int64_t)(c->spread * 1e9 + 0.5) : INT64_MAX);
		break;
	case MLV_BYTE_COUNT:
		mlv_fmt_bytes(spread, sizeof(spread),
			      c->spread < 9e18 ? (uint64_t)(c->spread + 0.5) : UINT64_MAX);
		break;
	default:
		snprintf(spread, sizeof(spread), "%.4g", c->spread);
		break;
	}
	snprintf(buf, size, "  %s the spread of the runs, %s",
		 c->noise == MLV_NOISE_WITHIN ? "within" : "more than", spread);
	return buf;
}

struct texts {
	char a[CELL], b[CELL], change[CELL], relative[32];
};

static void cell_texts(const struct mlv_cell_diff *c, struct texts *t)
{
	mlv_cell_text(c->side[0], false, t->a, sizeof(t->a));
	mlv_cell_text(c->side[1], false, t->b, sizeof(t->b));
	mlv_cell_text(c->change, true, t->change, sizeof(t->change));
	t->relative[0] = '\0';
	if (isfinite(c->ratio))
		mlv_relative_text(1, c->ratio, t->relative, sizeof(t->relative));
}

/* One value for each line: a table of one row, or what a report states for all rows. */
static void value_line(const char *name, int width, const struct mlv_cell_diff *c,
		       struct mlv_buf *out)
{
	struct texts t;
	char noise[120];
	cell_texts(c, &t);
	mlv_buf_puts(out, "    ");
	mlv_buf_printf(out, "%-*s %14s %14s %14s", width, name, t.a, t.b, t.change);
	mlv_buf_printf(out, t.relative[0] ? " %9s" : "%s", t.relative);
	mlv_buf_printf(out, "%s\n", noise_words(c, noise, sizeof(noise)));
}

static bool same_cell(const struct mlv_cell_diff *c)
{
	if (!c->side[0].present && !c->side[1].present)
		return true;
	return c->change.present && !c->change.value.mantissa;
}

static void one_row(const struct mlv_table_diff *t, struct mlv_buf *out)
{
	int width = 12;
	for (size_t i = 0; i < t->columns.len; i++) {
		int n = (int)strlen(t->columns.data[i].name);
		width = n > width ? n : width;
	}
	width = width > 40 ? 40 : width;
	mlv_buf_printf(out, "    %-*s %14s %14s %14s\n", width, "", "A", "B", "change");
	for (size_t i = 0; i < t->columns.len; i++) {
		const struct mlv_cell_diff *c = mlv_cell_diff_at(t, 0, i);
		if (!same_cell(c))
			value_line(t->columns.data[i].name, width, c, out);
	}
}

static void many_rows(const struct mlv_table_diff *t, size_t top, struct mlv_buf *out)
{
	mlv_buf_printf(out, "    %14s %14s %14s %9s  name (by %s)\n", "change", "A", "B", "",
		       t->columns.data[t->by].name);
	for (size_t i = 0; i < t->rows.len && i < top; i++) {
		const struct mlv_row_diff *r = &t->rows.data[i];
		const struct mlv_cell_diff *c = mlv_cell_diff_at(t, i, t->by);
		struct texts x;
		char noise[120];
		cell_texts(c, &x);
		mlv_buf_printf(out, "    %14s %14s %14s %9s  ", x.change, x.a, x.b,
			       !r->present[0]   ? "new"
			       : !r->present[1] ? "gone"
						: x.relative);
		mlv_buf_safe(out, r->subject);
		mlv_buf_printf(out, "%s\n", noise_words(c, noise, sizeof(noise)));
	}
	char n[MLV_NUM_SIZE];
	if (t->rows.len > top)
		mlv_buf_printf(out, "    and %s more; --top N shows them\n",
			       mlv_fmt_count(n, sizeof(n), t->rows.len - top));
}

void mlv_table_diff_text(const struct mlv_table_diff *t, size_t top, int width, struct mlv_buf *out)
{
	char n[2 * MLV_NUM_SIZE];
	(void)width;
	mlv_buf_puts(out, "  ");
	mlv_buf_safe(out, (struct mlv_str){ t->title, strlen(t->title) });
	if (!t->rows.len && !t->totals.len) {
		mlv_buf_puts(out, ": no difference\n");
		return;
	}
	mlv_buf_puts(out, ": ");
	mlv_buf_puts(out,
		     mlv_fmt_count_of(n, sizeof(n), t->rows.len, "row differs", "rows differ"));
	mlv_buf_printf(out, ", %s\n",
		       mlv_fmt_count_of(n, sizeof(n), t->same_rows, "is equal", "are equal"));
	if (t->rows.len == 1 && !t->same_rows && t->columns.len > 1 && t->rows.data[0].present[0] &&
	    t->rows.data[0].present[1])
		one_row(t, out);
	else if (t->rows.len && t->columns.len)
		many_rows(t, top, out);
	for (size_t i = 0; i < t->totals.len; i++) {
		char name[80];
		snprintf(name, sizeof(name), "%.70s", t->totals.data[i].name.p);
		value_line(name, 24, &t->totals.data[i].cell, out);
	}
}

/* ------------------------------------------------------------------ facts and findings */

static void properties(const struct mlv_diff *d, size_t top, struct mlv_buf *out)
{
	const struct mlv_run_diff *r = &d->rest;
	if (!r->properties.len)
		return;
	mlv_buf_puts(out, "  settings and facts that differ\n");
	for (size_t i = 0; i < r->properties.len && i < top; i++) {
		const struct mlv_property_diff *p = &r->properties.data[i];
		unsigned side = p->side[0] == NULL;
		const struct mlv_run *run = d->run[side];
		char a[120], b[120];
		mlv_property_words(d->run[0], p->side[0], a, sizeof(a));
		mlv_property_words(d->run[1], p->side[1], b, sizeof(b));
		mlv_buf_puts(out, "    ");
		if (p->side[side]->group.i) {
			mlv_buf_safe(out, mlv_run_str(run, p->side[side]->group));
			mlv_buf_putc(out, '/');
		}
		mlv_buf_safe(out, mlv_run_str(run, p->side[side]->key));
		mlv_buf_puts(out, ": ");
		mlv_buf_safe(out, (struct mlv_str){ a, strlen(a) });
		mlv_buf_puts(out, " → ");
		mlv_buf_safe(out, (struct mlv_str){ b, strlen(b) });
		mlv_buf_putc(out, '\n');
	}
	if (r->properties.len > top)
		mlv_buf_printf(out, "    and %zu more\n", r->properties.len - top);
}

static void findings(const struct mlv_diff *d, size_t top, struct mlv_buf *out)
{
	const struct mlv_run_diff *r = &d->rest;
	if (!r->findings.len)
		return;
	mlv_buf_puts(out, "  findings that differ\n");
	for (size_t i = 0; i < r->findings.len && i < top; i++) {
		const struct mlv_finding_diff *f = &r->findings.data[i];
		mlv_buf_printf(out, "    A %" PRIu64 ", B %" PRIu64 ": ", f->count[0], f->count[1]);
		mlv_buf_safe(out, mlv_run_str(f->run, f->finding->text));
		mlv_buf_putc(out, '\n');
	}
	if (r->findings.len > top)
		mlv_buf_printf(out, "    and %zu more\n", r->findings.len - top);
}

/* ------------------------------------------------------------------ the whole */

static void heading(const struct mlv_diff *d, struct mlv_buf *out)
{
	for (unsigned s = 0; s < 2; s++) {
		const struct mlv_run *run = d->run[s];
		mlv_buf_puts(out, s ? " → " : "");
		mlv_buf_safe(out, (struct mlv_str){ run->file, strlen(run->file) });
	}
	mlv_buf_printf(out, ": %s", d->run[0]->format);
	if (strcmp(d->run[0]->format, d->run[1]->format) != 0)
		mlv_buf_printf(out, " against %s", d->run[1]->format);
	if (d->run[0]->rank >= 0 && d->run[0]->rank == d->run[1]->rank)
		mlv_buf_printf(out, ", rank %" PRId64, d->run[0]->rank);
	else if (d->run[0]->rank >= 0 && d->run[1]->rank >= 0)
		mlv_buf_printf(out, ", rank %" PRId64 " against rank %" PRId64, d->run[0]->rank,
			       d->run[1]->rank);
	mlv_buf_putc(out, '\n');
}

void mlv_diff_text(const struct mlv_diff *d, size_t top, int width, struct mlv_buf *out)
{
	char a[160], b[160];
	heading(d, out);
	if (!mlv_diff_shares(d)) {
		mlv_run_holds(d->run[0], a, sizeof(a));
		mlv_run_holds(d->run[1], b, sizeof(b));
		mlv_buf_printf(out, "  they share nothing: A holds %s; B holds %s\n", a, b);
		return;
	}
	if (!mlv_diff_differs(d)) {
		mlv_buf_puts(out, "  no difference\n");
		for (size_t i = 0; d->same_process && i < d->device_count; i++)
			mlv_process_diff_text(&d->devices[i].memory, &d->devices[i].process, top,
					      out);
		return;
	}
	for (size_t i = 0; i < d->device_count; i++)
		mlv_diff_device_text(d, &d->devices[i], top, out);
	for (unsigned s = 0; s < 2; s++) {
		/* Of unlike inputs the counters below stand for the devices. */
		if (d->devices_only[s] && !d->counters.len)
			mlv_buf_printf(out, "  %zu device%s in %s only\n", d->devices_only[s],
				       d->devices_only[s] == 1 ? "" : "s", s ? "B" : "A");
		if (d->rest.tables_only[s])
			mlv_buf_printf(out, "  %zu table%s in %s only\n", d->rest.tables_only[s],
				       d->rest.tables_only[s] == 1 ? "" : "s", s ? "B" : "A");
	}
	if (d->counters.len) {
		mlv_buf_puts(out, "  counters of the allocator that both know\n");
		mlv_figures_text(&d->counters, d->ignore, out);
		if (!d->counters_complete)
			mlv_buf_puts(out,
				     "    a recording among them is not complete: its peaks are "
				     "those of what it holds\n");
	}
	for (size_t i = 0; i < d->phases.len; i++)
		mlv_verdict_pair_text(d->phases.data[i].side[0], d->phases.data[i].side[1], out);
	for (size_t i = 0; i < d->rest.tables.len; i++)
		mlv_table_diff_text(&d->rest.tables.data[i], top, width, out);
	properties(d, top, out);
	findings(d, top, out);
}
