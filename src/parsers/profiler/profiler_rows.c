/* SPDX-License-Identifier: MIT */
#include "parsers/profiler/profiler_rows.h"

#include "parsers/add.h"

static bool is_dashes(struct mlv_str s)
{
	return mlv_str_eq(s, MLV_STR("--"));
}

static bool is_flops(struct mlv_str s)
{
	struct mlv_decimal d;
	return is_dashes(s) || mlv_decimal_whole(s, MLV_UNIT_NONE, &d);
}

/* With FLOPs and stacks, PyTorch prints the two last cells in the other order than their titles. */
static void unswap(const struct mlv_columns *c, struct mlv_cell *cells)
{
	uint32_t n = c->count;
	if (n < 2 || c->c[n - 2].kind != MLV_COLUMN_SOURCE ||
	    c->c[n - 1].kind != MLV_COLUMN_FLOPS || !is_flops(cells[n - 2].text))
		return;
	struct mlv_cell source = cells[n - 1];
	cells[n - 1] = cells[n - 2];
	cells[n - 2] = source;
	/* The one is left-aligned, the other wide: where they end says nothing. */
	cells[n - 1].flush = cells[n - 2].flush = true;
}

/* By the first `known` cells. */
static enum mlv_rc subject_of(struct mlv_profiler_rows *s, struct mlv_text *t,
			      const struct mlv_cell *cells, uint32_t known, mlv_strid *id,
			      struct mlv_err *err)
{
	s->subject.len = 0;
	for (uint32_t k = 0; k < known; k++) {
		struct mlv_str text = cells[k].text;
		const char *joint = NULL;
		if (s->columns.c[k].kind == MLV_COLUMN_NAME)
			joint = "";
		else if (s->columns.c[k].kind == MLV_COLUMN_OVERLOAD)
			joint = ".";
		else if (s->columns.c[k].kind == MLV_COLUMN_SHAPES &&
			 !mlv_str_eq(text, MLV_STR("[]")))
			joint = " ";
		else if (s->columns.c[k].kind == MLV_COLUMN_SOURCE)
			joint = " at ";
		if (!joint || !text.n)
			continue;
		mlv_buf_puts(&s->subject, joint);
		mlv_buf_str(&s->subject, text);
	}
	struct mlv_str name = { s->subject.data, s->subject.len };
	if (s->subject.failed || !mlv_run_intern(t->run, name, id))
		return mlv_err_nomem(err);
	return MLV_OK;
}

static bool is_text(enum mlv_column_kind kind)
{
	return kind == MLV_COLUMN_NAME || kind == MLV_COLUMN_OVERLOAD ||
	       kind == MLV_COLUMN_SHAPES || kind == MLV_COLUMN_SOURCE;
}

/* How many cells hold a figure, and the last cell that holds anything. */
static uint32_t figures(const struct mlv_columns *c, const struct mlv_cell *cells, uint32_t *last)
{
	struct mlv_decimal d;
	uint32_t n = 0;
	*last = 0;
	for (uint32_t k = 0; k < c->count; k++) {
		if (cells[k].text.n)
			*last = k;
		n += !is_text(c->c[k].kind) && mlv_column_value(&c->c[k], cells[k].text, &d);
	}
	return n;
}

/* Whether the line ends before its last column does: what stands there may lack its end. */
static bool is_cut(const struct mlv_columns *c, const struct mlv_cell *cells, uint32_t last)
{
	return c->c[last].kind != MLV_COLUMN_NAME && c->c[last].right && !cells[last].flush;
}

static enum mlv_rc add_row(struct mlv_profiler_rows *s, struct mlv_text *t,
			   const struct mlv_cell *cells, uint32_t last, uint32_t number,
			   struct mlv_err *err)
{
	const struct mlv_columns *c = &s->columns;
	struct mlv_metric_row at = { t->run, t->limits, s->section, s->row, { 0 } };
	bool cut = is_cut(c, cells, last), whole = true;
	enum mlv_rc rc = subject_of(s, t, cells, cut ? last : c->count, &at.subject, err);
	for (uint32_t k = 0; k < c->count && !rc; k++) {
		struct mlv_decimal d;
		if (is_text(c->c[k].kind) || is_dashes(cells[k].text))
			continue;
		if ((k == last && cut && last + 1 < c->count) ||
		    !mlv_column_value(&c->c[k], cells[k].text, &d)) {
			whole = whole && c->c[k].kind == MLV_COLUMN_OTHER;
			continue;
		}
		rc = mlv_add_metric(&at, c->c[k].title, d, err);
		if (cut && k + 1 == c->count)
			s->doubtful = t->run->metrics.len;
	}
	if (!whole || (cut && is_text(c->c[last].kind)))
		mlv_diag_add_line(&t->run->diags, MLV_DAMAGE, "profiler-table-cell", number,
				  "a row of a profiler table has cells that are missing or no "
				  "figures");
	s->row++;
	mlv_section_grow(t->run, s->section, 0);
	return rc;
}

enum mlv_rc mlv_profiler_row(struct mlv_profiler_rows *s, struct mlv_text *t, struct mlv_str text,
			     uint32_t number, bool *mine, struct mlv_err *err)
{
	struct mlv_cell cells[MLV_COLUMNS];
	const struct mlv_columns *c = &s->columns;
	uint32_t last, tail = c->count - 1;
	bool stacks = c->c[tail].kind == MLV_COLUMN_SOURCE ||
		      (tail && c->c[tail - 1].kind == MLV_COLUMN_SOURCE);
	*mine = false;
	if (!mlv_columns_split(c, text, cells))
		return MLV_OK;
	unswap(c, cells);
	uint32_t n = figures(c, cells, &last);
	if (cells[0].text.n && n && n * 3 + 1 >= last) {
		*mine = true;
		return add_row(s, t, cells, last, number, err);
	}
	/* More of a stack, or the blank row behind it. */
	*mine = stacks && !cells[0].text.n && !n;
	return MLV_OK;
}
